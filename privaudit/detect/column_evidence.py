"""One column during detection: its values, the claims about it, and what they decide."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from itertools import chain

from privaudit.base.records import dataclass
from privaudit.detect.calendars import Calendar, calendar_of
from privaudit.detect.column import Column
from privaudit.detect.grouped_values import first_values
from privaudit.detect.ledger import REMARK, Claim, Entry, Ledger
from privaudit.detect.resolver import Decision, Reading, Weights, decide, passed_over, weigh
from privaudit.model import Clue, Rejected, Verdict


@dataclass(slots=True)
class ColumnEvidence:
    """One column through detection; `verdict` and `entity` follow from its ledger and the fitted `weights`."""

    column: Column
    weights: Weights
    ledger: Ledger = field(default_factory=Ledger)
    _decided: tuple[int, Decision] = field(default=(0, Decision(None, None)), repr=False)

    def post(self, entries: Iterable[Entry]) -> None:
        """Add what a witness yields to the ledger."""
        self.ledger.post(entries)

    @property
    def decision(self) -> Decision:
        """What the claims decide; computed again where claims were added."""
        if self._decided[0] != len(self.ledger.claims):
            self._decided = (len(self.ledger.claims), decide(self.column, self.ledger, self.weights))
        return self._decided[1]

    @property
    def verdict(self) -> Verdict | None:
        """The decision as it is reported; None for plain data."""
        return self.decision.verdict

    @property
    def reading(self) -> Reading | None:
        """The most probable entity type, if it is decided on."""
        return self.decision.reading

    @property
    def entity(self) -> str | None:
        """Entity type of the verdict."""
        return None if self.verdict is None else self.verdict.entity

    @property
    def calendar(self) -> Calendar:
        """The values read as dates, or the first values of groups."""
        return calendar_of(first_values(self.column))

    @property
    def has_groups(self) -> bool:
        """Whether the values are names of groups, such as "2021-01 to 2021-09"."""
        return first_values(self.column).periods is not None

    @property
    def is_unexplained(self) -> bool:
        """Whether nothing is decided yet and the column name has no meaning."""
        return self.verdict is None and self.column.header.is_opaque

    def is_generic(self, entity: str) -> bool:
        """Whether the column is of `entity`, without a meaningful name and by a shape that many columns have."""
        read = (claim for claim in self.ledger.standing() if claim.entity == entity)
        return self.entity == entity and self.column.header.is_opaque and all(claim.generic for claim in read)

    @property
    def rejected(self) -> tuple[Rejected, ...]:
        """The entity types that were considered and rejected, each with the first reason."""
        against = (Rejected(entity=c.entity, because=c.because) for c in self.ledger.claims if not c.is_for)
        less_likely = passed_over(weigh(self.column, self.ledger, self.weights.prior), self.reading)
        first: dict[str, Rejected] = {}
        for one in chain(against, less_likely):
            first.setdefault(one.entity, one)
        return tuple(one for one in first.values() if one.entity != self.entity)


def remark(entity: str, clue: Clue) -> Claim:
    """Return an observation about the entity type that was decided, which adds no weight."""
    return Claim(entity=entity, strength=1.0, source=REMARK, clues=(clue,))
