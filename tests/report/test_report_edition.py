"""The shareable edition: what it withholds does not change a single byte of it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from types import ModuleType

import pytest

from privaudit import report
from privaudit.model import Contained, Estimate, Report
from privaudit.report import words

Change = Callable[[ModuleType, int], Report]


def _exact(n: int, total: int) -> Estimate:
    return Estimate(value=n / total, low=n / total, high=n / total, level=1.0, n=total, method="exact")


def _missing(sample: ModuleType, n: int) -> Report:
    return sample.rich_report(columns=(dataclasses.replace(sample.column("a", distinct=500), n_missing=n),))


def _few_present(sample: ModuleType, n: int) -> Report:
    column = dataclasses.replace(
        sample.column("a"), n_missing=sample.N - n, n_distinct=n, n_held_once=n, uniqueness=1.0
    )
    return sample.rich_report(columns=(column,))


def _contains(sample: ModuleType, n: int) -> Report:
    found = Contained(entity="PHONE", n_cells=n, share=_exact(n, 9_000))
    return sample.rich_report(columns=(dataclasses.replace(sample.column("a"), contains=(found,)),))


def _finding(sample: ModuleType, n: int) -> Report:
    made = sample.finding(
        "QI001",
        "smallest-class-too-small",
        "high",
        ("a",),
        f"{n} of 10,000 people ({n / 100:.2f} %) stand alone.",
        n,
    )
    return sample.rich_report(findings=(dataclasses.replace(made, observed=n),))


def _combination(sample: ModuleType, n: int) -> Report:
    return sample.rich_report(combinations=(sample.combination(("a",), n, n, 700, k_min=n),))


def _risk(sample: ModuleType, n: int) -> Report:
    risk = dataclasses.replace(
        sample.risk(), k_min=n, n_unique=n, prosecutor_max=1 / n, n_below={"15": n}, share_below_k=n / sample.N,
        share_at_risk={"0.5": n / sample.N}, special_uniques={"n_records": n, "msu_by_size": [n, 900]},
        diversity={"d": {"homogeneous_records": n, "homogeneous_classes": n}},
    )  # fmt: skip
    return sample.rich_report(risk=risk)


def _remedy(sample: ModuleType, n: int) -> Report:
    after = {
        "k_min": n,
        "n_unique": n,
        "n_below_k": n,
        "share_below_k": n / sample.N,
        "n_records": sample.N - n,
    }
    return sample.rich_report(
        advice=(sample.remedy("suppression", ("a",), f"drop a: k 1 → {n}", after, 0.1, ()),)
    )


def _attack(sample: ModuleType, n: int) -> Report:
    made = dataclasses.replace(
        sample.attack(), n_unmatched=n, n_ambiguous=n, n_unique=n, n_mutual=n, n_correct=n, expected_correct=float(n),
        success=_exact(n, 2_000), advantage=_exact(n, 2_000), precision=None, baseline=n / 2_000, control=n / 2_000,
        n_control=2_000, n_release_linked=n, n_verbatim=n,
    )  # fmt: skip
    return sample.rich_report(attacks=(made,))


CHANGES: tuple[Change, ...] = (
    _missing, _few_present, _contains, _finding, _combination, _risk, _remedy, _attack,
)  # fmt: skip


@pytest.mark.parametrize("format", ["html", "md"])
@pytest.mark.parametrize("change", CHANGES)
def test_a_withheld_count_leaves_no_trace(sample: ModuleType, change: Change, format: str) -> None:
    first, second = (report.render(change(sample, n), format, edition="public") for n in (1, 8))
    different = [(a, b) for a, b in zip(first.splitlines(), second.splitlines(), strict=False) if a != b]
    assert first == second, different[:3]
    assert report.render(change(sample, 1), format) != report.render(change(sample, 8), format)


@pytest.mark.parametrize("format", ["html", "md"])
def test_the_edition_says_what_it_is(sample: ModuleType, format: str) -> None:
    made = sample.rich_report()
    assert "shareable edition" in report.render(made, format, edition="public")
    assert "shareable edition" not in report.render(made, format)


def test_few_values_held_by_many_are_told(sample: ModuleType) -> None:
    made = sample.rich_report(columns=(sample.column("sex", distinct=2),))
    assert "2 distinct" not in report.render(made, "md", edition="public")
    assert "| sex | none | plain data | 2 | 0 |" in report.render(made, "md", edition="public")


@pytest.mark.parametrize(
    "text",
    [
        "age → bands of 5, under 10 as one, 9 and over as one value",
        "zip → first 3 of 5 characters",
        "job → level 1 of 3 of its hierarchy",
        'job → values held by fewer than 8 records merged into "other"',
        "all 500 people share them with fewer than 5 people in the table",
        "500 records in classes below 5 left out",
        "picked with better odds than 1 in 5 (spoken of as 0.2)",
        "1 in 5 is the limit taken here",
        "some class holds one value only; with l = 1 no c says anything",
    ],
)
def test_constants_stay(text: str) -> None:
    assert words.Numbers(10_000, "public", k=5).text(text) == text


@pytest.mark.parametrize("n", range(1, 11))
@pytest.mark.parametrize("k", [3, 5, 10, 15])
@pytest.mark.parametrize(
    "text",
    [
        "{n} of 10,000 people share them",
        "smallest class {n} → {n}",
        "the smallest class holds {n}.",
        "at worst with 1 in {n}.",
        "1 in {n} of them",
        "fewer than {k}: {n}",
        "records sharing with fewer than {k}: {n} → {n}",
        "fewer than {k}{n} people",
        "{n} records in classes",
        "bands of people: {n}",
        "{n} cells hold it, {n} records below k",
    ],
)
def test_counts_beside_constants_are_withheld(text: str, n: int, k: int) -> None:
    told = words.Numbers(10_000, "public", k=k)
    shown = {told.text(text.format(n=m, k=k)) for m in ((n, 11 - n) if "{k}{n}" not in text else (n,))}
    assert len(shown) == 1, shown
