"""Expressions for engines find what the expressions of the detectors find."""

from __future__ import annotations

import re

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from privaudit.detect.catalogue import forms as catalogue
from privaudit.detect.catalogue.cases import sentence_of, values_of
from privaudit.detect.catalogue.expressions import portable

SENTENCES = pa.array(
    sorted(
        {
            sentence
            for spec in catalogue.specs()
            for sentence in (
                *spec.text.match, *spec.text.no_match, *(sentence_of(spec, value) for value in values_of(spec))
            )
        }
    )
)  # fmt: skip


def found_by(expression: str) -> set[int]:
    """Return the sentences in which RE2 finds an expression."""
    return {i for i, found in enumerate(pc.match_substring_regex(SENTENCES, expression).to_pylist()) if found}


@pytest.mark.slow
def test_every_form_of_a_detector_is_written_for_engines_and_finds_at_least_as_much():
    n_found = 0
    for spec in catalogue.specs():
        written, name = portable([spec.narrow]), spec.detector.label
        assert written is not None, name
        exact = found_by(spec.narrow)
        assert exact <= found_by(written), name
        assert {i for i, text in enumerate(SENTENCES.to_pylist()) if any(spec.readings(text))} <= exact, name
        n_found += len(exact)
    assert n_found > len(catalogue.specs())


def test_only_notation_that_all_engines_read_is_written():
    allowed = re.compile(r"\(\?:|[()|^$]|\{[0-9]+,[0-9]*\}|\[\^?(?:\\[\\\[\]^&~tnfr-]|[^\\\[\]\x00-\x1f\x7f])+\]")
    for spec in catalogue.specs():
        written = portable([spec.narrow]) or ""
        assert allowed.sub("", written) == "", spec.detector.label
        assert all(int(n) <= 255 for n in re.findall(r"[{,]([0-9]+)(?=[,}])", written))


@pytest.mark.parametrize(
    ("expression", "texts", "others"),
    [
        (r"(?i)\bab{2,300}\d", ["xABB1", "abbbb2"], ["ab1", "abb"]),
        (r"^[\]\\^-]+$", ["]", "\\^-"], ["a", ""]),
        (r"[^\n]\p{L}", ["1é", "1a"], ["\na", "1"]),
        (r"(?:a|b\.)?c+?$", ["b.c", "cc"], ["c-"]),
    ],
)
def test_texts_that_an_expression_finds_and_others(expression, texts, others):
    written = portable([expression])
    assert written is not None
    assert all(pc.match_substring_regex(pa.array(texts), written).to_pylist())
    assert not any(pc.match_substring_regex(pa.array(others), written).to_pylist())


def test_an_expression_that_is_not_read_is_not_sent():
    assert portable(["a", "[[:alpha:]]"]) is None
