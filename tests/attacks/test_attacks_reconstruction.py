"""Hidden cells of published tables: ranges against trying all tables, and published layouts."""

from __future__ import annotations

import csv
import functools
import io
import itertools
import json
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import privaudit
from privaudit.attacks.published.cell_ranges import Cells, compare_with_draws
from privaudit.attacks.published.published_tables import Cell, Layout, Published
from privaudit.attacks.published.reconstruction import hidden_ranges
from privaudit.base.errors import ConfigError
from tests.helpers.command import refusal
from tests.helpers.paths import SHARED

pytest.importorskip("scipy")


@given(st.lists(st.integers(1, 4), min_size=4, max_size=4), st.lists(st.booleans(), min_size=4, max_size=4))
@settings(deadline=None, max_examples=30)
def test_ranges_equal_trying_all_tables(cells, hidden):
    """A table of two by two with its margins; hidden counts are 1 to 4."""
    keys = list(itertools.product("ab", "xy"))
    total = {(a, None): sum(c for c, k in zip(cells, keys, strict=True) if k[0] == a) for a in "ab"}
    total |= {(None, b): sum(c for c, k in zip(cells, keys, strict=True) if k[1] == b) for b in "xy"}
    layout = Layout(dimensions=("r", "c"), count="n", least=1, most=4)
    shown = [Cell(k, None if h else c) for k, c, h in zip(keys, cells, hidden, strict=True)]
    low, high, _one = hidden_ranges([Published(layout, (*shown, *(Cell(k, n) for k, n in total.items())))])
    options = [range(1, 5) if h else [c] for c, h in zip(cells, hidden, strict=True)]
    fitting = [
        each
        for each in itertools.product(*options)
        if all(
            sum(c for c, k in zip(each, keys, strict=True) if (r or k[0], s or k[1]) == k) == n
            for (r, s), n in total.items()
        )
    ]
    at = [i for i, h in enumerate(hidden) if h]
    assert low.tolist() == [min(each[i] for each in fitting) for i in at]
    assert high.tolist() == [max(each[i] for each in fitting) for i in at]


TABLE = """region,sex,n
North,F,12
North,M,*
North,Total,15
South,F,*
South,M,20
South,Total,24
Total,F,16
Total,M,23
Total,Total,39
"""


def test_a_published_table_is_guessed_and_its_hidden_cells_computed(tmp_path):
    file = tmp_path / "published.csv"
    file.write_text(TABLE)
    report = privaudit.attack(file, reconstruct=True)
    (found,) = report.attacks
    assert found.n_targets == 2 and found.n_correct == 2
    assert found.detail.measures["people_determined"].n == 7
    assert "REC001" in {one.code for one in report.findings}
    assert "North" not in report.to_json() and "South" not in report.to_json()
    assert "REC001" in {one.code for one in privaudit.scan(file).findings}


def test_a_file_states_the_layout(tmp_path):
    file, cells = tmp_path / "published.csv", tmp_path / "cells.toml"
    file.write_text(TABLE.replace("Total", "zusammen"))
    with pytest.raises(ConfigError, match="not clear"):
        privaudit.attack(_ambiguous(tmp_path), reconstruct=True)
    cells.write_text('[[table]]\ndimensions = ["region", "sex"]\ncount = "n"\nhidden = "*"\ntotal = "zusammen"\n')
    (found,) = privaudit.attack(file, reconstruct=True, cells=cells).attacks
    assert found.n_correct == 2


PEOPLE = "name,sex,town,age\n" + "".join(f"Person {i},{'fm'[i % 2]},Town {i % 7},{20 + i % 50}\n" for i in range(90))


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("text", [PEOPLE, PEOPLE.replace(",33\n", ",*\n"), PEOPLE.replace("Town 3", "Total")])
def test_a_table_of_people_is_not_taken_for_published_counts(text, tmp_path):
    file = tmp_path / "people.csv"
    file.write_text(text)
    with pytest.raises(ConfigError, match="not clear"):
        privaudit.attack(file, reconstruct=True)


def _ambiguous(folder):
    file = folder / "ambiguous.csv"
    file.write_text("region,sex,n,m\nNorth,F,1,*\nNorth,M,*,4\n")
    return file


def test_without_totals_nothing_is_determined(tmp_path):
    file = tmp_path / "published.csv"
    file.write_text("".join(line for line in TABLE.splitlines(keepends=True) if "Total" not in line))
    (found,) = privaudit.attack(file, reconstruct=True).attacks
    assert found.n_correct == 0


@pytest.mark.parametrize(("total", "contradicts"), [(3, True), (7, False)])
def test_tables_that_contradict_each_other_are_not_attacked(tmp_path, total, contradicts):
    file = tmp_path / "published.csv"
    file.write_text(f"region,sex,n\nNorth,F,5\nNorth,M,*\nNorth,Total,{total}\n")
    found = privaudit.attack(file, reconstruct=True)
    codes = [one.code for one in found.limits if one.incomplete]
    assert ("attacks.tables_contradict" in codes, not found.attacks) == (contradicts, contradicts)


@pytest.mark.shared
def test_suppressed_tables_of_heart():
    if not SHARED.is_dir():
        pytest.skip("the reference tables are not available")
    text = (SHARED / "data" / "heart" / "heart_disease.csv").read_text()
    table = list(csv.DictReader(io.StringIO(text)))
    names = ["sex", "cp", "fbs", "restecg", "exang", "slope", "ca", "thal", "target"]
    hidden = determined = broken = 0
    for a, b in itertools.combinations(names, 2):
        keys = [sorted({row[c] for row in table}) for c in (a, b)]
        counts = np.array([[sum(r[a] == x and r[b] == y for r in table) for y in keys[1]] for x in keys[0]])
        at = np.argwhere((counts >= 1) & (counts <= 4))
        if len(at):
            sums = [(at[:, axis] == i).astype(float) for axis in (0, 1) for i in range(counts.shape[axis])]
            values = counts[at[:, 0], at[:, 1]]
            totals = np.array([line @ values for line in sums])
            low, high = Cells(np.ones(len(at)), np.full(len(at), 4.0), np.array(sums), totals).ranges()
            hidden, determined = hidden + len(at), determined + int((low == high).sum())
            broken += bool((low == high).any())
    assert (hidden, determined, broken) == (71, 67, 24)


def _margins(table, names, size):
    """Return the tables of every `size` of the columns, complete, with all counts shown."""
    values = {name: sorted({row[name] for row in table}) for name in names}
    for chosen in itertools.combinations(names, size):
        counts = Counter(tuple(row[name] for name in chosen) for row in table)
        lines = [",".join([*key, str(counts[key])]) for key in itertools.product(*(values[n] for n in chosen))]
        yield "\n".join([",".join([*chosen, "n"]), *lines, ""])


def _cells(folder, tables):
    file = folder / "cells.toml"
    entries = [text.splitlines()[0].split(",")[:-1] for text in tables]
    file.write_text("".join(f'[[table]]\ndimensions = {json.dumps(names)}\ncount = "n"\n' for names in entries))
    return file


def _attacked(folder, tables, original=None):
    files = [folder / f"t{i}.csv" for i in range(len(tables))]
    for file, text in zip(files, tables, strict=True):
        file.write_text(text)
    report = privaudit.attack(
        files[0], published=files[1:], reconstruct=True, cells=_cells(folder, tables), original=original
    )
    return report, report.attacks[0]


def test_margins_that_hide_nothing_determine_cells_of_their_cross(tmp_path):
    """Two people, whose margins leave one table: a = 1, b = 1 and c = 1 in both pairs of each."""
    people = [{"a": x, "b": x, "c": x} for x in "12"]
    report, found = _attacked(tmp_path, list(_margins(people, "abc", 2)))
    assert (found.n_targets, found.n_correct, found.method) == (2, 2, "cross")
    measures = found.detail.measures
    assert (measures["cells_hidden"].n, measures["cells_determined"].n, measures["people_alone"].n) == (8, 8, 2)
    assert "REC001" in {one.code for one in report.findings}


@pytest.mark.parametrize("shape", [(2, 3), (3, 2, 2)])
def test_a_feasible_table_is_compared_with_the_true_one_and_with_draws(shape):
    random = np.random.default_rng(3)
    true = random.integers(0, 9, size=shape)
    same = compare_with_draws(true, true, seed=1)
    assert same.n_people == same.n_feasible == true.sum() and same.n_drawn < true.sum()
    margins = [true.sum(axis=tuple(j for j in range(len(shape)) if j != i)) / true.sum() for i in range(len(shape))]
    independent = functools.reduce(np.multiply.outer, margins)
    drawn = [np.minimum(random.multinomial(true.sum(), independent.ravel()), true.ravel()).sum() for _ in range(3000)]
    assert same.n_drawn == pytest.approx(np.mean(drawn), abs=1)
    swapped = compare_with_draws(np.flip(true, axis=0), true, seed=1)
    assert swapped.n_feasible == sum(
        min(a, b) for a, b in zip(true.ravel(), np.flip(true, axis=0).ravel(), strict=True)
    )


def test_a_feasible_table_is_compared_with_the_original_and_no_cell_of_it_is_shown(tmp_path):
    people = [{"town": f"fontaine{x}", "job": f"hidden{x}", "illness": f"covert{x}"} for x in (1, 1, 2, 3)]
    original = tmp_path / "people.csv"
    original.write_text("town,job,illness\n" + "".join(",".join(row.values()) + "\n" for row in people))
    report, found = _attacked(tmp_path, list(_margins(people, ["town", "job", "illness"], 2)), original)
    measures = found.detail.measures
    assert measures["people_matched"].n == 4 and measures["people_matched_by_chance"].n < 4
    assert [one.kind for one in report.attacks] == ["reconstruction"]
    assert not any(word in report.to_json() for word in ("fontaine", "hidden1", "covert"))


def test_one_way_margins_determine_nothing_of_a_mixed_table(tmp_path):
    people = [{"a": x, "b": y} for x in "12" for y in "12"]
    _, found = _attacked(tmp_path, list(_margins(people, "ab", 1)))
    assert found.n_correct == 0 and found.detail.measures["cells_determined"].n == 0


@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.parametrize(("size", "expected"), [(2, (0, 0, 0)), (3, (32, 8, 3))])
def test_margins_of_heart(size, expected, tmp_path):
    """The values of the reference: cells determined, people in them, people alone."""
    if not SHARED.is_dir():
        pytest.skip("the reference tables are not available")
    text = (SHARED / "data" / "heart" / "heart_disease.csv").read_text()
    table = list(csv.DictReader(io.StringIO(text)))
    original = SHARED / "data" / "heart" / "heart_disease.csv"
    names = ["sex", "cp", "exang", "slope", "target"]
    _, found = _attacked(tmp_path, list(_margins(table, names, size)), original)
    measures = found.detail.measures
    # The reference: 170.3 by independent draws; 205 and 291 by the feasible tables that its solver found.
    assert measures["people_matched_by_chance"].n == pytest.approx(170.3, abs=3)
    assert measures["people_matched"].n > (190, 270)[size - 2]
    assert measures["cells_hidden"].n == 96 and found.n_targets == 303
    names = ("cells_determined", "people_determined", "people_alone")
    assert tuple(measures[name].n for name in names) == expected


def test_a_broken_file_of_layouts_is_refused_with_its_line(run, tmp_path):
    (tmp_path / "t.csv").write_text("sex,n\nF,3\nM,4\n", encoding="utf-8")
    (tmp_path / "cells.toml").write_text("[[table]]\ncount = \n", encoding="utf-8")
    assert "cells.toml, line 2" in refusal(run("attack", "t.csv", "--reconstruct", "--cells", "cells.toml"))
    assert "does not exist" in refusal(run("attack", "t.csv", "--reconstruct", "--cells", "none.toml"))
