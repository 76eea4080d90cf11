"""Groups of categories: a tree that follows from the counts alone, in which no rare value has a name."""

from __future__ import annotations

from itertools import combinations
from math import log2

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privaudit.advice.technique import recode
from privaudit.advice.technique.texts import MOST_NAMED, SEPARATOR
from tests.helpers.columns import column

COUNTS = st.lists(st.integers(1, 30), min_size=1, max_size=12)
LETTERS = [chr(ord("a") + i) for i in range(26)]
RANGES = [f"{5 * i}-{5 * i + 4} years" for i in range(26)]


def written(values, counts, below, rare=1):
    """Return the new text of each value."""
    made = recode("group_values", column(values, counts), {"below": below, "rare": rare})
    return dict(zip(values, made.labels().take(made.lookup[:-1]).to_pylist(), strict=True))


def groups(values, counts, below, rare=1):
    """Return the values with the same text, and the records of each text."""
    found = {}
    for value, text in written(values, counts, below, rare).items():
        found.setdefault(text, set()).add(value)
    held = dict(zip(values, counts, strict=True))
    return {frozenset(members): sum(held[value] for value in members) for members in found.values()}


@pytest.mark.parametrize("names", [LETTERS, RANGES])
@settings(max_examples=60, deadline=None)
@given(counts=COUNTS, below=st.integers(2, 40), more=st.integers(0, 60), rare=st.integers(1, 8))
def test_groups_have_enough_records_and_are_unions_of_groups_for_fewer(names, counts, below, more, rare):
    values = names[: len(counts)]
    fine, coarse = groups(values, counts, below, rare), groups(values, counts, below + more, rare)
    assert len(fine) == 1 or min(fine.values()) >= below
    assert all(any(part <= whole for whole in coarse) for part in fine)


@settings(max_examples=60, deadline=None)
@given(counts=COUNTS, below=st.integers(2, 40))
def test_each_merge_is_the_one_that_loses_fewest_bits(counts, below):
    def bits(*parts):
        return sum(n * log2(sum(parts) / n) for n in parts)

    values = LETTERS[: len(counts)]
    left = list(counts)
    while len(left) > 1 and min(left) < below:
        a, b = min(combinations(range(len(left)), 2), key=lambda pair: bits(*(left[i] for i in pair)))
        left = [n for i, n in enumerate(left) if i not in (a, b)] + [left[a] + left[b]]
    assert sorted(groups(values, counts, below).values()) == sorted(left)


@settings(max_examples=60, deadline=None)
@given(counts=COUNTS, below=st.integers(2, 40))
def test_groups_of_ordered_values_are_intervals(counts, below):
    values = RANGES[: len(counts)]
    for members in groups(values, counts, below):
        at = sorted(values.index(value) for value in members)
        assert at == list(range(at[0], at[-1] + 1))


def test_values_that_begin_with_a_number_are_in_the_order_of_the_numbers():
    values = ["<1 year", "1-4 years", "5-9 years", "10+ years"]
    assert written(values, [5, 5, 5, 5], 10)["10+ years"] == SEPARATOR.join(["5-9 years", "10+ years"])
    assert written([">50K", "<=50K", "$1,000"], [5, 9, 9], 6)[">50K"] == SEPARATOR.join(["<=50K", ">50K"])


@settings(max_examples=60, deadline=None)
@given(counts=COUNTS, below=st.integers(2, 40), rare=st.integers(1, 20))
def test_no_value_with_too_few_records_is_named(counts, below, rare):
    values = [f"{letter}{letter}" for letter in LETTERS[: len(counts)]]
    texts = written(values, counts, below, rare)
    for value, held in zip(values, counts, strict=True):
        named = any(value in text.split(SEPARATOR) for text in texts.values())
        assert not named or held >= rare
    assert sum("other" in text.split(SEPARATOR) for text in set(texts.values())) <= 1


def test_a_group_of_many_values_names_the_most_frequent_and_counts_the_others():
    counts = list(range(1, 13))
    text = written(LETTERS[:12], counts, 1000)["a"]
    assert text == SEPARATOR.join([*LETTERS[12 - MOST_NAMED : 12], f"{12 - MOST_NAMED} more"])


@settings(max_examples=40, deadline=None)
@given(counts=COUNTS, below=st.integers(2, 40), rare=st.integers(1, 8), seed=st.integers(0, 99))
def test_the_order_of_the_values_does_not_matter(counts, below, rare, seed):
    values = LETTERS[: len(counts)]
    order = np.random.default_rng(seed).permutation(len(values))
    shuffled = written([values[i] for i in order], [counts[i] for i in order], below, rare)
    assert shuffled == written(values, counts, below, rare)
