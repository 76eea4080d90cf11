"""Random UUIDs and UUIDs made from the time are not hashes; those made from names are."""

from __future__ import annotations

import hashlib
import random
import uuid
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pytest

import privaudit

N = 120
DRAW = random.Random(5)


def random_uuid() -> uuid.UUID:
    return uuid.UUID(int=DRAW.getrandbits(128), version=4)


def time_uuid(day: int) -> uuid.UUID:
    bits = (1_700_000_000_000 + day * 86_400_000) << 80 | DRAW.getrandbits(80)
    bits = bits & ~(0xF << 76) & ~(0x3 << 62) | 0x7 << 76 | 0x2 << 62
    return uuid.UUID(int=bits)


WRITTEN: dict[str, Callable[[uuid.UUID], str]] = {
    "hyphens": str,
    "capitals": lambda key: str(key).upper(),
    "braces": lambda key: f"{{{key}}}",
    "plain": lambda key: key.hex,
}


def column(cells: list[str]) -> tuple[Any, set[str]]:
    people = {"age": [str(20 + i % 40) for i in range(N)], "sex": ["M", "F"] * (N // 2)}
    report = privaudit.scan(pa.table({"key": cells, **people}), ner=False).wire
    return report.columns[0], {finding.code for finding in report.findings if finding.subject == ("key",)}


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("written", sorted(WRITTEN))
def test_random_uuids_are_not_hashes(written: str) -> None:
    found, codes = column([WRITTEN[written](random_uuid()) for _ in range(N)])
    assert "PSN002" not in codes and "PSN001" in codes
    assert "hash_like" not in found.measurements and "key_holds_time" not in found.measurements


@pytest.mark.parametrize("written", sorted(WRITTEN))
def test_uuids_of_version_7_hold_the_time_and_are_not_hashes(written: str) -> None:
    found, codes = column([WRITTEN[written](time_uuid(day)) for day in range(N)])
    assert "PSN002" not in codes and "PSN004" in codes
    assert found.measurements["key_holds_time"] == 1


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("make", [uuid.uuid3, uuid.uuid5])
def test_uuids_of_names_are_hashes(make: Callable[[uuid.UUID, str], uuid.UUID]) -> None:
    _found, codes = column([str(make(uuid.NAMESPACE_URL, str(i))) for i in range(N)])
    assert "PSN002" in codes


def test_digests_stay_hashes() -> None:
    _found, codes = column([hashlib.md5(f"a{i}".encode()).hexdigest() for i in range(N)])
    assert "PSN002" in codes
