"""Write invented addresses, dates, cities, telephone numbers and identifiers of people, for test data.

Method: each person of the column ``person`` has random numbers (`people.People`), and so the same invented value in
every table that is made with the key. Cities are drawn by stated shares, or made by Faker as telephone numbers are.
Limits: an address is made of a name, and discloses one that is not invented, so a step before must invent the names.
The order of invented dates is that of no event; ``shift_dates`` keeps intervals. An invented telephone number can be
that of a person who exists: never call or send. No check digit of an identifier is computed. Which of two people with
equal identifiers gets another one depends on who else is in the table; long forms make it rare.
"""

from __future__ import annotations

import datetime
import string
from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from privaudit.advice.technique.invented.people import People, different, people_of, with_values
from privaudit.advice.technique.invented.values import DOMAINS, emails_of, faker, local_part
from privaudit.advice.technique.record import Context
from privaudit.base.errors import ConfigError

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
