"""PCA masking: columns are replaced by their principal components, all of them or the first ones.

Question: how does a model learn from numbers that are not those of the source?
Method: ``(x - mean) R`` with R orthogonal: the components of the columns, as many as there are columns, or the first
``components`` of them in new columns. Columns of categories can be one-hot coded before, and all divided by their
standard deviation. Distances between records stay, and so does what a linear model can learn.
Limits: no protection against an attacker who knows n + 1 people, n the number of columns: orthogonal Procrustes or a
linear system returns every cell. Distances stay, so records can be linked by distance without any known person. Fewer
components blur the cells and keep most distances.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from privaudit.advice.technique.columns import Floats, check_complete, matrix_of, with_column
from privaudit.advice.technique.record import Context
from privaudit.base.errors import ConfigError
from privaudit.source.cells.cell_text import to_text

DECIMALS = 12


def apply(table: pa.Table, parameters: Mapping[str, Any], context: Context) -> pa.Table:
    """Replace the columns by their principal components, in the same places or, where fewer, in new columns.

    Raises
    ------
    ConfigError
        If a cell is missing, or there are fewer columns than components.
    """
    names, into = parameters["columns"], made(parameters)
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
    if not into:
        for name, column in zip(names, cells, strict=True):
            table = with_column(table, name, column)
        return table
    table = table.drop_columns(list(names))
    for name, column in zip(into, cells, strict=False):
        table = table.append_column(name, column)
    return table


def made(parameters: Mapping[str, Any]) -> tuple[str, ...]:
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
