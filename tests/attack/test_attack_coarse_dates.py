"""A year in the release is linked to the date in the auxiliary table, found by its header."""

from __future__ import annotations

import pyarrow as pa
import pytest

from privaudit.attacks.columns import find_links
from privaudit.attacks.headers import relate
from privaudit.source import from_arrow


@pytest.mark.parametrize(
    ("ours", "theirs"), [("birth_year", "birth_date"), ("yob", "dateOfBirth"), ("visit_month", "VisitDate")]
)
def test_headers_of_one_date(ours, theirs):
    assert relate(ours, theirs) is not None


@pytest.mark.parametrize(("ours", "theirs"), [("birth_year", "visit_year"), ("year", "date"), ("day", "birthday")])
def test_headers_of_different_dates(ours, theirs):
    assert relate(ours, theirs) is None


def test_year_and_date_are_linked():
    release = pa.table({"birth_year": [str(1950 + i % 40) for i in range(200)]})
    auxiliary = pa.table({"birth_date": [f"{1950 + i % 40}-0{1 + i % 9}-1{i % 9}" for i in range(100)]})
    with from_arrow(release) as ours, from_arrow(auxiliary) as theirs:
        links, _ = find_links(ours, theirs, (), skip={})
    assert [(link.release, link.auxiliary) for link in links] == [("birth_year", "birth_date")]
