"""Validation of packs: what is rejected, and that the shipped packs pass."""

from __future__ import annotations

from pathlib import Path

import pytest

from privaudit.api.handbook import list_rules
from privaudit.base.errors import RuleError
from privaudit.rulebook import load_checks, load_frameworks
from privaudit.rulebook.cases import test_rules
from privaudit.rulebook.measurement import MEASURES
from privaudit.rulebook.packs import zip3

CHECK = """
family = "MY"
title = "My checks"
version = "1"
as_of = 2026-01-01

[[check]]
code = "MYX001"
name = "my-own-check"
title = "A check of mine"
measure = "class.k_min"
fires_when = "below"
limit = 7
origin = "our own rule"
severity = "high"
confidence = "exact"
message = "{people} are few by {columns}"
why = "because"
do = "merge"
status = "preview"
docs = "mine"

[[check.case]]
name = "small"
fires = true
evidence = { classes = [[6, 2]] }

[[check.case]]
name = "large"
fires = false
evidence = { classes = [[7, 2]] }
"""

FRAMEWORK = """
id = "mine"
title = "My law"
version = "1"
as_of = 2026-01-01
jurisdiction = "here"
status = "preview"
disclaimer = "A person decides."

[[control]]
id = "MINE-1"
title = "First"
requirement = "Something"
question = "Is it so?"
good = "no"
answers_yes = ["QI001"]
silent = "no"
source = "section 1"
verified = "primary"
"""


def folder(tmp_path: Path, check: str | None = None, framework: str | None = None) -> Path:
    for kind, text in (("checks", check), ("frameworks", framework)):
        if text is not None:
            (tmp_path / kind).mkdir(exist_ok=True)
            (tmp_path / kind / "mine.toml").write_text(text, encoding="utf-8")
    return tmp_path


def load_framework_packs(place: Path) -> object:
    return load_frameworks(folder=place)


def rejection(tmp_path: Path, check: str | None = None, framework: str | None = None) -> str:
    place = folder(tmp_path, check, framework)
    load = load_checks if framework is None else load_framework_packs
    with pytest.raises(RuleError) as caught:
        load(place)
    assert caught.value.__cause__ is None
    return caught.value.line()


def test_a_pack_of_the_user_joins_the_shipped_ones(tmp_path: Path) -> None:
    place = folder(tmp_path, CHECK, FRAMEWORK)
    assert "MYX001" in {check.code for check in load_checks(place)}
    assert [f.id for f in load_frameworks(["mine", "mine"], folder=place)] == ["mine"]
    assert all(result.passed for result in test_rules(place))
    assert {rule.code for rule in list_rules(place)} >= {"MYX001", "MINE-1", "public", "wp216"}


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("limit = 7", "limit = nan", '"check.1.limit" in mine.toml must be a finite number'),
        ("limit = 7", "limit = -inf", "finite"),
        ("limit = 7", "limit = true", "limit"),
        ("limit = 7", 'limit = "policy.nothing"', "not a key of the policy"),
        ('origin = "our own rule"', "", "origin"),
        ('origin = "our own rule"', 'origin = " "', "origin"),
        ('measure = "class.k_min"', 'measure = "class.k_max"', "class.k_max"),
        ('severity = "high"', 'severity = "severe"', '"check.1.severity" in mine.toml'),
        ('severity = "high"', "severity = 3", '"check.1.severity" in mine.toml'),
        ('why = "because"', "", '"check.1.why" is missing in mine.toml'),
        ('why = "because"', 'wyh = "because"\nwhy = "b"', 'Unknown key "check.1.wyh" in mine.toml'),
        ('why = "because"', "why = 036", "is not TOML"),
        ("{people}", "{person}", "placeholder"),
        ("{people}", "{people!r}", "placeholder"),
        ("{people}", "{people", "braces"),
        ("{people}", "{columns[0]}", "placeholder"),
        ("{people}", "{people:words}", "form"),
        ("MYX001", "my-1", "code"),
        ("my-own-check", "My own", "name"),
        ("MYX001", "QI001", "twice"),
        ("my-own-check", "age-over-89", "twice"),
        ("fires = true", "fires = false", "a case on which it fires"),
        ("as_of = 2026-01-01", 'as_of = "soon"', '"as_of" in mine.toml'),
    ],
)
def test_an_invalid_check_is_rejected_by_file_and_key(tmp_path: Path, old: str, new: str, expected: str) -> None:
    assert old in CHECK
    text = rejection(tmp_path, check=CHECK.replace(old, new, 1))
    assert expected in text
    assert "mine.toml" in text


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('source = "section 1"', 'source = ""', "no source"),
        ('source = "section 1"', "", '"control.1.source" is missing'),
        ('answers_yes = ["QI001"]', 'answers_yes = ["QI999"]', "QI999"),
        ('answers_yes = ["QI001"]', 'any_of = ["MINE-2"]', "not before it"),
        ('answers_yes = ["QI001"]', 'answers_yes = "QI001"', '"control.1.answers_yes"'),
        ("MINE-1", "WP216-SO", "twice"),
        ('id = "mine"', 'id = "wp216"', "twice"),
        ('verified = "primary"', 'verified = "sure"', '"control.1.verified"'),
        ('verified = "primary"', 'verified = "primary"\n[control.limits]\nk = 5\norigin = "x"', "pair"),
        ('verified = "primary"', 'verified = "primary"\n[control.limits]\ndate = "week"\norigin = "x"', "level"),
    ],
)
def test_an_invalid_framework_is_rejected(tmp_path: Path, old: str, new: str, expected: str) -> None:
    assert old in FRAMEWORK
    assert expected in rejection(tmp_path, framework=FRAMEWORK.replace(old, new, 1))


def test_an_unknown_framework_names_the_known_ones() -> None:
    with pytest.raises(RuleError, match="hipaa-safe-harbor"):
        load_frameworks(["hippo"])


def test_a_failed_case_is_named(tmp_path: Path) -> None:
    place = folder(tmp_path, CHECK.replace("[[6, 2]]", "[[7, 3]]", 1))
    wrong = [result for result in test_rules(place) if not result.passed]
    assert [result.name for result in wrong] == ["MYX001: small"]
    assert wrong[0].why == "fires is False, expected True"


def test_unknown_evidence_in_a_case_is_rejected(tmp_path: Path) -> None:
    place = folder(tmp_path, CHECK.replace("classes = [[6, 2]]", "clases = [[6, 2]]", 1))
    with pytest.raises(RuleError, match="clases"):
        test_rules(place)


RULES_PAGE = Path(__file__).resolve().parents[2] / "docs" / "rules.md"


def test_every_measure_is_used_and_documented() -> None:
    used = {check.measure for check in load_checks()}
    without_a_limit_in_any_policy = {"disclosure.delta"}  # for checks of users; docs/rules.md describes it
    assert used | without_a_limit_in_any_policy == set(MEASURES)
    assert all(f"`{name}`" in RULES_PAGE.read_text("utf-8") for name in without_a_limit_in_any_policy)
    assert all(measure.__doc__ for measure in MEASURES.values())


def test_all_eighteen_identifiers_of_safe_harbor_are_controls() -> None:
    ids = {control.id for control in load_frameworks(["hipaa-safe-harbor"])[0].control}
    assert ids == {f"HIPAA-b2i-{letter}" for letter in "ABCDEFGHIJKLMNOPQR"} | {"HIPAA-b2ii", "HIPAA-c"}


def test_every_criterion_of_wp216_is_a_control() -> None:
    ids = [control.id.removeprefix("WP216-") for control in load_frameworks(["wp216"])[0].control]
    assert ids == ["SO", "LK", "IN", "OR", "RES", "PS"]


def test_zip_codes_keep_their_zeros() -> None:
    assert len(zip3().restricted) == len(set(zip3().restricted)) == 17
    assert {"036", "059", "063"} <= set(zip3().restricted)
    assert all(len(code) == 3 and code.isdecimal() for code in zip3().restricted)
    assert "2000" in zip3().vintage
