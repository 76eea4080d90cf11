"""What the other columns of a table add to the ledger of a column.

A relation is a function of the table that yields claims, each with the column it is about. It reads the ledgers and
changes none; `privaudit.detection` posts every claim before the relation goes on.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from privaudit import vocabulary
from privaudit.detect.column_evidence import ColumnEvidence
from privaudit.detect.ledger import NAME, VALUES, Entry, claim_for, named
from privaudit.wording import Fact

Table = Sequence[ColumnEvidence]
Posting = tuple[ColumnEvidence, Entry]


def suggest(
    item: ColumnEvidence, entity: str, strength: float, because: Fact, *, kind: str = "shape", **more: Any
) -> Posting:
    """Claim that the values are of `entity`; `more` are parameters of `claim_for`."""
    return item, claim_for(item.column, entity, strength, kind, because, **more)


def name(item: ColumnEvidence, entity: str, strength: float, because: Fact) -> Posting:
    """Claim that the column name, read next to the other columns, suggests `entity`."""
    return item, named(item.column, entity, strength, because)


def withdraw(
    item: ColumnEvidence, entities: Collection[str], because: Fact, *, also_named: bool = False
) -> Iterator[Posting]:
    """Answer the claims on `entities`, and with `also_named` what the column name suggests as well."""
    for claim in item.ledger.answer(entities, because, (VALUES, NAME) if also_named else (VALUES,)):
        yield item, claim


def is_generic(item: ColumnEvidence, entity: str) -> bool:
    """Whether a column without a meaningful name resembles `entity` by its shape alone."""
    read = [claim for claim in item.ledger.standing() if claim.entity == entity]
    return item.column.header.is_opaque and all(claim.generic for claim in read)


def is_near(table: Table, position: int, entities: Collection[str], *, within: int = 2) -> bool:
    """Whether one of the columns before or after, `within` so many, is one of `entities`."""
    around = (*table[max(0, position - within) : position], *table[position + 1 : position + 1 + within])
    return any(item.entity in entities for item in around)


def describes_people(table: Table) -> bool:
    """Whether the table describes people: by one clear attribute, by two weaker ones, or by varied person names."""
    clear, weak = vocabulary.with_trait("shows_people"), vocabulary.with_trait("suggests_people")
    entities = {item.entity for item in table}
    person_names = vocabulary.with_trait("person_name")
    names = any(item.entity in person_names and item.column.uniqueness >= 0.5 for item in table)
    return len(entities & (clear | weak)) >= 2 or bool(entities & clear) or names
