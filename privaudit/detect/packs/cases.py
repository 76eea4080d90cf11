"""Run the cases that detectors bring along: do they accept what they say, and nothing else they name?

Question: do a pack's own examples hold?
Method: the examples are normalised as cells are and given to their detector. One that goes by column names alone has
names of columns for examples. A detector of the user's own must bring an example on either side.
Limits: an example shows one value; the columns of a table are judged by verdict.py.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from privaudit.detect.packs import detectors
from privaudit.detect.packs.detector import Detector
from privaudit.headers import read_header


@dataclass(frozen=True, slots=True)
class CaseResult:
    """What a detector made of one of its own examples; ``number`` counts from 1, 0 where there is none."""

    pack: str
    detector: str
    kind: str
    number: int
    passed: bool

    @property
    def name(self) -> str:
        """Pack, detector and example in one line."""
        return f"{self.pack}, {self.detector}: {self.kind}" + (f" {self.number}" if self.number else "")

    @property
    def why(self) -> str:
        """What went wrong, without the example itself; empty where nothing did."""
        if self.passed:
            return ""
        if not self.number:
            return f'there is no case; add one to "{self.kind}"'
        said = {"match": "is not accepted", "no_match": "is accepted"}
        return f"the example {said.get(self.kind, 'fails')}"


def test_packs(extra_dir: str | Path | None = None) -> tuple[CaseResult, ...]:  # noqa: PT028 - no test
    """Run the ``match`` and ``no_match`` cases of every detector, shipped and in `extra_dir`.

    Raises
    ------
    RuleError
        For a pack that breaks a law.
    """
    return tuple(result for detector in detectors.load(extra_dir) for result in _cases(detector))


test_packs.__test__ = False  # type: ignore[attr-defined] # a public function, not a test


def _cases(detector: Detector) -> Iterable[CaseResult]:
    for kind, texts, wanted in (("match", detector.match, True), ("no_match", detector.no_match, False)):
        if detector.user and not texts:
            yield CaseResult(detector.pack, detector.label, kind, 0, passed=False)
        for number, got in enumerate(_accepted(detector, texts), 1):
            yield CaseResult(detector.pack, detector.label, kind, number, got == wanted)


def _accepted(detector: Detector, texts: tuple[str, ...]) -> list[bool]:
    if not texts:
        return []
    if detector.by_name:
        return [any(read_header(text).match_strength(words) > 0 for words in detector.headers) for text in texts]
    import pyarrow as pa

    from privaudit.detect.normalise import normalise

    return [bool(got) for got in detector.accepts(normalise(pa.array(texts)))]
