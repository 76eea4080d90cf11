"""The data dictionary: next to the table, bound by the certificate, and without a rare value or an extreme."""

from __future__ import annotations

import json
import random

import pandas as pd
import pytest

import privaudit
from privaudit.releases.remedy.dictionary import state_of

OPTIONS = {"policy": "controlled", "framework": (), "ner": False}
ROLES = {"age": "quasi", "town": "quasi", "job": "quasi"}
METHODS = ("full-domain", "local", "mondrian", "least-loss")


def people(n=900, seed=2):
    draw = random.Random(seed)
    towns = [f"town {chr(97 + i)}" for i in range(20)]
    jobs = ["teacher", "farmer", "nurse", "driver", "clerk"]
    rows = [(draw.randint(20, 69), draw.choice(towns), draw.choice(jobs)) for _ in range(n)]
    rows += [(13, "Rareville", "astronaut"), (101, "Solitude", "diver")]
    frame = pd.DataFrame(rows, columns=["age", "town", "job"])
    return frame.assign(visits=[draw.randint(1, 9) for _ in rows])


@pytest.mark.parametrize("method", METHODS)
def test_the_dictionary_describes_the_written_table_and_names_no_rare_value(tmp_path, method):
    made = privaudit.remedy(people(), output=tmp_path / "safer.csv", role=ROLES, method=method, **OPTIONS)
    content = json.loads((tmp_path / "safer.dictionary.json").read_text())
    assert content == json.loads(json.dumps(made.dictionary))
    written = pd.read_csv(tmp_path / "safer.csv", dtype=str)
    source = people()
    for column in content["columns"]:
        counts = written[column["column"]].value_counts()
        assert {level["level"]: level["rows"] for level in column["levels"]} == counts.to_dict()
        assert len({level["level"] for level in column["levels"]}) == len(column["levels"])
        held = source[column["column"]].astype(str).value_counts()
        for level in column["levels"]:
            assert all(held[member] >= content["k"] for member in level.get("members", ()))
    text = (tmp_path / "safer.dictionary.json").read_text()
    assert not any(rare in text for rare in ("Rareville", "Solitude", "astronaut", "101", "13-", '"13"'))
    assert made.after.gate().passed


@pytest.mark.parametrize("method", METHODS)
def test_certificate_and_reports_state_the_digest_and_no_member(tmp_path, method):
    made = privaudit.remedy(people(), output=tmp_path / "safer.csv", role=ROLES, method=method, **OPTIONS)
    state = state_of(made.dictionary)
    assert made.certificate["dictionary"]["sha256"] == state.sha256 == made.run.dictionary.sha256
    assert made.certificate["dictionary"]["n_levels"] == state.n_levels
    for value in ("town a", "teacher"):
        assert value not in json.dumps(made.certificate) and value not in made.text()


def test_verify_reports_a_dictionary_that_was_changed_or_removed(tmp_path):
    privaudit.remedy(people(), output=tmp_path / "safer.csv", role=ROLES, **OPTIONS)
    assert privaudit.verify(tmp_path / "safer.csv")[1]
    file = tmp_path / "safer.dictionary.json"
    file.write_text(file.read_text().replace("rows", "lines"))
    assert not privaudit.verify(tmp_path / "safer.csv")[1]
    file.unlink()
    assert not privaudit.verify(tmp_path / "safer.csv")[1]


def test_groups_of_categories_claim_no_order(tmp_path):
    made = privaudit.remedy(people(), role=ROLES, method="mondrian", **OPTIONS)
    assert not made.frame["job"].str.contains(" to ").any()
    assert not made.frame["town"].str.contains(" to ").any()


def test_bounds_of_numbers_are_edges_of_the_plan():
    made = privaudit.remedy(people(), role=ROLES, method="mondrian", **OPTIONS)
    (step,) = [step for step in made.plan.steps if step.technique == "mondrian"]
    band = next(part["age"] for part in step.parameters["base"] if "age" in part)
    edges = {int(n) for text in made.frame["age"].unique() for n in text.replace("+", "").split("-") if n.isdigit()}
    assert edges and all(edge % band["width"] == 0 or (edge + 1) % band["width"] == 0 for edge in edges)


def test_the_first_plan_loses_least_among_those_that_are_listed():
    plan = privaudit.plan(people(), role=ROLES, **OPTIONS)
    planned = plan._planned
    passing = [each for each in planned.remedy.alternatives if each.passes and not each.drops]
    assert planned.alternative is None or planned.alternative.loss == min(each.loss for each in passing)
    assert min(each.loss for each in passing) <= planned.remedy.utility_cost
