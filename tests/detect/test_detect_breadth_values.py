"""Places, devices, secrets, payloads, codes of health: found under a plain name, and by their form without one."""

from __future__ import annotations

import pytest

from privaudit.model import Detection
from tests.helpers.detection import judge
from tests.helpers.generated_values import KINDS, NEGATIVES, PERSONAL, values


def entities_in(detection: Detection) -> set[str]:
    """Return what a column is and what its cells contain."""
    kept = {one.entity for one in detection.contains}
    return kept | ({detection.is_.entity} if detection.is_ is not None else set())


@pytest.mark.parametrize("name", sorted(KINDS))
def test_it_is_found_under_a_plain_name(name: str) -> None:
    kind = KINDS[name]
    got = judge({kind.header: values(kind.make)})[kind.header]
    assert entities_in(got) & set(kind.named.split("|")), entities_in(got)


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("name", sorted(name for name, kind in KINDS.items() if kind.opaque))
def test_it_is_found_without_a_name(name: str) -> None:
    kind = KINDS[name]
    got = judge({"c00": values(kind.make)})["c00"]
    assert entities_in(got) & set(str(kind.opaque).split("|")), entities_in(got)


@pytest.mark.parametrize("name", sorted(NEGATIVES))
def test_what_is_nobodys_stays_so(name: str) -> None:
    make, header = NEGATIVES[name]
    cells = values(make, 200)
    for column in (header, "c00"):
        assert not entities_in(judge({column: cells})[column]) & PERSONAL


TECHNICAL = {
    "uuid": "UUID",
    "sha256": "HASH",
    "base64": "BASE64",
    "version": "VERSION",
    "colour": "COLOUR",
    "mime": "MIME_TYPE",
    "file path": "FILE_PATH",
    "timestamp": "DATE_EVENT",
    "product url": "URL",
    "currency": "CURRENCY",
}


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("name", sorted(TECHNICAL))
def test_technical_types_have_names(name: str) -> None:
    got = judge({"c00": values(NEGATIVES[name][0], 200)})["c00"].is_
    assert got is not None and got.entity == TECHNICAL[name]


def test_a_latitude_and_a_longitude_in_two_columns() -> None:
    points = [(f"{-1.2 + i / 977:.6f}", f"{36.5 + i / 1013:.6f}") for i in range(60)]
    table = {"lat": [a for a, _ in points], "lng": [b for _, b in points]}
    named = judge(table)
    assert [named[c].is_ and named[c].is_.entity for c in table] == ["LATITUDE", "LONGITUDE"]
    opaque = judge({"c00": table["lat"], "c01": table["lng"]})
    assert all(d.is_ is not None and d.is_.entity in ("LATITUDE", "LONGITUDE") for d in opaque.values())
