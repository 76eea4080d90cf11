"""What a row of the table is."""

from __future__ import annotations

from typing import Literal

from privaudit.base.records import dataclass
from privaudit.base.wire import Wire
from privaudit.model.risk import CountedUnit
from privaudit.model.wording import Fact

UnitKind = Literal["person", "event", "household", "organisation", "object", "aggregate", "unknown"]
PEOPLE: frozenset[str] = frozenset({"person", "event", "household", "unknown"})
"""The kinds of rows that are judged as rows about people; an unknown kind is one of them, to be safe."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetUnit(Wire):
    """What a row of the table is.

    Attributes
    ----------
    kind : {"person", "event", "household", "organisation", "object", "aggregate", "unknown"}
        An event is one of several rows of a person; an aggregate is a cell of a table of counts.
    declared : bool
        Whether the user stated it.
    confidence : float
        1 where it was declared, 0 where it is unknown.
    statement : Fact
        The sentence that states what a row is.
    reasons : tuple of Fact
        The evidence.
    keys, counts : tuple of str
        Of an aggregate: the columns that identify a cell, and those that hold its count.
    subject : str or None
        Of an event: the column of the person key, by which people are counted; None where none was recognised.
    """

    kind: UnitKind
    declared: bool = False
    confidence: float
    statement: Fact
    reasons: tuple[Fact, ...] = ()
    keys: tuple[str, ...] = ()
    counts: tuple[str, ...] = ()
    subject: str | None = None

    @property
    def counted(self) -> CountedUnit:
        """What a row counts as: a person, or only a record where it is known to be something else."""
        return "person" if self.kind in ("person", "unknown") else "record"

    @property
    def is_about_people(self) -> bool:
        """Whether the rows are judged as rows about people."""
        return self.kind in PEOPLE
