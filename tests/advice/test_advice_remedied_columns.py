"""What a check sees of a column after a remedy: old ages up to the cap, areas up to their length."""

from __future__ import annotations

from dataclasses import replace

import pytest

from privaudit.advice.effect.remedied_evidence import remedied_column
from privaudit.advice.technique import recode
from privaudit.detect.stated_ages import ADULT, ELDERLY, MINORS, OLD_AGES, in_unit_of
from privaudit.model import ColumnReport, Verdict
from privaudit.model.stats import exact
from tests.helpers.columns import column


def report(name, **options):
    stated = {
        "data_type": "text",
        "role": "quasi",
        "n_rows": 90,
        "n_missing": 0,
        "n_distinct": 30,
        "is_": None,
        "n_held_once": 0,
        "uniqueness": 0.3,
        "entropy_bits": 4.0,
    }
    return ColumnReport(name=name, **{**stated, **options})


@pytest.mark.parametrize("technique", ["band", "top_code"])
@pytest.mark.parametrize("above", [-1, 0, 1, 20])
@pytest.mark.quick_cases(8)
def test_a_cap_hides_old_ages_from_the_limit_on_only(technique, above):
    cap = in_unit_of("age", ELDERLY) + above
    ages = column([str(age) for age in range(20, 115)], name="age")
    found = recode(technique, ages, {"width": 10, "over": cap} if technique == "band" else {"at": cap})
    measured = dict.fromkeys(OLD_AGES, 3.0) | {"kept": 1.0}
    after = remedied_column(report("age", measurements=measured), technique, found)
    assert after.measurements == ({"kept": 1.0} if above <= 0 else measured)


@pytest.mark.parametrize("technique", ["band", "bottom_code"])
@pytest.mark.parametrize("above", [-1, 0, 1, 20])
@pytest.mark.quick_cases(8)
def test_a_first_category_with_adults_hides_minors(technique, above):
    """ "Under 18" and "up to 17" show minors; "under 19" and "up to 18" may be adults."""
    ages = column([str(age) for age in range(5, 90)], name="age")
    end = in_unit_of("age", ADULT) + above
    found = recode(technique, ages, {"width": 10, "under": end} if technique == "band" else {"at": end - 1})
    measured = dict.fromkeys(MINORS, 3.0) | {"kept": 1.0}
    age, born = (Verdict(entity=entity, share=exact(1.0, 90), confidence=1.0) for entity in ("AGE", "BIRTH_YEAR"))
    after = remedied_column(report("age", measurements=measured, is_=age), technique, found)
    assert after.measurements == ({"kept": 1.0} if above > 0 else measured)
    assert remedied_column(report("age", measurements=measured, is_=born), technique, found).measurements == measured


AGES = {"17": ("10-19", "0-79"), "40": ("40-49", "0-79"), "85": ("80-89", "80-99"), "92": ("90-94", "80-99")}


@pytest.mark.parametrize(("level", "left"), [(1, {*OLD_AGES, "kept"}), (2, {"kept"})])
def test_names_of_a_hierarchy_hide_the_ages_that_they_do_not_state(level, left):
    """ "10-19" may be an adult, "90-94" is older than 89, and "80-99" may be younger."""
    ages = replace(column(list(AGES), name="age"), hierarchy=AGES)
    found = recode("hierarchy_level", ages, {"level": level})
    measured = dict.fromkeys((*MINORS, *OLD_AGES), 3.0) | {"kept": 1.0}
    age = Verdict(entity="AGE", share=exact(1.0, 90), confidence=1.0)
    after = remedied_column(report("age", measurements=measured, is_=age), "hierarchy_level", found)
    assert set(after.measurements) == left


@pytest.mark.parametrize("name", ["[95, 100[", "(95.0, 100.0]", "95 bis 99", "child", "old"])
def test_a_name_that_is_not_read_resolves_no_finding_about_ages(name):
    ages = replace(column(["17", "40"], name="age"), hierarchy={"17": (name,), "40": ("40-49",)})
    measured = dict.fromkeys((*MINORS, *OLD_AGES), 3.0)
    before = report("age", measurements=measured, is_=Verdict(entity="AGE", share=exact(1.0, 90), confidence=1.0))
    assert remedied_column(before, "hierarchy_level", recode("hierarchy_level", ages, {"level": 1})) == before


def test_short_names_that_are_not_masked_do_not_stand_for_postal_areas():
    codes = replace(column(["75001", "75016"], name="zip"), hierarchy={"75001": ("1",), "75016": ("16",)})
    found = recode("hierarchy_level", codes, {"level": 1})
    assert remedied_column(report("zip", geo_precision="postal"), "hierarchy_level", found).geo_precision == "postal"


@pytest.mark.parametrize(("level", "precision"), [(1, "postal"), (2, "postal area"), (3, "postal area")])
def test_names_of_a_hierarchy_with_few_characters_of_a_postal_code_are_areas(level, precision):
    names = {code: (f"{code[:4]}*", f"{code[:3]}**", "*") for code in ("10115", "10117", "20095")}
    codes = replace(column(list(names), name="zip"), hierarchy=names)
    found = recode("hierarchy_level", codes, {"level": level})
    assert remedied_column(report("zip", geo_precision="postal"), "hierarchy_level", found).geo_precision == precision


@pytest.mark.parametrize(("kept", "precision"), [(2, "postal area"), (3, "postal area"), (4, "postal"), (5, "postal")])
@pytest.mark.quick_cases(4)
def test_a_short_prefix_of_a_postal_code_is_an_area(kept, precision):
    codes = column(["10115", "10117", "20095"], name="zip")
    found = recode("prefix", codes, {"characters_kept": kept})
    assert remedied_column(report("zip", geo_precision="postal"), "prefix", found).geo_precision == precision


@pytest.mark.parametrize(
    ("precision", "seen"), [("month", "month"), ("quarter", "month"), ("year", "year"), ("decade", "year")]
)
@pytest.mark.quick_cases(4)
def test_a_rounded_date_is_as_fine_as_what_it_is_rounded_to(precision, seen):
    days = column(["2020-01-31", "2021-12-01"], name="day")
    found = recode("round_date", days, {"precision": precision})
    measured = {"date_finer_than_year": 1.0, "kept": 2.0}
    after = remedied_column(report("day", date_precision="day", measurements=measured), "round_date", found)
    assert (after.date_precision, after.measurements) == (seen, {"kept": 2.0})
