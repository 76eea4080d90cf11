"""Expressions without classes of Unicode: they match the same ASCII texts."""

import random
import string

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from privaudit.base import resources
from privaudit.detect.catalogue import detectors
from privaudit.detect.catalogue.matching import compiles
from privaudit.source.profile.dates import CANDIDATE, FORMATS
from privaudit.source.profile.matches import ascii_form, shortest_form

BY_HAND = (
    r"\p{L}", r"^\p{Lu}\p{Ll}+$", r"[\p{L}\p{M}'’.-]+", r"[^\p{L}]", r"[^0-9\p{L}]*\s", r"\pL\d", r"[]\p{L}]x",
    r"[^]\p{L}]+", r"[[\p{N}]+", r"[(\[[]\p{L}", r"[[:space:]\p{L}]", r"\p{Han}|\p{Hangul}|a", r"[\p{Han}]",
    r"\[\p{L}\]", r"(?i)\p{Lu}k", r"\p{Nd}{2,3}", r"[\p{Katakana}A-C]",
)  # fmt: skip
UNCHANGED = (r"\P{L}", r"[\P{L}]", r"\p{^L}", r"\Q\p{L}\E", r"\p{Sc}")


def expressions() -> list[str]:
    shipped = [d.pack and expression for d in detectors.load(None) for expression in d.regex]
    forms = resources.read_toml(resources.path("rules", "reference", "forms.toml"))
    shipped += [one for subject in forms.values() for listed in subject.values() for one in listed]
    shipped += [CANDIDATE, *(one.pattern for one in FORMATS)]
    return sorted({one for one in shipped if r"\p" in one and compiles(one)})


def texts(n: int, seed: int) -> pa.Array:
    rng = random.Random(seed)
    characters = string.ascii_letters[:10] + "kKsSzZ" + string.digits + " \t-'.,()[]{}\\^/@"
    return pa.array(["".join(rng.choices(characters, k=rng.randrange(9))) for _ in range(n)])


@pytest.mark.parametrize("expression", BY_HAND)
@pytest.mark.quick_cases(17)
def test_the_same_ascii_texts_match(expression):
    values = texts(3000, 1)
    shorter = shortest_form(expression, values)
    assert shorter != expression and r"\p" not in shorter
    assert pc.match_substring_regex(values, shorter).equals(pc.match_substring_regex(values, expression))


@pytest.mark.parametrize("expression", UNCHANGED)
@pytest.mark.quick_cases(5)
def test_a_class_that_is_not_known_stays(expression):
    assert ascii_form(expression) == expression


def test_the_same_ascii_texts_match_every_shipped_expression():
    values, changed = texts(500, 2), 0
    for expression in expressions():
        shorter = ascii_form(expression)
        changed += shorter != expression
        matched = pc.match_substring_regex(values, expression)
        assert pc.match_substring_regex(values, shorter).equals(matched), expression
    assert changed >= 10


def test_values_outside_ascii_are_read_by_the_whole_expression():
    assert shortest_form(r"^\p{L}+$", pa.array(["José", None])) == r"^\p{L}+$"
    assert shortest_form(r"^\p{L}+$", pa.array(["Jose", None])) == "^[A-Za-z]+$"
    assert shortest_form(r"^\p{L}+$", pa.array([None], pa.string())) == "^[A-Za-z]+$"
