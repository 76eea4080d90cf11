"""Risk counted in people: against brute force over sets, properties, and rows without a data subject."""

import itertools
from collections import Counter, defaultdict
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privaudit.base.errors import ColumnNotFound
from privaudit.model import ClassSizeTable
from privaudit.risk.codes.class_sizes import ClassSizes
from privaudit.risk.codes.coded import class_labels, encode
from privaudit.risk.codes.people import People
from privaudit.risk.measures.histories import Histories, limits_of, subject_risk, unicity
from tests.helpers.tables import opened as table

pairs = st.lists(st.tuples(st.integers(0, 7), st.integers(0, 6), st.integers(1, 3)), min_size=1, max_size=40)


def dense(table):
    people = {p: i for i, p in enumerate(sorted({p for p, _, _ in table}))}
    items = {v: i for i, v in enumerate(sorted({v for _, v, _ in table}))}
    merged = Counter()
    for p, v, w in table:
        merged[people[p], items[v]] += w
    return merged


def sets_of(merged):
    found = defaultdict(set)
    for p, v in merged:
        found[p].add(v)
    return found


def arrays(merged):
    return (np.array([p for p, _ in merged]), np.array([v for _, v in merged]), np.array(list(merged.values())))


def people_of(people, items, records):
    pairs = sorted(zip(people.tolist(), items.tolist(), np.asarray(records, int).tolist(), strict=True))
    person, row, count = (np.array(part, np.int64) for part in zip(*pairs, strict=True))
    return People(row, person, count, int(person.max()) + 1)


def risk_by_subject(data, columns, subject, **options):
    coded = encode(data, [name for name in columns if name != subject], subject=subject)
    found = subject_risk(coded.people, **options)
    return found, limits_of(found)


def exact_unicity(sets, known):
    """Average over people and over all ways to draw `known` of their items."""
    total = Fraction(0)
    for p, items in sets.items():
        ways = list(itertools.combinations(sorted(items), min(known, len(items))))
        alone = sum(not any(set(way) <= other for q, other in sets.items() if q != p) for way in ways)
        total += Fraction(alone, len(ways))
    return total / len(sets)


@given(pairs)
@settings(max_examples=100, deadline=None)
def test_counts_in_people_equal_the_oracle(table):
    merged = dense(table)
    sets = sets_of(merged)
    found = subject_risk(people_of(*arrays(merged)), thresholds=(2, 3))
    holders = Counter(v for items in sets.values() for v in items)
    alike = Counter(Counter(frozenset(items) for items in sets.values()).values())
    assert found.n_people == len(sets)
    assert found.n_records == sum(w for _, _, w in table)
    assert found.k_min == min(holders.values())
    assert dict(zip(found.class_sizes.size, found.class_sizes.count, strict=True)) == Counter(holders.values())
    assert dict(zip(found.history_sizes.size, found.history_sizes.count, strict=True)) == alike
    assert found.n_unique_histories == alike[1]
    assert found.n_exposed == sum(any(holders[v] == 1 for v in items) for items in sets.values())
    for k in (2, 3):
        assert found.n_below[str(k)] == sum(any(holders[v] < k for v in items) for items in sets.values())
    records = Counter()
    for (p, _), w in merged.items():
        records[p] += w
    assert found.records_max == max(records.values())
    assert found.items_max == max(map(len, sets.values()))
    assert found.unicity["1"].value == pytest.approx(float(exact_unicity(sets, 1)), abs=1e-12)
    assert found.unicity["1"].method == "exact"


@given(pairs, st.integers(2, 4))
@settings(max_examples=30, deadline=None)
def test_sampled_unicity_lies_near_the_truth(table, known):
    merged = dense(table)
    people, items, _ = arrays(merged)
    found = unicity(Histories.of(people, items), known, seed=3, draws=400)
    truth = float(exact_unicity(sets_of(merged), known))
    if found.method == "exact":
        assert found.value == pytest.approx(truth, abs=1e-12)
    else:  # four standard errors of a share from 400 draws
        assert abs(found.value - truth) <= 0.1
        assert found.low <= found.value <= found.high


@given(pairs, st.integers(0, 5))
@settings(max_examples=30, deadline=None)
def test_unicity_never_falls_with_the_number_of_known_items(table, seed):
    people, items, _ = arrays(dense(table))
    histories = Histories.of(people, items)
    found = [unicity(histories, known, seed=seed, draws=100) for known in (2, 3, 4)]
    for fewer, more in itertools.pairwise(found):
        assert fewer.value <= more.value or fewer.method != more.method


@given(pairs, st.randoms(use_true_random=False))
@settings(max_examples=30, deadline=None)
def test_the_order_of_rows_has_no_effect(table, random):
    merged = dense(table)
    shuffled = list(merged.items())
    random.shuffle(shuffled)
    assert subject_risk(people_of(*arrays(dict(shuffled))), seed=5) == subject_risk(people_of(*arrays(merged)), seed=5)


@pytest.mark.quick_cases(2)
@pytest.mark.parametrize("seed", range(6))
def test_the_numbers_of_people_have_no_effect_on_drawn_items(seed):
    random = np.random.default_rng(seed)
    person, item = np.repeat(np.arange(400), 6), random.integers(0, 60, 2_400)
    first, again = (Histories.of(numbers[person], item) for numbers in (np.arange(400), random.permutation(400)))
    assert [unicity(first, known, seed=1, draws=150) for known in (2, 3)] == [
        unicity(again, known, seed=1, draws=150) for known in (2, 3)
    ]


@pytest.mark.slow
@given(pairs)
@settings(max_examples=50, deadline=None)
def test_duplicating_everybody_leaves_nobody_exposed_and_a_private_item_exposes_everybody(table):
    merged = dense(table)
    found = subject_risk(people_of(*arrays(merged)))
    size, count = found.history_sizes.size, found.history_sizes.count
    assert sum(s * c for s, c in zip(size, count, strict=True)) == found.n_people
    below = list(found.n_below.values())
    assert below == sorted(below)
    assert found.n_below["2"] == found.n_exposed <= found.n_unique_histories
    people, items, records = arrays(merged)
    n, m = found.n_people, found.n_classes
    twice = subject_risk(
        people_of(np.append(people, people + n), np.append(items, items), np.append(records, records))
    )  # everybody has a double
    assert (twice.n_exposed, twice.n_unique_histories, twice.k_min) == (0, 0, 2 * found.k_min)
    assert all(share.value == 0 for share in twice.unicity.values())
    own = subject_risk(
        people_of(np.append(people, np.arange(n)), np.append(items, m + np.arange(n)), np.ones(len(people) + n))
    )
    assert own.n_exposed == own.n_unique_histories == n  # everybody has something of their own


@pytest.mark.slow
def test_two_items_of_a_long_table_single_people_out():
    generator = np.random.default_rng(1)
    people = np.repeat(np.arange(5000), 30)
    items = np.append(generator.integers(0, 1000, len(people) - 1000), np.arange(1000))
    found = subject_risk(people_of(people, items, np.ones(len(people), int)), seed=2)
    assert found.unicity["1"].value == 0  # each item is shared by about 150 people
    assert 0 < found.unicity["2"].value < 0.2
    assert found.unicity["4"].value > 0.95
    assert found.items_sufficient == {"0.5": 3, "0.9": 4, "0.95": 4}
    assert found.n_unique_histories == 5000


def test_one_row_for_each_person_gives_the_classes_of_rows():
    cells = ["x", "y", "x", None, "y", "x"]
    data = table(id=[f"person {i}" for i in range(6)], a=cells)
    found, limits = risk_by_subject(data, ["a"], "id")
    coded = encode(data, ["a"])
    sizes = ClassSizes.of(class_labels(coded)[1], n_rows=6)
    assert (found.class_sizes.size, found.class_sizes.count) == (sizes.size, sizes.count)
    assert found.history_sizes == found.class_sizes
    assert found.n_exposed == sizes.n_unique
    assert found.n_below["5"] == sizes.below(5)
    assert [each.code for each in limits] == ["risk.subject_one_row_each"]


def test_rows_of_one_person_count_once():
    data = table(who=["a", "a", "a", "b"], visit=["m", "m", "t", "m"])
    found, limits = risk_by_subject(data, ["who", "visit"], "who")
    assert (found.n_people, found.n_records, found.records_max, found.k_min) == (2, 4, 3, 1)
    assert found.class_sizes == ClassSizeTable(size=(1, 2), count=(1, 1))
    assert found.column == "who"
    assert found.n_exposed == 1
    assert found.items_mean == 1.5
    assert limits == ()


def test_shuffled_rows_give_the_same_record():
    generator = np.random.default_rng(4)
    cells = {
        "who": [f"p{i}" for i in generator.integers(0, 40, 300)] + [None] * 5,
        "where": [f"w{i}" for i in generator.integers(0, 30, 305)],
    }
    order = generator.permutation(305)
    shuffled = {name: [column[i] for i in order] for name, column in cells.items()}
    first, second = (risk_by_subject(table(**c), ["where"], "who", seed=9) for c in (cells, shuffled))
    assert first == second


def test_rows_without_a_data_subject_count_as_one_person_each_and_are_reported():
    data = table(who=["a", None, None, "b"], visit=["m", "m", "m", "m"])
    found, limits = risk_by_subject(data, ["visit"], "who")
    assert (found.n_people, found.n_without, found.k_min) == (4, 2, 4)
    assert limits[0].code == "risk.subject_missing"
    assert (limits[0].values["records"].n, limits[0].values["records"].of) == (2, 4)


def test_a_missing_data_subject_column_is_an_error():
    with pytest.raises(ColumnNotFound, match='"who" is not a column of table'):
        risk_by_subject(table(a=["x"]), ["a"], "who")


def test_no_quasi_identifier_means_one_class():
    found, _ = risk_by_subject(table(who=["a", "a", "b"]), ["who"], "who")
    assert (found.n_classes, found.k_min, found.unicity["1"].value) == (1, 2, 0)


@pytest.mark.parametrize(("people", "items"), [([], []), ([0], [0, 1])])
def test_pairs_that_do_not_fit_are_refused(people, items):
    with pytest.raises(ValueError, match="same length"):
        Histories.of(np.array(people, int), np.array(items, int))


def test_an_attacker_who_knows_nothing_is_refused():
    with pytest.raises(ValueError, match="at least one"):
        unicity(Histories.of(np.array([0]), np.array([0])), 0, seed=0)
