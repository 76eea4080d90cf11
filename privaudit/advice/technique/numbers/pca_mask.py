"""PCA masking: numbers are replaced by their principal components, all of them.

Question: how does a model learn from numbers that are not those of the source?
Method: ``(x - mean) R`` with R orthogonal: the components of the unscaled columns, as many as there are columns.
Distances between records stay, and so does what a linear model can learn.
Limits: no protection against an attacker who knows n + 1 people, n the number of columns: a linear system returns
every cell. Distances stay, so records can be linked by distance without any known person.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from privaudit.advice.technique.columns import Floats, matrix_of, with_column
from privaudit.advice.technique.record import Context, Technique
from privaudit.source.cells.cell_text import to_text

if TYPE_CHECKING:
    import pyarrow as pa

DECIMALS = 9


def apply(table: pa.Table, parameters: Mapping[str, Any], context: Context) -> pa.Table:
    """Replace the columns by their principal components, in the same places."""
    import pyarrow as pa

    names = parameters["columns"]
    made = components(matrix_of(table, names, "pca_mask"))
    for i, name in enumerate(names):
        cells, _ = to_text(pa.chunked_array([np.round(made[:, i], DECIMALS) + 0.0]))
        table = with_column(table, name, cells)
    return table


def components(values: Floats) -> Floats:
    """Return the scores of all principal components; float64 array of shape (n, m)."""
    centred = values - values.mean(axis=0)
    _, _, axes = np.linalg.svd(centred, full_matrices=len(centred) < centred.shape[1])
    # The sign of an axis is arbitrary: the largest entry is positive, so that results repeat.
    signs = np.sign(axes[np.arange(len(axes)), np.abs(axes).argmax(axis=1)])
    return np.asarray(centred @ (axes * signs[:, None]).T)


TECHNIQUE = Technique(
    name="pca_mask",
    meaning="Replaces numbers by their principal components. No protection against an attacker who knows n + 1 people.",
    scope="columns",
    keeps_meaning=False,
    is_perturbation=True,
    apply=apply,
)
