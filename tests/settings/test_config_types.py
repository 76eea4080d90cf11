"""Values that have the type of an annotation are what the validator makes of them."""

import datetime
from collections.abc import Mapping
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from privaudit.base import resources
from privaudit.base.typed import convert
from privaudit.rulebook import packs, policy
from privaudit.settings import config

TYPES = (
    bool, int, float, str, str | None, int | float | str, int | Literal["none"], Literal["a", "b"], datetime.date,
    tuple[str, ...], Mapping[str, float], Mapping[str, Literal["a", "b"]],
)  # fmt: skip
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.floats() | st.sampled_from(["a", "b", "none", "2024-02-29"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("ab"), inner, max_size=2),
)


@given(st.sampled_from(TYPES), VALUES)
def test_a_value_of_the_type_is_what_the_validator_makes_of_it(expected, value):
    try:
        found = convert(value, expected)
    except (TypeError, ValueError):
        return
    checked = TypeAdapter(expected).validate_python(value)
    assert (type(found), found) == (type(checked), checked)


@pytest.mark.parametrize("record", [packs.CheckPack, packs.Framework, policy._PolicyFile, packs.Zip3Table])
def test_shipped_packs_are_what_the_validator_makes_of_them(record):
    folder = {packs.CheckPack: "checks", packs.Framework: "frameworks", policy._PolicyFile: "policies"}.get(record)
    files = resources.path("rules", folder).glob("*.toml") if folder else [
        resources.path("rules", "reference", packs.ZIP3_FILE)
    ]  # fmt: skip
    for file in files:
        content = packs.read_toml(file)
        assert convert(content, record) == packs.check_record(content, record, where=file.name)


@pytest.mark.parametrize("value", [{"age", "sex"}, iter(["age"]), ("age",)])
def test_collections_of_names_stand_for_a_list_of_them(value):
    assert set(config.check({"quasi": value}, where="the arguments")["quasi"]) <= {"age", "sex"}
