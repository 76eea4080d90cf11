"""The examples that ship are what the program renders today.

A changed example is accepted on purpose: ``PRIVAUDIT_UPDATE_GOLDEN=1 pytest tests/report``, then read the difference.
"""

from __future__ import annotations

import os
from pathlib import Path
from types import ModuleType

import pytest

from privaudit import report

FOLDER = Path(__file__).resolve().parents[2] / "reports" / "examples"


@pytest.mark.parametrize("format", report.FORMATS)
def test_the_example_is_what_is_rendered(sample: ModuleType, format: str) -> None:
    file = FOLDER / f"example.{format}"
    text = report.render(sample.rich_report(), format)
    if os.environ.get("PRIVAUDIT_UPDATE_GOLDEN"):
        file.write_text(text, encoding="utf-8")
    same = file.read_text(encoding="utf-8") == text
    assert same, f"{file.name} differs from what is rendered; update it on purpose and read the difference"


def test_the_sample_adds_up(sample: ModuleType) -> None:
    made = sample.rich_report()
    sizes = made.risk.class_sizes
    assert (
        sum(size * count for size, count in zip(sizes.size, sizes.count, strict=True)) == made.dataset.n_rows
    )
    for attack in made.attacks:
        assert attack.n_unmatched + attack.n_ambiguous + attack.n_unique == attack.n_auxiliary
    assert len(made.columns) == made.dataset.n_columns
