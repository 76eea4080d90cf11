"""The examples that ship are what the pipeline makes of the fixtures today, and satisfy the properties of every report.

A changed example is accepted on purpose: run ``make examples``, then read the difference.
"""

from __future__ import annotations

import dataclasses
import importlib.util
import math
from pathlib import Path

import pytest

from privaudit import report
from privaudit.model import LinkageDetail, Report
from privaudit.model.wording.render import FULL, Edition
from privaudit.report import view
from privaudit.report.sections import first_steps, verdict
from privaudit.report.sentences import wording_of

FOLDER = Path(__file__).resolve().parents[2] / "reports" / "examples"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """The example scanned afresh."""
    spec = importlib.util.spec_from_file_location("make_examples", FOLDER / "make.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found = module.scan(tmp_path_factory.mktemp("example"))
    assert isinstance(found, Report)
    return found


@pytest.fixture(scope="module")
def stored() -> Report:
    return report.read(FOLDER / "example.json")


@pytest.mark.slow
def test_the_stored_example_is_what_the_pipeline_makes(made: Report, stored: Report) -> None:
    comparable = dataclasses.replace(made, tool=stored.tool, generated_at=stored.generated_at, digest=stored.digest)
    for field in dataclasses.fields(Report):
        assert getattr(comparable, field.name) == getattr(stored, field.name), f"{field.name}: run `make examples`"


@pytest.mark.parametrize("format", ["html", "json", "md"])
def test_the_stored_files_are_rendered_from_the_stored_report(stored: Report, format: str) -> None:
    text = (FOLDER / f"example.{format}").read_text(encoding="utf-8")
    assert text == report.render(stored, format), f"example.{format} differs: run `make examples`"


def test_p1_class_sizes_sum_to_the_number_of_rows(stored: Report) -> None:
    assert stored.risk is not None
    sizes = stored.risk.class_sizes
    assert sum(map(math.prod, zip(sizes.size, sizes.count, strict=True))) == stored.dataset.n_rows
    assert sum(sizes.count) == stored.risk.n_classes and min(sizes.size) == stored.risk.k_min
    assert stored.risk.n_unique == sizes.n_below(2)


def test_p2_adding_a_column_lowers_no_count_and_raises_no_k(stored: Report) -> None:
    by_columns = {frozenset(found.columns): found for found in stored.combinations}
    for small, part in by_columns.items():
        for large, whole in by_columns.items():
            if small < large:
                assert whole.n_classes >= part.n_classes and whole.n_unique >= part.n_unique
                assert whole.k_min <= part.k_min


def test_p9_risks_follow_from_the_classes(stored: Report) -> None:
    risk, n = stored.risk, stored.dataset.n_rows
    assert risk is not None
    assert risk.prosecutor_max == 1 / risk.k_min
    assert risk.prosecutor_mean == pytest.approx(risk.n_classes / n)
    for found in stored.combinations:
        assert found.mean_class_size == pytest.approx(n / found.n_classes)
        assert found.n_unique == found.n_below_k(2) and found.share_unique == pytest.approx(found.n_unique / n)


def test_p10_classes_lie_between_the_distinct_values_and_their_product(stored: Report) -> None:
    n = stored.dataset.n_rows
    # Missing is a category of its own.
    distinct = {c.name: c.n_distinct + (c.n_missing > 0) for c in stored.columns}
    for found in stored.combinations:
        values = [distinct[column] for column in found.columns]
        assert max(values) <= found.n_classes <= min(math.prod(values), n)


def test_p11_diversity_is_at_most_k(stored: Report) -> None:
    assert stored.risk is not None and stored.risk.diversity
    for found in stored.risk.diversity.values():
        assert found.l_distinct is not None
        assert 1 <= found.l_distinct <= stored.risk.k_min
        assert (found.homogeneous_records or 0) >= stored.risk.n_unique


def test_p13_entropy_is_bounded_by_the_distinct_values(stored: Report) -> None:
    for column in stored.columns:
        if column.entropy_bits is not None:
            assert 0 <= column.entropy_bits <= math.log2(max(column.n_distinct, 1)) + 5e-4  # rounded
            assert column.n_held_once <= column.n_distinct <= column.n_rows - column.n_missing


def test_p16_links_add_up_to_the_auxiliary_rows(stored: Report) -> None:
    assert stored.attacks
    for attack in stored.attacks:
        detail = attack.detail
        if not isinstance(detail, LinkageDetail):
            continue
        looked_up = detail.n_release if attack.is_register_attack else detail.n_auxiliary
        assert detail.n_unmatched + detail.n_ambiguous + detail.n_unique == looked_up
        assert detail.n_mutual <= detail.n_unique and attack.n_correct <= attack.n_targets
        assert attack.success.low <= attack.success.value <= attack.success.high


def test_p17_minimal_sets_are_an_antichain(stored: Report) -> None:
    minimal = [frozenset(found.columns) for found in stored.combinations if found.minimal]
    assert minimal
    assert not any(a < b for a in minimal for b in minimal)


def test_every_finding_belongs_to_a_check_that_fired(stored: Report) -> None:
    states = {check.code: check.state for check in stored.checks}
    assert states, "the report lists the outcome of every check"
    assert {finding.code for finding in stored.findings} == {code for code, state in states.items() if state == "fired"}


def test_the_gate_follows_from_the_findings(stored: Report) -> None:
    assert not stored.gate_.passed and stored.gate_.exit_code == 1 and stored.gate_.reasons


def test_effects_of_remedies_are_consistent(stored: Report) -> None:
    for remedy in stored.advice:
        for side in (remedy.before, remedy.after):
            assert 0 <= side["n_unique"] <= side["n_below_k"] <= side["n_records"] <= stored.dataset.n_rows
            assert side["share_below_k"] == pytest.approx(side["n_below_k"] / stored.dataset.n_rows, abs=1e-9) or side[
                "share_below_k"
            ] == pytest.approx(side["n_below_k"] / max(side["n_records"], 1), abs=1e-9)


def test_no_step_treats_a_column_that_an_earlier_step_drops(stored: Report) -> None:
    plan = next(remedy for remedy in stored.advice if remedy.parameters.get("steps") and remedy.resolves)
    dropped = [step["column"] for step in plan.parameters["steps"] if step["technique"] == "drop"]
    linked = next(finding for finding in stored.findings if finding.code == "LNK001")
    assert set(linked.subject) & set(dropped)  # else the example shows nothing
    drop, *later = (step.text for step in first_steps.steps(stored, wording_of(stored)))
    assert all(f'"{column}"' in drop for column in dropped)
    assert not any(f'"{column}"' in text for column in dropped for text in later)


@pytest.mark.parametrize("edition", ["full", "public"])
def test_information_is_kept_in_part_only_where_a_quasi_identifier_changes(stored: Report, edition: Edition) -> None:
    quasi = set(stored.risk.quasi_identifiers)
    rows = view.build(stored, edition)["remedies"]["rows"]
    changes = [bool(quasi & set(row["columns"])) for row in rows]
    assert set(changes) == {True, False}
    assert [bool(row["kept"]) for row in rows] == [change and edition == "full" for change in changes]


def test_the_tile_and_the_list_of_findings_differ_by_what_the_tile_states(stored: Report) -> None:
    tile = verdict.tiles(stored, wording_of(stored))[-1]
    counts = view.build(stored)["findings"]["counts"]
    assert int(tile["value"]) < sum(int(count["n"]) for count in counts)
    assert "same cause count once" in tile["note"]


def test_every_reason_of_the_gate_is_shown(stored: Report) -> None:
    page = view.build(stored)
    findings = [reason for reason in stored.gate_.reasons if reason.code == "gate.finding"]
    codes = [FULL.value(reason.values["code"]) for reason in findings]
    assert len(codes) > 8 and {*codes} <= {row["code"] for row in page["findings"]["rows"]}
    others = {reason.code for reason in stored.gate_.reasons} - {"gate.finding", "gate.more_findings"}
    assert len(page["verdict"]["reasons"]) == sum(reason.code in others for reason in stored.gate_.reasons)
