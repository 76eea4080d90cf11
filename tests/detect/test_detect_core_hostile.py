"""No cell is odd enough to stop detection, and none of them comes back in a message."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from detect_core_tables import judge

SHARED = Path(__file__).resolve().parents[2].parent / "shared"

ODD = [
    "x" * 100_000,
    "1" * 100_000,
    "\x00\x01\x02\x1b[31m",
    "\u202e\u200b\u200d\ufeff",
    "𝟙𝟚𝟛-𝟜𝟝-𝟞𝟟𝟠𝟡",
    "(((((((((((((((((((((((((((((((",
    "a@b@c@d..com",
    "+" * 50,
    "=cmd|' /C calc'!A0",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "e" + "\u0301" * 500,
    "1e999",
    "-0",
    "9" * 400,
    "0x" + "f" * 300,
    " ",
    "\n\n\n",
]


@pytest.mark.parametrize(
    "name", ["c0", "email", "age", "dob", "name", "card", "ip", "zip", "phone", "iban", "notes"]
)
def test_odd_cells_pass_through(name: str) -> None:
    assert judge({name: ODD * 3})[name].column == name


def test_every_odd_cell_alone() -> None:
    judge({f"column {i}": [cell, cell, "1"] for i, cell in enumerate(ODD)})


def test_empty_columns_are_nothing() -> None:
    found = judge({"email": [None, None], "x": ["a", None]})
    assert found["email"].is_ is None and found["email"].contains == ()


def test_naughty_strings() -> None:
    file = next(iter(SHARED.glob("data/ugly/blns*")), None)
    file = file if file is None or file.is_file() else next(iter(sorted(file.rglob("*.json"))), None)
    if file is None:
        pytest.skip("reference tables are not beside the project")
    naughty = [s for s in json.loads(file.read_text(encoding="utf-8")) if isinstance(s, str)]
    texts = [s.encode("utf-8", "replace").decode() for s in naughty]
    found = judge({"comment": texts, "c1": texts[::-1]})
    told = repr(found)
    assert not [s for s in texts if len(s) > 12 and s.isalnum() and s in told]
