"""Cells of an aggregate: counts agree with those made by hand, and the checks fire on what discloses."""

from __future__ import annotations

from itertools import product
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import privaudit
from privaudit.model import DatasetUnit
from privaudit.model.wording import fact
from privaudit.risk import count_cells
from privaudit.source.memory.arrow import from_arrow

KEYS = ("region", "group")
UNIT = DatasetUnit(
    kind="aggregate", confidence=1.0, statement=fact("unit.statement_unknown"), keys=KEYS, counts=("n",)
)


def table(rows: dict[tuple[str, str], int | None]) -> pa.Table:
    return pa.table(
        {
            "region": [r for r, _ in rows],
            "group": [g for _, g in rows],
            "n": pa.array([None if n is None else str(n) for n in rows.values()], pa.string()),
        }
    )


def by_hand(rows: dict[tuple[str, str], int | None]) -> tuple[int, int | None, int, int]:
    known = [n for n in rows.values() if n is not None]
    positive = [n for n in known if n > 0]
    disclosing = 0
    for varied in (0, 1):
        groups: dict[str, list[int | None]] = {}
        for key, n in rows.items():
            groups.setdefault(key[1 - varied], []).append(n)
        for cells in groups.values():
            complete = [n for n in cells if n is not None]
            if len(complete) == len(cells) >= 2 and sum(n > 0 for n in complete) == 1:
                disclosing += 1
    return known.count(0), min(positive, default=None), sum(n < 5 for n in positive), disclosing


@settings(max_examples=60, deadline=None)
@given(
    st.dictionaries(
        st.sampled_from(list(product("abc", "xyz"))),
        st.one_of(st.none(), st.integers(0, 12)),
        min_size=2,
    )
)
def test_cells_are_counted_as_by_hand(rows: dict[tuple[str, str], int | None]) -> None:
    with from_arrow(table(rows)) as dataset:
        (found,) = count_cells(dataset, UNIT, thresholds=(5,))
    assert (found.n_zero, found.smallest, found.n_below["5"], found.n_disclosing) == by_hand(rows)


def scan(rows: dict[tuple[str, str], int], **options: Any) -> Any:
    found = privaudit.scan(table(dict(rows)), ner=False, policy="controlled", **options).wire
    return found, {f.code for f in found.findings}


FULL = {(f"R{i}", g): 40 + i for i in range(30) for g in ("old", "young", "middle")}


def test_small_cells_fail_and_large_ones_pass() -> None:
    report, codes = scan(FULL)
    assert report.dataset.unit.kind == "aggregate" and report.gate_.exit_code == 0 and not codes
    report, codes = scan({**FULL, ("R3", "old"): 2})
    assert codes == {"CEL001"} and report.gate_.exit_code == 1


def test_a_group_in_a_single_cell_is_reported() -> None:
    _report, codes = scan({**FULL, ("R3", "old"): 0, ("R3", "young"): 0})
    assert codes == {"CEL003"}


def test_one_dominating_contributor_is_reported() -> None:
    rows = {
        "region": [f"R{i}" for i in range(30)],
        "count": [str(50 + i) for i in range(30)],
        "turnover": [str(1000 + i) for i in range(30)],
        "largest_turnover": [str(950 if i == 3 else 100) for i in range(30)],
    }
    report = privaudit.scan(pa.table(rows), ner=False, policy="controlled", unit="aggregate").wire
    assert "CEL002" in {f.code for f in report.findings}


@pytest.mark.parametrize("code", ["CEL001", "CEL002", "CEL003"])
def test_rows_of_people_are_not_cells(code: str) -> None:
    people = {"age": [str(20 + i % 50) for i in range(200)], "sex": ["F", "M"] * 100}
    report = privaudit.scan(pa.table(people), ner=False).wire
    assert next(c.state for c in report.checks if c.code == code) == "not_applicable"


def test_a_declared_aggregate_without_counts_is_incomplete() -> None:
    rows = {"a": [f"x{i % 7}" for i in range(100)], "b": [f"y{i % 9}" for i in range(100)]}
    report = privaudit.scan(pa.table(rows), ner=False, unit="aggregate").wire
    assert report.gate_.exit_code == 3
