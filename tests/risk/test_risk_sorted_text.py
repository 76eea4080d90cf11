"""Distinct texts are sorted by their bytes and numbers by their size, for any number of values and of threads."""

from __future__ import annotations

from contextlib import ExitStack
from unittest.mock import patch

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privaudit.risk.codes import row_keys
from privaudit.risk.codes.row_keys import sorting_order

texts = st.lists(st.text(st.characters(codec="utf-8"), max_size=6), unique=True, max_size=40)


def in_parts(values: list[str], kind: pa.DataType, parts: int, sampled: int) -> list[str]:
    with ExitStack() as stack:
        for name, value in (("MANY", 1), ("PARTS", parts), ("SAMPLED", min(sampled, max(1, len(values))))):
            stack.enter_context(patch.object(row_keys, name, value))
        return [values[i] for i in sorting_order(pa.array(values, kind), threads=2)]


@given(texts, st.integers(1, 8), st.integers(1, 40), st.sampled_from([pa.string(), pa.large_string()]))
def test_texts_in_parts_are_in_the_order_of_their_bytes(drawn, parts, sampled, kind):
    values = [f"x{text}" for text in drawn]
    assert in_parts(values, kind, parts, sampled) == sorted(values, key=str.encode)


@given(st.lists(st.integers(-99, 99), unique=True, max_size=40), st.integers(1, 8))
def test_numbers_in_parts_are_in_the_order_of_their_size(numbers, parts):
    assert in_parts([str(number) for number in numbers], pa.string(), parts, 8) == list(map(str, sorted(numbers)))


@pytest.mark.slow
@pytest.mark.parametrize("prefix", ["", "note "])
def test_many_texts_are_sorted_as_few_are(prefix):
    drawn = np.random.default_rng(3).permutation(200_000)
    values = pa.array([f"{prefix}{i}" for i in drawn.tolist()])
    order = sorting_order(values)
    with patch.object(row_keys, "MANY", len(values) + 1):
        assert (order == sorting_order(values)).all()
