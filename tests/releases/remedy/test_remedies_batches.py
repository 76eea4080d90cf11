"""A table is written batch by batch as at once, and its utility follows from distinct values as from rows."""

from __future__ import annotations

import hashlib
import subprocess
import sys

import numpy as np
import pyarrow as pa
import pyarrow.csv as pc
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privaudit.releases import output
from privaudit.releases.remedy.middles import middle
from privaudit.releases.remedy.types import typed
from privaudit.releases.remedy.utility import utility
from privaudit.source.cells import coded_tables

STREAMED = (".csv", ".tsv", ".parquet", ".arrow", ".sqlite")
TYPES = {"n": pa.int64(), "x": pa.float64(), "s": pa.string(), "d": pa.date32(), "b": pa.bool_()}
VALUES = {
    "n": ["1", "20", "-3"],
    "x": ["0.5", "1.0", "2e+300"],
    "s": ["a", 'qu"ote', "lines\n", "1"],
    "d": ["2020-02-29", "1969-12-31"],
    "b": ["true", "false"],
}
rows = st.integers(1, 30).flatmap(
    lambda n: st.fixed_dictionaries(
        {c: st.lists(st.sampled_from([*values, None]), min_size=n, max_size=n) for c, values in VALUES.items()}
    )
)


def texts(cells):
    return pa.table({name: pa.array(column, pa.string()) for name, column in cells.items()})


def written(table, path, suffix, monkeypatch, n_rows):
    """Return the digest of a table that is written in batches of `n_rows`."""
    chosen = output.target_of(path / f"{n_rows}{suffix}")
    with monkeypatch.context() as patch:
        patch.setattr(output, "BATCH_ROWS", n_rows)
        patch.setattr(coded_tables.plain_batches, "__defaults__", (n_rows,))
        chosen.output.write(table, chosen.path, chosen.part)
    content = chosen.path.read_bytes()
    chosen.path.unlink()
    return hashlib.sha256(content).hexdigest()


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".sqlite"])
@settings(max_examples=25, deadline=None)
@given(cells=rows, n_rows=st.integers(1, 7))
def test_batches_give_the_bytes_of_one_batch(tmp_path_factory, suffix, cells, n_rows):
    folder, patch = tmp_path_factory.mktemp("written"), pytest.MonkeyPatch()
    coded = typed(coded_tables.coded_table([texts(cells)]), TYPES, dict.fromkeys(TYPES, ""))
    at_once = written(coded_tables.plain_table(coded), folder, suffix, patch, 1_000)
    assert written(coded, folder, suffix, patch, n_rows) == written(coded, folder, suffix, patch, 1_000) == at_once


@settings(max_examples=25, deadline=None)
@given(cells=rows)
def test_a_table_of_codes_gives_the_bytes_of_a_plain_table_in_every_format(tmp_path_factory, cells):
    folder, patch = tmp_path_factory.mktemp("written"), pytest.MonkeyPatch()
    text = texts(cells)
    plain = typed(text, TYPES, dict.fromkeys(TYPES, ""))
    coded = typed(coded_tables.coded_table([text]), TYPES, dict.fromkeys(TYPES, ""))
    assert coded_tables.plain_schema(coded) == plain.schema
    for suffix in STREAMED:
        assert written(coded, folder, suffix, patch, 1_000) == written(plain, folder, suffix, patch, 1_000)


def test_row_groups_are_those_that_arrow_writes(tmp_path):
    """Parquet files have the bytes of `pyarrow.parquet.write_table`, over the end of a row group as well."""
    n = coded_tables.BATCH_ROWS + 10
    rng = np.random.default_rng(5)
    plain = pa.table({"a": rng.integers(0, 9, n), "b": pa.array(["x", "y"], pa.string()).take(rng.integers(0, 2, n))})
    pq.write_table(plain, tmp_path / "whole.parquet", compression="zstd", store_schema=True)
    coded = pa.table({name: plain[name].dictionary_encode() for name in plain.column_names})
    output.write_parquet(coded, tmp_path / "parts.parquet", "")
    assert (tmp_path / "parts.parquet").read_bytes() == (tmp_path / "whole.parquet").read_bytes()


NUMBERS = ["1", "2", "2.0", "3.5", "10-19", "x", None]


@settings(max_examples=60, deadline=None)
@given(data=st.data(), n=st.integers(3, 25))
def test_means_medians_and_correlations_are_those_of_the_rows(data, n):
    draw = lambda size: data.draw(st.lists(st.sampled_from(NUMBERS), min_size=size, max_size=size))  # noqa: E731
    chosen = data.draw(st.lists(st.integers(0, n - 1), min_size=1, max_size=n, unique=True))
    before, after = ({"a": draw(size), "b": draw(size)} for size in (n, len(chosen)))
    found = utility(texts(before), texts(after), np.array(chosen))
    sides = [{name: as_numbers(side[name]) for name in side} for side in (before, after)]
    for column in found.columns:
        old, new = (numbers_among(side[column.column]) for side in (before, after))
        if old is None or new is None or not len(new) or not old.std() > 1e-9:
            assert column.mean_change is None and column.median_change is None
            continue
        assert column.mean_change == pytest.approx((new.mean() - old.mean()) / old.std(), abs=2e-6)
        assert column.median_change == pytest.approx((np.median(new) - np.median(old)) / old.std(), abs=2e-6)
    if all(numbers_among(side[name]) is not None for side in (before, after) for name in side):
        changes = [correlation(*side.values()) for side in sides]
        expected = None if None in changes else abs(changes[1] - changes[0])
        assert found.correlation_change == (expected if expected is None else pytest.approx(expected, abs=2e-6))


def as_numbers(cells):
    return np.array([np.nan if cell is None else middle(cell) for cell in cells])


def numbers_among(cells):
    """Return the numbers of a column; None where fewer than 90 % of its values are numbers."""
    values = [middle(cell) for cell in set(cells) - {None}]
    known = np.isfinite(values).sum() if values else 0
    each = as_numbers(cells)
    return each[np.isfinite(each)] if values and known >= 0.9 * len(values) else None


def correlation(x, y):
    known = np.isfinite(x) & np.isfinite(y)
    x, y = x[known], y[known]
    return None if len(x) < 3 or np.ptp(x) == 0 or np.ptp(y) == 0 else float(np.corrcoef(x, y)[0, 1])


REMEDY = """
import sys
import privaudit
privaudit.remedy(sys.argv[1], output=sys.argv[2], ner=False, framework=(), unit="person", quasi=("age", "zip", "sex"))
print(next(line for line in open("/proc/self/status") if line.startswith("VmHWM")).split()[1])
"""
N_ANSWERS = 9


def peak(folder, n):
    """Return the peak memory of a remedy of `n` people in a process of its own, in bytes."""
    rng = np.random.default_rng(3)
    answers = pa.array([f"a long answer, number {i}" for i in range(9)])
    columns = {"age": rng.integers(18, 90, n), "zip": rng.integers(10_000, 10_100, n), "sex": rng.integers(0, 2, n)}
    columns |= {f"answer_{i}": answers.take(pa.array(rng.integers(0, 9, n))) for i in range(N_ANSWERS)}
    source = folder / f"{n}.csv"
    pc.write_csv(pa.table(columns), source)
    command = [sys.executable, "-c", REMEDY, source, folder / f"safe{n}.csv"]
    made = subprocess.run(command, capture_output=True, text=True, check=True)
    return 1024 * int(made.stdout), source.stat().st_size


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="peak memory is read as Linux states it")
def test_the_memory_of_a_remedy_grows_by_less_than_the_text_of_two_tables(tmp_path):
    small, _ = peak(tmp_path, 200_000)
    large, n_bytes = peak(tmp_path, 800_000)
    assert (large - small) / 600_000 < 2 * n_bytes / 800_000
