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
    forget()
    yield tmp_path
    forget()


def forget() -> None:
    """Forget what this process has read."""
    for known in (compiled_rules._index, compiled_rules._content, compiled_rules._renew, compiled_rules._digest_as_of):
        known.cache_clear()


def read(root: Path) -> dict:
    """Read the rule file as a new process does."""
    forget()
    return compiled_rules.read(root / "rules" / "a.toml", root)


def test_every_shipped_file_compiles_to_its_content():
    for file in sorted((ROOT / "rules").rglob("*.toml")):
        expected = tomllib.loads(file.read_text(encoding="utf-8"))
        assert resources.read_toml(file) == json.loads(json.dumps(expected, default=str)), file.name


def test_a_changed_rule_file_counts_at_once(checkout):
    assert read(checkout) == {"x": 1, "day": "2026-01-02"}
    (checkout / "rules" / "a.toml").write_text("x = 2\n")
    assert read(checkout) == {"x": 2}
    index, content = (checkout / "build" / compiled_rules.NAME).read_text().split("\n\n")
    assert index.splitlines()[1].startswith("rules/a.toml\t") and json.loads(content) == {"x": 2}


@pytest.mark.quick_cases(20)
@pytest.mark.parametrize(
    "damaged",
    ["", "{}", "\x00", "rules/a.toml", "rules/a.toml\t\t\t0\t2\n\n{}", "\t\t\t\t\n", "rules/a.toml\t\t\t\u00e9"],
)
def test_a_damaged_compiled_file_is_replaced(checkout, damaged):
    (checkout / "build").mkdir()
    (checkout / "build" / compiled_rules.NAME).write_text(damaged)
    assert read(checkout)["x"] == 1
    assert (checkout / "build" / compiled_rules.NAME).read_text() == compiled_rules.compile_rules(checkout)


def test_a_damaged_content_leaves_the_others_as_they_are(checkout):
    (checkout / "pyproject.toml").unlink()
    (checkout / "rules" / "b.toml").write_text("y = 8\n")
    (checkout / compiled_rules.NAME).write_text(compiled_rules.compile_rules(checkout).replace('"x":1', '"x":7'))
    forget()
    digests = {name: compiled_rules.digest_of(checkout / "rules" / name) for name in ("a.toml", "b.toml")}
    found = {name: compiled_rules._content(checkout, f"rules/{name}", digest) for name, digest in digests.items()}
    assert found == {"a.toml": None, "b.toml": {"y": 8}}


def test_an_edited_index_does_not_count(checkout):
    compiled = compiled_rules.compile_rules(checkout)
    (checkout / "build").mkdir()
    (checkout / "build" / compiled_rules.NAME).write_text(compiled.replace("a.toml", "b.toml"))
    forget()
    assert compiled_rules._index(checkout) == {}
    (checkout / "build" / compiled_rules.NAME).write_text(compiled)
    forget()
    assert list(compiled_rules._index(checkout)) == ["rules/a.toml"]


def test_a_place_that_cannot_be_written_costs_time_only(checkout):
    (checkout / "build").touch()
    assert read(checkout)["x"] == 1
    assert (checkout / "build").is_file()


def test_an_installation_reads_its_file_and_writes_none(checkout):
    (checkout / "pyproject.toml").unlink()
    assert read(checkout)["x"] == 1
    assert sorted(file.name for file in checkout.iterdir()) == ["rules"]
    file, content = checkout / "rules" / "a.toml", '{"x":7}'
    digests = f"{compiled_rules.digest_of(file)}\t{compiled_rules._digest(content.encode())}"
    line = f"rules/a.toml\t{digests}\t0\t{len(content)}\n"
    (checkout / compiled_rules.NAME).write_text(f"{compiled_rules._digest(line.encode())}\n{line}\n{content}")
    assert read(checkout)["x"] == 7


@pytest.mark.parametrize("kind", ["checkout", "installation"])
def test_a_compiled_file_that_was_edited_does_not_count(checkout, kind):
    edited = compiled_rules.compile_rules(checkout).replace('"x":1', '"x":7')
    if kind == "installation":
        (checkout / "pyproject.toml").unlink()
        (checkout / compiled_rules.NAME).write_text(edited)
    else:
        (checkout / "build").mkdir()
        (checkout / "build" / compiled_rules.NAME).write_text(edited)
    assert read(checkout)["x"] == 1
    if kind == "checkout":
        assert (checkout / "build" / compiled_rules.NAME).read_text() == compiled_rules.compile_rules(checkout)
