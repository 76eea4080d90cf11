"""Driving licences by the state of their row: found where the form follows the state, and nowhere else."""

from __future__ import annotations

import random
import re
from itertools import permutations

import pytest

from privaudit.detect.catalogue import wordlists
from privaudit.detect.subjects import licences
from tests.helpers.detection import judge

N = 150
FORMS = wordlists.toml("licences")["us"]
MADE = {
    "CA": "A9999999",
    "FL": "A999999999999",
    "TX": "99999999",
    "IL": "A99999999999",
    "NJ": "A99999999999999",
    "NY": "999999999",
    "NH": "99AAA99999",
    "WI": "A9999999999999",
}


def made(rng: random.Random, shape: str) -> str:
    letters, digits = "ABCDEFGHJKLMNPRSTVWXYZ", "0123456789"
    return "".join(rng.choice(letters if char == "A" else digits) for char in shape)


def entity_of(codes: list[str], states: list[str], name: str = "c1") -> str | None:
    verdict = judge({"c0": states, name: codes})[name].is_
    return None if verdict is None else verdict.entity


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("spell", [str, lambda code: FORMS[code]["state"].title()], ids=["codes", "names"])
def test_numbers_whose_form_follows_the_state_are_licences(spell) -> None:  # type: ignore[no-untyped-def]
    rng = random.Random(1)
    states = rng.choices(sorted(MADE), k=N)
    numbers = [made(rng, MADE[state]) for state in states]
    assert entity_of(numbers, [spell(state) for state in states]) == "DRIVER_LICENSE"


def test_the_same_numbers_with_shuffled_states_are_not_licences() -> None:
    rng = random.Random(2)
    states = rng.choices(sorted(MADE), k=N)
    numbers = [made(rng, MADE[state]) for state in states]
    rng.shuffle(states)
    assert entity_of(numbers, states) != "DRIVER_LICENSE"


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("shape", ["99999999", "A9999999", "999999999"])
def test_codes_of_one_form_are_licences_only_under_a_word_for_them(shape: str) -> None:
    rng = random.Random(3)
    matching = [state for state in FORMS if re.fullmatch(FORMS[state]["form"], made(rng, shape))]
    states = rng.choices(matching, k=N)
    numbers = [made(rng, shape) for _ in states]
    assert entity_of(numbers, states) != "DRIVER_LICENSE"
    assert entity_of(numbers, states, "license") == "DRIVER_LICENSE"


def test_the_share_of_shuffled_states_is_that_of_all_orders() -> None:
    rng = random.Random(4)
    pairs = [(made(rng, MADE[s]), s) for s in ("CA", "FL", "TX", "NY", "CA", "NJ")]
    numbers, states = zip(*pairs, strict=True)
    fits = [
        sum(bool(re.fullmatch(FORMS[s]["form"], n)) for n, s in zip(numbers, order, strict=True))
        for order in permutations(states)
    ]
    expected = sum(fits) / len(fits) / len(pairs)
    forms = [(number, re.compile(FORMS[state]["form"])) for number, state in pairs]
    assert licences._share_if_shuffled(forms) == pytest.approx(expected, abs=1e-12)


def test_every_state_has_a_form_that_excludes_words() -> None:
    assert len(FORMS) == 51
    assert {code.lower() for code in FORMS} <= wordlists.value_list("STATE", "codes")
    for code, entry in FORMS.items():
        assert not re.fullmatch(entry["form"], "N/A"), code
