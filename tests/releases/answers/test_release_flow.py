"""The commands and functions around answers: plan to file, certificate and ledger, refusals, pages."""

from __future__ import annotations

import json
import os
import random
import shutil
from pathlib import Path

import pandas as pd
import pytest

import privaudit
from privaudit.base.errors import BudgetExceeded, ColumnNotFound, ConfigError, ReleaseError, UnitNotGiven
from tests.helpers.command import refusal

PLAN = """
version = 1
dataset = "people"
[column.age]
kind = "number"
bounds = [0, 110]
step = 1
bands = [18, 40, 65]
[column.sex]
kind = "category"
values = ["F", "M"]
other = "another"
[[query]]
kind = "count"
epsilon = 0.1
[[query]]
kind = "mean"
column = "age"
epsilon = 0.5
[[query]]
kind = "margin"
columns = ["age", "sex"]
epsilon = 0.2
[[query]]
kind = "histogram"
column = "sex"
epsilon = 0.2
"""
AGE = {"kind": "number", "bounds": [0, 110], "step": 1, "bands": 22}


def write_people(folder: Path, n: int = 400) -> Path:
    rng = random.Random(4)
    rows = [f"P{i // 2},{rng.randrange(18, 90)},{rng.choice('FM')}" for i in range(n)]
    path = folder / "people.csv"
    path.write_text("person,age,sex\n" + "\n".join(rows) + "\n")
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_people(tmp_path)
    (tmp_path / "release.toml").write_text(PLAN)
    privaudit.Ledger.create(tmp_path / "people.ledger", dataset="people", epsilon=2, delta=1e-9)
    return tmp_path


def release(run, folder: Path, *more, ledger: str = "people.ledger"):
    words = ("release", folder / "people.csv", "--plan", folder / "release.toml", "--ledger", folder / ledger)
    return run(*words, *more)


def test_a_release_is_answered_certified_and_verified(run, folder: Path) -> None:
    names = ("answers.json", "answers.html", "answers.md")
    done = release(run, folder, *(word for name in names for word in ("-o", folder / name)))
    assert done.returncode == 0, done.stderr
    assert "The mean of age is" in done.stdout and "in 95 of 100 such releases" in done.stdout
    content = json.loads((folder / "answers.json").read_text())
    assert [answer["name"] for answer in content["answers"]] == [
        "count of rows", "mean of age", "margin of age x sex", "histogram of sex"
    ]  # fmt: skip
    assert content["epsilon"] == 1.0 and content["delta"] == 0 and content["receipt"]["entry"] == 1
    assert content["answers"][1]["declared"]["age"]["bounds"] == [0, 110]
    for answer in content["answers"]:
        assert answer["mechanism"] and answer["sd"] > 0
        assert all(cell["low"] <= cell["value"] <= cell["high"] for cell in answer["cells"])
    page = (folder / "answers.html").read_text()
    assert page.count("<svg") == 4 and "entry 1 of the ledger" in page
    for words, code in ((("--ledger", folder / "people.ledger"), 0), ((), 3)):
        assert run("verify", folder / "answers.json", *words).returncode == code


def test_the_certificate_states_the_declaration_and_no_fingerprint_of_the_source(run, folder: Path) -> None:
    release(run, folder, "-o", folder / "answers.json")
    certificate = json.loads((folder / "answers.privaudit.json").read_text())
    assert set(certificate) == {
        "schema", "tool", "created_at", "file", "plan", "ledger", "unit", "rows_per_person", "neighbours", "epsilon",
        "delta", "rho", "rule", "mechanisms", "declared", "rounded", "post_processing", "digest",
    }  # fmt: skip
    assert certificate["rounded"] == {"age": 1.0} and certificate["unit"] == "row"
    assert set(certificate["ledger"]) == {"ledger", "dataset", "unit", "entry", "hash"}


def test_verify_notices_a_changed_file_certificate_and_ledger(run, folder: Path) -> None:
    release(run, folder, "-o", folder / "answers.json")
    words = ("verify", folder / "answers.json", "--ledger", folder / "people.ledger")
    for name, old, new in (
        ("answers.json", "margin", "Margin"), ("answers.privaudit.json", '"unit": "row"', '"unit": "ROW"'),
        ("people.ledger", '"epsilon":2.0', '"epsilon":9.0'),
    ):  # fmt: skip
        path = folder / name
        content = path.read_text()
        assert old in content
        path.write_text(content.replace(old, new, 1))
        assert run(*words).returncode == 1, name
        path.write_text(content)
    assert run(*words).returncode == 0
    shutil.copy(folder / "people.ledger", folder / "copy")
    privaudit.Ledger.create(folder / "other", dataset="people", epsilon=1)
    assert run(*words[:3], folder / "other").returncode == 1


def test_a_budget_that_is_exceeded_is_refused_and_the_refusal_is_an_entry(run, folder: Path) -> None:
    for _ in range(2):
        assert release(run, folder, "-o", folder / "answers.json").returncode == 0
    before = (folder / "answers.json").read_bytes()
    done = release(run, folder, "-o", folder / "answers.json")
    assert done.returncode == 2 and "E222" in done.stderr
    assert (folder / "answers.json").read_bytes() == before
    shown = run("ledger", "show", folder / "people.ledger", "--entries").stdout
    assert "2 entries paid, 1 refused" in shown and "Spent: epsilon 2 of 2" in shown and "older copy" in shown


def test_ledger_new_and_show(run, tmp_path: Path) -> None:
    path = tmp_path / "a.ledger"
    words = ("ledger", "new", path, "--dataset", "people", "--unit", "patient_id", "--epsilon", "3", "--delta", "1e-9")
    assert run(*words).returncode == 0
    assert "a ledger is never replaced" in refusal(run(*words))
    shown = run("ledger", "show", path).stdout
    for text in (
        "epsilon 3",
        "patient_id",
        "Enough for 3 queries of epsilon 1.",
        "Enough for 30 queries of epsilon 0.1.",
    ):
        assert text in shown
    for *wrong, reason in (
        ("--epsilon", "x", "epsilon"),
        ("--epsilon", "0", "epsilon"),
        ("--epsilon", "1", "--delta", "2", "delta"),
    ):
        assert reason in refusal(run("ledger", "new", tmp_path / "b", "--dataset", "people", *wrong))
    rho = ("ledger", "new", tmp_path / "c", "--dataset", "people", "--epsilon", "1", "--delta", "1e-9", "--adds", "rho")
    assert run(*rho).returncode == 0 and "rho" in run("ledger", "show", tmp_path / "c").stdout


def test_show_refuses_a_ledger_that_is_shorter_than_a_certificate(run, folder: Path) -> None:
    older = (folder / "people.ledger").read_bytes()
    release(run, folder, "-o", folder / "answers.json")
    words = ("ledger", "show", folder / "people.ledger", "--certificate", folder / "answers.privaudit.json")
    assert run(*words).returncode == 0
    (folder / "people.ledger").write_bytes(older)
    assert "lacks entry 1 of the certificate" in refusal(run(*words))
    for content in ("{}", '{"ledger": {"entry": 1}}', "[", '{"ledger": null}'):
        (folder / "other.json").write_text(content)
        assert "E211" in run("ledger", "show", folder / "people.ledger", "--certificate", folder / "other.json").stderr


def test_nothing_is_spent_by_a_plan_that_cannot_be_answered(run, folder: Path) -> None:
    plan = folder / "release.toml"
    for old, new, code in (
        ("bounds = [0, 110]", "bounds = []", "E223"),
        ('dataset = "people"', 'dataset = "visits"', "E221"),
        ('dataset = "people"\n', "", "E220"),
        ('columns = ["age", "sex"]', 'columns = ["age", "nowhere"]', "E223"),
        ('kind = "count"', 'kind = "count"\nof = "people"', "E220"),
    ):
        assert old in PLAN
        plan.write_text(PLAN.replace(old, new))
        done = release(run, folder, "-o", folder / "answers.json")
        assert (done.returncode, code in done.stderr) == (2, True), (new, done.stderr)
    plan.write_text(PLAN)
    for output, reason in (("answers.txt", "unknown suffix"), ("nowhere/answers.json", "does not exist")):
        assert reason in refusal(release(run, folder, "-o", folder / output))
    for name in ("people.csv", "people.ledger", "release.toml"):
        content = (folder / name).read_bytes()
        os.link(folder / name, folder / "answers.json")
        assert "is an input" in refusal(release(run, folder, "-o", folder / "answers.json")), name
        assert (folder / name).read_bytes() == content
        (folder / "answers.json").unlink()
    assert privaudit.Ledger(folder / "people.ledger").account().entries == ()


def test_the_dataset_may_be_named_on_the_command_line_and_must_match(run, folder: Path) -> None:
    (folder / "release.toml").write_text(PLAN.replace('dataset = "people"\n', ""))
    assert release(run, folder, "--dataset", "people").returncode == 0
    assert "E221" in release(run, folder, "--dataset", "visits").stderr


def test_an_example_is_a_plan_of_column_names(run, folder: Path) -> None:
    done = run("release", "--example", folder / "people.csv")
    assert done.returncode == 0 and '[column."age"]\nkind = "number"\nbounds = []' in done.stdout
    assert "P1" not in done.stdout


def test_the_internal_report_states_so_on_its_first_line(run, folder: Path) -> None:
    done = release(run, folder, "-o", folder / "answers.json", "--internal", folder / "internal.md")
    assert done.returncode == 0
    lines = (folder / "internal.md").read_text().splitlines()
    assert lines[0].startswith("INTERNAL") and "count of rows: exact 400" in "\n".join(lines)
    assert "exact" not in done.stdout and "400" not in done.stdout.split("count")[0]


def test_the_unit_person_needs_rows_per_person_and_reads_no_more(folder: Path) -> None:
    ledger = privaudit.Ledger.create(folder / "by_person", dataset="people", unit="person", epsilon=10**7)
    plan = {
        "dataset": "people",
        "query": [{"kind": "count", "epsilon": 1000}, {"kind": "count", "of": "people", "epsilon": 1000}],
    }
    with pytest.raises(UnitNotGiven, match="does not declare how many rows of a person"):
        privaudit.release(folder / "people.csv", plan, ledger=ledger)
    made = privaudit.release(folder / "people.csv", {**plan, "rows_per_person": 1}, ledger=ledger)
    assert [answer.cells[0].value for answer in made.answers] == [200, 200]
    assert made.record.rows_per_person == 1
    other = privaudit.Ledger.create(folder / "x", dataset="people", unit="patient", epsilon=1)
    with pytest.raises(ColumnNotFound, match=r'"patient" is not a column of people.csv'):
        privaudit.release(folder / "people.csv", {**plan, "rows_per_person": 1}, ledger=other)


def test_python_gives_frames_pictures_and_no_answer_without_a_ledger(folder: Path) -> None:
    frame = pd.read_csv(folder / "people.csv")
    with pytest.raises(TypeError, match="required keyword-only argument: 'ledger'"):
        privaudit.release(frame, folder / "release.toml")
    with pytest.raises(ConfigError, match="needs a ledger"):
        privaudit.release(frame, folder / "release.toml", ledger=None)
    made = privaudit.release(frame, folder / "release.toml", ledger=privaudit.Ledger(folder / "people.ledger"))
    rows = made.to_frame()
    assert list(rows.columns[:5]) == ["query", "cell", "value", "low", "high"] and len(rows) == 1 + 1 + 20 + 4
    assert "<svg" in made._repr_html_() and made["mean of age"].kind == "mean"
    with pytest.raises(KeyError):
        made["nothing"]
    privaudit.release(frame, folder / "release.toml", ledger=folder / "people.ledger")
    with pytest.raises(BudgetExceeded, match="costs epsilon 1; 0 of 2 is left"):
        privaudit.release(frame, folder / "release.toml", ledger=folder / "people.ledger")
    with pytest.raises(ReleaseError, match=r"has no \[\[query\]\]"):
        privaudit.release(frame, {"query": []}, ledger=folder / "people.ledger")


def test_gaussian_margins_are_paid_in_rho_and_the_total_is_smaller_than_the_sum(folder: Path) -> None:
    column = {"sex": {"kind": "category", "values": ["F", "M"]}, "age": AGE}
    query = {"kind": "margin", "columns": ["sex", "age"], "epsilon": 0.1, "noise": "gaussian"}
    queries = [{**query, "name": f"margin {i}"} for i in range(20)]
    plan = {"dataset": "people", "column": column, "query": queries}
    ledger = privaudit.Ledger(folder / "people.ledger")
    made = privaudit.release(folder / "people.csv", plan, ledger=ledger)
    assert made.record.rule in ("curve", "sum") and made.epsilon < 0.6 and made.delta == 1e-10
    assert all(answer.mechanism == "discrete Gaussian" and answer.rho for answer in made.answers)
    pure = privaudit.Ledger.create(folder / "pure", dataset="people", epsilon=2)
    with pytest.raises(ReleaseError, match="delta 0"):
        privaudit.release(folder / "people.csv", plan, ledger=pure)


def test_a_bypassed_accountant_is_impossible(folder: Path) -> None:
    """A histogram at 0.1 and a mean at 0.9, each paid by a ledger of 1.5: 0.5 is left whatever is called, and where."""
    ledger = privaudit.Ledger.create(folder / "l", dataset="people", epsilon=1.5)
    column = {"age": AGE}
    for kind, epsilon in (("histogram", 0.1), ("mean", 0.9)):
        plan = {"dataset": "people", "column": column, "query": [{"kind": kind, "column": "age", "epsilon": epsilon}]}
        privaudit.release(folder / "people.csv", plan, ledger=str(ledger.path))
    account = ledger.account()
    assert account.left("epsilon") * 2 == 1
    assert account.more(account.left("epsilon") / 2) == 2


def test_many_small_queries_cost_less_than_their_sum_where_delta_is_left(folder: Path) -> None:
    """30 queries of 0.1 cost 3.0 by the sum; the optimal composition at a tenth of the delta costs less."""
    plan = {
        "dataset": "people",
        "query": [{"kind": "count", "epsilon": 0.1, "name": f"count {i} of rows"} for i in range(30)],
    }
    for delta, rule in ((1e-5, "optimal"), (0, "sum")):
        ledger = privaudit.Ledger.create(folder / f"by_{rule}", dataset="people", epsilon=5.5, delta=delta)
        made = privaudit.release(folder / "people.csv", plan, ledger=ledger)
        assert made.record.rule == rule
        assert made.epsilon == pytest.approx(3.0) if rule == "sum" else made.epsilon < 2.7
        assert made.delta == pytest.approx(delta / 10)
        assert float(ledger.account().spent("epsilon")) == pytest.approx(made.epsilon)
    few = privaudit.Ledger.create(folder / "few", dataset="people", epsilon=5, delta=1e-5)
    assert privaudit.release(folder / "people.csv", {**plan, "query": plan["query"][:2]}, ledger=few).delta == 0


def test_a_classifier_and_clusters_are_answers_of_a_plan(run, folder: Path) -> None:
    (folder / "release.toml").write_text(
        PLAN.split("[[query]]")[0]
        + '[[query]]\nkind = "classifier"\ncolumns = ["age"]\ntarget = "sex"\nepsilon = 0.5\n'
        + '[[query]]\nkind = "clusters"\ncolumns = ["age"]\nclusters = 3\nepsilon = 0.5\n'
    )
    for _ in range(2):  # the second run replaces the files of the first
        names = ("answers.json", "answers.html", "answers.md")
        words = (word for name in names for word in ("-o", folder / name))
        done = release(run, folder, *words, "--internal", folder / "internal.md")
        assert done.returncode == 0, done.stderr
    assert "Naive Bayes for sex" in done.stdout and "Centres of 3 clusters" in done.stdout
    classifier, clusters = json.loads((folder / "answers.json").read_text())["answers"]
    assert len(classifier["cells"]) == 4 * 5 and classifier["target"] == "sex"
    assert {*classifier["declared"]} == {"age", "sex"}
    centres = [cell["value"] for cell in clusters["cells"]]
    assert centres == sorted(centres) and len(centres) == 3 and 0 <= centres[0] <= centres[-1] <= 110


def test_an_internal_comparison_under_the_suffix_of_another_format_is_refused_before_anything_is_spent(
    run, folder: Path
) -> None:
    before = (folder / "people.ledger").read_bytes()
    done = release(run, folder, "-o", folder / "answers.json", "--internal", folder / "internal.html")
    assert done.returncode == 2 and ".txt" in done.stderr
    assert (folder / "people.ledger").read_bytes() == before and not (folder / "internal.html").exists()
