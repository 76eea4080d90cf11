"""The one place where claims are weighed.

Question: what is this column, with which probability, and why is it nothing else?
Method: the log-odds of an entity type are those of the prior plus the weights of the claims for it. Claims that rest on
the same observations count once: of the values the strongest claim, of the column name the strongest, and their weights
are added. A generic claim of the values (whole numbers like ages) counts little if a meaningful name suggests something
else or an ordinary column; a specific one (a proven check digit) outweighs any name. The prior, and how often decisions
with such a sum are right, are fitted by learning/learn.py and stored in ``rules/reference/fusion.toml``, or in
``fusion.toml`` of the user's folder of rules, with corpus and date.
Limits: values and column name count as independent. Verdicts of a language model keep the weight of the model.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from privaudit.base import resources
from privaudit.base.errors import RuleError
from privaudit.base.records import dataclass
from privaudit.base.typed import convert
from privaudit.detect.catalogue.detectors import LEARNED
from privaudit.detect.column import Column
from privaudit.detect.ledger import MASKED, MODEL, REMARK, Claim, Ledger, log_odds, weight_of
from privaudit.model import Clue, Estimate, Rejected, Verdict
from privaudit.model.headers import PLAIN
from privaudit.model.vocabulary import entity_type, with_trait
from privaudit.model.wording import EntityType, Number, fact

VERSION = "2"
PRIOR_RANGE = (0.05, 0.5)
"""A prior below counts every weak resemblance; above, claims that are more likely than not would add nothing."""
LEAST = 0.5  # more likely than not
GUESS = 0.53  # by hand: just more likely than not
"""Strength of an entity type that the other columns suggest and the values do not contradict."""
_UNRESOLVED = "UNRESOLVED_ID"
_MOST_BY_VALUES, _MOST_BY_NAME = 0.985, 0.95  # names and values can mislead: neither is certain alone
_SHOWN = 0.8  # by hand: a strength that only proven forms and long lists have
_DISPUTED = 0.85  # by hand: what remains of a column name where the values show something else
_AKIN = 0.5  # by hand: a name for another entity type of the family, such as "name" for given names, counts half
_UNEXPLAINED, _CONTRADICTED = 0.8, 0.45  # by hand: what remains of a generic claim under a name that does not agree
_REPORTED = 0.3  # probability from which an entity type that is not the decision is worth a line
_SUREST = 0.99  # the highest probability that is stated, because no sum of claims is certain


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """The prior, and the confidence as a function of the log-odds x: ``1 / (1 + exp(-(intercept + slope x)))``."""

    prior: float
    slope: float
    intercept: float

    def confidence(self, log_odds: float) -> float:
        """Return the share of decisions with these log-odds that is right."""
        return 1 / (1 + math.exp(-min(30.0, max(-30.0, self.intercept + self.slope * log_odds))))


@dataclass(frozen=True, slots=True)
class Reading:
    """An entity type with its log-odds and the evidence for it.

    ``from_values`` and ``from_name`` are the probabilities from each alone.
    """

    entity: str
    log_odds: float
    detail: str | None
    n_cells: int
    share: Estimate | None
    clues: tuple[Clue, ...]
    from_values: float = 0.0
    from_name: float = 0.0

    @property
    def probability(self) -> float:
        """Probability of the entity type by the claims alone."""
        return round(1 / (1 + math.exp(-self.log_odds)), 12)


class Decision(NamedTuple):
    """The most probable entity type of a column, if the claims suffice, and the verdict; None for plain data."""

    reading: Reading | None
    verdict: Verdict | None


def decide(column: Column, ledger: Ledger, weights: Weights) -> Decision:
    """Return what the claims on a column decide; every verdict is made here."""
    best = best_of(weigh(column, ledger, weights.prior))
    # The model reads what nothing else explains, and keeps the weight that was set for it.
    chosen = best or next(iter(ledger.standing(MODEL)), None)
    if chosen is None:
        return Decision(None, None)
    remarks = (clue for one in ledger.standing(REMARK) if one.entity == chosen.entity for clue in one.clues)
    verdict = Verdict(
        entity=chosen.entity,
        detail=MASKED if MASKED in ledger.measurements else chosen.detail,
        share=chosen.share or column.exact(chosen.n_cells),
        confidence=chosen.strength if isinstance(chosen, Claim) else _confidence(chosen, weights),
        evidence=(*chosen.clues, *remarks),
    )
    return Decision(best, verdict)


def _confidence(best: Reading, weights: Weights) -> float:
    """Return how often such decisions are right; training has too few of those that only other columns suggest."""
    confidence = weights.confidence(best.log_odds)
    if best.probability <= GUESS and not best.from_name:
        confidence = min(confidence, best.probability)
    return round(min(_SUREST, confidence), 2)


def best_of(readings: Sequence[Reading]) -> Reading | None:
    """Return the first of sorted readings if it is more likely than not."""
    return readings[0] if readings and readings[0].probability >= LEAST else None


def weigh(column: Column, ledger: Ledger, prior: float) -> list[Reading]:
    """Return every reading of `column`, the most probable first."""
    standing, named = ledger.standing(), ledger.named
    strongest = {c.entity: c for c in sorted(standing, key=lambda c: (c.strength, str(c.detail)))}
    shown = {c.entity for c in standing if not c.generic and c.strength >= _SHOWN}
    disputed = set(named) - set(strongest) if shown - set(named) else set()
    suggested = {e: c.strength * (_DISPUTED if e in disputed else 1.0) for e, c in named.items()}
    return order(
        _reading(column, entity, strongest.get(entity), named.get(entity), suggested, prior)
        for entity in {*strongest, *named}
    )


def order(readings: Iterable[Reading]) -> list[Reading]:
    """Return readings, the most probable first; an unresolved identifier is what no other entity type explains."""
    found = list(readings)
    explained = any(r.entity != _UNRESOLVED and r.probability >= LEAST for r in found)
    return sorted(
        found, key=lambda r: (r.entity == _UNRESOLVED and explained, -r.probability, -r.from_values, r.entity)
    )


def passed_over(readings: Sequence[Reading], best: Reading | None) -> Iterator[Rejected]:
    """Yield the readings that are not the decision, with the reason."""
    for reading in readings:
        if best is None:
            because = fact("detect.too_weak", probability=_stated(reading.probability))
            yield Rejected(entity=reading.entity, because=because)
        elif reading.probability >= _REPORTED and not akin(reading.entity, best.entity):
            because = fact(
                "detect.less_likely",
                better=EntityType(best.entity),
                probability=_stated(best.probability),
                other=_stated(reading.probability),
            )
            yield Rejected(entity=reading.entity, because=because)


def _stated(probability: float) -> Number:
    """Return a probability with two digits; neither impossible nor certain."""
    return Number(round(min(_SUREST, max(1 - _SUREST, probability)), 2))


@cache
def akin(one: str, other: str) -> bool:
    """Whether two entity types belong to one family, such as given names and person names."""
    return bool(set(entity_type(one).families) & set(entity_type(other).families))


def combine(prior: float, *strengths: float) -> float:
    """Return the log-odds by independent claims: those of the prior, and what each adds to them.

    Examples
    --------
    >>> round(combine(0.25, 0.5), 2), round(combine(0.25, 0.5, 0.5), 2), round(combine(0.25, 0.0, 0.2), 2)
    (0.0, 1.1, -1.39)
    """
    if max(strengths) <= prior:
        return log_odds(max(strengths))
    return log_odds(prior) + sum(weight_of(strength, prior) for strength in strengths)


def _reading(
    column: Column, entity: str, values: Claim | None, name: Claim | None, suggested: dict[str, float], prior: float
) -> Reading:
    """Return the reading of `entity` by the strongest claim of the values and by the column name.

    `suggested` is how strongly the column name suggests each entity type.
    """
    by_values = 0.0 if values is None else values.strength * _weight(column, entity, values, suggested)
    by_name = suggested.get(entity, 0.0)
    if values is not None and not by_name:
        by_name = _AKIN * max((s for other, s in suggested.items() if akin(entity, other)), default=0.0)
    if values is None and entity in with_trait("ambiguous_column_name") and by_name <= LEAST:
        by_name *= 0.9  # a bare "name" is a name of things in about as many tables as of people
    by_values, by_name = min(by_values, _MOST_BY_VALUES), min(by_name, _MOST_BY_NAME)
    if name is not None and by_values <= prior:
        values = None  # a claim that adds nothing to the sum is not evidence: most numbers are codes of some catalogue
    return Reading(
        entity,
        combine(prior, by_values, by_name),
        (values.detail if values else None) or (name.detail if name else None),
        values.n_cells if values else name.n_cells if name else column.n_present,
        values.share if values else None,
        (*(values.clues if values else ()), *(name.clues if name else ())),
        by_values,
        by_name,
    )


def _weight(column: Column, entity: str, claim: Claim, suggested: dict[str, float]) -> float:
    """Return how much a claim of the values counts, given what the column name suggests."""
    header = column.header
    agrees = any(entity == other or akin(entity, other) for other in suggested)
    if agrees or not claim.generic or header.is_opaque:
        return 1.0
    if entity == _UNRESOLVED and not header.is_ordinary:
        return _UNEXPLAINED
    # A meaning of the column name that the values contradict is not evidence against what they show.
    clear = any(hint.strength >= LEAST and hint.entity in (PLAIN, *suggested) for hint in header.hints)
    return _CONTRADICTED if clear or header.qualifier is not None else _UNEXPLAINED


def load_weights(folder: str | Path | None = None) -> Weights:
    """Return the fitted numbers: of the user's `folder` of rules if it contains them, otherwise the shipped ones.

    Raises
    ------
    RuleError
        For a file that is not TOML, is of another version, misses a key or contains a number out of range.
    """
    own = Path(folder or "") / LEARNED
    return _read_weights(own if folder and own.is_file() else resources.path("rules", "reference", LEARNED))


def _read_weights(file: Path) -> Weights:
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
