"""Run the cases of detector packs.

Question: does each detector accept its ``match`` cases and reject its ``no_match`` cases?
Method: the cases are normalised like cells and given to their detector. The cases of a detector by column name are
column names. A detector of the user must have at least one case of each kind.
Limits: a case tests one value; the verdict on a column is the subject of verdict.py.
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
    """The result of one case of a detector; ``number`` counts from 1 and is 0 if there is no case."""

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
        if detector.user and not texts:
            yield CaseResult(detector.pack, detector.label, kind, 0, passed=False)
        for number, got in enumerate(_accepted(detector, texts), 1):
            yield CaseResult(detector.pack, detector.label, kind, number, got == wanted)


def _accepted(detector: Detector, texts: tuple[str, ...]) -> list[bool]:
    if not texts:
        return []
    if detector.by_name:
        return [
            any(read_header(text).match_strength(words) > 0 for words in detector.headers) for text in texts
        ]
    import pyarrow as pa

    from privaudit.detect.normalise import normalise

    return [bool(got) for got in detector.accepts(normalise(pa.array(texts)))]
