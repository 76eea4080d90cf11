"""The texts of packs: forbidden words, people counted, and docs that match the packs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from privaudit.rulebook import load_checks, load_frameworks, load_policy, policy_names
from privaudit.rulebook.cases import test_rules as run_cases
from tests.helpers.program import sentence_codes

ROOT = Path(__file__).resolve().parents[2]
FORBIDDEN = re.compile(
    r"\banonymous\b|anonymi[sz]ed successfully|\bsafe\b(?! harbor)|\bcompliant\b|gdpr-safe|pii-free|\bno pii\b"
    r"|zero risk|\bguarantee",
    re.IGNORECASE,
)


def texts() -> list[str]:
    found: list[str] = []
    for check in load_checks():
        found += [check.name, check.title, check.message, check.why, check.do, check.docs, check.origin or ""]
    for framework in load_frameworks():
        found += [framework.title, framework.disclaimer]
        for control in framework.control:
            found += [control.title, control.requirement, control.person, control.source]
    for policy in map(load_policy, policy_names()):
        found += [policy.title, *policy.origins.values()]
    return found


def test_no_pack_contains_a_forbidden_word() -> None:
    assert [text for text in texts() if FORBIDDEN.search(text)] == []


def test_every_framework_states_that_a_person_decides() -> None:
    assert all("A person decides" in framework.disclaimer for framework in load_frameworks())


def test_names_of_checks_read_after_accept() -> None:
    assert not [c.name for c in load_checks() if c.name.startswith(("no-", "disallow", "forbid", "generalise"))]


@pytest.mark.parametrize("family", ["PII", "PSN", "QI", "RSK", "DAT", "GEO", "SEN"])
def test_messages_count_people(family: str) -> None:
    silent = {
        "PII004",
        "PII012",
        "PII013",
        "PII014",
        "RSK002",
        "SEN002",
        "SEN005",
        "SEN006",
    }  # no people are counted: the name of a column or file, text outside of the table, a population, a distribution
    checks = [c for c in load_checks() if c.code.startswith(family) and c.code not in silent]
    assert checks
    assert all("{people" in check.message for check in checks)


def test_every_coded_reason_of_the_rulebook_has_a_sentence() -> None:
    """Codes in the source and sentences in the catalogue match in both directions."""
    source = "".join(
        file.read_text(encoding="utf-8")
        for file in [*(ROOT / "privaudit" / "rulebook").rglob("*.py"), *(ROOT / "privaudit").glob("*.py")]
    )
    used = set(re.findall(r'"(rulebook\.[a-z_0-9]+)"', source))
    sentences = {code for code in sentence_codes() if code.startswith("rulebook.")}
    limits = {code for code in sentence_codes("limits") if code.startswith("rulebook.")}
    assert used == sentences | limits


def test_the_docs_match_the_packs() -> None:
    from docs import make_rules

    page = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    assert all(f"\n{head}" in page for head in ("| code | name |", "| policy | k |", "| control | question |"))
    assert make_rules.text(page) == page, "run: python docs/make_rules.py"


def test_the_packs_printed_in_the_docs_load(tmp_path: Path) -> None:
    """The examples a reader copies are packs: the policy, the check with its cases, the framework."""
    blocks = re.findall(r"```toml\n(.*?)```", (ROOT / "docs" / "rules.md").read_text(encoding="utf-8"), re.DOTALL)
    kinds = {"extends": "policies", "[[check]]": "checks", "[[control]]": "frameworks"}
    for block in blocks:
        kind = next(folder for mark, folder in kinds.items() if mark in block)
        (tmp_path / kind).mkdir()
        (tmp_path / kind / "ours.toml").write_text(block, encoding="utf-8")
    assert len(blocks) == len(kinds)
    assert load_policy(str(tmp_path / "policies" / "ours.toml")).l == 4
    assert load_frameworks(["our-board"], folder=tmp_path)[0].control[0].id == "BOARD-1"
    assert [r.name for r in run_cases(tmp_path) if not r.passed] == []
