"""What is written as TOML reads back."""

from __future__ import annotations

import tomllib
import unicodedata
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
    assert not [char for char in written if unicodedata.category(char) in ("Cc", "Cf", "Zl", "Zp")]
    assert tomllib.loads(f"value = {written}") == {"value": value}


def test_a_direction_mark_in_a_name_is_visible():
    assert toml_text("a\u202eb\U000e0041\x7f") == '"a\\u202Eb\\U000E0041\\u007F"'
    assert toml_text("a\u2028b\u2029é") == '"a\\u2028b\\u2029é"'  # ends of a line and of a paragraph


def test_not_a_number_reads_back():
    assert isnan(tomllib.loads(f"value = {toml_text(nan)}")["value"])


@given(TEXTS)
def test_a_text_names_a_table(name):
    assert tomllib.loads(f"[column.{toml_text(name)}]\n") == {"column": {name: {}}}
