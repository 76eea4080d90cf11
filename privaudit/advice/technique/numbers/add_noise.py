"""Add random noise to numbers: independent for each column, or with the correlations of the columns.

Question: how do numbers become uncertain while means stay, in expectation?
Method: normal noise whose standard deviation is ``share`` times that of the column. Correlated noise has the
covariance of the columns times ``share`` squared. With ``keep_spread`` the numbers are moved towards their means by
``1 / sqrt(1 + share^2)`` afterwards, which keeps variances, and covariances where the noise is correlated.
Limits: noise does not bound k. Extreme numbers stay extreme.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from privaudit.advice.technique.columns import Floats, matrix_of, numbers_of, with_numbers
from privaudit.advice.technique.record import Context


def apply(table: pa.Table, parameters: Mapping[str, Any], context: Context) -> pa.Table:
    """Add noise to the columns."""
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
