"""The transformer remedies the input of a model in the same way at training and at prediction."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("sklearn")

from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.utils.estimator_checks import parametrize_with_checks

import privaudit
from privaudit import RemedyTransformer, steps
from privaudit.base.errors import ConfigError
from privaudit.releases.remedy.plan import Plan, Step

PLAN = Plan(
    steps=(
        Step(technique="drop", columns=("email",)),
        Step(technique="band", columns=("age",), parameters={"width": 10}),
        Step(technique="merge_rare", columns=("town",), parameters={"below": 10}),
        Step(technique="pseudonymise", columns=("id",), parameters={"key": "once"}),
        Step(technique="suppress_records", parameters={"classes_over": ["age"], "below": 2}),
    )
)


def frame(n=200, seed=1):
    draw = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "email": [f"p{i}@example.org" for i in range(n)],
            "id": [str(i % 50) for i in range(n)],
            "age": draw.integers(20, 80, n),
            "town": draw.choice(["Kisumu", "Nakuru"], n),
            "x": draw.normal(size=n),
        }
    )


def test_the_next_table_is_remedied_like_the_first():
    fitted = RemedyTransformer(PLAN).fit(frame())
    new = frame(40, seed=2).assign(town=["Thika"] * 20 + ["Kisumu"] * 20, age=[33.5] * 20 + [20.0] * 20)
    made = fitted.transform(new)
    assert list(made.columns) == list(fitted.get_feature_names_out()) == ["id", "age", "town", "x"]
    assert len(made) == len(new)
    assert made["town"].tolist() == ["other"] * 20 + ["Kisumu"] * 20
    assert made["age"].tolist() == ["30-39"] * 20 + ["20-29"] * 20
    first = fitted.transform(frame())
    tokens = dict(zip(frame()["id"], first["id"], strict=True))
    assert [tokens[i] for i in new["id"]] == made["id"].tolist()
    assert made["x"].equals(new["x"])


def test_groups_are_those_of_the_first_table_although_the_next_lacks_values():
    towns = ["Ash"] * 100 + ["Birch"] * 8 + ["Cedar"] * 7 + ["Dale"] * 2
    plan = Plan(steps=(Step(technique="group_values", columns=("town",), parameters={"below": 8, "rare": 5}),))
    fitted = RemedyTransformer(plan).fit(pd.DataFrame({"town": towns}))
    made = fitted.transform(pd.DataFrame({"town": ["Birch", "Elm", None, "Ash"]}))["town"].tolist()
    assert made[0] == "Birch" and made[1] == "Cedar | other" and made[3] == "Ash"
    assert fitted.transform(pd.DataFrame({"town": ["Dale"]}))["town"].tolist() == ["Cedar | other"]


def test_an_array_gives_an_array_of_the_columns_that_are_left():
    numbers = np.array([[1.0, 40.0], [2.0, 50.0], [3.0, 70.0]])
    made = RemedyTransformer([steps.drop("x0")]).fit(numbers).transform(numbers)
    assert made.shape == (3, 1) and made[:, 0].tolist() == [40.0, 50.0, 70.0]


def test_it_can_be_cloned_and_works_in_a_pipeline():
    table = frame()
    model = make_pipeline(
        clone(RemedyTransformer(PLAN)), OneHotEncoder(handle_unknown="ignore"), LogisticRegression(max_iter=500)
    )
    target = table["age"] > 50
    assert model.fit(table, target).score(frame(seed=3), frame(seed=3)["age"] > 50) > 0.8


def test_a_step_that_draws_values_is_refused():
    plan = Plan(steps=(Step(technique="add_noise", columns=("x",), parameters={"share": 0.1}),))
    with pytest.raises(ConfigError, match="another table"):
        RemedyTransformer(plan).fit(frame())


APPLIED = [
    steps.cut("age", bands=4),
    steps.cut("age", quantiles=3, into="band"),
    steps.band("age", width=10, origin=5),
    steps.threshold("x", by="mean", into="above"),
    steps.top_code("age", at=70, write="limit"),
    steps.bottom_code("age", at=30, write="limit"),
    steps.hierarchy_level("town", mapping={"Kisumu": "west", "Nakuru": "rift"}, into="region"),
    steps.mask("id", length=4),
]
INVENTED = [
    steps.fake_names("name"),
    steps.fake_date("joined", earliest="2010-01-01", latest="2019-12-31"),
    steps.fake_city("home", shares={"A": 0.5, "B": 0.5}),
    steps.fake_phone("phone"),
    steps.fake_id("client"),
]
OMITTED = [
    steps.keep_records(where="age >= 30"),
    steps.suppress_records(where="age < 30"),
    steps.suppress_incomplete(),
    steps.rename_columns(["x"]),
]
REFUSED = [
    steps.mask_text("email", entity="EMAIL", names=False),
    steps.pca_mask(["age", "x"]),
    steps.pram("town", keep=0.5),
    steps.sample_shares("town"),
    steps.sample_distribution("x"),
]


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("step", APPLIED, ids=lambda step: f"{step.technique} {sorted(step.parameters)}")
def test_a_technique_does_to_the_learned_table_what_a_remedy_does(step):
    made = RemedyTransformer([step]).fit(frame()).transform(frame())
    plan = {"step": [step], "order": "kept"}
    remedied = privaudit.remedy(frame(), plan=plan, policy="internal", framework=(), ner=False).frame
    written = step.made[0] if step.made else step.columns[0]
    assert made[written].astype(str).tolist() == remedied[written].astype(str).tolist()
    assert list(made.columns) == list(remedied.columns)


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("step", INVENTED, ids=lambda step: step.technique)
def test_invented_columns_are_made_for_each_record_of_the_next_table(step):
    made = RemedyTransformer([step]).fit(frame()).transform(frame(30, seed=2))
    assert len(made) == 30 and made[step.made[0] if step.made else step.columns[0]].notna().all()


@pytest.mark.quick_cases(20)
@pytest.mark.parametrize("step", OMITTED, ids=lambda step: step.technique)
def test_records_and_names_stay_because_a_prediction_needs_them(step):
    made = RemedyTransformer([step]).fit(frame()).transform(frame())
    assert list(made.columns) == list(frame().columns) and len(made) == len(frame())


@pytest.mark.quick_cases(20)
@pytest.mark.parametrize("step", REFUSED, ids=lambda step: step.technique)
def test_what_draws_mixes_or_reads_text_is_refused(step):
    with pytest.raises(ConfigError, match="another table"):
        RemedyTransformer([step]).fit(frame())


@pytest.mark.slow
def test_a_plan_is_learned_from_a_scan():
    made = RemedyTransformer(policy="controlled", keep=["age"], settings={"ner": False}).fit(frame())
    assert "email" in made.plan_.dropped and "age" in made.get_feature_names_out()


@parametrize_with_checks([RemedyTransformer(Plan(steps=()))])
def test_the_checks_of_scikit_learn(estimator, check):
    check(estimator)
