"""What the other columns of a table add to the ledger of a column."""

from __future__ import annotations

from typing import TYPE_CHECKING

from privaudit.detect.ledger import NAME, VALUES, claim_for

if TYPE_CHECKING:
    from collections.abc import Collection

    from privaudit.detect.column_evidence import ColumnEvidence
    from privaudit.model import Clue
    from privaudit.wording import Fact


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
    """Claim that the values are of `entity`; all cells match unless `n_cells` is given, `earlier` clues come first."""
    claim = claim_for(
        item.column,
        entity,
        strength,
        kind,
        because,
        detail=detail,
        n_cells=n_cells,
        earlier=earlier,
        generic=generic,
    )
    item.post([claim])


def withdraw(
    item: ColumnEvidence, entities: Collection[str], because: Fact, *, also_named: bool = False
) -> None:
    """Answer the claims on `entities`, and with `also_named` what the column name suggests as well."""
    item.post(item.ledger.answer(entities, because, (VALUES, NAME) if also_named else (VALUES,)))


def is_generic(item: ColumnEvidence, entity: str) -> bool:
    """Whether a column without a meaningful name resembles `entity` by its shape alone."""
    read = [claim for claim in item.ledger.standing() if claim.entity == entity]
    return item.column.header.is_opaque and all(c.generic and c.detail != "band" for c in read)
