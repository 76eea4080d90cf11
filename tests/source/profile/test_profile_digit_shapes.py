"""Expressions that treat all digits alike are run once for each shape, and match what they match of all values."""

import random

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from privaudit.base.object_cache import cached_by_object
from privaudit.detect.catalogue import boundaries, detectors
from privaudit.detect.catalogue.matching import matching
from privaudit.source.profile.alphabet import with_equal_digits
from privaudit.source.profile.digit_shapes import LEAST_VALUES, containing, shapes_of, treats_digits_alike

N_VALUES = 20_000


def other_digits(text: str, rng: random.Random) -> str:
    return "".join(rng.choice("0123456789") if each in "0123456789" else each for each in text)


def test_expressions_of_detectors_that_treat_digits_alike_match_whatever_the_digits_are():
    rng, n_alike = random.Random(1), 0
    for detector in detectors.load():
        texts = [text for text in (*detector.match, *detector.no_match) if text]
        for pattern in (*map(boundaries.whole, detector.regex), *detector.vetoes):
            if not treats_digits_alike(pattern):
                continue
            n_alike += 1
            changed = [other_digits(text, rng) for text in texts]
            before, after = (
                pc.match_substring_regex(pa.array(some, pa.string()), pattern) for some in (texts, changed)
            )
            assert before.equals(after), (detector.label, pattern)
    assert n_alike > 50


@pytest.mark.parametrize(
    ("expression", "is_alike"),
    [
        (r"^\d{6}$", True),
        (r"[0-9A-F]+|\p{Nd}", True),
        (r"\bref[^0-9a-z]", True),
        ("^[1-9]", False),
        ("19", False),
        (r"[^5]", False),
        (r"[\p{Thai}3]", False),  # digits of the class are not known
        (r"\P{L}", True),
        (r"\x{2013}[\]0-9]{2,4}[[:digit:]_]", True),
        (r"\x{0031}", False),
        ("0-9", False),
        ("[10-9]", False),
    ],
)
def test_an_expression_treats_digits_alike_where_every_set_has_all_or_none(expression, is_alike):
    assert treats_digits_alike(expression) is is_alike


def numbered(kind: pa.DataType) -> pa.Array:
    texts = [f"{('Ärger', 'ref', '²')[i % 3]} {i * 7919 % 100_003}" for i in range(N_VALUES + 5)]
    return pa.array(texts, kind)[5:]


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string()])
@pytest.mark.parametrize("expression", [r"^ref \d{4}$", r"[1-4]\d$", r"\d{5}", r"^\p{L}+ [0-9]+$"])
def test_values_of_few_shapes_match_as_value_by_value(kind, expression):
    values = numbered(kind)
    shapes = shapes_of(values)
    assert shapes is not None and len(shapes.values) < 20
    assert shapes.values.take(pa.array(shapes.place)).equals(with_equal_digits(values))
    found = matching(values, expression)
    assert found.any() and not found.all()
    assert found.tolist() == pc.match_substring_regex(values, expression).to_pylist()


@pytest.mark.parametrize("text", ["ref", " ", "7", "r 1"])
def test_a_text_is_sought_in_shapes_or_in_values(text):
    values = numbered(pa.string())
    assert containing(values, text).tolist() == [text in value for value in values.to_pylist()]


def test_values_that_differ_in_letters_have_no_shapes_and_neither_have_few_or_missing_ones():
    rng = np.random.default_rng(2)
    words = pa.array(["".join(map(chr, line)) for line in rng.integers(97, 123, (N_VALUES, 8))])
    assert shapes_of(words) is None
    values = numbered(pa.string())
    assert shapes_of(values[: LEAST_VALUES - 1]) is None
    assert shapes_of(pa.concat_arrays([values, pa.array([None], pa.string())])) is None
    assert shapes_of(values, [r"\d"]) is not None and shapes_of(values, [r"\d", "1"]) is None


def test_what_is_kept_of_an_array_is_computed_once_and_goes_with_it():
    computed: list[int] = []

    @cached_by_object
    def n_values(values: pa.Array) -> int:
        computed.append(len(values))
        return len(values)

    values = pa.array([1, 2])
    assert n_values(values) == n_values(values) == 2 and computed == [2]
    for length in range(3, 30):  # each array may get the identity of the one before
        del values
        values = pa.array(range(length))
        assert n_values(values) == length
    assert computed == [2, *range(3, 30)]
