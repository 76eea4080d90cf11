"""Every line of the page "from the course to the command" runs on the table it names."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import privaudit
from privaudit import steps
from tests.helpers.command import run_here
from tests.helpers.paths import ROOT, third_party

PAGE = ROOT / "docs" / "course.md"
TABLES = {
    "hr": ("hr_attrition", "WA_Fn-UseC_-HR-Employee-Attrition.csv"),
    "kenya": ("kenya_insurance", "data", "Insurance_data_ke.csv"),
    "heart": ("heart", "heart_disease.csv"),
    "students": ("students", "StudentsPerformance.csv"),
    "kenya15": ("kenya_insurance", "data", "Insurance_data_ke_15col.csv"),
    "organs": ("kenya_insurance", "data", "Organs.csv"),
    "linked": ("linkage", "hr_target.csv"),
    "mall": ("mall", "Mall_Customers.csv"),
    "labels": ("labels_open.json",),
}
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for part in re.findall(r"<!-- course -->\n(.*?)<!-- end -->", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    for line in part.splitlines()[2:]
]
LINES = [(exercise, table, re.findall("`([^`]+)`", line)) for _, exercise, table, line, *_ in ROWS]


def clients():
    n = 120
    return pd.DataFrame(
        {
            "name": [f"Anna Miller{i}" for i in range(n)],
            "ssn": [f"{100 + i}-{10 + i % 80}-{1000 + i}" for i in range(n)],
            "card_number": ["4111 1111 1111 1111", "5500 0000 0000 0004"] * (n // 2),
            "age": [20 + i % 60 for i in range(n)],
            "salary": [30_000 + 1_500 * i for i in range(n)],
        }
    )


def inertia(table):
    from sklearn.cluster import KMeans

    return KMeans(5, n_init=10, random_state=0).fit(table).inertia_


class Ran(dict):
    """The names that the parts of a line made, what commands printed, and the result of the last step or expression."""

    printed, result = "", None

    def classes(self, *columns):
        return self.result.frame.groupby(list(columns), dropna=False).size()

    def column(self, name):
        return self.result.frame[name]


EXPECTED = {
    "count the combinations of two columns": lambda ran: "135 classes" in ran.printed,
    "list the classes below k": lambda ran: "18 with fewer" in ran.printed and "42 " in ran.printed,
    "choose limits for coding": lambda ran: "19,000" in ran.printed,
    "is a table k-anonymous over all columns": lambda ran: "120 classes" in ran.printed,
    "which column is an identifier": lambda ran: "PII001" in ran.printed and "PII003" in ran.printed,
    "a device log of one person": lambda ran: "one or several people" in ran.printed,
    "drop a column": lambda ran: "card_number" not in ran.result.frame,
    "drop records of people under 30": lambda ran: ran.column("age").min() >= 30,
    "drop them by stating whom to remove": lambda ran: ran.column("age").min() >= 30,
    "drop incomplete records": lambda ran: len(ran.result.frame) == 1_470,
    "sample 100 records": lambda ran: len(ran.result.frame) == 100,
    "mask a column, hide the length": lambda ran: set(ran.column("ssn")) == {"****"},
    "mask a column of known identifiers": lambda ran: set(ran.column("ssn")) == {"<SSN>"},
    "remove column names": lambda ran: list(ran.result.frame) == [f"c{i}" for i in range(1, 9)],
    "drop ID_number and Tax_id by plan": lambda ran: not {"ID_number", "Tax_id"} & set(ran.result.frame),
    "1 above the mean, else 0": lambda ran: ran.column("MonthlyIncome").astype(int).sum() == 493,
    "top code": lambda ran: ran.column("salary").max() == 190_000,
    "bottom code": lambda ran: ran.column("salary").min() == 37_000,
    "four equal bands": lambda ran: ran.classes("Age", "Tier").min() == 43,
    "suppress classes below k": lambda ran: len(ran.result.frame) == 1_001 - 42,
    "20 equal bins of money": lambda ran: ran.column("MonthlyIncome").nunique() == 20,
    "cities by given shares": lambda ran: abs((ran.column("Department") == "New York").mean() - 0.58) < 0.07,
    "which distribution fits, sample it": lambda ran: f"{ran.result.run.fits[0]['log_likelihood']:.2f}" == "-14000.36",
    "sample exponnorm, whole numbers": lambda ran: ran.column("MonthlyIncome").astype(float).mod(1).eq(0).all(),
    "names that fit the gender, unique": lambda ran: ran.column("name").nunique() == 1_000,
    "dates in ten years": lambda ran: ran.column("joined").astype(str).between("2010-01-01", "2019-12-31").all(),
    "e-mails from the names": lambda ran: ran.column("mail").str.contains("@").all(),
    "train detection on labels": lambda ran: Path("my-rules/fusion.toml").is_file(),
    "histogram, mean, accountant, remaining budget": lambda ran: (
        abs(ran["answers"]["mean of age"].cells[0].value - 54.4) < 12 and "Left: epsilon 0.1." in ran.printed
    ),
    "a query beyond the budget": lambda ran: isinstance(ran.result, privaudit.BudgetExceeded),
    "private naive Bayes": lambda ran: ran["accuracy"] > 0.54,
    "private k-means": lambda ran: 0.99 < ran["inertia"] / inertia(ran["mall"]) < 2,
    "private random forest": lambda ran: ran["accuracy"] > 0.54,
    "neighbouring tables": lambda ran: abs(ran["first"] - 303) < 25 and abs(ran["second"] - 302) < 25,
    "a generator (Bayesian network)": lambda ran: {"female", "male"} <= set(ran["made"].frame["gender"]),
    "samples for classification, and blobs": lambda ran: len(pd.read_csv("blobs.csv")) == 1_000,
    "averaging": lambda ran: len(ran["averaged"].weights) == 3,
    "encrypted sums (Paillier)": lambda ran: np.allclose(ran["masked"].weights, ran["encrypted"].weights, atol=1e-6),
    "t-SNE": lambda ran: "t-SNE" in Path("heart.html").read_text(encoding="utf-8"),
    "find and erase a person": lambda ran: "1 row" in ran.printed and Path("plan.json").is_file(),
    "retention": lambda ran: "period" in ran.printed,
}
"""What a lesson expects of an exercise, where it is a value and not a picture or a sentence."""


def run(parts, table, folder):
    """Run the parts of a line in their order; a budget that is exceeded is the result."""
    ran = Ran(privaudit=privaudit, steps=steps, pd=pd, Path=Path)
    for part in parts:
        if part.startswith("privaudit "):
            ended = run_here(shlex.split(part)[1:], folder, {})
            assert ended.returncode in (0, 1, 3), ended.stderr
            ran.printed += ended.stdout
        elif part.startswith("steps."):
            step = eval(part, ran)
            made = privaudit.remedy(f"{table}.csv", plan=[step], policy="internal", framework=(), ner=False)
            assert made.plan.steps[0].technique == step.technique and len(made.frame) > 0
            ran.result = made
        elif re.match(r"[a-z]+ = ", part):
            exec(part, ran)
        else:
            try:
                ran.result = eval(part, ran)
            except privaudit.BudgetExceeded as refused:
                ran.result = refused
    return ran


def test_the_page_has_a_line_for_each_exercise():
    assert all(len(row) == 6 for row in ROWS)
    numbers = [int(number) for row in ROWS for number in re.findall("[0-9]+", row[0])]
    assert set(numbers) == set(range(1, 63))
    assert {table for _, table, _ in LINES} == {*TABLES, "clients", "–"}
    assert set(EXPECTED) <= {exercise for exercise, _, _ in LINES}


def test_each_step_is_one_of_the_plan_language():
    parts = [part for *_, parts in LINES for part in parts if part.startswith("steps.")]
    assert len({eval(part, {"steps": steps}).technique for part in parts}) > 20


@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.parametrize(("exercise", "table", "parts"), LINES, ids=[f"{line[0]}-{line[2][-1][:40]}" for line in LINES])
def test_the_line_runs_and_gives_what_the_lesson_expects(exercise, table, parts, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if table == "clients":
        clients().to_csv("clients.csv", index=False)
    elif table == "labels":
        shutil.copytree(third_party(), tmp_path, dirs_exist_ok=True, copy_function=shutil.copyfile)
        shutil.copyfile(third_party("labels_open.json"), "labels.json")
    elif table != "–":
        pd.read_csv(third_party(*TABLES[table])).to_csv(f"{table}.csv", index=False)
    if table == "linked":
        shutil.copyfile(third_party("linkage", "hr_aux.csv"), "hr_aux.csv")
    ran = run(parts, table, tmp_path)
    assert ran.printed or ran.result is not None or len(ran) > 5
    assert EXPECTED.get(exercise, lambda ran: True)(ran), ran.printed[-2_000:]


def test_the_glossary_page_is_what_explain_states():
    import importlib.util

    spec = importlib.util.spec_from_file_location("make_glossary", ROOT / "docs" / "make_glossary.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8") == module.text()


@pytest.mark.quick_cases(8)
@pytest.mark.parametrize(
    "term", ["epsilon", "sensitivity", "PCA", "linkage", "generalisation", "aggregation", "PRAM", "k-anonymity"]
)
def test_terms_of_the_field_are_explained(term):
    assert len(str(privaudit.explain(term))) > 40
