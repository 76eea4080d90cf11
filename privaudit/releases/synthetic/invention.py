"""Invented values: names, addresses and numbers that Faker makes and that depend on no record.

Question: what is written into the columns of direct identifiers?
Method: names are unique and fit the sex of the record and the locale; e-mail addresses are made from the name; dates
are uniform in declared bounds; cities follow declared shares. The values are drawn from a seeded Faker, after the
records were drawn.
Limits: a name, address or telephone number that Faker makes can be that of a person who exists.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from privaudit.advice.technique.invented_values import emails_of, faker, first_name, unique_names

if TYPE_CHECKING:
    from privaudit.releases.synthetic.domain import Invented


def _names(column: Invented, sexes: Sequence[str | None], known: Mapping[str, Sequence[str]], seed: int) -> list[str]:
    return unique_names(faker(column.locale, seed), sexes)


def _first_names(column: Invented, sexes: Sequence[str | None], known: Any, seed: int) -> list[str]:
    source = faker(column.locale, seed)
    return [first_name(source, sex) for sex in sexes]


def _emails(column: Invented, sexes: Sequence[str | None], known: Mapping[str, Sequence[str]], seed: int) -> list[str]:
    names = known.get(column.source or "") or unique_names(faker(column.locale, seed), sexes)
    return emails_of(names)


def _dates(column: Invented, sexes: Sequence[str | None], known: Any, seed: int) -> list[str]:
    low, high = (datetime.date.fromisoformat(each) for each in column.bounds or ("2000-01-01", "2000-12-31"))
    drawn = np.random.default_rng(seed).integers((high - low).days + 1, size=len(sexes))
    return [(low + datetime.timedelta(days=int(each))).isoformat() for each in drawn]


def _cities(column: Invented, sexes: Sequence[str | None], known: Any, seed: int) -> list[str]:
    if not column.shares:
        return _by("city")(column, sexes, known, seed)
    names, weights = list(column.shares), np.array(list(column.shares.values()), dtype=np.float64)
    drawn = np.random.default_rng(seed).choice(len(names), size=len(sexes), p=weights / weights.sum())
    return [names[i] for i in drawn]


def _ids(column: Invented, sexes: Sequence[str | None], known: Any, seed: int) -> list[str]:
    return [str(i + 1) for i in range(len(sexes))]


def _by(method: str) -> Callable[[Invented, Sequence[str | None], Any, int], list[str]]:
    def made(column: Invented, sexes: Sequence[str | None], known: Any, seed: int) -> list[str]:
        source = faker(column.locale, seed)
        call = getattr(source, method)
        # Addresses of Faker have line breaks, which would break rows of readers that split by lines.
        return [str(call()).replace("\n", ", ") for _ in sexes]

    return made


Kind = Callable[["Invented", Sequence[str | None], Mapping[str, Sequence[str]], int], list[str]]
"""Makes a value for each record, from its sex ("F", "M" or None), the columns that were invented before, and a seed."""
KINDS: dict[str, Kind] = {
    "name": _names,
    "first_name": _first_names,
    "last_name": _by("last_name"),
    "email": _emails,
    "phone": _by("phone_number"),
    "address": _by("address"),
    "company": _by("company"),
    "date": _dates,
    "city": _cities,
    "id": _ids,
}
