"""Measures of equivalence classes and of re-identification risk.

Question: how many records share their quasi-identifiers with how many others?
Method: k is an integer and is compared as one; a probability such as 1/11 > 0.09 would require 12 where 11 is
meant. Records below a threshold come from what was counted: in people where a data subject column was named, and by
matches where missing cells match anything.
Limits: where no counted threshold answers, the number is a gap, never 0.
"""

from __future__ import annotations

from dataclasses import replace

from privaudit.model import ColumnReport, Combination, Risk, vocabulary
from privaudit.model.minimal import has_part
from privaudit.model.vocabulary.table import DOUBTFUL
from privaudit.model.wording import Columns, Count, Fact, Name, Number, Share, Term, Threshold, Value, fact
from privaudit.rulebook.measurement import Context, Measurement, Observation, measure, not_measured
from privaudit.rulebook.packs import Check

NO_CLASSES = "rulebook.no_classes"
NO_POTENTIAL = "rulebook.no_potential_classes"
_ESTIMATE_CONFIDENCE = 0.6


def _of_classes(
    context: Context, risk: Risk, observed: float | int, n_people: int | None, /, **values: Value
) -> Observation:
    return Observation(
        subject=risk.quasi_identifiers,
        observed=observed,
        n_people=n_people,
        n_total=context.n_units,
        unit=context.unit,
        values=values,
    )


@measure("class.k_min")
def k_min(context: Context, check: Check) -> Measurement:
    """Size of the smallest class over all quasi-identifiers.

    The severity is low where the share of records below k is within the share that the policy allows.
    """
    policy, n, risk = context.policy, context.n_units, context.evidence.risk
    if risk is None:
        return _class_of_constants(context)
    below = risk.n_below_k(policy.k)
    values = {"observed": Count(risk.k_min, unit=context.unit), **_without_doubtful(context, risk)}
    observed = _of_classes(context, risk, risk.k_min, below, **values)
    if below is not None and not (n and below / n > policy.share_below_k):
        allowed = fact(
            "rulebook.policy_allows",
            share=Threshold(policy.share_below_k),
            k=Threshold(policy.k),
            units=Term(f"{context.unit}.plural"),
        )
        observed = replace(observed, severity="low", values={**values, "other": allowed})
    return Measurement.of([observed])


def _class_of_constants(context: Context) -> Measurement:
    """Return the size of the table where constant columns are its only quasi-identifiers: all rows are one class.

    Next to other quasi-identifiers a constant column changes no class and has no role. Alone, it must not hide that the
    class is smaller than k: a table of ten people of two ages is not within the policy, and neither is one of one age.
    """
    is_declared = "risk.no_quasi_declared" in {item.code for item in context.evidence.limits}
    names = tuple(column.name for column in context.columns if _is_constant_quasi(column))
    n = context.n_units
    if not names or is_declared or not n:
        return not_measured(NO_CLASSES)
    observed = Observation(
        subject=names,
        observed=n,
        n_people=n if n < context.policy.k else 0,
        n_total=n,
        unit=context.unit,
        values={"observed": Count(n, unit=context.unit)},
    )
    return Measurement.of([observed])


def _is_constant_quasi(column: ColumnReport) -> bool:
    is_constant = any(reason.code == "roles.constant" for reason in column.role_because)
    return is_constant and column.is_ is not None and vocabulary.entity_type(column.is_.entity).role == "quasi"


@measure("class.potential_k_min")
def potential_k_min(context: Context, check: Check) -> Measurement:
    """Size of the smallest class over all columns of few values, where rows or column names have no known meaning."""
    found = context.evidence.potential
    open_ = {item.code for item in context.evidence.limits}
    # Elsewhere the quasi-identifiers are known, and columns beyond them are not what an attacker is taken to know.
    is_unknown = context.unit_kind == "unknown" and "risk.no_quasi_identifiers" in open_
    if found is None or not (is_unknown or "pipeline.names" in open_):
        return not_measured(NO_POTENTIAL)
    observed = Observation(
        subject=found.columns,
        observed=found.k_min,
        n_people=found.n_below.get(str(context.policy.k)),
        n_total=found.n_records,
        unit="record",
        confidence=_ESTIMATE_CONFIDENCE,
        values={"observed": Count(found.k_min, unit="record")},
    )
    return Measurement.of([observed])


def _without_doubtful(context: Context, risk: Risk) -> dict[str, Value]:
    """Return k without the quasi-identifier that matters most among those an attacker may not know."""
    k = str(context.policy.k)
    doubtful = {c.name for c in context.columns if any(reason.code in DOUBTFUL for reason in c.role_because)}
    known = [
        (found.k_min_without, found.n_below_added.get(k, 0), name)
        for name, found in (risk.marginal or {}).items()
        if name in doubtful and found.k_min_without is not None
    ]
    if not known:
        return {}
    # The column whose absence raises k most; of several, the one that singles out most records.
    least, _, name = max(known)
    columns, size = Columns((name,)), Count(least, unit=context.unit)
    if risk.quasi_identifiers == (name,):  # without it, the only class is the table
        return {"doubt": fact("rulebook.k_of_doubtful_column", columns=columns)}
    return {"doubt": fact("rulebook.k_without_column", columns=columns, k=size)}


@measure("class.share_below")
def share_of_records_below(context: Context, check: Check) -> Measurement:
    """Share of records (or people) that match fewer than the policy's k."""
    n, risk = context.n_units, context.evidence.risk
    if risk is None or not n:
        return not_measured(NO_CLASSES)
    below = risk.n_below_k(context.policy.k)
    if below is None:
        gap = _below_not_counted(risk.quasi_identifiers, context.policy.k)
        return Measurement(gaps=(gap,), run=False, incomplete=True)
    return Measurement.of([_of_classes(context, risk, below / n, below, observed=Share(below / n, of=n))])


@measure("class.n_sample_unique")
def n_sample_unique(context: Context, check: Check) -> Measurement:
    """Number of sample uniques: records, or people, that match nobody else."""
    risk = context.evidence.risk
    if risk is None:
        return not_measured(NO_CLASSES)
    shown = Count(risk.n_unique, of=context.n_units)
    return Measurement.of([_of_classes(context, risk, risk.n_unique, risk.n_unique, observed=shown)])


@measure("class.special_unique_order")
def special_unique_order(context: Context, check: Check) -> Measurement:
    """Number of columns in each smallest set on which some record is unique.

    The severity is low where the policy allows that many uniques.
    """
    if not context.evidence.combinations:
        return not_measured(NO_CLASSES)
    isolating = [c for c in context.evidence.combinations if c.n_unique]
    # Smaller sets first: a set is minimal if no smaller one that was kept is in it.
    isolating.sort(key=lambda c: (len(c.columns), c.columns))
    minimal: list[Combination] = []
    kept: set[frozenset[str]] = set()
    for candidate in isolating:
        columns = frozenset(candidate.columns)
        if not has_part(columns, kept):
            minimal.append(candidate)
            kept.add(columns)
    allowed = context.policy.uniques
    return Measurement.of(
        Observation(
            subject=c.columns,
            observed=len(c.columns),
            n_people=c.n_unique,
            n_total=context.n_units,
            unit=context.unit,
            severity="low" if allowed is None or c.n_unique <= allowed else None,
            values={"observed": Number(len(c.columns))},
        )
        for c in minimal
    )


@measure("column.rare_values")
def rare_values(context: Context, check: Check) -> Measurement:
    """Number of records whose value of one quasi-identifier alone occurs in fewer than k records."""
    single = [c for c in context.evidence.combinations if len(c.columns) == 1]
    if not single:
        return not_measured(NO_CLASSES)
    observed: list[Observation] = []
    gaps: list[Fact] = []
    for combination in single:
        below = combination.n_below_k(context.policy.k)
        if below is None:
            gaps.append(_below_not_counted(combination.columns, context.policy.k))
        elif below:
            observed.append(_rare(combination, below, context))
    return Measurement(observations=tuple(observed), gaps=tuple(gaps), incomplete=bool(gaps))


def _below_not_counted(columns: tuple[str, ...], k: int) -> Fact:
    return fact("rulebook.below_k_not_counted", k=Threshold(k), column=Columns(columns))


def _rare(combination: Combination, below: int, context: Context) -> Observation:
    n = context.n_units
    return Observation(
        subject=combination.columns,
        observed=below,
        n_people=below,
        n_total=n,
        unit=context.unit,
        values={"observed": Count(below, of=n)},
    )


@measure("risk.population_unique")
def population_unique(context: Context, check: Check) -> Measurement:
    """Number of population uniques: counted in a population table, else estimated."""
    risk = context.evidence.risk
    population = risk.population if risk else None
    if risk is None or population is None:
        return not_measured("rulebook.no_population")
    counted, estimate = population.unique_in_both, population.dankar
    values: dict[str, Value]
    if counted is not None:
        shown = Count(counted, of=context.n_units, unit="person")
        values = {"observed": shown, "other": fact("rulebook.population_counted")}
        found = _of_classes(context, risk, counted, counted, **values)
    elif estimate is not None:
        how = fact("rulebook.population_estimated", model=Name(population.dankar_model or "Dankar"))
        values = {"observed": Count(round(estimate), unit="person"), "other": how}
        found = replace(
            _of_classes(context, risk, float(estimate), round(estimate), **values),
            n_total=population.size,
            confidence=_ESTIMATE_CONFIDENCE,
        )
    else:
        return not_measured("rulebook.no_population_model")
    return Measurement.of([replace(found, unit="person")])


@measure("risk.prosecutor_max")
def prosecutor_max(context: Context, check: Check) -> Measurement:
    """The largest prosecutor risk, 1 in k, stated and compared as the integer k."""
    return k_min(context, check)


@measure("risk.journalist_max")
def journalist_max(context: Context, check: Check) -> Measurement:
    """The largest journalist risk, 1 in k of the population, stated and compared as the integer k."""
    risk = context.evidence.risk
    k_map = risk.population.k_map if risk and risk.population else None
    if risk is None or k_map is None:
        is_limited = risk is not None and context.policy.k_map is not None
        return not_measured("rulebook.no_population_table", incomplete=is_limited)
    values = {"observed": Count(k_map, unit="person")}
    return Measurement.of([Observation(subject=risk.quasi_identifiers, observed=k_map, values=values)])


@measure("risk.marketer")
def marketer(context: Context, check: Check) -> Measurement:
    """Expected share of records that are re-identified when all are matched."""
    n, risk = context.n_units, context.evidence.risk
    if risk is None:
        return not_measured(NO_CLASSES)
    expected, shown = min(n, round(risk.marketer * n)), Share(risk.marketer, of=n)
    return Measurement.of([_of_classes(context, risk, risk.marketer, expected, observed=shown)])
