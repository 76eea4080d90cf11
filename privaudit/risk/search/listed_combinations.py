"""Which combinations a report lists, and in which order.

Question: of thousands of column sets that single people out, which does a reader need to see?
Method: worst first, but a set that contains a key comes after all that do not: where a smaller set separates everybody,
a further column adds nothing. Where the list has to be cut, it keeps the minimal sets, the sets that are minimal for
some record, single columns, the set of all columns and the worst; supersets of a key are the first to go.
Limits: only sets that were counted are known; a key that was not searched does not move its supersets.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from privaudit.model import Combination, Limit, limit
from privaudit.model.wording import Number, Threshold, Value, fact
from privaudit.risk.search.combinations import mark_minimal

MOST_LISTED = 1_000
MOST_MINIMAL = 1_000


def contain_a_key(combinations: Sequence[Combination]) -> list[bool]:
    """Return which of the combinations have a proper subset among them that separates everybody.

    A set is a superset of a key if a set with one column less is one, or contains one; where such a set is not known,
    it is compared with the smallest keys.
    """
    columns = sorted({name for c in combinations for name in c.columns})
    bit = {name: 1 << i for i, name in enumerate(columns)}
    masks = [sum(bit[name] for name in c.columns) for c in combinations]
    separates: dict[int, bool] = {}  # by set: whether it or a subset of it is a key
    redundant = [False] * len(masks)
    smallest: list[int] = []
    for i in sorted(range(len(masks)), key=lambda i: len(combinations[i].columns)):
        nearest = [separates.get(masks[i] ^ bit[name]) for name in combinations[i].columns]
        redundant[i] = True in nearest or (
            None in nearest and any(key & masks[i] == key != masks[i] for key in smallest)
        )
        is_key = combinations[i].share_unique == 1
        separates[masks[i]] = is_key or redundant[i]
        if is_key and not redundant[i]:
            smallest.append(masks[i])
    return redundant


def ranked(combinations: Iterable[Combination], k: int) -> tuple[Combination, ...]:
    """Return `combinations`, worst first, those that contain a key last.

    By records (or people) below `k`, then uniques, then fewer columns, then names. Uniques stand for the records below
    `k` where these were not counted.
    """
    known = list(combinations)
    redundant = contain_a_key(known)

    def place(i: int) -> tuple[bool, int, int, int, tuple[str, ...]]:
        c = known[i]
        below = c.n_below_k(k)
        return redundant[i], -(c.n_unique if below is None else below), -c.n_unique, len(c.columns), c.columns

    return tuple(known[i] for i in sorted(range(len(known)), key=place))


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
    order = ranked(combinations, k)
    if len(order) <= most:
        return order, ()
    redundant = {c.columns for c, last in zip(order, contain_a_key(order), strict=True) if last}
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
        more["redundant"] = fact("risk.contain_a_key", n=Number(value=n_redundant))
    cut = limit(
        "risk.combinations_listed",
        incomplete=False,
        searched=Number(value=len(order)),
        listed=Number(value=len(kept)),
        most=Threshold(value=most),
        k=Threshold(value=k),
        **more,
    )
    return kept, (cut,)


def _minimal(order: Sequence[Combination], thresholds: Sequence[int]) -> set[tuple[str, ...]]:
    """Return the sets that are minimal for k = 2 or for a threshold, the worst of each."""
    keep: set[tuple[str, ...]] = set()
    for threshold in sorted({2, *thresholds}):
        minimal = [c.columns for c in mark_minimal(order, threshold) if c.minimal]
        keep.update(minimal[:MOST_MINIMAL])
    return keep
