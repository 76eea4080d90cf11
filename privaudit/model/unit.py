"""What a row of the table is, and what was counted of the cells of an aggregate."""

from __future__ import annotations

from collections.abc import Mapping
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


@dataclass(frozen=True, slots=True, kw_only=True)
class CellCounts(Wire):
    """The cells of an aggregate by one column of counts.

    Attributes
    ----------
    column : str
    n_cells, n_zero : int
        Cells with a count, and those whose count is 0.
    smallest : int or None
        Smallest count above 0; None where every count is 0.
    n_below : mapping of threshold to int
        Cells with a count from 1 to below the threshold.
    n_disclosing : int or None
        Groups of cells, equal in all keys but one, in which a single cell has a count above 0 and at least one other is
        listed with 0: everyone in the group has the same value of that key. None where it was not counted.
    dominant : float or None
        Largest share of a cell's total that one contributor has; None where the table has no contributions.
    n_hidden : int or None
        Cells whose count is suppressed; None in reports of earlier versions.
    n_derivable : int or None
        Suppressed counts that have one value only, given all other cells and totals; None where that was not computed.
    """

    column: str
    n_cells: int
    n_zero: int
    smallest: int | None
    n_below: Mapping[str, int]
    n_disclosing: int | None = None
    dominant: float | None = None
    n_hidden: int | None = None
    n_derivable: int | None = None
