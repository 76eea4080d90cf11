"""Risk counted in people where several rows belong to one data subject.

Question: in a table of visits, trips or claims, how many people share a class, and how few of a person's rows
single that person out?
Method: rows with the same value in the data subject column belong to one person. The size of a class over the
quasi-identifiers is its number of distinct people; the set of a person's classes is a history, measured in
`privaudit.risk.measures.histories`.
Limits: the column is taken as correct: two people with one value count as one person, one person with two values as
two. A row without a value counts as one person, with a limit that states their number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from privaudit.model import ClassSizeTable, Estimate, Limit, SubjectRisk, limit
from privaudit.model.wording import Columns, Count
from privaudit.risk.codes.people import People
from privaudit.risk.measures.histories import Histories, unicity

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


def subject_risk(
    people: People, *, thresholds: Sequence[int] = (2, 3, 5, 10, 11), seed: int = 0
) -> SubjectRisk:
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
    column = Columns(names=(risk.column,))
    if risk.n_without:
        records = Count(n=risk.n_without, of=risk.n_records)
        return (limit("risk.subject_missing", column=column, records=records),)
    if risk.n_people == risk.n_records:
        return (limit("risk.subject_one_row_each", column=column),)
    return ()
