"""The labelled tables of benchmarks/generated are what evaluations assume: complete, with known entity types."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any, get_args

import pytest

from privaudit.model import Role
from privaudit.model.vocabulary import entity_types
from tests.helpers.paths import ROOT


@pytest.fixture(scope="module")
def generated() -> Iterator[list[Any]]:
    """The tables of the generators that need no other package."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "benchmarks"))
        from generated import business, synthea_like

        yield [*business.tables(), *synthea_like.tables()]
        for name in [name for name in sys.modules if name.partition(".")[0] == "generated"]:
            del sys.modules[name]


def test_every_label_is_an_entity_type_with_roles(generated: list[Any]) -> None:
    known = {*entity_types(), "NONE"}
    for table in generated:
        for name, label in table.labels().items():
            assert label["entity"] in known, (table.name, name)
            assert {label["role"], *label["alt_roles"]} <= set(get_args(Role)), (table.name, name)


def test_tables_are_complete_and_keep_their_keys(generated: list[Any]) -> None:
    assert len(generated) >= 20
    assert len({table.name for table in generated}) == len(generated)
    for table in generated:
        assert len({len(column.cells) for column in table.columns.values()}) == 1
    by_name = {table.name: table for table in generated}
    patients = set(by_name["synthea_patients"].columns["Id"].cells)
    assert set(by_name["synthea_conditions"].columns["PATIENT"].cells) <= patients


def test_the_types_of_other_tools_stand_for_groups_of_ours() -> None:
    import evaluate_detection
    import evaluate_peers

    known = {*evaluate_detection.GROUPS, *entity_types()}
    for tool, meanings in evaluate_peers.MEANINGS.items():
        assert tool in evaluate_peers.TOOLS
        assert set().union(*meanings.values()) <= known
    # A type that may be meant is right; dates are never counted as wrong.
    assert evaluate_peers.group_of("presidio", "LOCATION", "CITY") == "CITY"
    assert evaluate_peers.group_of("presidio", "PERSON", "CITY") == "NAME"
    assert evaluate_peers.group_of("presidio", "DATE_TIME", "CITY") == "NONE"
    assert evaluate_peers.group_of("dataprofiler", "INTEGER|SSN", "GOV_ID") == "GOV_ID"
