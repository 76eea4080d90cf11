"""The bytes that occur in a column are those of a loop over all of them."""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privaudit.profile import alphabet as module
from privaudit.profile.alphabet import alphabet


@pytest.fixture(autouse=True)
def small_pieces():
    """Let short texts have many pieces."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_CHUNK", 5)
        patch.setattr(module, "_MOST_RANGES", 3)
        yield


@given(
    st.lists(st.one_of(st.text(max_size=9), st.text("abc xyz09\x00é", max_size=20)), max_size=9),
    st.sampled_from([pa.string(), pa.large_string()]),
    st.integers(0, 3),
)
def test_every_byte_of_every_value_is_seen_and_no_other(values, kind, start):
    seen = alphabet(pa.array(values, kind).slice(start))
    assert {code for code in range(256) if seen[code]} == {*"".join(values[start:]).encode()}
