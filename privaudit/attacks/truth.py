"""How many links are right? Counted where the truth is known, expected where it is not.

Question: what is a unique match worth?
Method: with ids in both tables, a link is right if the only matching record is the target's own. Targets are
the auxiliary rows whose person has a record in the release; the others are the control, all of whose links
are false. Guessing means naming a released record at random; naming the same one always does as well on
average. Without ids, see `privaudit.attacks.match.Matches`.
Limits: rows, not people, are counted; a person with several rows is several targets.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from privaudit.attacks.match import Counts, Flags, Matches, people, read_pairs
from privaudit.attacks.success import wilson
from privaudit.model import Estimate, Limit, untyped_limit

if TYPE_CHECKING:
    from privaudit.source.dataset import Dataset


@dataclass(frozen=True, slots=True)
class Rates:
    """What the links are worth.

    ``claimed`` is the share of targets linked to exactly one record, rightly or not; `control` the same for people
    who are not in the release; `precision` the share of unique links that are right.
    """

    n_targets: int
    n_correct: int | None
    success: Estimate
    claimed: Estimate
    baseline: float
    control: Estimate | None
    precision: Estimate | None
    limits: tuple[Limit, ...] = ()


def without_truth(found: Matches, n_release: int) -> Rates:
    """Return the rates that can be expected where nobody knows who is who."""
    n = len(found.in_release)
    expected = min(found.expected_correct, float(n))
    why = (
        "no truth was given, so success is what is expected if as many targets as can be are in the release; "
        "--truth names the columns that hold a person's id in both tables"
    )
    limit = untyped_limit(what="correct links were not counted", why=why)
    success = wilson(expected, n, method="expected-wilson")
    return Rates(n, None, success, success, 1 / n_release, None, None, (limit,))


@dataclass(frozen=True, slots=True)
class Truth:
    """Who is who.

    Attributes
    ----------
    release, auxiliary : int64 arrays
        Number of the person behind each row, -1 where unknown.
    inside : bool array
        Whether an auxiliary row's person has a record in the release.
    """

    release: Counts
    auxiliary: Counts
    inside: Flags

    @classmethod
    def read(cls, release: Dataset, auxiliary: Dataset, columns: Mapping[str, str]) -> Truth:
        """Read the ids of both tables, compared as they stand."""
        ours, theirs = people(*read_pairs(release, auxiliary, columns, exact=True))
        present = np.zeros(int(max(ours.max(initial=0), theirs.max(initial=0))) + 2, dtype=bool)
        present[ours] = True
        present[-1] = False  # where ids are missing
        return cls(ours, theirs, present[theirs])

    def rates(self, found: Matches) -> Rates:
        """Count the right links, and the false ones of people who are not in the release."""
        unique = found.in_release == 1
        correct = unique & self.inside
        correct[correct] = self.release[found.record[correct]] == self.auxiliary[correct]
        outside = ~self.inside & (self.auxiliary >= 0)
        n_targets, n_outside, n_correct = int(self.inside.sum()), int(outside.sum()), int(correct.sum())
        success = wilson(n_correct, n_targets)
        control = wilson(int((unique & outside).sum()), n_outside) if n_outside else None
        precision = wilson(n_correct, int(unique.sum())) if unique.any() else None
        claimed = wilson(int((unique & self.inside).sum()), n_targets)
        limits = self._limits(control)
        return Rates(n_targets, n_correct, success, claimed, self._guess(), control, precision, limits)

    def _guess(self) -> float:
        """Return the success of naming a random record: the mean over targets of their records over all."""
        records = np.bincount(self.release[self.release >= 0], minlength=int(self.auxiliary.max()) + 1)
        held = records[self.auxiliary[self.inside]]
        return float(int(held.sum()) / (len(self.release) * len(held)))

    def _limits(self, control: Estimate | None) -> tuple[Limit, ...]:
        limits = []
        if control is None:
            why = "every auxiliary row with an id is of a person in the release"
            limits.append(untyped_limit(what="the control was not measured", why=why))
        nameless = int((self.auxiliary < 0).sum())
        if nameless:
            limits.append(
                untyped_limit(
                    what=f"{nameless:,} auxiliary rows are neither target nor control",
                    why="their true id is missing",
                )
            )
        people = self.auxiliary[self.auxiliary >= 0]
        if np.bincount(people, minlength=1).max() > 1:
            limits.append(
                untyped_limit(what="targets are rows, not people", why="some people have several auxiliary rows")
            )
        return tuple(limits)
