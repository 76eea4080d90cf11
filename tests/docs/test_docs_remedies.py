"""The page on remedies lists the techniques as their records state them, and its plan is a plan."""

from __future__ import annotations

import importlib.util
import re
import tomllib

from privaudit.releases.remedy.plan_file import parse_plan
from tests.helpers.paths import ROOT


def _maker():
    spec = importlib.util.spec_from_file_location("make_remedies", ROOT / "docs" / "make_remedies.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_table_of_techniques_is_written_from_their_records():
    page = (ROOT / "docs" / "remedies.md").read_text()
    assert _maker().text(page) == page, "run: python docs/make_remedies.py"


def test_the_plan_on_the_page_is_a_plan():
    page = (ROOT / "docs" / "remedies.md").read_text()
    for block in re.findall(r"```toml\n(.*?)```", page, re.DOTALL):
        assert parse_plan(tomllib.loads(block), "plan.toml").steps
