"""`subject` replaces `entity`: the former name works everywhere it did, and warns."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import privaudit
from privaudit.base.errors import ConfigError
from privaudit.settings.config_files import load_config

ROWS = "who,sex,age\n" + "".join(f"p{i % 20},{'fm'[i % 2]},{20 + i % 10}\n" for i in range(40))


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "visits.csv"
    path.write_text(ROWS, encoding="utf-8")
    return path


def test_the_former_option_warns_and_gives_the_same_report(
    run: Callable[..., Any], table: Path, tmp_path: Path
) -> None:
    options = ("--quasi", "sex,age", "--no-ner", "--quiet")
    former = run("scan", table, "--entity", "who", *options, "-o", "a.json")
    present = run("scan", table, "--subject", "who", *options, "-o", "b.json")
    assert former.stderr == "privaudit: warning: --entity is deprecated: use --subject.\n"
    assert present.stderr == "" and former.returncode == present.returncode
    a, b = (json.loads((tmp_path / name).read_text()) for name in ("a.json", "b.json"))
    assert a["risk"]["subject"] == b["risk"]["subject"] and a["command"] == b["command"]
    assert "--subject who" in b["command"]


def test_both_options_together_are_refused(run: Callable[..., Any], table: Path) -> None:
    ended = run("scan", table, "--subject", "who", "--entity", "who")
    assert ended.returncode == 2 and "use --subject" in ended.stderr


def test_help_lists_only_the_present_name(run: Callable[..., Any]) -> None:
    text = run("scan", "--help").stdout
    assert "--subject" in text and "--entity" not in text


def test_the_former_key_of_a_settings_file_warns(
    run: Callable[..., Any], table: Path, tmp_path: Path
) -> None:
    (tmp_path / "privaudit.toml").write_text('entity = "who"\nquasi = ["sex", "age"]\nner = false\n')
    with pytest.warns(DeprecationWarning, match=re.escape('"entity" in privaudit.toml is deprecated')):
        assert load_config(tmp_path / "privaudit.toml")["subject"] == "who"
    ended = run("scan", table, "--quiet")
    assert 'warning: "entity" in privaudit.toml is deprecated: use "subject".' in ended.stderr


def test_both_keys_of_a_settings_file_are_refused(tmp_path: Path) -> None:
    (tmp_path / "privaudit.toml").write_text('entity = "who"\nsubject = "who"\n')
    with pytest.raises(ConfigError, match="same setting"):
        load_config(tmp_path / "privaudit.toml")


def test_the_former_keyword_warns_where_it_is_used(table: Path) -> None:
    with pytest.warns(DeprecationWarning, match='use "subject"') as caught:
        report = privaudit.scan(table, entity="who", quasi=("sex", "age"), ner=False)
    assert caught[0].filename == __file__
    assert report.risk is not None and report.risk.subject is not None
