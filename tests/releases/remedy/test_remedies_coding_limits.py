"""Limits for coding that a plan lists: k records at or beyond each, and the effect that pandas measures."""

from __future__ import annotations

import random

import numpy as np
import pandas as pd
import pytest

import privaudit
from privaudit.audit.coding_limits import CODES

OPTIONS = {"policy": "public", "framework": (), "ner": False}
ROLES = {"age": "quasi", "town": "quasi", "income": "none", "grade": "none", "number": "direct"}


@pytest.fixture(scope="module")
def table():
    draw = random.Random(4)
    return pd.DataFrame(
        {
            "age": [draw.randint(18, 80) for _ in range(900)],
            "town": [draw.choice("AB") for _ in range(900)],
            "income": [round(draw.lognormvariate(7, 0.8)) for _ in range(900)],
            "grade": [draw.choice([1, 2, 2, 3, 3, 3, 9]) for _ in range(900)],
            "number": [4_000_000 + 7 * i for i in range(900)],
        }
    )


@pytest.fixture(scope="module")
def plan(table):
    return privaudit.plan(table, role=ROLES, **OPTIONS)


def test_limits_are_listed_for_numbers_that_the_plan_leaves_and_not_for_codes_or_keys(plan, table):
    assert table["grade"].nunique() <= CODES
    assert [each.column for each in plan.limits] == ["income"]
    lines = [line for line in plan.text.splitlines() if '"income"' in line and "top_code at" in line]
    assert len(lines) == 1 and lines[0].startswith("#")
    assert "income" not in plan.plan.changed


def test_the_effect_of_limits_is_that_of_pandas(plan, table):
    (found,), income = plan.limits, table["income"]
    k = plan.before.wire.policy.k
    assert found.n_top == (income >= found.top).sum() >= k
    if found.bottom is not None:
        assert found.n_bottom == (income <= found.bottom).sum() >= k
    coded, spread = income.clip(found.bottom, found.top), income.std(ddof=0)
    assert found.deviation == pytest.approx(1 - coded.std(ddof=0) / spread) and found.deviation > 0
    assert found.mean == pytest.approx((coded.mean() - income.mean()) / spread)
    assert np.isclose(float(f"{found.top:.2g}"), found.top)


def test_a_listed_limit_is_a_step_that_works(plan, table):
    (found,) = plan.limits
    step = {"technique": "top_code", "column": "income", "at": found.top, "write": "limit"}
    made = privaudit.remedy(table, reports=False, plan=[step], role=ROLES, **OPTIONS)
    assert made.frame["income"].max() == found.top
    assert (made.frame["income"] == found.top).sum() == found.n_top
