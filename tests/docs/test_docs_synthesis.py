"""The page on synthetic tables: its domain and its commands run as they are written."""

from __future__ import annotations

import re
import tomllib

import pandas as pd

from privaudit.releases.domains.columns import Categories
from privaudit.releases.synthetic.domain_file import parse_domain
from privaudit.releases.synthetic.examples import COUNTIES, DIAGNOSES
from privaudit.releases.synthetic.methods.registry import METHODS
from tests.helpers.paths import ROOT

PAGE = (ROOT / "docs" / "synthesis.md").read_text(encoding="utf-8")


def domain_text() -> str:
    """Return the domain of the tutorial."""
    blocks = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    return next(block for block in blocks if "version = 1" in block)


def test_the_tutorial_runs(tmp_path, run) -> None:
    (tmp_path / "domain.toml").write_text(domain_text(), encoding="utf-8")
    assert run("example", "--kind", "people", "--rows", "1500", "-o", "people.csv").returncode == 0
    assert (
        run("ledger", "new", "people.ledger", "--dataset", "people", "--epsilon", "3", "--delta", "1e-8").returncode
        == 0
    )
    advice = run("synthesize", "people.csv", "--domain", "domain.toml", "--epsilon", "1", "--advice")
    assert "Recommended" in advice.stdout
    done = run(
        "synthesize", "people.csv", "--domain", "domain.toml", "--epsilon", "1", "--ledger", "people.ledger",
        "--dataset", "people", "-o", "synthetic.parquet", "--method", "privbayes",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    table = pd.read_parquet(tmp_path / "synthetic.parquet")
    assert list(table.columns) == list(tomllib.loads(domain_text())["column"])
    assert table["name"].is_unique


def test_the_domain_declares_what_the_example_contains() -> None:
    found = {column.name: column for column in parse_domain(tomllib.loads(domain_text()), "page").columns}
    for name, values in (("city", COUNTIES), ("diagnosis", DIAGNOSES)):
        column = found[name]
        assert isinstance(column, Categories)
        assert set(column.values) == set(values)


def test_every_method_is_on_the_page() -> None:
    table = PAGE.split("## Methods")[1]
    assert all(f"| `{name}`" in table for name in METHODS)
