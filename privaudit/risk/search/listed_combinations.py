"""Which combinations a report lists, and in which order.

Question: of thousands of column sets that single people out, which does a reader need to see?
Method: worst first, but a set that contains a key comes after all that do not: where a smaller set separates everybody,
a further column adds nothing. Where the list has to be cut, it keeps the minimal sets, the sets that are minimal for
some record, single columns, the set of all columns and the worst; supersets of a key are the first to go.
Limits: only sets that were counted are known; a key that was not searched does not move its supersets.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from privaudit.model import Combination, Limit, limit
from privaudit.model.minimal import are_minimal, ranked_with_keys
from privaudit.model.wording import Number, Threshold, Value, fact

MOST_LISTED = 1_000
MOST_MINIMAL = 1_000


def listed_in_report(
    combinations: Sequence[Combination],
    thresholds: Sequence[int],
    *,
    isolating: Mapping[tuple[str, ...], int] | None = None,
    most: int = MOST_LISTED,
) -> tuple[tuple[Combination, ...], tuple[Limit, ...]]:
    """Return the combinations that a report lists, and a limit that states how many were searched.

    Listed are single columns, the set of all columns, the sets that are minimal for k = 2 or for a threshold, the sets
    that are minimal for most records, and the worst ones that do not contain a key.

    Parameters
    ----------
    combinations : sequence of Combination
    thresholds : sequence of int
        The largest of them orders the list.
    isolating : mapping of columns to int, optional
        Records (or people) for which each set is a minimal unique set.
    most : int
        The list is not cut up to this length.
    """
    k = max(thresholds)
    with_keys = ranked_with_keys(combinations, k)
    order = tuple(c for c, _ in with_keys)
    if len(order) <= most:
        return order, ()
    redundant = {c.columns for c, last in with_keys if last}
    keep = {c.columns for c in [c for c in order if c.columns not in redundant][:most]}
    keep |= _minimal(order, thresholds)
    by_records = sorted((isolating or {}).items(), key=lambda item: (-item[1], len(item[0]), item[0]))
    keep.update(columns for columns, _ in by_records[:MOST_MINIMAL])
    whole = max(len(c.columns) for c in order)
    keep.update(c.columns for c in order if len(c.columns) in (1, whole))
    kept = tuple(c for c in order if c.columns in keep)
    n_redundant = len(redundant - keep)
    more: dict[str, Value] = {}
    if n_redundant:
        more["redundant"] = fact("risk.contain_a_key", n=Number(n_redundant))
    cut = limit(
        "risk.combinations_listed",
        incomplete=False,
        searched=Number(len(order)),
        listed=Number(len(kept)),
        most=Threshold(most),
        k=Threshold(k),
        **more,
    )
    return kept, (cut,)


def _minimal(order: Sequence[Combination], thresholds: Sequence[int]) -> set[tuple[str, ...]]:
    """Return the sets that are minimal for k = 2 or for a threshold, the worst of each."""
    keep: set[tuple[str, ...]] = set()
    for threshold in sorted({2, *thresholds}):
        minimal = [c.columns for c, is_so in zip(order, are_minimal(order, threshold), strict=True) if is_so]
        keep.update(minimal[:MOST_MINIMAL])
    return keep
