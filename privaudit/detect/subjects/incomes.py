"""Incomes without a column name: amounts of the size of incomes that spread as incomes do, next to people.

Question: which column of a table of people without column names holds their incomes?
Method: incomes are amounts of three digits or more, nearly all of them rounded to tens or written with cents. Their
logarithms spread as those of incomes: by less than the factor of a wealthy country between its rich and poor, and by
more than prices of one thing. Only where a single column of a table that describes people is like that, it is taken
for the income.
Limits: balances, debts and turnovers of people spread in the same way; these are financial data of people as well.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from privaudit.detect.column import NEARLY_ALL, VARIOUS, Column
from privaudit.detect.column_evidence import ColumnEvidence
from privaudit.detect.resolver import GUESS
from privaudit.detect.subjects.context import Posting, Table, describes_people, suggest, withdraw
from privaudit.model.vocabulary import with_trait
from privaudit.model.wording import fact

_LEAST_INCOME = 500  # by hand: scores and distances in tens are smaller; wages in the largest currencies can be, too
_SPREAD = (0.15, 1.0)  # standard deviation of the logarithm: that of wages is .3 to .9 in all countries of the OECD
_CENTS = r"^[0-9]+\.[0-9]{2}$"


def suggest_incomes(table: Table) -> Iterator[Posting]:
    """Yield the claim on incomes for the one column of amounts of a table with names of people."""
    if not describes_people(table) or not any(item.entity in with_trait("person_name") for item in table):
        return
    found = [item for item in table if _is_open(item) and _are_like_incomes(item.column)]
    if len(found) == 1:
        yield from withdraw(found[0], "POSTAL_CODE", fact("detect.siblings_amounts"))
        yield suggest(found[0], "INCOME", GUESS, fact("detect.siblings_amounts"), generic=False)


def _is_open(item: ColumnEvidence) -> bool:
    """Whether nothing but the form of a number suggests what a column without a meaningful name is."""
    return item.is_unexplained or item.is_generic("POSTAL_CODE")


def _are_like_incomes(column: Column) -> bool:
    numbers = column.known_numbers
    if column.data_type not in ("integer", "decimal") or len(numbers) < max(VARIOUS, column.n_distinct):
        return False
    if numbers.min() <= 0 or np.median(numbers) < _LEAST_INCOME:
        return False
    with np.errstate(invalid="ignore"):
        rounded = column.share(column.numbers % 10 == 0)
    low, high = _SPREAD
    written = rounded >= NEARLY_ALL or column.at_least(_CENTS)
    return written and bool(low <= np.log(numbers).std() <= high)
