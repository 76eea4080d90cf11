"""Counts that the public edition withholds: ranges against all class sizes, generated tables, an edition that leaks."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import privaudit
from privaudit.attacks.inputs import EditionInputs
from privaudit.attacks.published import public_edition
from privaudit.attacks.published.cell_ranges import Infeasible
from privaudit.attacks.published.public_edition import CLASSES, Bounds, ClassSizes, propagate
from privaudit.base.errors import ConfigError
from privaudit.report import public
from privaudit.report.public import publish, threshold

pytest.importorskip("scipy")


def partitions(n: int, most: int) -> Iterator[tuple[int, ...]]:
    """Yield all class sizes that sum to `n`, in descending order."""
    if n == 0:
        yield ()
    for size in range(min(n, most), 0, -1):
        for rest in partitions(n - size, size):
            yield size, *rest


def counts(sizes: tuple[int, ...], k: int) -> dict[int, int]:
    below = {threshold: sum(size for size in sizes if size < threshold) for threshold in (2, 3, k)}
    return below | {CLASSES: len(sizes)}


@given(st.integers(5, 13), st.integers(4, 6), st.data())
@settings(deadline=None, max_examples=30)
def test_ranges_equal_trying_all_class_sizes(n: int, k: int, data: st.DataObject) -> None:
    """What is shown is true of one of the partitions, drawn, and leaves room around it."""
    tried = list(partitions(n, n))
    true = counts(data.draw(st.sampled_from(tried)), k)
    shown = {
        key: (max(0, count - data.draw(st.integers(0, 2))), count + data.draw(st.integers(0, 2)))
        for key, count in true.items()
    }
    fitting = [
        sizes for sizes in tried if all(low <= counts(sizes, k)[key] <= high for key, (low, high) in shown.items())
    ]
    solver = ClassSizes((n, n), k)
    found = solver.narrowed(Bounds(of=shown))
    for key in shown:
        values = [counts(sizes, k)[key] for sizes in fitting]
        assert found.of[key] == (min(values), max(values))
    smallest = [min(min(sizes), k) for sizes in fitting]
    assert solver.smallest(Bounds(of=shown)) == (min(smallest), max(smallest))


def test_a_further_column_narrows_the_ranges() -> None:
    """Two records are alone by sex, so at least two are alone by sex and age."""
    few, more = frozenset({"sex"}), frozenset({"sex", "age"})
    shown = {few: Bounds(of={2: (2, 2), 15: (2, 10)}), more: Bounds(of={2: (0, None), 15: (0, 10)})}
    found = propagate(shown, ClassSizes((100, 100), 15))
    assert found[more].of[2] == (2, 10) and found[few].of[15] == (2, 10)


def test_an_exact_count_below_the_threshold_is_computed() -> None:
    """One record in a class below 15 can only be alone."""
    known = Bounds(of={2: (0, None), 5: (0, None), 15: (1, 1)})
    solver = ClassSizes((400, 400), 15)
    assert solver.narrowed(known).of[2] == (1, 1) and solver.smallest(known) == (1, 1)


def test_numbers_that_contradict_each_other_are_infeasible() -> None:
    with pytest.raises(Infeasible):
        ClassSizes((40, 40), 15).narrowed(Bounds(of={2: (9, 9), 15: (3, 3)}))


def table(seed: int) -> pd.DataFrame:
    """Return a small table of people whose columns have a few common and some rare values."""
    rng = np.random.default_rng(seed)
    n, columns = int(rng.integers(60, 400)), {}
    for i in range(int(rng.integers(2, 4))):
        weights = rng.dirichlet(np.full(int(rng.integers(2, 9)), 0.6))
        columns[f"q{i}"] = [f"v{j:02}" for j in rng.choice(len(weights), n, p=weights)]
    columns["diagnosis"] = [f"d{j}" for j in rng.choice(5, n, p=[0.5, 0.3, 0.15, 0.04, 0.01])]
    return pd.DataFrame(columns)


def saved(seed: int, folder) -> str:
    frame = table(seed)
    quasi = [name for name in frame if name.startswith("q")]
    made = privaudit.scan(frame, policy="public", quasi=quasi, sensitive=["diagnosis"], ner=False, advice=False)
    made.write(folder / "report.json")
    return folder / "report.json"


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("seed", range(12))
def test_no_withheld_count_of_generated_tables_can_be_computed(seed, tmp_path) -> None:
    report = privaudit.attack(saved(seed, tmp_path), reconstruct=True)
    (found,) = report.attacks
    assert found.kind == "public_edition" and found.n_correct == 0
    assert found.detail.measures["counts_narrowed"].n == 0
    assert report.gate().exit_code == 0 and "REC001" not in {one.code for one in report.findings}


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("seed", range(4))
def test_an_edition_that_shows_exact_counts_is_broken(seed, tmp_path, monkeypatch) -> None:
    full = privaudit.load(saved(seed, tmp_path)).wire
    monkeypatch.setattr(public._Publisher, "_rounded", lambda self, n, total=None: n)
    monkeypatch.setattr(public_edition, "_range", lambda shown, total: (shown, shown))
    inputs = EditionInputs(report=full, published=publish(full), k=threshold(full.policy))
    (found,) = public_edition.simulate_public_edition(inputs).attacks
    assert found.n_correct > 0


def test_a_report_is_attacked_alone(tmp_path) -> None:
    file = saved(1, tmp_path)
    with pytest.raises(ConfigError, match="alone"):
        privaudit.attack(file, original=file, reconstruct=True)


def test_a_report_without_classes_is_not_measured(tmp_path) -> None:
    privaudit.scan(pd.DataFrame({"note": ["a", "b"] * 40}), ner=False, advice=False).write(tmp_path / "r.json")
    report = privaudit.attack(tmp_path / "r.json", reconstruct=True)
    assert report.attacks == () and report.gate().exit_code == 3
