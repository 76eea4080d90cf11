"""What a run of neighbouring groups of a column is called: "20-39", "2021-03 to 2021-07", "Embu | Meru".

Question: which text stands for the values from one group of a column to another?
Method: bands of numbers are joined to one band, by the edges of the first and the last; dates are joined by "to".
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
    for run in sorted(set(runs)):
        members = [label for label in labels[run[0] : run[1] + 1] if label is not None]
        has_missing = len(members) <= run[1] - run[0]
        name = _name(members, technique, whole=len(members) == sum(label is not None for label in labels))
        if name is None:
            name = f"group {sum(text is not None for text in made.values()) + 1} ({len(members)} values)"
        made[run] = None if not members else f"{name} or {MISSING}" if has_missing else name
    return made


def _name(members: Sequence[str], technique: str, *, whole: bool) -> str | None:
    """Return the name of a run that has one without a number."""
    if len(members) < 2:
        return members[0] if members else ""
    if whole:
        return ALL
    if technique == "band":
        joined = _joined(members[0], members[-1])
        if joined is not None:
            return joined
    elif technique in DATED:
        dated = [member for member in members if member != OTHER]
        run = f"{dated[0]} to {dated[-1]}" if len(dated) > 1 else dated[0]
        return run if len(dated) == len(members) else f"{run} or {OTHER}"
    return SEPARATOR.join(members) if len(members) <= MOST_NAMED else None


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
