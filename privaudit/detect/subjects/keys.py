"""Numbers and codes without a pattern: row numbers, keys, hashes.

Question: what is a number or a code that no detector recognises?
Method: a column that counts without gaps from 0 or 1 numbers the rows; unique codes of one form are keys. In a
table that describes people, so are numbers that differ in every row although random ones of their range would repeat,
unless they count rows: without gaps, or from 1 with the gaps of a sample of rows.
Limits: whether a key identifies people or records follows from the column name and the table (owners.py). A unique code
without a meaning is reported as unresolved identifier, never as clean.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from privaudit.detect.column import Column
from privaudit.detect.ledger import Entry, Measured, claim_for
from privaudit.detect.subjects.context import Posting, Table, describes_people, suggest
from privaudit.wording import Count, Threshold, fact

KEY_ROWS = 50
_CHANCE = 0.01  # that numbers drawn from the same range would not repeat, or would be as high, either


def run(column: Column) -> Iterator[Entry]:
    """Yield the claims on `column` as row number or unresolved identifier."""
    if column.n_distinct == 0 or column.data_type in ("boolean", "date", "timestamp", "time"):
        return
    unique = column.uniqueness >= 0.99 and column.n_present >= KEY_ROWS
    yield Measured("key_like", float(unique and column.data_type in ("integer", "text")))
    if column.data_type == "integer" or (column.data_type == "decimal" and column.integral.all()):
        yield from _rows(column)
    if column.data_type != "decimal" and column.n_distinct >= KEY_ROWS and column.uniqueness >= 0.05:
        yield from _code(column)


def _rows(column: Column) -> Iterator[Entry]:
    numbers = column.numbers[np.isfinite(column.numbers)]
    if len(numbers) < 2 or column.n_distinct < column.n_present or numbers.min() not in (0.0, 1.0):
        return
    low = int(numbers.min())
    if numbers.max() - low == column.n_present - 1:
        yield Measured("counts_rows", 1.0)
        because = fact("detect.counts_rows", start=Threshold(value=low))
        yield claim_for(column, "ROW_NUMBER", 0.6, "shape", because)


_CODE = r"^[A-Za-z0-9][A-Za-z0-9._:/#\-]{3,39}$"
_GROUPED = r"^[A-Z0-9./\-]{1,12}(?: [A-Z0-9./\-]{1,12}){1,4}$"
_TOKEN = r"^[A-Za-z0-9+/][A-Za-z0-9._:/#+=|~\-]{23,399}$"
_MIXED = r"[0-9].*[A-Za-z].*[0-9]|[A-Z].*[0-9].*[a-z]|[a-z].*[0-9].*[A-Z]"


def _form(column: Column) -> str:
    """Return the expression of the codes the cells may be: short codes, codes in groups, or long tokens."""
    spread = column.longest - column.shortest
    if column.shortest < 24 and spread <= 8 and column.at_least(_CODE, 0.9):
        return _CODE
    if spread <= 1 and column.holds(" ") and column.matching(r"(?:[0-9].*){5}") > 0.9:
        return _GROUPED
    if column.shortest < 24:
        return _CODE
    return _CODE if spread > 0 and column.at_least(r"://|/.*/|\.[a-z]{2,4}$", 0.1) else _TOKEN


# Times of day, lap times and durations; quarters, months and weeks of years.
_TIMES = (
    r"^[0-9]{1,3}(?::[0-5][0-9]){1,2}(?:[.,:][0-9]{1,6})?(?: ?[AaPp]\.?[Mm]\.?)?$",
    r"^(?:1[6-9]|20)[0-9]{2}[-:/ ]?(?:[qQmMwWsS][0-9]{1,2}|[-:/ ][0-9]{1,2})$|^[qQ][1-4][-:/ ]?(?:1[6-9]|20)[0-9]{2}$",
    r"^(?:0?[1-9]|1[0-2])/[0-9]{2}$|^(?i:[a-z]{3})[-/ ][0-9]{1,2}[-/ ][0-9]{2,4}$",
    r"^(?:[01]?[0-9]|2[0-3])[0-5][0-9][0-5][0-9]$",
)
_DECIMALS = r"^[+-]?[0-9]*\.[0-9]+(?:[ ,;]+[+-]?[0-9]*\.[0-9]+)*$"


def _is_number_or_time(column: Column) -> bool:
    """Whether the cells are decimals, times or periods; six digits up to 235959 count as times."""
    return column.at_least(_DECIMALS, 0.5) or any(column.at_least(pattern, 0.98) for pattern in _TIMES)


def _code(column: Column) -> Iterator[Entry]:
    """Yield the claim on an unresolved identifier: many different codes of one form, most of them with digits."""
    form = _form(column)
    if not column.at_least(form, 0.9):
        return
    coded = column.matches(form) & column.matches(_MIXED if form == _TOKEN else r"[0-9]{2}")
    share = column.cell_share(column.share(coded))
    if share.value < 0.9 or _is_number_or_time(column):
        return
    if column.data_type == "integer" and (
        column.uniqueness < 0.98 or column.at_least("00$", 0.2) or _counts(column)
    ):
        return
    if column.uniqueness >= 0.99:
        because = fact("detect.unique_codes", share=share)
    else:
        because = fact("detect.codes", share=share, different=Count(n=column.n_distinct, unit="value"))
    long = column.data_type == "text" or column.shortest >= 8
    strength = (0.64 if long else 0.6) if column.uniqueness >= 0.98 else 0.52
    yield claim_for(column, "UNRESOLVED_ID", strength, "shape", because, cells=coded)


def _counts(column: Column) -> bool:
    """Whether whole numbers are so short, or so close together, that they count something."""
    short = column.shortest < (8 if column.longest > column.shortest else 6)
    return short or (column.longest < 7 and float(np.ptp(column.numbers)) < 20 * column.n_distinct)


def never_repeats(column: Column) -> bool:
    """Return whether whole numbers differ in every row although random ones of their range would repeat."""
    if column.data_type != "integer" or column.n_present < KEY_ROWS or column.n_distinct < column.n_present:
        return False
    pairs = column.n_present * (column.n_present - 1) / 2
    return bool(np.exp(-pairs / (float(np.ptp(column.numbers)) + 1)) <= _CHANCE)


def _counts_rows(column: Column) -> bool:
    """Return whether whole numbers have no gaps, or start as low as the row numbers of sampled rows do."""
    mean_gap = float(column.numbers.max()) / column.n_distinct
    return column.profile.monotonic or 0 <= float(column.numbers.min()) < -np.log(_CHANCE) * mean_gap


def suggest_keys(table: Table) -> Iterator[Posting]:
    """Yield the claim on an unresolved identifier for numbers that never repeat, in a table that describes people."""
    for item in table if describes_people(table) else ():
        undecided = item.verdict is None and not item.column.header.is_ordinary
        if undecided and never_repeats(item.column) and not _counts_rows(item.column):
            yield suggest(item, "UNRESOLVED_ID", 0.6, fact("detect.siblings_never_repeats"), generic=False)
