"""Measures next to the classes, by counting: weights, histories, DIS-SUDA, potential columns, populations of people."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pytest

from privaudit.risk.codes.class_sizes import ClassSizes
from privaudit.risk.measures.histories import subject_risk
from privaudit.risk.measures.potential import asked_columns, exclusions
from privaudit.risk.measures.weights import risk_with_weights
from privaudit.risk.population.people_population import population_of_people
from privaudit.risk.population.population_risk import _interval
from privaudit.risk.search.special_uniques import minimal_uniques
from privaudit.settings.config import Settings
from tests.helpers.coded import coded_of, coded_people
from tests.helpers.tables import opened


def test_every_record_brings_its_weight_also_where_records_are_equal():
    rows = [("a", "x", "2.5")] * 4 + [("a", "y", "10")] + [("b", "x", ".2")] * 3 + [("b", "y", ".5"), ("b", "y", ".7")]
    table = opened(**dict(zip(("q0", "q1", "w"), map(list, zip(*rows, strict=True)), strict=True)))
    measured, limits = risk_with_weights(table, ["q0", "q1"], "w")
    people = defaultdict(float)
    for *key, weight in rows:
        people[tuple(key)] += float(weight)
    records = Counter(tuple(key) for *key, _ in rows)
    assert measured.people == pytest.approx(sum(people.values())) and measured.n_records == len(rows)
    assert measured.fewest_people == pytest.approx(min(people.values()))
    assert measured.n_below_one == sum(people[key] < records[key] for key in people) == 2
    assert [one.values["classes"].n for one in limits] == [2]


def test_a_history_is_unique_where_nobody_has_the_same_items():
    held = {"p": "ab", "q": "ab", "r": "a", "s": "abc", "t": "c", "u": "c"}
    coded = coded_people(["who", "q"], [(who, item) for who, items in held.items() for item in items], "who")
    found = subject_risk(coded.people)
    alike = Counter(held.values())
    assert found.n_unique_histories == sum(n == 1 for n in alike.values()) == 2
    assert dict(zip(found.history_sizes.size, found.history_sizes.count, strict=True)) == Counter(alike.values())


@pytest.mark.parametrize("max_size", [1, 2, 3])
def test_dis_suda_has_the_exponent_of_all_columns_whatever_size_is_searched(max_size):
    random = np.random.default_rng(max_size)
    found = minimal_uniques(
        coded_of([tuple(row) for row in random.integers(0, 3, (25, 4)).tolist()]), max_size=max_size
    )
    fraction, scores, weights = 0.05, found.scores.astype(float), found.weights
    q = 1 + (8 - 4) / 20
    n1, n2 = (found.n_unique, found.n_pairs)
    whole = n1 * fraction / (n1 * fraction + n2 * (1 - fraction))
    total = sum(w * s**-q for s, w in zip(scores, weights, strict=True) if s)
    for score, risk in zip(scores, found.dis(fraction), strict=True):
        expected = 1 / (1 + (n1 / whole - n1) / (score**q * total)) if score else 0
        assert risk == pytest.approx(expected)


def column(name, role="none", entity=None, uniqueness=0.5, **options):
    stated = {"constant": False, "n_distinct": 50, "data_type": "text", "measurements": {}, "is_measurement": False}
    is_ = None if entity is None else SimpleNamespace(entity=entity)
    return SimpleNamespace(name=name, role=role, is_=is_, uniqueness=uniqueness, **{**stated, **options})


def test_a_key_with_a_few_repeated_values_is_a_key_and_a_repeated_one_is_not():
    keys = [column(str(share), entity="UUID", uniqueness=share) for share in (1.0, 0.995, 0.99, 0.9)]
    assert exclusions(keys, Settings()) == dict.fromkeys(("1.0", "0.995", "0.99"), "key")


def test_the_columns_that_are_read_contain_subject_and_weight():
    columns = [
        column("age", "quasi"),
        column("who", "direct"),
        column("w", is_measurement=True),
        column("ill", "sensitive"),
        column("one", constant=True),
    ]
    assert set(asked_columns(columns, Settings(subject="who", weight="w"))) == {"age", "who", "w", "ill"}
    assert set(asked_columns(columns, Settings())) == {"age", "ill"}


def test_a_population_table_has_as_many_people_as_it_has_people():
    release = {"who": ["p", "p", "q"], "town": ["a", "b", "a"]}
    population = {"who": ["p", "p", "q", "r", "r", "r"], "town": ["a", "b", "a", "a", "b", "c"]}
    coded = coded_people(["who", "town"], list(zip(*release.values(), strict=True)), "who")
    limits = []
    scope = SimpleNamespace(
        coded=coded,
        dataset=opened(**release),
        population=pa.table(population),
        settings=Settings(subject="who"),
        progress=lambda *_: None,
    )
    found = population_of_people(scope, limits)
    assert found.record.size == 3


def test_an_estimate_outside_of_what_the_release_allows_is_stated_on_either_side():
    """Of 95 sample uniques and 5 people outside, at least 90 are unique in the population."""
    sizes = ClassSizes((1, 5), (95, 1))
    for value, expected in ((0.0, 1), (95.0, 0), (104.0, 1)):
        fits = {name: SimpleNamespace(value=value if name == "snb" else None) for name in ("zayatz", "pitman", "snb")}
        limits = []
        interval = _interval(sizes, 105, SimpleNamespace(by_model=fits), limits)
        assert 90 <= interval.low <= 95 and math.isfinite(interval.high)
        assert sum(one.code == "risk.estimate_incompatible" for one in limits) == expected, (value, interval)
