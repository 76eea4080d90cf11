"""The fitted numbers of the resolver, which live in ``fusion.toml``.

Question: how likely is an entity type before any claim, and which share of decisions with such a sum is right?
Method: a prior, and a logistic curve over the log-odds of decisions, fitted by learning/learn.py and stored as plain
numbers in ``rules/reference/fusion.toml`` or in ``fusion.toml`` of the user's folder of rules, with corpus and date.
Limits: fitted on labelled tables; verdicts of a language model keep the weight of the model.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from privaudit import resources
from privaudit.catalogue.detectors import LEARNED
from privaudit.errors import RuleError

VERSION = "2"
PRIOR_RANGE = (0.05, 0.5)
"""A prior below counts every weak resemblance; above, claims that are more likely than not would add nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """The prior, and the confidence as a function of the log-odds x: ``1 / (1 + exp(-(intercept + slope x)))``."""

    prior: float
    slope: float
    intercept: float

    def confidence(self, log_odds: float) -> float:
        """Return the share of decisions with these log-odds that is right."""
        return 1 / (1 + math.exp(-min(30.0, max(-30.0, self.intercept + self.slope * log_odds))))


def load(folder: str | Path | None = None) -> Weights:
    """Return the fitted numbers: of the user's `folder` of rules if it contains them, otherwise the shipped ones.

    Raises
    ------
    RuleError
        For a file that is not TOML, is of another version, misses a key or contains a number out of range.
    """
    file = Path(folder) / LEARNED if folder is not None else None
    return _read(file) if file is not None and file.is_file() else _shipped()


@cache
def _shipped() -> Weights:
    return _read(resources.path("rules", "reference", LEARNED))


def _read(file: Path) -> Weights:
    try:
        content = resources.read_toml(file)
    except RuleError:
        raise RuleError(
            f"{file.name} is not valid TOML.", hint="write it with: privaudit rules train"
        ) from None
    if content.get("version") != VERSION:
        raise RuleError(
            f"{file.name} was written by another version.", hint="write it again with: privaudit rules train"
        )
    low, high = PRIOR_RANGE
    prior = _number(content.get("prior"), f'"prior" in {file.name}')
    if not low <= prior <= high:
        raise RuleError(f'"prior" in {file.name} must be from {low} to {high}.')
    curve = content.get("confidence")
    if not isinstance(curve, dict) or set(curve) != {"slope", "intercept"}:
        raise RuleError(f"[confidence] of {file.name} must contain slope, intercept.")
    slope, intercept = (_number(curve[key], f'"{key}" in {file.name}') for key in ("slope", "intercept"))
    return Weights(prior=prior, slope=slope, intercept=intercept)


def _number(value: Any, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise RuleError(f"{where} must be a finite number.")
    return float(value)
