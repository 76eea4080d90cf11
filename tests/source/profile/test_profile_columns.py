"""Statistics of a column against counting by hand, in any order of rows."""

from __future__ import annotations

import math
import random
from collections import Counter

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privaudit.source import from_arrow
from privaudit.source.profile import profile
from privaudit.source.profile.columns import entropy_bits

CELL = st.one_of(
    st.none(),
    st.sampled_from(["1", "2", "02", "a b", " a  b ", "*", "NA", "2020-01-31", "20-30", "é", "1.5", "yes", "no"]),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=4),
)


def of(cells, **kinds):
    table = pa.table({"x": pa.array(cells, pa.string())})
    with from_arrow(table, declared={0: kinds["declared"]} if kinds else None) as dataset:
        (found,) = profile(dataset)
    return found


@settings(max_examples=200, deadline=None)
@given(cells=st.lists(CELL, min_size=1, max_size=40), seed=st.integers(0, 9))
def test_counts_equal_counting_by_hand(cells, seed):
    found = of(cells)
    # White space as Arrow sees it; Python also strips the separators U+001C to U+001F, which Arrow agrees on.
    present = [cell for cell in cells if cell is not None and cell.strip()]
    counts = Counter(present)
    assert found.n_rows == len(cells)
    assert found.n_missing == len(cells) - len(present)
    assert found.n_distinct == len(counts)
    assert found.n_held_once == sum(n == 1 for n in counts.values())
    assert found.constant == (len(counts) + (len(present) < len(cells)) == 1)
    if not present:
        assert (found.data_type, found.uniqueness, found.entropy_bits) == ("empty", None, None)
        return
    assert found.uniqueness == len(counts) / len(present)
    shares = [n / len(present) for n in counts.values()]
    assert found.entropy_bits == pytest.approx(-sum(p * math.log2(p) for p in shares), abs=6e-4)
    assert 0 <= found.entropy_bits <= math.log2(len(counts)) + 6e-4
    lengths = [len(cell) for cell in present]
    ordered = sorted(lengths)
    if ordered[0] == ordered[-1]:
        assert (found.length_min, found.length_max) == (ordered[0], ordered[0])
    elif len(ordered) < 11:
        assert (found.length_min, found.length_max) == (None, None)
    else:
        assert (found.length_min, found.length_max) == (ordered[10], ordered[-11])
    assert found.length_mean == pytest.approx(sum(lengths) / len(lengths), abs=0.06)
    shuffled = list(cells)
    random.Random(seed).shuffle(shuffled)
    assert of(shuffled) == found


def test_words_are_counted_in_cells():
    assert of(["a b c", "a b c", "one", None]).words_mean == 2.3


@given(counts=st.lists(st.integers(1, 10**9), min_size=1, max_size=50), seed=st.integers(0, 99))
def test_entropy_does_not_depend_on_order(counts, seed):
    shuffled = list(counts)
    random.Random(seed).shuffle(shuffled)
    assert entropy_bits(np.array(counts)) == entropy_bits(np.array(shuffled))


def test_entropy_of_equal_counts_is_the_logarithm():
    assert entropy_bits(np.full(8, 3)) == 3.0
    assert entropy_bits(np.array([5])) == 0.0


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        (["1", "-2", "300"], "integer"),
        (["1,234", "1,234,567"], "integer"),
        (["02139", "10001", "90210"], "text"),
        (["1.5", "2", "-.5", "1e3"], "decimal"),
        (["1,5", "2,75"], "decimal"),
        (["$1,200.50", "$3.00"], "decimal"),
        (["0", "1", "0"], "boolean"),
        (["1", "1"], "integer"),
        (["Yes", "no"], "boolean"),
        (["TRUE"], "boolean"),
        (["Y", "N"], "boolean"),
        (["M", "F"], "text"),
        (["1", "2"], "integer"),
        (["2020-01-31", "2021-12-01"], "date"),
        (["14/11/13 01:12", "11/09/15 02:32"], "timestamp"),
        (["20200131", "19991201"], "date"),
        (["20200131", "19991301"], "integer"),
        (["33244956", "18217201"], "integer"),
        (["12:05", "23:59:59"], "time"),
        (["3 May 2020", "14 Jun 1999"], "date"),
        (["2020-03", "2020-04"], "date"),
        (["a", "b"], "text"),
        (["*", "**"], "text"),
        (["12", "*", "40", "suppressed"], "integer"),
        ([None, "", " "], "empty"),
        (["2020"], "integer"),
        (["254-0722-123456"], "text"),
        (["+254722123456", "+254733123456"], "text"),
        (["+25", "-3"], "integer"),
    ],
)
def test_kinds(cells, kind):
    assert of(cells).data_type == kind


def test_a_kind_bears_one_misprint_in_a_hundred_and_not_two():
    numbers = [str(i) for i in range(2, 101)]
    assert of([*numbers, "oops"]).data_type == "integer"
    assert of([*numbers[1:], "oops", "again"]).data_type == "text"


def test_one_leading_zero_makes_codes_of_a_column():
    assert of([*(str(i) for i in range(10_000, 10_500)), "02139"]).data_type == "text"


def test_declared_kinds_decide_what_text_cannot_say():
    assert of(["1", "2", "40"], declared="decimal").data_type == "decimal"
    assert of(["0", "1"], declared="integer").data_type == "boolean"
    assert of(["ff", "0a"], declared="binary").data_type == "binary"
    assert of(["[1]", "[2]"], declared="nested").data_type == "nested"


@pytest.mark.parametrize(
    ("cells", "counter"),
    [
        ([str(i) for i in range(1, 50)], True),
        ([str(i) for i in range(3)], True),
        (["40", "41", "42"], False),
        ([str(i) for i in range(500, 520)], True),
        ([f"{i}.0" for i in range(1, 20)], True),
        ([str(i) for i in range(1, 50) if i != 7], False),
        ([*(str(i) for i in range(1, 50)), None], False),
        (["1", "2", "2", "3"], False),
        ([str(i * i) for i in range(20)], False),
    ],
)
def test_row_numbers_are_known_without_the_order_of_rows(cells, counter):
    shuffled = list(cells)
    random.Random(1).shuffle(shuffled)
    assert of(cells).monotonic == of(shuffled).monotonic == counter


@pytest.mark.parametrize(
    ("cells", "n", "shape"),
    [
        (["*", "*", "Ann"], 2, None),
        (["NA", "N/A", "Suppressed", " REDACTED ", "x"], 4, None),
        (["<11", "<11", "40", "120"], 2, None),
        (["<20", "20-29", "30-39", "40+"], 0, "band"),
        (["[20-30)", "[30-40)"], 0, "interval"),
        (["[50, 55[", "[55, 60["], 0, "interval"),
        (["(20,30]", "(30,40]"], 0, "interval"),
        (["20-30", "30-40", "70+", "*"], 1, "band"),
        (["<=50K", ">50K"], 0, "band"),
        (["under 18", "65 and over", "18 to 64"], 0, "band"),
        (["3****", "4767*", "476**"], 0, "prefix"),
        (["30-20", "9-1"], 0, None),
        (["28-01100", "30-00600"], 0, None),
        (["12-34-56", "45-67-89"], 0, None),
        (["Female", "Male"], 0, None),
        (["2020-01-31"], 0, None),
    ],
)
def test_what_was_removed_or_blurred_is_seen(cells, n, shape):
    found = of(cells)
    assert (found.n_suppressed, found.generalised) == (n, shape)


def test_decimals_of_what_could_be_degrees():
    assert of(["36.8219", "-1.29"]).geo_decimals == 4
    assert of(["360.25"]).geo_decimals is None
    assert of(["36", "1"]).geo_decimals is None
