"""The public edition: what it withholds does not change a single byte of it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from types import ModuleType

import pytest

from privaudit import report
from privaudit.model import Report
from privaudit.model.attacks import MeasuredDetail
from privaudit.model.stats import wilson
from privaudit.model.wording import Threshold, fact
from privaudit.model.wording.rounding import rounded
from privaudit.report.public import publish

Change = Callable[[ModuleType, int], Report]


def _missing(sample: ModuleType, n: int) -> Report:
    return sample.small(columns=(sample.column("a", distinct=500, n_missing=n),))


def _few_present(sample: ModuleType, n: int) -> Report:
    column = sample.column("a", n_missing=sample.N - n, n_distinct=n, n_held_once=n, uniqueness=1.0)
    return sample.small(columns=(column,))


def _contains(sample: ModuleType, n: int) -> Report:
    return sample.small(columns=(sample.column("a", contains=(sample.contained(n),)),))


def _finding(sample: ModuleType, n: int) -> Report:
    return sample.small(findings=(sample.finding(n),), checks=(sample.check(),))


def _share_finding(sample: ModuleType, n: int) -> Report:
    found = dataclasses.replace(sample.finding(n), observed=n / sample.N)
    return sample.small(findings=(found,), checks=(sample.check(),))


def _gap(sample: ModuleType, n: int) -> Report:
    gap = fact("report.sample_uniques", people=sample.people(n))
    return sample.small(checks=(sample.check(state="not_measured", gaps=(gap,)),))


def _combination(sample: ModuleType, n: int) -> Report:
    return sample.small(combinations=(sample.combination(("a",), n, n, 700, k_min=n),))


def _risk(sample: ModuleType, n: int) -> Report:
    diversity = {
        column: dataclasses.replace(found, homogeneous_records=n, homogeneous_classes=n)
        for column, found in sample.example_risk().diversity.items()
    }
    uniques = dataclasses.replace(
        sample.example_risk().special_uniques, n_records=n, msu_by_size=(n, 900), by_value={}, fewer_than={}
    )
    risk = sample.example_risk(
        k_min=n, n_unique=n, prosecutor_max=1 / n, n_below={"15": n}, share_below_k=n / sample.N,
        share_at_risk={"0.5": n / sample.N}, special_uniques=uniques, diversity=diversity,
    )  # fmt: skip
    return sample.small(risk=risk)


def _remedy(sample: ModuleType, n: int) -> Report:
    after = {"k_min": n, "n_unique": n, "n_below_k": n, "share_below_k": n / sample.N, "n_records": sample.N - n}
    text = fact("report.share_below", people=sample.people(n), k=Threshold(value=5))
    return sample.small(advice=(sample.remedy("suppression", ("a",), after, text),))


def _attack(sample: ModuleType, n: int) -> Report:
    return sample.small(attacks=(sample.attack(n),))


CHANGES: tuple[Change, ...] = (
    _missing, _few_present, _contains, _finding, _share_finding, _gap, _combination, _risk, _remedy, _attack,
)  # fmt: skip


@pytest.mark.quick_cases(2 * len(CHANGES))  # each reaches parts of the templates that no other report does
@pytest.mark.parametrize("format", ["html", "md"])
@pytest.mark.parametrize("change", CHANGES)
def test_a_withheld_count_leaves_no_trace(sample: ModuleType, change: Change, format: str) -> None:
    first, second = (report.render(change(sample, n), format, edition="public") for n in (2, 8))
    different = [(a, b) for a, b in zip(first.splitlines(), second.splitlines(), strict=False) if a != b]
    assert first == second, different[:3]
    assert report.render(change(sample, 2), format) != report.render(change(sample, 8), format)


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("format", ["html", "md"])
def test_the_edition_is_named(sample: ModuleType, format: str) -> None:
    made = sample.example()
    assert "public edition" in report.render(made, format, edition="public").lower()
    assert "public edition" not in report.render(made, format).lower()


def test_the_number_of_distinct_values_is_withheld(sample: ModuleType) -> None:
    made = sample.small(columns=(sample.column("sex", distinct=2),))
    assert "| sex | none | no personal data recognised | – | &lt;11 |" in report.render(made, "md", edition="public")


@pytest.mark.parametrize("k", [2, 5, 10])
def test_the_k_of_the_policy_is_never_withheld(sample: ModuleType, k: int) -> None:
    made = sample.example(policy=dataclasses.replace(sample.example().policy, k=k))
    assert f"k = {k}" in report.render(made, "md", edition="public")


def test_what_the_public_edition_removed_is_unknown_and_not_0(sample: ModuleType) -> None:
    made = sample.example()
    small = dataclasses.replace(made, dataset=dataclasses.replace(made.dataset, n_rows=20))
    assert small.risk.n_below_k(made.policy.k) is not None
    assert publish(small).risk.n_below_k(made.policy.k) is None


def _compared(sample: ModuleType, members: int, outsiders: int, kind: str = "copies") -> Report:
    rates = {"success": wilson(members, 2_000), "control_rate": wilson(outsiders, 1_000)}
    made = dataclasses.replace(
        sample.attack(7), kind=kind, control=outsiders / 1_000, against="control",
        detail=MeasuredDetail(method="all_columns"), **rates,
    )  # fmt: skip
    return sample.small(attacks=(made,))


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("format", ["html", "md"])
def test_rounded_shares_of_a_comparison_with_outsiders_are_shown(sample: ModuleType, format: str) -> None:
    """Every pair of counts of the same two ranges gives the same bytes; other ranges give others."""
    pages = {
        (a, b): report.render(_compared(sample, a, b), format, edition="public").replace("\N{NO-BREAK SPACE}", " ")
        for a in (0, 4, 10, 11, 29, 30, 412, 1_989, 1_990, 2_000)
        for b in (0, 10, 95)
    }
    classes: dict[tuple[object, ...], set[str]] = {}
    for (a, b), page in pages.items():
        classes.setdefault((rounded(a, 2_000), rounded(b, 1_000)), set()).add(page)
    assert all(len(found) == 1 for found in classes.values())
    assert len(set.union(*classes.values())) == len(classes) == 12
    assert "21 %" in pages[412, 10] and "10 %" in pages[412, 95] and "21 %" not in pages[30, 10]
    assert report.render(_compared(sample, 412, 10), format) not in pages.values()


@pytest.mark.parametrize("kind", ["masking", "order_codes"])
def test_shares_of_other_attacks_leave_no_trace(sample: ModuleType, kind: str) -> None:
    first, second = (report.render(_compared(sample, n, 9, kind), "md", edition="public") for n in (300, 900))
    assert first == second


def test_shares_of_few_people_are_withheld(sample: ModuleType) -> None:
    """Of 100 people, 49 and 51 would be shown as 40 and 60 %."""
    pages = []
    for n in (49, 51):
        made = _compared(sample, 412, 95)
        rates = {"success": wilson(n, 100), "control_rate": wilson(100 - n, 100)}
        few = dataclasses.replace(made, attacks=(dataclasses.replace(made.attacks[0], **rates),))
        pages.append(report.render(few, "md", edition="public"))
    assert pages[0] == pages[1] and "60 %" not in pages[0]
