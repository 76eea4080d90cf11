"""Risk counted in people where several rows belong to one data subject.

Question: in a table of visits, trips or claims, how many people share a class, and how few of a person's rows
single that person out?
Method: rows with the same value in the data subject column belong to one person. The size of a class over the
quasi-identifiers is its number of distinct people; the set of a person's classes is a history, measured in
`privaudit.risk.histories`.
Limits: the column is taken as correct: two people with one value count as one person, one person with two values as
two. A row without a value counts as one person, with a limit that states their number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from privaudit.model import ClassSizeTable, Estimate, Limit, SubjectRisk, limit
from privaudit.risk.histories import Histories, unicity
from privaudit.wording import Columns, Count

if TYPE_CHECKING:
    from privaudit.risk.coded import CodedTable
    from privaudit.source.dataset import Dataset

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
    people: npt.NDArray[np.integer[Any]],
    items: npt.NDArray[np.integer[Any]],
    records: npt.NDArray[np.integer[Any]],
    *,
    column: str = "",
    thresholds: Sequence[int] = (2, 3, 5, 10, 11),
    seed: int = 0,
    n_without: int = 0,
) -> SubjectRisk:
    """Measure risk in people from pairs of person and item.

    Parameters
    ----------
    people, items : int arrays of shape (p,)
        Person and class over the quasi-identifiers, each numbered from 0 without gaps.
    records : int array of shape (p,)
        Records of each pair, 1 or more.
    column : str
        The data subject column, as the record states it.
    thresholds : sequence of int
        Values of k for `n_below`.
    seed : int
        Seed of the draws of `unicity`.
    n_without : int
        Records without a value in the data subject column; `people` numbers each as a person.

    Raises
    ------
    ValueError
        If there are no pairs, or the arrays differ in length.
    """
    histories = Histories.of(people, items)
    sharing = histories.fewest_sharing()
    alike = histories.fingerprint_sizes()
    distinct = histories.items_per_person
    by_known = {str(known): unicity(histories, known, seed=seed) for known in KNOWN_ITEMS}
    return SubjectRisk(
        column=column,
        n_people=histories.n_people,
        n_records=int(np.sum(records)),
        n_without=n_without,
        records_max=int(np.bincount(people, weights=records).max()),
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


def risk_by_subject(
    dataset: Dataset,
    columns: Sequence[str],
    subject: str,
    *,
    thresholds: Sequence[int] = (2, 3, 5, 10, 11),
    seed: int = 0,
) -> tuple[SubjectRisk, tuple[Limit, ...]]:
    """Measure risk in people of `dataset` over `columns`, where a person is a value of column `subject`.

    Raises
    ------
    ColumnNotFound
        If there is no such column.
    """
    from privaudit.risk.coded import class_labels, encode

    names = [name for name in columns if name != subject]
    coded = encode(dataset, [subject, *names])
    items, _ = class_labels(coded, names)
    people, at, records = _people(coded)
    n_without = int(coded.weights[coded.codes[0] == len(coded.dictionaries[0])].sum())
    risk = subject_risk(
        people, items[at], records, column=subject, thresholds=thresholds, seed=seed, n_without=n_without
    )
    return risk, _limits(subject, risk)


def _people(
    coded: CodedTable,
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Number the people of column 0: those with a value, in the order of values, then one for each other record.

    Returns person, distinct row and records of each pair.
    """
    code = coded.codes[0].astype(np.int64)
    absent = code == len(coded.dictionaries[0])
    named, alone = np.flatnonzero(~absent), np.flatnonzero(absent)
    held, person = np.unique(code[named], return_inverse=True)
    extra = np.repeat(alone, coded.weights[alone])
    people = np.concatenate([person, len(held) + np.arange(len(extra))])
    records = np.concatenate([coded.weights[named], np.ones(len(extra), np.int64)])
    return people.astype(np.int64), np.concatenate([named, extra]), records


def _limits(subject: str, risk: SubjectRisk) -> tuple[Limit, ...]:
    column = Columns(names=(subject,))
    if risk.n_without:
        records = Count(n=risk.n_without, of=risk.n_records)
        return (limit("risk.subject_missing", column=column, records=records),)
    if risk.n_people == risk.n_records:
        return (limit("risk.subject_one_row_each", column=column),)
    return ()
