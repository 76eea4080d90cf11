"""Risk in people where a person has several rows, and how few known items single out a person.

Question: an attacker knows one, two, three or four items of a person; does anybody else have all of them?
Method: every person is the set of distinct items (classes over the quasi-identifiers) in that person's rows.
For one known item the answer is exact. For more, people and items are drawn by a seeded generator, and each draw
checks whether anybody else has all the drawn items (de Montjoye, Hidalgo, Verleysen, Blondel 2013, "Unique in the
crowd").
Limits: the attacker knows whole items, drawn at random from those of the person, and knows that the person is in the
table. For people with fewer items than are known, all their items are known. Frequency and order of items are ignored;
both would single out more people.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from privaudit.base.records import dataclass
from privaudit.model import ClassSizeTable, Limit, SubjectRisk, limit
from privaudit.model.stats import Estimate, exact, wilson
from privaudit.model.wording import Columns, Count
from privaudit.risk.codes.people import People, ordered_by_content

Ints = npt.NDArray[np.integer[Any]]

DRAWS = 2000
"""People drawn for each number of known items: the interval is about two percentage points either side."""
MOST_KNOWN = 4
BLOCK = 512


@dataclass(frozen=True, slots=True)
class Histories:
    """The distinct items of every person, ascending, one person after another.

    Attributes
    ----------
    item : int64 array of shape (h,)
        Items, 0 to `n_items` - 1; those of person i are ``item[start[i]:start[i + 1]]``.
    start : int64 array of shape (n_people + 1,)
    holders : int64 array of shape (h,)
        People, those of item j are ``holders[first[j]:first[j + 1]]``.
    first : int64 array of shape (n_items + 1,)
    """

    item: npt.NDArray[np.int64]
    start: npt.NDArray[np.int64]
    holders: npt.NDArray[np.int64]
    first: npt.NDArray[np.int64]

    @classmethod
    def of(cls, people: Ints, items: Ints) -> Histories:
        """Build the histories from pairs of person and item, which may repeat.

        Parameters
        ----------
        people, items : int arrays of shape (p,)
            Both numbered from 0 without gaps.

        Raises
        ------
        ValueError
            If there are no pairs, or the arrays differ in length.
        """
        if not len(people) or len(people) != len(items):
            raise ValueError("people and items must have the same length, 1 or more")
        n_people, n_items = int(people.max()) + 1, int(items.max()) + 1
        pairs = np.sort(np.asarray(people, np.int64) * n_items + items)
        person, item = np.divmod(pairs[np.append(True, pairs[1:] != pairs[:-1])], n_items)
        sorted_item, holders = np.divmod(np.sort(item * n_people + person), n_people)
        return cls(item, _offsets(person, n_people), holders, _offsets(sorted_item, n_items))

    @property
    def n_people(self) -> int:
        """People in the table."""
        return len(self.start) - 1

    @property
    def items_per_person(self) -> npt.NDArray[np.int64]:
        """Distinct items of each person, 1 or more."""
        return np.diff(self.start)

    @property
    def people_per_item(self) -> npt.NDArray[np.int64]:
        """People who have each item, 1 or more: the class sizes in people, not rows."""
        return np.diff(self.first)

    def ordered(self) -> npt.NDArray[np.int64]:
        """Return the people in an order of their items, whatever their numbers are."""
        return ordered_by_content(np.repeat(np.arange(self.n_people), self.items_per_person), self.item)

    def of_person(self, person: int) -> npt.NDArray[np.int64]:
        """Return the items of one person, ascending."""
        return self.item[self.start[person] : self.start[person + 1]]

    def fewest_sharing(self) -> npt.NDArray[np.int64]:
        """Return, for each person, the fewest people who share one of their items (the person included)."""
        return np.minimum.reduceat(self.people_per_item[self.item], self.start[:-1])

    def fingerprint_sizes(self) -> npt.NDArray[np.int64]:
        """Return the number of people in each class of people whose sets of items are equal, ascending."""
        sets = (self.item[a:b].tobytes() for a, b in pairwise(self.start.tolist()))
        return np.sort(np.fromiter(Counter(sets).values(), np.int64))

    def is_shared(self, person: int, known: npt.NDArray[np.int64]) -> bool:
        """Return whether anybody but `person` has all the items in `known`, from the holders of the rarest item."""
        # Whoever has all items has the rarest, whose holders are the fewest to look through. Only the known items are
        # counted: there is one call for each draw.
        rarest = known[np.argmin(self.first[known + 1] - self.first[known])]
        candidates = self.holders[self.first[rarest] : self.first[rarest + 1]]
        rest = [self.holders[self.first[j] : self.first[j + 1]] for j in known if j != rarest]
        for at in range(0, len(candidates), BLOCK):
            left = candidates[at : at + BLOCK]
            left = left[left != person]
            for holders in rest:
                place = np.minimum(np.searchsorted(holders, left), len(holders) - 1)
                left = left[holders[place] == left]
            if len(left):
                return True
        return False


def _offsets(sorted_labels: npt.NDArray[np.int64], n: int) -> npt.NDArray[np.int64]:
    return np.searchsorted(sorted_labels, np.arange(n + 1))


def unicity(histories: Histories, known: int, *, seed: int, draws: int = DRAWS) -> Estimate:
    """Return the share of people whom `known` of their items single out, drawn at random.

    Parameters
    ----------
    histories : Histories
    known : int
        Items the attacker knows, 1 or more.
    seed : int
        Seed of the generator that draws people (from an order of their items) and items.
    draws : int
        People drawn; where there are fewer people, each is drawn several times.

    Returns
    -------
    Estimate
        Exact for one known item, and where nobody has more items than are known; otherwise with a Wilson interval.

    Raises
    ------
    ValueError
        If `known` is below 1.
    """
    if known < 1:
        raise ValueError("known must be at least one item")
    if known == 1:
        return exact(_share_by_one(histories), histories.n_people)
    if (histories.items_per_person <= known).all() and histories.n_people <= draws:
        alone = sum(not histories.is_shared(i, histories.of_person(i)) for i in range(histories.n_people))
        return exact(alone / histories.n_people, histories.n_people)
    drawn, alone = 0, 0
    generator, people = np.random.default_rng(seed), histories.ordered()
    while drawn < draws:
        for person in generator.permutation(people)[:draws].tolist():
            alone += not histories.is_shared(person, _draw(histories.of_person(person), known, generator))
            drawn += 1
    return wilson(alone, drawn)


def _draw(items: npt.NDArray[np.int64], known: int, generator: np.random.Generator) -> npt.NDArray[np.int64]:
    """Draw items; those for a smaller `known` are among those for a larger one, so that shares rise with `known`."""
    # Always as many draws as for the largest `known`: the generator is in the same state afterwards, and each smaller
    # set is a part of the larger.
    most = min(len(items), max(known, MOST_KNOWN))
    return generator.choice(items, most, replace=False)[:known]


def _share_by_one(histories: Histories) -> float:
    """Return the mean over people of the share of their items that nobody else has, summed as integers by group."""
    alone = np.add.reduceat((histories.people_per_item[histories.item] == 1).astype(np.int64), histories.start[:-1])
    total = histories.items_per_person
    # People with equally many items are summed as integers first, so that the order of people does not change the
    # last bit.
    sizes = np.unique(total)
    parts = [int(alone[total == size].sum()) / int(size) for size in sizes]
    return float(sum(parts) / histories.n_people)


KNOWN_ITEMS = (1, 2, 3, 4)
SHARES = ("0.5", "0.9", "0.95")
"""Shares of people for which the fewest sufficient items are reported."""


def _items_sufficient(by_known: Mapping[str, Estimate]) -> dict[str, int | None]:
    """Return the fewest known items that single out at least each share of people; None if more are needed."""
    sufficient = {}
    for share in SHARES:
        tried = (int(known) for known, found in by_known.items() if found.value >= float(share))
        sufficient[share] = min(tried, default=None)
    return sufficient


def subject_risk(people: People, *, thresholds: Sequence[int] = (2, 3, 5, 10, 11), seed: int = 0) -> SubjectRisk:
    """Measure risk in people from pairs of person and item: the distinct rows over the quasi-identifiers.

    Parameters
    ----------
    people : People
        One pair or more.
    thresholds : sequence of int
        Values of k for `n_below`.
    seed : int
        Seed of the draws of `unicity`.

    Raises
    ------
    ValueError
        If there are no pairs.
    """
    histories = Histories.of(people.person, people.row)
    sharing = histories.fewest_sharing()
    alike = histories.fingerprint_sizes()
    distinct = histories.items_per_person
    by_known = {str(known): unicity(histories, known, seed=seed) for known in KNOWN_ITEMS}
    return SubjectRisk(
        column=people.column,
        n_people=histories.n_people,
        n_records=int(np.sum(people.records)),
        n_without=people.n_without,
        records_max=int(np.bincount(people.person, weights=people.records).max()),
        items_mean=int(distinct.sum()) / histories.n_people,
        items_max=int(distinct.max()),
        n_classes=len(histories.people_per_item),
        class_sizes=_histogram(histories.people_per_item),
        k_min=int(histories.people_per_item.min()),
        n_exposed=int((sharing == 1).sum()),
        n_below={str(k): int((sharing < k).sum()) for k in thresholds},
        n_unique_histories=int((alike == 1).sum()),
        history_sizes=_histogram(alike),
        unicity=by_known,
        items_sufficient=_items_sufficient(by_known),
    )


def _histogram(sizes: npt.NDArray[np.int64]) -> ClassSizeTable:
    size, count = np.unique(sizes, return_counts=True)
    return ClassSizeTable(size=tuple(size.tolist()), count=tuple(count.tolist()))


def limits_of(risk: SubjectRisk) -> tuple[Limit, ...]:
    """Return a limit for records without a data subject, or where people and rows are the same."""
    column = Columns((risk.column,))
    if risk.n_without:
        records = Count(risk.n_without, of=risk.n_records)
        return (limit("risk.subject_missing", column=column, records=records),)
    if risk.n_people == risk.n_records:
        return (limit("risk.subject_one_row_each", column=column),)
    return ()
