"""How many links are correct? Counted where the truth is known, expected otherwise.

Question: what is a unique match worth?
Method: with person IDs in both tables, a link is correct if the only matching record belongs to the target. Targets are
the auxiliary rows whose person has a record in the release; the others are the control, whose links are all false.
Guessing means naming a released record at random; always naming the same record does as well on average. Without IDs,
see `privaudit.attacks.record_matches.Matches.expected_correct`.
Limits: rows are counted, not people; a person with several rows is several targets.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from privaudit.attacks.record_matches import Counts, Flags, Matches, number_people, read_pairs
from privaudit.model import Limit, limit
from privaudit.stats import Estimate, wilson
from privaudit.wording import Count

if TYPE_CHECKING:
    from privaudit.source.dataset import Dataset


@dataclass(frozen=True, slots=True)
class LinkRates:
    """What the links are worth.

    Attributes
    ----------
    n_targets : int
    n_correct : int or None
        Correct links, None where they are expected only.
    success : Estimate
        Correct links over targets.
    claimed : Estimate
        Targets with exactly one matching record, correct or not, over targets.
    baseline : float
        The success of guessing.
    control : Estimate or None
        The same as `claimed` for people who are not in the release.
    precision : Estimate or None
        The correct share of unique matches.
    limits : tuple of Limit
    """

    n_targets: int
    n_correct: int | None
    success: Estimate
    claimed: Estimate
    baseline: float
    control: Estimate | None
    precision: Estimate | None
    limits: tuple[Limit, ...] = ()


def expected_rates(matches: Matches, n_release: int) -> LinkRates:
    """Return the rates to be expected where the true links are not known."""
    n = len(matches.in_release)
    expected = min(matches.expected_correct, float(n))
    success = wilson(expected, n, method="expected-wilson")
    return LinkRates(n, None, success, success, 1 / n_release, None, None, (limit("attacks.truth_not_given"),))


@dataclass(frozen=True, slots=True)
class Truth:
    """The person behind each row.

    Attributes
    ----------
    release, auxiliary : int64 arrays
        Number of the person behind each row, -1 where unknown.
    inside : bool array
        Whether the person of an auxiliary row has a record in the release.
    """

    release: Counts
    auxiliary: Counts
    inside: Flags

    @classmethod
    def read(cls, release: Dataset, auxiliary: Dataset, columns: Mapping[str, str]) -> Truth:
        """Read the person IDs of both tables; they are compared as written."""
        ours, theirs = number_people(*read_pairs(release, auxiliary, columns, exact=True))
        present = np.zeros(int(max(ours.max(initial=0), theirs.max(initial=0))) + 2, dtype=bool)
        present[ours] = True
        present[-1] = False  # where IDs are missing
        return cls(ours, theirs, present[theirs])

    def rates(self, matches: Matches) -> LinkRates:
        """Count the correct links, and the false links of people who are not in the release."""
        unique = matches.in_release == 1
        correct = unique & self.inside
        correct[correct] = self.release[matches.record[correct]] == self.auxiliary[correct]
        outside = ~self.inside & (self.auxiliary >= 0)
        n_targets, n_outside, n_correct = int(self.inside.sum()), int(outside.sum()), int(correct.sum())
        success = wilson(n_correct, n_targets)
        control = wilson(int((unique & outside).sum()), n_outside) if n_outside else None
        precision = wilson(n_correct, int(unique.sum())) if unique.any() else None
        claimed = wilson(int((unique & self.inside).sum()), n_targets)
        limits = self._limits(control)
        return LinkRates(n_targets, n_correct, success, claimed, self._guess(), control, precision, limits)

    def _guess(self) -> float:
        """Return the success of naming a random record: the mean over targets of their records over all."""
        records = np.bincount(self.release[self.release >= 0], minlength=int(self.auxiliary.max()) + 1)
        present = records[self.auxiliary[self.inside]]
        return float(int(present.sum()) / (len(self.release) * len(present)))

    def _limits(self, control: Estimate | None) -> tuple[Limit, ...]:
        limits = []
        if control is None:
            limits.append(limit("attacks.no_control"))
        n_without_id = int((self.auxiliary < 0).sum())
        if n_without_id:
            rows = Count(n=n_without_id, unit="row")
            limits.append(limit("attacks.auxiliary_without_id", rows=rows))
        people = self.auxiliary[self.auxiliary >= 0]
        if np.bincount(people, minlength=1).max() > 1:
            limits.append(limit("attacks.targets_are_rows"))
        return tuple(limits)
