"""Packs of a user's own: what they find, what their entities mean to the report, and what is refused."""

from __future__ import annotations

import random
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner

import privaudit
from privaudit.api.handbook import list_rules
from privaudit.base.errors import PrivauditError, RuleError
from privaudit.cli.commands import cli
from privaudit.detect.catalogue import cases, detectors
from privaudit.model.vocabulary import known_types
from privaudit.settings.config import Settings
from tests.helpers.command import run_here
from tests.helpers.detection import judge

STAFF = """
[[entity]]
name = "STAFF_NUMBER"
title = "Number of an employee"
role = "direct"
laws = ["our rule 7"]

[[detector]]
entity = "STAFF_NUMBER"
title = "Employee number: E and eight digits, the last a Luhn digit"
severity = "medium"
regex = ['E\\d{8}']
vetoes = ['^E0000']
validator = "luhn"
checked = "digits"
contains = true
match = ["E79927398"]
no_match = ["E79927395", "E00000000"]
"""
SHIFT = """
[[entity]]
name = "SHIFT"
title = "Shift somebody works"
role = "quasi"

[[detector]]
entity = "SHIFT"
title = "Shift, by the name of its column"
headers = ["shift", "turn of duty"]
lengths = [1, 8]
match = ["work_shift", "turnOfDuty"]
no_match = ["gearshift", "shift_count"]
"""
WARD = """
[[entity]]
name = "WARD"
title = "Ward"
role = "sensitive"
special = true

[[detector]]
entity = "WARD"
title = "Our wards"
list = "wards.txt"
contains = true
match = ["Maternité"]
no_match = ["Kitchen"]
"""
PARISH = """
[[entity]]
name = "PARISH"
title = "Code of a parish"
role = "quasi"

[[detector]]
entity = "PARISH"
title = "Parish"
regex = ['(?:0[1-9]|1[0-8])-\\d{4}']
locale = ["PT"]
match = ["11-0633"]
no_match = ["99-0633"]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    home = tmp_path / "rules"
    home.mkdir()
    for name, text in (("staff", STAFF), ("shift", SHIFT), ("ward", WARD), ("parish", PARISH)):
        (home / f"{name}.toml").write_text(text, encoding="utf-8")
    (home / "wards.txt").write_text("# ours\nMaternité\nOncology East\n\n", encoding="utf-8")
    return home


def number(n: int) -> str:
    body = f"{n:07d}"
    total = sum((2 * int(c) - 9 * (2 * int(c) > 9)) if i % 2 == 0 else int(c) for i, c in enumerate(body[::-1]))
    return f"E{body}{-total % 10}"


def look(table: dict[str, list[str]], folder: Path):
    return judge(table, Settings(ner=False, rules=str(folder)))


@pytest.mark.slow
def test_their_cases_hold(folder: Path) -> None:
    assert [one.name for one in cases.test_packs(folder) if not one.passed] == []


@pytest.mark.slow
def test_a_check_reads_the_digits_alone(folder: Path) -> None:
    good = [number(n) for n in range(1_000_000, 1_000_200)]
    found = look({"c0": good, "c1": [f"{n[:-1]}{(int(n[-1]) + 1) % 10}" for n in good]}, folder)
    assert found["c0"].is_ is not None and found["c0"].is_.entity == "STAFF_NUMBER"
    assert found["c1"].is_ is None or found["c1"].is_.entity != "STAFF_NUMBER"


def test_single_cells_are_counted_inside_text_and_held_to_the_check(folder: Path) -> None:
    r = random.Random(1)
    quiet = [f"all was well on the floor in round {r.randrange(10**9)} again" for _ in range(200)]
    right = [f"first E12345678, then {number(7_000_000 + i)}; closed" for i in range(9)]
    wrong = ["vetoed E00000000 here today again", "glued xE79927398 to another word today", "no E79927395 at all today"]
    found = look({"notes": quiet + right + wrong}, folder)["notes"]
    assert [c.n_cells for c in found.contains if c.entity == "STAFF_NUMBER"] == [9]


def test_a_name_alone_is_enough_where_the_cells_fit(folder: Path) -> None:
    short, long = ["a", "b", "c"] * 40, ["quite another thing"] * 60 + ["something else again"] * 60
    found = look({"work_shift": short, "turn_of_duty": long, "shift_count": ["1", "2", "3"] * 40}, folder)
    assert found["work_shift"].is_ is not None and found["work_shift"].is_.entity == "SHIFT"
    assert found["turn_of_duty"].is_ is None or found["turn_of_duty"].is_.entity != "SHIFT"
    assert any(r.entity == "SHIFT" for r in found["turn_of_duty"].rejected)
    assert found["shift_count"].is_ is None or found["shift_count"].is_.entity != "SHIFT"


def test_a_list_lies_in_a_file_and_is_counted_in_single_cells(folder: Path) -> None:
    found = look(
        {"c0": ["MATERNITE", "oncology east"] * 50 + ["Maternité"], "c1": ["Kitchen", "Yard"] * 50 + ["Maternité"]},
        folder,
    )
    assert found["c0"].is_ is not None and found["c0"].is_.entity == "WARD"
    assert [(c.entity, c.n_cells) for c in found["c1"].contains] == [("WARD", 1)]


@pytest.mark.slow
def test_a_country_elsewhere_is_evidence_against_what_is_bound_to_one(folder: Path) -> None:
    cells = [f"{1 + i % 18:02d}-{i:04d}" for i in range(120)]
    home = look({"c0": cells, "country": ["Portugal"] * 120}, folder)["c0"]
    away = look({"c0": cells, "country": ["Germany"] * 120}, folder)["c0"]
    assert home.is_ is not None and home.is_.entity == "PARISH"
    assert away.is_ is None or away.is_.entity != "PARISH"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    rows = [f"{number(1_000_000 + n)},{'Maternité' if n % 2 else 'Oncology East'},{n % 3}" for n in range(300)]
    path = tmp_path / "t.csv"
    path.write_text("\n".join(["ref,place,shift", *rows]) + "\n", encoding="utf-8")
    return path


@pytest.mark.slow
def test_an_entity_of_ones_own_has_a_role_and_its_findings(folder: Path, table: Path) -> None:
    report = privaudit.scan(table, rules=str(folder), ner=False)
    roles = {column.name: column.role for column in report.columns}
    assert roles == {"ref": "direct", "place": "sensitive", "shift": "quasi"}
    found = {(f.code, f.subject): f.severity for f in report.findings}
    assert found["PII001", ("ref",)] == "medium"
    # k, l and t are within the policy, so the special category alone does not fail the gate.
    assert found["SEN003", ("place",)] == "medium"
    assert not [limit for limit in report.wire.limits if limit.what.startswith("entity ")]


def test_judging_again_without_the_packs_is_incomplete_and_with_them_the_same(
    folder: Path, table: Path, tmp_path: Path
) -> None:
    saved = tmp_path / "r.json"
    report = privaudit.scan(table, rules=str(folder), ner=False)
    report.write(saved)
    without = privaudit.judge(saved)
    assert without.gate().exit_code == 3
    assert {x.what for x in without.wire.limits if x.incomplete} == {
        "entity type STAFF_NUMBER",
        "entity type SHIFT",
        "entity type WARD",
    }
    again = privaudit.judge(without, rules=str(folder))
    assert again.wire.findings == report.wire.findings and again.gate().exit_code == report.gate().exit_code


def test_they_are_explained_and_listed(folder: Path) -> None:
    reported = privaudit.explain("staff-number", rules=folder)
    for part in (
        "Number of an employee",
        "Declared by your pack",
        "direct",
        "check luhn",
        "our rule 7",
        "PII001",
        "medium",
    ):
        assert part in reported
    assert '"shift"' in privaudit.explain("SHIFT", rules=folder)
    with pytest.raises(RuleError, match="--rules DIR"):
        privaudit.explain("STAFF_NUMBER")
    rows = {(rule.kind, rule.code) for rule in list_rules(folder)}
    assert {("entity", "WARD"), ("detector", "STAFF_NUMBER"), ("entity", "EMAIL")} <= rows
    assert set(known_types(folder)) - set(known_types()) == {"STAFF_NUMBER", "SHIFT", "WARD", "PARISH"}


HEAD = '[[entity]]\nname = "OWN_THING"\ntitle = "t"\nrole = "direct"\n'
BODY = '\n[[detector]]\nentity = "OWN_THING"\ntitle = "a thing"\n'
LARGE = [f"(?i)TK{i:02}-\\d{{4}}" + 5 * "(?:[^a-z]{31}){0,32}" for i in range(16)]
"""Expressions that RE2 runs one by one; all together are too large."""
BROKEN = {
    "a key twice": (HEAD + BODY + "regex = ['a']\nregex = ['b']\n", "line 10"),
    "no TOML": (HEAD + BODY + "regex = ['a\n", "not TOML"),
    "a misspelt key": (HEAD + BODY + "regx = ['a']", 'Did you mean "regex"'),
    "a key of ours": (HEAD + BODY + "regex = ['a']\nuser = true", 'unknown key "user"'),
    "a number out of range": (HEAD + BODY + "regex = ['a']\nstrength = 2.0", "a number from 0 to 1"),
    "an empty title": (HEAD.replace('"t"', '""') + BODY + "regex = ['a']", '"title" must be a string'),
    "unknown edges": (HEAD + BODY + "regex = ['a']\n[[detector.text]]\nedges = 'x'\nneeds = 'form'", "one of number"),
    "look-behind": (HEAD + BODY + "regex = ['(?<=a)b']", "RE2 rejects expression 1"),
    "a closed surrounding group": (HEAD + BODY + "regex = ['a)|(b']", "RE2 rejects expression 1"),
    "too large": (HEAD + BODY + "vetoes = ['((a{0,1000}){0,1000}){0,1000}']", "RE2 rejects"),
    "too large together": (
        HEAD + BODY + "[[detector.text]]\nneeds = 'form'\nform = ['" + "', '".join(LARGE) + "']",
        'expressions of "text" together',
    ),
    "a module without a validator": (HEAD + BODY + 'validator = "util"', 'unknown "validator"'),
    "digits without check": (HEAD + BODY + "regex = ['a']\nchecked = 'digits'", '"checked" requires a "validator"'),
    "an unknown severity": (HEAD + BODY + "regex = ['a']\nseverity = 'urgent'", "info, low, medium"),
    "an unknown role": (HEAD.replace("direct", "secret"), "direct, quasi, sensitive, none"),
    "no role": (HEAD.replace('role = "direct"\n', ""), '"role" is missing'),
    "unknown country code": (HEAD + BODY + "regex = ['a']\nlocale = ['Portugal']", "unknown country code"),
    "a string instead of a list": (HEAD + BODY + "regex = 'a'", "list of non-empty strings"),
    "lengths the wrong way": (HEAD + BODY + "regex = ['a']\nlengths = [9, 2]", "least length"),
    "an entity misspelt": (BODY.replace("OWN_THING", "EMIAL") + "regex = ['a']", "similar: EMAIL"),
    "a built-in entity type": (HEAD.replace("OWN_THING", "EMAIL"), "built-in entity type"),
    "an entity twice": (HEAD + HEAD, "declared twice"),
    "a detector twice": (HEAD + BODY + "regex = ['a']\n" + BODY + "regex = ['b']\n", "another detector has the same"),
    "nothing to match": (HEAD + BODY, "add \"regex\""),
    "cells of a detector by name": (HEAD + BODY + "headers = ['x']\ncontains = true", '"contains" requires'),
    "a header of punctuation": (HEAD + BODY + "headers = ['--']", "without letters or digits"),
    "a list in another folder": (HEAD + BODY + "list = '../x.txt'", "in another folder"),
    "a missing list": (HEAD + BODY + "list = 'x.txt'", "x.txt cannot be read"),
    "an empty pack": ("", "contains neither"),
    "a check among detectors": ('family = "X"\n[[check]]\ncode = "X"', "checks/"),
    "a detector that is not a table": ('detector = "x"', "[[detector]]"),
}  # fmt: skip


@pytest.mark.parametrize("what", BROKEN)
def test_an_invalid_pack_is_reported_in_one_line(tmp_path: Path, what: str) -> None:
    text, message = BROKEN[what]
    (tmp_path / "mine.toml").write_text(text, encoding="utf-8")
    with pytest.raises(RuleError) as caught:
        detectors.user_packs(tmp_path)
    line = caught.value.line()
    assert message in line and "\n" not in line and len(line) <= 300
    assert "mine.toml" in line or "[[entity]]" in line


@pytest.mark.slow
def test_detectors_that_are_too_large_together_find_what_each_finds(tmp_path: Path) -> None:
    body = BODY.replace('"a thing"', '"thing {}"') + "regex = ['{}']\ncontains = true\n"
    inside = "[[detector.text]]\nneeds = 'form'\n"
    packed = "".join(body.format(i, form) for i, form in enumerate(LARGE[:9]))
    (tmp_path / "mine.toml").write_text(HEAD + packed.replace("contains", inside + "#"), encoding="utf-8")
    cells = [f"call {i} about TK{i % 9:02}-{1000 + i} again" for i in range(60)]
    report = privaudit.scan(pd.DataFrame({"note": cells}), rules=str(tmp_path), ner=False)
    assert [one.n_cells for one in report.columns[0].contains if one.entity == "OWN_THING"] == [60]


def test_a_byte_order_mark_is_not_a_mistake(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(STAFF, encoding="utf-8-sig")
    assert len(detectors.user_packs(tmp_path)) == 1


@pytest.mark.slow
def test_a_pack_without_cases_fails_its_test_and_an_expression_cannot_hang(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(HEAD + BODY + "regex = ['(a+)+']", encoding="utf-8")
    failed = [one.why for one in cases.test_packs(tmp_path) if not one.passed]
    assert len(failed) == 2 and all("no case" in why for why in failed)
    long = "a" * 2_000_000 + "!"
    (tmp_path / "mine.toml").write_text(
        HEAD + BODY + f"regex = ['(a+)+']\nmatch = ['aa']\nno_match = ['{long}']", encoding="utf-8"
    )
    assert all(one.passed for one in cases.test_packs(tmp_path))


@pytest.mark.parametrize("where", ["nowhere", "empty", "file.toml", "lost"])
@pytest.mark.parametrize(
    "command", ["scan {table} --no-ner --rules", "rules test", "rules list --rules", "explain EMAIL --rules"]
)
def test_a_folder_without_packs_never_passes(tmp_path: Path, table: Path, where: str, command: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "file.toml").write_text(STAFF)
    (tmp_path / "lost" / "detector").mkdir(parents=True)
    (tmp_path / "lost" / "detector" / "p.toml").write_text(STAFF)
    words = [*command.format(table=table).split(), str(tmp_path / where)]
    result = CliRunner().invoke(cli, words, standalone_mode=False)
    assert isinstance(result.exception, PrivauditError) and result.exception.exit_code == 2


@pytest.mark.slow
def test_recognizers_of_presidio_are_reported_as_not_tested(tmp_path: Path) -> None:
    (tmp_path / "recognizers.yaml").write_text("recognizers: []\n", encoding="utf-8")
    reported = run_here(["rules", "test", str(tmp_path)], tmp_path, {})
    assert reported.returncode == 0
    assert "recognizers.yaml was not tested" in reported.stdout
    assert "not tested" not in run_here(["rules", "test"], tmp_path, {}).stdout


def test_a_folder_of_checks_or_of_what_was_learned_alone_is_one(tmp_path: Path) -> None:
    from privaudit.base import resources

    learned = resources.path("rules", "reference", "fusion.toml").read_text()
    (tmp_path / "fusion.toml").write_text(learned)
    assert detectors.user_packs(tmp_path) == ()


@pytest.mark.parametrize("entity", sorted(known_types()))
def test_every_entity_is_explained(entity: str) -> None:
    reported = privaudit.explain(entity)
    for heading in ("What it is", "Role", "How it is recognised", "Laws that name it"):
        assert f"\n{heading}\n" in reported
    assert max(map(len, reported.splitlines())) < 2_000


@pytest.mark.slow
def test_a_form_inside_text_of_a_users_pack_is_sought(tmp_path: Path) -> None:
    pack = """
[[entity]]
name = "STAFF_BADGE"
title = "Badge"
role = "direct"

[[detector]]
entity = "STAFF_BADGE"
title = "Badge after the word"

[[detector.text]]
form = ['[A-Z]{2}\\d{4}']
words = ["badge"]
digits = 0
match = ["badge AB1234"]
no_match = ["batch AB1234", "badge AB12345", "badge AB123"]
"""
    (tmp_path / "badges.toml").write_text(pack, encoding="utf-8")
    assert all(result.passed for result in cases.test_packs(tmp_path))
    notes = [f"Visitor {i} left the badge AB{i} at the desk, as agreed" for i in range(1000, 1100)]
    notes += [f"Visitor {i} left the batch AB{i} at the desk, as agreed" for i in range(1000, 1100)]
    found = judge({"notes": notes}, Settings(ner=False, rules=str(tmp_path)))["notes"]
    assert [one.n_cells for one in found.contains if one.entity == "STAFF_BADGE"] == [100]
