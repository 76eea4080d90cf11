"""What the other columns of a table add to the ledger of a column.

A relation is a function of the table that yields claims, each with the column it is about. It reads the ledgers and
changes none; `privaudit.detect.witnesses` posts every claim before the relation goes on.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from privaudit.base.patterns import Expression
from privaudit.detect.column_evidence import ColumnEvidence
from privaudit.detect.ledger import NAME, VALUES, Entry, claim_for
from privaudit.model import vocabulary
from privaudit.model.wording import Fact

_YEAR = Expression(r"(?:19|20)\d\d")
_SERIES = 2  # one may be a code

Table = Sequence[ColumnEvidence]
Posting = tuple[ColumnEvidence, Entry]


def suggest(
    item: ColumnEvidence, entity: str, strength: float, because: Fact, *, kind: str = "shape", **more: Any
) -> Posting:
    """Claim that the values are of `entity`; `more` are parameters of `claim_for`."""
    return item, claim_for(item.column, entity, strength, kind, because, **more)


def name(item: ColumnEvidence, entity: str, strength: float, because: Fact) -> Posting:
    """Claim that the column name, read next to the other columns, suggests `entity`."""
    return item, claim_for(item.column, entity, strength, "header", because, source=NAME)


def withdraw(item: ColumnEvidence, entity: str, because: Fact, *, also_named: bool = False) -> Iterator[Posting]:
    """Answer the claims on `entity`, and with `also_named` what the column name suggests as well."""
    for claim in item.ledger.answer(entity, because, (VALUES, NAME) if also_named else (VALUES,)):
        yield item, claim


def has(table: Table, entities: Collection[str]) -> bool:
    """Whether any column of `table` is one of `entities`."""
    return any(item.entity in entities for item in table)


def named_by_year(table: Table) -> frozenset[str]:
    """Return the columns of a series of years, each of which is the name of one: "2010", "2011"."""
    years = frozenset(item.column.name for item in table if _YEAR.fullmatch(item.column.name.strip()))
    return years if len(years) >= _SERIES else frozenset()


def is_near(table: Table, position: int, entities: Collection[str], *, within: int = 2) -> bool:
    """Whether one of the columns before or after, `within` so many, is one of `entities`."""
    around = (*table[max(0, position - within) : position], *table[position + 1 : position + 1 + within])
    return has(around, entities)


def next_to(table: Table, entity: str) -> list[ColumnEvidence]:
    """Return the columns directly before and after those of `entity`."""
    return [item for place, item in enumerate(table) if is_near(table, place, {entity}, within=1)]


def describes_people(table: Table) -> bool:
    """Whether the table describes people: by one clear attribute, by two weaker ones, or by varied person names."""
    clear, weak = vocabulary.with_trait("shows_people"), vocabulary.with_trait("suggests_people")
    if has(table, clear) or len({item.entity for item in table} & weak) >= 2:
        return True
    names = vocabulary.with_trait("person_name")
    return any(item.entity in names and item.column.is_varied for item in table)


def rows_are_people(table: Table) -> bool:
    """Whether the table describes people, and no identifier repeats, as it does where rows are events of people."""
    direct = [item for item in table if item.entity and vocabulary.entity_type(item.entity).role == "direct"]
    return describes_people(table) and all(item.column.is_varied for item in direct)
