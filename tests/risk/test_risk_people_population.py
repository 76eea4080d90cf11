"""Risk against a population, counted in people, equals brute force; a population by number is compared with people."""

from __future__ import annotations

import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import privaudit
from privaudit.base.errors import ConfigError
from privaudit.risk.population.people_population import _estimated, compared_people
from privaudit.risk.population.population_risk import Population
from privaudit.risk.population.population_rows import over_shared_words, side_by_side
from tests.helpers.coded import coded_people

CELLS = st.one_of(st.none(), st.sampled_from(["a", "b", "c"]))
rows = st.lists(st.tuples(st.sampled_from([f"p{i}" for i in range(6)]), CELLS, CELLS), min_size=1, max_size=25)
others = st.lists(st.tuples(st.sampled_from([f"x{i}" for i in range(6)]), CELLS, CELLS), max_size=25)
NAMES = ["who", "q0", "q1"]


def frame(table):
    return pd.DataFrame(table, columns=NAMES, dtype=object).fillna("missing")


@settings(max_examples=60, deadline=None)
@given(rows, others, st.booleans())
def test_risk_against_a_population_table_counts_people(table, more, has_subject):
    everybody = table + more
    release = coded_people(NAMES, table, "who")
    population = coded_people(NAMES, everybody, "who" if has_subject else None)
    in_release, in_population, labels = side_by_side(*over_shared_words(release, population))
    found = compared_people(release, Population(size=1, source="table"), in_release, in_population, labels)
    own, whole = frame(table), frame(everybody)
    sizes = whole.groupby(NAMES[1:])["who"].agg("nunique" if has_subject else "size")
    held = own.groupby(NAMES[1:])["who"].nunique().reindex(sizes.index, fill_value=0)
    key = list(own[NAMES[1:]].itertuples(index=False, name=None))
    fewest = own.assign(F=[sizes[one] for one in key]).groupby("who")["F"].min()
    both = [held[one] == 1 and sizes[one] == 1 for one in key]
    assert found.record.k_map == fewest.min()
    assert found.journalist_max == 1 / fewest.min()
    assert found.marketer == pytest.approx((1 / fewest).mean())
    assert found.record.unique_in_both == own["who"][both].nunique()
    assert found.record.population_uniques == (sizes == 1).sum()
    assert found.record.delta_presence.max == pytest.approx((held / sizes).max())
    assert found.record.share_at_risk["0.33"] == pytest.approx((fewest < 4).mean())


def test_a_population_is_compared_with_people_and_not_with_rows():
    """Twenty rows of two people can come from a population of ten."""
    limits = []
    release = coded_people(NAMES, [("p", "a", "b")] * 10 + [("q", "a", "b")] * 10, "who")
    assert _estimated(release, 10, "number", limits).size == 10
    with pytest.raises(ConfigError, match="2 people"):
        _estimated(release, 1, "number", limits)


def test_nothing_is_estimated_where_people_are_in_several_classes():
    limits = []
    release = coded_people(NAMES, [("p", "a", "b"), ("p", "a", "c"), ("q", "a", "b")], "who")
    found = _estimated(release, 100, "number", limits)
    assert (found.dankar, found.zayatz) == (None, None)
    assert [(each.code, each.values["people"].n) for each in limits] == [("risk.estimate_overlap", 1)]


def test_a_population_that_lacks_people_of_the_release_gives_no_numbers_and_an_incomplete_report():
    release = pa.table({"who": ["p1", "p2", "p3", "p3"], "town": ["x", "x", "y", "y"]})
    people = pa.table({"who": ["p1", "p3", "q4"], "town": ["x", "y", "y"]})
    made = privaudit.scan(release, quasi=["town"], subject="who", population=people, ner=False)
    (found,) = [one for one in made.limits if one.code == "risk.population_lacks_people"]
    assert (found.values["classes"].n, found.values["people"].n) == (1, 1) and made.gate().exit_code == 3
    assert made.risk.population.k_map is None
