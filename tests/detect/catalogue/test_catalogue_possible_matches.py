"""Expressions that cannot match any value of a column are found without running them."""

from __future__ import annotations

import random
import re

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privaudit.detect.catalogue import boundaries, detectors, possible_matches
from privaudit.detect.catalogue import forms as catalogue
from privaudit.detect.catalogue.possible_matches import MANY, Texts, can_match, characters_of
from privaudit.detect.witnesses import build
from privaudit.settings.config import Settings
from privaudit.source.memory.arrow import from_arrow
from privaudit.source.profile import profile
from privaudit.source.profile.alphabet import alphabet, digit_counts

EXPRESSIONS = sorted(
    {
        form
        for detector in detectors.load()
        for expression in detector.regex
        for form in (boundaries.whole(expression), f"(?i){boundaries.whole(expression)}")
    }
    | {expression for detector in detectors.load() for expression in detector.vetoes}
    | {spec.prefilter for spec in catalogue.specs()}
)
EXAMPLES = sorted({text for detector in detectors.load() for text in (*detector.match, *detector.no_match) if text})


def texts_of(values: list[str]) -> Texts:
    """Return what is known of `values`."""
    array = pa.array(values)
    return Texts(characters_of(alphabet(array)), int(digit_counts(array).max()))


def matched(expression: str, values: list[str]) -> bool:
    """Return whether RE2 finds `expression` in any of `values`."""
    return bool(pc.any(pc.match_substring_regex(pa.array(values), expression)).as_py())


@pytest.mark.slow
def test_what_re2_matches_is_always_possible():
    rng = random.Random(5)
    for expression in EXPRESSIONS:
        values = rng.sample(EXAMPLES, rng.choice((1, 1, 3)))
        if not can_match(expression, texts_of(values)):
            assert not matched(expression, values), (expression, values)


def test_each_example_of_a_detector_is_possible_for_its_expressions():
    for detector in detectors.load():
        for text in detector.match if not detector.folds else ():
            for expression in map(boundaries.whole, detector.regex):
                if not can_match(expression, texts_of([text] if text else [" "])):
                    assert not matched(expression, [text]), (expression, text)


PIECES = (
    r"[a-z]+", r"[^a-z]", r"\d{2,3}", r"k", r"S", r"\s?", r"\p{L}", r"[^\p{L}x]", r"\pL*", r"(?:ab|\d|é)", r"\x{2013}",
    r".", r"\W", r"\S+", r"(?i:sK)", r"[^\d]{2}", r"@", r"(?:x|[k-s]){1,2}", r"\.", r"[\p{Nd}-]",
    r"\P{L}", r"\\", r"[(?i)a]", r"[\]x]",
)  # fmt: skip


@given(
    st.lists(st.sampled_from(PIECES), min_size=1, max_size=4),
    st.sampled_from(("", "(?i)", "(?s)")),
    st.sampled_from(("^{}$", "{}", "^{}", "{}$", "^(?:{}|b)$", "^{}$|^a$", "^(?:(?i)(?:{})|9)$")),
    st.lists(st.text("abkKsSxé1 2@.-–\n\u212a\u017f", min_size=1, max_size=5), min_size=1, max_size=3),
)
def test_an_expression_made_of_pieces_is_never_wrongly_excluded(pieces, flags, form, values):
    expression = flags + form.format("".join(pieces))
    if matched(expression, values):
        assert can_match(expression, texts_of(values))


@pytest.mark.parametrize(
    ("expression", "values"),
    [
        (r"^[^@\s]+@[^@\s]+$", ["1234567", "7654321"]),  # a character that no value has
        (r"[0-9]{9}", ["1234567", "7654321"]),  # too many digits
        (r"^(?:[a-z]+|\d{3}-\d+)$", ["1234567", "7654321"]),  # such a character in every alternative
        (r"^[0-9]*(?:x{1,2})+", ["1234567", "7654321"]),  # such a character in what must be repeated
        (r"\d{4}(?:-\d{3}|x\d{4}){2}", ["12-x34", "1-23x456-"]),  # too many digits in each alternative
    ],
)
def test_an_expression_that_cannot_match_is_excluded(expression, values):
    assert not can_match(expression, texts_of(values))


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        (r"QZX\\(?i:ad)\d{6}", "QZX\\AD000000"),  # flags after an escaped backslash
        (r"^[(?i)a]$", "("),  # characters of a class that look like flags
    ],
)
def test_flags_are_read_where_they_are_flags(expression, value):
    assert matched(expression, [value])
    assert can_match(expression, texts_of([value]))


def test_every_shipped_expression_is_read():
    read = [e for e in EXPRESSIONS if not can_match(e, Texts(0, 0))]
    empty = [e for e in EXPRESSIONS if e not in read]
    assert all(matched(e, [""]) for e in empty), empty


def test_a_large_column_matches_as_without_the_shortcut():
    values = [f"name{i}@example.org" for i in range(MANY)]
    with from_arrow(pa.table({"x": values})) as dataset:
        many = build(dataset, profile(dataset)[0], Settings())
    for expression in EXPRESSIONS[::16]:
        expected = np.asarray(pc.match_substring_regex(many.values, expression), dtype=bool)
        assert (many.matches(expression) == expected).all(), expression
    assert not many.can_match(r"^[0-9]+#$") and re.match(r"name", values[0])


def test_compiled_expressions_are_judged_as_those_that_are_read():
    compiled = possible_matches.compile_expressions()
    assert {boundaries.whole(pattern) for detector in detectors.load() for pattern in detector.regex} <= compiled.keys()
    for expression, ways in compiled.items():
        assert ways == possible_matches.alternatives(expression)


@given(st.lists(st.sampled_from(EXAMPLES), min_size=1, max_size=4))
def test_all_detectors_at_once_are_judged_as_one_by_one(values):
    groups = [possible_matches.packed_of_cells(detector.regex) for detector in detectors.load()]
    with from_arrow(pa.table({"x": values})) as dataset:
        texts = build(dataset, profile(dataset)[0], Settings()).texts
    one_by_one = [
        any(can_match(boundaries.whole(pattern), texts) for pattern in detector.regex) for detector in detectors.load()
    ]
    assert possible_matches.Requirements(groups).met_by(texts).tolist() == one_by_one


def test_an_expression_that_is_not_compiled_may_match_anything():
    shipped = boundaries.whole(detectors.load()[0].regex[0])
    groups = [possible_matches.packed((expression,)) for expression in ("^x$", shipped)]
    assert possible_matches.Requirements(groups).met_by(texts_of([" "])).tolist() == [True, False]


@given(st.lists(st.sampled_from(EXAMPLES), min_size=1, max_size=4))
def test_a_small_column_matches_as_without_the_shortcut(values):
    with from_arrow(pa.table({"x": values})) as dataset:
        column = build(dataset, profile(dataset)[0], Settings())
    for expression in EXPRESSIONS[:: len(EXPRESSIONS) // 40]:
        expected = np.asarray(pc.match_substring_regex(column.values, expression), dtype=bool)
        assert (column.matches(expression) == expected).all(), expression


@pytest.mark.parametrize(
    ("expression", "values"),
    [
        (r"^[0-9]{3}$", ["12", "21"]),  # too short
        (r"^[0-9]{3}$", ["1234", "2123"]),  # too long
        (r"^[0-9a-z]{3}$", ["1-2", "a-b"]),  # each value has a sign that no match has
    ],
)
def test_lengths_and_signs_exclude_expressions(expression, values):
    with from_arrow(pa.table({"x": values})) as dataset:
        column = build(dataset, profile(dataset)[0], Settings())
    assert not can_match(expression, column.texts)
    assert can_match(f"{expression}|{re.escape(values[0])}", column.texts)
