"""Replace names and e-mail addresses by invented ones (Faker).

Question: how does a test table keep the look of a table about people, without a name of it?
Method: every person gets a first and a last name that follow from HMAC-SHA-256 of the key and the person, so the same
person has the same name in every table, under the same key, version of Faker and locale. First names agree with the
gender column. The e-mail address follows the name. No part of a real name of the columns is used.
Limits: for test data: different people may get the same name, as in life, and different addresses. Whoever has the key
and a list of people can compute their invented names.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from privaudit.advice.technique.columns import with_column
from privaudit.advice.technique.pseudonymise import KEY, canonical, digest, key_for
from privaudit.advice.technique.record import Context, Parameter, Technique
from privaudit.base.errors import ConfigError
from privaudit.base.extras import FAKE, needing
from privaudit.risk.codes.coded import encode_column

if TYPE_CHECKING:
    import pyarrow as pa

PARTS = ("full_name", "first_name", "last_name", "email")
ATTEMPTS = 200
_FEMALE, _MALE = ("f", "female", "w", "woman"), ("m", "male", "man")


def apply(table: pa.Table, parameters: Mapping[str, Any], context: Context) -> pa.Table:
    """Replace the columns by invented names and addresses."""
    import pyarrow as pa

    names = parameters["columns"]
    parts = list(parameters["parts"])
    if len(parts) != len(names) or not set(parts) <= set(PARTS):
        raise ConfigError(
            '"parts" of "fake_names" must name one part for each column.', hint=f"parts: {', '.join(PARTS)}"
        )
    faker, key = _faker(str(parameters.get("locale", "en_US"))), key_for(context.key, parameters)
    genders = _genders(table, parameters)
    real = _real_names(table, [n for n, part in zip(names, parts, strict=True) if part != "email"])
    codes, dictionary = encode_column(table[parameters["person"]])
    people = dictionary.to_pylist()
    by_person = {
        (people[code], gender) for code, gender in zip(codes, genders, strict=True) if code < len(people)
    }
    made = {each: _identity(faker, key, *each, real) for each in by_person}
    for name, part in zip(names, parts, strict=True):
        cells = [
            None if code >= len(people) else made[people[code], gender][part]
            for code, gender in zip(codes, genders, strict=True)
        ]
        table = with_column(table, name, pa.array(cells, pa.string()))
    return table


def _faker(locale: str) -> Any:
    with needing(FAKE, "Inventing names"):
        from faker import Faker
    try:
        return Faker(locale)
    except AttributeError:
        raise ConfigError("Unknown locale of Faker.", hint="for example en_US, de_DE, fr_FR") from None


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
    cells: Iterable[str] = (cell for name in columns for cell in table[name].unique().to_pylist() if cell)
    return frozenset(word for cell in cells for word in re.findall(r"\w+", cell.casefold()) if len(word) > 1)


def _identity(faker: Any, key: bytes, person: str, gender: str, real: frozenset[str]) -> dict[str, str]:
    """Return the invented parts of one person."""
    for attempt in range(ATTEMPTS):
        found = digest(key, f"fake_names {attempt}", canonical(person))
        faker.seed_instance(int.from_bytes(found[:8], "big"))
        first = getattr(faker, f"first_name_{gender}" if gender else "first_name")()
        last = faker.last_name()
        if not real & set(re.findall(r"\w+", f"{first} {last}".casefold())):
            number = int.from_bytes(found[8:12], "big")
            return {
                "full_name": f"{first} {last}",
                "first_name": first,
                "last_name": last,
                "email": f"{_plain(first)}.{_plain(last)}{number}@example.org",
            }
    raise ConfigError(
        "The table holds nearly all names that Faker has for this locale.",
        hint="use another locale, or pseudonymise",
    )


def _plain(name: str) -> str:
    ascii_only = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode("ascii").lower()
    return re.sub(r"[^a-z]+", "", ascii_only) or "person"


TECHNIQUE = Technique(
    name="fake_names",
    meaning="Replaces names and e-mail addresses by invented ones (Faker); for test data.",
    scope="columns",
    keeps_meaning=False,
    parameters={
        "person": Parameter(kind="column", meaning="The column that identifies the person."),
        "parts": Parameter(
            kind="list", choices=PARTS, meaning=f"What each of the columns holds: {', '.join(PARTS)}."
        ),
        "gender": Parameter(kind="column", required=False, meaning="The column with the gender."),
        "locale": Parameter(kind="text", required=False, meaning="A locale of Faker, such as de_DE."),
        "key": KEY,
    },
    apply=apply,
)
