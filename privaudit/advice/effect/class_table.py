"""The classes of one state of the lattice as packed integers, and how coarser classes are made from them.

Question: what is the smallest form of the classes from which every coarser state can be made?
Method: one row per class. The codes of its columns are disjoint bits of one or more words, so a coarser code is one
addition and equal classes have equal words. Records and people of a population are added up class by class. Where only
the number of distinct sensitive values matters, each value is a bit of a word and classes unite their bits. Otherwise
sensitive values are counted when they are asked for, from the class of each row of the trial table: in most states few
classes are large enough for their values to matter.
Limits: classes are in no particular order.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from privaudit.advice.technique import Lookup
from privaudit.advice.technique.protection import Attribute
from privaudit.base.arrays import Flags, Ints
from privaudit.base.records import dataclass
from privaudit.risk.codes.merging import merged_classes
from privaudit.risk.codes.packing import Packing, number_rows
from privaudit.risk.codes.sorted_keys import replace_codes, sum_by_key

Labels = npt.NDArray[np.integer]
MOST_HASHED = 1 << 16
"""Classes up to which a hash table stays in the caches of a core; of more, sorting the keys is faster."""


@dataclass(frozen=True, slots=True)
class ClassTable:
    """The classes of one state.

    Attributes
    ----------
    packing : Packing
    keys : int64 array of shape (J, words)
    counts : int64 array of shape (J, 1) or (J, 2)
        Records, then people of the population where it is known. A class of people of the population alone has no
        records.
    attributes : tuple of Attribute
        Sensitive attributes and people by row of the trial table.
    labels : int array of shape (d,) or None
        The class of each of these rows; None where each row is a class, or without attributes.
    is_compiled : bool
        Whether compiled loops make coarser classes; they are the same classes.
    marks : int64 array of shape (J, m) or None
        The values of m attributes in each class, one bit for each value; None where `attributes` has them.
    n_marked : int
        Rows of the trial table whose marks were combined; 0 where each row is a class.
    """

    packing: Packing
    keys: Ints
    counts: Ints
    attributes: tuple[Attribute, ...] = ()
    labels: Labels | None = None
    is_compiled: bool = False
    marks: Ints | None = None
    n_marked: int = 0

    @property
    def sizes(self) -> Ints:
        """Records of each class."""
        return self.counts[:, 0]

    def records(self, among: Flags) -> int:
        """Return the records of some classes; a product is faster than taking the classes first."""
        return int(self.sizes @ among)

    @property
    def population(self) -> Ints | None:
        """People of the population in each class."""
        return self.counts[:, 1] if self.counts.shape[1] > 1 else None

    @property
    def nbytes(self) -> int:
        """Memory of the table, without the attributes, which all tables share.

        Marks count as the labels that they replace, so that a search keeps and reads the same tables with either.
        """
        labels = self.n_marked * _label_type(len(self)).itemsize if self.labels is None else self.labels.nbytes
        return self.keys.nbytes + self.counts.nbytes + labels

    def held(self, among: Flags) -> list[Attribute]:
        """Return the attributes by class, of the classes in `among` alone."""
        if self.labels is None:
            return [each.among(among) for each in self.attributes]
        return [each.merged(self.labels, among, is_compiled=self.is_compiled) for each in self.attributes]

    def __len__(self) -> int:
        return len(self.keys)

    def codes(self, i: int, of: Flags | None = None) -> Ints:
        """Return the codes of column `i` of all classes, or of some."""
        return self.packing.codes(self.keys if of is None else self.keys[of], i)

    def all_codes(self, of: Flags) -> list[Ints]:
        """Return the codes of every column of some classes."""
        keys = self.keys.take(np.flatnonzero(of), axis=0)  # faster than indexing by a mask
        return [self.packing.codes(keys, i) for i in range(len(self.packing.places))]

    def merged(self, steps: Mapping[int, Lookup]) -> ClassTable:
        """Return the classes after some columns took coarser codes.

        Parameters
        ----------
        steps : mapping of column to int array
            New code of each old code.
        """
        if self.is_compiled and len(self) <= MOST_HASHED:
            return self._made(*merged_classes(self.keys, self.counts, self.marks, self.packing, steps))
        keys = self.keys.copy()
        for i, step in steps.items():
            word, shift, mask = self.packing.places[i]
            replace_codes(keys[:, word], shift, mask, step)
        if self.packing.n_words == 1 and self.counts.shape[1] == 1 and not self.attributes and self.marks is None:
            kept, sums = sum_by_key(keys[:, 0], self.counts[:, 0], self.packing.space)
            return ClassTable(self.packing, kept[:, None], sums[:, None])
        labels, kept = number_rows(keys, self.packing.space)
        del keys
        counts = np.zeros((len(kept), self.counts.shape[1]), dtype=np.int64)
        for i in range(counts.shape[1]):
            np.add.at(counts[:, i], labels, self.counts[:, i])
        marks = None
        if self.marks is not None:
            marks = np.zeros((len(kept), self.marks.shape[1]), dtype=np.int64)
            np.bitwise_or.at(marks, labels, self.marks)
        return self._made(labels, kept, counts, marks)

    def _made(self, labels: Labels, keys: Ints, counts: Ints, marks: Ints | None) -> ClassTable:
        """Return the coarser classes `keys`, each of these classes being in the one that its label numbers."""
        of_rows = None
        if self.attributes:
            labels = labels.astype(_label_type(len(keys)))
            of_rows = labels if self.labels is None else labels[self.labels]
        n_marked = 0 if marks is None else self.n_marked or len(self)
        return ClassTable(self.packing, keys, counts, self.attributes, of_rows, self.is_compiled, marks, n_marked)


def _label_type(n_classes: int) -> np.dtype[Any]:
    """Return the smallest type that numbers so many classes."""
    return np.min_scalar_type(n_classes)
