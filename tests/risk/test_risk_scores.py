"""Per-record scores equal those of the distinct rows, row by row."""

from __future__ import annotations

from collections import Counter

import pyarrow as pa
import pyarrow.csv as pc
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privaudit.risk.codes.coded import encode
from privaudit.risk.codes.markers import markers_as_missing
from privaudit.risk.measures.scores import HEADER, record_scores
from privaudit.risk.search.combinations import search
from privaudit.source import from_arrow

cell = st.sampled_from(["a", "b", "c", None])


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(cell, cell, cell), min_size=1, max_size=30))
def test_class_sizes_and_smallest_sets_by_brute_force(rows):
    table = pa.table({name: pa.array([row[i] for row in rows], pa.string()) for i, name in enumerate("xyz")})
    with from_arrow(table) as dataset:
        scores = record_scores(dataset, encode(dataset, ["x", "y", "z"]), max_size=3)
    sizes = Counter(rows)
    assert scores.class_size.tolist() == [sizes[row] for row in rows]
    sets = [(0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2)]
    counts = {s: Counter(tuple(row[i] for i in s) for row in rows) for s in sets}
    for row, size in zip(rows, scores.smallest_unique_set.tolist(), strict=True):
        alone = [len(s) for s in sets if counts[s][tuple(row[i] for i in s)] == 1]
        assert size == (min(alone) if alone else 0)


def test_a_suppressed_record_has_no_scores_and_changes_no_others():
    rows = [("*", "*"), ("a", "x"), ("*", "x"), ("a", "x"), (None, None), ("*", "*")]
    table = pa.table({name: pa.array([row[i] for row in rows], pa.string()) for i, name in enumerate("xy")})
    with from_arrow(table) as dataset:
        coded, _, n_suppressed = markers_as_missing(encode(dataset, ["x", "y"]), quasi=["x", "y"])
        scores = record_scores(dataset, coded, max_size=2)
    assert n_suppressed == 2
    assert scores.class_size.tolist() == [0, 2, 1, 2, 1, 0]
    assert [scores.suda_score[i] for i in (0, 5)] == [0, 0]
    assert [scores.smallest_unique_set[i] for i in (0, 4, 5)] == [0, 1, 0]
    assert [line[0] for line in scores.lines()] == ["row", 2, 3, 4, 5]


def test_adult_rows(shared):
    options = pc.ParseOptions(delimiter=";")
    table = pc.read_csv(shared / "data/arx/data/adult.csv", parse_options=options)
    names = "sex age race marital-status education native-country workclass occupation".split()
    table = pa.table({name: table[name].cast(pa.string()) for name in names})
    with from_arrow(table) as dataset:
        scores = record_scores(dataset, encode(dataset, names), max_size=8)
    assert scores.suda_score[:8].tolist() == [72, 0, 48, 240, 864, 12, 1446, 24]
    assert int(scores.suda_score.sum()) == 3_087_614
    lines = list(scores.lines())
    assert lines[0] == HEADER and lines[1][0] == 1 and len(lines) == 30_163


@pytest.mark.parametrize("missing", ["wildcard", "one-sided"])
def test_missing_cells_may_be_anything(missing):
    rows = [("a", "x"), ("a", None), ("b", "x"), (None, "y"), ("b", "z")]
    table = pa.table({name: pa.array([row[i] for row in rows], pa.string()) for i, name in enumerate("xy")})
    with from_arrow(table) as dataset:
        coded = encode(dataset, ["x", "y"])
        scores = record_scores(dataset, coded, max_size=2, missing=missing)
        alone = [c.n_unique for c in search(coded, max_size=2, thresholds=(2,)).combinations]

    def match(mine, other):
        free = (None,) if missing == "wildcard" else ()
        return all(a == b or a is None or b in free for a, b in zip(mine, other, strict=True))

    expected = [sum(match(row, other) for other in rows) for row in rows]
    assert scores.class_size.tolist() == expected != [1] * 5
    assert alone[-1] == 5
