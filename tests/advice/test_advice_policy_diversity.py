"""A policy asks for k, three forms of l-diversity, t and a suppression limit, and the plan meets all of them."""

from __future__ import annotations

import math

import pandas as pd
import pytest

import privaudit
from privaudit.base.errors import RuleError
from privaudit.rulebook import load_policy
from tests.helpers.tables import drawn

ROLES = {"age": "quasi", "city": "quasi", "gender": "quasi", "diagnosis": "sensitive"}
LIMITS = {"k": 4, "probability": 0.25, "l": 3, "t": 0.4, "l_entropy": 2.2, "l_recursive": 3, "c_recursive": 4.0}


def policy_file(folder, **limits):
    lines = ['name = "mine"', 'title = "mine"', 'extends = "controlled"']
    lines += [f'[{key}]\nvalue = {value}\norigin = "the test"' for key, value in limits.items()]
    file = folder / "mine.toml"
    file.write_text("\n".join(lines))
    return str(file)


def people(n=2500, seed=1):
    cities, genders = ("Nairobi", "Kisumu", "Mombasa", "Embu"), ("female", "male")
    illnesses = ["flu"] * 8 + ["asthma"] * 5 + ["cancer"] * 3 + ["malaria", "gout"] * 2
    return pd.DataFrame(drawn(n, seed, age=range(18, 90), city=cities, gender=genders, diagnosis=illnesses))


def counts_of(classes):
    return [sorted(group.value_counts().tolist(), reverse=True) for _, group in classes["diagnosis"]]


def test_a_plan_meets_all_requirements_of_a_policy_together(tmp_path):
    policy = policy_file(tmp_path, **LIMITS, suppression=0.1)
    table = people(900)
    made = privaudit.remedy(table, reports=False, policy=policy, framework=(), ner=False, role=ROLES)
    codes = {finding.code for finding in made.before.findings}
    assert {"SEN001", "SEN002", "SEN005", "SEN006"} <= codes
    assert made.after.gate().passed
    frame = made.frame
    assert 0.9 * len(table) <= len(frame) == made.promised["n_records"] < len(table)
    classes = frame.groupby([name for name in ("age", "city", "gender") if name in frame.columns])
    assert len(classes) > 1
    for counts in counts_of(classes):
        n = sum(counts)
        assert n >= 4 and len(counts) >= 3
        assert math.exp(-sum(c / n * math.log(c / n) for c in counts)) >= 2.2 - 1e-9
        assert counts[0] < 4.0 * sum(counts[2:])
    assert not {f.code for f in made.after.findings} & {"SEN001", "SEN002", "SEN005", "SEN006"}


@pytest.mark.slow
def test_a_suppression_limit_of_0_suppresses_nobody(tmp_path):
    policy = policy_file(tmp_path, **LIMITS, suppression=0.0)
    made = privaudit.remedy(people(), policy=policy, framework=(), ner=False, role=ROLES)
    assert made.after.gate().passed and len(made.frame) == 2500


def test_the_c_of_recursive_diversity_is_measured_for_each_l():
    table = people(400)
    roles = {name: role for name, role in ROLES.items() if name != "age"}
    report = privaudit.scan(table.drop(columns="age"), policy="controlled", framework=(), ner=False, role=roles)
    found = report.risk.diversity["diagnosis"].l_recursive
    groups = counts_of(table.groupby(["city", "gender"]))
    worst = [max(g[0] / sum(g[l - 1 :]) for g in groups) for l in range(2, min(map(len, groups)) + 1)]  # noqa: E741
    assert found.by_l == pytest.approx(worst)
    assert found.c == found.by_l[-1]


@pytest.mark.parametrize(
    ("reason", "limits"),
    [
        ("are a pair", {"l_recursive": 3}),
        ("are a pair", {"c_recursive": 2.0}),
        ("out of range", {"l_entropy": 0.5}),
        ("out of range", {"suppression": 1.0}),
        ("out of range", {"l_recursive": 1, "c_recursive": 2.0}),
    ],
)
def test_a_policy_with_a_limit_that_means_nothing_is_refused(tmp_path, reason, limits):
    with pytest.raises(RuleError, match=reason):
        load_policy(policy_file(tmp_path, **limits))
