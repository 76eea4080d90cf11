"""Which columns name people, single them out together, or tell what must not be learned.

Question: is a column a direct identifier, a quasi-identifier, sensitive, or none of these; and why?
Method: every entity has a role by itself (``rules/reference/entities.toml``, or the user's pack), which the column's
own measures may change: a constant says nothing, a plain column in one cell of which an e-mail address stands is
sensitive. What the user declares stands above everything, and the reason says so.
Limits: whether a property can be known to an attacker is a judgement; declare it with ``--role`` where it matters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from privaudit.config import Settings
from privaudit.detect.packs import entities as known
from privaudit.detect.packs.entities import Entry
from privaudit.errors import ColumnNotFound
from privaudit.model import Assignment, ColumnProfile, Contained, Detection, Role

# Some cells that hold one of these make a column direct, whatever the column is.
_LEAKS = frozenset(
    "EMAIL PHONE SSN NATIONAL_ID TAX_ID CREDIT_CARD IBAN PASSPORT SECRET PASSWORD DRIVER_LICENSE HEALTH_ID".split()
)


def assign(
    profiles: Sequence[ColumnProfile], detections: Sequence[Detection], settings: Settings
) -> tuple[Assignment, ...]:
    """Return the role of every column with reasons in words.

    Parameters
    ----------
    profiles, detections : one for each column, in the same order
    settings : Settings
        `role` overrides one column; `quasi` and `sensitive`, where given, are exactly the columns of that role.

    Raises
    ------
    ColumnNotFound
        For a column named in the settings that the table does not have.
    """
    columns = [profile.name for profile in profiles]
    for named in (*settings.role, *settings.quasi, *settings.sensitive):
        if named not in columns:
            raise ColumnNotFound.among(named, "the table", columns)
    entries = known.table(settings.rules)
    inferred = {p.name: _infer(p, d, entries) for p, d in zip(profiles, detections, strict=True)}
    return tuple(_declared(name, *inferred[name], settings) for name in columns)


def _declared(name: str, role: Role, because: tuple[str, ...], settings: Settings) -> Assignment:
    if name in settings.role:
        return Assignment(column=name, role=settings.role[name], because=("declared with --role",))
    if name in settings.quasi:
        return Assignment(column=name, role="quasi", because=("declared with --quasi",))
    if name in settings.sensitive:
        return Assignment(column=name, role="sensitive", because=("declared with --sensitive",))
    for option, listed, its in (
        ("--quasi", settings.quasi, "quasi"),
        ("--sensitive", settings.sensitive, "sensitive"),
    ):
        if listed and role == its:
            kind = "quasi-identifiers" if its == "quasi" else "sensitive columns"
            why = f"{option} names exactly the {kind}, and not this one"
            return Assignment(column=name, role="none", because=(*because, why))
    return Assignment(column=name, role=role, because=because)


def _infer(
    profile: ColumnProfile, detection: Detection, entries: Mapping[str, Entry]
) -> tuple[Role, tuple[str, ...]]:
    if profile.data_type == "empty" or profile.n_distinct == 0:
        return "none", ("no cell has a value",)
    role, because = _by_entity(profile, detection, entries)
    leaking = [c for c in detection.contains if _leaks(c.entity, entries) and _counts(c.n_cells, c.share.low)]
    if not leaking or role in ("direct", "sensitive"):
        return role, because
    # A quasi-identifier stays one: taken out of the count, its other cells would single out nobody.
    return "quasi" if role == "quasi" else "sensitive", (*because, _leak(leaking[0], entries))


def _leak(worst: Contained, entries: Mapping[str, Entry]) -> str:
    cells = "1 cell holds" if worst.n_cells == 1 else f"{worst.n_cells:,} cells hold"
    return f"{cells} what names a person by itself: {_title(worst.entity, entries)}"


def _leaks(entity: str, entries: Mapping[str, Entry]) -> bool:
    entry = entries.get(entity, {})
    return entity in _LEAKS or (bool(entry.get("own")) and entry.get("role") == "direct")


def _counts(n_cells: int, low: float) -> bool:
    return n_cells > 0 and low > 0


def _by_entity(
    profile: ColumnProfile, detection: Detection, entries: Mapping[str, Entry]
) -> tuple[Role, tuple[str, ...]]:
    if detection.is_ is None:
        if detection.unassessed is not None:
            return "none", (f"could not be judged: {detection.unassessed}",)
        return "none", ("nothing in it tells of a person",)
    entity = detection.is_.entity
    entry = entries.get(entity, {})
    role = cast(Role, entry.get("role", "none"))
    title = _title(entity, entries)
    if profile.constant and role in ("quasi", "sensitive"):
        return "none", (f"{title}, but every cell holds the same value",)
    if entity == "UNRESOLVED_ID" and (profile.uniqueness or 0) < 0.05:
        return "none", (f"{title}, shared by many rows",)
    reasons = {
        "direct": f"{title} names a person by itself",
        "quasi": f"{title} singles people out together with other columns",
        "sensitive": f"{title} tells what must not be learned of a person",
        "none": f"{title} tells nothing of a person by itself",
    }
    why = [reasons[role]]
    if entry.get("special"):
        why.append("a special category of data by law")
    return role, tuple(why)


def _title(entity: str, entries: Mapping[str, Entry]) -> str:
    title = str(entries.get(entity, {}).get("title", entity))
    return title[:1].lower() + title[1:] if title[1:2].islower() or title[1:2] == "-" else title
