"""Postal codes, which are recognised only next to places.

Question: are five digits a postal code?
Method: codes with the form and the lengths of postal codes in a table with columns of places. An address has one postal
code, near the town: other numbers of this form are keys if they differ in every row.
Limits: keys of five digits that are not consecutive, in a table with places, resemble postal codes.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from privaudit.detect.column import FEW, NEARLY_ALL, Column, form
from privaudit.detect.column_evidence import ColumnEvidence
from privaudit.detect.subjects.context import Posting, Table, has, is_near, named_by_year, suggest, withdraw
from privaudit.detect.subjects.keys import is_unique_key, never_repeats
from privaudit.model import vocabulary
from privaudit.model.wording import fact

_EXTENDED = 0.03  # share of the cells with two groups, which numbers that count do not have


def suggest_postal_codes(table: Table) -> Iterator[Posting]:
    """Yield the claims on postal codes by form, in a table with columns of places.

    Next to another postal code, numbers of this form that differ in every row and are not near the places are keys.
    """
    places, years = vocabulary.with_trait("place_name") | {"STREET_ADDRESS"}, named_by_year(table)
    keys = [item for position, item in enumerate(table) if _is_key(item) and not is_near(table, position, places)]
    for item in keys:
        yield from withdraw(item, "POSTAL_CODE", fact("detect.siblings_no_place"))
    n_places = sum(item.entity in places for item in table)
    far: list[Posting] = []
    for position, item in enumerate(table if n_places else ()):
        unexplained = item.column.header.is_opaque and item.column.name not in years and item not in keys
        if item.entity in (None, "UNRESOLVED_ID") and unexplained:
            near = is_near(table, position, places)
            claims = _by_form(item, n_places, near)
            if near or not item.column.is_unique:
                yield from claims
            else:
                far += claims
    other = has(table, {"POSTAL_CODE"})
    for item, claim in far:
        because = fact("detect.siblings_other_postal_code")
        yield suggest(item, "UNRESOLVED_ID", 0.6, because, generic=False) if other else (item, claim)


def _is_key(item: ColumnEvidence) -> bool:
    """Whether the form alone makes a postal code of digits that differ in every row; letters are more specific."""
    by_form = item.entity == "POSTAL_CODE" and "POSTAL_CODE" not in item.ledger.named
    return by_form and is_unique_key(item.column) and not item.column.has_letters


def _by_form(item: ColumnEvidence, n_places: int, near: bool) -> Iterator[Posting]:
    column = item.column
    zip_codes = column.matching(form("postal_code", "zip")) >= 0.98
    if column.n_distinct < 5 or _is_numbering(column, zip_codes) or never_repeats(column):
        return
    matching = column.matches(form("postal_code", "any"))
    if column.share(matching) >= NEARLY_ALL and column.share(column.lengths >= 4) >= 0.8 and column.has_digits_in(0.95):
        strength = 0.67 if zip_codes or (near and n_places >= 3) else 0.62
        because = fact("detect.siblings_postal_form")
        yield suggest(item, "POSTAL_CODE", strength, because, cells=matching, generic=False)


def _is_numbering(column: Column, zip_codes: bool) -> bool:
    """Whether numbers are counts of many lengths, years, or consecutive keys."""
    numbers = column.known_numbers
    if len(numbers) >= NEARLY_ALL * column.n_distinct and np.ptp(numbers) < 4 * len(numbers):
        return True  # so close together that they count something
    if zip_codes and column.at_least("00$"):
        return True  # amounts, rounded to hundreds
    if not column.has_letters_in(0.05) and column.n_distinct > FEW and not _have_postal_lengths(column):
        return True
    extended = column.matching("^[0-9]{5}-[0-9]{4}$") >= _EXTENDED
    few_areas = zip_codes and not extended and column.is_varied and len({text[0] for text in column.sample}) < 4
    return few_areas and column.matching("^0") < 0.3


def _have_postal_lengths(column: Column) -> bool:
    """Whether numbers have the lengths of postal codes: all the same, or some without a leading zero or the suffix."""
    lengths = np.unique(column.lengths)
    if len(lengths) == 1:
        return True
    if column.data_type == "integer" or column.matching("^[0-9]+$") == 1:
        found = set(lengths.tolist())
        pairs = ({3, 4}, {4, 5}, {5, 6}, {8, 9})
        without_zero = found in pairs and column.share(column.lengths == lengths[0]) <= 0.35
        return without_zero or (5 in found and found <= {4, 5, 8, 9})
    return bool(np.ptp(column.lengths) in (1, 4, 5)) or column.matching("[0-9][ -][0-9]") >= _EXTENDED
