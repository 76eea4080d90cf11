"""Diversity in people, by its definition: the fewest values of which everybody in a class has one."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privaudit.risk.codes.coded import class_labels
from privaudit.risk.measures import people_diversity
from privaudit.risk.measures.diversity import diversity
from privaudit.risk.measures.people_diversity import diversity_of_people, hitting_number
from tests.helpers.coded import coded_people

rows = st.lists(
    st.tuples(
        st.one_of(st.none(), st.sampled_from([f"p{i}" for i in range(8)])),
        st.sampled_from(["x", "y"]),
        st.one_of(st.none(), st.sampled_from(["a", "b", "c", "d", "e"])),
    ),
    min_size=1,
    max_size=40,
)
value_sets = st.lists(st.frozensets(st.integers(0, 6), min_size=1, max_size=4), min_size=1, max_size=8)


def measured(table):
    coded = coded_people(("who", "q", "s"), table, "who")
    labels, _ = class_labels(coded, ["q"])
    return diversity_of_people(coded, labels, "s")


def classes_of(table):
    """For each class the set of values of each person."""
    found = defaultdict(lambda: defaultdict(set))
    for i, (who, q, s) in enumerate(table):
        found[q][who or f"alone {i}"].add(s)
    return found


def fewest(sets):
    every = sorted(set().union(*sets), key=str)
    for size in range(1, len(every) + 1):
        if any(all(set(chosen) & one for one in sets) for chosen in combinations(every, size)):
            return size
    raise AssertionError


@settings(max_examples=100, deadline=None)
@given(rows)
def test_distinct_l_is_the_fewest_values_of_which_everybody_has_one(table):
    found, classes = measured(table), classes_of(table)
    assert found.l_distinct == min(fewest(list(people.values())) for people in classes.values())


@settings(max_examples=100, deadline=None)
@given(rows)
def test_people_with_a_common_value_are_counted(table):
    found, classes = measured(table), classes_of(table)
    revealing = {q for q, people in classes.items() if set.intersection(*people.values())}
    assert found.homogeneous_classes == len(revealing)
    assert found.homogeneous_records == len({who for q in revealing for who in classes[q]})
    assert (found.l_distinct == 1) == bool(revealing) == (found.l_entropy == 1.0 and found.alpha == 1.0)
    shares = [
        sum(value in values for values in people.values()) / len(people)
        for people in classes.values()
        for value in set().union(*people.values())
    ]
    assert found.alpha == pytest.approx(max(shares))


@settings(max_examples=60, deadline=None)
@given(rows)
def test_one_row_for_each_person_gives_the_diversity_of_records(table):
    single = [(f"p{i}", q, s) for i, (_, q, s) in enumerate(table)]
    coded = coded_people(("who", "q", "s"), single, "who")
    labels, _ = class_labels(coded, ["q"])
    values = coded.codes[1], len(coded.dictionaries[1])
    assert measured(single) == diversity(labels, coded.weights, *values)


@settings(max_examples=60, deadline=None)
@given(rows)
def test_repeating_rows_changes_nothing(table):
    named = [(who or "p0", q, s) for who, q, s in table]
    assert measured(named) == measured(named * 2)


@settings(max_examples=200, deadline=None)
@given(value_sets, st.integers(1, 7))
def test_the_hitting_number_is_exact_up_to_its_bound(sets, most):
    assert hitting_number(sets, most) == min(fewest(sets), most)


@settings(max_examples=100, deadline=None)
@given(value_sets)
def test_a_search_that_is_stopped_never_overstates_diversity(sets):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(people_diversity, "MOST_STEPS", 0)
        assert 1 <= hitting_number(sets, 9) <= fewest(sets)


def test_a_class_of_one_person_reveals_every_value():
    """20 rows of one person with four diagnoses are not 4-diverse."""
    found = measured([("one", "x", f"d{i % 4}") for i in range(20)])
    assert (found.l_distinct, found.homogeneous_records) == (1, 1)
