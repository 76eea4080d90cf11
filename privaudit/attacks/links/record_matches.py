"""Which records of two tables match, and which belong to one person?

Question: which released records and auxiliary rows have the same values in the compared columns, and whose are they?
Method: the distinct values of a pair of columns are brought to one form and numbered over both tables. Rows become
tuples of small integers, and equal tuples form a class over both tables. The columns named as truth hold the ID of a
person in both tables, the data subject column one for the released records. Where both are named, the data subject
decides, and the truth connects it to the auxiliary rows.
Limits: exact equality. A missing cell matches nothing, not even another missing cell. IDs are compared as written.
Without a truth, every auxiliary row counts as another person; without truth and data subject column, every released
record does as well.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

import numpy as np

from privaudit.attacks.values.comparable_values import canonical
from privaudit.base.arrays import Codes, Flags, Ints
from privaudit.base.arrow import pa, pc
from privaudit.base.records import dataclass
from privaudit.risk.codes.coded import encode_column
from privaudit.risk.codes.row_keys import dense_labels
from privaudit.source.dataset import Dataset

Counts = Ints
UNKNOWN = np.int32(-1)
MOST_PATTERNS = 1_000
"""Most pairs of patterns of missing cells that are compared; beyond, every row may match."""


@dataclass(frozen=True, slots=True)
class Classes:
    """The classes of equal rows over both tables.

    Attributes
    ----------
    release, auxiliary : int64 arrays, one entry per row
        The class of the row in 0..n-1; -1 where a cell is missing.
    n : int
        Number of classes.
    """

    release: Counts
    auxiliary: Counts
    n: int

    @property
    def n_linked(self) -> int:
        """Released records in a class with at least one auxiliary row."""
        return int(has_class(self.release, self.auxiliary, self.n).sum())


def has_class(labels: Counts, others: Counts, n: int) -> Flags:
    """Return whether the class of each row in `labels` occurs in `others`; never where a cell is missing."""
    occurs = np.zeros(n + 1, dtype=bool)
    occurs[others] = True
    occurs[-1] = False  # where a cell is missing
    return occurs[labels]


def read_pairs(
    release: Dataset, auxiliary: Dataset, pairs: Mapping[str, str], *, exact: bool = False
) -> tuple[list[Codes], list[Codes]]:
    """Return every row of both tables as common codes, one pair of arrays per pair of columns."""
    left, right = release.rows(list(pairs)), auxiliary.rows(list(pairs.values()))
    coded = [common_codes(left.column(i), right.column(i), exact=exact) for i in range(len(pairs))]
    return [a for a, _ in coded], [b for _, b in coded]


def match_records(release: Sequence[Codes], auxiliary: Sequence[Codes]) -> Classes:
    """Return the classes of equal rows over both tables.

    Parameters
    ----------
    release, auxiliary : sequence of int32 arrays
        One per compared column, with common codes; -1 is missing and matches nothing.
    """
    joint = [np.concatenate(pair) for pair in zip(release, auxiliary, strict=True)]
    known = np.logical_and.reduce([code >= 0 for code in joint])
    label = np.full(len(known), -1, dtype=np.int64)
    label[known], n = dense_labels([c[known] for c in joint])
    cut = len(release[0])
    return Classes(label[:cut], label[cut:], n)


def may_match(rows: Sequence[Codes], others: Sequence[Codes]) -> Flags:
    """Return whether each row agrees with one of `others` in every column that neither of the two leaves empty.

    Parameters
    ----------
    rows, others : sequence of int32 arrays
        One per compared column, with common codes; -1 is missing and agrees with everything.
    """
    found = np.zeros(len(rows[0]), dtype=bool)
    filled_rows, filled_others = (np.array([code >= 0 for code in side]) for side in (rows, others))
    patterns, pattern_of = np.unique(filled_rows, axis=1, return_inverse=True)
    other_patterns, other_pattern_of = np.unique(filled_others, axis=1, return_inverse=True)
    if patterns.shape[1] * other_patterns.shape[1] > MOST_PATTERNS:
        return np.full(len(rows[0]), len(others[0]) > 0)
    for i, j in itertools.product(range(patterns.shape[1]), range(other_patterns.shape[1])):
        open_, at = np.flatnonzero((pattern_of.ravel() == i) & ~found), other_pattern_of.ravel() == j
        columns = np.flatnonzero(patterns[:, i] & other_patterns[:, j]).tolist()
        if not columns:
            found[open_] = True
        elif len(open_):
            classes = match_records([rows[c][open_] for c in columns], [others[c][at] for c in columns])
            found[open_] = has_class(classes.release, classes.auxiliary, classes.n)
    return found


def common_codes(release: pa.ChunkedArray, auxiliary: pa.ChunkedArray, *, exact: bool = False) -> tuple[Codes, Codes]:
    """Return the cells of two columns as codes into one dictionary of canonical values, -1 for missing.

    With `exact`, texts are compared as written: an ID is a name, not a number.
    """
    (left, ours), (right, theirs) = (encode_column(column, is_ordered=False) for column in (release, auxiliary))
    values = (ours, theirs) if exact else canonical(ours, theirs)[:2]
    joint = pa.concat_arrays([each.cast(pa.large_string()) for each in values]).dictionary_encode().indices
    lookup = pc.fill_null(joint, UNKNOWN).to_numpy(zero_copy_only=False).astype(np.int32)
    cut = len(ours)
    return np.append(lookup[:cut], UNKNOWN)[left], np.append(lookup[cut:], UNKNOWN)[right]


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
