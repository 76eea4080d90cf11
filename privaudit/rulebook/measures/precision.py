"""Measures of precision: dates, ages, places.

Question: how precisely does a column state when, where and how old?
Method: levels from coarse to fine are compared by their position in a list. Counts of rows come from the measurements
that detection took; a column that needs such a measurement and has none is a gap.
Limits: a county column counts as finer than a region, because nothing in the table shows the contrary.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from privaudit.model import ColumnReport, vocabulary
from privaudit.model.vocabulary.statements import DATE_LEVELS
from privaudit.model.vocabulary.table import PERIODS
from privaudit.model.wording import Fact, Number, Term
from privaudit.rulebook.measurement import (
    Context,
    Measurement,
    Observation,
    cells_of_type,
    entity_of,
    filled_cells,
    first_measurement,
    gap,
    measure,
    whole_column,
)
from privaudit.rulebook.packs import Check

_YEAR_LENGTH = 4
_UNPROVEN_LEVEL = 0.4  # "region" may be a county, a state or a part of the world
_PAIR_CONFIDENCE = 0.6


def has_dates(column: ColumnReport) -> bool:
    """Whether the cells of `column` are dates."""
    if not filled_cells(column):
        return False
    return entity_of(column) in vocabulary.with_trait("calendar_date") or column.data_type in {"date", "timestamp"}


def date_level(column: ColumnReport) -> str | None:
    """Return the precision of the dates in `column`: from its profile, else from detection; None if unknown."""
    if column.date_precision in DATE_LEVELS:
        return column.date_precision
    if column.data_type == "integer" and column.length_min == column.length_max == _YEAR_LENGTH:
        return "year"
    level = first_measurement(column, "date_finer_than_year")
    return None if level is None else DATE_LEVELS[int(level)]


@measure("column.date_precision")
def date_precision(context: Context, check: Check) -> Iterator[Observation | Fact]:
    """Finest part of a date that a column states: year, month, day, minute or second."""
    for column in filter(has_dates, context.columns):
        level = date_level(column)
        if level is None:
            yield gap("rulebook.date_precision_not_measured", column)
        else:
            yield _level(column, level)


def _level(column: ColumnReport, level: str) -> Observation:
    stated = replace(whole_column(column, level), n_people=cells_of_type(column))
    if _is_unproven(column, level):
        return replace(stated, confidence=_UNPROVEN_LEVEL, values={"observed": Term("county_or_larger")})
    if level != "year" and column.is_ is not None and column.is_.detail == PERIODS:
        return replace(stated, values={"observed": Term("part_of_year")})
    return replace(stated, values={"observed": Term(level)})


def _is_unproven(column: ColumnReport, level: str) -> bool:
    """Whether only the column name suggests counties or regions, which may be larger than a county."""
    clues = column.is_.evidence if column.is_ is not None else ()
    return level == "county" and bool(clues) and all(clue.kind == "header" for clue in clues)


@measure("column.date_pairs")
def date_pairs(context: Context, check: Check) -> Iterator[Observation]:
    """Number of date columns in one table that are precise to the day or finer."""
    # Two precise dates of a person give an interval, which identifies even after both are shifted.
    fine = [c for c in context.columns if has_dates(c) and date_level(c) in DATE_LEVELS[2:]]
    if fine:
        yield Observation(
            subject=tuple(c.name for c in fine),
            observed=len(fine),
            n_people=min(map(filled_cells, fine)),
            n_total=context.n_rows,
            confidence=_PAIR_CONFIDENCE,
            values={"observed": Number(len(fine))},
        )


def _count_rows(
    context: Context,
    entities: frozenset[str],
    measurements: tuple[str, ...],
    missing: str,
    applies: Callable[[ColumnReport], bool] = lambda column: True,
) -> Measurement:
    columns = (c for c in context.columns if entity_of(c) in entities and filled_cells(c) and applies(c))
    measured = ((column, first_measurement(column, *measurements)) for column in columns)
    return Measurement.of(
        gap(missing, column) if rows is None else replace(whole_column(column, int(rows)), n_people=int(rows))
        for column, rows in measured
    )


@measure("column.age_90")
def age_90(context: Context, check: Check) -> Measurement:
    """Rows with an age of 90 or more: "over 89" begins at 90."""
    counted = ("age_over_89", "rows_age_90_plus")
    return _count_rows(context, frozenset({"AGE"}), counted, "rulebook.ages_not_counted")


@measure("column.birth_year_90")
def birth_year_90(context: Context, check: Check) -> Measurement:
    """Rows whose year of birth shows an age of 90 or more."""
    counted = ("birth_year_90", "rows_birth_year_90_plus")
    return _count_rows(context, vocabulary.with_trait("birth"), counted, "rulebook.birth_years_not_counted")


@measure("column.minors")
def minors(context: Context, check: Check) -> Measurement:
    """Rows of people under 18."""
    counted = ("n_children", "rows_minor")
    return _count_rows(context, vocabulary.with_trait("gives_age"), counted, "rulebook.minors_not_counted")


@measure("zip3.restricted")
def zip3_restricted(context: Context, check: Check) -> Measurement:
    """Rows whose first three ZIP digits denote an area of 20,000 people or fewer."""
    counted = ("rows_zip3_restricted",)
    return _count_rows(context, frozenset({"POSTAL_CODE"}), counted, "rulebook.small_zip_areas_not_counted", may_be_zip)


def may_be_zip(column: ColumnReport) -> bool:
    """Whether the postal codes of `column` may be those of the United States.

    Many countries use five digits, so there the column name must contain ZIP; few countries use three.
    """
    detail = column.is_.detail if column.is_ else None
    if detail is not None and detail != "digits":
        return detail.startswith("us")
    if column.measurements.get("zip3"):
        return True
    # A report that did not measure the form leaves it open, so that the name decides.
    return bool(column.measurements.get("zip5", 1.0)) and "zip" in column.name.lower()


@measure("column.geo_precision")
def geo_precision(context: Context, check: Check) -> Iterator[Observation]:
    """Finest place that a column states."""
    levels = ((c, c.geo_precision if filled_cells(c) else None) for c in context.columns)
    for column, level in levels:
        if level and level not in context.policy.places:
            yield replace(_level(column, level), severity=check.entities.get(entity_of(column) or ""))


@measure("column.geo_decimals")
def geo_decimals(context: Context, check: Check) -> Measurement:
    """Decimals of a coordinate: 3 are about 100 m."""
    coordinates = vocabulary.with_trait("coordinate")
    found = (column for column in context.columns if entity_of(column) in coordinates and filled_cells(column))
    return Measurement.of(map(_decimals, found))


def _decimals(column: ColumnReport) -> Observation | Fact:
    measured = first_measurement(column, "geo_decimals") if column.geo_decimals is None else column.geo_decimals
    if measured is None:
        return gap("rulebook.decimals_not_measured", column)
    return replace(whole_column(column, int(measured)), values={"observed": Number(int(measured))})
