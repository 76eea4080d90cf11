"""How diverse each sensitive attribute is within the classes, with the limits of what its numbers state.

Question: which attributes can be inferred from a class, and which of their distances have no meaning?
Method: the diversity of each (`privaudit.risk.measures.people_diversity`), by the order of its values where they have
one.
Limits: nothing is computed here.
"""

from __future__ import annotations

from collections.abc import Mapping

from privaudit.model import Diversity, Limit, limit
from privaudit.model.wording import Columns, fact
from privaudit.risk.codes.scope import Scope
from privaudit.source.profile.value_order import ValueOrder


def diversity_by_column(scope: Scope) -> tuple[dict[str, Diversity], list[Limit]]:
    """Return the diversity of every sensitive attribute within the classes over all quasi-identifiers, with limits."""
    from privaudit.risk.measures.people_diversity import diversity_of
    from privaudit.source.profile.value_order import order_values

    table = scope.everything
    measured: dict[str, tuple[Diversity, ValueOrder]] = {}
    for column in scope.sensitive:
        order = order_values(
            table.dictionaries[table.index(column.name)],
            column.data_type,
            is_canonical=scope.dataset.declared.get(column.name) in ("integer", "decimal"),
        )
        found = diversity_of(table, scope.coded.names, column.name, order=order.ranks)
        measured[column.name] = found, order
    return with_limits(measured)


def with_limits(measured: Mapping[str, tuple[Diversity, ValueOrder]]) -> tuple[dict[str, Diversity], list[Limit]]:
    """Return the diversity of each sensitive attribute, and the limits of all of them."""
    limits = [one for name, (found, order) in measured.items() for one in _diversity_limits(name, found, order)]
    unbounded = tuple(name for name, (found, _) in measured.items() if found.delta_disclosure_unbounded)
    if unbounded:
        limits.append(limit("risk.delta_disclosure_unbounded", columns=Columns(unbounded)))
    return {name: found for name, (found, _) in measured.items()}, limits


def _diversity_limits(column: str, found: Diversity, order: ValueOrder) -> list[Limit]:
    """Return the limits of the ordered distance and of recursive diversity of one sensitive attribute."""
    name = Columns((column,))
    limits = []
    if order.reason is not None:
        reason = fact(f"risk.unordered_{order.reason}")
        limits.append(limit("risk.t_closeness_unordered", column=name, reason=reason))
    if found.l_distinct == 1:
        limits.append(limit("risk.recursive_diversity_void", column=name))
    return limits
