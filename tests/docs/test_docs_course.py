"""Every line of the page "from the course to the command" runs on the table it names."""

from __future__ import annotations

import re
import shlex
import shutil

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
}
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for part in re.findall(r"<!-- course -->\n(.*?)<!-- end -->", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    for line in part.splitlines()[2:]
]
LINES = [(table, line.strip("`")) for _, _, table, line, *_ in ROWS]


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


def test_the_page_has_a_line_for_each_exercise():
    assert all(len(row) == 6 for row in ROWS)
    page = PAGE.read_text(encoding="utf-8")
    elsewhere = re.findall(r"^\| ([0-9]+) \|[^|]+\| \[[a-z]+\]\([a-z]+\.md\) \|$", page, re.MULTILINE)
    numbers = [int(number) for row in ROWS for number in re.findall("[0-9]+", row[0])] + list(map(int, elsewhere))
    assert set(numbers) == set(range(1, 63)) and not set(map(int, elsewhere)) & set(range(1, 46))
    assert {table for table, _ in LINES} == {*TABLES, "clients"}


def test_each_step_is_one_of_the_plan_language():
    made = [eval(line, {"steps": steps}) for _, line in LINES if line.startswith("steps.")]
    assert len({step.technique for step in made}) > 20


@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.parametrize(("table", "line"), LINES, ids=[line[:60] for _, line in LINES])
def test_the_line_runs(table, line, tmp_path, monkeypatch):
    frame = clients() if table == "clients" else pd.read_csv(third_party(*TABLES[table]))
    frame.to_csv(tmp_path / f"{table}.csv", index=False)
    if table == "linked":
        shutil.copy(third_party("linkage", "hr_aux.csv"), tmp_path)
    if line.startswith("privaudit."):
        monkeypatch.chdir(tmp_path)
        assert eval(line, {"privaudit": privaudit, "steps": steps}) is not None
        return
    if line.startswith("privaudit "):
        ended = run_here(shlex.split(line)[1:], tmp_path, {})
        assert ended.returncode in (0, 1, 3), ended.stderr
        return
    step = eval(line, {"steps": steps})
    made = privaudit.remedy(
        tmp_path / f"{table}.csv", plan=[step], policy="internal", framework=(), ner=False
    )
    assert made.plan.steps[0].technique == step.technique and len(made.frame) > 0


def test_the_glossary_page_is_what_explain_states():
    import importlib.util

    spec = importlib.util.spec_from_file_location("make_glossary", ROOT / "docs" / "make_glossary.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8") == module.text()


@pytest.mark.quick_cases(8)
@pytest.mark.parametrize(
    "term",
    ["epsilon", "sensitivity", "PCA", "linkage", "generalisation", "aggregation", "PRAM", "k-anonymity"],
)
def test_terms_of_the_field_are_explained(term):
    assert len(str(privaudit.explain(term))) > 40
