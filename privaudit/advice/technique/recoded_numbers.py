"""Techniques that replace numbers by ranges: bands, multiples, stated edges, quantiles, two sides, open ends."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from privaudit.advice.technique.recoding import (
    Column,
    Counts,
    Recoding,
    by_number,
    by_text,
    listed,
    not_numbers,
    plain,
    short,
    stated_labels,
)
from privaudit.base.arrays import Floats
from privaudit.base.arrow import pa, pc
from privaudit.base.errors import ConfigError
from privaudit.model.wording import Columns, Count, Fact, Number, Threshold, Value, fact


def band(column: Column, parameters: Mapping[str, Any]) -> Recoding:
    """Merge the numbers of `column` into bands.

    Question: which numbers become equal under bands ``[origin + i * width, origin + (i + 1) * width)``, and what is
    written?
    Method: bands are counted over the distinct values, so the work does not depend on the range of the numbers. Bands
    of whole numbers are written "20-29", others "[0.5, 1)", open bands "under 20" and "90+".
    Limits: a value that is not a number stays as it is. Halves are rounded to the even multiple.
    """
    width, under, over = float(parameters["width"]), parameters.get("under"), parameters.get("over")
    origin = float(parameters.get("origin", 0))
    made: dict[str, Any] = {"width": short(width), "origin": short(origin)}
    details: dict[str, Value] = {"width": Threshold(short(width))}
    # The small shift keeps 0.3 / 0.1 = 2.9999… in the band that starts at 0.3.
    at = np.floor((column.numbers - origin) / width + 1e-9)
    if under is not None:
        made["under"] = short(under)
        details["under"] = fact("advice.open_below", edge=Threshold(short(under)))
        at = np.maximum(at, round((under - origin) / width) - 1)
    if over is not None:
        made["over"] = short(over)
        details["over"] = fact("advice.open_above", edge=Threshold(short(over)))
        at = np.minimum(at, round((over - origin) / width))
    whole = column.is_whole and width.is_integer() and origin.is_integer()

    def label(band: float) -> str:
        if under is not None and band < round((under - origin) / width):
            return f"under {plain(under)}"
        if over is not None and band >= round((over - origin) / width):
            return f"{plain(over)}+"
        low = origin + band * width
        if not whole:
            return f"[{plain(low)}, {plain(low + width)})"
        return f"{plain(low)}-{plain(low + width - 1)}" if width > 1 else plain(low)

    return Recoding("band", column.name, made, *by_number(column, at, label), details=details)


def round_number(column: Column, parameters: Mapping[str, Any]) -> Recoding:
    """Round the numbers of `column` to multiples of a base."""
    base = float(parameters["base"])
    at = np.rint(column.numbers / base) + 0.0  # no negative zero
    made = by_number(column, at, lambda multiple: plain(multiple * base))
    return Recoding("round_number", column.name, dict(parameters), *made)


def cut(column: Column, parameters: Mapping[str, Any]) -> Recoding:
    """Replace the numbers of `column` by the band that they are in, or by nothing where they are in none.

    Question: in which of a few bands is a number, and how are the bands called?
    Method: bands are ``[low, high)``, the last one with its upper end, or ``(low, high]``, the first one with its lower
    end, where ``closed`` is "right", as in pandas. Equal bands divide the range from the smallest to the largest
    number; quantiles are interpolated linearly over the records, as NumPy does. Below the first and above the last
    stated edge a number becomes a missing cell; a cell that is not a number stays. Bands are named by their edges,
    bands of whole numbers "20-29", unless the plan states ``labels``.
    Limits: edges of equal bands and quantiles follow from the table: a reader can calculate the smallest and the
    largest number from the edges of equal bands. Stated edges disclose nothing.
    """
    edges, right = _edges(column, parameters), parameters.get("closed", "left") == "right"
    band = np.searchsorted(edges, column.numbers, side="left" if right else "right") - 1
    band[column.numbers == (edges[0] if right else edges[-1])] = 0 if right else len(edges) - 2
    names = stated_labels(parameters, _band_names(edges, right=right, whole=column.is_whole), "cut")
    is_number = np.isfinite(column.numbers)
    texts = [
        text if not number else names[at] if 0 <= at < len(names) else None
        for text, number, at in zip(column.dictionary.to_pylist(), is_number.tolist(), band.tolist(), strict=True)
    ]
    return Recoding(
        "cut", column.name, dict(parameters), *by_text(listed(texts)), notes=_disclosed_extremes(column, parameters)
    )


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
        raise not_numbers("cut", column.name)
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


def _band_names(edges: Floats, *, right: bool, whole: bool) -> list[str]:
    """Return the name of each band; of whole numbers by the first and the last whole number in it."""
    made = []
    for i, (low, high) in enumerate(itertools.pairwise(edges.tolist())):
        if whole:
            first = math.floor(low) + 1 if right and i else math.ceil(low)
            last = math.floor(high) if right or i == len(edges) - 2 else math.ceil(high) - 1
            made.append(plain(first) if first == last else f"{plain(first)}-{plain(last)}")
        else:
            made.append(f"({plain(low)}, {plain(high)}]" if right else f"[{plain(low)}, {plain(high)})")
    return made if len(set(made)) == len(made) else _band_names(edges, right=right, whole=False)


def _disclosed_extremes(column: Column, parameters: Mapping[str, Any]) -> tuple[Fact, ...]:
    """State that edges which follow from the table disclose its extremes."""
    if "edges" in parameters:
        return ()
    code = "bands" if "bands" in parameters else "quantiles"
    n = Threshold(int(parameters[code]))
    return (fact(f"remedies.cut_{code}", column=Columns((column.name,)), n=n),)


def threshold(column: Column, parameters: Mapping[str, Any]) -> Recoding:
    """Replace each number of `column` by the name of its side of the limit.

    Question: is a number above the mean, the median or a stated limit?
    Method: mean and median are those of the records with a number. Another pair of names may be stated with ``labels``.
    Limits: a cell that is not a number stays as it is.
    """
    limit = _limit(column, parameters)
    names = stated_labels(parameters, ("0", "1"), "threshold")
    numbers = column.numbers
    texts = [
        text if not known else names[above]
        for text, known, above in zip(
            column.dictionary.to_pylist(), np.isfinite(numbers).tolist(), (numbers > limit).tolist(), strict=True
        )
    ]
    above = int(column.counts[:-1][numbers > limit].sum())
    note = fact(
        "remedies.threshold",
        column=Columns((column.name,)),
        limit=Number(round(limit, 6)),
        records=Count(above, of=int(column.counts.sum()), unit="record"),
    )
    return Recoding("threshold", column.name, dict(parameters), *by_text(listed(texts)), notes=(note,))


def _limit(column: Column, parameters: Mapping[str, Any]) -> float:
    """Return the limit.

    Raises
    ------
    ConfigError
        If mean or median are wanted of a column that does not hold numbers.
    """
    if "at" in parameters:
        return float(parameters["at"])
    counts = np.where(np.isfinite(column.numbers), column.counts[:-1], 0)
    if not column.is_numeric or not counts.any():
        raise not_numbers("threshold", column.name)
    held = counts > 0
    values, counts = column.numbers[held], counts[held]
    if parameters["by"] == "mean":
        return float((values * counts).sum() / counts.sum())
    order = np.argsort(values)
    ends, n = np.cumsum(counts[order]), int(counts.sum())
    middle = np.searchsorted(ends, [(n - 1) // 2, n // 2], side="right")
    return float(values[order][middle].mean())


def top_code(column: Column, parameters: Mapping[str, Any]) -> Recoding:
    """Merge all numbers from ``at`` on.

    Limits: where the limit itself is written, the column stays numeric, and a reader does not see which cells were
    coded.
    """
    return _cut_off(column, parameters, "top_code", f"{plain(parameters['at'])}+")


def bottom_code(column: Column, parameters: Mapping[str, Any]) -> Recoding:
    """Merge all numbers up to ``at``."""
    return _cut_off(column, parameters, "bottom_code", f"up to {plain(parameters['at'])}")


def _cut_off(column: Column, parameters: Mapping[str, Any], name: str, beyond: str) -> Recoding:
    at = float(parameters["at"])
    is_beyond = column.numbers >= at if name == "top_code" else column.numbers <= at
    if parameters.get("write") == "limit":
        beyond = plain(at)
    lookup, labels = by_text(pc.if_else(pa.array(is_beyond), beyond, column.dictionary))
    made = {**parameters, "at": short(at)}
    coded = Count(int(column.counts[:-1][is_beyond].sum()), of=int(column.counts.sum()), unit="record")
    limit = Threshold(short(at))
    note = fact(f"remedies.{name}", column=Columns((column.name,)), records=coded, at=limit)
    return Recoding(name, column.name, made, lookup, labels, details={"at": limit}, notes=(note,))
