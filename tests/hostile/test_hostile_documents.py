"""Documents of joint audits, data maps and releases that are damaged on purpose are refused in one line."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from privaudit.attacks.published_tables import read_layouts
from privaudit.base.errors import ConfigError
from privaudit.base.resources import read_toml
from privaudit.releases.joint import message
from privaudit.releases.joint.plan import read_plan
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
