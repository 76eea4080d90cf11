"""Recognise a table with one row for each area or period.

Question: do areas and periods identify every row, alone or by half of their combinations, and is all else a figure?
Method: the fewest areas, periods and categories of statistics that identify every row; every other column must be
recognised as a figure of them by its name, or hold measurements where the areas are large.
Limits: tables of up to `ROWS_IN_MEMORY` rows.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations

from privaudit.detect.unit.columns import UnitColumn, is_sign, is_uninformative, names, whereabouts
from privaudit.detect.unit.figures import is_named_like_a_person, measures_something
from privaudit.detect.unit.identifying import identifies_person
from privaudit.detect.unit.keys import FULL, Things, is_count, n_values, rows_by
from privaudit.detect.unit.thing_words import all_own, has_word, is_attribute, kinds, words_of
from privaudit.model import vocabulary
from privaudit.model.headers.lexicon import lines, read_file
from privaudit.model.wording import fact
from privaudit.source.dataset import ROWS_IN_MEMORY, Dataset

_MOST_DIGITS = 6
"""Digits of a period that is not a date, such as 202401 (a fact about the forms of periods)."""

_MOST_KEYS = 3
"""Areas, periods and categories of which combinations are tried as the key of the rows (product default)."""


def rows_key(dataset: Dataset, table: Sequence[UnitColumn], *, extra: Iterable[UnitColumn] = ()) -> list[UnitColumn]:
    """Return the areas, periods and `extra` columns that identify every row; the fewest, none where none do.

    One alone has a different value in every row; several cover at least half of their possible combinations.
    """
    n = dataset.n_rows
    if not 2 <= n <= ROWS_IN_MEMORY:
        return []
    possible = [c for c in table if (is_area(c) or is_period(c)) and not c.profile.constant]
    possible += [c for c in extra if c not in possible and not c.profile.constant]
    for size in range(1, min(_MOST_KEYS, len(possible)) + 1):
        for chosen in combinations(possible, size):
            cells = math.prod(map(n_values, chosen))
            if cells >= n >= FULL * cells and rows_by(dataset, chosen) == n:
                return list(chosen)
    return []


def is_area(column: UnitColumn) -> bool:
    """Whether a column names areas: countries, states, counties, towns, or codes of them."""
    if column.entity in _areas():
        return True
    return (
        column.entity is None
        and is_attribute(column, words_of("places", "qualifiers"))
        and has_word(column, words_of("places"))
        and column.profile.data_type == "text"
    )


@cache
def _areas() -> frozenset[str]:
    return vocabulary.with_trait("large_area") | {"CITY", "GEO_CODE"}


def is_period(column: UnitColumn) -> bool:
    """Whether a column names days, months, years or other periods."""
    if column.entity == "DATE_EVENT":
        return True
    # Longer whole numbers that were not recognised as dates state no period: they may be numbers of anything.
    is_long = column.profile.data_type == "integer" and (column.profile.length_mean or 0) > _MOST_DIGITS
    return is_attribute(column, words_of("times")) and column.profile.data_type != "decimal" and not is_long


def find_areas(dataset: Dataset, table: Sequence[UnitColumn]) -> Things | None:
    """Return that each row is an area or a period, with counts or other figures of it; None otherwise."""
    categories = [c for c in table if has_word(c, words_of("statistics")) and c.profile.data_type == "text"]
    keys = rows_key(dataset, table, extra=categories)
    areas = [c for c in keys if is_area(c)]
    if not any(is_area(c) or is_period(c) for c in keys) or (whereabouts(table) and not areas):
        return None
    totals = _totals(dataset, table)
    rest = [c for c in table if c not in keys and not is_uninformative(c)]
    if not rest or any(map(is_sign, keys)) or not all(_is_figure(c, areas, totals) for c in rest if not is_area(c)):
        return None
    stated = [c for c in rest if is_count(c) or has_word(c, words_of("statistics") | {"total", "rate"})]
    if not areas:
        stated += [c for c in rest if has_word(c, all_own())]
    elif all(is_area(c) or is_named_figure(c, areas) for c in rest) or _is_panel(keys, rest):
        stated = rest
    if not stated:
        return None
    counts = [c.name for c in rest if is_count(c) or c in totals]
    reasons = (fact("unit.row_of_area" if areas else "unit.row_of_period", columns=names(keys)),)
    named = (c.name for c in (*keys, *filter(is_area, rest)))
    return Things(tuple(named), tuple(counts), (*reasons, fact("unit.no_person")))


def _is_panel(keys: Sequence[UnitColumn], rest: Sequence[UnitColumn]) -> bool:
    """Whether each row is a large area in a period, and all else are measurements: people have no such grid of rows."""
    large = are_large(c for c in keys if is_area(c))
    figures = [c for c in rest if not is_area(c)]
    if not large or not any(map(is_period, keys)) or any(map(is_named_like_a_person, figures)):
        return False
    return all(map(measures_something, figures))


def _is_figure(column: UnitColumn, areas: Sequence[UnitColumn], totals: Sequence[UnitColumn]) -> bool:
    """Whether a column is a figure, a name or a code of an area or a period."""
    if identifies_person(column) or column.entity in vocabulary.with_trait("person_name"):
        return False
    shows = vocabulary.with_trait("shows_people")
    if areas and column in totals and column.entity not in shows:
        return True
    if is_sign(column):
        return column.entity not in shows and has_word(column, words_of("statistics"))
    if is_named_figure(column, areas):
        return True
    if not areas:
        return measures_something(column) and has_word(column, all_own())
    return are_large(areas) and column.profile.is_measurement and column.entity in (None, "FINANCIAL")


def are_large(areas: Iterable[UnitColumn]) -> bool:
    """Whether a column names areas that are larger than a county."""
    return any(c.entity in _areas() - {"CITY"} or has_word(c, words_of("large_places")) for c in areas)


def is_named_figure(column: UnitColumn, areas: Sequence[UnitColumn]) -> bool:
    """Whether a column is named after a figure of areas, or of periods where there are no `areas`."""
    by_name = kinds()
    words = words_of("qualifiers", "times", "places", "statistics") | by_name["weather"].attributes
    words |= by_name["market"].attributes if not areas else _figures_of_areas()
    return is_attribute(column, words)


@cache
def _figures_of_areas() -> frozenset[str]:
    return words_of("general", "quantities", "money") - words_of("body") | kinds()["airport_or_station"].own


def _totals(dataset: Dataset, table: Sequence[UnitColumn]) -> list[UnitColumn]:
    """Return the columns of whole numbers that are parts of a column called total: none of them is ever larger."""
    whole = [c for c in table if c.profile.data_type == "integer" and not c.profile.constant]
    total = [c for c in whole if has_word(c, frozenset(lines(read_file("units")["totals"])))]
    if len(total) != 1 or len(whole) < 2 or dataset.n_rows > ROWS_IN_MEMORY:
        return []
    columns = dataset.rows([c.name for c in whole])
    values = [columns.column(i).to_pylist() for i in range(len(whole))]
    most = [_number(value) for value in values[whole.index(total[0])]]
    found = [
        c
        for c, cells in zip(whole, values, strict=True)
        if all(_number(value) <= limit for value, limit in zip(cells, most, strict=True))
    ]
    return found if len(found) >= 2 else []


def _number(value: object) -> float:
    try:
        return float(str(value).replace(",", ""))
    except ValueError:
        return 0.0
