"""Documents of joint audits, data maps and releases that are damaged on purpose are refused in one line."""

from __future__ import annotations

import dataclasses
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
from tests.helpers.command import refusal

READERS: list[Callable[[Path], Any]] = [read_plan, read_map, read_toml, lambda path: read_layouts(path, 1)]


@pytest.mark.parametrize("read", READERS)
@pytest.mark.parametrize("value", ["9" * 5000, "[" * 3000 + "]" * 3000])
def test_long_numbers_and_deep_lists_are_not_internal_errors(tmp_path, read, value):
    file = tmp_path / "x.toml"
    file.write_text(f"k = {value}\n")
    with pytest.raises(ConfigError, match=r"x.toml"):
        read(file)


PLAN = JointPlan(columns=("age",), silos=("a", "b", "c"))
STATED = {"silo": "a", "sizes": [1], "public": "00" * 32, "masked_by": ["a"], "key_id": "k", "tag": "11" * 32}
KEYS = message.Message(kind="keys", plan=PLAN, stated=STATED, arrays={"keys": np.array([b"x" * 16], dtype="S16")})


def assert_refused(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    with pytest.raises(ConfigError, match="was not written by a joint audit"):
        message.read(file, "keys")


@pytest.mark.quick_cases(6)
@pytest.mark.parametrize(
    "change",
    [{}, {"stated": []}, {"arrays": [["keys", "O", [3]]]}, {"kind": "other"}, b"[" * 100_000, b"[]"],
    ids=["none", "list", "objects", "kind", "deep", "empty"],
)  # fmt: skip
def test_messages_whose_digest_was_computed_anew_are_refused(tmp_path, change):
    content = message.packed(KEYS)
    start = content.index(b"\n") + 9
    header, end = json.JSONDecoder().raw_decode(content[start:].decode("latin-1"))
    changed = change if isinstance(change, bytes) else json.dumps({**header, **change}).encode()
    body = content[: start - 8] + len(changed).to_bytes(8, "big") + changed + content[start + end : -32]
    content = body + hashlib.sha256(body).digest()
    if change == {}:
        (tmp_path / "m").write_bytes(content)
        assert message.read(tmp_path / "m", "keys").silo == "a"
    else:
        assert_refused(tmp_path / "m", content)


def test_messages_without_the_entries_of_their_kind_are_refused(tmp_path):
    wrong = [{**STATED, name: None} for name in STATED]
    wrong += [{name: value for name, value in STATED.items() if name != left} for left in STATED]
    for each in wrong:
        assert_refused(tmp_path / "m", message.packed(dataclasses.replace(KEYS, stated=each)))
    assert_refused(tmp_path / "m", message.packed(dataclasses.replace(KEYS, arrays={})))


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"states": []}, "changed since the dry run"),
        ({"schema": "another"}, "is not the plan of a dry run"),
        ({"tables": []}, "are not those of the dry run"),
    ],
)
def test_plans_of_erasures_that_were_edited_change_nothing(run, tmp_path, change, reason):
    table = tmp_path / "t.csv"
    table.write_text("id,email\n" + "".join(f"{i},p{i}@example.org\n" for i in range(1000, 1040)))
    (tmp_path / "who.txt").write_text("p1005@example.org\n")
    data_map, plan = tmp_path / "map.toml", tmp_path / "plan.json"
    words = ("subject", "erase", "--inventory", data_map, "--identifier", tmp_path / "who.txt", "-q")
    assert run("inventory", "build", table, "-o", data_map, "--no-ner", "-q").returncode == 0
    assert run(*words, "-o", plan).returncode in (0, 3)
    before = table.read_bytes()
    plan.write_text(json.dumps({**json.loads(plan.read_text()), **change}))
    assert reason in refusal(run(*words, "--apply", plan, "-o", tmp_path / "done.json"))
    assert table.read_bytes() == before
