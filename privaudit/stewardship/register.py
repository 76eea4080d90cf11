"""The register of erased people: keyed hashes, by which a restored backup is recognised.

Question: has a person who was erased come back?
Method: HMAC-SHA-256 of what kind of identifier it is and of the identifier in canonical form, under a key in a file. A
check computes the same for every value of the columns that identify, and looks it up.
Limits: whoever has key and register can test a guessed identifier: keep them apart. A value that two people may have,
such as a name, is not in the register.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from privaudit.base.errors import ConfigError
from privaudit.base.records import dataclass
from privaudit.base.wire import Wire
from privaudit.model import vocabulary
from privaudit.model.headers import shown_file
from privaudit.model.wording import Count, Name, fact
from privaudit.report import files
from privaudit.report.pages import page as pages
from privaudit.stewardship.data_map import Place
from privaudit.stewardship.erase import Prepared
from privaudit.stewardship.person import Reader
from privaudit.stewardship.spelling import canonical


@dataclass(frozen=True, slots=True, kw_only=True)
class Returned(Wire):
    """Rows of people who were erased, in one column."""

    store: str
    table: str
    column: str
    n_rows: int
    n_people: int


def entries(key: bytes, prepared: Prepared, identifier: str) -> tuple[str, ...]:
    """Return the hashes of the identifiers of an erased person."""
    reader, found = prepared.reader, set()
    for place, domain, identifies in _identifiers(reader):
        change = prepared.changes.tables.get(place[:2])
        if change is not None:
            rows = change.delete | set(change.cells.get(place.column, ()))
            values = [*reader.values(place, rows), *([identifier] if identifies else ())]
            found |= {_digest(key, domain, value) for value in values}
    return tuple(sorted(found))


def _identifiers(reader: Reader) -> Iterator[tuple[Place, str, bool]]:
    """Yield the columns of which one value is one person's: keys of people, and entity types that identify alone.

    With each, what kind of identifier it is (a key is one of its column, an e-mail address one everywhere), and whether
    people are searched by it.
    """
    for place, table, column in reader.inventory.columns():
        traits = vocabulary.entity_type(column.entity).traits if vocabulary.is_known(column.entity) else ()
        if column.name == table.subject:
            yield place, str(place), column.identifies
        elif column.identifies and "identifies_alone" in traits:
            yield place, column.entity, True


def _digest(key: bytes, domain: str, value: str) -> str:
    # With the kind of identifier: equal texts of two kinds are two entries, as they may be two people.
    text = "\0".join(("privaudit register", domain, canonical(value)))
    return hmac.digest(key, text.encode("utf-8", "surrogatepass"), hashlib.sha256).hex()


def add(path: Path, found: Iterable[str], day: str) -> None:
    """Add hashes to a register that only its owner can read; one that is there already stays.

    Raises
    ------
    ConfigError
        If the file is not a register or cannot be written.
    """
    known = read(path) if path.exists() else {}
    known |= {entry: day for entry in found if entry not in known}
    content = {"schema": files.REGISTER, "entries": dict(sorted(known.items()))}
    files.check(path, may_replace=lambda _: True)  # what the file has is kept
    files.replace(path, json.dumps(content, indent=1) + "\n", private=True)


def read(path: Path) -> dict[str, str]:
    """Return the hashes of a register with the day of each erasure.

    Raises
    ------
    ConfigError
        If the file does not exist, or is not a register.
    """
    hint = "privaudit subject erase --apply PLAN ... --key FILE --register FILE writes it"
    if not path.exists():
        raise ConfigError(f"The register {shown_file(path)} does not exist.", hint=hint)

    def entries_of(content: dict[str, Any]) -> dict[str, str]:
        if content["schema"] != files.REGISTER:
            raise ValueError
        return dict(content["entries"])

    refusal = ConfigError(f"{shown_file(path)} is not a register of erased identifiers.", hint=hint)
    return files.read_json(path, entries_of, refusal)


def returned(key: bytes, path: Path, reader: Reader) -> tuple[Returned, ...]:
    """Return where people of the register are found again.

    Raises
    ------
    ConfigError
        If the file is not a register.
    PrivauditError
        If a store cannot be read.
    """
    known, found = read(path), []
    reader.check_listed()
    for place, domain, _ in _identifiers(reader):
        values = [value for value in reader.column(place) if value is not None]
        back = {value for value in set(values) if _digest(key, domain, value) in known}
        if back:
            n_rows = sum(value in back for value in values)
            n_people = len(set(map(canonical, back)))
            found.append(Returned(**place._asdict(), n_rows=n_rows, n_people=n_people))
    return tuple(found)


def page(found: tuple[Returned, ...], n_known: int) -> pages.Page:
    """Return the people who came back, in counts."""
    sentences = [
        fact(
            "subject.returned",
            place=Name(str(Place(each.store, each.table, each.column))),
            people=Count(each.n_people, unit="person"),
            rows=Count(each.n_rows, unit="row"),
        )
        for each in found
    ]
    return pages.Page(
        kicker="Register of erased people",
        title=fact("subject.title_check"),
        lead=fact(f"subject.{'came_back' if found else 'none_came_back'}", n=Count(n_known, unit="item")),
        sections=(pages.Section(key="returned", title="People who came back", sentences=sentences),) if found else (),
        footer=fact("subject.footer"),
    )
