"""Families of measures: the file names exactly the measures that checks can read, each once."""

from __future__ import annotations

import pytest

from privaudit.base import resources
from privaudit.model.vocabulary.families import families, family
from privaudit.rulebook import load_checks
from privaudit.rulebook.measurement import MEASURES
from privaudit.rulebook.packs import Check


def test_every_measure_is_in_one_family() -> None:
    records = resources.read_toml(resources.path("rules", "reference", "families.toml"))
    listed = [name for record in records.values() for name in record["measures"]]
    assert sorted(listed) == sorted(MEASURES)
    assert set(families()) == set(MEASURES)


def test_a_bracket_does_not_change_the_family() -> None:
    assert family("pii.rate[EMAIL]") is family("pii.rate")
    assert family("unknown.measure").reveals == "content"


@pytest.mark.parametrize("check", load_checks(), ids=lambda check: check.code)
def test_the_parts_of_a_family_agree(check: Check) -> None:
    """What larger classes improve discloses; an attack does not count records; acceptances are read last."""
    found = family(check.measure)
    assert not found.larger_classes or found.reveals == "disclosure"
    assert not (found.attack and found.counts)
    assert not found.acceptance or check.acceptable is False
