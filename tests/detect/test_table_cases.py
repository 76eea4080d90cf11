"""Cases of tables: the shipped ones pass, cells are written as stated, and what is wrong is named."""

from __future__ import annotations

import datetime
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from privaudit.base.errors import RuleError
from privaudit.detect import table_cases
from privaudit.detect.table_cases import ColumnCase, TableCase, cells_of, load_tables, run_table

CASES = load_tables()
QUICK = {  # the only quick cases that reach these rules
    "Closed lists of codes have the meaning of their name",
    "A band of age, an origin, a level of education and an income need no name",
    "Weights of people are of their bodies",
    "Flags of things say nothing of people",
    "Member cards are not payment cards",
    "Grouped numbers of subjects are not telephone numbers",
    "What happened up to now is not a birth",
    "The age and the sex of patients are found under abbreviations",
}


def parameters() -> list[Any]:
    """Return the cases; those that neither `QUICK` nor a place divisible by 15 chooses are slow."""
    chosen = [place % 15 == 0 or case.title in QUICK for place, case in enumerate(CASES)]
    marks = [() if quick else pytest.mark.slow for quick in chosen]
    return [pytest.param(case, marks=mark, id=case.title) for case, mark in zip(CASES, marks, strict=True)]


@pytest.mark.quick_cases(20)
@pytest.mark.parametrize("case", parameters())
def test_every_column_of_a_shipped_table_is_what_it_is(case: TableCase) -> None:
    results = list(run_table(case))
    assert len(results) == len(case.columns) * (1 + case.unnamed)
    assert [f"{one.name} {one.why}" for one in results if not one.passed] == []


def test_no_two_tables_have_one_title() -> None:
    titles = [case.title for case in CASES]
    assert set(titles) >= QUICK
    assert len(titles) > 60 and len({*titles}) == len(titles)


@pytest.mark.quick_cases(4)
@pytest.mark.parametrize(
    ("written", "form"),
    [
        ("plain", "plain"),
        ("{a|bc} {d|e}!", "(a|bc) (d|e)!"),
        ("<{12*hex}.{3*LETTER}>", "<[0-9a-f]{12}[.][A-Z]{3}>"),
        ("{01..28}/{8*digit}", "(0[1-9]|1[0-9]|2[0-8])/[0-9]{8}"),
    ],
)
def test_cells_have_the_form_that_is_written(written: str, form: str) -> None:
    cells = cells_of(written, 200, Random(1))
    assert len(cells) == 200 and all(re.fullmatch(form, cell) for cell in cells)


def test_numbers_and_days_are_within_their_bounds_and_reach_them() -> None:
    numbers = [int(cell) for cell in cells_of("{3..7}", 200, Random(1))]
    assert {*numbers} == {3, 4, 5, 6, 7}
    decimals = cells_of("{-1.50..2.0}", 200, Random(1))
    assert all(re.fullmatch(r"-?[0-9][.][0-9]{2}", cell) and -1.5 <= float(cell) <= 2 for cell in decimals)
    near = [int(cell) for cell in cells_of("{50+-20 in 40..60}", 400, Random(1))]
    assert (min(near), max(near)) == (40, 60) and 45 < sum(near) / 400 < 55
    assert cells_of("A{row+98}", 3, Random(1)) == ["A98", "A99", "A100"]
    days = cells_of("{2020-01-30..2020-02-02}", 200, Random(1))
    assert {*days} <= {"2020-01-30", "2020-01-31", "2020-02-01", "2020-02-02"} and len({*days}) >= 3
    for cell in cells_of("{1990-01-01..1999-12-31 %d.%m.%Y %H:%M}", 50, Random(1)):
        assert 1990 <= datetime.datetime.strptime(cell, "%d.%m.%Y %H:%M").year <= 1999


@pytest.mark.quick_cases(5)
@pytest.mark.parametrize("field", ["8*digits", "1..x", "", "one", "2020-01-01..9"])
def test_a_field_without_a_meaning_is_refused(field: str) -> None:
    with pytest.raises(RuleError, match="Unknown field"):
        cells_of(f"a{{{field}}}", 3, Random(1))


def why(**stated: Any) -> str:
    made = TableCase(title="t", columns={"mail": ColumnCase(cells="p{row+1}@example.org", **stated)}, rows=30)
    (result,) = run_table(made)
    assert result.name == "t: mail" and result.passed == (not result.why)
    return result.why


def test_a_column_fails_where_it_is_or_contains_something_else() -> None:
    assert why(entity=("EMAIL",)) == why(entity=("PHONE", "EMAIL")) == ""
    assert why() == "recognised as EMAIL; expected none"
    assert why(entity=("PHONE", "URL")) == "recognised as EMAIL; expected PHONE or URL"
    assert why(entity=("EMAIL",), contains=("IBAN",)) == "contains none; expected IBAN"


def test_a_table_without_names_is_judged_twice() -> None:
    column = ColumnCase(cells="{1..4}")
    results = list(run_table(TableCase(title="t", columns={"stage": column}, rows=30, unnamed=True)))
    assert [one.name for one in results] == ["t: stage", "t, without names: c00"]


OWN = """
[[entity]]
name = "STAFF_BADGE"
title = "Staff badge number"
role = "direct"

[[detector]]
entity = "STAFF_BADGE"
title = "Badge"
regex = ['HQ-[0-9]{4}-[A-Z]{2}']
match = ["HQ-1234-AB"]
no_match = ["HQ-12-AB"]
"""
TABLE = """
[[table]]
title = "Badges next to ages"
rows = 60
columns.badge = { cells = "HQ-{4*digit}-{2*LETTER}", entity = ["STAFF_BADGE"] }
columns.age = { cells = "{18..70}", entity = ["AGE"] }
"""


def with_rules(folder: Path, table: str) -> Path:
    (folder / "tables").mkdir()
    (folder / "own.toml").write_text(OWN, encoding="utf-8")
    (folder / "tables" / "own.toml").write_text(table, encoding="utf-8")
    return folder


def test_tables_of_a_user_are_judged_with_their_detectors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = with_rules(tmp_path, TABLE)
    monkeypatch.setattr(table_cases, "load_tables", lambda given: load_tables(given)[len(CASES) :])
    results = table_cases.run_tables(folder)
    assert [(one.name, one.why) for one in results] == [
        ("Badges next to ages: badge", ""),
        ("Badges next to ages: age", ""),
    ]


@pytest.mark.quick_cases(5)
@pytest.mark.parametrize(
    "change",
    [("[[table]]", "[[tabel]]"), ("rows", "row"), ("title", "titel"), ('"{18..70}"', "18"), ('["AGE"]', '"AGE"')],
)
def test_a_key_that_is_wrong_is_named(tmp_path: Path, change: tuple[str, str]) -> None:
    with pytest.raises(RuleError, match=r"in own\.toml is an unknown key, is missing, or has the wrong type"):
        load_tables(with_rules(tmp_path, TABLE.replace(*change)))
