"""Read the columns of a table for the question what a row is.

Question: what do the name, the values and the entity type of a column show about the unit of the table?
Method: profile and detection of each column, with the words of its name and the entity types that its name suggests.
Limits: reads names and counts only; `privaudit.detect.unit.decision` decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import pairwise

from privaudit.base.records import dataclass
from privaudit.model import ColumnProfile, Detection, vocabulary
from privaudit.model.headers import read_header
from privaudit.model.headers.lexicon import unit_words
from privaudit.model.headers.tokens import tokenise
from privaudit.model.wording import Columns, Share

NEARLY_UNIQUE = 0.9
"""Share of distinct values from which a column identifies nearly every row (product default)."""
_CLEAR = 0.5
"""Strength from which a column name suggests an entity type clearly."""


@dataclass(frozen=True, slots=True)
class UnitColumn:
    """One column: profile, detection, the words of its name and the entity types that the name suggests clearly."""

    profile: ColumnProfile
    entity: str | None
    detection: Detection
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

    @property
    def full_names(self) -> float:
        """Share of the cells with a given name and a family name, by the lists; 0 where single words were read."""
        given, family = self._share("detect.full_names", "given"), self._share("detect.full_names", "family")
        return min(given, family)

    @property
    def has_listed_names(self) -> bool:
        """Whether a model reads names in the cells, and lists contain given and family names of them."""
        evidence = () if self.detection.is_ is None else self.detection.is_.evidence
        return any(clue.because.code == "detect.text_model_and_lists" for clue in evidence)

    @property
    def single_names(self) -> float:
        """Share of the cells that are one word, a given name or a family name, by the lists."""
        return max(self._share(f"detect.{kind}_names", "share") for kind in ("given", "family"))

    def _share(self, code: str, key: str) -> float:
        evidence = () if self.detection.is_ is None else self.detection.is_.evidence
        values = [clue.because.values[key] for clue in evidence if clue.because.code == code]
        return max((value.value for value in values if isinstance(value, Share)), default=0.0)

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
    named = frozenset({*words, *singular, *joined})
    return UnitColumn(profile, entity, detection, named, suggested_by(profile.name))


def suggested_by(name: str) -> frozenset[str]:
    """Return the entity types that a column name suggests clearly."""
    return frozenset(hint.entity for hint in read_header(name).hints if hint.strength >= _CLEAR)


def is_sign(column: UnitColumn) -> bool:
    """Whether a column identifies or describes people, other than by what organisations have as well."""
    shows = vocabulary.with_trait("shows_people") | vocabulary.with_trait("suggests_people")
    types = (shows | vocabulary.with_trait("implies_person") | special_types()) - vocabulary.with_trait(
        "shared_by_organisations"
    )
    return column.entity in types and not has_rare_names(column) and not _may_be_of_thing(column)


def _may_be_of_thing(column: UnitColumn) -> bool:
    """Whether a column is only called the age or weight of its rows: machines and toys have them as well as people."""
    verdict = column.detection.is_
    named = verdict is not None and {clue.kind for clue in verdict.evidence} == {"header"}
    return named and column.entity in vocabulary.with_trait("of_things_too")


def special_types() -> frozenset[str]:
    """Return the special categories of personal data."""
    return frozenset(code for code, record in vocabulary.entity_types().items() if record.special)


def is_uninformative(column: UnitColumn) -> bool:
    """Whether the cells of a column state nothing about a row."""
    return column.profile.constant or column.entity == "ROW_NUMBER"


def has_rare_names(column: UnitColumn) -> bool:
    """Whether names of people repeat, as those of composers of works or authors of articles do."""
    return column.entity == "PERSON_NAME" and column.uniqueness < 0.5


def may_be_about_people(table: Sequence[UnitColumn]) -> bool:
    """Whether a column identifies or describes a person, or is named as if it did."""
    implies = vocabulary.with_trait("implies_person")
    if any(c.has("people") or (c.entity in implies and not has_rare_names(c)) for c in table):
        return True
    return any(c.suggested & attributes_of_people() for c in table)


@cache
def attributes_of_people() -> frozenset[str]:
    """Return the entity types that only people have."""
    return vocabulary.with_trait("shows_people") | vocabulary.with_trait("clinical") | special_types()


def whereabouts(table: Sequence[UnitColumn]) -> tuple[list[UnitColumn], list[UnitColumn]] | None:
    """Return the points or postal areas of the rows and their times, or None where a table does not have both."""
    places = vocabulary.with_trait("coordinate") | {"POSTAL_CODE"}
    where = [c for c in table if c.entity in places or (c.entity is None and c.has("points"))]
    when = [c for c in table if c.entity == "DATE_EVENT" and not c.profile.constant]
    return (where, when) if where and when else None


def names(columns: Iterable[UnitColumn]) -> Columns:
    """Return the names of `columns` as a value of a fact."""
    return Columns(tuple(column.name for column in columns))
