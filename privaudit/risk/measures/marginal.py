"""What each quasi-identifier adds to the risk of all of them together.

Question: if one column were suppressed, how many fewer records would be singled out?
Method: the columns are halved recursively. The classes without a column are those over the other half, refined by the
other quarter, and so on: m columns cost m log m passes. Where every combination was counted, the Shapley value splits
the number of sample uniques among the columns so that the parts sum to the whole.
Limits: a column that another column can replace adds nothing in the first sense; the Shapley value divides the effect
between the two. Both depend on the set of columns: with one more column all parts change.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np

from privaudit.base.arrays import Codes
from privaudit.model import Marginal
from privaudit.risk.codes.class_sizes import ClassSizes, Exposure
from privaudit.risk.codes.coded import CodedTable
from privaudit.risk.codes.missing import Matches
from privaudit.risk.codes.row_keys import Labels, dense_labels, sums

MOST_COLUMNS = 16
"""Columns up to which the Shapley value is computed: it reads every one of the 2^m combinations."""


def marginal(
    coded: CodedTable, *, thresholds: Sequence[int], uniques: Mapping[frozenset[str], int] | None = None
) -> dict[str, Marginal]:
    """Measure what each column of `coded` adds.

    Parameters
    ----------
    coded : CodedTable
        All quasi-identifiers, with at least one record.
    thresholds : sequence of int
        Values of k for `n_below_added`.
    uniques : mapping of column set to int, optional
        Sample uniques of the combinations that were counted. Not used where their number over all columns differs from
        that of the classes, as it does when missing cells match anything.

    Returns
    -------
    dict of column to Marginal, in the order of the columns
    """
    whole = _sizes(coded, np.arange(coded.n_distinct), coded.n_distinct)
    parts = None
    # Counts by another meaning of missing cells are another game: their parts would not sum to these uniques.
    if uniques and uniques.get(frozenset(coded.names)) == whole.n_unique:
        parts = shapley(coded.names, uniques, n_units=coded.n_units)
    found = {}
    for name, (n_classes, rest) in zip(coded.names, _without_each(coded), strict=True):
        found[name] = Marginal(
            n_unique_without=rest.n_unique,
            n_unique_added=whole.n_unique - rest.n_unique,
            n_below_added={str(k): whole.below(k) - rest.below(k) for k in thresholds},
            n_classes_added=coded.n_distinct - n_classes,
            shapley=None if parts is None else parts[name],
            k_min_without=rest.k_min,
        )
    return found


def _sizes(coded: CodedTable, labels: Labels, n_classes: int) -> Exposure:
    """Return the class sizes in records, or the exposure of people where they are counted."""
    if coded.people is None:
        return ClassSizes.of(sums(labels, coded.weights, n_classes), n_rows=coded.n_rows)
    fewest = coded.people.fewest(coded.people.per_class(labels, n_classes)[labels])
    return Matches.of(fewest, np.ones(coded.people.n, np.int64))


def _without_each(coded: CodedTable) -> list[tuple[int, Exposure]]:
    """Return the number of classes and their sizes over all columns but one, for each column.

    Halving the columns again and again keeps few partitions at a time: those of one path from all to one.
    """
    found: list[tuple[int, Exposure]] = []

    def halve(first: int, last: int, others: tuple[Codes, int]) -> None:
        if last - first == 1:
            found.append((others[1], _sizes(coded, others[0].astype(np.int64), others[1])))
            return
        middle = (first + last) // 2
        halve(first, middle, _joined(coded, others, range(middle, last)))
        halve(middle, last, _joined(coded, others, range(first, middle)))

    halve(0, len(coded.names), (np.zeros(coded.n_distinct, np.int32), 1))
    return found


def _joined(coded: CodedTable, part: tuple[Codes, int], columns: range) -> tuple[Codes, int]:
    """Refine the classes of `part` by further columns."""
    labels, n_classes = dense_labels([part[0], *(coded.codes[i] for i in columns)])
    return labels.astype(np.int32), n_classes


def shapley(columns: Sequence[str], uniques: Mapping[frozenset[str], int], *, n_units: int) -> dict[str, float] | None:
    """Split the sample uniques of all columns among them by Shapley's value.

    With v(S) the sample uniques over the columns S, column c of m gets
    ``sum over S without c of |S|! (m - |S| - 1)! / m! * (v(S + c) - v(S))``; the parts sum to v(all) less the
    uniques of the empty set, which are none unless the table has one record, or one person (Shapley 1953).

    Parameters
    ----------
    columns : sequence of str
    uniques : mapping of column set to int
        Sample uniques of every non-empty set of the columns.
    n_units : int
        Records, or people where they are counted.

    Returns
    -------
    dict of column to float, each 0 or more; None where a set is missing or there are too many columns
    """
    m = len(columns)
    if m > MOST_COLUMNS or any(len(s) == 0 for s in uniques) or len(uniques) < 2**m - 1:
        return None
    value = {**uniques, frozenset[str](): int(n_units == 1)}
    gains = {c: [0] * m for c in columns}
    for chosen, of_chosen in uniques.items():
        for c in chosen:
            smaller = value.get(chosen - {c})
            if smaller is None or c not in gains:
                return None
            gains[c][len(chosen) - 1] += of_chosen - smaller
    # Fractions until the last step, so that the parts of the columns add up to the uniques of the table.
    orders = [Fraction(math.factorial(s) * math.factorial(m - s - 1), math.factorial(m)) for s in range(m)]
    return {c: float(sum(o * g for o, g in zip(orders, of_c, strict=True))) for c, of_c in gains.items()}
