"""The fitted numbers of the resolver, which live in ``fusion.toml``.

Question: how likely is an entity type before any claim, and which share of decisions with such a sum is right?
Method: a prior, and a logistic curve over the log-odds of decisions, fitted by learning/learn.py and stored as plain
numbers in ``rules/reference/fusion.toml`` or in ``fusion.toml`` of the user's folder of rules, with corpus and date.
Limits: fitted on labelled tables; verdicts of a language model keep the weight of the model.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

from privaudit import resources
from privaudit.catalogue.detectors import LEARNED
from privaudit.errors import RuleError
from privaudit.typed import convert

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
    own = Path(folder or "") / LEARNED
    return _read(own if folder and own.is_file() else resources.path("rules", "reference", LEARNED))


def _read(file: Path) -> Weights:
    low, high = PRIOR_RANGE
    try:
        content = resources.read_toml(file)
        found: Weights = convert({"prior": content["prior"], **content["confidence"]}, Weights)
        valid = content["version"] == VERSION and low <= found.prior <= high
    except (RuleError, KeyError, TypeError, ValueError):
        valid = False
    if not valid:
        raise RuleError(
            f"{file.name} is damaged or of another version.", hint="write it again with: privaudit rules train"
        )
    return found
