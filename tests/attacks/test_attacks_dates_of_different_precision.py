"""A year in the release is compared with the date in the auxiliary table, paired by column name."""

from __future__ import annotations

import pyarrow as pa
import pytest

from privaudit.attacks.links.column_pairs import find_pairs
from privaudit.model.headers import relate
from privaudit.source import from_arrow


@pytest.mark.parametrize(
    ("ours", "theirs"), [("birth_year", "birth_date"), ("yob", "dateOfBirth"), ("visit_month", "VisitDate")]
)
def test_names_of_the_same_date_are_related(ours, theirs):
    assert relate(ours, theirs) is not None


@pytest.mark.parametrize(("ours", "theirs"), [("birth_year", "visit_year"), ("year", "date"), ("day", "birthday")])
def test_names_of_different_dates_are_not_related(ours, theirs):
    assert relate(ours, theirs) is None


def test_a_year_is_compared_with_a_date():
    release = pa.table({"birth_year": [str(1950 + i % 40) for i in range(200)]})
    auxiliary = pa.table({"birth_date": [f"{1950 + i % 40}-0{1 + i % 9}-1{i % 9}" for i in range(100)]})
    with from_arrow(release) as ours, from_arrow(auxiliary) as theirs:
        pairs, _ = find_pairs(ours, theirs, (), skip={})
    assert [(pair.release, pair.auxiliary) for pair in pairs] == [("birth_year", "birth_date")]
