"""Cells of an aggregate: counts agree with those made by hand, and the checks fire on what discloses."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
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

KEYS = ("region", "group", "sex")
HIDDEN = (None, "c", "fewer than five", "")

Row = tuple[tuple[str, ...], int | str | None]


def unit(n_keys: int, *counts: str) -> DatasetUnit:
    return DatasetUnit(
        kind="aggregate",
        confidence=1.0,
        statement=fact("unit.statement_unknown"),
        keys=KEYS[:n_keys],
        counts=counts or ("n",),
    )


def table(rows: Sequence[Row]) -> pa.Table:
    keys = list(zip(*(key for key, _ in rows), strict=True))
    texts = [f"{n:,}" if isinstance(n, int) else n for _, n in rows]
    return pa.table(dict(zip(KEYS, keys, strict=False)) | {"n": pa.array(texts, pa.string())})


def counted_by_hand(rows: Sequence[Row], n_keys: int) -> tuple[object, ...]:
    """Return the cells, zeros, hidden cells, smallest count, counts below 5 and 1,001, and disclosing groups."""
    known = [n for _, n in rows if isinstance(n, int)]
    positive = [n for n in known if n > 0]
    disclosing = 0
    for varied in range(n_keys):
        groups = defaultdict(list)
        for key, n in rows:
            groups[key[:varied] + key[varied + 1 :]].append(n)
        for cells in groups.values() if n_keys > 1 else ():
            complete = [n for n in cells if isinstance(n, int)]
            disclosing += len(complete) == len(cells) >= 2 and sum(n > 0 for n in complete) == 1
    below = [sum(n < k for n in positive) for k in (5, 1_001)]
    found = disclosing if n_keys else None
    return len(known), known.count(0), len(rows) - len(known), min(positive, default=None), *below, found


cells = st.one_of(st.sampled_from(HIDDEN), st.integers(0, 6), st.sampled_from([0, 0, 0, 5, 1_000, 1_001, 1_234_567]))


@pytest.mark.quick_cases(4)
@pytest.mark.parametrize("n_keys", [0, 1, 2, 3])
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_cells_are_counted_as_by_hand(n_keys: int, data: st.DataObject) -> None:
    every = list(product("ab", "xyz", "mf"[: max(1, n_keys - 1)]))
    counted = data.draw(st.dictionaries(st.sampled_from(every), cells, min_size=2))
    rows = list(counted.items())
    with from_arrow(table(rows)) as dataset:
        (found,) = count_cells(dataset, unit(n_keys), thresholds=(5, 1_001))
    below = (found.n_below["5"], found.n_below["1001"])
    numbers = (found.n_cells, found.n_zero, found.n_hidden, found.smallest, *below, found.n_disclosing)
    assert numbers == counted_by_hand([(key[:n_keys], n) for key, n in rows], n_keys)
    assert (found.column, found.dominant) == ("n", None)


parts = st.one_of(st.none(), st.sampled_from(["c", "-1", "0", "0.5", "1", "25", "60", "1,000"]))


@settings(max_examples=80, deadline=None)
@given(st.lists(st.tuples(parts, parts), min_size=1, max_size=6))
def test_the_dominance_is_the_largest_share_of_a_total(rows: list[tuple[str | None, str | None]]) -> None:
    def number(text: str | None) -> float | None:
        return None if text in (None, "c") else float(text.replace(",", ""))

    pairs = [(number(part), number(whole)) for part, whole in rows]
    valid = [(p, w) for p, w in pairs if p is not None and w is not None and p >= 0 and w > 0]
    expected = None if not valid or any(p > w for p, w in valid) else max(p / w for p, w in valid)
    texts = {"largest_turnover": [part for part, _ in rows], "turnover": [whole for _, whole in rows]}
    columns = {name: pa.array(cells, pa.string()) for name, cells in texts.items()}
    with from_arrow(pa.table({**columns, "n": ["7"] * len(rows)})) as dataset:
        (found,) = count_cells(dataset, unit(0), thresholds=(5,))
    assert found.dominant == expected
    with from_arrow(pa.table({**columns, "largest_income": columns["turnover"], "n": ["7"] * len(rows)})) as dataset:
        (found,) = count_cells(dataset, unit(0), thresholds=(5,))
    assert found.dominant is None


def test_every_column_of_counts_has_a_record_and_other_tables_have_none(monkeypatch: pytest.MonkeyPatch) -> None:
    counts = pa.table({"region": ["a", "b"], "men": ["3", "0"], "women": ["8", "9"]})
    with from_arrow(counts) as dataset:
        found = count_cells(dataset, unit(1, "men", "women"), thresholds=(5,))
        assert [(each.column, each.smallest, each.n_below) for each in found] == [
            ("men", 3, {"5": 1}),
            ("women", 8, {"5": 0}),
        ]
        assert count_cells(dataset, replace(unit(1, "men"), kind="person"), thresholds=(5,)) == ()
        for most, n in ((2, 1), (1, 0)):
            monkeypatch.setattr("privaudit.risk.measures.cells.ROWS_IN_MEMORY", most)
            assert len(count_cells(dataset, unit(1, "men"), thresholds=(5,))) == n


def scan(rows: dict[tuple[str, str], int], **options: Any) -> Any:
    found = privaudit.scan(table([*rows.items()]), ner=False, policy="controlled", **options).wire
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
