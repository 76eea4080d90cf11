"""The gate judges the unsafe end of both directions of a linkage, and a report calls a bound a bound."""

from __future__ import annotations

import json
import re

import pyarrow as pa
import pytest

import privaudit
from privaudit.report import json as report_json
from privaudit.report import markdown
from privaudit.report.sentences import wording_of

PEOPLE = [f"p{i}" for i in range(100)]
PLACES = [f"place {i}" for i in range(100)]
AUXILIARY = pa.table({"id": PEOPLE, "place": PLACES})
VISITS = pa.table({"id": PEOPLE * 3, "place": PLACES * 3, "visit": [str(i // 100) for i in range(300)]})
ON = {"place": "place"}


@pytest.fixture(scope="module")
def counted():
    return privaudit.attack(VISITS, auxiliary=AUXILIARY, on=ON, truth={"id": "id"})


@pytest.fixture(scope="module")
def bounded():
    return privaudit.attack(VISITS, auxiliary=AUXILIARY, on=ON, subject="id")


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("made", ["counted", "bounded"])
def test_a_table_in_which_every_visitor_is_reidentified_fails_the_gate(made, request):
    report = request.getfixturevalue(made)
    found = report.findings.with_code("LNK001")
    assert len(found) == 2 and not report.gate().passed
    assert len({finding.fingerprint for finding in found}) == 2
    assert {(finding.n_people, finding.n_total) for finding in found} == {(100, 100)}
    for finding, attack in zip(
        sorted(found, key=lambda f: f.observed), sorted(report.attacks, key=lambda a: a.advantage.high), strict=True
    ):
        assert finding.observed == attack.advantage.high


def test_counted_links_and_bounds_have_different_sentences(counted, bounded):
    for report, direct, register in (
        (counted, "100 people in both tables are linked to their record", "Register attack: all 100 people in both"),
        (bounded, "Up to all 100 people are expected to be linked", "Register attack: up to all 100 people"),
    ):
        messages = {wording_of(report.wire).text(finding.message) for finding in report.findings}
        assert any(direct in message for message in messages)
        assert any(register in message for message in messages)


def test_an_upper_bound_is_shown_without_an_interval(bounded):
    text = markdown.render(bounded.wire)
    rows = [line for line in text.splitlines() if line.startswith(("| Linkage", "| Register"))]
    assert len(rows) == 2
    for row in rows:
        assert row.count("at most") == 2 and not re.search(r"% to ", row)
    assert bounded.findings.with_code("RUN002") == ()


def test_a_report_with_both_directions_reads_back(counted, bounded, tmp_path):
    for report in (counted, bounded):
        path = tmp_path / "report.json"
        report.write(path)
        assert report_json.read(path).attacks == report.wire.attacks
        stored = json.loads(path.read_text())["attacks"]
        assert [a["detail"]["direction"] for a in stored] == ["auxiliary_to_release", "release_to_auxiliary"]
