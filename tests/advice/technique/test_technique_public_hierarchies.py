"""Public hierarchies: each has a source and a licence, knows its members, and the planner offers its levels."""

from __future__ import annotations

import random
import tomllib
from itertools import pairwise

import pandas as pd
import pytest

import privaudit
from privaudit.advice.technique.hierarchies import fitting, hierarchy_of, public_hierarchy
from privaudit.base import resources

NAMES = resources.names("rules", "hierarchies")
VALUES = {
    "nuts": ["Bayern", "Hessen", "Sachsen", "Berlin", "Thüringen", "Saarland"],
    "countries": ["Kenya", "DEU", "fr", "Côte d’Ivoire", "United States"],
    "us-states": ["CA", "Texas", "new york", "VT"],
    "kenya-counties": ["Nairobi", "Tana River", "Kisumu County", "Murang'a"],
    "education": ["Bachelors", "HS-grad", "master's degree", "PhD"],
    "occupations": ["teacher", "Driver", "Nurse", "Exec-managerial"],
    "icd-10": ["A09", "C50.9", "Z99", "J45"],
}


@pytest.mark.parametrize("name", NAMES)
def test_a_hierarchy_states_source_and_licence_and_has_each_member_once(name):
    content = tomllib.loads(resources.path("rules", "hierarchies", f"{name}.toml").read_text(encoding="utf-8"))
    assert all(content[key].strip() for key in ("title", "source", "licence"))
    depth = {len(group["names"]) for group in content["group"]}
    assert len(depth) == 1
    parents = {}
    for group in content["group"]:
        for level, (fine, coarse) in enumerate(pairwise(group["names"])):
            assert parents.setdefault((level, fine), coarse) == coarse


@pytest.mark.parametrize("name", NAMES)
def test_a_hierarchy_fits_its_values_and_no_others(name):
    values = VALUES[name]
    assert fitting(values) == name
    assert all(len(path) >= 1 for path in hierarchy_of(name, values).values())
    assert fitting([f"value {i}" for i in range(5)]) is None


def test_some_values_are_where_everyone_expects_them():
    assert public_hierarchy("countries").path("Kenya") == ("Eastern Africa", "Africa")
    assert public_hierarchy("us-states").path("vt") == ("New England", "Northeast")
    assert public_hierarchy("icd-10").path("C50.9") == ("II neoplasms",)
    assert public_hierarchy("education").path("PhD")[1] == "ISCED 6-8"


@pytest.mark.slow
def test_a_plan_offers_public_levels_and_the_dictionary_lists_their_members_in_full(tmp_path):
    draw = random.Random(3)
    states = ["CA", "OR", "WA", "TX", "OK", "NY", "NJ", "PA", "ME", "VT", "IL", "OH"]
    rows = [(draw.choice(states), draw.randint(20, 60)) for _ in range(400)]
    frame = pd.DataFrame(rows, columns=["state", "age"])
    (tmp_path / "plan.toml").write_text(
        'version = 1\n[[step]]\ntechnique = "hierarchy_level"\ncolumn = "state"\nlevel = 2\npublic = "us-states"\n'
    )
    made = privaudit.remedy(
        frame, plan=tmp_path / "plan.toml", policy="controlled", role={"state": "quasi"}, framework=(), ner=False
    )
    assert set(made.frame["state"]) <= {"Northeast", "Midwest", "South", "West"}
    (column,) = made.dictionary["columns"]
    west = next(level for level in column["levels"] if level["level"] == "West")
    assert {"Hawaii", "AK", "California"} <= set(west["members"])
    roles = {"state": "quasi", "age": "quasi"}
    report = privaudit.scan(frame, role=roles, policy="controlled", framework=(), ner=False)
    assert any(r.technique == "hierarchy_level" and r.columns == ("state",) for r in report.advice)


@pytest.mark.slow
def test_public_levels_do_not_make_a_plan_lose_more(monkeypatch):
    draw = random.Random(8)
    levels = ["HS-grad", "Some college", "associate's degree", "bachelor's degree", "master's degree", "PhD"]
    rows = [(draw.choice("ABCDE"), draw.choice(levels)) for _ in range(500)]
    frame = pd.DataFrame(rows, columns=["group", "education"])
    options = {"role": {"group": "quasi", "education": "quasi"}, "policy": "public", "framework": (), "ner": False}

    def loss():
        return min(r.utility_cost for r in privaudit.scan(frame, **options).advice if r.technique == "plan")

    offered = loss()
    monkeypatch.setattr("privaudit.advice.recodings.categories.fitting", lambda values: None)
    assert offered <= loss() + 1e-9
