"""Infer what a row of the table is: a person, an event of a person, a household, an organisation, an object, a cell.

Question: is the table about people at all?
Method: the user's statement (``--unit``, ``--subject``, declared roles, auxiliary data) decides. Otherwise the evidence
is asked in this order: counts of cells with keys that identify every row; a repeated person ID; attributes of people; a
column that names another organisation in nearly every row, with contact data only; a unique key named after a thing, or
physical quantities, with nothing about people. Column names are read by the words in ``rules/headers/units.toml``.
Limits: what the evidence does not decide is "unknown" and judged as people. A direct identifier is reported whatever
the unit.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from privaudit import vocabulary
from privaudit.config import Settings
from privaudit.headers import read_header
from privaudit.headers.lexicon import lines, read_file
from privaudit.headers.tokens import tokenise
from privaudit.model import ColumnProfile, DatasetUnit, Detection, UnitKind
from privaudit.source.dataset import ROWS_IN_MEMORY, Dataset
from privaudit.wording import Columns, Count, EntityType, Fact, Listing, Name, Number, Term, fact

_NEARLY_UNIQUE = 0.9
_REPEATED = 1.5
"""Rows for each value from which an ID of people is repeated (product default)."""
_FULL = 0.5
"""Share of the possible combinations of keys that the rows of an aggregate cover at least (product default)."""
_CLEAR = 0.5
"""Strength from which a column name suggests an entity type clearly."""
_ONE_REASON, _MORE_REASONS = 0.7, 0.9
"""Confidence of an inferred unit where one column is the evidence, and where several are (product default)."""


@dataclass(frozen=True, slots=True)
class _Column:
    """One column: profile, detection, the words of its name and the entity types that the name suggests clearly."""

    profile: ColumnProfile
    entity: str | None
    words: frozenset[str]
    suggested: frozenset[str]

    @property
    def name(self) -> str:
        return self.profile.name

    @property
    def uniqueness(self) -> float:
        return self.profile.uniqueness or 0.0

    def has(self, group: str) -> bool:
        """Whether a word of the name is in a group of ``rules/headers/units.toml``."""
        return bool(self.words & _words(group))


@cache
def _words(group: str) -> frozenset[str]:
    return frozenset(lines(read_file("units")[group]))


def _column(profile: ColumnProfile, detection: Detection) -> _Column:
    words = tokenise(profile.name)
    joined = {"".join(pair) for pair in pairwise(words)}
    singular = {word.removesuffix("s") for word in words}
    entity = detection.is_.entity if detection.is_ is not None else None
    suggested = {hint.entity for hint in read_header(profile.name).hints if hint.strength >= _CLEAR}
    return _Column(profile, entity, frozenset({*words, *singular, *joined}), frozenset(suggested))


def infer_unit(
    dataset: Dataset,
    profiles: Sequence[ColumnProfile],
    detections: Sequence[Detection],
    settings: Settings,
) -> DatasetUnit:
    """Return what a row of `dataset` is, with the evidence.

    Parameters
    ----------
    dataset : Dataset
        Read only to test whether columns identify every row of an aggregate.
    profiles, detections : one for each column, in the same order
    settings : Settings
        `unit` decides; `subject`, `quasi`, `sensitive`, `role`, `auxiliary` and `population` state that people are
        concerned.
    """
    table = [_column(p, d) for p, d in zip(profiles, detections, strict=True)]
    filled = [column for column in table if column.profile.n_distinct > 0]
    if settings.unit is not None:
        keys, counts, _ = _cells(dataset, filled) if settings.unit == "aggregate" else ((), (), ())
        return _unit(settings.unit, option="--unit", keys=keys, counts=counts)
    if settings.subject is not None:
        reason = fact("unit.subject", columns=Columns(names=(settings.subject,)))
        return _unit("event", reason, option="--subject")
    stated = _stated(settings)
    if stated is None:
        keys, counts, reasons = _aggregate(dataset, filled, settings)
        if reasons:
            return _unit("aggregate", *reasons, keys=keys, counts=counts)
    about_people = _people(filled)
    if about_people is not None or stated is not None:
        kind, reasons = about_people or ("person", ())
        return _unit(kind, *reasons, *([stated] if stated else ()))
    for find in (_organisation, _object):
        found = find(filled)
        if found:
            return _unit(*found)
    return _unit("unknown")


def _unit(
    kind: UnitKind,
    *reasons: Fact,
    option: str | None = None,
    keys: Iterable[str] = (),
    counts: Iterable[str] = (),
) -> DatasetUnit:
    columns = {
        name
        for reason in reasons
        for v in reason.values.values()
        if isinstance(v, Columns)
        for name in v.names
    }
    confidence = _MORE_REASONS if len(columns) > 1 else _ONE_REASON
    if kind == "unknown":
        statement, confidence = fact("unit.statement_unknown"), 0.0
    else:
        origin = fact("unit.inferred") if option is None else fact("unit.declared", option=Name(text=option))
        statement = fact("unit.statement", kind=Term(code=f"unit.{kind}"), origin=origin)
    return DatasetUnit(
        kind=kind,
        declared=option is not None,
        confidence=1.0 if option is not None else confidence,
        statement=statement,
        reasons=reasons,
        keys=tuple(keys),
        counts=tuple(counts),
    )


def _stated(settings: Settings) -> Fact | None:
    """Return the settings that only make sense for people, or None."""
    options = [
        option
        for option, given in (
            ("--quasi", settings.quasi and settings.quasi != ("none",)),
            ("--sensitive", settings.sensitive),
            ("--role", any(role != "none" for role in settings.role.values())),
            ("--auxiliary", settings.auxiliary),
            ("--population", settings.population),
        )
        if given
    ]
    listed = Listing(items=tuple(Name(text=option) for option in options))
    return fact("unit.settings", options=listed) if options else None


def _people(table: Sequence[_Column]) -> tuple[UnitKind, tuple[Fact, ...]] | None:
    """Return whether rows are people or their events by identifiers and attributes, or None."""
    found = [column for column in table if _describes_person(column)]
    if not found or _is_contact_list(table, found):
        return None
    attributes = fact(
        "unit.attributes",
        columns=Columns(names=tuple(c.name for c in found)),
        entities=Listing(
            items=tuple(EntityType(code=str(e)) for e in dict.fromkeys(c.entity for c in found))
        ),
    )
    repeated = [c for c in found if _is_repeated_id(c)]
    if repeated:
        rows = (repeated[0].profile.n_rows - repeated[0].profile.n_missing) / repeated[0].profile.n_distinct
        reason = fact(
            "unit.repeated_person",
            columns=Columns(names=(repeated[0].name,)),
            rows=Number(value=round(rows, 1)),
        )
        return "event", (reason, attributes)
    households = [c for c in table if _is_household_id(c)]
    if households and not any(c.entity in vocabulary.with_trait("identifies_person") for c in found):
        return "household", (fact("unit.household", columns=_names(households[:1])), attributes)
    return "person", (attributes,)


def _describes_person(column: _Column) -> bool:
    """Whether a column identifies or describes people, other than by what organisations have as well."""
    shows = vocabulary.with_trait("shows_people") | vocabulary.with_trait("suggests_people")
    types = (shows | vocabulary.with_trait("implies_person") | _special()) - vocabulary.with_trait(
        "shared_by_organisations"
    )
    return column.entity in types and not _rare_name(column)


def _is_contact_list(table: Sequence[_Column], found: Sequence[_Column]) -> bool:
    """Whether the rows are organisations, and the columns about people their contacts."""
    shows = vocabulary.with_trait("shows_people")
    people = any(column.entity in shows for column in found)
    return bool(_names_organisations(table)) and not people and _only_contacts(found)


def _is_household_id(column: _Column) -> bool:
    named = column.has("households") and bool(column.words & {"id", "hid", "hhid"})
    return named and column.uniqueness >= _NEARLY_UNIQUE


def _special() -> frozenset[str]:
    """Return the special categories of personal data."""
    return frozenset(code for code, record in vocabulary.entity_types().items() if record.special)


def _rare_name(column: _Column) -> bool:
    """Whether names of people repeat, as those of composers of works or authors of articles do."""
    return column.entity == "PERSON_NAME" and column.uniqueness < 0.5


def _is_repeated_id(column: _Column) -> bool:
    identifying = vocabulary.with_trait("identifies_person") | {"PSEUDONYM"}
    if column.entity not in identifying - vocabulary.with_trait("person_name"):
        return False
    filled = column.profile.n_rows - column.profile.n_missing
    return filled >= _REPEATED * column.profile.n_distinct


def _names_organisations(table: Sequence[_Column]) -> list[_Column]:
    return [
        c
        for c in table
        if c.uniqueness >= _NEARLY_UNIQUE
        and (
            c.entity == "ORGANISATION" or (c.entity is None and c.has("organisations") and c.words & {"name"})
        )
    ]


def _only_contacts(found: Sequence[_Column]) -> bool:
    """Whether the columns about people describe the contact of an organisation, or identify the organisation."""
    contact_types = vocabulary.with_trait("contact_or_account") | {
        "TAX_ID",
        "IBAN",
        "BANK_ACCOUNT",
        "PERSON_ID",
        "URL",
    }
    return all(c.has("contacts") or (c.entity in contact_types) for c in found)


def _names(columns: Sequence[_Column]) -> Columns:
    return Columns(names=tuple(column.name for column in columns))


def _organisation(table: Sequence[_Column]) -> tuple[UnitKind, Fact] | tuple[UnitKind, Fact, Fact] | None:
    organisations = _names_organisations(table)
    if not organisations:
        return None
    named = fact("unit.organisations", columns=_names(organisations))
    direct = [c for c in table if c.entity in vocabulary.with_role("direct")]
    if direct:
        return "organisation", named, fact("unit.contacts_only", columns=_names(direct))
    return "organisation", named


def _object(table: Sequence[_Column]) -> tuple[UnitKind, Fact, Fact] | None:
    """Return that rows are things, by a key or by physical quantities, if no column may be about a person."""
    implies = vocabulary.with_trait("implies_person")
    if any(c.has("people") or (c.entity in implies and not _rare_name(c)) for c in table):
        return None
    attributes = vocabulary.with_trait("shows_people") | vocabulary.with_trait("clinical") | _special()
    if any(c.suggested & attributes for c in table):
        return None
    if any(c.entity == "UNRESOLVED_ID" and not c.has("objects") for c in table):
        return None
    no_person = fact("unit.no_person")
    keys = [c for c in table if c.has("objects") and c.uniqueness >= _NEARLY_UNIQUE]
    if keys:
        return "object", fact("unit.key_of_thing", columns=_names(keys)), no_person
    phenomena = [c for c in table if c.has("phenomena")]
    if len(phenomena) >= 2 or 2 * len(phenomena) >= len(table) > 0:
        return "object", fact("unit.phenomena", columns=_names(phenomena)), no_person
    return None


def _aggregate(
    dataset: Dataset, table: Sequence[_Column], settings: Settings
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[Fact, ...]]:
    """Return keys and counts of an aggregate with the reasons; no reasons where the table is not one."""
    if any(c.entity in vocabulary.with_role("direct") for c in table):
        return (), (), ()
    return _cells(dataset, table)


def _cells(
    dataset: Dataset, table: Sequence[_Column]
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[Fact, ...]]:
    counts = [c for c in table if _is_count(c)]
    numeric = {"decimal"}
    keys = [
        c for c in table if c not in counts and c.profile.data_type not in numeric and not c.profile.constant
    ]
    keys = [c for c in keys if c.entity != "ROW_NUMBER"]
    n = dataset.n_rows
    if not counts or not keys or n > ROWS_IN_MEMORY or n < 2:
        return (), tuple(c.name for c in counts), ()
    possible = math.prod(c.profile.n_distinct + bool(c.profile.n_missing) for c in keys)
    if n < _FULL * possible or dataset.distinct_rows([c.name for c in keys]).num_rows < n:
        return (), tuple(c.name for c in counts), ()
    reasons = (
        fact("unit.count_column", columns=_names(counts)),
        fact(
            "unit.cell_keys",
            columns=_names(keys),
            rows=Count(n=n, unit="row"),
            possible=Number(value=possible),
        ),
    )
    return tuple(c.name for c in keys), tuple(c.name for c in counts), reasons


def _is_count(column: _Column) -> bool:
    words = set(tokenise(column.name))
    named = bool(words & (_words("counts") - {"of"})) and words <= _words("counts") | _words("counted")
    whole = column.profile.data_type == "integer" or column.profile.n_suppressed > 0
    return named and whole
