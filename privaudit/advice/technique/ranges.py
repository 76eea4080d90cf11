"""What a run of neighbouring groups of a column is called: "20-39", "2021-03 to 2021-07", "Embu | Meru".

Question: which text stands for the values from one group of a column to another?
Method: bands of numbers are joined to one band, by the edges of the first and the last; dates are joined by "to". The
first and the last period of a column may be of one record each, so a range that begins or ends there is widened: months
and quarters to the whole year, years to the decade.
Categories have no order that a reader could use, so a run of them is the list of its values; where they are many, it is
a numbered group, whose values the data dictionary lists.
Limits: equal runs of a column have equal texts, and different runs different ones.
"""

from __future__ import annotations

from collections.abc import Sequence

from privaudit.advice.technique.recoding import Recoding
from privaudit.advice.technique.texts import OTHER
from privaudit.base.group_labels import SEPARATOR
from privaudit.base.patterns import Expression

MOST_NAMED = 8
"""Values that the name of a run of categories lists."""
ALL = "all values"
MISSING = "missing"
_N = r"-?[0-9]+(?:\.[0-9]+)?"
_BAND = Expression(rf"(?P<low>{_N})(?:-(?P<high>{_N}))?|\[(?P<from>{_N}), (?P<to>{_N})\)")
_ENDS = Expression(rf"under (?P<under>{_N})|(?P<over>{_N})\+")
_PERIOD = Expression(r"(?P<year>[0-9]{4})(?:-(?P<part>[0-9]{2}|Q[1-4]))?")
DATED = frozenset({"round_date"})


def is_ordered(step: Recoding) -> bool:
    """Whether a recoding gives groups of numbers or dates, in their order."""
    return step.technique in ("band", *DATED)


def names_of_runs(
    labels: Sequence[str | None], runs: Sequence[tuple[int, int]], technique: str
) -> dict[tuple[int, int], str | None]:
    """Return a name for each run of groups.

    Parameters
    ----------
    labels : sequence of str or None
        The groups of a column in their order; None, last, for missing cells.
    runs : sequence of (first, last)
    technique : str
        How the groups were made.
    """
    made: dict[tuple[int, int], str | None] = {}
    known = [label for label in labels if label is not None]
    for run in sorted(set(runs)):
        members = [label for label in labels[run[0] : run[1] + 1] if label is not None]
        has_missing = len(members) <= run[1] - run[0]
        name = _name(members, known, technique)
        if name is None:
            name = f"group {sum(text is not None for text in made.values()) + 1} ({len(members)} values)"
        made[run] = None if not members else f"{name} or {MISSING}" if has_missing else name
    return made


def _name(members: Sequence[str], known: Sequence[str], technique: str) -> str | None:
    """Return the name of a run that has one without a number; `known` are all groups of the column."""
    if len(members) < 2:
        return members[0] if members else ""
    if len(members) == len(known):
        return ALL
    if technique == "band":
        joined = _joined(members[0], members[-1])
        if joined is not None:
            return joined
    elif technique in DATED:
        dated = [member for member in members if member != OTHER]
        run = _dates(dated, [label for label in known if label != OTHER])
        return run if len(dated) == len(members) else f"{run} or {OTHER}"
    return SEPARATOR.join(members) if len(members) <= MOST_NAMED else None


def _dates(members: Sequence[str], known: Sequence[str]) -> str:
    """Return the range of some periods, widened where it begins with the first or ends with the last of a column."""
    first, last = members[0], members[-1]
    if first == last:
        return first
    first = _widened(first, "0", "01", "Q1") if first == known[0] else first
    last = _widened(last, "9", "12", "Q4") if last == known[-1] else last
    return f"{first} to {last}"


def _widened(period: str, digit: str, month: str, quarter: str) -> str:
    """Return the first or the last month or quarter of a year, or the year of a decade; a decade as it is."""
    found = _PERIOD.fullmatch(period)
    if found is None:
        return period
    if found["part"] is None:
        return f"{found['year'][:3]}{digit}"
    return f"{found['year']}-{quarter if found['part'].startswith('Q') else month}"


def _joined(first: str, last: str) -> str | None:
    """Return the band from the lower edge of one band to the upper edge of another; None where they are not bands."""
    low, high = _ENDS.fullmatch(first), _ENDS.fullmatch(last)
    start, end = _BAND.fullmatch(first), _BAND.fullmatch(last)
    if high is not None and high["over"]:
        lowest = None if start is None else start["low"] or start["from"]
        return None if lowest is None else f"{lowest}+"
    if end is None:
        return None
    if end["to"]:
        highest, half_open = end["to"], True
    else:
        highest, half_open = end["high"] or end["low"], False
    if low is not None and low["under"]:
        return f"under {highest}" if half_open else f"up to {highest}"
    if start is None:
        return None
    lowest = start["low"] or start["from"]
    return f"[{lowest}, {highest})" if half_open else f"{lowest}-{highest}"
