"""Looks list small classes as pandas counts them, and print values on a terminal only."""

from __future__ import annotations

import os
import pty
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import privaudit
from privaudit.audit.coding_limits import round_limit
from tests.helpers.paths import third_party

cells = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(["x", "y", None])), min_size=1, max_size=40)
MARK = "Zanzibar7731"


def people():
    return pd.DataFrame({"city": ["Nairobi"] * 5 + [MARK] + ["Kisumu"] * 3, "sex": list("FFFFFMMFF"), "n": range(9)})


@settings(max_examples=30, deadline=None)
@given(rows=cells, below=st.integers(2, 6))
def test_the_classes_below_k_are_those_of_pandas(rows, below):
    frame = pd.DataFrame(rows, columns=["a", "b"]).astype(object)
    found = privaudit.classes(frame, ["a", "b"], below)
    groups = frame.groupby(["a", "b"], dropna=False).indices.values()
    small = sorted((len(rows), tuple((np.sort(rows) + 1).tolist())) for rows in groups if len(rows) < below)
    assert [(each.size, each.rows) for each in found.small] == small
    assert found.n_classes == len(groups) and found.k_min == min(map(len, groups))
    assert found.to_frame()["size"].tolist() == [size for size, _ in small]


@settings(max_examples=20, deadline=None)
@given(
    rows=st.lists(
        st.tuples(*[st.sampled_from(["a", "b", "*", None])] * 2, st.sampled_from("pqrs")), min_size=2, max_size=30
    ),
    subject=st.sampled_from([None, "who"]),
)
def test_classes_scan_and_scores_count_the_same_records(tmp_path_factory, rows, subject):
    frame = pd.DataFrame(rows, columns=["u", "v", "who"]).astype(object)
    suppressed = {row for row, cells in enumerate(rows, 1) if cells[:2] == ("*", "*")}
    suppressed = set() if len(suppressed) == len(rows) else suppressed
    looked = privaudit.classes(frame, ["u", "v"], len(rows) + 1)
    assert (looked.n_suppressed, looked.n_records) == (len(suppressed), len(rows) - len(suppressed))
    assert {row for each in looked.small for row in each.rows} == {*range(1, len(rows) + 1)} - suppressed
    target = tmp_path_factory.mktemp("scores") / "scores.csv"
    found = privaudit.scan(frame, quasi=["u", "v"], subject=subject, ner=False, scores=target)
    lines = [line.split(",") for line in target.read_text().splitlines()[1:]]
    assert {int(line[0]) for line in lines} == {row for each in looked.small for row in each.rows}
    stated = [item for item in found.limits if item.code == "risk.suppressed_records"]
    assert len(stated) == bool(suppressed)
    if subject is None:
        assert (found.risk.n_classes, found.risk.k_min) == (looked.n_classes, looked.k_min)
        sizes = {row: each.size for each in looked.small for row in each.rows}
        assert {int(row): int(size) for row, size, *_ in lines} == sizes


def test_suppressed_records_are_stated(run, tmp_path):
    table = pd.DataFrame({"city": ["Kisumu", "Kisumu", "*"], "age": ["31", "31", "*"]})
    table.to_csv(tmp_path / "table.csv", index=False)
    ended = run("classes", "table.csv", "--quasi", "city,age", "--below", "3")
    assert ended.returncode == 0 and "In 1 record, every one of these columns is suppressed" in ended.stdout
    assert "1 class over" in ended.stdout


@pytest.mark.shared
def test_the_classes_of_the_course():
    table = third_party("kenya_insurance", "data", "Insurance_data_ke.csv")
    found = privaudit.classes(table, "Age,Tier".split(","), 4)
    assert (found.n_classes, len(found.small), found.n_small_records, found.n_unique) == (135, 18, 42, 3)


def test_sizes_and_rows_are_printed_and_no_value(run, tmp_path):
    people().to_csv(tmp_path / "people.csv", index=False)
    ended = run("classes", "people.csv", "--quasi", "city,sex", "--below", "3")
    assert ended.returncode == 0 and "size 1" in ended.stdout and "rows 6" in ended.stdout
    assert MARK not in ended.stdout and "Kisumu" not in ended.stdout


@pytest.mark.parametrize("more", [[], ["-o", "x.txt"], ["--format", "json"]])
def test_values_are_refused_in_a_pipe_and_there_is_no_output_file(run, tmp_path, more):
    people().to_csv(tmp_path / "people.csv", index=False)
    ended = run("classes", "people.csv", "--quasi", "city", "--below", "3", "--show-values", *more)
    assert ended.returncode == 2 and MARK not in ended.stdout + ended.stderr and not (tmp_path / "x.txt").exists()


@pytest.mark.parametrize("is_ci", [False, True])
def test_values_are_shown_on_a_terminal_and_never_in_ci(tmp_path, is_ci):
    people().to_csv(tmp_path / "people.csv", index=False)
    environment = {key: value for key, value in os.environ.items() if key != "CI"} | ({"CI": "true"} if is_ci else {})
    words = ["classes", "people.csv", "--quasi", "city", "--below", "3", "--show-values"]
    main, terminal = pty.openpty()
    ended = subprocess.run(
        [sys.executable, "-m", "privaudit", *words],
        cwd=tmp_path,
        env=environment,
        stdout=terminal,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    os.close(terminal)
    shown = os.read(main, 100_000).decode() if ended.returncode == 0 else ""
    os.close(main)
    assert ended.returncode == (2 if is_ci else 0)
    assert (MARK in shown) == (not is_ci)


def test_the_profile_has_the_numbers_of_pandas():
    frame = people()
    frame.loc[:2, "sex"] = None
    made = privaudit.profile(frame).to_frame().set_index("column")
    assert made["n_missing"].tolist() == frame.isna().sum().tolist()
    assert made["n_distinct"].tolist() == frame.nunique().tolist()
    shares = frame["city"].value_counts(normalize=True)
    assert made.loc["city", "entropy_bits"] == pytest.approx(-(shares * np.log2(shares)).sum(), abs=1e-3)


@settings(max_examples=60, deadline=None)
@given(values=st.lists(st.integers(-5_000, 90_000), min_size=30, max_size=200), k=st.integers(2, 12))
def test_at_least_k_records_are_at_or_beyond_each_limit(values, k):
    (look,) = privaudit.profile(pd.DataFrame({"income": values}), k=k)
    if look.top is not None:
        assert sum(value >= look.top for value in values) >= k
    if look.bottom is not None:
        assert sum(value <= look.bottom for value in values) >= k


def test_a_limit_has_two_digits_and_is_above_some_number():
    assert round_limit(np.array([1009.0, 19973.0, 19999.0]), np.array([900, 15, 5]), 15) == 19_000
    assert round_limit(np.array([7.0]), np.array([90]), 15) is None
