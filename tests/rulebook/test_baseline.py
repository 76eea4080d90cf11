"""A baseline: what its file holds, which table a key names, and what becomes of each finding of a table."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privaudit.base.errors import ConfigError
from privaudit.base.wire import assembled
from privaudit.model import SEVERITIES, Finding
from privaudit.rulebook import Baseline, KnownBefore, baseline_text, known_table, load_checks, read_baseline
from privaudit.rulebook.baseline import MAX_BYTES, KnownTable, apply_baseline
from privaudit.rulebook.changes import Known, change
from tests.report import sample

CHECKS = {check.code: check for check in load_checks()}
texts = st.text(st.characters(exclude_categories=("Cs",)), max_size=8)
numbers = st.none() | st.integers(0, 10**6)
found = st.builds(
    Known,
    code=st.sampled_from(sorted(CHECKS)),
    subject=st.lists(texts, max_size=3).map(tuple),
    fingerprint=texts,
    observed=st.none() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    n_people=numbers,
    n_total=numbers,
    severity=st.sampled_from(SEVERITIES),
)
tables = st.builds(
    KnownTable,
    created=texts,
    policy=texts,
    n_rows=st.integers(0, 10**9),
    k_min=numbers,
    findings=st.lists(found, max_size=3).map(tuple),
)


def finding(code: str, **changes: Any) -> Finding:
    fields: dict[str, Any] = {"fingerprint": code, "status": "open", "measure": CHECKS[code].measure}
    return replace(sample.finding(3, "age", code), **(fields | changes))


def known(made: Finding, **changes: Any) -> Known:
    return assembled(Known, made, **changes)


def table(*listed: Known, k_min: int | None = None) -> KnownTable:
    return KnownTable(created="2026-01-02", policy="public", n_rows=9, k_min=k_min, findings=listed)


def applied(findings: list[Finding], before: KnownTable | None, tolerance: float = 0.1) -> Any:
    return apply_baseline(findings, KnownBefore(key="a.csv", table=before), CHECKS.values(), tolerance)


@given(st.dictionaries(texts, tables, max_size=3))
def test_a_baseline_is_read_as_it_was_written(tmp_path_factory: pytest.TempPathFactory, held: dict[str, Any]) -> None:
    file = tmp_path_factory.getbasetemp() / "baseline.json"
    file.write_text(baseline_text(Baseline(tables=held)), encoding="utf-8")
    assert read_baseline(file) == Baseline(tables=held)


def test_half_a_character_of_a_column_name_is_written_as_a_question_mark(tmp_path: Path) -> None:
    """A name may contain an unpaired surrogate, which UTF-8 cannot express."""
    file = tmp_path / "baseline.json"
    text = baseline_text(Baseline(tables={"a.csv": table(known(finding("QI001"), subject=("a\ud800ü",)))}))
    file.write_text(text, encoding="utf-8")
    assert read_baseline(file).tables["a.csv"].findings[0].subject == ("a?ü",)


def test_the_file_has_one_finding_per_line_in_the_order_of_the_tables(tmp_path: Path) -> None:
    one, other = known(finding("QI001")), known(finding("QI003"))
    text = baseline_text(Baseline(tables={"b.csv": table(one, other), "a.csv": table()}))
    assert [line.strip()[:8] for line in text.splitlines() if "csv" in line] == ['"a.csv":', '"b.csv":']
    assert sum('"code"' in line for line in text.splitlines()) == 2
    assert baseline_text(Baseline()) == '{\n  "schema_version": "2",\n  "tables": {}\n}\n'
    assert text.count('"findings": []') == 1
    assert "é" in baseline_text(Baseline(tables={"é": table()}))
    assert json.loads(text)["tables"]["b.csv"]["findings"][0] == {
        "code": "QI001",
        "subject": ["age"],
        "fingerprint": "QI001",
        "severity": one.severity,
        "observed": one.observed,
        "n_people": one.n_people,
        "n_total": one.n_total,
    }


ROW = {
    "code": "QI001", "subject": ["a"], "fingerprint": "f", "severity": "high", "observed": 1,
    "n_people": 1, "n_total": 2,
}  # fmt: skip
HEAD = {"created": "2026-01-02", "policy": "public", "n_rows": 3, "k_min": 4}


@pytest.mark.parametrize(
    "change_of",
    [
        {"code": 1}, {"subject": [1]}, {"subject": 1}, {"fingerprint": None}, {"severity": "bad"}, {"observed": True},
        {"observed": [1]}, {"n_people": "1"}, {"n_people": True}, {"n_total": 1.5},
    ],
    ids=str,
)  # fmt: skip
def test_a_damaged_finding_is_refused(tmp_path: Path, change_of: dict[str, Any]) -> None:
    refused(tmp_path, {"schema_version": "2", "tables": {"a": {**HEAD, "findings": [{**ROW, **change_of}]}}})


@pytest.mark.parametrize("key", ROW)
def test_a_finding_without_a_part_is_refused(tmp_path: Path, key: str) -> None:
    row = {name: value for name, value in ROW.items() if name != key}
    refused(tmp_path, {"schema_version": "2", "tables": {"a": {**HEAD, "findings": [row]}}})


@pytest.mark.parametrize(
    "content",
    [
        [], {}, {"schema_version": "2"}, {"schema_version": "2", "tables": []},
        {"schema_version": "2", "tables": {"a": {**HEAD, "created": 1, "findings": []}}},
        {"schema_version": "2", "tables": {"a": {**HEAD, "policy": 1, "findings": []}}},
        {"schema_version": "2", "tables": {"a": {**HEAD, "n_rows": "3", "findings": []}}},
        {"schema_version": "2", "tables": {"a": {**HEAD, "k_min": "4", "findings": []}}},
        {"schema_version": "2", "tables": {"a": HEAD}}, {"schema_version": "2", "tables": {"a": []}},
    ],
    ids=str,
)  # fmt: skip
def test_what_is_not_a_baseline_is_refused(tmp_path: Path, content: Any) -> None:
    refused(tmp_path, content)


def refused(
    folder: Path,
    content: Any,
    why: str = "is not a baseline.",
    hint: str | None = "write it with privaudit baseline SOURCE",
) -> None:
    (folder / "b.json").write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        read_baseline(folder / "b.json")
    assert (caught.value.message, caught.value.hint) == (f"b.json {why}", hint)


def test_other_versions_texts_and_sizes_are_refused(tmp_path: Path) -> None:
    for version in ("1", "3"):
        refused(
            tmp_path,
            {"schema_version": version, "tables": {}},
            "has a version that this program does not read.",
            "write it again",
        )
    for damaged in ("{", "[" * 100_000):
        refused(tmp_path, damaged, "is not a baseline: it is not JSON.", None)
    with pytest.raises(ConfigError) as caught:
        read_baseline(tmp_path / "missing.json")
    assert (caught.value.message, caught.value.hint) == (
        "missing.json cannot be read.",
        "write it with privaudit baseline",
    )
    large = tmp_path / "large.json"
    with large.open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    with pytest.raises(ConfigError, match="larger than a baseline can be"):
        read_baseline(large)
    with large.open("wb") as file:
        file.truncate(MAX_BYTES)
    with pytest.raises(ConfigError, match="not JSON"):
        read_baseline(large)


def test_tables_are_added_replaced_and_removed_by_their_key() -> None:
    one, other = table(known(finding("QI001"))), table()
    both = Baseline().with_table("a.csv", one).with_table("x/a.csv", other)
    assert both == Baseline(tables={"a.csv": one, "x/a.csv": other})
    assert both.with_table("a.csv", other).tables == {"a.csv": other, "x/a.csv": other}
    assert both.without("a.csv") == Baseline(tables={"x/a.csv": other})
    with pytest.raises(ConfigError) as caught:
        both.without("b.csv")
    assert caught.value.message == "The baseline does not hold this table."
    assert caught.value.hint == 'its tables: "a.csv", "x/a.csv"'
    with pytest.raises(ConfigError) as caught:
        Baseline().without("b.csv")
    assert caught.value.hint == "its tables: none"


def test_a_baseline_has_what_is_open_and_can_be_accepted() -> None:
    refusing = next(check.code for check in CHECKS.values() if not check.acceptable)
    made = sample.small(
        findings=(
            finding("QI003"),
            finding("QI001", status="baseline"),
            finding("PII001", status="accepted"),
            finding(refusing),
        )
    )
    held = known_table(made, CHECKS.values())
    assert [item.code for item in held.findings] == ["QI001", "QI003"]
    assert held.findings[0] == assembled(Known, made.findings[1])
    assert (held.created, held.policy) == (made.generated_at[:10], made.policy.name)
    assert (held.n_rows, held.k_min) == (made.dataset.n_rows, None)
    measured_risk = sample.example_risk()
    assert known_table(replace(made, risk=measured_risk), CHECKS.values()).k_min == measured_risk.k_min


listed = st.lists(st.sampled_from(["QI001", "QI003", "PII001", "DAT001"]), unique=True)


@given(listed, listed, st.data(), st.sampled_from([0.0, 0.1, 0.5]))
def test_each_finding_is_new_worse_or_kept_by_the_baseline(
    now: list[str], before: list[str], data: st.DataObject, tolerance: float
) -> None:
    status = st.sampled_from(["open", "accepted"])
    findings = [
        finding(code, observed=data.draw(st.integers(1, 9)), status=data.draw(status), n_people=1, n_total=10)
        for code in now
    ]
    old = {code: known(finding(code), observed=data.draw(st.integers(1, 9)), n_people=1, n_total=10) for code in before}
    compared, use = applied(findings, table(*old.values()), tolerance)
    for made, result in zip(findings, compared, strict=True):
        was = old.get(made.code)
        if was is None:
            assert (result.change, result.status, result.before) == ("new", made.status, None)
            continue
        worse = change(CHECKS[made.code], was, made, tolerance) == "worse"
        kept = not worse and made.status == "open"
        assert result.change == ("worse" if worse else "same") and result.before == was.observed
        assert result.status == ("baseline" if kept else made.status)
    changes = [result.change for result in compared]
    assert (use.n_new, use.n_worse, use.n_same) == tuple(map(changes.count, ("new", "worse", "same")))
    assert [gone.code for gone in use.gone] == [code for code in before if code not in now]
    assert (use.table, use.is_new, use.created, use.tolerance) == ("a.csv", False, "2026-01-02", tolerance)


def test_a_check_that_cannot_be_accepted_stays_open() -> None:
    code = next(check.code for check in CHECKS.values() if not check.acceptable)
    made = finding(code)
    (result,), use = applied([made], table(known(made)))
    assert (result.status, result.change, use.n_same) == ("open", "same", 1)


def test_what_is_gone_is_named_as_it_was_found_and_what_is_worse_is_counted() -> None:
    here, gone = finding("QI001", observed=3), finding("PII001", subject=("mail",))
    compared, use = applied([here], table(known(here, observed=5), known(gone)))
    assert [(one.code, one.subject, one.fingerprint) for one in use.gone] == [("PII001", ("mail",), "PII001")]
    assert use.n_worse == [one.change for one in compared].count("worse") == 1


def test_the_table_of_a_report_holds_its_findings_as_they_are() -> None:
    report = sample.example()
    held = {found.fingerprint: found for found in known_table(report, CHECKS.values()).findings}
    assert held
    for one in report.findings:
        if one.fingerprint in held:
            assert held[one.fingerprint] == known(one)


@pytest.mark.parametrize(("tolerance", "expected"), [(0.5, "same"), (0.1, "worse")])
def test_more_cells_are_worse_where_the_tolerance_does_not_allow_them(tolerance: float, expected: str) -> None:
    code = next(check.code for check in CHECKS.values() if check.measure == "pii.cells")
    before, now = (finding(code, observed=n, n_people=n, n_total=8000) for n in (100, 120))
    (result,), _ = applied([now], table(known(before)), tolerance)
    assert result.change == expected


def test_a_new_small_class_states_the_k_before() -> None:
    (k, uniques), _ = applied([finding("QI001"), finding("QI003")], table(k_min=68))
    assert (k.before, uniques.before) == (68, None)


def test_a_table_that_the_baseline_does_not_hold_is_new() -> None:
    (result,), use = applied([finding("QI001")], None)
    assert (result.status, result.change, result.before) == ("open", "new", None)
    assert (use.is_new, use.created, use.gone, use.n_new) == (True, "", (), 1)
