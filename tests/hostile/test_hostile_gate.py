"""No plausible disguise of personal data in the cells of a table of people passes the gate without a word."""

from __future__ import annotations

import random

import numpy as np
import pandas as pd
import pytest

import privaudit
from privaudit.detect.plain_numbers import are_telephone_numbers
from tests.hostile import gate_tricks as tricks

ALL = tricks.tricks()
PLAUSIBLE = [trick for trick in ALL if trick.expected == "noticed"]


def exit_code(columns: tricks.Columns) -> int:
    return privaudit.scan(pd.DataFrame(columns), ner=False, policy="public").gate().exit_code


def test_the_table_without_a_trick_passes():
    assert exit_code(tricks.people(random.Random(33))) == 0


def test_there_are_200_tricks_and_each_has_a_name_of_its_own():
    assert len({(trick.family, trick.name) for trick in ALL}) == len(ALL) >= 200


@pytest.mark.quick_cases(4)
@pytest.mark.parametrize("trick", PLAUSIBLE, ids=lambda trick: f"{trick.family}: {trick.name}")
def test_a_plausible_trick_fails_the_gate_or_is_not_assessed(trick):
    assert exit_code(tricks.table(trick)) in (1, 3)


def test_contrived_tricks_are_documented():
    from tests.helpers.paths import ROOT

    page = " ".join((ROOT / "docs" / "threat-model.md").read_text(encoding="utf-8").split())
    for trick in (one for one in ALL if one.expected == "contrived"):
        assert trick.topic in page, trick


def harmless(rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Return columns of ten-digit numbers that things have."""
    start, n = int(rng.integers(2 * 10**9, 9 * 10**9)), 400
    return {
        "amount": np.unique(np.exp(rng.normal(22, 1, n)).astype(np.int64)),
        "uniform": np.unique(rng.integers(2 * 10**9, 10**10, n)),
        "serial": start + np.arange(n),
        "in steps": start + 7 * np.arange(n),
        "blocks": np.unique(rng.choice(start + 10**6 * np.arange(20), n) + rng.integers(0, 10**5, n)),
        "rounded": np.unique(rng.integers(2 * 10**7, 10**8, n)) * 100,
        "seconds": np.unique(rng.integers(1_500_000_000, 1_800_000_000, n)),
        "milliseconds": np.unique(rng.integers(1_500_000_000, 1_800_000_000, n)) * 1000,
        "bytes": np.unique(2 ** rng.integers(31, 33, n) + rng.integers(0, 10**6, n)),
    }


@pytest.mark.slow
def test_numbers_of_things_are_at_most_once_in_a_hundred_held_for_telephone_numbers():
    columns = [
        (name, numbers.astype(float))
        for seed in range(30)
        for name, numbers in harmless(np.random.default_rng(seed)).items()
    ]
    wrong = [name for name, numbers in columns if are_telephone_numbers(numbers)]
    assert len(wrong) <= len(columns) / 100, wrong


@pytest.mark.slow
def test_tables_of_things_are_at_most_once_in_a_hundred_not_assessed_because_of_these_rules():
    codes = {"detect.like_phone", "detect.like_dates", "detect.scaled_degrees", "detect.names_in_cells"}
    n = wrong = 0
    for seed in range(30):
        rng = np.random.default_rng(seed)
        cells = {name: rng.choice(numbers, 300) for name, numbers in harmless(rng).items()}
        cells |= {
            "product": rng.choice(["bolt M8", "nut M8", "Grace period", "May Day", "Rose Hill", "Mark II"], 300),
            "file": [f"/var/data/batch_{i}/part-{i % 7}.parquet" for i in range(300)],
            "url": [f"https://example.org/item/{i}?page=2" for i in range(300)],
            "lat_bin": rng.integers(1000, 9999, 300),
        }
        report = privaudit.scan(pd.DataFrame(cells), ner=False, policy="internal")
        n += len(report.columns)
        wrong += sum(c.unassessed is not None and c.unassessed.code in codes for c in report.columns)
    assert wrong <= n / 100
