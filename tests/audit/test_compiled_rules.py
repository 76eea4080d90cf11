"""The compiled rules say what the rule files say, whatever state the compiled file is in."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from privaudit.base import compiled_rules, resources

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def checkout(tmp_path):
    """A checkout with one rule file."""
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "a.toml").write_text("x = 1\nday = 2026-01-02\n")
    compiled_rules._known.cache_clear()
    compiled_rules._renew.cache_clear()
    yield tmp_path
    compiled_rules._known.cache_clear()
    compiled_rules._renew.cache_clear()


def read(root: Path) -> dict:
    """Read the rule file as a new process does."""
    compiled_rules._known.cache_clear()
    compiled_rules._renew.cache_clear()
    return compiled_rules.read(root / "rules" / "a.toml", root)


def test_every_shipped_file_compiles_to_its_content():
    for file in sorted((ROOT / "rules").rglob("*.toml")):
        expected = tomllib.loads(file.read_text(encoding="utf-8"))
        assert resources.read_toml(file) == json.loads(json.dumps(expected, default=str)), file.name


def test_a_changed_rule_file_counts_at_once(checkout):
    assert read(checkout) == {"x": 1, "day": "2026-01-02"}
    (checkout / "rules" / "a.toml").write_text("x = 2\n")
    assert read(checkout) == {"x": 2}
    _, _, text = (checkout / "build" / "rules.json").read_text().partition("\n")
    assert json.loads(text)["rules/a.toml"][1] == {"x": 2}


@pytest.mark.quick_cases(20)
@pytest.mark.parametrize(
    "damaged", ["", "{", "[]", "null", '{"rules/a.toml": 1}', '{"rules/a.toml": ["", {}]}', "\x00"]
)
def test_a_damaged_compiled_file_is_replaced(checkout, damaged):
    (checkout / "build").mkdir()
    (checkout / "build" / "rules.json").write_text(damaged)
    assert read(checkout)["x"] == 1
    assert (checkout / "build" / "rules.json").read_text() == compiled_rules.compile_rules(checkout)


def test_a_place_that_cannot_be_written_costs_time_only(checkout):
    (checkout / "build").touch()
    assert read(checkout)["x"] == 1
    assert (checkout / "build").is_file()


def test_an_installation_reads_its_file_and_writes_none(checkout):
    (checkout / "pyproject.toml").unlink()
    assert read(checkout)["x"] == 1
    assert sorted(file.name for file in checkout.iterdir()) == ["rules"]
    edited = compiled_rules.compile_rules(checkout).replace('"x":1', '"x":7')
    text = edited.partition("\n")[2]
    (checkout / "rules.json").write_text(f"{compiled_rules._digest(text.encode())}\n{text}")
    assert read(checkout)["x"] == 7


@pytest.mark.parametrize("kind", ["checkout", "installation"])
def test_a_compiled_file_that_was_edited_does_not_count(checkout, kind):
    edited = compiled_rules.compile_rules(checkout).replace('"x":1', '"x":7')
    if kind == "installation":
        (checkout / "pyproject.toml").unlink()
        (checkout / "rules.json").write_text(edited)
    else:
        (checkout / "build").mkdir()
        (checkout / "build" / "rules.json").write_text(edited)
    assert read(checkout)["x"] == 1
    if kind == "checkout":
        assert (checkout / "build" / "rules.json").read_text() == compiled_rules.compile_rules(checkout)
