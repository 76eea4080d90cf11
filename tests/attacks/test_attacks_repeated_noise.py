"""Noise over repeated rows: the mean of r rows leaves s / sqrt(r)."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from privaudit.api.scans import attack
from privaudit.attacks.masked.repeated_noise import Repeated

N, R = 400, 25


def people(seed=1):
    random = np.random.default_rng(seed)
    return [f"p{i:04}" for i in range(N)], np.round(random.lognormal(10, 0.5, N)).astype(int)


def original():
    names, salaries = people()
    return pa.table({"person": names, "salary": salaries.astype(str).tolist()})


def released(*, once=False):
    """Return R rows of each person in random order, with noise of 15 % in each row or, `once`, for each person."""
    names, salaries = people()
    random = np.random.default_rng(2)
    noise = np.repeat(random.normal(0, 0.15, N), R) if once else random.normal(0, 0.15, N * R)
    noisy = np.round(np.repeat(salaries, R) * (1 + noise)).astype(int)
    order = random.permutation(N * R)
    return pa.table({"person": np.repeat(names, R)[order].tolist(), "salary": noisy[order].astype(str).tolist()})


def averaged(release):
    report = attack(release, original=original(), subject="person", sensitive="salary", unit="event")
    return report, [one for one in report.attacks if one.kind == "repeated_noise"]


def test_the_mean_over_the_rows_of_a_person_removes_the_noise():
    """Noise of 15 % leaves 3 % after 25 rows: 90 % of the means lie within 5 %, and 26 % of single rows."""
    report, (found,) = averaged(released())
    assert found.success.value == pytest.approx(0.904, abs=0.05) and found.control < 0.3
    assert found.outcome.values["single"].value == pytest.approx(0.261, abs=0.02)
    one, mean = (found.detail.measures[name].value for name in ("error_of_one_row", "error_of_the_mean"))
    assert mean / one == pytest.approx(1 / np.sqrt(R), rel=0.1)
    assert found.detail.measures["rows_of_a_person"].value == R
    assert "INF001" in {each.code for each in report.findings}
    shown = report.to_json()
    assert not any(f'"{value}"' in shown for value in original()["salary"].to_pylist())


def test_noise_that_is_drawn_once_for_each_person_is_not_averaged():
    assert averaged(released(once=True))[1] == []


def test_a_release_without_noise_or_without_repeated_rows_is_not_attacked():
    repeated = pa.concat_tables([original()] * 3)
    assert averaged(repeated)[1] == []
    names, salaries = people()
    once = pa.table({"person": names, "salary": (salaries + 7_000).astype(str).tolist()})
    assert averaged(once)[1] == []


def test_means_equal_those_of_each_group():
    random = np.random.default_rng(3)
    found = Repeated(random.permutation(np.repeat(np.arange(7), 4)), random.normal(size=28), np.arange(7.0))
    expected = [found.noisy[found.person == i].mean() for i in range(7)]
    assert found.means(found.noisy).tolist() == pytest.approx(expected)
