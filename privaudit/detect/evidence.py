"""What a detector hands to the verdict: a candidate entity with its weight and its reasons."""

from __future__ import annotations

from dataclasses import dataclass, field

from privaudit.model import Clue, Contained, Estimate, Rejected


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One reading of a column from its values.

    Attributes
    ----------
    n_cells : int
        Rows whose value fits.
    strength : float
        Probability from the values alone, 0 to 1.
    generic : bool
        Whether many ordinary columns look so too; such a reading gives way to a name that says otherwise.
    share : Estimate or None
        Share of cells that fit, where it was sampled; else it is exact and follows from `n_cells`.
    locale : tuple of str
        Countries to which a detector of the user's own is bound.
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
class Findings:
    """All that the detectors say of one column, gathered."""

    candidates: list[Candidate] = field(default_factory=list)
    contained: list[Contained] = field(default_factory=list)
    rejected: list[Rejected] = field(default_factory=list)
    facts: dict[str, float] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def add(self, candidate: Candidate | None) -> None:
        """Keep a candidate if there is one."""
        if candidate is not None:
            self.candidates.append(candidate)

    def reject(self, entity: str, because: str) -> None:
        """Keep a candidate that was turned down; one reason for each entity is enough."""
        if all(item.entity != entity for item in self.rejected):
            self.rejected.append(Rejected(entity=entity, because=because))


def percent(share: float) -> str:
    """Return a share as words: 99.96 % is not 100 %."""
    if share >= 1:
        return "all"
    if share <= 0:
        return "none"
    return f"{min(99.9, max(0.1, share * 100)):.1f} %"


def decades(span: float) -> str:
    """Return a number of years in words, by the decade: the exact distance of two extremes would tell of two people."""
    return "less than 10 years" if span < 10 else f"{span // 10 * 10:.0f} years or more"


def duration(seconds: float) -> str:
    """Return a time in words a person can weigh: the largest unit of which there is one or more."""
    if seconds < 1:
        return "less than a second"
    unit, word = next(
        ((size, word) for size, word in ((86400, "day"), (3600, "hour"), (60, "minute")) if seconds >= size),
        (1, "second"),
    )
    n = round(seconds / unit)
    return f"{n:,} {word}{'' if n == 1 else 's'}"
