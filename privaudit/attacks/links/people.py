"""Which person is behind each row of the two tables?

Question: which released records belong to one data subject, and which auxiliary rows to the same person?
Method: the columns named as truth hold the ID of a person in both tables, the data subject column one for the released
records. Where both are named, the data subject decides, and the truth connects it to the auxiliary rows.
Limits: IDs are compared as written. Without a truth, every auxiliary row counts as another person; without truth and
data subject column, every released record does as well.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from privaudit.attacks.links.record_matches import Codes, Counts, Flags, match_records, read_pairs
from privaudit.base.records import dataclass
from privaudit.source.dataset import Dataset


@dataclass(frozen=True, slots=True)
class People:
    """The person behind each row.

    Attributes
    ----------
    release, auxiliary : int64 arrays
        Number of the person in 0..n-1, -1 where unknown: such a row counts as a person of its own.
    n : int
        Numbers in use.
    identified : bool array, one entry per released record, or None
        Whether the truth shows which auxiliary rows, if any, belong to the person; None without a truth.
    """

    release: Counts
    auxiliary: Counts
    n: int
    identified: Flags | None = None


def read_people(release: Dataset, auxiliary: Dataset, subject: str | None, truth: Mapping[str, str]) -> People:
    """Read the person behind each row from the data subject column and from the columns of the truth.

    Parameters
    ----------
    subject : str or None
        Column of the release that identifies the data subject.
    truth : mapping of release column to auxiliary column
        Columns that hold the ID of a person in both tables; may be empty.
    """
    subjects = None
    if subject is not None:
        (subjects,), _ = read_pairs(release, release, {subject: subject}, exact=True)
    if truth:
        ids = match_records(*read_pairs(release, auxiliary, truth, exact=True))
        return _by_truth(ids.release, ids.auxiliary, ids.n, subjects)
    n_subjects = 0 if subjects is None else int(subjects.max(initial=-1)) + 1
    ours = np.arange(release.n_rows) if subjects is None else subjects.astype(np.int64)
    first = max(n_subjects, release.n_rows)
    return People(ours, first + np.arange(auxiliary.n_rows), first + auxiliary.n_rows)


def _by_truth(ours: Counts, theirs: Counts, n_ids: int, subjects: Codes | None) -> People:
    """Number people by the ID of the truth, or by the data subject of the records that have the ID."""
    if subjects is None:
        return People(ours, theirs, n_ids, identified=ours >= 0)
    # A data subject is numbered by one of its IDs; those without an ID follow after all IDs.
    n_subjects = int(subjects.max(initial=-1)) + 1
    both = (ours >= 0) & (subjects >= 0)
    id_of_subject = np.full(n_subjects + 1, -1, dtype=np.int64)
    np.maximum.at(id_of_subject, subjects[both], ours[both])
    identified = (ours >= 0) | ((subjects >= 0) & (id_of_subject[subjects] >= 0))
    number = np.where(id_of_subject >= 0, id_of_subject, n_ids + np.arange(n_subjects + 1))
    person_of_id = np.arange(n_ids + 1)
    person_of_id[ours[both]] = number[subjects[both]]
    person_of_id[-1] = -1
    people = np.where(subjects >= 0, number[subjects], person_of_id[ours])
    return People(people, person_of_id[theirs], n_ids + n_subjects, identified)


def has_several_rows(people: Counts) -> bool:
    """Return whether a known person has more than one row."""
    known = people[people >= 0]
    return bool(len(known)) and int(np.bincount(known).max()) > 1


def count_people(people: Counts) -> int:
    """Return the number of people behind rows; a row without a known person counts as one."""
    known = people[people >= 0]
    return int((np.bincount(known) > 0).sum() if len(known) else 0) + int((people < 0).sum())
