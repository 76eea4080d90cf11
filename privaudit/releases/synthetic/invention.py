"""Invented values: names, addresses and numbers that Faker makes and that depend on no record.

Question: what is written into the columns of direct identifiers?
Method: names are unique and fit the sex of the record and the locale; e-mail addresses are made from the name; dates
are uniform in declared bounds; cities follow declared shares. The values are drawn from a seeded Faker, after the
records were drawn.
Limits: a name, address or telephone number that Faker makes can be that of a person who exists.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from privaudit.advice.technique.invented_values import emails_of, faker, first_name, unique_names

if TYPE_CHECKING:
    from privaudit.releases.synthetic.domain import Invented


KINDS = ("name", "first_name", "last_name", "email", "phone", "address", "company", "date", "city", "id")


def invented(
    column: Invented, sexes: Sequence[str | None], known: Mapping[str, Sequence[str]], seed: int
) -> Sequence[str]:
    """Return a value for each record.

    Parameters
    ----------
    sexes : sequence
        The sex of each record: "F", "M" or None.
    known : mapping of column to values
        The columns that were invented before.
    """
    random = np.random.default_rng(seed)
    if column.what == "id":
        return [str(i + 1) for i in range(len(sexes))]
    if column.what == "date":
        low, high = (datetime.date.fromisoformat(each) for each in column.bounds or ("2000-01-01", "2000-12-31"))
        drawn = random.integers((high - low).days + 1, size=len(sexes))
        return [(low + datetime.timedelta(days=int(each))).isoformat() for each in drawn]
    if column.what == "city" and column.shares:
        names, weights = list(column.shares), np.array(list(column.shares.values()), dtype=np.float64)
        return [names[i] for i in random.choice(len(names), size=len(sexes), p=weights / weights.sum())]
    source = faker(column.locale, seed)
    if column.what == "name":
        return unique_names(source, sexes)
    if column.what == "email":
        return emails_of(known.get(column.source or "") or unique_names(source, sexes))
    if column.what == "first_name":
        return [first_name(source, sex) for sex in sexes]
    call = getattr(source, "phone_number" if column.what == "phone" else column.what)
    # Addresses of Faker have line breaks, which would break rows of readers that split by lines.
    return [str(call()).replace("\n", ", ") for _ in sexes]
