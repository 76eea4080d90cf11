"""Acceptances: which findings they close, when they stop to hold, and that they change nothing that was measured."""

from __future__ import annotations

import datetime
import sys
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privaudit.base.errors import ConfigError
from privaudit.model import SEVERITIES, Evidence, Finding, limit
from privaudit.model.vocabulary.statements import DATE_LEVELS
from privaudit.model.wording import fact
from privaudit.rulebook import judge, load_checks, load_frameworks, load_policy
from privaudit.rulebook.acceptances import Acceptances, check_entries, entries_of
from privaudit.rulebook.cases import CaseEvidence, build_evidence
from privaudit.rulebook.comparison import fires, is_worse
from privaudit.rulebook.gate import decide
from privaudit.rulebook.judge import Judgement
from privaudit.rulebook.outcome import Outcome
from privaudit.rulebook.packs import Check, check_record
from privaudit.settings.acceptance import MOST_DAYS, AcceptanceEntry

TODAY = datetime.date(2026, 1, 1)
TOMORROW = TODAY + datetime.timedelta(days=1)
PUBLIC = load_policy("public")
FRAMEWORKS = tuple(framework.id for framework in load_frameworks())
CHECKS = {check.code: check for check in load_checks()}


def evidence(**facts: Any) -> Evidence:
    return build_evidence(check_record(facts, CaseEvidence, where="test"))


TABLE = evidence(
    columns=[
        {"name": "mail", "entity": "EMAIL"},
        {"name": "given", "entity": "FIRST_NAME"},
        {"name": "illness", "entity": "MEDICAL"},
        {"name": "flat", "distinct": 1},
    ],
    classes=[[1, 3], [97, 1]],
    sensitive={"illness": {"l": 1, "alike": 40}},
    attacks=[{"kind": "linkage", "targets": 100, "correct": 30}],
)


def entry(finding: Finding, **changes: Any) -> AcceptanceEntry:
    fields: dict[str, Any] = {
        "code": finding.code,
        "columns": finding.subject,
        "reason": "reviewed",
        "owner": "board",
        "expires": TOMORROW,
        "fingerprint": finding.fingerprint,
    }
    return AcceptanceEntry(**(fields | changes))


def judged(found: Evidence, *accept: AcceptanceEntry, today: datetime.date = TODAY, **more: Any) -> Judgement:
    return judge(found, PUBLIC, FRAMEWORKS, today=today, accept=accept, **more)


def failing(judgement: Judgement) -> list[Finding]:
    least = SEVERITIES.index(PUBLIC.fail_on)
    return [f for f in judgement.findings if f.status == "open" and SEVERITIES.index(f.severity) >= least]


def exit_code(judgement: Judgement, fail_on: Any = None) -> int:
    return decide(judgement.findings, (), PUBLIC, fail_on).exit_code


def codes(judgement: Judgement) -> set[str]:
    return {finding.code for finding in judgement.findings}


def open_codes(judgement: Judgement) -> set[str]:
    return {finding.code for finding in judgement.findings if finding.status == "open"}


def without_status(findings: tuple[Finding, ...]) -> list[Finding]:
    return [replace(finding, status="open") for finding in findings if not finding.code.startswith("RUN00")]


FOUND = judged(TABLE).findings
GAP = fact("rulebook.people_not_counted")
entries = st.lists(
    st.builds(
        entry,
        st.sampled_from(FOUND),
        expires=st.sampled_from([TODAY - datetime.timedelta(days=9), TODAY, TOMORROW]),
        worst_accepted=st.one_of(st.none(), st.integers(0, 100), st.floats(0, 1)),
    ),
    unique_by=lambda item: item.fingerprint,
)


@given(entries)
def test_accepting_changes_no_measured_evidence(accept: list[AcceptanceEntry]) -> None:
    before, after = judged(TABLE), judged(TABLE, *accept)
    assert without_status(after.findings) == without_status(before.findings)
    assert (after.risk, after.combinations) == (before.risk, before.combinations)
    assert {c.id: c.state for c in after.controls} == {c.id: c.state for c in before.controls}


@given(entries, st.data())
def test_removing_an_acceptance_never_turns_a_failed_gate_into_a_passed_one(
    accept: list[AcceptanceEntry], data: st.DataObject
) -> None:
    kept = data.draw(st.lists(st.sampled_from(accept), unique=True)) if accept else []
    fail_on = data.draw(st.sampled_from(SEVERITIES[1:]))
    assert exit_code(judged(TABLE, *accept), fail_on) <= exit_code(judged(TABLE, *kept), fail_on)


def test_accepting_every_failing_finding_passes_the_gate() -> None:
    before = judged(TABLE)
    assert exit_code(before) == 1
    after = judged(TABLE, *map(entry, failing(before)))
    assert exit_code(after) == 0
    assert {f.fingerprint for f in after.findings if f.status == "accepted"} == {f.fingerprint for f in failing(before)}


def test_what_was_not_assessed_remains_incomplete_whatever_is_accepted() -> None:
    gap = limit("rulebook.unknown_entity_type", incomplete=True)
    after = judged(TABLE, *map(entry, failing(judged(TABLE))))
    assert decide(after.findings, (gap,), PUBLIC).exit_code == 3


@pytest.mark.parametrize("code", ["RUN001", "RUN004", "RUN005", "RUN006", "XXX001"])
def test_what_reports_a_gap_or_an_acceptance_cannot_be_accepted(code: str) -> None:
    with pytest.raises(ConfigError, match=r"cannot be accepted|does not exist"):
        judged(TABLE, entry(FOUND[0], code=code))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"code": "X" * 50},
            f'An acceptance names the check "{"X" * 40}", which does not exist.'
            " Hint: privaudit rules list shows all checks",
        ),
        (
            {"code": "QI01"},
            'An acceptance names the check "QI01", which does not exist. Hint: similar: QI001, QI007, QI006',
        ),
        (
            {"code": "RUN001"},
            f"RUN001 {CHECKS['RUN001'].name} cannot be accepted. Hint: correct what it reports instead",
        ),
        (
            {"code": "DAT001", "worst_accepted": "fortnight"},
            '"worst_accepted" in the acceptance of DAT001 is not a level of column.date_precision.'
            f" Hint: use one of: {', '.join(DATE_LEVELS)}",
        ),
        (
            {"code": "QI001", "expires": TODAY + datetime.timedelta(days=MOST_DAYS + 1)},
            '"expires" in the acceptance of QI001 is more than 365 days ahead.'
            " Hint: 2027-01-01 is the last day allowed",
        ),
    ],
)
def test_what_is_refused_states_why_and_what_to_write(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as refused:
        check_entries([entry(FOUND[0], **changes)], CHECKS.values(), TODAY)
    assert str(refused.value) == message


@pytest.mark.parametrize(
    ("outcome", "status"),
    [
        ({}, "unused"), ({"applies": False}, "unused"), ({"run": False}, "not_measured"),
        ({"has_limit": False}, "not_measured"), ({"gaps": (GAP,)}, "not_measured"),
    ],
)  # fmt: skip
def test_only_a_check_that_was_measured_shows_that_an_acceptance_is_unused(
    outcome: dict[str, Any], status: str
) -> None:
    found = {"QI001": Outcome(check=CHECKS["QI001"], **outcome)}
    (matched,) = Acceptances((entry(FOUND[0], code="QI001"),), TODAY).match(found)
    assert (matched.status, matched.findings, matched.exceeded) == (status, (), ())


def test_columns_match_as_a_set_and_a_fingerprint_selects_one_finding() -> None:
    k = next(f for f in FOUND if f.code == "QI001")
    reversed_columns = entry(k, columns=k.subject[::-1], fingerprint=None)
    assert "QI001" not in open_codes(judged(TABLE, reversed_columns))
    assert "QI001" in open_codes(judged(TABLE, entry(k, columns=k.subject[:1], fingerprint=None)))
    assert "QI001" in open_codes(judged(TABLE, entry(k, fingerprint="0" * 16)))


def test_an_acceptance_holds_on_its_last_day_and_not_after() -> None:
    k = next(f for f in FOUND if f.code == "QI001")
    on_the_day = judged(TABLE, entry(k, expires=TODAY))
    assert "QI001" not in open_codes(on_the_day) and "RUN004" not in codes(on_the_day)
    assert on_the_day.acceptances[0].status == "used"
    after = judged(TABLE, entry(k, expires=TODAY), today=TOMORROW)
    assert {"QI001", "RUN004"} <= open_codes(after)
    assert after.acceptances[0].status == "expired"
    message = next(str(f.message) for f in after.findings if f.code == "RUN004")
    assert "2026-01-01, 1 day ago" in message


@pytest.mark.parametrize("status", ["expired", "exceeded"])
def test_a_finding_about_an_acceptance_is_as_severe_as_the_finding_it_opens_again(status: str) -> None:
    for finding in FOUND:
        if not CHECKS[finding.code].acceptable:
            continue
        change: dict[str, Any] = {"expires": TODAY - datetime.timedelta(days=1)}
        if status == "exceeded":
            change = {"worst_accepted": "nothing" if isinstance(finding.observed, str) else None}
        if change.get("worst_accepted", 1) is None:
            continue
        after = judged(TABLE, entry(finding, **change))
        about = [f for f in after.findings if f.code in ("RUN004", "RUN006")]
        assert [f.severity for f in about] == [finding.severity]


def test_an_acceptance_without_a_finding_is_reported_and_fails_nothing() -> None:
    unused = entry(next(f for f in FOUND if f.code == "QI001"), columns=("other",), fingerprint=None)
    after = judged(TABLE, unused)
    finding = next(f for f in after.findings if f.code == "RUN005")
    assert (finding.severity, finding.subject, after.acceptances[0].status) == ("info", ("other",), "unused")
    assert exit_code(after) == exit_code(judged(TABLE))


def test_an_acceptance_of_a_check_that_was_not_measured_is_not_unused() -> None:
    about_attack = entry(FOUND[0], code="LNK001", columns=("zip",), fingerprint=None)
    after = judged(evidence(classes=[[50, 2]]), about_attack)
    assert after.acceptances[0].status == "not_measured"
    assert "RUN005" not in codes(after)


@given(st.integers(1, 90), st.integers(1, 90))
def test_a_finding_is_open_again_exactly_where_it_is_worse_than_accepted(accepted: int, observed: int) -> None:
    """QI003 counts uniques: more are worse. QI001 is k: less is worse."""
    found = evidence(classes=[[1, observed], [2, 200 - observed]])
    uniques = next(f for f in judged(found).findings if f.code == "QI003")
    after = judged(found, entry(uniques, worst_accepted=accepted))
    assert ("QI003" in open_codes(after)) == ("RUN006" in codes(after)) == (observed > accepted)
    assert after.acceptances[0].status == ("exceeded" if observed > accepted else "used")
    k = 1 + observed % 14
    found = evidence(classes=[[k, 3], [100, 1]])
    smallest = next(f for f in judged(found).findings if f.code == "QI001")
    after = judged(found, entry(smallest, worst_accepted=accepted))
    assert ("QI001" in open_codes(after)) == ("RUN006" in codes(after)) == (k < accepted)


NUMERIC = [check for check in CHECKS.values() if check.fires_when != "finer_than"]
values = st.one_of(st.integers(-100, 100), st.floats(-10, 10))


@given(st.sampled_from(NUMERIC), values, values, values)
def test_what_is_worse_than_a_worse_value_is_worse(check: Check, a: float, b: float, c: float) -> None:
    assert not is_worse(check, a, a)
    assert not (is_worse(check, a, b) and is_worse(check, b, a))
    if is_worse(check, a, b) and is_worse(check, b, c):
        assert is_worse(check, a, c)


@given(st.sampled_from(NUMERIC), values, values, values)
def test_a_value_that_is_not_worse_never_fires_where_the_accepted_one_does_not(
    check: Check, observed: float, accepted: float, limiting: float
) -> None:
    may_fire_alone = is_worse(check, observed, accepted) or abs(observed - accepted) <= 1e-6
    assert may_fire_alone or fires(check, accepted, limiting) or not fires(check, observed, limiting)


def test_levels_are_compared_by_their_order_and_unknown_ones_are_refused() -> None:
    check = CHECKS["DAT001"]
    for i, observed in enumerate(DATE_LEVELS):
        for j, accepted in enumerate(DATE_LEVELS):
            assert is_worse(check, observed, accepted) == (i > j)
    assert is_worse(check, None, "day") and is_worse(check, "fortnight", "day")
    dates = evidence(columns=[{"name": "day", "entity": "DATE_OF_BIRTH", "date_precision": "day"}])
    fine = next(f for f in judged(dates).findings if f.code == "DAT001")
    assert "DAT001" not in open_codes(judged(dates, entry(fine, worst_accepted="day")))
    assert {"DAT001", "RUN006"} <= open_codes(judged(dates, entry(fine, worst_accepted="month")))
    with pytest.raises(ConfigError, match="not a level"):
        judged(dates, entry(fine, worst_accepted="fortnight"))


def test_a_number_where_a_text_was_accepted_is_worse() -> None:
    k = next(f for f in FOUND if f.code == "QI001")
    assert {"QI001", "RUN006"} <= open_codes(judged(TABLE, entry(k, worst_accepted="any")))


def test_a_finding_is_accepted_for_a_year_at_most() -> None:
    k = next(f for f in FOUND if f.code == "QI001")
    judged(TABLE, entry(k, expires=TODAY + datetime.timedelta(days=MOST_DAYS)))
    with pytest.raises(ConfigError, match="365 days ahead"):
        judged(TABLE, entry(k, expires=TODAY + datetime.timedelta(days=MOST_DAYS + 1)))


def test_controls_report_what_was_accepted_and_are_not_supported_by_it() -> None:
    before = {c.id: c for c in judged(TABLE).controls}
    after = judged(TABLE, *map(entry, failing(judged(TABLE))))
    touched = [c for c in after.controls if any("accepted" in str(why) for why in c.why)]
    assert touched
    for control in touched:
        assert control.state == before[control.id].state != "supported"
        assert control.findings == before[control.id].findings


def test_records_keep_the_entry_and_name_the_findings() -> None:
    k = next(f for f in FOUND if f.code == "QI001")
    record = judged(TABLE, entry(k, worst_accepted=1)).acceptances[0]
    assert (record.code, record.columns, record.reason, record.owner) == ("QI001", k.subject, "reviewed", "board")
    assert (record.expires, record.worst_accepted, record.findings) == ("2026-01-02", 1, (k.fingerprint,))


def test_a_report_gives_back_the_entries_it_was_judged_with() -> None:
    given = [
        entry(next(f for f in FOUND if f.code == "QI001"), worst_accepted=1),
        entry(next(f for f in FOUND if f.code == "QI003"), fingerprint=None, expires=TODAY, reason="r", owner="o"),
    ]
    assert entries_of(judged(TABLE, *given).acceptances) == tuple(given)


def test_fingerprints_hash_codes_and_no_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another wording of every check and another title of every pack leave the fingerprints as they are."""
    module = sys.modules["privaudit.rulebook.judge"]  # its name in the package is that of the function
    later = datetime.date(2031, 1, 1)
    before = {f.fingerprint for f in judged(TABLE, today=later).findings}
    assert any(f.code == "RUN003" for f in judged(TABLE, today=later).findings)
    reworded = tuple(replace(check, message="x", title="x", name="x") for check in load_checks())
    packs = tuple(replace(pack, title=f"title of {pack.id}") for pack in load_frameworks())
    monkeypatch.setattr(module, "load_checks", lambda rules=None: reworded)
    monkeypatch.setattr(module, "load_frameworks", lambda ids=(), folder=None: packs)
    assert {f.fingerprint for f in judged(TABLE, today=later).findings} == before


def test_nothing_is_worse_than_an_unbounded_value() -> None:
    check = CHECKS["SEN002"]
    assert not is_worse(check, 3.0, "unbounded") and not is_worse(check, "unbounded", "unbounded")
    assert is_worse(check, "unbounded", 3.0)
