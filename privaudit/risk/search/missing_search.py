"""Combinations and minimal sample uniques where a missing cell matches anything.

Question: as in `risk.search.combinations` and `risk.search.special_uniques`, where records match without
forming classes.
Method: every set of columns is collapsed to its distinct rows, whose matches `privaudit.risk.codes.missing` counts;
`privaudit.risk.search.set_walk` visits the sets.
Limits: the number of classes, mean class size and distinction are those with missing as a category, because matching
forms no classes; k, uniques, records below a threshold and separation are counted over matches.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from privaudit.base.arrays import Flags, Ints
from privaudit.base.records import dataclass
from privaudit.model import ExposedValues, MissingSemantics
from privaudit.risk.codes.coded import CodedTable
from privaudit.risk.codes.missing import Matches, match_sizes
from privaudit.risk.codes.row_keys import dense_labels, sums
from privaudit.risk.kernel.subsets import ColumnSet
from privaudit.risk.kernel.unique_steps import packed
from privaudit.risk.search.exposed_values import exposed_values
from privaudit.risk.search.set_walk import Counted
from privaudit.risk.search.work import MOST_VISITS


@dataclass(frozen=True, slots=True)
class MatchCounter:
    """Counts the records that each distinct row matches; the units are distinct rows.

    Parameters
    ----------
    coded : CodedTable
    semantics : {"category", "wildcard", "one-sided"}
    whole : int64 array of shape (d,)
        Matches of each distinct row over all columns, as `privaudit.risk.codes.missing.matches` returns them.
    """

    coded: CodedTable
    semantics: MissingSemantics
    whole: Ints
    most_visits: int = MOST_VISITS

    @property
    def unit_weights(self) -> Ints:
        """Records of each distinct row."""
        return self.coded.weights

    @property
    def rows_read(self) -> int:
        """Distinct rows."""
        return self.coded.n_distinct

    def count(self, chosen: ColumnSet) -> Counted:
        """Count the matches of each distinct row over `chosen`."""
        codes = [self.coded.codes[c] for c in chosen]
        absent = [len(self.coded.dictionaries[c]) for c in chosen]
        labels, n_classes = dense_labels(codes)
        weights = sums(labels, self.coded.weights, n_classes)
        first = np.empty(n_classes, dtype=np.int64)
        first[labels] = np.arange(len(labels))
        size = (
            self.whole[first]
            if len(chosen) == len(self.coded.names)
            else match_sizes([code[first] for code in codes], absent, weights, self.semantics)
        )
        matches, n = Matches.of(size, weights), self.coded.n_rows
        of_row = size[labels]
        return Counted(matches, of_row, of_row, n_classes, n / n_classes, matches.separation)

    def exposing(self, counted: Counted, fresh: Flags) -> Flags:
        """Return `fresh`: the units are rows."""
        return fresh

    def by_value(self, exposed: Mapping[int, Flags]) -> dict[str, ExposedValues]:
        """Count the exposed records of each column by value."""
        return exposed_values(self.coded, {c: packed(marks) for c, marks in exposed.items()})
