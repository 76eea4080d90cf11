"""Odd names, links, packs and objects never end in an internal error, and no pack of a user silences a detection."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pandas as pd
import pytest

import privaudit
from privaudit.base import resources
from privaudit.base.errors import PrivauditError, RuleError, UnreadableSource
from tests.helpers.command import run_here

ROWS = "age,ssn\n" + "".join(f"{i % 9},{212 + i}-45-{6000 + i}\n" for i in range(80))
BADGE = """
[[entity]]
name = "BADGE"
title = "Badge"
role = "none"

[[detector]]
entity = "BADGE"
title = "Badge"
severity = "low"
regex = ['{regex}']
match = ["{match}"]
no_match = ["y"]
"""


def call(*arguments: str) -> int:
    return run_here([*arguments], Path.cwd(), {}).returncode


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text(ROWS)
    (tmp_path / "rules").mkdir()
    return tmp_path


@pytest.mark.skipif(os.name == "nt", reason="links and names of POSIX")
@pytest.mark.slow
def test_names_that_are_not_text_and_links_in_a_circle_end_cleanly(folder):
    os.symlink("loop.csv", "loop.csv")
    (folder / "f").mkdir()
    os.symlink(".", "f/self")
    os.symlink("b.csv", "f/b.csv")
    shutil.copy("t.csv", "f/a.csv")
    name = os.fsdecode(b"caf\xe9.csv")
    Path(name).write_text(ROWS)
    for source in ("loop.csv", "f", name):
        assert call("scan", source, "--no-ner", "-q", "-o", "r.json") in (1, 2, 3)
        assert call("scan", "t.csv", "--no-ner", "-q", "--auxiliary", source) in (1, 2, 3)
        assert call("scan", "t.csv", "--no-ner", "-q", "-o", f"{source}.json") in (1, 2, 3)
        for command in ("plan", "baseline", "gate", "judge", "render", "verify", "init"):
            assert call(command, source, "--quiet") in range(4)
        assert call("diff", source, source) == 2
        assert call("remedy", "t.csv", "--no-ner", "-q", "-o", f"{source}-safer.csv") in range(4)


@pytest.mark.slow
def test_recognizers_are_validated_before_any_work_even_if_no_model_reads(folder):
    for content, reason in (
        ("[" * 5000, "is not a list of"),
        ("recognizers: 3", "is not a list of"),
        ("recognizers:\n - name: x\n   patterns: [{regex: '('}]\n", "is not a valid RE2"),
    ):
        (folder / "rules" / "recognizers.yaml").write_text(content)
        with pytest.raises(RuleError, match=reason):
            privaudit.scan("t.csv", ner=False, rules="rules")


def test_fusion_is_validated_before_any_work(folder):
    (folder / "rules" / "fusion.toml").write_text("version = 3\n")
    with pytest.raises(RuleError, match=r"fusion.toml is damaged or of another version"):
        privaudit.scan("does-not-exist.csv", rules="rules")


@pytest.mark.parametrize("regex", ["x*", "(?:ab)?", "", "[0-9]{0,9}"])
def test_detectors_that_match_the_empty_text_are_refused(folder, regex):
    (folder / "rules" / "mine.toml").write_text(BADGE.format(regex=regex, match="xx"))
    with pytest.raises(RuleError, match=r"matches the empty text" if regex else "list of non-empty strings"):
        privaudit.scan("t.csv", ner=False, rules="rules")


def test_learned_weights_cannot_silence_a_detection(folder):
    shipped = resources.path("rules", "reference", "fusion.toml").read_text()
    silent = re.sub(r"intercept = .*", "intercept = -1000", re.sub(r"prior = .*", "prior = 0.5", shipped, count=1))
    (folder / "rules" / "fusion.toml").write_text(silent)
    assert privaudit.scan("t.csv", ner=False, rules="rules").column("ssn").is_.entity == "SSN"


def test_a_detector_of_a_harmless_type_cannot_replace_a_protected_one(folder):
    regex = "[0-9]{3}-[0-9]{2}-[0-9]{4}"
    (folder / "rules" / "mine.toml").write_text(BADGE.format(regex=regex, match="212-45-6000"))
    assert privaudit.scan("t.csv", ner=False, rules="rules").column("ssn").is_.entity == "SSN"


class Stream:
    """A table object that fails in its own way."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        raise self.error


@pytest.mark.parametrize("error", [RuntimeError("qzxv"), KeyError("qzxv"), AssertionError("qzxv"), OSError("qzxv")])
def test_table_objects_whose_stream_raises_are_unreadable(error):
    with pytest.raises(UnreadableSource) as caught:
        privaudit.scan(Stream(error))
    assert "qzxv" not in str(caught.value)


def test_the_date_of_a_reproducible_build_may_be_anything(folder, monkeypatch):
    for value in ("9" * 30, "-5", "x", "²"):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", value)
        assert privaudit.scan(pd.DataFrame({"a": [1, 2]}), ner=False).wire.generated_at
    with pytest.raises(PrivauditError, match=r"loop.csv does not exist"):
        privaudit.scan("loop.csv")
