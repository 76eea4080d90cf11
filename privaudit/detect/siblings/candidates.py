"""Add and remove candidates of a column because of what the other columns show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from privaudit.detect.evidence import Candidate
from privaudit.model import Clue

if TYPE_CHECKING:
    from collections.abc import Collection

    from privaudit.detect.column_evidence import ColumnEvidence
    from privaudit.wording import Fact

GUESS = 0.53
"""Strength of an entity type that the other columns suggest and the values do not contradict."""


def suggest(
    item: ColumnEvidence,
    entity: str,
    strength: float,
    because: Fact,
    *,
    kind: str = "shape",
    detail: str | None = None,
    n_cells: int | None = None,
    earlier: tuple[Clue, ...] = (),
    generic: bool = True,
) -> None:
    """Add a candidate for `entity`; all cells match unless `n_cells` is given, `earlier` clues come first."""
    item.evidence.add(
        Candidate(
            entity=entity,
            detail=detail,
            n_cells=item.column.n_present if n_cells is None else n_cells,
            strength=strength,
            clues=(*earlier, Clue(kind=kind, because=because)),
            generic=generic,
        )
    )


def withdraw(
    item: ColumnEvidence, entities: Collection[str], because: Fact, *, also_named: bool = False
) -> None:
    """Remove the candidates of `entities` and keep the reason; with `also_named`, what the column name suggests too."""
    found = {candidate.entity for candidate in item.evidence.candidates}
    if also_named:
        found |= item.named.keys()
    removed = sorted(found.intersection(entities))
    if not removed:
        return
    item.evidence.candidates[:] = [c for c in item.evidence.candidates if c.entity not in entities]
    if also_named:
        for entity in removed:
            item.named.pop(entity, None)
    item.evidence.reject(removed[0], because)


def is_generic(item: ColumnEvidence, entity: str) -> bool:
    """Whether a column without a meaningful name resembles `entity` by its shape alone."""
    read = [c for c in item.evidence.candidates if c.entity == entity]
    return item.column.header.is_opaque and all(c.generic and c.detail != "band" for c in read)
