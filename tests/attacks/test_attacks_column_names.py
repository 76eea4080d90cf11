"""Columns without names: matched by their distributions with those of other people."""

from __future__ import annotations

import itertools

import numpy as np
import pyarrow as pa
import pytest

from privaudit.api.scans import attack
from privaudit.attacks.masked.column_names import _Distribution, assign_columns, recoded

pytest.importorskip("scipy")


def people(n, seed):
    random = np.random.default_rng(seed)
    columns = {
        "age": random.integers(18, 90, n),
        "salary": np.round(random.lognormal(10, 0.5, n)).astype(int),
        "sex": random.choice(["f", "m"], n, p=[0.3, 0.7]),
        "town": random.choice([f"t{i}" for i in range(9)], n, p=np.arange(1, 10) / 45),
        "smoker": random.choice(["0", "1"], n, p=[0.85, 0.15]),
    }
    return pa.table({name: cells.astype(str).tolist() for name, cells in columns.items()})


def without_names(table, *, coded=False):
    columns = {}
    for i, name in enumerate(reversed(table.column_names)):
        cells = np.array(table[name].to_pylist())
        if coded:
            values, index = np.unique(cells, return_inverse=True)
            cells = np.char.add("x", np.random.default_rng(i).permutation(len(values)).astype(str))[index]
        columns[f"c{i}"] = cells.tolist()
    return pa.table(columns)


@pytest.mark.parametrize("coded", [False, True])
def test_distributions_name_the_columns(coded):
    original, others = people(600, 1), people(500, 2)
    release = without_names(original, coded=coded)
    report = attack(release, original=original, control=others)
    (found,) = (one for one in report.attacks if one.kind == "column_names")
    assert (found.n_targets, found.n_correct, found.baseline) == (5, 5, 0.2)
    assert found.control < 1
    assert not any(found.outcome.code in str(one.message) for one in report.findings)


def test_named_columns_are_not_attacked():
    original = people(300, 1)
    report = attack(original, original=original, control=people(300, 2))
    assert "column_names" not in {one.kind for one in report.attacks}


def test_the_assignment_is_the_cheapest_of_all():
    a, b = people(80, 3), people(60, 4)
    ours, theirs = ({n: np.array(t[n].to_pylist()) for n in t.column_names} for t in (a, b))
    cost = {(x, y): _Distribution(ours[x]).distance(_Distribution(theirs[y])) for x in ours for y in theirs}
    found = sum(cost[pair] for pair in assign_columns(ours, theirs).items())
    least = min(sum(cost[p] for p in zip(ours, o, strict=True)) for o in itertools.permutations(theirs))
    assert found == pytest.approx(least)
    assert all(cost[x, x] <= min(cost[x, y] for y in theirs) for x in ours)


def test_a_right_name_is_known_only_where_one_column_alone_is_recoded():
    x, y = np.array(list("aabbc")), np.array(list("ppqrr"))
    z = np.array(list("22331"))
    assert recoded({"c0": z}, {"x": x, "y": y}) == {"c0": "x"}
    assert recoded({"c0": z}, {"x": x, "again": x}) == {} == recoded({"c0": np.array(list("aaaaa"))}, {"x": x})
