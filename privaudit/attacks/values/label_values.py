"""Which exact values does a generalised value of a release stand for?

Question: the release contains "20-29", "A | B", "101**", "2003-01 to 2003-09" or "group 3"; which values may it hide?
Method: a label stands for the values that it equals, for the numbers in its band, the days in its year, quarter, month
or span, the codes that begin with its characters, the values that it lists, and those that a published dictionary
names. A missing or suppressed cell may be anything, and a label that names no value stands for what no other label
names. Bands may overlap.
Limits: labels in words ("young") are read as what no other label names.
"""

from __future__ import annotations

import numpy as np

from privaudit.attacks.inputs import Levels
from privaudit.attacks.values.coarsened_values import MOSTLY, PLAIN, STARRED, floats, intervals
from privaudit.attacks.values.comparable_values import days_of, iso_dates, plain
from privaudit.base.arrays import Flags, Floats
from privaudit.base.arrow import pa, pc
from privaudit.base.group_labels import SEPARATOR

_OR_MISSING = r" or missing$"
_QUARTER_ENDS = {"q1": "-03", "q2": "-06", "q3": "-09", "q4": "-12"}
_MOMENT = r"(?:1[89]|20)[0-9]{2}(?:-(?:0[1-9]|1[0-2])(?:-[0-3][0-9])?)?"
_SPAN = rf"^(?P<first>{_MOMENT})(?: to (?P<last>{_MOMENT}))?$"


def stands_for(labels: pa.Array, values: pa.Array, levels: Levels | None = None) -> Flags:
    """Return whether each label may hide each value.

    Parameters
    ----------
    labels, values : pyarrow.StringArray
        Distinct values of the release and of people; none missing.
    levels : mapping, optional
        What a dictionary of the release states about its labels.

    Returns
    -------
    bool array of shape (labels, values)
    """
    found = np.zeros((len(labels), len(values)), dtype=bool)
    names, exact = plain(labels), plain(values)
    names = pc.replace_substring_regex(names, _OR_MISSING, "")
    texts: list[str | None] = names.to_pylist()
    place = _places(exact)
    for row, text in enumerate(texts):
        for part in () if text is None else (text, *text.split(SEPARATOR)):
            found[row, place.get(part, [])] = True
    if levels:
        found |= _as_stated(labels, values, levels)
    found |= _in_bands(names, exact) | _in_spans(names, values) | _with_prefix(names, exact)
    anything = np.array([text is None for text in texts], dtype=bool)
    found[anything] = True
    unnamed = ~found.any(axis=1)
    rest = ~found[~anything].any(axis=0)
    # "Other" stands for what no label names; where all are named, nothing is excluded.
    found[unnamed] = rest if rest.any() else True
    return found


def _as_stated(labels: pa.Array, values: pa.Array, levels: Levels) -> Flags:
    """Return whether a value is among those that are named for a label; for numbers and days, between two of them."""
    names = labels.to_pylist()
    stated = sorted({value for name in names for value in levels.get(name, ())})
    every = pa.concat_arrays([values, pa.array(stated, pa.string())])
    order, exact = _ascending(every), plain(every).to_pylist()
    place = {value: at for at, value in enumerate(stated, len(values))}
    found = np.zeros((len(labels), len(values)), dtype=bool)
    for row, name in enumerate(names):
        at = [place[value] for value in levels.get(name, ())]
        if at and order is not None and not np.isnan(order[at]).all():
            known = order[: len(values)]
            found[row] = (known >= np.nanmin(order[at])) & (known <= np.nanmax(order[at]))
        elif at:
            of_label = {exact[i] for i in at}
            found[row] = [text in of_label for text in exact[: len(values)]]
    return found


def _ascending(values: pa.Array) -> Floats | None:
    """Return values as numbers or days; None where fewer than `MOSTLY` of them are."""
    numbers = floats(plain(values), PLAIN, "low")
    if len(values) and np.isfinite(numbers).mean() >= MOSTLY:
        return numbers
    return days_of(values)


def _places(exact: pa.Array) -> dict[str | None, list[int]]:
    places: dict[str | None, list[int]] = {}
    for at, text in enumerate(exact.to_pylist()):
        if text is not None:
            places.setdefault(text, []).append(at)
    return places


def _in_bands(names: pa.Array, exact: pa.Array) -> Flags:
    """Return whether a number is in the band of a label."""
    numbers = floats(exact, PLAIN, "low")
    low, high, is_open = intervals(names)
    found = np.zeros((len(names), len(exact)), dtype=bool)
    bands, known = np.flatnonzero(~np.isnan(low)), np.flatnonzero(~np.isnan(numbers))
    order = known[np.argsort(numbers[known], kind="stable")]
    first = np.searchsorted(numbers[order], low[bands], side="left")
    ends = [np.searchsorted(numbers[order], high[bands], side=side) for side in ("left", "right")]
    # The end of a half-open band is in the next one.
    last = np.where(is_open[bands] & (low[bands] < high[bands]), *ends)
    for row, start, stop in zip(bands.tolist(), first.tolist(), last.tolist(), strict=True):
        found[row, order[start:stop]] = True
    return found


def _in_spans(names: pa.Array, values: pa.Array) -> Flags:
    """Return whether a day is in the year, quarter or month of a label, or between two of them."""
    text = pc.replace_substring_regex(names, r"^([0-9]{4})[-/ ]?(q[1-4])$", r"\1\2")
    for quarter, last in _QUARTER_ENDS.items():
        first = f"-{int(last[1:]) - 2:02d}"
        text = pc.replace_substring_regex(text, rf"^([0-9]{{4}}){quarter}$", rf"\1{first} to \1{last}")
    parts = pc.extract_regex(text, _SPAN)
    firsts, lasts = (pc.struct_field(parts, name).to_pylist() for name in ("first", "last"))
    found = np.zeros((len(names), len(values)), dtype=bool)
    if not any(firsts):
        return found
    # Dates as text have the order of time; where a label is a month, days are cut to their month.
    days = np.array([day or "" for day in iso_dates(values)[0].to_pylist()], dtype=np.str_)
    known = days != ""
    for row, (first, last) in enumerate(zip(firsts, lasts, strict=True)):
        if first:
            end = last or first
            found[row] = known & (days.astype(f"<U{len(first)}") >= first) & (days.astype(f"<U{len(end)}") <= end)
    return found


def _with_prefix(names: pa.Array, exact: pa.Array) -> Flags:
    """Return whether a code begins with the characters that a label shows before its stars."""
    kept = pc.struct_field(pc.extract_regex(names, STARRED), "kept").to_pylist()
    found = np.zeros((len(names), len(exact)), dtype=bool)
    for row, prefix in enumerate(kept):
        if prefix:
            found[row] = pc.fill_null(pc.starts_with(exact, prefix), False).to_numpy(zero_copy_only=False)
    return found
