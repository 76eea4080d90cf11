"""Rows are grouped by their keys as a dictionary groups them, with compiled loops and without."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privaudit.risk.codes import compiler
from privaudit.risk.codes.sorted_keys import number_keys, sort_rows, sum_by_key


@pytest.fixture(params=[0, 1 << 60], ids=["compiled", "arrays"])
def _kernel(request, monkeypatch):
    monkeypatch.setattr(compiler, "LEAST", compiler.Visits(*[request.param] * 3))


@st.composite
def _keys(draw):
    bits = draw(st.integers(0, 62))
    largest = (1 << bits) - 1
    used = draw(st.sampled_from([largest, 0b1011 & largest, draw(st.integers(0, largest))]))
    drawn = draw(st.lists(st.integers(0, largest), max_size=40))
    return np.array(drawn, dtype=np.int64) & used, 1 << bits


@pytest.mark.usefixtures("_kernel")
@settings(max_examples=60, deadline=None)
@given(_keys(), st.integers(1, 1 << 40), st.randoms(use_true_random=False))
def test_sums_are_those_of_a_dictionary(keys, largest, random):
    keys, space = keys
    weights = np.array([random.randint(1, largest) for _ in keys], dtype=np.int64)
    wanted = Counter()
    for key, weight in zip(keys.tolist(), weights.tolist(), strict=True):
        wanted[key] += weight
    distinct, sums = sum_by_key(keys.copy(), weights, space)
    assert distinct.tolist() == sorted(wanted)
    assert dict(zip(distinct.tolist(), sums.tolist(), strict=True)) == wanted


@pytest.mark.usefixtures("_kernel")
@settings(max_examples=60, deadline=None)
@given(_keys())
def test_numbers_lead_back_to_the_keys(keys):
    keys, space = keys
    labels, distinct = number_keys(keys.copy(), space)
    assert distinct.tolist() == sorted(set(keys.tolist()))
    assert distinct[labels].tolist() == keys.tolist()
    ranked, order = sort_rows(keys.copy(), space)
    assert ranked.tolist() == sorted(keys.tolist()) and keys[order].tolist() == ranked.tolist()
    assert sorted(order.tolist()) == list(range(len(keys)))
