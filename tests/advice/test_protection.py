"""Which classes a policy does not allow, compared with a loop over the records of each class."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from itertools import combinations
from math import exp, log
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from privaudit.advice.technique.protection import FEW_VALUES, Attribute, Labels, Protection, attributes, up_to
from privaudit.risk.codes.people import People
from tests.helpers.coded import coded_of

ROWS = 6
records = st.lists(st.tuples(st.integers(0, ROWS - 1), st.integers(0, 3), st.integers(0, 4)), min_size=1, max_size=30)
"""For each record its row of the trial table, its sensitive value and its person."""
maps = st.lists(st.integers(0, 2), min_size=ROWS, max_size=ROWS)
"""The class of each row."""


def ints(values: Any) -> Labels:
    return np.array(list(values), dtype=np.int64)


def attribute(found: list[tuple[int, int, int]]) -> Attribute:
    counted = sorted(Counter((row, value) for row, value, _ in found).items())
    return Attribute(
        "illness", ints(r for (r, _), _ in counted), ints(v for (_, v), _ in counted), ints(n for _, n in counted)
    )


def people(found: list[tuple[int, int, int]]) -> People:
    counted = sorted(Counter((person, row) for row, _, person in found).items())
    return People(
        ints(r for (_, r), _ in counted),
        ints(p for (p, _), _ in counted),
        ints(n for _, n in counted),
        len({person for *_, person in found}),
        column="who",
    )


def members(labels: list[int]) -> tuple[Labels, int]:
    """Return the class of each row, numbered without gaps, and the number of classes."""
    names = {label: i for i, label in enumerate(sorted(set(labels)))}
    return ints(names[label] for label in labels), len(names)


def by_class(found: list[tuple[int, int, int]], labels: Labels, n: int) -> list[list[tuple[int, int, int]]]:
    return [[one for one in found if labels[one[0]] == here] for here in range(n)]


def sizes_of(found: list[tuple[int, int, int]], labels: Labels, n: int) -> Labels:
    return ints(map(len, by_class(found, labels, n)))


def failing(protection: Protection, found: list[tuple[int, int, int]], labels: list[int]) -> list[bool]:
    at, n = members(labels)
    return protection.failing(sizes_of(found, at, n), at).tolist()


@given(records, maps, st.integers(1, 6), st.integers(1, 5))
def test_classes_of_few_records_or_few_values_fail(
    found: list[tuple[int, int, int]], labels: list[int], k: int, least: int
) -> None:
    at, n = members(labels)
    capped = min(least, len({value for _, value, _ in found}))
    expected = [len(one) < k or len({value for _, value, _ in one}) < capped for one in by_class(found, at, n)]
    assert failing(Protection(k, [attribute(found)], l=least), found, labels) == expected


@given(records, maps, st.integers(1, 4))
def test_people_are_counted_where_they_are_known(found: list[tuple[int, int, int]], labels: list[int], k: int) -> None:
    at, n = members(labels)
    expected = [len({person for *_, person in one}) < k for one in by_class(found, at, n)]
    assert failing(Protection(k, people=people(found)), found, labels) == expected
    both = Protection(k, [attribute(found)], l=2, people=people(found))
    values = min(2, len({value for _, value, _ in found}))
    alike = [len({value for _, value, _ in one}) < values for one in by_class(found, at, n)]
    assert failing(both, found, labels) == [a or b for a, b in zip(expected, alike, strict=True)]


@given(records, maps, st.lists(st.integers(0, 5), min_size=ROWS, max_size=ROWS), st.integers(1, 9))
def test_people_of_the_population_are_counted_by_class(
    found: list[tuple[int, int, int]], labels: list[int], outside: list[int], k_map: int
) -> None:
    at, n = members(labels)
    expected = [sum(m for m, here in zip(outside, at, strict=True) if here == c) < k_map for c in range(n)]
    protection = Protection(1, k_map=k_map, population=ints(outside))
    small = sizes_of(found, at, n) < 1
    assert failing(protection, found, labels) == [bool(s) or e for s, e in zip(small, expected, strict=True)]


@given(records, records, maps, st.integers(1, 4))
def test_a_person_with_several_rows_of_the_population_counts_once(
    found: list[tuple[int, int, int]], outside: list[tuple[int, int, int]], labels: list[int], k_map: int
) -> None:
    at, n = members(labels)
    small = sizes_of(found, at, n) < 1
    expected = [
        bool(small[c]) or len({person for *_, person in one}) < k_map for c, one in enumerate(by_class(outside, at, n))
    ]
    rows = ints(sum(row == i for row, *_ in outside) for i in range(ROWS))
    protection = Protection(1, k_map=k_map, population=rows, persons=people(outside))
    assert failing(protection, found, labels) == expected


@given(records, maps, st.floats(1, 4))
def test_the_entropy_of_a_class_has_a_least(found: list[tuple[int, int, int]], labels: list[int], least: float) -> None:
    at, n = members(labels)
    wanted = min(least, len({value for _, value, _ in found}))
    expected = []
    for one in by_class(found, at, n):
        shares = [m / len(one) for m in Counter(value for _, value, _ in one).values()]
        expected.append(not one or exp(-sum(s * log(s) for s in shares)) < wanted - 1e-6)
    near = [
        abs(exp(-sum(m / len(one) * log(m / len(one)) for m in Counter(v for _, v, _ in one).values())) - wanted) < 1e-6
        for one in by_class(found, at, n)
        if one
    ]
    assume(not any(near))
    assert failing(Protection(1, [attribute(found)], l_entropy=least), found, labels) == expected


@given(records, maps, st.sampled_from([0.5, 1.0, 2.0, 3.0]), st.integers(1, 4))
def test_the_most_frequent_value_is_outweighed_by_the_rare_ones(
    found: list[tuple[int, int, int]], labels: list[int], c: float, wanted: int
) -> None:
    at, n = members(labels)
    values = min(wanted, len({value for _, value, _ in found}))
    expected = []
    for one in by_class(found, at, n):
        counts = sorted(Counter(value for _, value, _ in one).values(), reverse=True)
        violated = values > 1 and (not counts or counts[0] >= c * sum(counts[values - 1 :]))
        expected.append(not one or violated)
    assert failing(Protection(1, [attribute(found)], recursive=(c, wanted)), found, labels) == expected


def too_far(one: list[tuple[int, int, int]], others: list[tuple[int, int, int]], t: float) -> bool:
    here, whole = Counter(v for _, v, _ in one), Counter(v for _, v, _ in others)
    distance = sum(max(0.0, here[v] / len(one) - whole[v] / len(others)) for v in here)
    return distance > t + 1e-7


@given(records, maps, st.integers(1, 4), st.sampled_from([0.11, 0.23, 0.37, 0.61]))
def test_classes_that_are_far_from_the_table_fail(
    found: list[tuple[int, int, int]], labels: list[int], k: int, t: float
) -> None:
    at, n = members(labels)
    classes = by_class(found, at, n)
    expected = [len(one) < k or too_far(one, found, t) for one in classes]
    protection = Protection(k, [attribute(found)], t=t, t_reference="table")
    assert failing(protection, found, labels) == expected


@settings(max_examples=300)
@given(records, maps, st.integers(2, 12), st.sampled_from([0.11, 0.23, 0.37, 0.61]))
def test_the_distance_to_what_is_kept_is_compared_until_no_further_class_fails(
    found: list[tuple[int, int, int]], labels: list[int], k: int, t: float
) -> None:
    at, n = members(labels)
    classes = by_class(found, at, n)
    out = [len(one) < k for one in classes]
    while True:
        kept = [record for one, gone in zip(classes, out, strict=True) if not gone for record in one]
        further = [gone or too_far(one, kept, t) for one, gone in zip(classes, out, strict=True)]
        if further == out:
            break
        out = further
    assert failing(Protection(k, [attribute(found)], t=t), found, labels) == out


def test_a_class_fails_because_of_a_class_that_failed_before_it() -> None:
    """Without the first class, the value that it shares with the second one is rarer in what is kept."""
    found = [(0, 0, 0), (1, 0, 0), (1, 3, 0), (2, 0, 0), (2, 2, 0), (2, 2, 0)]
    for reference, fails in (("kept", [True, True, False]), ("table", [True, False, False])):
        protection = Protection(1, [attribute(found)], t=0.37, t_reference=reference)  # type: ignore[arg-type]
        assert failing(protection, found, [0, 1, 2, 2, 2, 2]) == fails


REQUIREMENTS: list[dict[str, Any]] = [
    {"l": 2}, {"l": 3}, {"l_entropy": 1.5}, {"recursive": (1.0, 2)}, {"recursive": (2.0, 3)}, {"recursive": (3.0, 2)},
    {"t": 0.23, "t_reference": "table"},
]  # fmt: skip


@settings(max_examples=200)
@given(records, maps, st.sampled_from(list(combinations(REQUIREMENTS, 2))))
def test_of_two_requirements_a_class_must_meet_both(
    found: list[tuple[int, int, int]], labels: list[int], two: tuple[dict[str, Any], dict[str, Any]]
) -> None:
    assume(not two[0].keys() & two[1].keys())
    one, other = (failing(Protection(2, [attribute(found)], **each), found, labels) for each in two)
    both = failing(Protection(2, [attribute(found)], **two[0], **two[1]), found, labels)
    assert both == [a or b for a, b in zip(one, other, strict=True)]


@given(records, maps, st.lists(st.booleans(), min_size=3, max_size=3), st.sampled_from(REQUIREMENTS))
def test_some_classes_fail_as_they_do_among_all(
    found: list[tuple[int, int, int]], labels: list[int], chosen: list[bool], required: dict[str, Any]
) -> None:
    at, n = members(labels)
    among, sizes = np.array(chosen[:n]), sizes_of(found, at, n)
    protection = Protection(2, [attribute(found)], people=people(found), **required)
    some, every = protection.failing(sizes, at, among), protection.failing(sizes, at)
    assert some[among].tolist() == every[among].tolist()


def test_a_class_of_too_few_values_fails_although_none_of_them_is_too_frequent() -> None:
    found = [(0, 0, 0), (0, 1, 1), (1, 0, 2), (1, 1, 3), (1, 2, 4)]
    protection = Protection(1, [attribute(found)], l=3, recursive=(3.0, 2))
    assert failing(protection, found, [0, 1, 1, 1, 1, 1]) == [True, False]


def test_a_class_with_exactly_the_least_entropy_stays() -> None:
    """Two values, each as often as the other: exp of the entropy is 2."""
    found = [(0, 0, 0), (0, 1, 1), (1, 0, 2), (1, 0, 3), (1, 1, 4)]
    assert failing(Protection(1, [attribute(found)], l_entropy=2.0), found, [0, 1, 1, 1, 1, 1]) == [False, True]


def test_a_class_as_far_from_the_table_as_allowed_stays() -> None:
    """The distance is exactly t: two of four records in each class, and one value that only one of them has."""
    found = [(0, 0, 0), (0, 1, 1), (1, 0, 2), (1, 0, 3)]
    for t, fails in ((0.25, False), (0.2499, True)):
        protection = Protection(1, [attribute(found)], t=t, t_reference="table")
        assert failing(protection, found, [0, 1, 1, 1, 1, 1]) == [fails, fails]


@given(records, maps, maps, st.integers(1, 4), st.integers(1, 4))
def test_a_class_of_a_coarser_table_fails_only_if_all_of_its_parts_do(
    found: list[tuple[int, int, int]], fine: list[int], joined: list[int], k: int, least: int
) -> None:
    """What `is_monotone` promises: the classes of the coarser labels contain those of the finer ones."""
    protection = Protection(k, [attribute(found)], l=least, people=people(found))
    assert protection.is_monotone and protection.monotone_part is protection
    coarse = [joined[label] for label in fine]
    at, _ = members(fine)
    above, _ = members(coarse)
    below = failing(protection, found, fine)
    for whole, fails in enumerate(failing(protection, found, coarse)):
        parts = [below[at[row]] for row in range(ROWS) if above[row] == whole]
        assert not fails or all(parts)


@pytest.mark.parametrize("more", [{"t": 0.2}, {"l_entropy": 2.0}, {"recursive": (2.0, 2)}])
def test_what_is_not_monotone_has_a_part_that_is(more: dict[str, Any]) -> None:
    one = attribute([(0, 0, 0), (0, 1, 1), (1, 1, 2)])
    outside = ints([3, 0])
    who = people([(0, 0, 0), (1, 0, 1)])
    whole = Protection(2, [one], l=3, people=who, k_map=2, population=outside, persons=who, **more)
    part = whole.monotone_part
    assert not whole.is_monotone and part.is_monotone
    assert (part.k, part.l, part.k_map, part.people, part.persons) == (2, 3, 2, who, who)
    assert part.population is outside and part.attributes == (one,)
    assert (part.t, part.l_entropy, part.recursive) == (None, None, None)


@given(records, maps, st.integers(1, 6), st.integers(1, 5), st.none() | st.integers(1, 9))
def test_the_marks_of_the_rows_of_a_class_decide_as_its_records_do(
    found: list[tuple[int, int, int]], labels: list[int], k: int, least: int, k_map: int | None
) -> None:
    two = [attribute(found), attribute([(row, person, 0) for row, _, person in found])]
    outside = ints(range(ROWS))
    protection = Protection(k, two, l=least, k_map=k_map, population=None if k_map is None else outside)
    at, n = members(labels)
    marks, population = np.zeros((n, 2), dtype=np.int64), np.zeros(n, dtype=np.int64)
    np.bitwise_or.at(marks, at, protection.marks(ROWS))
    np.add.at(population, at, outside)
    decided = protection.failing_by_number(sizes_of(found, at, n), np.bitwise_count(marks), population)
    assert decided.tolist() == failing(protection, found, labels)


def test_marks_are_made_where_they_decide_and_of_as_many_values_as_an_integer_has_bits() -> None:
    found = [(0, 0, 0), (1, 62, 0)]
    marks = Protection(2, [attribute(found)], l=2).marks(3)
    assert marks is not None and marks.tolist() == [[1], [1 << 62], [0]]
    assert Protection(2, [attribute([(1, 63, 0)])], l=2).marks(3) is None
    assert Protection(2, l=2).marks(3) is None
    for more in ({"people": people(found)}, {"persons": people(found)}, {"t": 0.5}, {"l_entropy": 2.0}):
        assert Protection(2, [attribute(found)], **{"l": 2, **more}).marks(3) is None


def test_classes_of_k_records_are_all_that_some_policies_require() -> None:
    one = attribute([(0, 0, 0)])
    assert Protection(3).is_k_alone and Protection(3, [one]).is_k_alone
    assert not Protection(3, [one], l=1).is_k_alone
    assert not Protection(3, people=people([(0, 0, 0)])).is_k_alone
    assert not Protection(3, k_map=2, population=ints([1])).is_k_alone
    assert Protection(3).failing(ints([2, 3, 4]), None).tolist() == [True, False, False]


@settings(max_examples=300)
@given(
    records,
    st.sets(st.integers(0, ROWS - 1), min_size=1),
    st.integers(1, 3),
    st.integers(1, 3),
    st.sampled_from([0.11, 0.23, 0.37, 0.61]),
)
def test_some_rows_have_the_requirements_of_the_whole_table(
    found: list[tuple[int, int, int]], chosen: set[int], k: int, least: int, t: float
) -> None:
    """The classes are the rows themselves: those of a part fail where they fail in the whole table."""
    rows = ints(sorted(chosen))
    outside = ints(range(ROWS))
    protection = Protection(
        k,
        [attribute(found)],
        l=least,
        t=t,
        t_reference="table",
        people=people(found),
        k_map=2,
        population=outside,
        persons=people(found),
    )
    every = np.arange(ROWS)
    sizes = sizes_of(found, every, ROWS)
    part = protection.part(rows)
    assert part.failing(sizes[rows], np.arange(len(rows))).tolist() == protection.failing(sizes, every)[rows].tolist()
    assert part.attributes[0].n_present == protection.attributes[0].n_present
    assert part.attributes[0].by_value.tolist() == protection.attributes[0].by_value.tolist()


@given(records, maps, st.lists(st.booleans(), min_size=3, max_size=3))
def test_an_attribute_over_some_classes_is_that_of_their_records(
    found: list[tuple[int, int, int]], labels: list[int], chosen: list[bool]
) -> None:
    at, n = members(labels)
    among = np.array(chosen[:n])
    one = attribute(found)
    expected: dict[tuple[int, int], int] = defaultdict(int)
    for row, value, _ in found:
        if among[at[row]]:
            expected[int(at[row]), value] += 1
    small = replace(
        one, row=one.row.astype(np.int32), value=one.value.astype(np.int32), count=one.count.astype(np.int32)
    )
    for merged in (
        one.merged(at, among),
        one.merged(at).among(among),
        one.merged(at, among, is_compiled=True),
        small.merged(at, among, is_compiled=True),
    ):
        counted = zip(merged.row.tolist(), merged.value.tolist(), merged.count.tolist(), strict=True)
        assert list(counted) == [(*pair, n) for pair, n in sorted(expected.items())]
        assert merged.by_value.tolist() == one.by_value.tolist()
        assert (merged.name, merged.n_values, merged.n_present) == (one.name, one.n_values, one.n_present)
    rows = replace(one, whole=one.by_value + 1)
    for merged in (rows.merged(at), rows.merged(at, among), rows.merged(at).among(among)):
        assert merged.by_value.tolist() == rows.by_value.tolist()


def test_an_attribute_without_records_stays_without() -> None:
    """A table whose every record was suppressed has no rows of attributes."""
    one = attribute([])
    for made in (one, one.part(ints([0, 1])), one.merged(ints([])), one.merged(ints([]), np.zeros(0, bool))):
        assert len(made.row) == len(made.value) == len(made.count) == 0
        assert (made.n_values, made.n_present, made.by_value.tolist()) == (0, 0, [])
    assert len(up_to(one, ints([])).row) == 0
    (none,) = attributes(("a",), coded_of([(0, 0)]).select(("a", "b")), ("b",), row_of=ints([0]))
    assert none.count.tolist() == [1]


def test_a_part_of_requirements_without_people_has_none() -> None:
    part = Protection(3, [attribute([(0, 0, 0), (1, 1, 1)])], l=2).part(ints([1]))
    assert (part.people, part.persons, part.population, part.k_map) == (None, None, None, None)
    assert part.failing(ints([3]), ints([0])).tolist() == [True]


@pytest.mark.parametrize("apart", [1, FEW_VALUES])
@given(found=records, places=maps)
def test_nested_classes_have_the_records_of_all_rows_up_to_their_place(
    found: list[tuple[int, int, int]], places: list[int], apart: int
) -> None:
    """Of few values those without records are counted, too; of many, only those with records."""
    expected: dict[tuple[int, int], int] = defaultdict(int)
    for last in range(max(places) + 1):
        for row, value, _ in found:
            if places[row] <= last:
                expected[last, value * apart] += 1
    one = attribute([(row, value * apart, person) for row, value, person in found])
    nested = up_to(one, ints(places))
    triples = list(zip(nested.row.tolist(), nested.value.tolist(), nested.count.tolist(), strict=True))
    assert triples == [(*pair, n) for pair, n in sorted(expected.items())]
    assert nested.name == one.name and nested.by_value.tolist() == one.by_value.tolist()
    assert nested.count.dtype == np.int64


@given(records, records, st.integers(1, 5))
def test_no_more_classes_have_so_many_values_than_the_bound(
    found: list[tuple[int, int, int]], others: list[tuple[int, int, int]], least: int
) -> None:
    """m classes of l values exist where each value gives at most one record to each: sum of min(n_v, m) >= l m."""
    bounds = []
    for name, records_of in (("first", found), ("second", others)):
        counts = sorted(Counter(value for _, value, _ in records_of).values())
        wanted = min(least, len(counts))
        if wanted > 1:
            bounds.append((sum(counts[: len(counts) - wanted + 1]), name))
            possible = [m for m in range(1, 31) if sum(min(n, m) for n in counts) >= wanted * m]
            assert max(possible) <= bounds[-1][0]
    held = [replace(attribute(found), name="first"), replace(attribute(others), name="second")]
    expected = None if not bounds else min(bounds)[::-1]
    assert Protection(2, held, l=least).most_classes == expected
    assert Protection(2, held, t=0.5).most_classes is None


full_rows = st.lists(st.tuples(*[st.integers(0, 2)] * 4), min_size=1, max_size=20)


@given(full_rows, st.data())
def test_attributes_are_counted_by_distinct_row_over_the_quasi_identifiers(
    found: list[tuple[int, ...]], data: st.DataObject
) -> None:
    """Columns a and b are the quasi-identifiers, c and d sensitive; c is recoded."""
    recoding = np.array(data.draw(st.lists(st.integers(0, 1), min_size=4, max_size=4)), dtype=np.int32)
    weights = data.draw(st.lists(st.integers(1, 5), min_size=len(found), max_size=len(found)))
    coded = coded_of(found, weights)
    rows = {pair: i for i, pair in enumerate(sorted({row[:2] for row in found}))}
    place = ints(data.draw(st.permutations(range(len(rows) + 2)))[: len(rows)])
    for row_of in (None, place):
        made = attributes(("a", "b"), coded, ("c", "d"), {"c": recoding}, row_of)
        assert [one.name for one in made] == ["c", "d"]
        for one, at in zip(made, (2, 3), strict=True):
            expected: dict[tuple[int, int], int] = defaultdict(int)
            for row, weight in zip(found, weights, strict=True):
                number = rows[row[:2]]
                value = int(recoding[row[at]]) if at == 2 else row[at]
                expected[int(number if row_of is None else row_of[number]), value] += weight
            counted = zip(one.row.tolist(), one.value.tolist(), one.count.tolist(), strict=True)
            assert {(row, value): count for row, value, count in counted} == expected
            assert one.row.dtype == one.value.dtype == one.count.dtype == np.int32


def test_counts_that_need_64_bits_keep_them() -> None:
    most = int(np.iinfo(np.int32).max)
    for weight, kind in ((most, np.int32), (most + 1, np.int64)):
        (one,) = attributes(("a",), coded_of([(0, 0)], [weight]), ("b",))
        assert one.count.dtype == kind and one.count.tolist() == [weight]


def test_without_a_table_or_names_there_are_no_attributes() -> None:
    assert attributes(("a",), None, ("b",)) == ()
    assert attributes(("a",), coded_of([(0, 0)]), ()) == ()


@pytest.mark.parametrize("given", [{"l": 2}, {"t": 0.5}, {"l_entropy": 2.0}, {"recursive": (1.0, 2)}])
def test_attributes_count_only_where_something_limits_them(given: dict[str, Any]) -> None:
    one = attribute([(0, 0, 0)])
    assert Protection(2, [one], **given).attributes == (one,)
    assert Protection(2, [one]).attributes == ()
    assert Protection(2, [one], people=people([(0, 0, 0)])).held[0].name == "who"


@given(records, maps, maps, st.sampled_from(REQUIREMENTS))
def test_merged_rows_fail_where_their_records_do(
    found: list[tuple[int, int, int]], rows: list[int], labels: list[int], required: dict[str, Any]
) -> None:
    at, n_rows = members(rows)
    of_rows, n = members(labels[:n_rows])
    limits: dict[str, Any] = {"people": people(found), "population": ints(range(ROWS)), "k_map": 2, **required}
    whole = Protection(2, [attribute(found)], persons=people(found), **limits)
    sizes = sizes_of(found, of_rows[at], n)
    merged = whole.merged(at, n_rows)
    assert merged.failing(sizes, of_rows).tolist() == whole.failing(sizes, of_rows[at]).tolist()
    assert merged.population is not None and merged.population.sum() == sum(range(ROWS))


def test_a_part_keeps_every_requirement() -> None:
    rows = [(0, 0, 0), (1, 1, 1), (2, 1, 1), (2, 0, 0)]
    who = people(rows)
    whole = Protection(
        4,
        [attribute(rows)],
        l=2,
        t=0.25,
        people=who,
        l_entropy=1.5,
        recursive=(2.0, 2),
        k_map=3,
        population=ints([7, 8, 9]),
        persons=who,
    )
    part = whole.part(ints([0, 2]))
    assert (part.k, part.l, part.t, part.l_entropy, part.recursive, part.k_map) == (4, 2, 0.25, 1.5, (2.0, 2), 3)
    assert part.t_reference == "table" and part.population is not None and part.population.tolist() == [7, 9]
    for counted in (part.people, part.persons):
        assert counted is not None and counted.column == "who" and counted.n == who.n
        triples = zip(counted.row.tolist(), counted.person.tolist(), counted.records.tolist(), strict=True)
        assert sorted(triples) == [(0, 0, 1), (1, 0, 1), (1, 1, 1)]
    (one,) = part.attributes
    assert one.name == "illness" and one.by_value.tolist() == [2, 2]
    assert sorted(zip(one.row.tolist(), one.value.tolist(), one.count.tolist(), strict=True)) == [
        (0, 0, 1),
        (1, 0, 1),
        (1, 1, 1),
    ]
