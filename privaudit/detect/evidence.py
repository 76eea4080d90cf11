"""Evidence on one column, as detectors collect it: candidates, contained values, rejections, measurements.

Question: what does a detector hand to the verdict?
Method: a `Candidate` is an entity type with a strength and the clues for it; `Evidence` collects them for one column.
Limits: records only; `privaudit.detect.verdict` weighs them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from privaudit.model import Clue, Contained, Estimate, Rejected
from privaudit.wording import Fact, Number


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """An entity type that the values of a column suggest.

    Attributes
    ----------
    n_cells : int
        Rows whose value matches.
    strength : float
        Probability from the values alone, 0 to 1.
    generic : bool
        Whether many ordinary columns look the same; such a candidate yields to a column name that suggests another
        entity type.
    share : Estimate or None
        Share of matching cells where it was sampled; otherwise it is exact and follows from `n_cells`.
    locale : tuple of str
        Countries of a detector from a pack of the user.
    """

    entity: str
    detail: str | None = None
    n_cells: int
    strength: float
    clues: tuple[Clue, ...] = ()
    generic: bool = False
    share: Estimate | None = None
    locale: tuple[str, ...] = ()


@dataclass(slots=True)
class Evidence:
    """Everything the detectors state about one column.

    ``implausible`` holds, by entity type that the column name suggests, why the values cannot be of it.
    """

    candidates: list[Candidate] = field(default_factory=list)
    contained: list[Contained] = field(default_factory=list)
    rejected: list[Rejected] = field(default_factory=list)
    measurements: dict[str, float] = field(default_factory=dict)
    notes: list[Fact] = field(default_factory=list)
    implausible: dict[str, Fact] = field(default_factory=dict)

    def add(self, candidate: Candidate | None) -> None:
        """Keep a candidate, if there is one."""
        if candidate is not None:
            self.candidates.append(candidate)

    def has_candidate(self, entity: str) -> bool:
        """Whether any candidate is of this entity type."""
        return any(candidate.entity == entity for candidate in self.candidates)

    def remove(self, entity: str) -> None:
        """Remove all candidates of this entity type."""
        self.candidates[:] = [candidate for candidate in self.candidates if candidate.entity != entity]

    def reject(self, entity: str, because: Fact) -> None:
        """Keep the first reason why an entity type was rejected."""
        if all(item.entity != entity for item in self.rejected):
            self.rejected.append(Rejected(entity=entity, because=because))


def by_decade(years: float) -> Number:
    """Return a span of years, rounded down to decades: the exact span of two extremes would describe two people.

    Examples
    --------
    >>> by_decade(43.7).value, by_decade(9.2).value
    (40, 0)
    """
    return Number(value=int(years // 10) * 10)
