"""Microaggregation (MDAV): numbers are replaced by the means of groups of at least k similar records.

Question: how can numbers be published so that at least k records share each combination?
Method: columns are scaled to mean 0 and standard deviation 1. While at least 3k records are left, the record furthest
from their mean and its k - 1 nearest form a group, and so do the record furthest from that record and its k - 1
nearest; of 2k to 3k - 1 records the first group is made in the same way; the rest is the last group. Each value
becomes the mean of its group.
Limits: quadratic in the number of records. The mean of a group is not the value of a person, but of k people.

References
----------
.. [1] J. Domingo-Ferrer, V. Torra, Ordinal, continuous and heterogeneous k-anonymity through microaggregation, Data
   Mining and Knowledge Discovery 11(2), 2005.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from privaudit.advice.technique.columns import Floats, decimals_of, matrix_of, with_numbers
from privaudit.advice.technique.record import Context


def apply(table: pa.Table, parameters: Mapping[str, Any], context: Context) -> pa.Table:
    """Replace the numbers of the columns by the means of their groups."""
    names = parameters["columns"]
    values = matrix_of(table, names, "microaggregate")
    means = group_means(values, groups(values, int(parameters["k"])))
    for i, name in enumerate(names):
        table = with_numbers(table, name, means[:, i], decimals=decimals_of(table, name) + 1)
    return table


def groups(values: Floats, k: int) -> npt.NDArray[np.int64]:
    """Return the group of each record; each has at least k records where there are k.

    Parameters
    ----------
    values : float64 array of shape (n, m)
    """
    # Columns count equally: in their own units, incomes would decide and ages would not.
    scale = values.std(axis=0, ddof=1) if len(values) > 1 else np.ones(values.shape[1])
    scaled = (values - values.mean(axis=0)) / np.where(scale > 0, scale, 1.0)
    labels = np.full(len(values), -1, dtype=np.int64)
    left, group = np.arange(len(values)), 0

    def take(centre: Floats) -> None:
        nonlocal left, group
        distance = ((scaled[left] - centre) ** 2).sum(axis=1)
        nearest = np.argsort(distance, kind="stable")[:k]
        labels[left[nearest]] = group
        left, group = np.delete(left, nearest), group + 1

    def furthest(centre: Floats) -> Floats:
        distance = ((scaled[left] - centre) ** 2).sum(axis=1)
        return np.asarray(scaled[left[int(distance.argmax())]])

    # Two groups at a time while three are possible, so that the rest never has fewer than k records.
    while len(left) >= 3 * k:
        first = furthest(scaled[left].mean(axis=0))
        take(first)
        take(furthest(first))
    if len(left) >= 2 * k:
        take(furthest(scaled[left].mean(axis=0)))
    labels[left] = group
    return labels


def group_means(values: Floats, labels: npt.NDArray[np.int64]) -> Floats:
    """Return for each record the means of its group; float64 array of shape (n, m)."""
    sizes = np.bincount(labels)
    sums = np.stack([np.bincount(labels, weights=column) for column in values.T], axis=1)
    return np.asarray((sums / sizes[:, None])[labels])
