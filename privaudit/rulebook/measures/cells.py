"""Measures of the cells of an aggregate: small counts, dominance, zeros that disclose.

Question: does a table of counts reveal single people or contributors?
Method: what the scan counted of the cells, for each column of counts.
Limits: one table; differences between tables are not examined, and what follows from totals was computed by the scan.
"""

from __future__ import annotations

from privaudit.model.wording import Columns, Count, Share, Threshold, Value, fact
from privaudit.rulebook.measurement import Context, Measurement, Observation, measure, not_measured
from privaudit.rulebook.packs import Check

_NO_CELLS = "rulebook.no_cells"


@measure("cell.smallest")
def smallest_count(context: Context, check: Check) -> Measurement:
    """Smallest count above 0 of each column of counts."""
    cells = context.evidence.cells
    if not cells:
        return not_measured(_NO_CELLS, incomplete=context.unit_kind == "aggregate")
    observed = []
    for item in cells:
        if item.smallest is None:
            continue
        below = item.n_below.get(str(context.policy.k))
        values: dict[str, Value] = {"observed": Count(n=item.smallest, unit="record")}
        if below is not None:
            k = Threshold(value=context.policy.k)
            values["other"] = fact(
                "rulebook.small_cells", cells=Count(n=below, of=item.n_cells, unit="cell"), k=k
            )
        observed.append(Observation(subject=(item.column,), observed=item.smallest, values=values))
    return Measurement(observations=tuple(observed))


@measure("cell.dominance")
def dominance(context: Context, check: Check) -> Measurement:
    """Largest share of a cell's total that one contributor has."""
    found = [item for item in context.evidence.cells if item.dominant is not None]
    if not found:
        return not_measured("rulebook.no_contributions")
    first = found[0]
    share = first.dominant
    assert share is not None
    values = {"observed": Share(value=share, of=None)}
    return Measurement(observations=(Observation(subject=(first.column,), observed=share, values=values),))


@measure("cell.derivable")
def derivable(context: Context, check: Check) -> Measurement:
    """Suppressed counts that the other cells and the totals determine, for each column of counts."""
    cells = context.evidence.cells
    if not cells:
        return not_measured(_NO_CELLS, incomplete=context.unit_kind == "aggregate")
    open_ = [item for item in cells if item.n_derivable is None]
    observed = tuple(
        Observation(
            subject=(item.column,),
            observed=item.n_derivable,
            values={"observed": Count(n=item.n_derivable, of=item.n_hidden, unit="cell")},
        )
        for item in cells
        if item.n_derivable is not None
    )
    gaps = tuple(fact("rulebook.cells_not_derived", columns=Columns(names=(item.column,))) for item in open_)
    return Measurement(observations=observed, gaps=gaps, run=bool(observed))


@measure("cell.disclosing_zeros")
def disclosing_zeros(context: Context, check: Check) -> Measurement:
    """Groups of cells in which all but one are 0."""
    found = [item for item in context.evidence.cells if item.n_disclosing is not None]
    if not found:
        return not_measured(_NO_CELLS)
    return Measurement(
        observations=tuple(
            Observation(
                subject=(item.column,),
                observed=item.n_disclosing,
                values={"observed": Count(n=item.n_disclosing or 0, unit="group")},
            )
            for item in found
        ),
        gaps=tuple(fact(_NO_CELLS) for item in context.evidence.cells if item.n_disclosing is None),
    )
