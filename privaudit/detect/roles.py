"""Assign each column a role: direct identifier, quasi-identifier, sensitive attribute or none.

Question: which role does a column have, and why?
Method: every entity type has a default role (`model.vocabulary`, or a pack of the user), which the column's own
measurements may change: a constant column distinguishes nobody, and a column in which some cells contain an e-mail
address is sensitive. A declared role takes precedence, and the reason states it.
Limits: whether an attacker can know an attribute is a judgement; declare the role with ``--role`` where it matters.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from privaudit.base.errors import ColumnNotFound
from privaudit.model import Assignment, ColumnProfile, Contained, DatasetUnit, Detection, Role, vocabulary
from privaudit.model.headers.lexicon import unit_words
from privaudit.model.headers.tokens import tokenise
from privaudit.model.vocabulary import EntityTypeRecord
from privaudit.model.vocabulary.table import DOUBTFUL, PERIODS, identifying_types
from privaudit.model.wording import Columns, Count, EntityType, Fact, Name, Term, Value, fact
from privaudit.settings.config import Settings

_SHARED_ID_UNIQUENESS = 0.05
"""Below this share of distinct values, an unresolved identifier does not identify single people."""

_WHOLE_COLUMN = 0.5
"""Share of the cells from which what they contain is the content of the column (product default)."""

Records = Mapping[str, EntityTypeRecord]


def assign(
    profiles: Sequence[ColumnProfile],
    detections: Sequence[Detection],
    settings: Settings,
    unit: DatasetUnit | None = None,
    stated: Collection[str] = (),
) -> tuple[Assignment, ...]:
    """Return the role of every column, with reasons.

    Parameters
    ----------
    profiles, detections : one for each column, in the same order
    settings : Settings
        `role` overrides one column; `quasi` and `sensitive`, where given, are exactly the columns of that role.
    unit : DatasetUnit, optional
        What a row is. In a table that is not about people no column is inferred to be a quasi-identifier or a
        sensitive attribute, and only what identifies a person is a direct identifier.
    stated : collection of str
        The columns whose role in `settings` comes from the metadata of the file.

    Raises
    ------
    ColumnNotFound
        For a column named in the settings that the table does not have.
    """
    columns = [profile.name for profile in profiles]
    quasi = () if settings.declares_no_quasi(columns) else settings.quasi
    for named in (*settings.role, *quasi, *settings.sensitive):
        if named not in columns:
            raise ColumnNotFound.among(named, "the table", columns)
    records = vocabulary.known_types(settings.rules)
    inferred = {p.name: _infer(p, d, records) for p, d in zip(profiles, detections, strict=True)}
    inferred |= _event_dates(inferred, detections)
    if unit is not None and not unit.is_about_people:
        found = {detection.column: detection for detection in detections}
        inferred = {name: _without_people(found[name], *inferred[name], unit) for name in columns}
    return tuple(_apply_settings(name, *inferred[name], settings, name in stated) for name in columns)


def _event_dates(
    inferred: Mapping[str, tuple[Role, tuple[Fact, ...]]], detections: Sequence[Detection]
) -> dict[str, tuple[Role, tuple[Fact, ...]]]:
    """Return the roles of event dates: quasi-identifiers only where an attacker can know them, with the reason.

    The name states what happened on the date. Others see an admission; a payment is known to its two parties, and to
    others only where the table states where or with whom it took place. Dates that were generalised were taken for a
    quasi-identifier by whoever published them.
    """
    entities = {d.column: d.is_.entity for d in detections if d.is_ is not None}
    dates = [name for name, entity in entities.items() if entity == "DATE_EVENT" and inferred[name][0] == "quasi"]
    generalised = {d.column for d in detections if d.is_ is not None and d.is_.detail == PERIODS}
    places = tuple(name for name, entity in entities.items() if entity in _circumstances())
    found: dict[str, tuple[Role, tuple[Fact, ...]]] = {}
    for name in dates:
        role, because = inferred[name]
        words = frozenset(tokenise(name))
        if words & unit_words("seen_dates"):
            found[name] = role, (*because, fact("roles.event_date_seen"))
        elif name in generalised:
            found[name] = role, (*because, fact("roles.event_date_generalised"))
        elif not words & unit_words("unseen_dates"):
            found[name] = role, (*because, fact(DOUBTFUL[0]))
        elif places:
            found[name] = role, (*because, fact(DOUBTFUL[1], columns=Columns(places)))
        else:
            found[name] = "none", (fact("roles.event_date_unseen"),)
    return found


def _circumstances() -> frozenset[str]:
    """Return the entity types that state where an event took place, or with which organisation.

    A country or a state is too large: knowing it does not let anyone know the date of one event.
    """
    places = vocabulary.with_trait("place_name") | vocabulary.with_trait("coordinate") | {"POSTAL_CODE"}
    return places - vocabulary.with_trait("large_area") | vocabulary.with_trait("other_party")


def _without_people(
    detection: Detection, role: Role, because: tuple[Fact, ...], unit: DatasetUnit
) -> tuple[Role, tuple[Fact, ...]]:
    """Return the role of a column in a table that is not about people."""
    entity = detection.is_.entity if detection.is_ is not None else None
    if role == "none" or (role == "direct" and entity in identifying_types()):
        return role, because
    if role == "sensitive" and any(item.entity in identifying_types() for item in detection.contains):
        return role, because
    return "none", (*because, fact("roles.not_about_people", unit=Term(f"unit.{unit.kind}")))


def _apply_settings(
    name: str, role: Role, because: tuple[Fact, ...], settings: Settings, is_stated: bool
) -> Assignment:
    if is_stated:
        in_file = (fact("roles.stated"),)
        return Assignment(column=name, role=settings.role[name], inferred=role, because=in_file)
    if name in settings.role:
        return _declared(name, settings.role[name], role)
    if name in settings.quasi:
        return _declared(name, "quasi", role)
    if name in settings.sensitive:
        return _declared(name, "sensitive", role)
    if settings.quasi and role == "quasi":
        excluded = (*because, fact("roles.not_in_quasi"))
        return Assignment(column=name, role="none", inferred=role, because=excluded)
    if settings.sensitive and role == "sensitive":
        excluded = (*because, fact("roles.not_in_sensitive"))
        return Assignment(column=name, role="none", inferred=role, because=excluded)
    return Assignment(column=name, role=role, because=because)


def _declared(name: str, role: Role, inferred: Role) -> Assignment:
    return Assignment(column=name, role=role, inferred=inferred, because=(fact("roles.declared"),))


def _infer(profile: ColumnProfile, detection: Detection, records: Records) -> tuple[Role, tuple[Fact, ...]]:
    if profile.data_type == "empty" or profile.n_distinct == 0:
        return "none", (fact("roles.empty"),)
    role, because = _by_entity_type(profile, detection, records)
    stated = [item for item in detection.contains if item.share.low >= _WHOLE_COLUMN and _is_quasi(item, records)]
    if role == "none" and stated and not profile.constant:
        role, because = "quasi", (fact("roles.quasi", entity=_term(stated[0].entity, records)),)
    exposing = [item for item in detection.contains if _exposes(item, records)]
    if not exposing or role in ("direct", "sensitive"):
        return role, because
    # A quasi-identifier remains one: without it, the classes would ignore what its other cells distinguish.
    cells = Count(exposing[0].n_cells, of=profile.n_rows, unit="cell")
    contained = fact("roles.contains_identifiers", cells=cells, entity=_term(exposing[0].entity, records))
    return "quasi" if role == "quasi" else "sensitive", (*because, contained)


def _is_quasi(item: Contained, records: Records) -> bool:
    return item.entity in records and records[item.entity].role == "quasi"


def _exposes(item: Contained, records: Records) -> bool:
    """Whether single cells that contain this entity type identify or expose a person by themselves."""
    record = records.get(item.entity)
    if record is None or item.n_cells == 0 or item.share.low <= 0:
        return False
    return "identifies_alone" in record.traits or (record.own and record.role == "direct")


def _by_entity_type(profile: ColumnProfile, detection: Detection, records: Records) -> tuple[Role, tuple[Fact, ...]]:
    if detection.is_ is None:
        if detection.unassessed is not None:
            return "none", (fact("roles.not_assessed", reason=detection.unassessed),)
        return "none", (fact("roles.no_personal_data"),)
    code = detection.is_.entity
    record = records.get(code) or vocabulary.entity_type(code)
    entity = _term(code, records)
    if profile.constant and (record.role in ("quasi", "sensitive") or detection.is_.detail == "masked"):
        return "none", (fact("roles.constant", entity=entity),)
    if code == "UNRESOLVED_ID" and (profile.uniqueness or 0) < _SHARED_ID_UNIQUENESS:
        return "none", (fact("roles.shared_identifier", entity=entity),)
    if detection.is_.detail == "masked" and record.role == "direct":
        return "quasi", (fact("roles.masked", entity=entity),)
    reasons = [fact(f"roles.{record.role}", entity=entity)]
    if record.special:
        reasons.append(fact("roles.special_category"))
    return record.role, tuple(reasons)


def _term(code: str, records: Records) -> Value:
    record = records.get(code)
    return Name(record.singular) if record is not None and record.own else EntityType(code)
