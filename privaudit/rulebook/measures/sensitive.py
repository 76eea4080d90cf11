"""Measures of sensitive attributes: what group membership reveals, special categories, minors.

Question: what does an attacker learn about a person without identifying the record?
Method: l-diversity and t-closeness of each sensitive attribute, columns of special categories, rows of people under 18.
Limits: free text has no distribution to compare and is a gap, not a pass.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import wraps

from privaudit.model import ColumnReport, PolicyInfo, Risk, Severity
from privaudit.model.risk import Diversity, RecursiveL
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

Built = Callable[[Context, str, Diversity], Observation | None]


def _of_each_attribute(identifier: str) -> Callable[[Built], Built]:
    """Register what is measured of one sensitive attribute as a measure over all of them."""

    def register(build: Built) -> Built:
        measure(identifier)(wraps(build)(lambda context, check: _over_sensitive(context, build)))
        return build

    return register


def _number(column: str, observed: float | None, at_most: int | None = None) -> Observation | None:
    if observed is None:
        return None
    values: dict[str, Value] = {"observed": Number(observed)}
    return Observation(subject=(column,), observed=observed, at_most=at_most, values=values)


def _unbounded(column: str) -> Observation:
    return Observation(subject=(column,), observed=UNBOUNDED, values={"observed": Term(UNBOUNDED)})


@_of_each_attribute("diversity.l_distinct")
def l_distinct(context: Context, column: str, diversity: Diversity) -> Observation | None:
    """Smallest number of distinct sensitive values in a class, for each sensitive attribute.

    An attribute with two values in the whole table has at most two in a class: its limit is capped there.
    """
    least = diversity.l_distinct
    if least is None:
        return None
    in_table = next((c.n_distinct + bool(c.n_missing) for c in context.columns if c.name == column), None)
    return Observation(
        subject=(column,),
        observed=least,
        n_people=diversity.homogeneous_records,
        n_total=context.n_units,
        unit=context.unit,
        at_most=diversity.n_values or in_table,
        values={"observed": Count(least, unit="value")},
    )


@_of_each_attribute("diversity.l_entropy")
def l_entropy(context: Context, column: str, diversity: Diversity) -> Observation | None:
    """Smallest exp of the entropy of a class, for each sensitive attribute; at most its distinct values."""
    return _number(column, diversity.l_entropy, diversity.n_values)


@_of_each_attribute("diversity.l_recursive")
def l_recursive(context: Context, column: str, diversity: Diversity) -> Observation | None:
    """Largest ratio r_1 / (r_l + ... + r_m) of a class, l as the policy states it; unbounded with fewer than l values.

    l is capped at the distinct values of the attribute in the table.
    """
    found, wanted = diversity.l_recursive, context.policy.l_recursive
    if found is None or wanted is None:
        return None
    observed = recursive_c(found, min(wanted, diversity.n_values or wanted))
    return _unbounded(column) if isinstance(observed, str) else _number(column, observed)


def recursive_c(found: RecursiveL, least: int) -> float | str:
    """Return the c above which recursive (c, l)-diversity holds, l being `least`; unbounded where no c suffices."""
    if least <= 1:
        return 0.0
    if least > found.l:
        return UNBOUNDED
    if least == found.l and found.c is not None:
        return found.c
    return found.by_l[least - 2] if least - 2 < len(found.by_l) else UNBOUNDED


@_of_each_attribute("closeness.t")
def closeness(context: Context, column: str, diversity: Diversity) -> Observation | None:
    """Largest distance between a class and the table: ordered distance where measured, else equal distance."""
    return _number(column, diversity.t_closeness.applicable if diversity.t_closeness else None)


@_of_each_attribute("disclosure.delta")
def delta_disclosure(context: Context, column: str, diversity: Diversity) -> Observation | None:
    """Largest change |ln(q / p)| of a value's probability; unbounded, beyond every limit, where a class lacks one."""
    return _unbounded(column) if diversity.delta_disclosure_unbounded else _number(column, diversity.delta_disclosure)


def _over_sensitive(context: Context, build: Built) -> Measurement:
    risk = context.evidence.risk
    if risk is None:
        return not_measured(NO_CLASSES)
    if not risk.sensitive:
        return not_measured("rulebook.no_sensitive_attribute")
    return Measurement.of(_of_attribute(column, risk, context, build) for column in risk.sensitive)


def _of_attribute(column: str, risk: Risk, context: Context, build: Built) -> Observation | Fact:
    name = Columns((column,))
    # Free text is judged as such: distinct cells protect nobody.
    if any(c.name == column and entity_of(c) == "FREE_TEXT" for c in context.columns):
        return fact("rulebook.free_text_has_no_distribution", column=name)
    built = build(context, column, risk.diversity[column]) if column in risk.diversity else None
    return built or fact("rulebook.diversity_not_measured", column=name)


@measure("column.special_category")
def special_category(context: Context, check: Check) -> Iterator[Observation | Fact]:
    """Cells of columns of a special category of personal data, by the list of the check and of the frameworks.

    The severity is medium at most, a question to answer, where k, l-diversity and t-closeness are measured and within
    the policy; otherwise the values can be disclosed about a person, and it is that of the entity type.
    """
    listed = frozenset(check.entities) | context.sensitive
    for column in context.columns:
        if entity_of(column) in listed and filled_cells(column):
            is_protected = _is_protected(column.name, context)
            yield replace(whole_column(column), severity=_severity(column, check, is_protected))
    yield from unassessed(context)


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
