"""The ledger of a column: every claim about what it is, in the order it was made.

Question: which observations suggest that a column is of an entity type, and which exclude it?
Method: a witness makes claims for or against entity types, each with a weight in log-odds and the fact it rests on.
A claim against others lists those that it answers: they stay in the ledger and no longer count. Nothing is deleted or
changed, so that a decision is a function of the claims alone.
Limits: records only; `privaudit.detect.resolver` weighs them.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator
from dataclasses import field

from privaudit.base.arrays import Flags
from privaudit.base.records import dataclass
from privaudit.detect.column import Column
from privaudit.model import Clue, Contained, Estimate
from privaudit.model.wording import Fact

VALUES, NAME, MODEL, REMARK = "values", "name", "model", "remark"
"""Where a claim comes from: the values, also next to other columns; the column name; a language model; or a remark on
the entity type that was decided, which adds no weight."""
_LEAST, _MOST = 0.005, 0.995  # a claim is never certain
SPECIFIC = 0.7
"""Strength from which a claim of the values is not one that many ordinary columns make."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Claim:
    """For or against an entity type of one column, with at least one observation.

    Attributes
    ----------
    strength : float
        Probability of the entity type by this claim alone, 0 to 1; 0 for a claim against it.
    generic : bool
        Whether many ordinary columns look the same; such a claim yields to a column name that suggests another
        entity type.
    share : Estimate or None
        Share of matching cells where it was sampled; otherwise it is exact and follows from `n_cells`.
    locale : tuple of str
        Countries to which the form of a detector belongs.
    answers : tuple of Claim
        Earlier claims that no longer count.
    """

    entity: str
    strength: float = 0.0
    source: str = VALUES
    detail: str | None = None
    n_cells: int = 0
    clues: tuple[Clue, ...]
    generic: bool = False
    share: Estimate | None = None
    locale: tuple[str, ...] = ()
    answers: tuple[Claim, ...] = ()

    @property
    def is_for(self) -> bool:
        """Whether the claim supports the entity type."""
        return self.strength > 0

    def weight(self, prior: float) -> float:
        """Return the log-odds that the claim adds; one against takes away what the claims it answers have added."""
        if self.source == REMARK:
            return 0.0
        if self.is_for:
            return weight_of(self.strength, prior)
        return -max((claim.weight(prior) for claim in self.answers), default=0.0)

    @property
    def because(self) -> Fact:
        """The last observation, which made the difference."""
        return self.clues[-1].because


def log_odds(probability: float) -> float:
    """Return the log-odds of a probability, which is kept away from 0 and 1.

    Examples
    --------
    >>> log_odds(0.5), round(log_odds(1.0), 2)
    (0.0, 5.29)
    """
    kept = min(_MOST, max(_LEAST, probability))
    return math.log(kept / (1 - kept))


def weight_of(strength: float, prior: float) -> float:
    """Return what a claim adds to the log-odds of the prior; nothing where it is less likely than the prior.

    Examples
    --------
    >>> weight_of(0.25, 0.25), round(weight_of(0.75, 0.25), 2)
    (0.0, 2.2)
    """
    return max(0.0, log_odds(strength) - log_odds(prior))


def claim_for(
    column: Column,
    entity: str,
    strength: float,
    kind: str,
    because: Fact,
    *,
    earlier: tuple[Clue, ...] = (),
    later: tuple[Clue, ...] = (),
    cells: Flags | int | None = None,
    detail: str | None = None,
    generic: bool | None = None,
    share: Estimate | None = None,
    source: str = VALUES,
    locale: tuple[str, ...] = (),
) -> Claim:
    """Return a claim that `column` is of an entity type.

    Parameters
    ----------
    cells : bool array or int, optional
        The distinct values that match, or the number of cells; all match where it is not given.
    generic : bool, optional
        Where it is not given, a claim of the values that is weaker than `SPECIFIC` is.
    """
    n_cells = column.n_present if cells is None else cells if isinstance(cells, int) else column.cells(cells)
    clues = (*earlier, Clue(kind=kind, because=because), *later)
    generic = source == VALUES and strength < SPECIFIC if generic is None else generic
    return Claim(
        entity=entity, strength=strength, source=source, detail=detail, n_cells=n_cells, clues=clues,
        generic=generic, share=share, locale=locale,
    )  # fmt: skip


def against(entity: str, because: Fact, answers: Iterable[Claim] = ()) -> Claim:
    """Return a claim that the observation does not support an entity type, or answers earlier claims."""
    return Claim(entity=entity, clues=(Clue(kind="against", because=because),), answers=tuple(answers))


def contains(
    column: Column, entity: str, n_cells: int, kind: str, because: Fact, detail: str | None = None
) -> Contained:
    """Return that `n_cells` cells of `column` are of an entity type, whatever the column is."""
    clue, share = Clue(kind=kind, because=because), column.exact(n_cells)
    return Contained(entity=entity, detail=detail, n_cells=n_cells, share=share, evidence=(clue,))


MASKED = "masked"
"""The measurement of a column whose values are masked in part, and the detail of its entity type."""


@dataclass(frozen=True, slots=True)
class Measured:
    """A property of the column that is reported or read by other witnesses."""

    name: str
    value: float


Entry = Claim | Contained | Measured
"""What a witness yields: a claim about the column, what some of its cells contain, or a measurement."""


@dataclass(slots=True)
class Ledger:
    """The claims on one column, and what witnesses measured and counted on the way."""

    claims: list[Claim] = field(default_factory=list)
    contained: list[Contained] = field(default_factory=list)
    measurements: dict[str, float] = field(default_factory=dict)
    notes: list[Fact] = field(default_factory=list)
    _answered: set[Claim] = field(default_factory=set)

    def post(self, entries: Iterable[Entry]) -> None:
        """Add `entries`, each of which may depend on those before it."""
        for entry in entries:
            if isinstance(entry, Claim):
                self.claims.append(entry)
                self._answered.update(entry.answers)
            elif isinstance(entry, Contained):
                self.contained.append(entry)
            else:
                self.measurements[entry.name] = entry.value

    def standing(self, source: str = VALUES) -> list[Claim]:
        """Return the claims for entity types that no later claim answers, in their order."""
        return [c for c in self.claims if c.is_for and c.source == source and c not in self._answered]

    def strongest(self, *entities: str) -> Claim | None:
        """Return the strongest standing claim of the values for one of `entities`, None if the values support none."""
        known = [claim for claim in self.standing() if claim.entity in entities]
        return max(known, key=lambda claim: claim.strength, default=None)

    def strength_of_values(self, *entities: str) -> float:
        """Return how strongly the values support one of `entities`."""
        best = self.strongest(*entities)
        return 0.0 if best is None else best.strength

    @property
    def named(self) -> dict[str, Claim]:
        """The latest standing claim of the column name for each entity type."""
        return {claim.entity: claim for claim in self.standing(NAME)}

    def answer(self, entity: str, because: Fact, sources: Collection[str] = (VALUES,)) -> Iterator[Claim]:
        """Yield a claim that answers what `sources` state for `entity`, if they state anything."""
        answered = [claim for source in sources for claim in self.standing(source) if claim.entity == entity]
        if answered:
            yield against(entity, because, answered)
