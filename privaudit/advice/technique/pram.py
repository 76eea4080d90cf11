"""Post-randomisation (PRAM): each category is kept with a known probability, and drawn again otherwise.

Question: how do categories become uncertain while their shares stay, in expectation?
Method: the transition matrix is ``P = p I + (1 - p) 1 s``, with p the probability ``keep`` and s the shares that cells
are drawn again from: those of the values in the table, or equal shares of declared categories (``redraw = "uniform"``).
With the shares of the table it is invariant: ``s P = s``. Counts can be estimated by its inverse: ``(count / n - (1 -
p) s) / p``. The odds of two original values change by at most ``exp(epsilon)``, epsilon = ln(1 + p / ((1 - p) s_min)):
the epsilon of local differential privacy of each cell, if s does not depend on the table.
Limits: PRAM does not bound k. Missing cells are not changed. Shares taken from the table are not covered by epsilon.

References
----------
.. [1] S. L. Warner, Randomized response: a survey technique for eliminating evasive answer bias, JASA 60, 1965.
.. [2] J. M. Gouweleeuw et al., Post randomisation for statistical disclosure control, Journal of Official Statistics,
1998.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from privaudit.advice.technique.columns import with_column
from privaudit.advice.technique.record import Context
from privaudit.base.errors import ConfigError
from privaudit.model.wording import Columns, Fact, Number, fact
from privaudit.risk.codes.coded import encode_column


def apply(table: pa.Table, parameters: Mapping[str, Any], context: Context) -> pa.Table:
    """Randomise the columns.

    Raises
    ------
    ConfigError
        If categories are declared, and a column has a value that is not one of them.
    """
    keep, declared = float(parameters["keep"]), _declared(parameters)
    for name in parameters["columns"]:
        codes, dictionary = encode_column(table[name])
        present = codes < len(dictionary)
        again = present & (context.random.random(len(codes)) >= keep)
        labels = dictionary.cast(pa.string())
        if declared is None:
            drawn = context.random.choice(codes[present], size=int(again.sum())) if again.any() else codes[:0]
            shares = np.bincount(codes[present], minlength=len(labels)) / max(1, int(present.sum()))
        else:
            place = _places(labels, declared, name)
            codes, labels = np.append(place, len(declared))[codes], pa.array(declared, pa.string())
            drawn = context.random.integers(0, len(declared), size=int(again.sum()))
            shares = np.full(len(declared), 1 / len(declared))
        codes = codes.copy()
        codes[again] = drawn
        labels = pa.concat_arrays([labels, pa.array([None], pa.string())])
        table = with_column(table, name, labels.take(pa.array(codes)))
        context.facts.append(_stated(name, keep, shares, declared is not None))
    return table


def _declared(parameters: Mapping[str, Any]) -> Sequence[str] | None:
    """Return the categories of which all are equally likely; None where the shares of the table are used.

    Raises
    ------
    ConfigError
        If equal shares are wanted of categories that the step does not declare.
    """
    is_uniform = parameters.get("redraw", "shares") == "uniform"
    declared: Sequence[str] = parameters.get("categories", ())
    if is_uniform and len(set(declared)) < 2:
        raise ConfigError('redraw = "uniform" needs "categories".', hint="declare two or more categories")
    if declared and not is_uniform:
        raise ConfigError('"categories" needs redraw = "uniform".', hint="the shares of a table need no categories")
    return list(dict.fromkeys(declared)) if is_uniform else None


def _places(labels: pa.Array, declared: Sequence[str], column: str) -> npt.NDArray[np.int64]:
    """Return the position of each value among the declared categories."""
    position = {text: i for i, text in enumerate(declared)}
    found = [position.get(text, -1) for text in labels.to_pylist()]
    if -1 in found:
        raise ConfigError(
            f'{found.count(-1):,} values of "{column}" are not among the declared categories.',
            hint="declare every category",
        )
    return np.array(found, dtype=np.int64)


def _stated(column: str, keep: float, shares: npt.NDArray[np.float64], is_declared: bool) -> Fact:
    columns, smallest = Columns(names=(column,)), float(shares[shares > 0].min(initial=1.0))
    if keep >= 1:
        return fact("remedies.pram_unbounded", column=columns)
    code = "remedies.pram_declared" if is_declared else "remedies.pram_shares"
    return fact(code, column=columns, epsilon=Number(value=round(epsilon(keep, smallest), 6)))


def epsilon(keep: float, smallest_share: float) -> float:
    """Return ln(1 + p / ((1 - p) s_min)), the epsilon of local differential privacy of one cell.

    >>> round(epsilon(0.5, 0.25), 2)
    1.61
    """
    return math.log1p(keep / ((1 - keep) * smallest_share))
