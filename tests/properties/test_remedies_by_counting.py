"""What a scan states about the table after a remedy is what is counted in the file that the remedy writes.

The tables have codes with leading zeros, negative numbers, dates, missing cells, suppression markers, an empty column
and repeated rows. Nothing but the written cells is counted.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import privaudit
from privaudit.model import Remedy

MARKERS = ("", "*", "N/A")
LETTERS = ["a", "A", "b", "c", "other", "*", "N/A", "x y", None]
SHARES = [0.25, 0.2, 0.2, 0.1, 0.05, 0.06, 0.05, 0.05, 0.04]
LIMITS = {"suppress_below_distinct": "distinct", "suppress_above_distance": "distance"}


def random_table(seed: int) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    n = (12, 60, 150, 300)[seed % 4]
    days = pd.to_datetime("1930-01-01") + pd.to_timedelta(rng.integers(0, 30_000, n), unit="D")
    columns: dict[str, list[Any]] = {
        "job": [LETTERS[i] for i in rng.choice(len(LETTERS), n, p=SHARES)],
        "age": [None if rng.random() < 0.1 else int(x) for x in rng.integers(18, 95, n)],
        "zip": [f"{x:05d}" for x in rng.choice([10115, 10117, 20095, 1067, 1069, 5, 50], n)],
        "born": [str(day)[:10] for day in days],
        "change": [int(x) for x in rng.integers(-5, 6, n)],
        "empty": [None] * n,
    }
    names = ["job", *rng.choice(["age", "zip", "born", "change"], int(rng.integers(1, 3)), replace=False)]
    names += ["empty"] if seed % 5 == 4 else []
    table = pd.DataFrame({name: pd.Series(columns[name], dtype=object) for name in names})
    table["s"] = rng.choice(["u", "v", "w", "N/A"], n)
    return table.iloc[np.arange(n) // 3] if seed % 6 == 5 else table


def toml_step(technique: str, columns: list[str], parameters: dict[str, Any]) -> str:
    def text(value: Any) -> str:
        if isinstance(value, dict):
            return "{" + ", ".join(f"{key} = {text(x)}" for key, x in value.items()) + "}"
        return json.dumps(value)

    named = [f'column = "{columns[0]}"'] if columns else []
    lines = [f'technique = "{technique}"', *named, *(f"{key} = {text(x)}" for key, x in parameters.items())]
    return "\n".join(["[[step]]", *lines, ""])


def plan_of(advised: Remedy) -> str:
    """Return a plan file with what one remedy of a report states."""
    columns, stated = list(advised.columns), dict(advised.parameters)
    if advised.technique == "suppress_records":
        return toml_step("suppress_records", [], {"classes_over": columns, "below": stated["below"]})
    if advised.technique != "plan":
        return toml_step(advised.technique, columns, stated)
    steps = [toml_step(s["technique"], [s["column"]], dict(s["parameters"])) for s in stated["steps"]]
    if "suppress_below" in stated and stated["classes_over"]:
        limits = {ours: dict(stated[theirs]) for theirs, ours in LIMITS.items() if stated.get(theirs)}
        over = {"classes_over": list(stated["classes_over"]), "below": stated["suppress_below"], **limits}
        steps.append(toml_step("suppress_records", [], over))
    return "".join(steps)


def counted(path: Path, quasi: list[str], k: int) -> dict[str, int]:
    table = pd.read_csv(path, dtype=str, keep_default_na=False)
    cells = table[[name for name in quasi if name in table]].replace(dict.fromkeys(MARKERS, ""))
    rows = list(cells.itertuples(index=False, name=None))
    sizes = Counter(rows).values()
    below = sum(size for size in sizes if size < k)
    return {"k_min": min(sizes), "n_unique": [*sizes].count(1), "n_below_k": below, "n_records": len(rows)}


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("seed", [pytest.param(s, marks=pytest.mark.slow) if s != 3 else s for s in range(12)])
def test_the_figures_after_a_remedy_are_those_of_the_written_file(seed: int, tmp_path: Path) -> None:
    source, plan = tmp_path / "source.csv", tmp_path / "plan.toml"
    table = random_table(seed)
    table.to_csv(source, index=False)
    quasi = [name for name in table.columns if name != "s"]
    options: dict[str, Any] = {"quasi": quasi, "sensitive": ["s"], "unit": "person", "ner": False}
    options["policy"] = ("controlled", "public")[seed % 2]
    report = privaudit.scan(source, **options).wire
    k = report.policy.k
    advised = [remedy for remedy in report.advice if remedy.after and remedy.columns]
    for i, remedy in enumerate(advised[:3] if seed == 3 else advised):
        written = tmp_path / f"written{i}.csv"
        plan.write_text("version = 1\n" + plan_of(remedy))
        privaudit.remedy(source, output=written, plan=plan, reports=False, **options)
        found = counted(written, quasi, k)
        assert {name: remedy.after[name] for name in found if name in remedy.after} == found
