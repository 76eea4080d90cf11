"""No output of ledgers, answers and models reveals a value, a hash of one, or an exact number of the table."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pytest

import privaudit
from privaudit.base.errors import PrivauditError
from tests.canary.test_canary import assert_clean, collect, make_rows, write_csv

pytestmark = pytest.mark.slow
LARGEST = 83_926_471
"""The income of one person: it must not appear, nor move the bounds of anything."""

PLAN = """
version = 1
dataset = "people"
[column.age]
kind = "number"
bounds = [0, 110]
step = 1
bands = 10
[column.income]
kind = "number"
bounds = [0, 200000]
step = 100
[column.sex]
kind = "category"
values = ["F", "M"]
other = "another"
"""
QUERIES = [
    'kind = "count"', 'kind = "histogram"\ncolumn = "age"', 'kind = "margin"\ncolumns = ["age", "sex"]',
    'kind = "margin"\ncolumns = ["sex"]\nnoise = "gaussian"', 'kind = "mean"\ncolumn = "income"',
    'kind = "sum"\ncolumn = "income"', 'kind = "variance"\ncolumn = "income"',
    'kind = "quantile"\ncolumn = "income"\nquantile = 0.9', 'kind = "mean"\ncolumn = "age"\nwhere = { sex = "F" }',
]  # fmt: skip


def people(folder: Path) -> tuple[Path, list[dict[str, str]]]:
    rows = make_rows(5, 240)
    rng = random.Random(5)
    for i, row in enumerate(rows):
        row["age"], row["income"] = str(18 + i % 60), str(100 * rng.randrange(200, 900))
    rows[7]["income"] = str(LARGEST)
    return write_csv(folder / "people.csv", rows), rows


def test_answers_and_ledgers_reveal_nothing(run, tmp_path: Path) -> None:
    source, rows = people(tmp_path)
    (tmp_path / "temporary").mkdir()
    plan = tmp_path / "release.toml"
    plan.write_text(PLAN + "".join(f"[[query]]\nepsilon = 0.2\n{query}\n" for query in QUERIES))
    names = ("answers.json", "answers.html", "answers.md")
    ledger = tmp_path / "people.ledger"
    release = ("release", source, "--plan", plan, "--ledger", ledger)
    commands = [
        ("release", "--example", source),
        ("ledger", "new", ledger, "--dataset", "people", "--epsilon", "4", "--delta", "1e-9"),
        (*release, *(word for name in names for word in ("-o", tmp_path / name))),
        (*release, "--dataset", "others"), release, release,
        ("verify", tmp_path / "answers.json", "--ledger", ledger),
        ("ledger", "show", ledger, "--entries", "--certificate", tmp_path / "answers.privaudit.json"),
    ]  # fmt: skip
    for command in commands:
        temporary = str(tmp_path / "temporary")
        result = run(*command, TMPDIR=temporary, HOME=temporary)
        assert result.returncode in (0, 2) and "Traceback" not in result.stderr, (command, result.stderr)
        texts = collect(tmp_path, result, source)
        assert_clean(texts, rows)
        for where, text in texts.items():
            assert str(LARGEST) not in text, (command, where)
    assert list((tmp_path / "temporary").iterdir()) == []
    assert "refused" in ledger.read_text()


def test_no_exact_number_is_in_any_file_but_the_internal_report(run, tmp_path: Path, monkeypatch) -> None:
    """With noise of a known size every exact count differs from every number that is written."""
    from privaudit.releases.privacy import noise

    monkeypatch.setattr(noise, "discrete_laplace", lambda scale, size: np.full(size, 100_000))
    source, rows = people(tmp_path)
    (tmp_path / "release.toml").write_text(PLAN + '[[query]]\nepsilon = 1\nkind = "histogram"\ncolumn = "age"\n')
    ledger = privaudit.Ledger.create(tmp_path / "l", dataset="people", epsilon=9)
    made = privaudit.release(source, tmp_path / "release.toml", ledger=ledger)
    for name in ("answers.json", "answers.html", "answers.md"):
        made.write(tmp_path / name)
    made.write_internal(tmp_path / "internal.md")
    content = json.loads((tmp_path / "answers.json").read_text())
    assert all(cell["value"] >= 100_000 for cell in content["answers"][0]["cells"])
    exact = sum(20 <= int(row["age"]) < 30 for row in rows)
    label = "20–29"
    assert f"{label}: exact {exact}," in (tmp_path / "internal.md").read_text()
    for name in ("answers.html", "answers.md"):
        assert f"{label}: {exact}<" not in (tmp_path / name).read_text()
        assert f"| {label} | {exact} |" not in (tmp_path / name).read_text()


def test_errors_do_not_depend_on_the_values(tmp_path: Path) -> None:
    """Texts where numbers are expected, infinite and missing cells are answered like any other cell."""
    path = tmp_path / "hostile.csv"
    path.write_text(
        "x,c\n" + "\n".join(f"{v},{v}" for v in ("1", "inf", "nan", "1e400", "SECRET", "", "-0", "0x1")) + "\n"
    )
    ledger = privaudit.Ledger.create(tmp_path / "l", dataset="d", epsilon=99)
    domains = {"x": {"kind": "number", "bounds": [0, 1], "step": 0.001}, "c": {"kind": "category", "values": ["a"]}}
    queries = [{"kind": kind, "column": "x", "epsilon": 1} for kind in ("mean", "sum", "variance", "quantile")]
    plan = {"dataset": "d", "column": domains, "query": [*queries, {"kind": "histogram", "column": "c", "epsilon": 1}]}
    text = privaudit.release(path, plan, ledger=ledger, header=True).text()
    assert "SECRET" not in text
    with pytest.raises(PrivauditError) as caught:
        privaudit.release(path, {**plan, "dataset": "e"}, ledger=ledger, header=True)
    assert "SECRET" not in caught.value.line()
