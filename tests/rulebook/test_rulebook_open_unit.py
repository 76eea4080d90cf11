"""Findings on rows of which nothing shows whether they are people: the scan is incomplete, and no finding is worse than
medium, except where an identifier of a person is found or the scan could otherwise pass."""

from __future__ import annotations

import random

import pandas as pd
import pytest

import privaudit
from privaudit.model import severity_level

R = random.Random(4)
N = 120
PARTS = {
    "c0": [f"H{R.randint(10, 99)}-{R.randint(10, 99)}-{n:03d}" for n in R.sample(range(999), N)],
    "c1": [str(R.randint(10**8, 10**9)) for _ in range(N)],
    "c2": R.choices(["white", "black", "zinc"], k=N),
    "c3": [f"20{R.randint(20, 25)}-0{R.randint(1, 9)}-{R.randint(10, 28)}" for _ in range(N)],
}


def scan(columns, **options):
    return privaudit.scan(pd.DataFrame(columns), ner=False, advice=False, **options).wire


def worst(report):
    return max((severity_level(one.severity) for one in report.findings), default=0)


def test_without_evidence_of_people_findings_are_medium_and_the_scan_is_incomplete():
    report = scan(PARTS)
    assert report.dataset.unit.kind == "unknown" and report.gate_.exit_code == 3
    assert {"PSN005"} <= {one.code for one in report.findings}
    assert worst(report) == severity_level("medium")


@pytest.mark.parametrize("options", [{"unit": "person"}, {"quasi": ("none",)}, {"quasi": ("c3",)}])
def test_findings_have_their_severity_where_the_scan_can_be_complete(options):
    report = scan(PARTS, **options)
    assert worst(report) >= severity_level("high") and report.gate_.exit_code != 0


def test_what_identifies_a_person_by_itself_keeps_its_severity():
    mail = [f"{R.choice(['ann', 'bo', 'cy'])}.{n}@example.org" for n in range(N)]
    report = scan({**PARTS, "c4": mail})
    found = [one for one in report.findings if one.subject == ("c4",)]
    assert severity_level("critical") in {severity_level(one.severity) for one in found}


def test_a_policy_sets_the_severity_that_it_names(tmp_path):
    policy = tmp_path / "ours.toml"
    policy.write_text('extends = "public"\nname = "ours"\ntitle = "Ours"\n[severity]\nPSN005 = "critical"\n')
    report = scan(PARTS, policy=str(policy))
    assert "critical" in {one.severity for one in report.findings if one.code == "PSN005"}
