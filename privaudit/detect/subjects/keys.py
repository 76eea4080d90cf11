"""Numbers and codes without a pattern: row numbers, keys, hashes.

Question: what is a number or a code that no detector recognises?
Method: a column that counts without gaps from 0 or 1 numbers the rows; unique codes of one form are keys, and so are
random characters: unique cells of one length with letters and digits. In a
table that describes people, so are numbers that differ in every row although random ones of their range would repeat,
unless they count rows: without gaps, or from 1 with the gaps of a sample of rows. There, codes of the same letters and
a number ("P001") or of one length with several digits, of which each row has its own, are keys in short tables, too.
Limits: whether a key identifies people or records follows from the column name and the table (owners.py). A unique code
without a meaning is reported as unresolved identifier, never as clean.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from privaudit.detect.catalogue import wordlists
from privaudit.detect.column import FEW, NEARLY_ALL, Column, form
from privaudit.detect.ledger import Entry, Measured, claim_for
from privaudit.detect.resolver import LEAST
from privaudit.detect.subjects.context import Posting, Table, describes_people, named_by_year, suggest
from privaudit.model.wording import Count, Fact, Threshold, fact

KEY_ROWS = 50
_OF_CODES = ("^[A-Z0-9]+$", "[A-Z]", "[0-9]{4}")  # capital letters, and several digits in a row
_TOKEN = 24  # characters that no short code has
_CHANCE_OF_KEY = 0.05  # that random numbers of the range would not repeat; the other columns show people or places
_CHANCE = 0.01  # that numbers drawn from the same range would not repeat, or would be as high, either


def run(column: Column) -> Iterator[Entry]:
    """Yield the claims on `column` as row number or unresolved identifier."""
    if not column.may_be_codes and column.data_type != "decimal":
        return
    unique = is_unique_key(column)
    yield Measured("key_like", float(unique and column.data_type in ("integer", "text")))
    if counts_rows(column):
        yield Measured("counts_rows", 1.0)
        yield claim_for(column, "ROW_NUMBER", 0.6, "shape", why_row_number(column))
    if column.data_type != "decimal" and column.n_distinct >= KEY_ROWS and column.uniqueness >= 0.05:
        yield from _code(column)


def counts_rows(column: Column) -> bool:
    """Whether numbers count the rows without a gap, from 0 or 1."""
    return column.profile.monotonic and column.numbers.min() in (0, 1)


def why_row_number(column: Column) -> Fact:
    """Return the reason why a column that counts the rows is their number."""
    return fact("detect.counts_rows", start=Threshold(int(column.numbers.min())))


def _form(column: Column) -> str:
    """Return which form the cells may have: short codes, codes in groups, or long tokens."""
    spread = column.longest - column.shortest
    grouped = spread <= 1 and column.holds(" ") and column.matching(r"(?:[0-9].*){5}") > 0.9
    if grouped and not (column.shortest < _TOKEN and column.at_least(form("code", "short"))):
        return "grouped"
    long = column.shortest >= _TOKEN and not (spread > 0 and column.at_least(form("code", "address"), 0.1))
    return "token" if long else "short"


def _is_number_or_time(column: Column) -> bool:
    """Whether the cells are decimals, the sides of things, times or periods."""
    if column.at_least(form("code", "decimals"), 0.5) or column.at_least(form("code", "sides")):
        return True
    return any(column.at_least(form("time", name), 0.98) for name in wordlists.toml("forms")["time"])


def _code(column: Column) -> Iterator[Entry]:
    """Yield the claim on an unresolved identifier: many different codes of one form, most of them with digits."""
    kind = _form(column)
    if not column.at_least(form("code", kind)):
        return
    mixed = form("code", "mixed") if kind == "token" else "[0-9]{2}"
    coded = column.matches(form("code", kind)) & (column.matches(mixed) | _are_tokens(column))
    share = column.cell_share(column.share(coded))
    if share.value < NEARLY_ALL or _is_number_or_time(column):
        return
    if column.data_type == "integer" and (column.uniqueness < 0.98 or column.at_least("00$", 0.2) or _counts(column)):
        return
    if column.is_unique:
        because = fact("detect.unique_codes", share=share)
    else:
        because = fact("detect.codes", share=share, different=Count(column.n_distinct, unit="value"))
    # Groups of digits may be several short numbers as well as one.
    whole = column.data_type == "text" and not column.at_least(form("code", "groups_of_digits"))
    long = whole or (column.data_type == "integer" and column.shortest >= 8)
    strength = (0.64 if long else 0.6) if column.uniqueness >= 0.98 else 0.52
    yield claim_for(column, "UNRESOLVED_ID", strength, "shape", because, cells=coded)


def _are_tokens(column: Column) -> bool:
    """Whether unique cells of one length have letters and digits alone, most of them both, as no words have."""
    alike = column.is_unique and column.shortest == column.longest and column.at_least("^[A-Za-z0-9]+$")
    return alike and column.at_least("[A-Za-z].*[0-9]|[0-9].*[A-Za-z]", LEAST)


def _counts(column: Column) -> bool:
    """Whether whole numbers are so short, or so close together, that they count something."""
    short = column.shortest < (8 if column.longest > column.shortest else 6)
    return short or (column.longest < 7 and float(np.ptp(column.numbers)) < 20 * column.n_distinct)


def is_unique_key(column: Column) -> bool:
    """Return whether nearly every row has a value of its own, in enough rows that chance does not give it."""
    return column.is_unique and column.n_present >= KEY_ROWS


def never_repeats(column: Column) -> bool:
    """Return whether whole numbers differ in every row although random ones of their range would repeat."""
    if column.data_type != "integer" or column.n_present < KEY_ROWS or column.n_distinct < column.n_present:
        return False
    pairs = column.n_present * (column.n_present - 1) / 2
    return bool(np.exp(-pairs / (float(np.ptp(column.numbers)) + 1)) <= _CHANCE_OF_KEY)


def _why_coded(column: Column) -> Fact | None:
    """Return why each of more than a few rows has a code of its own; None where it has none."""
    if column.data_type != "text" or not column.is_unique or column.n_present <= FEW:
        return None
    prefixes = {text.rstrip("0123456789") for text in column.sample}
    if len(prefixes) == 1 and column.at_least(form("code", "numbered")):
        return fact("detect.siblings_numbered")
    coded = column.shortest == column.longest and all(map(column.at_least, _OF_CODES))
    return fact("detect.siblings_coded") if coded else None


def _is_unnamed_key(column: Column) -> bool:
    """Whether whole numbers differ in every row, and the column name has no meaning."""
    return is_unique_key(column) and column.header.is_opaque and column.data_type == "integer"


def _counts_rows(column: Column) -> bool:
    """Return whether whole numbers have no gaps, or start as low as the row numbers of sampled rows do."""
    mean_gap = float(column.numbers.max()) / column.n_distinct
    return column.profile.monotonic or 0 <= float(column.numbers.min()) < -np.log(_CHANCE) * mean_gap


def suggest_keys(table: Table) -> Iterator[Posting]:
    """Yield the claim on an unresolved identifier for numbers and numbered codes that never repeat.

    In a table that describes people, random numbers of their range would repeat; where most column names have no
    meaning, they may be the numbers of people however large their range is.
    """
    years, of_people = named_by_year(table), describes_people(table)
    unnamed = 2 * sum(item.column.header.is_opaque for item in table) >= len(table)
    for item in table:
        column = item.column
        if item.verdict is not None or column.header.is_ordinary or column.name in years:
            continue
        numbers = (of_people and never_repeats(column)) or (unnamed and _is_unnamed_key(column))
        if numbers and not _counts_rows(column):
            yield suggest(item, "UNRESOLVED_ID", 0.6, fact("detect.siblings_never_repeats"), generic=False)
        elif of_people and (why := _why_coded(column)) is not None:
            yield suggest(item, "UNRESOLVED_ID", 0.6, why, generic=False)
