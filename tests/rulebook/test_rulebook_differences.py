"""A comparison of two reports fails for what is new or worse, is incomplete for what only the new report lacks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from privaudit.model import Finding, GateResult, Report
from privaudit.model.differences import ColumnChange, FindingChange, NumberChange
from privaudit.model.wording import Name
from privaudit.rulebook.differences import differences
from tests.report import sample

K = sample.check(measure="class.k_min", fires_when="below")
GATE = GateResult(passed=False, exit_code=1, fail_on="high")


def of_k(k: int, subject: str = "a", **more: Any) -> Finding:
    """Return the finding of a class of k people; the number of people concerned stays."""
    return replace(sample.finding(10, subject, severity="high"), observed=k, **more)


def report(*findings: Finding, **more: Any) -> Report:
    return sample.small(**({"findings": findings, "checks": (K,), "gate_": GATE} | more))


def test_a_finding_is_new_worse_better_the_same_or_gone() -> None:
    kept, alone = [of_k(k, subject) for k, subject in ((5, "a"), (5, "b"), (5, "c"))], of_k(2, "old")
    now = [of_k(3, "a"), of_k(9, "b"), of_k(5, "c"), of_k(4, "new")]
    found = differences(report(*kept, alone), report(now[3], *now[:3]))
    expected = [
        FindingChange(state="worse", old=kept[0], new=now[0]),
        FindingChange(state="better", old=kept[1], new=now[1]),
        FindingChange(state="same", old=kept[2], new=now[2]),
        FindingChange(state="new", new=now[3]),
        FindingChange(state="gone", old=alone),
    ]
    assert sorted(found.findings, key=lambda item: item.finding.subject) == expected
    assert found.failing == (now[0], now[3]) and found.exit_code == 1


@pytest.mark.quick_cases(4)
@pytest.mark.parametrize(
    ("checks", "state"),
    [
        ((replace(K, state="passed"),), "gone"),
        ((replace(K, state="not_measured"),), "not_measured"),
        ((replace(K, state="not_applicable"),), "not_measured"),
        ((), "not_measured"),
    ],
)
def test_a_finding_is_gone_only_where_its_check_was_measured(checks: tuple[Any, ...], state: str) -> None:
    found = differences(report(of_k(2)), report(checks=checks))
    assert [item.state for item in found.findings] == [state]
    assert found.exit_code == 0 and not found.failing


def test_a_finding_of_a_check_that_neither_report_describes_is_the_same() -> None:
    found = differences(report(of_k(5), checks=()), report(of_k(2), checks=()))
    assert [item.state for item in found.findings] == ["same"]


def test_a_share_is_worse_beyond_the_tolerance() -> None:
    check = sample.check(measure="closeness.t", fires_when="above")
    pair = [report(replace(of_k(5), observed=t), checks=(check,)) for t in (0.3, 0.4)]
    assert [differences(*pair, tolerance=each).exit_code for each in (0.1, 0.5)] == [1, 0]


@pytest.mark.quick_cases(6)
@pytest.mark.parametrize(
    ("old", "new", "given", "exit_code"),
    [
        ("high", "high", None, 0),
        ("medium", "high", None, 1),
        ("high", "medium", None, 1),
        ("high", "high", "medium", 1),
        ("medium", "medium", "high", 0),
        ("critical", "info", None, 1),
    ],
)
def test_the_lower_severity_of_both_gates_fails_unless_one_is_given(
    old: Any, new: Any, given: Any, exit_code: int
) -> None:
    before, after = (replace(GATE, fail_on=least) for least in (old, new))
    found = differences(report(gate_=before), report(of_k(2, severity="medium"), gate_=after), fail_on=given)
    assert found.exit_code == exit_code


def test_what_is_accepted_does_not_fail() -> None:
    assert differences(report(), report(of_k(2, status="accepted"))).exit_code == 0


def test_what_only_the_new_report_could_not_assess_makes_the_comparison_incomplete() -> None:
    limit = sample.incomplete()
    other = replace(limit, values={**limit.values, "what": Name(text="another column")})
    plain = replace(other, incomplete=False)
    cases = [
        ((), (limit,), 3),
        ((limit,), (limit,), 0),
        ((limit,), (other,), 3),
        ((), (plain,), 0),
        ((plain,), (other,), 3),
    ]
    for old, new, exit_code in cases:
        assert differences(report(limits=old), report(limits=new)).exit_code == exit_code
    assert differences(report(), report(of_k(2), limits=(limit,))).exit_code == 3


def test_numbers_of_the_table_are_shown_whether_they_differ_or_not() -> None:
    before, after = report(), report(risk=sample.example_risk(k_min=7))
    compared = differences(before, after, tolerance=0.2)
    assert (compared.old, compared.new, compared.tolerance) == (before, after, 0.2)
    found = {change.name: change for change in compared.numbers}
    of_risk = ["k_min", "n_unique", "share_below_k", "prosecutor_max", "prosecutor_mean", "marketer"]
    assert list(found) == ["rows", "columns", "policy", "k required", *of_risk]
    assert found["k_min"] == NumberChange(name="k_min", before=None, after=7)
    assert found["rows"] == NumberChange(name="rows", before=sample.N, after=sample.N)
    assert differences(after, before).numbers[4] == NumberChange(name="k_min", before=7, after=None)


def test_columns_are_added_removed_or_of_another_kind() -> None:
    old = [sample.column(name) for name in ("gone", "kept", "changed")]
    changed = sample.column(
        "changed", "date", "quasi", is_=sample.verdict(), date_precision="day", geo_precision="place"
    )
    found = differences(report(columns=tuple(old)), report(columns=(sample.column("new"), old[1], changed)))
    drift = (
        ("data type", "text", "date"), ("role", "none", "quasi"), ("entity type", None, "EMAIL"),
        ("date precision", None, "day"), ("place precision", None, "place"),
    )  # fmt: skip
    assert found.columns == (
        ColumnChange(column="gone", what="removed"),
        ColumnChange(column="new", what="added"),
        *(ColumnChange(column="changed", what=what, before=a, after=b) for what, a, b in drift),
    )
    back = differences(report(columns=(changed,)), report(columns=(old[2],)))
    assert back.columns == tuple(ColumnChange(column="changed", what=what, before=b, after=a) for what, a, b in drift)


def over(*quasi: str, k: int) -> Report:
    """Return a report with a finding about all its quasi-identifiers together, and one about another column."""
    found = (replace(of_k(k), subject=quasi, fingerprint="+".join(quasi)), of_k(4, "z"))
    risk = sample.example().risk
    assert risk is not None
    return report(*found, risk=replace(risk, quasi_identifiers=quasi))


@pytest.mark.quick_cases(4)
@pytest.mark.parametrize(("k", "state"), [(5, "same"), (7, "better"), (3, "worse")])
@pytest.mark.parametrize("quasi", [("a",), ("a", "b", "c"), ("b", "c")])
def test_other_quasi_identifiers_alone_make_nothing_new(quasi: tuple[str, ...], k: int, state: str) -> None:
    found = differences(over("a", "b", k=5), over(*quasi, k=k))
    assert sorted((item.state, item.finding.subject) for item in found.findings) == sorted(
        [(state, quasi), ("same", ("z",))]
    )
    assert found.exit_code == (state == "worse")
