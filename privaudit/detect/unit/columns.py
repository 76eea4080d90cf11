"""Read the columns of a table for the question what a row is.

Question: what do the name, the values and the entity type of a column show about the unit of the table?
Method: profile and detection of each column, with the words of its name and the entity types that its name suggests.
Limits: reads names and counts only; `privaudit.detect.unit.decision` decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from privaudit.model import ColumnProfile, Detection
from privaudit.model.headers import read_header
from privaudit.model.headers.lexicon import unit_words
from privaudit.model.headers.tokens import tokenise
from privaudit.model.wording import Columns

NEARLY_UNIQUE = 0.9
"""Share of distinct values from which a column identifies nearly every row (product default)."""
_CLEAR = 0.5
"""Strength from which a column name suggests an entity type clearly."""


@dataclass(frozen=True, slots=True)
class UnitColumn:
    """One column: profile, detection, the words of its name and the entity types that the name suggests clearly."""

    profile: ColumnProfile
    entity: str | None
    words: frozenset[str]
    suggested: frozenset[str]

    @property
    def name(self) -> str:
        """The column name."""
        return self.profile.name

    @property
    def uniqueness(self) -> float:
        """Share of distinct values, 0 in an empty column."""
        return self.profile.uniqueness or 0.0

    def has(self, group: str) -> bool:
        """Whether a word of the name is in a group of ``rules/headers/units.toml``."""
        return bool(self.words & unit_words(group))


def read_columns(profiles: Sequence[ColumnProfile], detections: Sequence[Detection]) -> list[UnitColumn]:
    """Return the columns of a table, from one profile and one detection for each, in the same order."""
    return [_column(p, d) for p, d in zip(profiles, detections, strict=True)]


def _column(profile: ColumnProfile, detection: Detection) -> UnitColumn:
    words = tokenise(profile.name)
    joined = {"".join(pair) for pair in pairwise(words)}
    singular = {word.removesuffix("s") for word in words}
    entity = detection.is_.entity if detection.is_ is not None else None
    suggested = {hint.entity for hint in read_header(profile.name).hints if hint.strength >= _CLEAR}
    return UnitColumn(profile, entity, frozenset({*words, *singular, *joined}), frozenset(suggested))


def names(columns: Iterable[UnitColumn]) -> Columns:
    """Return the names of `columns` as a value of a fact."""
    return Columns(names=tuple(column.name for column in columns))
