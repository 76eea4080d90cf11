"""Minimal sample uniques as far as they are affordable, and their scores.

Question: how far are minimal sample uniques searched, and what follows for each record where the population is unknown?
Method: sizes of sets are searched while the estimated work is below its bound, for uniques and for each k of the
policy; the scores are at the sampling fraction, or at an assumed one.
Limits: the sizes that were not searched are limits. The search itself is in `privaudit.risk.search.special_uniques`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

from privaudit.base.parallel import threads_for, together
from privaudit.base.records import dataclass
from privaudit.model import Limit, SpecialUniques, UniqueCounts, limit
from privaudit.model.wording import Listing, Number, Threshold
from privaudit.risk.codes.scope import Scope
from privaudit.risk.search.special_uniques import MinimalUniques

MOST_VISITS_FOR_K = 300_000_000
"""Distinct rows times combinations up to which minimal sets with fewer than k matches are searched, besides uniques."""


@dataclass(frozen=True, slots=True)
class SearchedUniques:
    """Minimal sample uniques of every record, and the counts for the values of k of the policy."""

    uniques: MinimalUniques
    fewer_than: Mapping[str, UniqueCounts]

    @classmethod
    def from_search(cls, by_k: Mapping[int, MinimalUniques]) -> SearchedUniques | None:
        """Keep the uniques (k = 2) and the counts for larger k; None where nothing was searched."""
        counts = {str(k): found.counts() for k, found in by_k.items() if k > 2}
        return cls(by_k[2], counts) if by_k else None


def search_uniques(scope: Scope, searched: int, limits: list[Limit]) -> SearchedUniques | None:
    """Search minimal sample uniques, and minimal sets of fewer matches than the policy's k, as far as affordable.

    Parameters
    ----------
    scope : Scope
    searched : int
        Size up to which combinations were searched; larger sets are not searched here either.
    limits : list of Limit
        Receives the sizes that were not searched.
    """
    from privaudit.risk.search.special_uniques import affordable_size, minimal_uniques

    requested = min(scope.settings.max_size, len(scope.coded.names))
    # Without a bound, everything that was searched is.
    most = None if scope.settings.bound == "default" else math.inf
    size = affordable_size(scope.coded, min(requested, searched), most=most)
    if size < requested:
        limits.append(limit("risk.special_uniques_not_searched", sizes=set_sizes(size + 1, requested)))
    if not size:
        return None
    size_for_k = min(size, affordable_size(scope.coded, size, most=most or MOST_VISITS_FOR_K))
    if size_for_k < size and scope.policy_ks:
        limits.append(limit("risk.fewer_than_k_not_searched", sizes=set_sizes(size_for_k + 1, size)))
    below = [k for k in scope.policy_ks if k > 2 and size_for_k]
    counts, uniques = together(
        threads_for(scope.coded.n_distinct, scope.settings.threads),
        # One k after the other, and of each the counts alone: a record of every row for each k would cost memory.
        lambda: {str(k): minimal_uniques(scope.coded, max_size=size_for_k, k=k).counts() for k in sorted(below)[::-1]},
        lambda: minimal_uniques(scope.coded, max_size=size, k=2, progress=scope.progress),
    )
    return SearchedUniques(uniques, counts)


def set_sizes(first: int, last: int) -> Listing:
    """Return sizes of column sets, for a limit that states which were not searched."""
    return Listing(tuple(Threshold(size) for size in range(first, last + 1)))


def special_uniques(
    scope: Scope, searched: SearchedUniques | None, n_people: int | None, limits: list[Limit]
) -> SpecialUniques | None:
    """Return the scores at the sampling fraction; an assumed fraction where the population is not known."""
    from privaudit.risk.search.special_uniques import ASSUMED_FRACTION, MOST_COLUMNS

    if searched is None:
        return None
    n_columns = len(scope.coded.names)
    if n_columns > MOST_COLUMNS:
        most, columns = Threshold(MOST_COLUMNS), Number(n_columns)
        limits.append(limit("risk.special_uniques_not_scored", columns=columns, most=most))
        return None
    fraction = None if n_people is None else min(1.0, scope.coded.n_units / n_people)
    if fraction is None:
        limits.append(limit("risk.dis_fraction_assumed", fraction=Threshold(ASSUMED_FRACTION)))
    summary = searched.uniques.summary(fraction)
    return replace(summary, fewer_than=dict(sorted(searched.fewer_than.items())))
