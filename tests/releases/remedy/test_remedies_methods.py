"""Local recoding, Mondrian and cell suppression as methods of a plan: what was measured is what is written."""

from __future__ import annotations

import re

import pandas as pd
import pytest

import privaudit
from privaudit.base.errors import ConfigError
from tests.helpers.tables import drawn

ROLES = {"age": "quasi", "town": "quasi", "gender": "quasi", "illness": "none"}
OPTIONS = {"policy": "controlled", "framework": (), "ner": False}
QUASI = ["age", "town", "gender"]


@pytest.fixture(scope="module")
def table():
    genders, illnesses = ("female", "male", None), ("flu", "asthma", "gout")
    return pd.DataFrame(drawn(400, 3, age=range(18, 81), town="ABCD", gender=genders, illness=illnesses))


@pytest.fixture(scope="module")
def compared(table):
    made = privaudit.remedy(table, role=ROLES, **OPTIONS)
    return {each.method: each for each in made.run.alternatives}


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("method", ["local", "mondrian", "cells"])
def test_a_method_writes_the_classes_that_were_measured(table, compared, method):
    made = privaudit.remedy(table, role=ROLES, method=method, **OPTIONS)
    stated = compared[method]
    assert (made.run.method, made.promised["k_min"]) == (method, stated.k_min)
    classes = made.frame.groupby(QUASI, dropna=False).size()
    assert (classes.min(), len(classes)) == (stated.k_min, stated.n_classes)
    assert classes.min() >= made.after.policy.k
    assert len(made.frame) == len(table) - stated.n_suppressed == made.promised["n_records"]
    assert made.after.risk.k_min == stated.k_min
    if method == "cells":
        assert made.frame[QUASI].isna().sum().sum() - table[QUASI].isna().sum().sum() <= stated.n_cells


@pytest.mark.parametrize("illness", ["none", "sensitive"])
def test_regions_of_dates_rare_values_and_important_columns_are_those_that_were_measured(table, illness):
    """The plan chooses cuts by what it knows of the table, and the step does so again from the records."""
    n = len(table)
    towns = [f"T{i % 23}" if i % 7 == 0 else town for i, town in enumerate(table["town"])]
    born = pd.Series(pd.date_range("1990-03-02", periods=n, freq="9D").strftime("%Y-%m-%d")).where(table.index % 9 > 0)
    wider = table.assign(town=towns, born=born)
    made = privaudit.remedy(
        wider, role={**ROLES, "born": "quasi", "illness": illness}, method="mondrian", importance={"town": 4}, **OPTIONS
    )
    (stated,) = [each for each in made.run.alternatives if each.method == "mondrian"]
    (step,) = [step for step in made.plan.steps if step.technique == "mondrian"]
    sizes = made.frame.groupby([*step.columns], dropna=False).size()
    assert (sizes.min(), len(sizes)) == (stated.k_min, stated.n_classes) and len(sizes) > 5
    assert step.parameters["importance"] == {"town": 4}
    plain = privaudit.plan(wider, role={**ROLES, "born": "quasi"}, method="mondrian", **OPTIONS)
    assert "importance" not in plain.text


def test_a_column_that_every_part_drops_is_not_written_empty(table):
    born = pd.date_range("1940-01-01", periods=len(table), freq="61D").strftime("%Y-%m-%d")
    made = privaudit.remedy(
        table.assign(born=born), reports=False, role={**ROLES, "born": "quasi"}, method="local", **OPTIONS
    )
    local = next(step for step in made.plan.steps if step.technique == "recode_locally")
    dropped = [step.columns for step in made.plan.steps if step.technique == "drop"]
    assert ("born",) in dropped and "born" not in local.columns
    assert list(made.frame.columns) == list(table.columns)


def test_the_ranges_of_a_region_contain_the_values_of_its_records(table):
    made = privaudit.remedy(table.assign(row=range(len(table))), role={**ROLES, "row": "none"}, quasi=QUASI,
                            keep=("row",), method="mondrian", reports=False, **OPTIONS)  # fmt: skip
    frame = made.frame.set_index("row") if "row" in made.frame else None
    assert frame is not None
    for row, age in table["age"].items():
        text = str(frame.loc[row, "age"])
        numbers = [int(number) for number in re.findall("[0-9]+", text)]
        low = -1 if text.startswith(("under", "up to")) else numbers[0]
        high = 999 if text.endswith("+") else numbers[-1] - text.startswith("under")
        assert text == "all values" or low <= age <= high


def test_full_domain_is_compared_and_mondrian_loses_less(compared):
    assert set(compared) == {"full-domain", "local", "mondrian", "cells"}
    assert compared["mondrian"].loss < compared["full-domain"].loss
    assert compared["local"].loss <= compared["full-domain"].loss
    assert all(0 <= each.loss <= 1 for each in compared.values())


@pytest.mark.slow
@pytest.mark.quick_cases(3)
@pytest.mark.parametrize("method", ["local", "mondrian", "cells"])
def test_a_plan_file_of_a_method_gives_the_same_table(table, method, tmp_path):
    plan = privaudit.plan(table, role=ROLES, method=method, **OPTIONS)
    (tmp_path / "plan.toml").write_text(plan.text)
    again = privaudit.remedy(table, plan=tmp_path / "plan.toml", role=ROLES, **OPTIONS)
    assert again.arrow.equals(privaudit.remedy(table, method=method, role=ROLES, **OPTIONS).arrow)
    assert "Another can be selected (--method)" in plan.text


@pytest.mark.slow
def test_diversity_holds_in_the_parts_and_regions(table):
    roles = {**ROLES, "illness": "sensitive"}
    for method in ("local", "mondrian"):
        made = privaudit.remedy(table, role=roles, **{**OPTIONS, "policy": "public"}, method=method)
        left = [name for name in QUASI if name in made.frame]
        classes = made.frame.groupby(left, dropna=False)["illness"]
        assert classes.nunique().min() >= made.after.policy.l
        assert classes.size().min() >= made.after.policy.k


def test_a_method_that_does_not_meet_the_policy_is_refused(table):
    roles = {**ROLES, "illness": "sensitive"}
    with pytest.raises(ConfigError, match="cells") as refused:
        privaudit.plan(table, role=roles, **{**OPTIONS, "policy": "public"}, method="cells")
    assert "also limits sensitive values" in refused.value.hint


@pytest.mark.parametrize(
    "parts",
    [
        "[]",
        "[1]",
        '[{ age = "band" }]',
        '[{ age = { technique = "band", width = 0 } }]',
        '[{ age = { technique = "add_noise", share = 0.1 } }]',
    ],
)
def test_parts_that_are_not_recodings_are_refused(table, tmp_path, parts):
    (tmp_path / "plan.toml").write_text(
        f'version = 1\n[[step]]\ntechnique = "recode_locally"\ncolumns = ["age"]\nbelow = 3\nparts = {parts}\n'
    )
    with pytest.raises(ConfigError, match=r'"parts" must be|recoding of age: "width"|"add_noise" does not map values'):
        privaudit.remedy(table, reports=False, plan=tmp_path / "plan.toml", role=ROLES, **OPTIONS)
