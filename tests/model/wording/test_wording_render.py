"""Facts become sentences by the type of their values; the public edition withholds small counts of data."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privaudit.model.stats import Estimate, exact
from privaudit.model.wording import (
    Columns,
    Count,
    Duration,
    EntityType,
    Fact,
    Listing,
    Name,
    Number,
    Share,
    Term,
    Threshold,
    Value,
    fact,
)
from privaudit.model.wording.render import FULL, Wording
from privaudit.model.wording.rounding import rounded

TOTAL = 10_000
PUBLIC = Wording(n_rows=TOTAL, edition="public")


@pytest.mark.parametrize(
    ("n", "total", "expected"),
    [
        (412, 10_000, "412 of 10,000 people (4.1 %)"),
        (1, 1, "1 of 1 person (100 %)"),
        (0, 10, "0 of 10 people"),
        (12, 12, "all 12 people"),
        (9_999, 10_000, "9,999 of 10,000 people (> 99.9 %)"),
    ],
)
def test_a_count_has_its_total_and_share(n: int, total: int, expected: str) -> None:
    assert FULL.value(Count(n=n, of=total, unit="person")) == expected


@given(st.integers(1, 10), st.integers(21, 10**6))
@settings(max_examples=60)
def test_small_counts_and_their_complements_read_the_same(n: int, total: int) -> None:
    public = Wording(n_rows=total, edition="public")
    for k in range(1, 11):
        assert public.people(n, total) == public.people(k, total)
        assert public.people(total - n, total) == public.people(total - k, total)
        assert public.share(n / total) == public.share(k / total)
        assert public.share((total - n) / total) == public.share((total - k) / total)


@given(st.integers(0, 10**6), st.integers(1, 10**6))
def test_the_full_edition_withholds_nothing(n: int, more: int) -> None:
    assert FULL.count(n, n + more) == f"{n:,}"


def test_counts_of_11_and_more_are_rounded_in_the_public_edition() -> None:
    shown = [PUBLIC.count(n, 1_000) for n in (0, 11, 29, 30, 412, 989, 990, 1_000)]
    assert shown == ["0", "about 20", "about 20", "about 40", "about 420", "about 980", ">989", "1,000"]
    assert PUBLIC.people(412, 1_000) == "about 420 of 1,000 people (42 %)"


@given(st.integers(33, 5_000))
@settings(max_examples=80)
def test_every_range_of_rounded_counts_holds_at_least_eleven_counts(total: int) -> None:
    ranges = {(found.low, found.high) for n in range(total + 1) if (found := rounded(n, total))}
    covered = sorted(n for low, high in ranges for n in range(low, (high or 0) + 1))
    assert covered == list(range(total + 1))
    assert all(high is not None and high - low >= 10 for low, high in ranges)
    for n in range(total + 1):
        found = rounded(n, total)
        assert found is not None and rounded(found.representative, total) == found


@given(st.integers(0, 32), st.integers(0, 32))
def test_counts_of_so_few_are_not_shown(n: int, total: int) -> None:
    shown = Wording(n_rows=total, edition="public").count(min(n, total), total)
    assert n == 0 or n >= total or shown == "(not shown)"


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("{people} are unique.", "All 12 people are unique."),
        ("k is required. {people} are unique.", "k is required. All 12 people are unique."),
        ("In a {people} sample", "In a all 12 people sample"),
        ("{column} is unique.", "born_on is unique."),
        ("{type} occur.", "E-mail addresses occur."),
    ],
)
def test_a_sentence_that_begins_with_a_value_begins_with_a_capital(sentence: str, expected: str) -> None:
    values: dict[str, Value] = {
        "people": Count(n=12, of=12, unit="person"),
        "column": Name(text="born_on"),
        "type": EntityType(code="EMAIL"),
    }
    assert FULL.fill(sentence, values, capital=True) == expected


@pytest.mark.parametrize(
    ("value", "form"),
    [
        (Threshold(value=5), ""),
        (Threshold(value=0.05), "percent"),
        (Threshold(value=5), "one_in"),
        (Columns(names=("a5", "b")), ""),
        (Columns(names=("a", "b")), "n"),
        (Name(text="level 3"), ""),
        (Duration(seconds=5), ""),
        (EntityType(code="EMAIL"), "plural"),
        (Term(code="word"), ""),
    ],
)
def test_what_does_not_come_from_the_data_is_never_withheld(value: Value, form: str) -> None:
    assert PUBLIC.value(value, form) == FULL.value(value, form)


def _counts(n: int) -> dict[str, tuple[Value, tuple[str, ...]]]:
    share = n / TOTAL
    return {
        "count": (Count(n=n, unit="cell"), ("", "n", "is|are")),
        "count with total": (Count(n=n, of=TOTAL, unit="person"), ("", "n", "of", "share", "is|are")),
        "complement": (Count(n=TOTAL - n, of=TOTAL, unit="person"), ("", "n", "of", "share", "is|are")),
        "share of rows": (Share(value=share), ("",)),
        "share": (Share(value=share, of=TOTAL), ("",)),
        "estimate": (exact(n / TOTAL, TOTAL), ("", "value")),
        "listing": (Listing(items=(Count(n=n, unit="value"), Count(n=12, unit="value"))), ("",)),
        "fact": (fact("report.sample_uniques", people=Count(n=n, of=TOTAL)), ("",)),
    }  # fmt: skip


@pytest.mark.parametrize("kind", list(_counts(1)))
def test_no_form_of_a_count_of_1_to_10_shows_a_digit_of_it(kind: str) -> None:
    forms = _counts(1)[kind][1]
    for form in forms:
        texts = {PUBLIC.value(_counts(n)[kind][0], form) for n in range(1, 11)}
        assert len(texts) == 1, f"{kind}:{form} differs: {texts}"


@given(st.floats(0.0001, 0.0009), st.floats(0.0001, 0.0009))
def test_an_estimate_of_a_small_count_is_bounded(low: float, high: float) -> None:
    low, high = sorted((low, high))
    shown = PUBLIC.value(Estimate(value=low, low=low, high=high, level=0.95, n=TOTAL, method="wilson"))
    assert not re.search(r"0\.0\d", shown)


@pytest.mark.parametrize(
    ("sentence", "values", "expected"),
    [
        ("{n} {n:is|are} open.", {"n": Number(value=1)}, "1 is open."),
        ("{n} {n:is|are} open.", {"n": Number(value=2)}, "2 are open."),
        ("a {more?} b", {}, "a b"),
        ("a {more?} b", {"more": Name(text="x")}, "a x b"),
        ("{columns} match", {"columns": Columns(names=("a", "b"))}, '"a" and "b" match'),
        ("{missing} rows", {}, "– rows"),
    ],
)
def test_placeholders_are_filled_by_form(sentence: str, values: dict[str, Value], expected: str) -> None:
    assert FULL.fill(sentence, values) == expected


@pytest.mark.parametrize("sentence", ["{n", "}", "{n!r}", "{n:>99999999}", "{n:x}"])
def test_a_foreign_sentence_cannot_do_more_than_fill(sentence: str) -> None:
    with pytest.raises(ValueError, match=r"expected '}'|Single '}'|no conversion|no form"):
        FULL.fill(sentence, {"n": Number(value=3)})


@pytest.mark.parametrize("sentence", ["{n.value}", "{n[0]}"])
def test_a_foreign_sentence_reads_no_part_of_a_value(sentence: str) -> None:
    assert FULL.fill(sentence, {"n": Number(value=3)}) == "–"


def test_a_value_must_be_typed() -> None:
    with pytest.raises(TypeError, match="must be typed"):
        fact("report.within", policy="public")  # type: ignore[arg-type]


def test_a_finding_reads_by_the_message_of_its_check() -> None:
    from privaudit.model.wording.catalogue import check_messages

    for code in check_messages():
        assert str(Fact(code=code)) != code


def test_a_number_that_is_withheld_reads_as_withheld_and_not_as_a_noun() -> None:
    withheld = Name(text="some values")
    assert PUBLIC.value(withheld, "n") == "withheld"
    assert PUBLIC.value(withheld) == "some values"
