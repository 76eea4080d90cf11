"""The confidence of verdicts: hand-set weights, calibrated on labelled tables.

Question: which share of the verdicts with such evidence is right?
Method: logistic regression over the evidence (`FEATURES`), fitted by learning/learn.py and stored as plain numbers in
``rules/reference/fusion.toml`` or in ``fusion.toml`` of the user's folder of rules. A file may also contain a second
regression that chooses among the readings of a column; without it the hand-set weights choose.
Limits: calibrated on the training tables; verdicts of a language model keep the weight of the model.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from privaudit import resources
from privaudit.detect.column import Column
from privaudit.detect.column_evidence import ColumnEvidence
from privaudit.detect.packs.detectors import LEARNED
from privaudit.detect.siblings.candidates import GUESS
from privaudit.detect.verdict import LEAST, Reading, akin, pronounce, weigh
from privaudit.errors import RuleError

Matrix = npt.NDArray[np.float64]
Vector = npt.NDArray[np.float64]
VERSION = "1"
FEATURES = (
    "weight",  # log-odds of the hand-set weight
    "margin",  # lead in log-odds over the next reading with another meaning
    "values",  # probability from the values alone
    "name",  # probability from the column name alone
    "generic",  # whether many ordinary columns look the same
    "pattern",
    "check_digit",
    "list",
    "shape",
    "header",
    "share",  # of matching cells
    "rivals",  # readings of at least 0.3 with another meaning
    "opaque",  # whether the column name has no meaning
    "plain",  # whether the column name marks an ordinary column
    "distinct",  # log10 of the number of distinct values
    "uniqueness",
)
_KINDS = ("pattern", "check-digit", "list", "shape", "header")


@dataclass(frozen=True, slots=True, kw_only=True)
class Logistic:
    """A logistic regression over `FEATURES`: ``1 / (1 + exp(-(intercept + sum w_j (x_j - center_j) / scale_j)))``."""

    center: tuple[float, ...]
    scale: tuple[float, ...]
    weights: tuple[float, ...]
    intercept: float

    def probability(self, features: Matrix) -> Vector:
        """Return the probability of each row; shape ``(n, len(FEATURES))`` gives ``(n,)``."""
        standard = (features - np.array(self.center)) / np.array(self.scale)
        odds = np.clip(standard @ np.array(self.weights) + self.intercept, -30, 30)
        probabilities: Vector = 1.0 / (1.0 + np.exp(-odds))
        return probabilities


@dataclass(frozen=True, slots=True, kw_only=True)
class Fusion:
    """The learned regressions: the confidence of a verdict and, if it was better than hand-set weights, the choice."""

    confidence: Logistic
    choice: Logistic | None = None


def describe(column: Column, readings: Sequence[Reading]) -> Matrix:
    """Return the evidence for each of `readings`, most probable first, shape ``(len(readings), len(FEATURES))``."""
    return np.array([_row(column, one, readings) for one in readings]).reshape(-1, len(FEATURES))


def decide(item: ColumnEvidence, fusion: Fusion) -> None:
    """Give the verdict on a column its learned confidence; choose it again if the choice is learned, too."""
    readings = weigh(item.column, item.evidence, item.named)
    if not readings or (item.verdict is None and fusion.choice is None):
        return
    features = describe(item.column, readings)
    best = choose(readings, features, fusion)
    if best is None:
        item.verdict = None
        return
    confidence = float(fusion.confidence.probability(features[best : best + 1])[0])
    if readings[best].probability <= GUESS and not readings[best].from_name:
        confidence = min(confidence, readings[best].probability)  # too few of these in training
    item.verdict = pronounce(item.column, readings[best], confidence)


def choose(readings: Sequence[Reading], features: Matrix, fusion: Fusion) -> int | None:
    """Return the position of the reading that is the verdict; None for plain data."""
    if fusion.choice is None:
        return 0 if readings[0].probability >= LEAST else None
    chances = fusion.choice.probability(features)
    best = int(np.argmax(chances))
    return best if chances[best] >= LEAST else None


def load(folder: str | Path | None = None) -> Fusion:
    """Return the learned regressions: of the user's `folder` of rules if it contains them, otherwise the shipped ones.

    Raises
    ------
    RuleError
        For a file that is not TOML, has other features, misses a key or contains a number that is not finite.
    """
    file = Path(folder) / LEARNED if folder is not None else None
    return _read(file) if file is not None and file.is_file() else _shipped()


@cache
def _shipped() -> Fusion:
    return _read(resources.path("rules", "reference", LEARNED))


def _read(file: Path) -> Fusion:
    try:
        content = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError):
        raise RuleError(
            f"{file.name} is not valid TOML.", hint="write it with: privaudit rules train"
        ) from None
    if content.get("version") != VERSION or content.get("features") != list(FEATURES):
        raise RuleError(
            f"{file.name} was written by another version.", hint="write it again with: privaudit rules train"
        )
    choice = content.get("choice")
    return Fusion(
        confidence=_logistic(content.get("confidence"), f"[confidence] of {file.name}"),
        choice=None if choice is None else _logistic(choice, f"[choice] of {file.name}"),
    )


def _logistic(table: Any, where: str) -> Logistic:
    wanted = {"center": len(FEATURES), "scale": len(FEATURES), "weights": len(FEATURES), "intercept": 1}
    if not isinstance(table, Mapping) or set(table) != set(wanted):
        raise RuleError(f"{where} must contain {', '.join(wanted)}.")
    numbers = {key: _numbers(table[key], n, f'"{key}" in {where}') for key, n in wanted.items()}
    if min(numbers["scale"]) <= 0:
        raise RuleError(f'"scale" in {where} must be greater than 0.')
    return Logistic(
        center=numbers["center"],
        scale=numbers["scale"],
        weights=numbers["weights"],
        intercept=numbers["intercept"][0],
    )


def _numbers(value: Any, n: int, where: str) -> tuple[float, ...]:
    listed = value if isinstance(value, list) else [value]
    plain = all(isinstance(x, (int, float)) and not isinstance(x, bool) and math.isfinite(x) for x in listed)
    if len(listed) != n or not plain:
        raise RuleError(f"{where} must be {n} finite number{'s' if n > 1 else ''}.")
    return tuple(float(x) for x in listed)


def _row(column: Column, reading: Reading, readings: Sequence[Reading]) -> list[float]:
    others = [r.probability for r in readings if r is not reading and not akin(r.entity, reading.entity)]
    kinds = {clue.kind for clue in reading.clues}
    weight = _log_odds(reading.probability)
    return [
        weight,
        weight - _log_odds(max(others, default=0.0)),
        reading.from_values,
        reading.from_name,
        float(reading.generic),
        *(float(kind in kinds) for kind in _KINDS),
        reading.share.value if reading.share else reading.n_cells / max(1, column.n_present),
        float(sum(p >= 0.3 for p in others)),
        float(column.header.is_opaque),
        float(column.header.is_ordinary),
        math.log10(max(1, column.n_distinct)),
        column.uniqueness,
    ]


def _log_odds(probability: float) -> float:
    kept = min(0.995, max(0.005, probability))
    return math.log(kept / (1 - kept))
