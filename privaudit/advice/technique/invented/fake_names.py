"""Write invented names and e-mail addresses (Faker), in the place of a column or in a new one.

Question: how does a test table keep the look of a table about people, without a name of it?
Method: every person gets a first and a last name that follow from HMAC-SHA-256 of the key and the person, so the same
person has the same name in every table, under the same key, version of Faker and locale. First names agree with the
gender column. The e-mail address follows the name. No part of a real name of the columns is used. Unique names are
drawn again where another person has the name, and get a middle initial where many draws fail.
Limits: for test data: different people may get the same name, as in life, unless names are unique; unique names depend
on who else is in the table. Whoever has the key and a list of people can compute their invented names.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pyarrow as pa

from privaudit.advice.technique.columns import with_column
from privaudit.advice.technique.invented.people import People, people_of
from privaudit.advice.technique.invented.values import faker, local_part
from privaudit.advice.technique.record import Context
from privaudit.base.errors import ConfigError

PARTS = ("full_name", "first_name", "last_name", "email")
ATTEMPTS = 200
UNIQUE_AFTER = 20
"""Draws of a unique name before it gets a middle initial."""
_FEMALE, _MALE = ("f", "female", "w", "woman"), ("m", "male", "man")


def apply(table: pa.Table, parameters: Mapping[str, Any], context: Context) -> pa.Table:
    """Write invented names and addresses into the columns, which are added where the table has none."""
    names = parameters["columns"]
    parts = list(parameters.get("parts", ["full_name"] if len(names) == 1 else []))
    if len(parts) != len(names):
        raise ConfigError(
            '"parts" of "fake_names" must name one part for each column.', hint=f"parts: {', '.join(PARTS)}"
        )
    fakers = _fakers(parameters)
    real = _real_names(table, [n for n, part in zip(names, parts, strict=True) if part != "email"])
    people = people_of(table, parameters, context)
    genders = _genders(table, parameters)
    by_person = dict.fromkeys(zip(people.codes.tolist(), genders, strict=True))
    taken: set[str] | None = set() if parameters.get("unique", False) else None
    made = {each: _identity(fakers, people, *each, real, taken) for each in by_person if each[0] < people.n}
    for name, part in zip(names, parts, strict=True):
        records = zip(people.codes.tolist(), genders, strict=True)
        cells = [made[each][part] if each in made else None for each in records]
        column = pa.array(cells, pa.string())
        table = with_column(table, name, column) if name in table.column_names else table.append_column(name, column)
    return table


def _fakers(parameters: Mapping[str, Any]) -> list[Any]:
    locales = parameters.get("locales") or [str(parameters.get("locale", "en_US"))]
    return [faker(locale, 0) for locale in dict.fromkeys(locales)]


def _genders(table: pa.Table, parameters: Mapping[str, Any]) -> list[str]:
    """Return "female", "male" or "" for each record."""
    if "gender" not in parameters:
        return [""] * table.num_rows
    found = []
    for cell in table[parameters["gender"]].to_pylist():
        word = (cell or "").strip().lower()
        found.append("female" if word in _FEMALE else "male" if word in _MALE else "")
    return found


def _real_names(table: pa.Table, columns: Sequence[str]) -> frozenset[str]:
    known = [name for name in columns if name in table.column_names]
    cells: Iterable[str] = (cell for name in known for cell in table[name].unique().to_pylist() if cell)
    return frozenset(word for cell in cells for word in re.findall(r"\w+", cell.casefold()) if len(word) > 1)


def _identity(
    fakers: Sequence[Any], people: People, person: int, gender: str, real: frozenset[str], taken: set[str] | None
) -> dict[str, str]:
    """Return the invented parts of one person; `taken` are the names of the others where names are unique."""
    for attempt in range(ATTEMPTS):
        found = people.bytes_of(person, f"fake_names {attempt}")
        source = fakers[found[12] % len(fakers)]
        source.seed_instance(int.from_bytes(found[:8], "big"))
        first = getattr(source, f"first_name_{gender}" if gender else "first_name")()
        last = source.last_name()
        if real & set(re.findall(r"\w+", f"{first} {last}".casefold())):
            continue
        if taken is not None and f"{first} {last}" in taken:
            if attempt < UNIQUE_AFTER:
                continue
            first = f"{first} {string.ascii_uppercase[found[13] % 26]}."
            if f"{first} {last}" in taken:
                continue
        if taken is not None:
            taken.add(f"{first} {last}")
        number = int.from_bytes(found[8:12], "big")
        return {
            "full_name": f"{first} {last}",
            "first_name": first,
            "last_name": last,
            "email": f"{_plain(first)}.{_plain(last)}{number}@example.org",
        }
    raise ConfigError(
        "The table holds nearly all names that Faker has for this locale.", hint="use another locale, or pseudonymise"
    )


def _plain(name: str) -> str:
    return re.sub(r"[^a-z]+", "", local_part(name)) or "person"
