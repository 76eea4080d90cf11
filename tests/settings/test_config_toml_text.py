"""What is written as TOML reads back."""

from __future__ import annotations

import tomllib
from math import inf, isnan, nan

from hypothesis import example, given
from hypothesis import strategies as st

from privaudit.base.toml_text import toml_text

TEXTS = st.text(st.characters(exclude_categories=("Cs",)))
NUMBERS = st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False)
VALUES = st.recursive(
    TEXTS | NUMBERS | st.booleans(), lambda of: st.lists(of) | st.dictionaries(TEXTS, of), max_leaves=6
)


@given(VALUES)
@example("a\x7f\n\"\\'b")
@example([inf, -inf])
def test_a_value_reads_back(value):
    written = toml_text(value)
    assert "\n" not in written
    assert tomllib.loads(f"value = {written}") == {"value": value}


def test_not_a_number_reads_back():
    assert isnan(tomllib.loads(f"value = {toml_text(nan)}")["value"])


@given(TEXTS)
def test_a_text_names_a_table(name):
    assert tomllib.loads(f"[column.{toml_text(name)}]\n") == {"column": {name: {}}}
