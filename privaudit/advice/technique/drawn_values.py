"""Techniques that draw the values of a column anew: by shares, with a known probability, or as random numbers."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from privaudit.advice.technique.columns import ROW, with_column
from privaudit.advice.technique.record import Context
from privaudit.base.arrays import Floats, Ints
from privaudit.base.arrow import pa
from privaudit.base.errors import ConfigError
from privaudit.model.wording import Columns, Fact, Number, fact
from privaudit.risk.codes.coded import encode_column

MOST_COMPARED = 60
NAMED = 3


def sample_shares(table: pa.Table, parameters: Mapping[str, Any], context: Context) -> pa.Table:
    """Draw each cell of the columns, by stated shares or from all cells of its column, missing cells among them.

    Question: what does a column look like whose cells say nothing of their record, and what is lost?
    Method: each cell is drawn by the shares, independent of all others. Cramér's V with the other columns of categories
    is stated before and after, for the three columns with the strongest dependence.
    Limits: the shares of the table are published exactly, in expectation, and the dependence on other columns is
    destroyed. A rare value remains in the table, unless shares are stated.
    """
    stated, before = parameters.get("shares"), table
    for name in parameters["columns"]:
        if stated is None:
            # Each column is drawn by itself: drawing whole rows would keep the dependence that is to be destroyed.
            cells = table[name].take(context.random.integers(0, table.num_rows, table.num_rows))
        else:
            weights = np.array(list(stated.values()), dtype=np.float64)
            drawn = context.random.choice(len(stated), table.num_rows, p=weights / weights.sum())
            cells = pa.array(list(stated), pa.string()).take(pa.array(drawn))
        table = with_column(table, name, cells)
    for name in parameters["columns"]:
        context.facts.extend(_dependence(before, table, name))
    return table


def _dependence(before: pa.Table, after: pa.Table, name: str) -> Iterator[Fact]:
    """Yield Cramér's V with the columns that the column depends on most, before and after."""
    others = [other for other in before.column_names if other not in (name, ROW)][:MOST_COMPARED]
    found = [(v, other) for other in others if (v := cramers_v(before[name], before[other])) is not None]
    for v, other in sorted(found, reverse=True)[:NAMED]:
        left = cramers_v(after[name], after[other])
        yield fact(
            "remedies.dependence",
            column=Columns((name,)),
            other=Columns((other,)),
            before=Number(round(v, 4)),
            after=Number(round(left or 0.0, 4)),
        )


MOST_VALUES = 50


def cramers_v(first: pa.ChunkedArray, second: pa.ChunkedArray) -> float | None:
    """Return Cramér's V of two columns; None where one has fewer than 2 or more than `MOST_VALUES` values.

    Method: ``sqrt(chi^2 / (n (min(r, c) - 1)))`` over the table of both columns, without correction for bias.
    """
    (one, words), (other, labels) = encode_column(first), encode_column(second)
    known = (one < len(words)) & (other < len(labels))
    if not all(2 <= len(each) <= MOST_VALUES for each in (words, labels)) or not known.any():
        return None
    cells = one[known].astype(np.int64) * len(labels) + other[known]
    return v_of(np.bincount(cells, minlength=len(words) * len(labels)).reshape(len(words), len(labels)))


def v_of(counts: Ints) -> float | None:
    """Return Cramér's V of a table of counts; None where a side has one value."""
    table = counts[counts.sum(axis=1) > 0][:, counts.sum(axis=0) > 0].astype(np.float64)
    n, smaller = table.sum(), min(table.shape) - 1
    if not n or smaller < 1:
        return None
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / n
    return float(np.sqrt(((table - expected) ** 2 / expected).sum() / n / smaller))


def pram(table: pa.Table, parameters: Mapping[str, Any], context: Context) -> pa.Table:
    """Randomise the columns.

    Question: how do categories become uncertain while their shares stay, in expectation?
    Method: the transition matrix is ``P = p I + (1 - p) 1 s``, with p the probability ``keep`` and s the shares that
    cells are drawn again from: those of the values in the table, or equal shares of declared categories (``redraw =
    "uniform"``). With the shares of the table it is invariant: ``s P = s``. Counts can be estimated by its inverse:
    ``(count / n - (1 - p) s) / p``. The odds of two original values change by at most ``exp(epsilon)``, epsilon = ln(1
    + p / ((1 - p) s_min)): the epsilon of local differential privacy of each cell, if s does not depend on the table.
    Limits: PRAM does not bound k. Missing cells are not changed. Shares taken from the table are not covered by
    epsilon.

    Raises
    ------
    ConfigError
        If categories are declared, and a column has a value that is not one of them.

    References
    ----------
    .. [1] S. L. Warner, Randomized response: a survey technique for eliminating evasive answer bias, JASA 60, 1965.
    .. [2] J. M. Gouweleeuw et al., Post randomisation for statistical disclosure control, Journal of Official
       Statistics, 1998.
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
        context.facts.append(_privacy_of(name, keep, shares, declared is not None))
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


def _places(labels: pa.Array, declared: Sequence[str], column: str) -> Ints:
    """Return the position of each value among the declared categories."""
    position = {text: i for i, text in enumerate(declared)}
    found = [position.get(text, -1) for text in labels.to_pylist()]
    if -1 in found:
        raise ConfigError(
            f'{found.count(-1):,} values of "{column}" are not among the declared categories.',
            hint="declare every category",
        )
    return np.array(found, dtype=np.int64)


def _privacy_of(column: str, keep: float, shares: Floats, is_declared: bool) -> Fact:
    columns, smallest = Columns((column,)), float(shares[shares > 0].min(initial=1.0))
    if keep >= 1:
        return fact("remedies.pram_unbounded", column=columns)
    code = "remedies.pram_declared" if is_declared else "remedies.pram_shares"
    return fact(code, column=columns, epsilon=Number(round(epsilon(keep, smallest), 6)))


def epsilon(keep: float, smallest_share: float) -> float:
    """Return ln(1 + p / ((1 - p) s_min)), the epsilon of local differential privacy of one cell.

    >>> round(epsilon(0.5, 0.25), 2)
    1.61
    """
    return math.log1p(keep / ((1 - keep) * smallest_share))


def renumber(table: pa.Table, parameters: Mapping[str, Any], context: Context) -> pa.Table:
    """Number the distinct values of each column in random order.

    Limits: equal values get equal numbers, so records of one person stay linked within the table, and nowhere else. The
    numbers have no gaps and no order of the source.
    """
    for name in parameters["columns"]:
        codes, dictionary = encode_column(table[name])
        numbers = context.random.permutation(len(dictionary)) + 1
        labels = pa.array([*map(str, numbers.tolist()), None], pa.string())
        table = with_column(table, name, labels.take(pa.array(codes)))
    return table
