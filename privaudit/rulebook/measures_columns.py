"""Measures of precision: dates, ages, places, special categories, columns that say nothing.

Question: how finely do columns tell when, where and how old?
Method: levels from coarse to fine are compared by their place in a list. Counts of rows come from the facts that
detection took; a column that needs such a fact and has none is a gap.
Limits: entities are coarse; a county column counts as finer than a region, because nothing says otherwise.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from privaudit.detect import precision
from privaudit.model import ColumnReport, Severity
from privaudit.rulebook.measures_identifiers import NUMBERS, held
from privaudit.rulebook.packs import Check
from privaudit.rulebook.policy import DATE_LEVELS
from privaudit.rulebook.scene import Observation, Reading, Scene, fact, measure

DATES = frozenset({"DATE_OF_BIRTH", "DEATH_DATE", "DATE_EVENT"})
YEAR_LENGTH = 4


def entity_of(column: ColumnReport) -> str | None:
    """Return the entity `column` is, or None."""
    return column.is_.entity if column.is_ else None


def held_any(column: ColumnReport) -> bool:
    """Whether any cell of `column` is filled."""
    return held(column) > 0


def _whole(column: ColumnReport, observed: float | int | str) -> Observation:
    return Observation(
        subject=(column.name,),
        observed=observed,
        n_people=held(column),
        n_total=column.n_rows,
        confidence=column.is_.confidence if column.is_ else 0.8,
        entity=entity_of(column),
    )


def is_date(column: ColumnReport) -> bool:
    """Whether the cells of `column` are dates of any kind."""
    return held(column) > 0 and (entity_of(column) in DATES or column.data_type in {"date", "timestamp"})


def date_level(column: ColumnReport) -> str | None:
    """Return how finely `column` says when, from its profile, else from what detection took; None if unknown."""
    if column.date_precision in DATE_LEVELS:
        return column.date_precision
    if column.data_type == "integer" and column.length_min == column.length_max == YEAR_LENGTH:
        return "year"
    taken = fact(column, "date_finer_than_year")
    return None if taken is None else DATE_LEVELS[int(taken)]


@measure("column.date_precision")
def date_precision(scene: Scene, check: Check) -> Reading:
    """Finest part of a date that a column gives: year, month, day, minute or second."""
    found, gaps = [], []
    for column in filter(is_date, scene.columns):
        level = date_level(column)
        if level is not None:
            found.append(_whole(column, level))
        else:
            gaps.append(f'the precision of the dates in "{column.name}" was not measured')
    return Reading(observations=tuple(found), gaps=tuple(gaps))


@measure("column.date_pairs")
def date_pairs(scene: Scene, check: Check) -> Reading:
    """Number of date columns precise to the day or finer in one table."""
    fine = [c for c in scene.columns if is_date(c) and date_level(c) in DATE_LEVELS[2:]]
    pair = Observation(
        subject=tuple(c.name for c in fine),
        observed=len(fine),
        n_people=min((held(c) for c in fine), default=0),
        n_total=scene.n_rows,
        confidence=0.6,
    )
    return Reading(observations=(pair,) if fine else ())


def _counted(
    scene: Scene,
    entities: frozenset[str],
    facts: tuple[str, ...],
    what: str,
    concerns: Callable[[ColumnReport], bool] = held_any,
) -> Reading:
    found, gaps = [], []
    for column in scene.columns:
        if entity_of(column) not in entities or not held_any(column) or not concerns(column):
            continue
        rows = fact(column, *facts)
        if rows is None:
            gaps.append(f'{what} were not counted in "{column.name}"')
            continue
        found.append(
            Observation(
                subject=(column.name,),
                observed=int(rows),
                n_people=int(rows),
                n_total=column.n_rows,
                confidence=column.is_.confidence if column.is_ else 0.8,
                entity=entity_of(column),
            )
        )
    return Reading(observations=tuple(found), gaps=tuple(gaps), run=bool(found) or not gaps)


@measure("column.age_90")
def age_90(scene: Scene, check: Check) -> Reading:
    """Rows with an age of 90 or more: "over 89" begins at 90."""
    return _counted(scene, frozenset({"AGE"}), ("age_over_89", "rows_age_90_plus"), "ages of 90 and above")


@measure("column.birth_year_90")
def birth_year_90(scene: Scene, check: Check) -> Reading:
    """Rows whose year of birth shows an age of 90 or more."""
    kinds = frozenset({"DATE_OF_BIRTH", "BIRTH_YEAR"})
    return _counted(
        scene, kinds, ("birth_year_90", "rows_birth_year_90_plus"), "years of birth that show 90 and above"
    )


@measure("column.minors")
def minors(scene: Scene, check: Check) -> Reading:
    """Rows of people under 18."""
    kinds = frozenset({"AGE", "DATE_OF_BIRTH", "BIRTH_YEAR"})
    return _counted(scene, kinds, ("n_children", "rows_minor"), "people under 18")


@measure("zip3.restricted")
def zip3_restricted(scene: Scene, check: Check) -> Reading:
    """Rows whose first three ZIP digits stand for an area of 20,000 people or fewer."""
    kinds = frozenset({"POSTAL_CODE"})
    return _counted(scene, kinds, ("rows_zip3_restricted",), "ZIP codes of areas with few people", may_be_zip)


def may_be_zip(column: ColumnReport) -> bool:
    """Whether the postal codes of `column` may be those of the United States.

    Five digits are written in many countries, so there the name has to say ZIP; three digits stand for an area
    in few.
    """
    detail = column.is_.detail if column.is_ else None
    if detail is not None and detail != "digits":
        return detail.startswith("us")
    if column.measurements.get("zip3"):
        return True
    return bool(column.measurements.get("zip5", 1.0)) and "zip" in column.name.lower()


def place_level(column: ColumnReport) -> str | None:
    """Return how finely `column` says where: country, region, county, city, postal area, postal or point."""
    return precision.geo_precision(column, column.is_, zip3=bool(column.measurements.get("zip3")))


@measure("column.geo_precision")
def geo_precision(scene: Scene, check: Check) -> Reading:
    """Finest place that a column gives."""
    levels = ((column, place_level(column)) for column in scene.columns)
    return Reading(
        observations=tuple(
            replace(_whole(c, level), severity=check.entities.get(entity_of(c) or ""))
            for c, level in levels
            if level and level not in scene.places
        )
    )


@measure("column.geo_decimals")
def geo_decimals(scene: Scene, check: Check) -> Reading:
    """Decimals of a coordinate: 3 are about 100 m."""
    found, gaps = [], []
    for column in scene.columns:
        if entity_of(column) not in {"LATITUDE", "LONGITUDE", "COORDINATES"} or held(column) == 0:
            continue
        decimals = column.geo_decimals
        taken = fact(column, "geo_decimals")
        if decimals is None and taken is not None:
            decimals = int(taken)
        if decimals is None:
            gaps.append(f'the decimals of the coordinates in "{column.name}" were not measured')
        else:
            found.append(_whole(column, decimals))
    return Reading(observations=tuple(found), gaps=tuple(gaps), run=bool(found) or not gaps)


@measure("column.special_category")
def special_category(scene: Scene, check: Check) -> Reading:
    """Cells of columns that hold a special category of personal data, by the check's list and the frameworks'."""
    listed = frozenset(check.entities) | scene.sensitive
    found = []
    for column in scene.columns:
        entity = entity_of(column)
        if entity in listed and held(column):
            seen = _whole(column, held(column))
            found.append(
                Observation(
                    subject=seen.subject,
                    observed=seen.observed,
                    n_people=seen.n_people,
                    n_total=seen.n_total,
                    confidence=seen.confidence,
                    entity=entity,
                    severity=_sensitivity(column, check),
                )
            )
    gaps = tuple(f'"{c.name}" was not assessed: {c.unassessed}' for c in scene.columns if c.unassessed)
    return Reading(observations=tuple(found), gaps=gaps)


def _sensitivity(column: ColumnReport, check: Check) -> Severity:
    # A body weight is no template that names a person, and what only some laws list is for their controls.
    if entity_of(column) == "BIOMETRIC" and column.data_type in NUMBERS:
        return "medium"
    return check.entities.get(entity_of(column) or "", "medium")


@measure("column.says_nothing")
def says_nothing(scene: Scene, check: Check) -> Reading:
    """Distinct values of a column, missing counted as one: 1 or none tells nobody anything."""
    return Reading(
        observations=tuple(
            Observation(
                subject=(c.name,),
                observed=c.n_distinct + bool(c.n_missing),
                words={"other": "is empty" if held(c) == 0 else "holds one value in every row"},
            )
            for c in scene.columns
        )
    )
