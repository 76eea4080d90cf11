"""The comparison of two reports obeys no name of their tables and columns, in every format."""

from __future__ import annotations

import dataclasses
import io
import json
import re
import unicodedata
from types import ModuleType

import pytest
from markdown_it import MarkdownIt

from privaudit import report as reports
from privaudit.model.differences import Differences
from privaudit.report.pages import differences as differences_page
from privaudit.rulebook.differences import differences
from tests.report.test_report_services import huge_names

CASES = ("hostile", "huge")


def compared(sample: ModuleType, case: str) -> Differences:
    """Return the differences of a report with hostile names and one without them, in both directions of drift."""
    steering = huge_names(sample) if case == "huge" else sample.hostile_report()
    plain = dataclasses.replace(
        sample.example(), dataset=dataclasses.replace(steering.dataset, fingerprint="", n_rows=10)
    )
    before = dataclasses.replace(steering, columns=steering.columns[::2], findings=steering.findings[::2])
    after = dataclasses.replace(plain, columns=steering.columns[1::2], findings=steering.findings[1::2])
    return differences(before, after, tolerance=0.1)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("format", differences_page.FORMATS)
@pytest.mark.quick_cases(6)
def test_names_are_inert(sample: ModuleType, format: str, case: str) -> None:
    text = differences_page.render(compared(sample, case), format)
    assert not {char for char in text if unicodedata.category(char) in ("Cc", "Cf") and char != "\n"}
    if format == "json":
        json.loads(text)
        return
    assert "n" * 3_000 not in text
    assert not any(line.lstrip().startswith(("::", "- ::")) for line in text.splitlines())
    if format == "md":
        page = MarkdownIt("gfm-like", {"linkify": False}).render(text)
        assert not re.search(r"<(script|img|a|s|code)\b", page)


@pytest.mark.parametrize("case", CASES)
def test_names_are_inert_on_a_terminal(sample: ModuleType, case: str) -> None:
    stream = io.StringIO()
    made = huge_names(sample) if case == "huge" else sample.hostile_report()
    reports.show(made, stream, width=100)
    text = stream.getvalue()
    assert not {char for char in text if unicodedata.category(char) in ("Cc", "Cf") and char != "\n"}
    assert "n" * 3_000 not in text
    assert not any(line.lstrip().startswith("::") for line in text.splitlines())


def test_a_finding_of_which_only_the_people_changed_shows_the_people(sample: ModuleType) -> None:
    before = sample.example()
    counted = next(finding for finding in before.findings if finding.n_people and finding.n_total)
    grown = dataclasses.replace(counted, n_people=counted.n_total)
    before = dataclasses.replace(before, findings=(dataclasses.replace(counted, n_people=1),))
    found = differences(before, dataclasses.replace(before, findings=(grown,)), tolerance=0.1)
    (item,) = found.in_state("worse")
    assert item.before == item.after
    sides = differences_page.observed(item)
    assert sides[0].startswith(f"1 of {counted.n_total:,}") and sides[1].startswith(f"all {counted.n_total:,}")
    assert " → ".join(sides) in differences_page.render(found, "text")


@pytest.mark.parametrize("format", ["text", "md"])
def test_different_policies_are_stated_and_equal_ones_are_not(sample: ModuleType, format: str) -> None:
    report = sample.example()
    stricter = dataclasses.replace(report, policy=dataclasses.replace(report.policy, k=report.policy.k + 1))
    same, other = (
        differences_page.render(differences(report, new, tolerance=0.1), format) for new in (report, stricter)
    )
    assert "different policies" not in same and "although the table is the same" in other
