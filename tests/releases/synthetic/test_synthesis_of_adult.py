"""The figures of the documentation on Adult and on 800 records of SDNIST, measured again."""

from __future__ import annotations

import sys
import time

import numpy as np
import pytest

from tests.helpers.paths import ROOT

SHARED = ROOT.parent / "shared" / "data"
ADULT = SHARED / "arx" / "data" / "adult.csv"
SDNIST = SHARED / "sdnist" / "sdnist" / "test" / "report" / "data" / "na2019_1000.csv"


@pytest.fixture
def benchmark(monkeypatch):
    """Return the module of the benchmark."""
    if not ADULT.is_file():
        pytest.skip("../shared/data is missing")
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    import synthesis

    yield synthesis
    sys.modules.pop("synthesis")


@pytest.mark.shared
@pytest.mark.slow
def test_all_rows_of_adult_at_epsilon_1(benchmark) -> None:
    """Mean of five runs: AIM has TV2 of at most .025, TV3 of at most .058, AUC of at least .87; PrivBayes TV2 .05."""
    table = benchmark.adult(str(ADULT))
    started = time.process_time()
    aim = benchmark.mean_of("aim", 1, table, None, 5)
    bayes = benchmark.mean_of("privbayes", 1, table, None, 5)
    assert time.process_time() - started < 5 * 60  # hangs, not slowness
    assert aim[1] <= 0.025
    assert aim[2] <= 0.058
    assert aim[3] >= 0.87
    assert bayes[1] <= 0.05


@pytest.mark.slow
@pytest.mark.shared
def test_independent_columns_win_on_800_records_of_sdnist(benchmark) -> None:
    if not SDNIST.is_file():
        pytest.skip("../shared/data is missing")
    table = benchmark.sdnist(str(SDNIST))
    members = table.take(np.arange(800))
    error = {
        method: np.mean(
            [
                benchmark.mean_distances(members, benchmark.run_method(method, 1, members, seed)[0])[1]
                for seed in range(3)
            ]
        )
        for method in ("independent", "mst", "privbayes")
    }
    assert min(error, key=error.__getitem__) == "independent"
    # The noise has no seed: means of three runs lay between 0.17 and 0.20, the reference is 0.196.
    assert error["independent"] == pytest.approx(0.185, abs=0.04)
