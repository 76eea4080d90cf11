"""Cut numbers into n equal bands, at stated edges, or at quantiles.

Question: in which of a few bands is a number, and how are the bands called?
Method: bands are ``[low, high)``, the last one with its upper end, or ``(low, high]``, the first one with its lower
end, where ``closed`` is "right", as in pandas. Equal bands divide the range from the smallest to the largest number;
quantiles are interpolated linearly over the records, as NumPy does. Below the first and above the last stated edge a
number becomes a missing cell; a cell that is not a number stays. Bands are named by their edges, bands of whole numbers
"20-29", unless the plan states ``labels``.
Limits: edges of equal bands and quantiles follow from the table: a reader can calculate the smallest and the largest
number from the edges of equal bands. Stated edges disclose nothing.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from privaudit.advice.technique.column import Column, Counts, Floats
from privaudit.advice.technique.recoding import Recoding, by_text, listed, plain, stated_labels
from privaudit.base.errors import ConfigError
from privaudit.model.wording import Columns, Fact, Threshold, fact


def recode(column: Column, parameters: Mapping[str, Any]) -> Recoding:
    """Replace the numbers of `column` by the band that they are in, or by nothing where they are in none."""
    edges, right = _edges(column, parameters), parameters.get("closed", "left") == "right"
    band = np.searchsorted(edges, column.numbers, side="left" if right else "right") - 1
    band[column.numbers == (edges[0] if right else edges[-1])] = 0 if right else len(edges) - 2
    names = stated_labels(parameters, _names(edges, right=right, whole=column.is_whole), "cut")
    is_number = np.isfinite(column.numbers)
    texts = [
        text if not number else names[at] if 0 <= at < len(names) else None
        for text, number, at in zip(column.dictionary.to_pylist(), is_number.tolist(), band.tolist(), strict=True)
    ]
    return Recoding("cut", column.name, dict(parameters), *by_text(listed(texts)), notes=_notes(column, parameters))


def _edges(column: Column, parameters: Mapping[str, Any]) -> Floats:
    """Return the edges; float64 array, increasing.

    Raises
    ------
    ConfigError
        If the column does not hold numbers, or too few different ones.
    """
    if "edges" in parameters:
        return np.array(parameters["edges"], dtype=np.float64)
    held = np.isfinite(column.numbers) & (column.counts[:-1] > 0)
    values, counts = column.numbers[held], column.counts[:-1][held]
    if not column.is_numeric or not len(values):
        raise ConfigError(f'"cut" needs numbers, and "{column.name}" is not a column of numbers.')
    if "bands" in parameters:
        edges = np.linspace(values.min(), values.max(), int(parameters["bands"]) + 1)
    else:
        edges = np.unique(_quantiles(values, counts, int(parameters["quantiles"])))
    if len(np.unique(edges)) < len(edges) or len(edges) < 2:
        raise ConfigError(f'"{column.name}" has too few different numbers to cut.', hint="state edges")
    return edges


def _quantiles(values: Floats, counts: Counts, n: int) -> Floats:
    """Return the n + 1 quantiles of records, interpolated linearly between neighbours."""
    order = np.argsort(values)
    ordered, ends = values[order], np.cumsum(counts[order])
    at = np.linspace(0, ends[-1] - 1, n + 1)
    low, high = (ordered[np.searchsorted(ends, np.asarray(each), side="right")] for each in (np.floor(at), np.ceil(at)))
    return np.asarray(low + (at - np.floor(at)) * (high - low))


def _names(edges: Floats, *, right: bool, whole: bool) -> list[str]:
    """Return the name of each band; of whole numbers by the first and the last whole number in it."""
    made = []
    for i, (low, high) in enumerate(itertools.pairwise(edges.tolist())):
        if whole:
            first = math.floor(low) + 1 if right and i else math.ceil(low)
            last = math.floor(high) if right or i == len(edges) - 2 else math.ceil(high) - 1
            made.append(plain(first) if first == last else f"{plain(first)}-{plain(last)}")
        else:
            made.append(f"({plain(low)}, {plain(high)}]" if right else f"[{plain(low)}, {plain(high)})")
    return made if len(set(made)) == len(made) else _names(edges, right=right, whole=False)


def _notes(column: Column, parameters: Mapping[str, Any]) -> tuple[Fact, ...]:
    """State that edges which follow from the table disclose its extremes."""
    if "edges" in parameters:
        return ()
    code = "bands" if "bands" in parameters else "quantiles"
    n = Threshold(value=int(parameters[code]))
    return (fact(f"remedies.cut_{code}", column=Columns(names=(column.name,)), n=n),)
