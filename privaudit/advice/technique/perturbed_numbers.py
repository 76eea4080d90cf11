"""Techniques that change numbers and keep them numbers: means of groups, noise, exchanges, components."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from privaudit.advice.technique.columns import (
    check_complete,
    decimals_of,
    matrix_of,
    numbers_of,
    with_column,
    with_numbers,
)
from privaudit.advice.technique.record import Context
from privaudit.base.arrays import Floats, Ints
from privaudit.base.arrow import pa
from privaudit.base.errors import ConfigError
from privaudit.source.cells.cell_text import to_text


def microaggregate(table: pa.Table, parameters: Mapping[str, Any], context: Context) -> pa.Table:
    """Replace the numbers of the columns by the means of their groups.

    Question: how can numbers be published so that at least k records share each combination?
    Method: columns are scaled to mean 0 and standard deviation 1. While at least 3k records are left, the record
    furthest from their mean and its k - 1 nearest form a group, and so do the record furthest from that record and its
    k - 1 nearest; of 2k to 3k - 1 records the first group is made in the same way; the rest is the last group. Each
    value becomes the mean of its group.
    Limits: quadratic in the number of records. The mean of a group is not the value of a person, but of k people.

    References
    ----------
    .. [1] J. Domingo-Ferrer, V. Torra, Ordinal, continuous and heterogeneous k-anonymity through microaggregation, Data
       Mining and Knowledge Discovery 11(2), 2005.
    """
    names = parameters["columns"]
    values = matrix_of(table, names, "microaggregate")
    means = group_means(values, groups(values, int(parameters["k"])))
    for i, name in enumerate(names):
        table = with_numbers(table, name, means[:, i], decimals=decimals_of(table, name) + 1)
    return table


def groups(values: Floats, k: int) -> Ints:
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


def group_means(values: Floats, labels: Ints) -> Floats:
    """Return for each record the means of its group; float64 array of shape (n, m)."""
    sizes = np.bincount(labels)
    sums = np.stack([np.bincount(labels, weights=column) for column in values.T], axis=1)
    return np.asarray((sums / sizes[:, None])[labels])


def add_noise(table: pa.Table, parameters: Mapping[str, Any], context: Context) -> pa.Table:
    """Add noise to the columns.

    Question: how do numbers become uncertain while means stay, in expectation?
    Method: normal noise whose standard deviation is ``share`` times that of the column. Correlated noise has the
    covariance of the columns times ``share`` squared. With ``keep_spread`` the numbers are moved towards their means by
    ``1 / sqrt(1 + share^2)`` afterwards, which keeps variances, and covariances where the noise is correlated.
    Limits: noise does not bound k. Extreme numbers stay extreme.
    """
    names, share = parameters["columns"], float(parameters["share"])
    is_correlated = bool(parameters.get("correlated", False))
    if is_correlated:
        values = matrix_of(table, names, "add_noise")
    else:
        values = np.column_stack([numbers_of(table, name, "add_noise") for name in names])
    made = values + _noise(values, share, is_correlated, context)
    if parameters.get("keep_spread", False):
        means = np.nanmean(values, axis=0)
        # Noise of share s multiplies the variance by 1 + s^2; shrinking towards the mean undoes that.
        made = means + (made - means) / np.sqrt(1 + share**2)
    for i, name in enumerate(names):
        table = with_numbers(table, name, made[:, i])
    return table


def _noise(values: Floats, share: float, is_correlated: bool, context: Context) -> Floats:
    if is_correlated and len(values) > 1:
        covariance = np.atleast_2d(np.cov(values, rowvar=False)) * share**2
        return np.asarray(
            context.random.multivariate_normal(
                # The factorisation by eigenvalues takes covariances that are not of full rank, as of a column that is
                # the sum of others.
                np.zeros(values.shape[1]),
                covariance,
                len(values),
                method="eigh",
            )
        )
    return np.asarray(context.random.standard_normal(values.shape) * np.nanstd(values, axis=0) * share)


def rank_swap(table: pa.Table, parameters: Mapping[str, Any], context: Context) -> pa.Table:
    """Exchange the cells of each column.

    Limits: the values of each column stay the same, so extreme values remain; rank swapping does not bound k. Cells
    without a number are not exchanged.
    """
    share = float(parameters["share"])
    for name in parameters["columns"]:
        numbers = numbers_of(table, name, "rank_swap")
        rows = np.arange(len(numbers))
        known = np.flatnonzero(~np.isnan(numbers))
        # Ties are in random order: the order of the source would decide about them.
        order = known[np.lexsort((context.random.random(len(known)), numbers[known]))]
        rows[order] = order[partners(len(order), max(1, round(share * len(order))), context)]
        table = with_column(table, name, table[name].take(rows))
    return table


def partners(n: int, most: int, context: Context) -> Ints:
    """Return for each rank the rank it is exchanged with, at most `most` ranks away; each exchange is mutual."""
    partner = np.arange(n)
    is_free = np.ones(n, dtype=bool)
    for rank in range(n):
        if not is_free[rank]:
            continue
        # Only higher ranks: the lower ones have their partner already, or had none left.
        possible = np.flatnonzero(is_free[rank + 1 : rank + most + 1])
        if not len(possible):
            continue
        other = rank + 1 + int(context.random.choice(possible))
        partner[rank], partner[other] = other, rank
        is_free[rank] = is_free[other] = False
    return partner


DECIMALS = 12


def pca_mask(table: pa.Table, parameters: Mapping[str, Any], context: Context) -> pa.Table:
    """Replace the columns by their principal components, in the same places or, where fewer, in new columns.

    Question: how does a model learn from numbers that are not those of the source?
    Method: ``(x - mean) R`` with R orthogonal: the components of the columns, as many as there are columns, or the
    first ``components`` of them in new columns. Columns of categories can be one-hot coded before, and all divided by
    their standard deviation. Distances between records stay, and so does what a linear model can learn.
    Limits: no protection against an attacker who knows n + 1 people, n the number of columns: orthogonal Procrustes or
    a linear system returns every cell. Distances stay, so records can be linked by distance without any known person.
    Fewer components blur the cells and keep most distances.

    Raises
    ------
    ConfigError
        If a cell is missing, or there are fewer columns than components.
    """
    names, into = parameters["columns"], component_names(parameters)
    values = features(table, names, parameters.get("one_hot", ()))
    if len(into) > min(values.shape):
        raise ConfigError(
            f'"pca_mask" cannot make {len(into)} components of {values.shape[1]} columns and {len(values)} records.',
            hint="state fewer components",
        )
    if parameters.get("scale", False):
        deviations = values.std(axis=0)
        values = values / np.where(deviations > 0, deviations, 1.0)
    scores = components(values)
    # Rounded, because the last digits of a decomposition differ between processors; + 0.0 turns -0 into 0.
    cells = [to_text(pa.chunked_array([np.round(column, DECIMALS) + 0.0]))[0] for column in scores.T]
    table = table.drop_columns(list(names)) if into else table
    for name, column in zip(into or names, cells, strict=False):
        table = with_column(table, name, column)
    return table


def component_names(parameters: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the names of the new columns; none where the components take the places of the columns."""
    return tuple(f"component_{i}" for i in range(1, int(parameters.get("components", 0)) + 1))


def features(table: pa.Table, names: Sequence[str], one_hot: Sequence[str]) -> Floats:
    """Return the numbers of the columns; for a column of categories 1 in the place of the category of the record.

    Returns
    -------
    float64 array of shape (n, m)

    Raises
    ------
    ConfigError
        If a cell is missing.
    """
    from privaudit.risk.codes.coded import encode_column

    parts = []
    for name in names:
        if name not in one_hot:
            parts.append(matrix_of(table, [name], "pca_mask"))
            continue
        codes, dictionary = encode_column(table[name])
        check_complete(table, [name], (codes == len(dictionary))[:, None], "pca_mask")
        parts.append((codes[:, None] == np.arange(len(dictionary))).astype(np.float64))
    return np.hstack(parts)


def components(values: Floats) -> Floats:
    """Return the scores of all principal components; float64 array of shape (n, m)."""
    centred = values - values.mean(axis=0)
    _, _, axes = np.linalg.svd(centred, full_matrices=len(centred) < centred.shape[1])
    # The sign of an axis is arbitrary: the largest entry is positive, so that results repeat.
    signs = np.sign(axes[np.arange(len(axes)), np.abs(axes).argmax(axis=1)])
    return np.asarray(centred @ (axes * signs[:, None]).T)
