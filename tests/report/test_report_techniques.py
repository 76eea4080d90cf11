"""How a technique is set, as a report states it."""

from __future__ import annotations

from typing import Any

import pytest

from privaudit.model.wording.render import Wording
from privaudit.report.techniques import parameters


@pytest.mark.parametrize(
    ("technique", "given", "expected"),
    [
        ("band", {"width": 5, "origin": 0}, "bands of 5"),
        (
            "band",
            {"width": 5, "under": 45, "over": 65, "origin": 0},
            "bands of 5; under 45 combined; 65 and over combined",
        ),
        ("top_code", {"at": 90, "held_by_at_least": 15}, "90 and over combined"),
        ("prefix", {"characters_kept": 1}, "first 1 character"),
        ("merge_rare", {"below": 15}, "values with fewer than 15 records combined"),
        ("group_values", {"below": 15, "rare": 5}, "groups of at least 15 records"),
    ],
)
def test_parameters_read_as_a_sentence(technique: str, given: dict[str, Any], expected: str) -> None:
    assert parameters(technique, given, Wording(n_rows=1_000)) == [expected]


@pytest.mark.parametrize("technique", ["band", "prefix", "sample_records"])
def test_unexpected_parameters_are_listed_by_name(technique: str) -> None:
    assert parameters(technique, {"n_kept": 20, "share": 0.5}, Wording(n_rows=1_000)) == ["n kept: 20", "share: 0.5"]
