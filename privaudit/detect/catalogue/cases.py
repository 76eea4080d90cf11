"""Run the cases of detector packs.

Question: does each detector accept its cases, and nothing that only resembles them?
Method: the cases ``match`` and ``no_match`` are normalised like cells and given to their detector; those of a detector
by column name are column names. A detector of the user must have at least one case of each kind. Sentences test the
forms inside text. In addition, each case of a cell is put into a sentence, where it must be found, and so are three
look-alikes of it, where nothing may be found: with another check digit, and for numbers in a longer number and in
another word.
Limits: a case tests one value; the verdict on a column is the subject of resolver.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from privaudit.base.arrow import pa
from privaudit.base.records import dataclass
from privaudit.detect.catalogue import detectors, validators
from privaudit.detect.catalogue.detector import Detector
from privaudit.detect.catalogue.forms import Spec, specs_of
from privaudit.detect.catalogue.normalise import normalise, plain_text
from privaudit.model.headers import read_header, tokenise


@dataclass(frozen=True, slots=True)
class CaseResult:
    """The result of one case of a detector; ``number`` counts from 1; 0 means that the detector has no case."""

    pack: str
    detector: str
    kind: str
    number: int
    passed: bool

    @property
    def name(self) -> str:
        """Pack, detector and case, for messages."""
        return f"{self.pack}, {self.detector}: {self.kind}" + (f" {self.number}" if self.number else "")

    @property
    def why(self) -> str:
        """Why the case failed, without the value of the case; empty if it passed."""
        if self.passed:
            return ""
        if not self.number:
            return f'no case; add one to "{self.kind}"'
        outcome = {"match": "is rejected", "no_match": "is accepted"}
        return f"the case {outcome.get(self.kind, 'fails')}"


def test_packs(extra_dir: str | Path | None = None) -> tuple[CaseResult, ...]:  # noqa: PT028 - no test
    """Run the ``match`` and ``no_match`` cases of every detector, shipped and in `extra_dir`.

    Raises
    ------
    RuleError
        For a pack that fails validation.
    """
    return tuple(result for detector in detectors.load(extra_dir) for result in _cases(detector))


test_packs.__test__ = False  # type: ignore[attr-defined] # a public function, not a test


def _cases(detector: Detector) -> Iterable[CaseResult]:
    for kind, texts, wanted in (("match", detector.match, True), ("no_match", detector.no_match, False)):
        if detector.user and not texts and not detector.text:
            yield CaseResult(detector.pack, detector.label, kind, 0, passed=False)
        if detector.recognises_cells or detector.by_name:
            for number, got in enumerate(_accepted(detector, texts), 1):
                yield CaseResult(detector.pack, detector.label, kind, number, got == wanted)
    for spec in specs_of([detector]):
        for kind, sentences in _sentences(spec).items():
            for number, sentence in enumerate(sentences, 1):
                passed = is_found(spec, sentence) == (kind in ("text.match", "in text"))
                yield CaseResult(detector.pack, detector.label, kind, number, passed)


def _accepted(detector: Detector, texts: tuple[str, ...]) -> list[bool]:
    if not texts:
        return []
    if detector.by_name:
        return [any(read_header(text).match_strength(words) > 0 for words in detector.headers) for text in texts]
    return [bool(got) for got in detector.accepts(normalise(pa.array(texts)))]


def is_found(spec: Spec, sentence: str) -> bool:
    """Whether a form finds a valid value in a sentence."""
    readings = spec.readings(plain_text(sentence))
    return any(reading.valid and not reading.labelled for _, _, reading in readings)


def _sentences(spec: Spec) -> dict[str, list[str]]:
    values = list(values_of(spec))
    return {
        "text.match": list(spec.text.match),
        "text.no_match": list(spec.text.no_match),
        "in text": [sentence_of(spec, value) for value in values],
        "look-alike": [sentence_of(spec, other) for value in values for other in look_alikes(spec, value)],
    }


def values_of(spec: Spec) -> Iterator[str]:
    """Yield the cases of a cell that have the form of `spec`."""
    for value in map(plain_text, map(str.strip, spec.detector.match)):
        if any(re.fullmatch(form, value) for form in spec.forms):
            yield value


def sentence_of(spec: Spec, value: str) -> str:
    """Return a sentence with `value`, after a word that names it if the form needs one."""
    words = (*spec.text.words, *map(" ".join, map(tokenise, spec.detector.headers))) if spec.words else ()
    word = next((word for word in words if word.replace(" ", "").isalpha()), "on file")
    return f"Noted: {word} {value}, confirmed"


def look_alikes(spec: Spec, value: str) -> Iterator[str]:
    """Yield what resembles `value` and is not of its type: another check digit, a longer number, a part of a word."""
    digits = [place for place, char in enumerate(value) if char.isdigit()]
    changed = (
        f"{value[:place]}{(int(value[place]) + by) % 10}{value[place + 1 :]}"
        for place in reversed(digits)
        for by in (1, 2, 3)
    )
    check = validators.get(spec.validator) if spec.proves else None
    if check is not None:
        yield from [other for other in changed if not check(other)][:1]
    if spec.text.edges != "number":
        return
    yield value + "0123456789012345678901234567890123456789"
    yield f"x{value}x"
