"""Which people have which distinct rows, and how many people share a class.

Question: where several rows belong to one data subject, how many people are in a class, and how exposed is a person?
Method: pairs of a distinct row and a person, each pair once. The size of a class is its number of distinct people; a
person is as exposed as the smallest class that one of their rows is in.
Limits: a person who has rows in several classes is counted in each of them, so sizes do not add up to the people, and
two classes that are merged need to be counted again.
"""

from __future__ import annotations

import numpy as np

from privaudit.base.arrays import Codes, Flags, Ints
from privaudit.base.records import dataclass


def distinct(values: Ints) -> Ints:
    """Return the distinct values, ascending; by sorting, which is faster here than the hash table of `numpy.unique`."""
    ordered = np.sort(values, kind="stable")
    return ordered[np.append(True, ordered[1:] != ordered[:-1])] if len(ordered) else ordered


def ordered_by_content(people: Ints, items: Ints) -> Ints:
    """Return the people in an order of what they have: random tokens in the place of their names change no draw.

    Each item gets a random number, and people are ordered by the sum of theirs. Only people with equal items may be in
    the order of their numbers, and either order of these is the same table.

    Parameters
    ----------
    people, items : int64 arrays of shape (p,)
        Both numbered from 0; every person has an item.

    Returns
    -------
    int64 array of shape (n,)
    """
    marks = np.random.default_rng(0).integers(1 << 64, size=int(items.max(initial=-1)) + 1, dtype=np.uint64)
    sums = np.zeros(int(people.max(initial=-1)) + 1, dtype=np.uint64)
    np.add.at(sums, people, marks[items])  # the sums wrap around: they are only compared
    return np.argsort(sums, kind="stable").astype(np.int64)


@dataclass(frozen=True, slots=True)
class People:
    """Pairs of a distinct row and a person, ascending by person and then by row; no pair occurs twice.

    Attributes
    ----------
    row : int64 array of shape (p,)
        Distinct row, 0 to d - 1.
    person : int64 array of shape (p,)
        0 to `n` - 1; every person has a row.
    records : int64 array of shape (p,)
        Records of each pair, 1 or more.
    n : int
        People.
    n_without : int
        Records without a value in the data subject column. Each is a person.
    column : str
        The data subject column.
    """

    row: Ints
    person: Ints
    records: Ints
    n: int
    n_without: int = 0
    column: str = ""

    def merged(self, labels: Ints) -> People:
        """Return the pairs after distinct rows were merged; ``labels[i]`` is the new row of row i."""
        if not len(self.row):
            return self
        width = int(labels.max()) + 1
        key, at = np.unique(self.person * width + labels[self.row], return_inverse=True)
        person, row = np.divmod(key, width)
        records = np.bincount(at, weights=self.records, minlength=len(key)).astype(np.int64)
        return People(row, person, records, self.n, self.n_without, self.column)

    def of_rows(self, kept: Flags) -> People:
        """Return the pairs of some rows, numbered anew: people without any of them are no longer there.

        Parameters
        ----------
        kept : bool array of shape (d,)
        """
        pairs = kept[self.row]
        held, person = np.unique(self.person[pairs], return_inverse=True)
        row = (np.cumsum(kept) - 1)[self.row[pairs]]
        n_without = int((held >= self.n - self.n_without).sum())
        return People(row, person.astype(np.int64), self.records[pairs], len(held), n_without, self.column)

    def per_class(self, labels: Ints, n_classes: int) -> Ints:
        """Return the people of each class.

        Parameters
        ----------
        labels : int64 array of shape (d,)
            Class of each distinct row, 0 to `n_classes` - 1.
        n_classes : int

        Returns
        -------
        int64 array of shape (n_classes,)
        """
        # A person with several rows in a class is one person of it.
        pairs = distinct(self.person * n_classes + labels[self.row])
        return np.bincount(pairs % max(n_classes, 1), minlength=n_classes).astype(np.int64)

    def fewest(self, sizes: Ints) -> Ints:
        """Return, for each person, the smallest of the `sizes` of that person's rows.

        Parameters
        ----------
        sizes : int64 array of shape (d,)
            A number for each distinct row, for example the people of its class.

        Returns
        -------
        int64 array of shape (n,)
        """
        return np.minimum.reduceat(sizes[self.row], self.start) if self.n else np.zeros(0, np.int64)

    @property
    def start(self) -> Ints:
        """The first pair of each person; int64 array of shape (n,)."""
        return np.flatnonzero(np.append(True, self.person[1:] != self.person[:-1]))


def number_people(codes: Codes, absent: int, weights: Ints, *, column: str) -> People:
    """Number the people of the data subject column: those with a value, then one for each record without.

    Parameters
    ----------
    codes : int32 array of shape (d,)
        Value of the data subject in each distinct row; `absent` where it is missing.
    absent : int
    weights : int64 array of shape (d,)
        Records of each distinct row.
    column : str
    """
    gone = codes == absent
    named, alone = np.flatnonzero(~gone), np.flatnonzero(gone)
    held, person = np.unique(codes[named], return_inverse=True)
    # Stable: the rows of a person stay ascending, as the record requires.
    order = np.argsort(person, kind="stable")
    # Nothing shows that two records without a data subject are of one person, so each record counts as a person.
    extra = np.repeat(alone, weights[alone])
    return People(
        row=np.concatenate([named[order], extra]).astype(np.int64),
        person=np.concatenate([person[order], len(held) + np.arange(len(extra))]).astype(np.int64),
        records=np.concatenate([weights[named[order]], np.ones(len(extra), np.int64)]).astype(np.int64),
        n=len(held) + len(extra),
        n_without=len(extra),
        column=column,
    )
