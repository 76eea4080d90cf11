"""Measures of sensitive attributes: what group membership reveals, special categories, minors.

Question: what does an attacker learn about a person without identifying the record?
Method: l-diversity and t-closeness of each sensitive attribute, columns of special categories, rows of people under 18.
Limits: free text has no distribution to compare and is a gap, not a pass.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from privaudit.model import ColumnReport, PolicyInfo, Severity
from privaudit.model.diversity import Diversity, RecursiveL
from privaudit.model.wording import Columns, Count, Fact, Number, Term, Value, fact
from privaudit.rulebook.comparison import UNBOUNDED
from privaudit.rulebook.measurement import (
    Context,
    Measurement,
    Observation,
    entity_of,
    filled_cells,
    measure,
    not_measured,
    unassessed,
    whole_column,
)
from privaudit.rulebook.measures.classes import NO_CLASSES
from privaudit.rulebook.packs import Check

MOST_VALUES = 2**62
"""The cap of l where the distinct values of an attribute were not counted."""
ROUNDING = 1e-9
NUMERIC_TYPES = frozenset({"integer", "decimal"})

Build = Callable[[str, Diversity], Observation | None]


@measure("diversity.l_distinct")
def l_distinct(context: Context, check: Check) -> Measurement:
    """Smallest number of distinct sensitive values in a class, for each sensitive attribute.

    An attribute with two values in the whole table has at most two in a class: its limit is capped there.
    """
    n_values = {c.name: c.n_distinct + bool(c.n_missing) for c in context.columns}

    def build(column: str, diversity: Diversity) -> Observation | None:
        least = diversity.l_distinct
        if least is None:
            return None
        return Observation(
            subject=(column,),
            observed=least,
            n_people=diversity.homogeneous_records,
            n_total=context.n_units,
            unit=context.unit,
            at_most=diversity.n_values or n_values.get(column),
            values={"observed": Count(n=least, unit="value")},
        )

    return _over_sensitive(context, build)


@measure("diversity.l_entropy")
def l_entropy(context: Context, check: Check) -> Measurement:
    """Smallest exp of the entropy of a class, for each sensitive attribute; at most its distinct values."""

    def build(column: str, diversity: Diversity) -> Observation | None:
        least = diversity.l_entropy
        if least is None:
            return None
        values: dict[str, Value] = {"observed": Number(value=least)}
        return Observation(subject=(column,), observed=least, at_most=diversity.n_values, values=values)

    return _over_sensitive(context, build)


@measure("diversity.l_recursive")
def l_recursive(context: Context, check: Check) -> Measurement:
    """Largest ratio r_1 / (r_l + ... + r_m) of a class, l as the policy states it; unbounded with fewer than l values.

    l is capped at the distinct values of the attribute in the table.
    """
    wanted = context.policy.l_recursive

    def build(column: str, diversity: Diversity) -> Observation | None:
        found = diversity.l_recursive
        if found is None or wanted is None:
            return None
        observed = recursive_c(found, min(wanted, diversity.n_values or wanted))
        shown = Term(code=UNBOUNDED) if isinstance(observed, str) else Number(value=observed)
        values: dict[str, Value] = {"observed": shown}
        return Observation(subject=(column,), observed=observed, values=values)

    return _over_sensitive(context, build)


def recursive_c(found: RecursiveL, least: int) -> float | str:
    """Return the c above which recursive (c, l)-diversity holds, l being `least`; unbounded where no c suffices."""
    if least <= 1:
        return 0.0
    if least > found.l:
        return UNBOUNDED
    if least == found.l and found.c is not None:
        return found.c
    return found.by_l[least - 2] if least - 2 < len(found.by_l) else UNBOUNDED


@measure("closeness.t")
def closeness(context: Context, check: Check) -> Measurement:
    """Largest distance between a class and the table: ordered distance where measured, else equal distance."""

    def build(column: str, diversity: Diversity) -> Observation | None:
        largest = diversity.t_closeness.applicable if diversity.t_closeness else None
        if largest is None:
            return None
        return Observation(subject=(column,), observed=largest, values={"observed": Number(value=largest)})

    return _over_sensitive(context, build)


@measure("disclosure.delta")
def delta_disclosure(context: Context, check: Check) -> Measurement:
    """Largest change |ln(q / p)| of a value's probability; unbounded, beyond every limit, where a class lacks one."""

    def build(column: str, diversity: Diversity) -> Observation | None:
        if diversity.delta_disclosure_unbounded:
            values: dict[str, Value] = {"observed": Term(code=UNBOUNDED)}
            return Observation(subject=(column,), observed=UNBOUNDED, values=values)
        largest = diversity.delta_disclosure
        if largest is None:
            return None
        return Observation(subject=(column,), observed=largest, values={"observed": Number(value=largest)})

    return _over_sensitive(context, build)


def _over_sensitive(context: Context, build: Build) -> Measurement:
    risk = context.evidence.risk
    if risk is None:
        return not_measured(NO_CLASSES)
    if not risk.sensitive:
        return not_measured("rulebook.no_sensitive_attribute")
    observed: list[Observation] = []
    gaps: list[Fact] = []
    # Free text is judged as such: distinct cells protect nobody.
    free_text = {c.name for c in context.columns if entity_of(c) == "FREE_TEXT"}
    for column in risk.sensitive:
        name = Columns(names=(column,))
        if column in free_text:
            gaps.append(fact("rulebook.free_text_has_no_distribution", column=name))
            continue
        built = build(column, risk.diversity[column]) if column in risk.diversity else None
        if built is None:
            gaps.append(fact("rulebook.diversity_not_measured", column=name))
        else:
            observed.append(built)
    return Measurement(observations=tuple(observed), gaps=tuple(gaps), run=bool(observed))


@measure("column.special_category")
def special_category(context: Context, check: Check) -> Measurement:
    """Cells of columns of a special category of personal data, by the list of the check and of the frameworks.

    The severity is medium at most, a question to answer, where k, l-diversity and t-closeness are measured and within
    the policy; otherwise the values can be disclosed about a person, and it is that of the entity type.
    """
    listed = frozenset(check.entities) | context.sensitive
    observed = tuple(
        replace(whole_column(column), severity=_severity(column, check, _is_protected(column.name, context)))
        for column in context.columns
        if entity_of(column) in listed and filled_cells(column)
    )
    return Measurement(observations=observed, gaps=unassessed(context))


def _is_protected(column: str, context: Context) -> bool:
    """Whether k, and l-diversity and t-closeness of `column`, are measured and within the policy."""
    risk, policy, n = context.evidence.risk, context.policy, context.n_units
    if risk is None or not n:
        return False
    if column in risk.quasi_identifiers:
        return risk.k_min >= policy.k
    below = risk.n_below_k(policy.k)
    if below is None or below / n > policy.share_below_k:
        return False
    found = risk.diversity.get(column)
    if found is None:
        return (policy.l, policy.t, policy.l_entropy, policy.c_recursive) == (None, None, None, None)
    required = None if policy.l is None else min(policy.l, found.n_values or policy.l)
    if required is not None and (found.l_distinct is None or found.l_distinct < required):
        return False
    distance = found.t_closeness.applicable if found.t_closeness else None
    is_close = policy.t is None or (distance is not None and distance <= policy.t)
    return is_close and _is_even(found, policy)


def _is_even(found: Diversity, policy: PolicyInfo) -> bool:
    """Whether the entropy and the recursive diversity of an attribute are measured and within the policy."""
    n_values = found.n_values or MOST_VALUES
    if policy.l_entropy is not None:
        required = min(policy.l_entropy, n_values)
        if found.l_entropy is None or found.l_entropy < required - ROUNDING:
            return False
    if policy.c_recursive is None or policy.l_recursive is None:
        return True
    if found.l_recursive is None:
        return False
    observed = recursive_c(found.l_recursive, min(policy.l_recursive, n_values))
    return not isinstance(observed, str) and observed < policy.c_recursive


def _severity(column: ColumnReport, check: Check, protected: bool) -> Severity:
    # A body weight does not identify a person as a template does; what only some laws list is for their controls.
    if protected or (entity_of(column) == "BIOMETRIC" and column.data_type in NUMERIC_TYPES):
        return "medium"
    return check.entities.get(entity_of(column) or "", "medium")
