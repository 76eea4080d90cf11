"""Scores of every record, by row number, for a file that the user names; never part of a report.

Question: which rows are exposed?
Method: each row of the table is matched to its distinct row among the quasi-identifiers and takes that row's
class size, minimal sample uniques and SUDA scores. Where missing cells match anything, the number of matches replaces
the class size; where a data subject column was named, a class has the size of its people. A row in which every
quasi-identifier is suppressed is in no class, and has no line in the file.
Limits: the file shows which rows are at risk, not their values. Keep it with the table, not with the report.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from privaudit.base.arrays import Codes, Floats, Ints
from privaudit.base.arrow import pc
from privaudit.base.errors import ScanIncomplete
from privaudit.base.records import dataclass
from privaudit.model import MissingSemantics
from privaudit.risk.codes.coded import CodedTable, encode_column
from privaudit.risk.codes.markers import marker_codes, rows_counted
from privaudit.risk.codes.row_keys import dense_labels
from privaudit.risk.search.special_uniques import ASSUMED_FRACTION, MinimalUniques, minimal_uniques
from privaudit.source import Dataset

HEADER = ("row", "class_size", "smallest_unique_set", "suda_score", "dis_suda")


@dataclass(frozen=True, slots=True)
class RecordScores:
    """One entry per row of the table, in the order of the source; zeros where every quasi-identifier is suppressed.

    Attributes
    ----------
    class_size : int64 array of shape (n,)
        Rows that share the quasi-identifiers, or match them, the row itself included; people, where a data subject
        column was named.
    smallest_unique_set : int32 array of shape (n,)
        Size of the smallest set of columns on which the row is unique; 0 where there is none up to `max_size`.
    suda_score : array of shape (n,)
        ``sum over minimal sets of (ATT - size)!``.
    dis_suda : float64 array of shape (n,), 0 to 1
        At a sampling fraction of 1 %, unless the population was given.
    """

    class_size: Ints
    smallest_unique_set: Codes
    suda_score: npt.NDArray[np.generic]
    dis_suda: Floats

    def lines(self) -> Iterator[tuple[object, ...]]:
        """Yield the header, then one line per row that is in a class; rows count from 1."""
        yield HEADER
        columns = (self.class_size, self.smallest_unique_set, self.suda_score, self.dis_suda.round(9))
        yield from (
            (row, *values)
            for row, values in enumerate(zip(*(c.tolist() for c in columns), strict=True), 1)
            if values[0]
        )


def record_scores(
    dataset: Dataset,
    coded: CodedTable,
    *,
    max_size: int,
    fraction: float | None = None,
    missing: MissingSemantics = "category",
) -> RecordScores:
    """Score every row of `dataset` by the quasi-identifiers of `coded`.

    Parameters
    ----------
    dataset : Dataset
        The table `coded` was made from.
    coded : CodedTable
    max_size : int
        Largest set of columns searched for minimal sample uniques.
    fraction : float, optional
        Sampling fraction for DIS-SUDA, 0 to 1.
    missing : {"category", "wildcard", "one-sided"}
        What a missing cell matches.

    Raises
    ------
    ScanIncomplete
        If there are too many rows with missing cells to match.

    References
    ----------
    .. [1] M. Elliot et al., SUDA: A Program for Detecting Special Uniques, 2005.
    """
    matching, found = _by_distinct_row(coded, max_size, missing)
    which = _distinct_row_of(dataset, coded)
    counted = which >= 0
    sizes = np.arange(1, found.max_size + 1, dtype=np.int32)[:, None]
    smallest = np.where(found.n_minimal > 0, sizes, np.iinfo(np.int32).max).min(axis=0)
    smallest[smallest == np.iinfo(np.int32).max] = 0
    return RecordScores(
        class_size=np.where(counted, matching[which], 0),
        smallest_unique_set=np.where(counted, smallest[which], 0).astype(np.int32),
        suda_score=np.where(counted, found.scores[which], 0),
        dis_suda=np.where(counted, found.dis(ASSUMED_FRACTION if fraction is None else fraction)[which], 0.0),
    )


def _by_distinct_row(coded: CodedTable, max_size: int, missing: MissingSemantics) -> tuple[Ints, MinimalUniques]:
    """Return the rows (or people) that match each distinct row, and the special uniques."""
    if coded.people is not None:
        from privaudit.risk.search.people_combinations import search_people

        _, by_k = search_people(coded, max_size=max_size, thresholds=(), by_row=True)
        if 2 not in by_k:
            raise ScanIncomplete("No scores: too many rows to search.", hint="omit --subject")
        rows = np.arange(coded.n_distinct)
        return coded.people.per_class(rows, len(rows)), by_k[2]
    if missing == "category" or not any(coded.has_missing(i) for i in range(len(coded.names))):
        return coded.weights, minimal_uniques(coded, max_size=max_size)
    from privaudit.risk.codes.missing import TooManyPairs, matches
    from privaudit.risk.search.missing_search import MatchCounter
    from privaudit.risk.search.set_walk import walk_sets

    try:
        matching = matches(coded, missing)
        _, found = walk_sets(MatchCounter(coded, missing, matching), max_size=max_size, thresholds=())
        return matching, found[2]
    except (TooManyPairs, KeyError):
        why = "No scores: too many rows have missing cells to match them."
    raise ScanIncomplete(why, hint="omit --missing")


def _distinct_row_of(dataset: Dataset, coded: CodedTable) -> Ints:
    """Return, for each row of the table, the index of its distinct row; -1 where it was not counted."""
    rows = dataset.rows(coded.names)
    both: list[Codes] = []
    cells = []
    for i, name in enumerate(coded.names):
        codes, words = encode_column(rows[name])
        cells.append((codes, marker_codes(words)))
        found = pc.index_in(rows[name], value_set=coded.dictionaries[i])
        codes = found.fill_null(len(coded.dictionaries[i])).to_numpy().astype(np.int32)
        # Distinct rows and rows of the table are numbered together, so that equal numbers mean equal codes without a
        # search.
        both.append(np.concatenate([coded.codes[i], codes]))
    labels, n_labels = dense_labels(both)
    index = np.full(n_labels, -1, dtype=np.int64)
    index[labels[: coded.n_distinct]] = np.arange(coded.n_distinct)
    # A row that is suppressed as a whole has the codes of one whose cells are missing, which is counted.
    return np.where(rows_counted(cells), index[labels[coded.n_distinct :]], -1)
