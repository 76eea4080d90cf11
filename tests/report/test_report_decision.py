"""Does the first screen state the right decision: what a row is, what is wrong, and what to do in which order?"""

from __future__ import annotations

import dataclasses
import re

import numpy as np
import pandas as pd
import pytest

import privaudit
from privaudit.model import Report, first_of_each_cause, limit
from privaudit.model.wording import Columns, fact
from privaudit.report import view
from privaudit.report.sections import first_steps, verdict
from privaudit.report.sections.limits import merged
from privaudit.report.sentences import wording_of

QUIET = {"policy": "controlled", "ner": False}
N = 120


def _people() -> pd.DataFrame:
    return pd.DataFrame(
        {
            "email": [f"p{i}@example.org" for i in range(N)],
            "age": [20 + i * 7 % 53 for i in range(N)],
            "sex": ["f" if i % 3 else "m" for i in range(N)],
            "diagnosis": [("E11.9", "I10", "J45.0")[i % 3] for i in range(N)],
        }
    )


def _events() -> pd.DataFrame:
    days = pd.date_range("2024-01-01", periods=N, freq="D").strftime("%Y-%m-%d")
    return pd.DataFrame(
        {
            "customer_id": [1000 + i // 6 for i in range(N)],
            "visit_date": days,
            "city": [("Nairobi", "Mombasa", "Kisumu")[i % 3] for i in range(N)],
        }
    )


def _things() -> pd.DataFrame:
    return pd.DataFrame(
        {
            "product_id": list(range(1, 41)),
            "product_name": [f"Bracket M{i}" for i in range(40)],
            "unit_price": [i * 1.25 for i in range(40)],
        }
    )


@pytest.fixture(scope="module")
def people() -> privaudit.ScanReport:
    return privaudit.scan(_people(), **QUIET)


def _labels(report: Report) -> list[str]:
    return [tile["label"] for tile in verdict.tiles(report, wording_of(report))]


def test_the_first_sentence_states_what_a_row_is(people):
    events, things = (privaudit.scan(table, **QUIET).wire for table in (_events(), _things()))
    first = [verdict.about(report, wording_of(report))[0] for report in (people.wire, events, things)]
    assert [text.split(" (")[0] for text in first] == [
        "Each row is a person",
        'Several rows can belong to one person; people are counted by "customer_id".',
        "Each row is an object",
    ]


def test_the_first_sentence_counts_the_records_that_name_no_person():
    events = _events()
    events.loc[:29, "customer_id"] = None
    report = privaudit.scan(events, subject="customer_id", **QUIET).wire
    n_people = events["customer_id"].nunique() + 30
    assert verdict.about(report, wording_of(report))[0].endswith(
        f'counted by "customer_id"; of {n_people} people, 30 are records without a value in this column.'
    )
    assert "30 are" not in " ".join(verdict.about(report, wording_of(report, "public")))


@pytest.mark.slow
def test_tiles_name_what_a_row_is_and_speak_of_people_only_in_tables_about_people(people):
    assert _labels(people.wire) == ["People in small classes", "Smallest class (k)", "Unique people", "Open findings"]
    events, things = (privaudit.scan(table, **QUIET).wire for table in (_events(), _things()))
    assert _labels(events) == _labels(people.wire)
    assert _labels(things) == ["Open findings"]
    page = str({key: part for key, part in view.build(things).items() if key != "signoff"}["verdict"])
    assert "people in" not in page and "prosecutor" not in page


def test_the_tile_of_findings_counts_causes(people):
    shown = verdict.tiles(people.wire, wording_of(people.wire))[-1]["value"]
    assert int(shown) == len(first_of_each_cause(people.wire.findings)) < len(people.wire.findings)


def test_identifiers_come_first_then_measured_disclosure_then_content(people):
    codes = [line.code for line in first_steps.problems(people.wire, wording_of(people.wire))]
    assert codes[0] == "PII001"
    assert codes.index("QI001") < codes.index("SEN003")


def test_each_recoding_of_the_plan_is_a_step_with_a_link_to_it(people):
    plan = next(remedy for remedy in people.advice if remedy.technique == "plan")
    steps = first_steps.steps(people.wire, wording_of(people.wire))
    recoded = [s["column"] for s in plan.parameters["steps"] if s["technique"] != "drop"]
    assert steps[0].text.startswith('Drop "email"')
    for column, step in zip(recoded, steps[1:], strict=False):
        assert step.text.startswith(f'"{column}": ') and step.anchor == "remedy-1"
    last = [step.text for step in steps[-2:]]
    assert "expected to pass" in last[0] and "If answers are enough" in last[1]


def test_what_remains_after_the_plan_is_stated_with_it(people):
    plan = next(remedy for remedy in people.advice if remedy.technique == "plan")
    resolved = {each.fingerprint for each in plan.resolves}
    open_after = {f.code for f in people.wire.findings if f.fingerprint not in resolved}
    special = next(f for f in people.wire.findings if f.code == "SEN003" and f.subject == ("diagnosis",))
    # The diagnoses stay in the table: within large classes they only no longer fail the gate.
    assert plan.passes and special.fingerprint in resolved and "diagnosis" not in plan.columns
    steps = [step.text for step in first_steps.steps(people.wire, wording_of(people.wire))]
    (stated,) = [text.partition("What remains and does not fail the gate: ")[2] for text in steps if "remains" in text]
    assert set(re.findall(r"[A-Z]{3}[0-9]{3}", stated)) == open_after | {"SEN003"}
    assert '(SEN003: "diagnosis")' in stated


def _origins() -> pd.DataFrame:
    rng = np.random.default_rng(2)
    return pd.DataFrame(
        {
            "age": rng.integers(15, 80, 1_500),
            "sex": rng.choice(["F", "M"], 1_500),
            "race": rng.choice(["White", "Black", "Asian", "Other"], 1_500, p=[0.6, 0.2, 0.15, 0.05]),
            "marital_status": rng.choice(["single", "married", "widowed", "divorced"], 1_500),
        }
    )


def test_the_first_screen_takes_the_plan_that_is_listed_first_however_much_another_resolves():
    found = privaudit.scan(_origins(), ner=False).wire
    first = found.advice[0]
    assert first.technique == "plan" and first.passes
    dropping = [{"column": "race", "technique": "drop", "parameters": {}}]
    resolves = (*first.resolves, dataclasses.replace(first.resolves[0], code="X"))
    stated = fact(first.text.code, **{**first.text.values, "steps": fact("advice.drop", column=Columns(("race",)))})
    second = dataclasses.replace(
        first, parameters={"steps": dropping}, resolves=resolves, utility_cost=0.9, text=stated
    )
    swapped = dataclasses.replace(found, advice=(second, first, *found.advice[1:]))
    assert "Drop" in " ".join(step.text for step in first_steps.steps(swapped, wording_of(swapped)))
    found = dataclasses.replace(found, advice=(first, second, *found.advice[1:]))
    text = " ".join(step.text for step in first_steps.steps(found, wording_of(found)))
    assert '"race": group values' in text and "Drop" not in text


def test_what_remains_is_what_a_scan_of_the_remedied_table_finds():
    """The finding about "race", which is grouped, is resolved for the gate, and stated as remaining."""
    made = privaudit.remedy(_origins(), ner=False, method="full-domain")
    stays = {(f.code, f.subject) for f in made.after.wire.findings if f.status == "open"}
    plan = made.before.wire.advice[0]
    assert {(f.code, f.subject) for f in plan.stays} == {("SEN003", ("race",))} <= stays
    steps = " ".join(step.text for step in first_steps.steps(made.before.wire, wording_of(made.before.wire)))
    stated = steps.partition("What remains and does not fail the gate: ")[2]
    assert set(re.findall(r"[A-Z]{3}[0-9]{3}", stated)) == {code for code, _ in stays}


@pytest.mark.slow
def test_the_page_of_a_remedied_table_names_the_findings_that_stay(tmp_path):
    made = privaudit.remedy(_people(), **QUIET)
    made.write(tmp_path / "remedies.md")
    text = (tmp_path / "remedies.md").read_text()
    stated = text.partition("What remains and does not fail the gate: ")[2].partition("\n")[0]
    stays = {finding.code for finding in made.after.findings if finding.status == "open"}
    assert made.after.gate().passed and "SEN003" in stays
    assert set(re.findall(r"[A-Z]{3}[0-9]{3}", stated)) == stays


def test_further_columns_of_a_check_are_named_without_the_numbers_of_the_first_one():
    names = [f"Ann{'abcdefghij'[i % 10]} Lee" if i % 2 else "" for i in range(N)]
    report = privaudit.scan(_people().assign(full_name=names), **QUIET).wire
    line = next(line for line in first_steps.problems(report, wording_of(report)) if '"full_name"' in line.text)
    assert f"identifies all {N}" in line.text and "The same applies" not in line.text
    assert line.text.endswith('The same check reports "full_name", too.')


def test_an_attack_with_a_data_subject_counts_people_not_rows():
    visits = _events()
    register = visits.drop_duplicates("customer_id")
    report = privaudit.attack(visits, auxiliary=register, on={"visit_date": "visit_date"}, subject="customer_id").wire
    assert verdict.about(report, wording_of(report))[0].endswith('people are counted by "customer_id".')
    assert "Each row is counted as one person" not in view.build(report)["limits"]["people"]


@pytest.mark.slow
def test_a_scan_of_a_frame_prints_a_call_that_repeats_it(people):
    declared = privaudit.scan(_people(), **QUIET, role={"sex": "none"}, keep=("age",))
    again = eval(declared.wire.command, {"privaudit": privaudit, "table": _people()})
    assert again.findings == declared.findings and again.advice == declared.advice
    assert eval(people.wire.command, {"privaudit": privaudit, "table": _people()}).wire.risk == people.wire.risk


def test_plans_are_not_kept_under_a_policy_that_did_not_judge_them(people):
    assert any(remedy.technique == "plan" for remedy in people.advice)
    assert privaudit.judge(people).advice == people.advice
    stricter = privaudit.judge(people, fail_on="low")
    assert not any(remedy.technique == "plan" for remedy in stricter.advice)


def test_a_limit_of_several_columns_is_listed_once_with_all_of_them():
    each = [limit("risk.recursive_diversity_void", column=Columns(names=(name,))) for name in ("a", "b", "c")]
    other = limit("risk.no_population_table", incomplete=True)
    assert [item.code for item in merged([*each, other])] == [other.code, each[0].code]
    assert merged(each)[0].values["column"] == Columns(names=("a", "b", "c"))


def test_a_table_whose_rows_are_not_known_names_the_option_for_things() -> None:
    readings = pd.DataFrame({"firmware": [f"{i % 7}.{i}" for i in range(N)], "zorp": [i % 9 for i in range(N)]})
    stated = "If no row is about a person, state so"
    unknown = privaudit.scan(readings, **QUIET)
    assert unknown.gate().exit_code == 3 and any(
        stated in line.text for line in first_steps.steps(unknown.wire, wording_of(unknown.wire))
    )
    assert privaudit.scan(readings, **QUIET, unit="object").gate().exit_code == 0
    hidden = privaudit.scan(_people().assign(zorp=[f"x{i % 60}" for i in range(N)]), **QUIET)
    assert not any(stated in line.text for line in first_steps.steps(hidden.wire, wording_of(hidden.wire)))
    empty = privaudit.scan(pd.DataFrame({"zorp": [None] * N}), **QUIET)
    assert not any(stated in line.text for line in first_steps.steps(empty.wire, wording_of(empty.wire)))
