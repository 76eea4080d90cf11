"""Which sets of columns are minimal for k, and in which order a report lists them.

Question: of the sets that were counted, which cause small classes by themselves?
Method: a set is minimal where some class is below k and no proper subset has such a class; a superset of a key comes
after all that do not contain one.
Limits: only sets that were counted are known; a key that was not searched does not move its supersets.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace
from itertools import combinations as combinations_of

from privaudit.model.risk import Combination


def mark_minimal(combinations: Iterable[Combination], k: int) -> tuple[Combination, ...]:
    """Set `minimal` of each combination: some class is below `k`, and no proper subset has such a class.

    A superset of a set with a class below k has one too, so it is enough to look at the sets with one column
    less; where one of these was not searched and no smaller set decides, `minimal` is null.

    Returns
    -------
    tuple of Combination, in the order given
    """
    known = list(combinations)
    verdicts = are_minimal(known, k)
    return tuple(replace(c, minimal=verdict) for c, verdict in zip(known, verdicts, strict=True))


def are_minimal(known: Sequence[Combination], k: int) -> list[bool | None]:
    """Return the verdicts of `mark_minimal`, in the order given."""
    verdicts = [None if c.minimal_to is None else _within(c, k) for c in known]
    open_ = [i for i, c in enumerate(known) if c.minimal_to is None]
    if not open_:
        return verdicts
    violates = {frozenset(c.columns): c.k_min < k for c in known}
    minimal = [frozenset(c.columns) for c, verdict in zip(known, verdicts, strict=True) if verdict]
    for i in sorted(open_, key=lambda i: len(known[i].columns)):
        columns = frozenset(known[i].columns)
        verdicts[i] = _is_minimal(columns, violates, minimal)
        if verdicts[i]:
            minimal.append(columns)
    return verdicts


def _within(found: Combination, k: int) -> bool:
    # For k above n even the table without columns has a class below k: single columns are then minimal.
    upto = found.minimal_to or 0
    return found.k_min < k and (k <= upto or len(found.columns) == 1)


def _is_minimal(
    columns: frozenset[str], violates: Mapping[frozenset[str], bool], minimal: Sequence[frozenset[str]]
) -> bool | None:
    if not violates[columns]:
        return False
    if len(columns) == 1:
        return True
    nearest = [violates.get(columns - {name}) for name in columns]
    if True in nearest:
        return False
    if None not in nearest:
        return True
    return False if any(seen <= columns for seen in minimal) else None


def contain_a_key(combinations: Sequence[Combination]) -> list[bool]:
    """Return which of the combinations have a proper subset among them that separates everybody.

    A set is a superset of a key if a set with one column less is one, or contains one; where such a set is not known,
    it is compared with the smallest keys.
    """
    keys = [c.columns for c in combinations if c.share_unique == 1]
    least = min(map(len, keys), default=0)
    redundant = [False] * len(combinations)
    larger = [i for i, c in enumerate(combinations) if len(c.columns) > least] if keys else []
    if not larger:
        return redundant
    # By set: whether it or a subset of it is a key.
    separates = {frozenset(c.columns): c.share_unique == 1 for c in combinations if len(c.columns) <= least}
    smallest = {frozenset(key) for key in keys if len(key) == least}
    for i in sorted(larger, key=lambda i: len(combinations[i].columns)):
        columns = frozenset(combinations[i].columns)
        nearest = [separates.get(columns - {name}) for name in columns]
        redundant[i] = True in nearest or (None in nearest and has_part(columns, smallest, least))
        is_key = combinations[i].share_unique == 1
        separates[columns] = is_key or redundant[i]
        if is_key and not redundant[i]:
            smallest.add(columns)
    return redundant


def has_part(columns: frozenset[str], keys: Set[frozenset[str]], least: int = 1) -> bool:
    """Whether a proper subset of `columns` is among `keys`, which have at least `least` columns."""
    if 2 ** len(columns) > len(keys):
        return any(key < columns for key in keys)
    sizes = range(least, len(columns))
    return any(frozenset(part) in keys for size in sizes for part in combinations_of(columns, size))


def ranked(combinations: Iterable[Combination], k: int) -> tuple[Combination, ...]:
    """Return `combinations`, worst first, those that contain a key last.

    By records (or people) below `k`, then uniques, then fewer columns, then names. Uniques stand for the records below
    `k` where these were not counted.
    """
    return tuple(c for c, _ in ranked_with_keys(combinations, k))


def ranked_with_keys(combinations: Iterable[Combination], k: int) -> list[tuple[Combination, bool]]:
    """Return what `ranked` does, each with whether it contains a key."""
    known = list(combinations)
    redundant = contain_a_key(known)

    def place(i: int) -> tuple[bool, int, int, int, tuple[str, ...]]:
        c = known[i]
        below = c.n_below_k(k)
        return redundant[i], -(c.n_unique if below is None else below), -c.n_unique, len(c.columns), c.columns

    return [(known[i], redundant[i]) for i in sorted(range(len(known)), key=place)]
