"""Documents of joint audits, data maps and releases that are damaged on purpose are refused in one line."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from privaudit.attacks.published.published_tables import read_layouts
from privaudit.base.errors import ConfigError
from privaudit.base.resources import read_toml
from privaudit.releases.joint import message
from privaudit.releases.joint.plan import JointPlan, read_plan
from privaudit.stewardship.map_file import read_map

READERS: list[Callable[[Path], Any]] = [read_plan, read_map, read_toml, lambda path: read_layouts(path, 1)]


@pytest.mark.parametrize("read", READERS)
@pytest.mark.parametrize("value", ["9" * 5000, "[" * 3000 + "]" * 3000])
def test_long_numbers_and_deep_lists_are_not_internal_errors(tmp_path, read, value):
    file = tmp_path / "x.toml"
    file.write_text(f"k = {value}\n")
    with pytest.raises(ConfigError):
        read(file)


@pytest.mark.parametrize(
    "header",
    [
        b"[" * 100_000,
        b"[]",
        b'{"kind": "keys", "plan": {}, "stated": [], "arrays": []}',
        b'{"kind": "keys", "plan": {}, "stated": {}, "arrays": [["keys", "O", [3]]]}',
        b'{"kind": "other", "plan": {}, "stated": {}, "arrays": []}',
    ],
)
def test_messages_whose_digest_was_computed_anew_are_refused(tmp_path, header):
    body = b"privaudit joint message 1\n" + len(header).to_bytes(8, "big") + header
    file = tmp_path / "m"
    file.write_bytes(body + hashlib.sha256(body).digest())
    with pytest.raises(ConfigError):
        message.read(file, "keys")


def test_messages_without_the_entries_of_their_kind_are_refused(tmp_path):
    plan = JointPlan(columns=("age",), silos=("a", "b", "c"))
    stated = {"silo": "a", "sizes": [1], "public": "00", "masked_by": ["a"], "key_id": "k", "tag": "t"}
    keys = np.array([b"x" * 16], dtype="S16")
    file = tmp_path / "m"
    message.write(message.Message(kind="keys", plan=plan, stated=stated, arrays={"keys": keys}), file)
    assert message.read(file, "keys").silo == "a"
    wrong = [{**stated, name: None} for name in stated]
    wrong += [{name: value for name, value in stated.items() if name != left} for left in stated]
    for each in wrong:
        message.write(message.Message(kind="keys", plan=plan, stated=each, arrays={"keys": keys}), file)
        with pytest.raises(ConfigError):
            message.read(file, "keys")
    message.write(message.Message(kind="keys", plan=plan, stated=stated, arrays={}), file)
    with pytest.raises(ConfigError):
        message.read(file, "keys")


@pytest.mark.parametrize("change", [{"states": []}, {"schema": "another"}, {"tables": []}])
def test_plans_of_erasures_that_were_edited_change_nothing(run, tmp_path, change):
    table = tmp_path / "t.csv"
    table.write_text("id,email\n" + "".join(f"{i},p{i}@example.org\n" for i in range(1000, 1040)))
    (tmp_path / "who.txt").write_text("p1005@example.org\n")
    data_map, plan = tmp_path / "map.toml", tmp_path / "plan.json"
    words = ("subject", "erase", "--inventory", data_map, "--identifier", tmp_path / "who.txt", "-q")
    assert run("inventory", "build", table, "-o", data_map, "--no-ner", "-q").returncode == 0
    assert run(*words, "-o", plan).returncode in (0, 3)
    before = table.read_bytes()
    plan.write_text(json.dumps({**json.loads(plan.read_text()), **change}))
    assert run(*words, "--apply", plan, "-o", tmp_path / "done.json").returncode == 2
    assert table.read_bytes() == before
