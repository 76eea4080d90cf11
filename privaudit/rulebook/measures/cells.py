"""Measures of the cells of an aggregate: small counts, dominance, zeros that disclose.

Question: does a table of counts reveal single people or contributors?
Method: what the scan counted of the cells, for each column of counts.
Limits: one table; differences between tables are not examined, and what follows from totals was computed by the scan.
"""

from __future__ import annotations

from privaudit.model import CellCounts
from privaudit.model.wording import Columns, Count, Share, Threshold, Value, fact
from privaudit.rulebook.measurement import Context, Measurement, Observation, measure, not_measured
from privaudit.rulebook.packs import Check

_NO_CELLS = "rulebook.no_cells"


@measure("cell.smallest")
def smallest_count(context: Context, check: Check) -> Measurement:
    """Smallest count above 0 of each column of counts."""
    if not context.evidence.cells:
        return not_measured(_NO_CELLS, incomplete=context.unit_kind == "aggregate")
    return Measurement.of(_smallest(item, context.policy.k) for item in context.evidence.cells if item.smallest)


def _smallest(item: CellCounts, k: int) -> Observation:
    values: dict[str, Value] = {"observed": Count(item.smallest or 0, unit="record")}
    below = item.n_below.get(str(k))
    if below is not None:
        cells = Count(below, of=item.n_cells, unit="cell")
        values["other"] = fact("rulebook.small_cells", cells=cells, k=Threshold(k))
    return Observation(subject=(item.column,), observed=item.smallest, values=values)


@measure("cell.dominance")
def dominance(context: Context, check: Check) -> Measurement:
    """Largest share of a cell's total that one contributor has."""
    item = next((item for item in context.evidence.cells if item.dominant is not None), None)
    if item is None or item.dominant is None:
        return not_measured("rulebook.no_contributions")
    values = {"observed": Share(item.dominant, of=None)}
    return Measurement.of([Observation(subject=(item.column,), observed=item.dominant, values=values)])


@measure("cell.derivable")
def derivable(context: Context, check: Check) -> Measurement:
    """Suppressed counts that the other cells and the totals determine, for each column of counts."""
    cells = context.evidence.cells
    if not cells:
        return not_measured(_NO_CELLS, incomplete=context.unit_kind == "aggregate")
    return Measurement.of(
        fact("rulebook.cells_not_derived", columns=Columns((item.column,)))
        if item.n_derivable is None
        else _counted(item.column, Count(item.n_derivable, of=item.n_hidden, unit="cell"))
        for item in cells
    )


def _counted(column: str, count: Count) -> Observation:
    return Observation(subject=(column,), observed=count.n, values={"observed": count})


@measure("cell.disclosing_zeros")
def disclosing_zeros(context: Context, check: Check) -> Measurement:
    """Groups of cells in which all but one are 0."""
    cells = context.evidence.cells
    if all(item.n_disclosing is None for item in cells):
        return not_measured(_NO_CELLS)
    return Measurement.of(
        fact(_NO_CELLS) if item.n_disclosing is None else _counted(item.column, Count(item.n_disclosing, unit="group"))
        for item in cells
    )
