"""One column during detection: its values, the claims about it, and what they decide."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from privaudit.detect.calendars import Calendar
from privaudit.detect.column import Column
from privaudit.detect.ledger import MODEL, REMARK, Claim, Entry, Ledger
from privaudit.detect.resolver import Reading, passed_over, resolve, weigh
from privaudit.detect.weights import Weights
from privaudit.model import Clue, Rejected, Verdict


@dataclass(slots=True)
class ColumnEvidence:
    """One column through detection.

    Attributes
    ----------
    column : Column
    calendar : Calendar
        Its values read as dates.
    ledger : Ledger
        The claims so far. `verdict` and `entity` follow from them.
    weights : Weights
        The fitted numbers of the resolver.
    undecided_names : bool
        Whether the values have the form of person names and no detector could decide.
    """

    column: Column
    calendar: Calendar
    ledger: Ledger
    weights: Weights
    undecided_names: bool = False
    _decided: tuple[int, Reading | None, Verdict | None] = field(default=(-1, None, None), repr=False)

    def post(self, entries: Iterable[Entry]) -> None:
        """Add what a witness yields to the ledger."""
        self.ledger.post(entries)

    @property
    def verdict(self) -> Verdict | None:
        """What the claims decide; None for plain data."""
        return self._resolved()[2]

    @property
    def reading(self) -> Reading | None:
        """The most probable entity type, if it is decided on."""
        return self._resolved()[1]

    @property
    def entity(self) -> str | None:
        """Entity type of the verdict."""
        verdict = self.verdict
        return None if verdict is None else verdict.entity

    @property
    def rejected(self) -> tuple[Rejected, ...]:
        """The entity types that were considered and rejected, each with the first reason."""
        first = {one.entity: one for one in self.ledger.rejected}
        for one in passed_over(weigh(self.column, self.ledger, self.weights.prior), self.reading):
            first.setdefault(one.entity, one)
        return tuple(one for one in first.values() if one.entity != self.entity)

    def _resolved(self) -> tuple[int, Reading | None, Verdict | None]:
        if self._decided[0] != len(self.ledger.claims):  # claims are only added: a new number is a new state
            self._decided = (len(self.ledger.claims), *self._resolve())
        return self._decided

    def _resolve(self) -> tuple[Reading | None, Verdict | None]:
        best, confidence = resolve(self.column, self.ledger, self.weights)
        # The model reads what nothing else explains, and keeps the weight that was set for it.
        chosen = best or next(iter(self.ledger.standing(MODEL)), None)
        if chosen is None:
            return None, None
        remarks = (c for one in self.ledger.standing(REMARK) if one.entity == chosen.entity for c in one.clues)
        return best, Verdict(
            entity=chosen.entity,
            detail=chosen.detail,
            share=chosen.share or self.column.exact(chosen.n_cells),
            confidence=chosen.strength if isinstance(chosen, Claim) else round(min(0.99, confidence), 2),
            evidence=(*chosen.clues, *remarks),
        )


def remark(entity: str, clue: Clue) -> Claim:
    """Return an observation about the entity type that was decided, which adds no weight."""
    return Claim(entity=entity, strength=1.0, source=REMARK, clues=(clue,))

