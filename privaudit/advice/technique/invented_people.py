"""Write invented addresses, dates, cities, telephone numbers and identifiers of people, for test data.

Method: each person of the column ``person`` has random numbers (`People`), and so the same invented value in
every table that is made with the key. Cities are drawn by stated shares, or made by Faker as telephone numbers are.
Limits: an address is made of a name, and discloses one that is not invented, so a step before must invent the names.
The order of invented dates is that of no event; ``shift_dates`` keeps intervals. An invented telephone number can be
that of a person who exists: never call or send. No check digit of an identifier is computed. Which of two people with
equal identifiers gets another one depends on who else is in the table; long forms make it rare.
"""

from __future__ import annotations

import datetime
import re
import string
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from privaudit.advice.technique.columns import with_column
from privaudit.advice.technique.invented_values import DOMAINS, emails_of, faker, local_part
from privaudit.advice.technique.pseudonymise import canonical, digest, key_for
from privaudit.advice.technique.record import Context
from privaudit.base.arrays import Floats, Ints
from privaudit.base.arrow import pa
from privaudit.base.errors import ConfigError
from privaudit.base.records import dataclass
from privaudit.risk.codes.coded import encode_column

Codes = Ints
MOST_DRAWS = 1_000
"""Draws of a value that no other person has."""


@dataclass(frozen=True)
class People:
    """The people of a table.

    Question: who gets an invented value, and how does the same person get the same value elsewhere?
    Method: a person is a value of the column ``person``; the bytes of a person are HMAC-SHA-256 of the key, the purpose
    and the person. Without such a column every record is a person of its own, whose bytes are random.
    Limits: whoever has the key and a list of people can compute what was invented for them.

    Attributes
    ----------
    codes : int64 array of shape (n_records,)
        The person of each record; `n` for a record without one.
    n : int
    names : sequence of str or None
        The person column's value of each person; None where each record is a person.
    key : bytes
    """

    codes: Codes
    n: int
    names: Sequence[str] | None
    key: bytes

    def bytes_of(self, person: int, purpose: str) -> bytes:
        """Return 32 bytes that belong to a person and a purpose."""
        return digest(self.key, purpose, str(person) if self.names is None else canonical(self.names[person]))

    def number(self, person: int, purpose: str) -> int:
        """Return a number below 2^64 that belongs to a person and a purpose."""
        return int.from_bytes(self.bytes_of(person, purpose)[:8], "big")

    def shares(self, purpose: str) -> Floats:
        """Return a number in [0, 1) for each person."""
        return np.array([self.number(person, purpose) for person in range(self.n)], dtype=np.float64) / 2.0**64


def people_of(table: pa.Table, parameters: Mapping[str, Any], context: Context) -> People:
    """Return the people of `table`, as the step states them.

    Raises
    ------
    ConfigError
        If the step needs a key file and there is none.
    """
    name = parameters.get("person")
    if name is None:
        return People(np.arange(table.num_rows), table.num_rows, None, context.random.bytes(32))
    codes, dictionary = encode_column(table[name])
    key = key_for(context.key, {"key": parameters.get("key", "once")})
    return People(codes.astype(np.int64), len(dictionary), dictionary.to_pylist(), key)


def different(people: People, draw: Callable[[int, int], str], purpose: str) -> list[str]:
    """Return a value for each person that no other has: the first draw that is free.

    Parameters
    ----------
    draw : function
        ``draw(person, attempt)``.

    Raises
    ------
    ConfigError
        If there are hardly any values left.
    """
    taken: dict[str, int] = {}
    for person in range(people.n):
        values = (draw(person, attempt) for attempt in range(MOST_DRAWS))
        value = next((each for each in values if each not in taken), None)
        if value is None:
            raise ConfigError(f'"{purpose}" has too few values for so many people.', hint="allow longer values")
        taken[value] = person
    return list(taken)


def with_values(table: pa.Table, name: str, people: People, values: Sequence[str | None]) -> pa.Table:
    """Return the table with the value of each person in a column, which is added where there is none."""
    cells = pa.array([*values, None], pa.string()).take(pa.array(people.codes))
    return with_column(table, name, cells)


FORM = "##########"
_SYMBOLS = {"#": string.digits, "?": string.ascii_uppercase}


def emails(table: pa.Table, parameters: Mapping[str, Any], context: Context) -> pa.Table:
    """Write an address for each record with a name, in a domain that is reserved for examples.

    With a person column it ends with digits of the person, so that it is the same in every table; otherwise addresses
    that would be equal are numbered, in the order of the table.
    """
    people = people_of(table, parameters, context)
    # Reversed, so that of several names of a person the first one remains.
    first = dict(zip(people.codes[::-1].tolist(), table[parameters["names"]].to_pylist()[::-1], strict=True))
    names = [first.get(person) for person in range(people.n)]
    if people.names is None:
        known = iter(emails_of([name for name in names if name is not None]))
        made = [None if name is None else next(known) for name in names]
    else:
        made = [
            None if name is None else _address(name, people.number(i, "fake_email")) for i, name in enumerate(names)
        ]
    for column in parameters["columns"]:
        table = with_values(table, column, people, made)
    return table


def _address(name: str, number: int) -> str:
    return f"{local_part(name)}{number % 10**9}@{DOMAINS[number % len(DOMAINS)]}"


def dates(table: pa.Table, parameters: Mapping[str, Any], context: Context) -> pa.Table:
    """Write a date of the range, both ends included, for each person.

    Raises
    ------
    ConfigError
        If the ends of the range are not dates in their order.
    """
    try:
        low, high = (datetime.date.fromisoformat(parameters[end]) for end in ("earliest", "latest"))
    except ValueError:
        raise ConfigError(
            '"earliest" and "latest" of "fake_date" must be dates.', hint="for example 2015-01-31"
        ) from None
    if low > high:
        raise ConfigError('"earliest" of "fake_date" is after "latest".', hint="exchange the two dates")
    people, n_days = people_of(table, parameters, context), (high - low).days + 1
    for column in parameters["columns"]:
        days = (people.shares(f"fake_date {column}") * n_days).astype(int).tolist()
        made = [(low + datetime.timedelta(days=day)).isoformat() for day in days]
        table = with_values(table, column, people, made)
    return table


def cities(table: pa.Table, parameters: Mapping[str, Any], context: Context) -> pa.Table:
    """Write a city for each person."""
    people = people_of(table, parameters, context)
    for column in parameters["columns"]:
        table = with_values(table, column, people, _cities(people, parameters, f"fake_city {column}"))
    return table


def _cities(people: People, parameters: Mapping[str, Any], purpose: str) -> list[str]:
    shares = parameters.get("shares")
    if shares is None:
        source, made = faker(str(parameters.get("locale", "en_US")), 0), []
        for person in range(people.n):
            source.seed_instance(people.number(person, purpose))
            made.append(str(source.city()))
        return made
    weights = np.array(list(shares.values()), dtype=np.float64)
    ends = np.cumsum(weights) / weights.sum()
    at = np.searchsorted(ends[:-1], people.shares(purpose), side="right")
    names = list(shares)
    return [names[i] for i in at.tolist()]


def phones(table: pa.Table, parameters: Mapping[str, Any], context: Context) -> pa.Table:
    """Write a telephone number for each person."""
    people, source = people_of(table, parameters, context), faker(str(parameters.get("locale", "en_US")), 0)
    for column in parameters["columns"]:
        purpose = f"fake_phone {column}"

        def draw(person: int, attempt: int, purpose: str = purpose) -> str:
            source.seed_instance(people.number(person, f"{purpose} {attempt}"))
            return str(source.phone_number())

        is_unique = parameters.get("unique", False)
        made = different(people, draw, "fake_phone") if is_unique else [draw(i, 0) for i in range(people.n)]
        table = with_values(table, column, people, made)
    return table


def identifiers(table: pa.Table, parameters: Mapping[str, Any], context: Context) -> pa.Table:
    """Write an identifier for each person: "#" of the form becomes a digit and "?" a capital letter."""
    people, form = people_of(table, parameters, context), str(parameters.get("form", FORM))
    for column in parameters["columns"]:
        purpose = f"fake_id {column}"

        def draw(person: int, attempt: int, purpose: str = purpose) -> str:
            return _written(form, int.from_bytes(people.bytes_of(person, f"{purpose} {attempt}"), "big"))

        table = with_values(table, column, people, different(people, draw, "fake_id"))
    return table


def _written(form: str, number: int) -> str:
    """Return a form with its symbols replaced by the digits of a number of 256 bits."""
    made = []
    for symbol in form:
        choices = _SYMBOLS.get(symbol)
        if choices is None:
            made.append(symbol)
            continue
        number, rest = divmod(number, len(choices))
        made.append(choices[rest])
    return "".join(made)


PARTS = ("full_name", "first_name", "last_name", "email")
ATTEMPTS = 200
UNIQUE_AFTER = 20
"""Draws of a unique name before it gets a middle initial."""
_FEMALE, _MALE = ("f", "female", "w", "woman"), ("m", "male", "man")


def fake_names(table: pa.Table, parameters: Mapping[str, Any], context: Context) -> pa.Table:
    """Write invented names and addresses into the columns, which are added where the table has none.

    Question: how does a test table keep the look of a table about people, without a name of it?
    Method: every person gets a first and a last name that follow from HMAC-SHA-256 of the key and the person, so the
    same person has the same name in every table, under the same key, version of Faker and locale. First names agree
    with the gender column. The e-mail address follows the name. No part of a real name of the columns is used. Unique
    names are drawn again where another person has the name, and get a middle initial where many draws fail.
    Limits: for test data: different people may get the same name, as in life, unless names are unique; unique names
    depend on who else is in the table. Whoever has the key and a list of people can compute their invented names.
    """
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
        table = with_column(table, name, pa.array(cells, pa.string()))
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
