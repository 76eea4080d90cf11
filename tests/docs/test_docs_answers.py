"""The page on answers states the odds of its formula, every kind of query, and every estimator."""

from __future__ import annotations

import math
import re

import privaudit
from privaudit.releases.answers.plan_file import KINDS
from tests.helpers.paths import ROOT

PAGE = (ROOT / "docs" / "answers.md").read_text(encoding="utf-8")


def test_the_odds_are_those_of_epsilon() -> None:
    rows = re.findall(r"^\| ([\d.]+) \| ([\d.,]+) \| ([\d.]+) % \| ([\d.]+) % \|$", PAGE, flags=re.M)
    assert len(rows) == 7
    for epsilon, factor, half, rare in rows:
        odds = math.exp(float(epsilon))
        assert float(factor.replace(",", "")) == float(f"{odds:.3g}" if odds < 1000 else f"{odds:.0f}")
        for stated, prior in ((half, 0.5), (rare, 0.01)):
            assert float(stated) == round(100 * odds * prior / (1 - prior + odds * prior), 1)


def test_every_kind_and_estimator_is_on_the_page() -> None:
    names = [name for name in privaudit.__all__ if name.startswith("Private")]
    assert len(names) == 5
    for name in (*KINDS, *names):
        assert f"`{name}`" in PAGE, name
