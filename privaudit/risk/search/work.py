"""How many combinations a search counts: a bound on work that is the same on every machine.

Question: which combinations of quasi-identifiers are counted where not all can be?
Method: work is the rows read, rows times sets, and the number of sets, each of which becomes a record. All sets of a
size are counted while they fit. Of the next size, those are counted whose columns have the most distinct values: a set
has at most as many classes, and so at most as many sample uniques, as the product of these numbers. The more columns
are taken the larger the share of the sets; the last column that fits ends the search.
Limits: a set that is not counted may have more sample uniques than one that is. No set has more, or a smaller class,
than all quasi-identifiers together, which are always counted: their classes are parts of its classes.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import TypedDict

from privaudit.base.records import dataclass
from privaudit.model import Limit, limit
from privaudit.model.wording import Columns, Listing, Number, Share, Threshold, Value, fact
from privaudit.risk.kernel.subsets import n_sets
from privaudit.settings.config import Settings

MOST_SETS = 200_000
MOST_VISITS = 30_000_000_000  # distinct rows times sets; some minutes on two threads


def most_visits(settings: Settings) -> int | None:
    """Return the bound on rows times sets; None where the settings have none."""
    return None if settings.bound == "none" else MOST_VISITS


class SearchLimits(TypedDict):
    """What bounds every search over combinations, and the k for which it counts."""

    max_size: int
    thresholds: Sequence[int]
    budget: float | None
    most_visits: int | None


def search_limits(settings: Settings, thresholds: Sequence[int]) -> SearchLimits:
    """Return the largest sets of a search, the k for which it counts, and its bounds on time and work."""
    return SearchLimits(
        max_size=settings.max_size, thresholds=thresholds, budget=settings.budget, most_visits=most_visits(settings)
    )


@dataclass(frozen=True, slots=True)
class Work:
    """What is counted of all sets of up to `requested` columns.

    Attributes
    ----------
    largest : int
        All sets of up to so many columns are counted.
    requested : int
    columns : tuple of int
        Ascending numbers of the columns of which all sets of ``largest + 1`` are counted as well; empty where none are.
    """

    largest: int
    requested: int
    columns: tuple[int, ...] = ()


def bounded(n_values: Sequence[int], max_size: int, rows: int, most_visits: int | None = MOST_VISITS) -> Work:
    """Return what is counted within the default bound on work.

    Parameters
    ----------
    n_values : sequence of int
        Distinct values of each column.
    max_size : int
        The largest size that was requested.
    rows : int
        Rows that are read for each set.
    most_visits : int, optional
        Bound on rows times sets; None for no bound at all.
    """
    n, requested = len(n_values), min(max_size, len(n_values))
    if most_visits is None:
        return Work(requested, requested)
    most = min(MOST_SETS, most_visits // max(1, rows))
    largest = requested
    while largest > 1 and n_sets(n, largest) > most:
        largest -= 1
    if largest == requested:
        return Work(largest, requested)
    room = most - n_sets(n, largest)
    m = next((m for m in range(n - 1, largest, -1) if comb(m, largest + 1) <= room), 0)
    widest = sorted(range(n), key=lambda i: (-n_values[i], i))[:m]
    return Work(largest, requested, tuple(sorted(widest)))


def beyond_bound(names: Sequence[str], work: Work, rows: int) -> list[Limit]:
    """Return the limit for the sets that the bound on work excludes; nothing where it excludes none."""
    if work.largest == work.requested:
        return []
    partly: dict[str, Value] = {}
    next_size, n_searched = work.largest + 1, comb(len(work.columns), work.largest + 1)
    if n_searched:
        n_of_size = comb(len(names), next_size)
        share = Share(n_searched / n_of_size)
        partly["partly"] = fact("risk.searched_in_part", share=share, size=Threshold(next_size))
    return [
        not_searched(
            "risk.combinations_beyond_bound",
            names,
            next_size,
            work.requested,
            but=n_searched + (work.requested == len(names)),  # the set of all columns is counted in any case
            largest=Threshold(work.largest),
            searched=Number(n_sets(len(names), work.requested)),
            rows=Number(rows),
            **partly,
        )
    ]


def not_searched(code: str, names: Sequence[str], first: int, last: int, *, but: int = 0, **values: Value) -> Limit:
    """Return the limit `code` for the sets of `first` to `last` of the columns `names`, of which `but` were searched.

    It is complete: k of all the columns together is counted in any case, and no set of them has a smaller class.
    """
    return limit(
        code,
        incomplete=False,
        sets=Number(sum(comb(len(names), size) for size in range(first, last + 1)) - but),
        sizes=Listing(tuple(Threshold(size) for size in range(first, last + 1))),
        columns=Columns(tuple(names)),
        **values,
    )


def out_of_time(names: Sequence[str], first: int, last: int, budget: float | None) -> Limit:
    """Return the limit for the sets of `first` to `last` columns that the time budget did not allow."""
    seconds = Threshold(budget or 0.0)
    return not_searched("risk.combinations_out_of_time", names, first, last, budget=seconds)
