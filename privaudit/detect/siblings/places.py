"""Places that are recognised only next to other places: towns, streets, postal codes and coordinates without a name.

Question: are five digits a postal code, are two columns of decimals a point?
Method: codes with the form and length of postal codes in a table with columns of places; towns that lists contain in
part; two adjacent columns of degrees that are equally varied and away from zero.
Limits: keys of five digits that are not consecutive, in a table with places, resemble postal codes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from privaudit import vocabulary
from privaudit.detect import wordlists
from privaudit.detect.column import Column
from privaudit.detect.siblings.candidates import suggest, withdraw
from privaudit.wording import fact

if TYPE_CHECKING:
    from collections.abc import Collection

    from privaudit.detect.column_evidence import ColumnEvidence

# Three to six digits, or letters and digits mixed as postal codes mix them.
_POSTAL = (
    r"^(?:[A-Z]{1,3}-)?[0-9]{3,6}(?:-[0-9]{3,4})?$|^[0-9]{9}$|^[0-9]{2}-[0-9]{3}$"
    r"|^[A-Z]{1,2}[0-9][0-9A-Z]? ?[0-9][A-Z]{2}$|^[0-9]{3} [0-9]{2}$"
    r"|^[A-Z][0-9][A-Z] ?[0-9][A-Z][0-9]$|^[0-9]{4} ?[A-Z]{2}$"
)
_ENGLISH_TOWN = (
    r"(?i)^(?:(?:north|south|east|west|new|lake|port|saint|st\.?|fort|mount|upper|lower) [\p{L}\p{M}'’.-]+"
    r"|[\p{L}\p{M}'’.-]+(?: [\p{L}\p{M}'’.-]+)?(?:ville|town|ton|burgh?|borough|bury|berg|fort|mouth|shire|stad|side"
    r"|haven|chester|land|furt|port|view|ford|ham))$"
)


def suggest_places(table: Sequence[ColumnEvidence]) -> None:
    """Add towns and streets that columns of places next to them confirm."""
    located = vocabulary.with_trait("place_name") | vocabulary.with_trait("coordinate") | {"POSTAL_CODE"}
    n_places = sum(item.entity in located for item in table)
    codes = any(_holds_recurring_codes(item) for item in table)
    for position, item in enumerate(table):
        _suggest_towns(item, n_places, is_near(table, position, located))
        _suggest_single_town(item, n_places)
        if codes and not n_places:
            _suggest_streets(item)


def is_near(table: Sequence[ColumnEvidence], position: int, entities: Collection[str]) -> bool:
    """Whether one of the two columns before or after is one of `entities`."""
    around = (*table[max(0, position - 2) : position], *table[position + 1 : position + 3])
    return any(item.entity in entities for item in around)


def suggest_postal_codes(item: ColumnEvidence, n_places: int, near: bool) -> None:
    """Suggest postal codes by form where `n_places` columns hold places; `near` if one of them is adjacent."""
    column = item.column
    if item.entity not in (None, "UNRESOLVED_ID") or column.n_distinct < 5 or not column.header.is_opaque:
        return
    zip_codes = _are_zip_codes(column)
    if n_places < (1 if zip_codes else 2) or _is_numbering(column, n_places):
        return
    matching = column.matches(_POSTAL)
    if not zip_codes:
        # Nine digits count only where all cells have five or nine.
        matching &= ~column.matches(r"^[0-9]{9}$|^[0-9]{5}-[0-9]{4}$")
    if column.share(matching) >= 0.9 and column.share(column.lengths >= 4) >= 0.8 and column.digits > 0.95:
        strength = 0.67 if zip_codes or (near and n_places >= 3) else 0.62
        because = fact("detect.siblings_postal_form")
        suggest(item, "POSTAL_CODE", strength, because, n_cells=column.cells(matching), generic=False)


def suggest_padded_postal_codes(item: ColumnEvidence) -> None:
    """Suggest postal codes for five digits, some with a leading zero, in a table that describes people."""
    column = item.column
    if (
        item.entity not in (None, "UNRESOLVED_ID")
        or not column.header.is_opaque
        or column.data_type != "text"
    ):
        return
    few = column.n_distinct < 50
    if few or column.matching(r"^[0-9]{5}(?:-[0-9]{4})?$") < 0.995 or column.matching("^00[0-4]"):
        return
    firsts = len({text[0] for text in column.sample})
    if firsts >= 8 and 0.02 <= column.matching("^0") <= 0.25:
        because = fact("detect.siblings_postal_padded")
        withdraw(item, {"UNRESOLVED_ID"}, because)
        suggest(item, "POSTAL_CODE", 0.64, because)


def reject_postal_codes(item: ColumnEvidence, n_places: int) -> None:
    """Reject postal codes that all begin with the same letter, where no column holds places: they are numbers."""
    column = item.column
    if (
        item.entity != "POSTAL_CODE"
        or n_places
        or "POSTAL_CODE" in item.ledger.named
        or column.n_distinct < 20
    ):
        return
    first = {text[0] for text in column.sample}
    if len(first) == 1 and next(iter(first)).isalpha():
        withdraw(item, {"POSTAL_CODE"}, fact("detect.siblings_postal_one_letter"))


def suggest_coordinates(table: Sequence[ColumnEvidence], position: int) -> None:
    """Suggest a latitude and a longitude for two adjacent columns of degrees."""
    if position + 1 >= len(table):
        return
    pair = table[position], table[position + 1]
    if any(item.entity is not None or not item.column.header.is_opaque for item in pair):
        return
    degrees = [
        next((c.entity for c in item.ledger.standing() if c.entity in ("LATITUDE", "LONGITUDE")), None)
        for item in pair
    ]
    if None in degrees or not _could_be_points(pair[0].column, pair[1].column):
        return
    order = ("LONGITUDE", "LATITUDE") if degrees[0] == "LONGITUDE" else ("LATITUDE", "LONGITUDE")
    for item, entity in zip(pair, order, strict=True):
        suggest(item, entity, 0.75, fact("detect.siblings_degrees"), generic=False)


def _is_numbering(column: Column, n_places: int) -> bool:
    """Whether numbers are counts of many lengths, years, or consecutive keys."""
    if column.data_type not in ("integer", "text", "decimal"):
        return True
    if _is_dense(column) and not _are_of_one_state(column, n_places):
        return True
    if column.letters < 0.05 and column.n_distinct > 12 and not _have_postal_lengths(column):
        return True
    if column.matching("^(?:1[89]|20)[0-9]{2}$") > 0.95:
        return True
    return (
        _are_zip_codes(column)
        and column.matching("^0") < 0.3
        and column.uniqueness >= 0.5
        and len({text[0] for text in column.sample}) < 4
        and not _are_of_one_state(column, n_places)
    )


def _are_zip_codes(column: Column) -> bool:
    """Whether all cells are five digits, or nine with or without a hyphen."""
    return column.matching(r"^[0-9]{5}(?:-?[0-9]{4})?$") >= 0.98


def _is_dense(column: Column) -> bool:
    """Whether numbers lie so close together that they count something."""
    numbers = column.numbers[np.isfinite(column.numbers)]
    if len(numbers) < 0.9 * column.n_distinct:
        return False
    return float(numbers.max() - numbers.min()) < 4 * len(numbers)


def _are_of_one_state(column: Column, n_places: int) -> bool:
    """Whether codes of five digits lie close together and recur with gaps, as those of one state do."""
    if (
        n_places < 2
        or not _are_zip_codes(column)
        or column.uniqueness > 0.85
        or column.data_type == "decimal"
    ):
        return False
    numbers = column.numbers[np.isfinite(column.numbers)]
    return len(numbers) < 0.8 * (float(numbers.max() - numbers.min()) + 1) and numbers.min() > 10010


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
    return bool(np.ptp(column.lengths) in (1, 4, 5)) or column.matching("[0-9][ -][0-9]") >= 0.03


def _holds_recurring_codes(item: ColumnEvidence) -> bool:
    """Whether a column without a meaningful name holds five digits that recur with gaps between them."""
    column = item.column
    if (
        item.entity not in (None, "POSTAL_CODE")
        or not column.header.is_opaque
        or column.data_type == "decimal"
    ):
        return False
    return (
        column.n_distinct >= 5
        and column.uniqueness <= 0.6
        and _are_zip_codes(column)
        and not _is_dense(column)
    )


def _suggest_streets(item: ColumnEvidence) -> None:
    """Suggest street addresses for numbers and words in every cell, next to codes that could be postal codes."""
    known = [c for c in item.ledger.standing() if c.entity == "STREET_ADDRESS" and c.strength >= 0.3]
    if known and item.verdict is None and item.column.header.is_opaque:
        because = fact("detect.siblings_near_postal_codes")
        suggest(item, "STREET_ADDRESS", 0.58, because, n_cells=known[0].n_cells, earlier=known[0].clues)


def _suggest_towns(item: ColumnEvidence, n_places: int, near: bool) -> None:
    """Suggest towns and streets that lists contain in part, and towns with English endings, next to places."""
    column = item.column
    if item.verdict is not None or not column.header.is_opaque or column.data_type != "text":
        return
    person_names = vocabulary.with_trait("person_name")
    named = any(c.entity in person_names and c.strength >= 0.3 for c in item.ledger.standing())
    least_for_towns = 0.24 if near and n_places >= 2 and not named else 0.38
    for entity, least in (("CITY", least_for_towns), ("STREET_ADDRESS", 0.3)):
        known = [c for c in item.ledger.standing() if c.entity == entity and c.strength >= least]
        if known and n_places:
            best = max(known, key=lambda c: c.strength)
            because = fact("detect.siblings_near_places")
            suggest(item, entity, 0.58, because, n_cells=best.n_cells, earlier=best.clues)
            return
    formed = column.matches(_ENGLISH_TOWN)
    if column.n_distinct >= 10 and column.share(formed) >= (0.85 if n_places else 0.95):
        because = fact("detect.siblings_town_endings")
        suggest(item, "CITY", 0.6, because, kind="pattern", n_cells=column.cells(formed))


def _suggest_single_town(item: ColumnEvidence, n_places: int) -> None:
    """Suggest a town where every row holds the same one, next to streets or other places."""
    column = item.column
    if item.verdict is not None or column.n_distinct != 1 or column.data_type != "text" or n_places < 1:
        return
    if column.header.is_opaque and wordlists.members(column.folded, wordlists.towns()).all():
        suggest(item, "CITY", 0.56, fact("detect.siblings_single_town"), kind="list")


def _could_be_points(one: Column, two: Column) -> bool:
    """Whether two columns of decimals could be points: equally varied, and not both around zero."""
    if not 0.5 <= one.n_distinct / max(1, two.n_distinct) <= 2:
        return False
    return max(float(np.nanmedian(np.abs(column.numbers))) for column in (one, two)) >= 5 and all(
        float(np.nanmedian(np.abs(column.numbers))) >= 0.2 for column in (one, two)
    )
