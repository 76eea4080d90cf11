"""A comparison that is paid for: its sensitivity, its intervals, its entry in the ledger, and where it is shown."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

from privaudit.releases.privacy.ledger import Ledger
from privaudit.releases.synthetic.budget import ConcentratedBudget, PureBudget
from privaudit.releases.synthetic.comparison import mean_distances
from privaudit.releases.synthetic.domain_file import parse_domain
from privaudit.releases.synthetic.engine.margins import CodedTable
from privaudit.releases.synthetic.examples import example_table
from privaudit.releases.synthetic.paid_comparison import compared_sets, distance, paid_comparison

SIZES = (2, 5, 7)
DOMAIN = parse_domain(
    {
        "version": 1,
        "column": {
            f"c{i}": {"kind": "category", "values": [f"v{j}" for j in range(size)], "missing": False}
            for i, size in enumerate(SIZES)
        },
    },
    "d",
)


def table_of(n: int, seed: int) -> CodedTable:
    random = np.random.default_rng(seed)
    first = random.integers(2, size=n)
    codes = [(first * (i + 1) + random.integers(size, size=n) // 2) % size for i, size in enumerate(SIZES)]
    return CodedTable(np.array(codes), SIZES)


def test_one_record_changes_every_distance_by_one_at_most() -> None:
    """All neighbours by removal of a table of 40 records, and one addition of each cell of a pair."""
    before, after = table_of(40, 0), table_of(37, 1)
    for columns in compared_sets(SIZES):
        exact = distance(before, after, columns, 43)
        for removed in range(before.n_rows):
            neighbour = before.take(np.delete(np.arange(40), removed))
            assert abs(distance(neighbour, after, columns, 43) - exact) <= 1


@pytest.mark.parametrize("kind", [ConcentratedBudget, PureBudget])
def test_the_intervals_cover_the_exact_distances_and_the_budget_is_spent(kind) -> None:
    before, after = table_of(3_000, 2), table_of(2_500, 3)
    tv1, tv2, _ = mean_distances(before, after)
    covered: list[bool] = []
    for _ in range(60):
        budget = kind(0.02 if kind is ConcentratedBudget else 0.5)
        found = paid_comparison(DOMAIN, before, after, budget)
        assert found.tv2 is not None
        assert budget.spent == pytest.approx(budget.total)
        covered += [found.tv1.low <= tv1 <= found.tv1.high, found.tv2.low <= tv2 <= found.tv2.high]
        assert len(found.columns) == len(found.pairs) == 3
    assert np.mean(covered) >= 0.93


def test_noise_follows_the_records_of_a_person() -> None:
    few, many = (ConcentratedBudget(0.01, rows_per_unit=m) for m in (1, 5))
    values = np.zeros(3, dtype=np.int64)
    assert many.measure(values, 0.01)[1] == pytest.approx(5 * few.measure(values, 0.01)[1], rel=0.01)


def states(text: str, value: float) -> bool:
    """Whether a number in a text is this value to four decimals; one that ends in 5 may be rounded up or down."""
    return any(abs(float(stated) - value) <= 5.1e-5 for stated in re.findall(r"\b\d\.\d{4}\b", text))


def test_the_public_report_shows_what_the_ledger_paid_for_and_no_more(tmp_path: Path, run) -> None:
    frame = example_table("people", 900, seed=5).to_pandas()
    frame.to_csv(tmp_path / "people.csv", index=False)
    (tmp_path / "domain.toml").write_text(
        'version = 1\n[column.sex]\nkind = "category"\nvalues = ["Female", "Male"]\n'
        '[column.age]\nkind = "number"\nbounds = [18, 95]\nstep = 1\nbands = 10\n'
    )
    Ledger.create(tmp_path / "people.ledger", dataset="people", epsilon=3, delta=1e-8)
    done = run(
        "synthesize", "people.csv", "--domain", "domain.toml", "--epsilon", "1", "--ledger", "people.ledger",
        "--paid-comparison", "0.5", "-o", "made.csv", "--public", "public.html", "--public", "public.md",
        "--public", "public.json", "--method", "independent", "--hold-out", "0.4",
    )  # fmt: skip
    assert done.returncode in (0, 1), done.stderr
    (entry,) = Ledger(tmp_path / "people.ledger").account().entries
    assert [query["epsilon"] for query in entry["queries"]] == [1, 0.5]
    stated = json.loads((tmp_path / "made.privaudit.json").read_text())
    assert stated["privacy"]["epsilon"] == pytest.approx(1.5)
    public = json.loads((tmp_path / "public.json").read_text())
    assert stated["comparison"] == public["comparison"]
    value = public["comparison"][0]["tv2"][0]
    for name in ("public.html", "public.md"):
        text = (tmp_path / name).read_text()
        assert states(text, value)
        assert not any(word in text for word in ("INTERNAL", "gate", "Attack", "recognises"))
    assert states(done.stdout, value)
    assert run("verify", "made.csv", "--ledger", "people.ledger").returncode == 0
