"""Numbers after words with accents and in other scripts: every word of the catalogue is found before a valid number."""

from __future__ import annotations

import pytest

from privaudit.detect.catalogue import detectors
from privaudit.detect.catalogue.forms import Spec
from privaudit.detect.text.embedded import find_spans

CASES = [
    pytest.param(spec.entity, word, one.match[0], id=f"{one.detail}-{word}")
    for one in detectors.load()
    for spec in (Spec(one, form) for form in one.text[:1])
    for word in (spec.text.words or one.headers)
    if spec.worded and one.match and not word.isascii() and word.replace(" ", "").isalpha()
]


@pytest.mark.quick_cases(9)
@pytest.mark.parametrize(("entity", "word", "value"), CASES)
def test_a_word_in_its_own_script_names_the_number_after_it(entity, word, value):
    found = {kind for _, _, kind, _ in find_spans(f"{word} {value}")}
    assert entity in found
    assert entity not in {kind for _, _, kind, _ in find_spans(f"{word} {value[:-2]}")}


@pytest.mark.parametrize("word", ["cedula", "cédula", "CÉDULA", "Cédula"])
def test_a_word_is_the_same_with_its_accents_and_without(word):
    assert [detail for *_, detail in find_spans(f"{word} 1714307103")] == ["ec.ci"]
