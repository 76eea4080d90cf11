"""Which sets of columns are minimal for k, and in which order a report lists them.

Question: of the sets that were counted, which cause small classes by themselves?
Method: a set is minimal where some class is below k and no proper subset has such a class; a superset of a key comes
after all that do not contain one.
Limits: only sets that were counted are known; a key that was not searched does not move its supersets.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

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
    columns = sorted({name for c in known for name in c.columns})
    bit = {name: 1 << i for i, name in enumerate(columns)}
    masks = [sum(bit[name] for name in c.columns) for c in known]
    violates = {mask: c.k_min < k for mask, c in zip(masks, known, strict=True)}
    verdict: dict[int, bool | None] = {}
    for i in sorted(range(len(known)), key=lambda i: len(known[i].columns)):
        parts = [bit[name] for name in known[i].columns]
        verdict[masks[i]] = _is_minimal(masks[i], parts, violates, verdict)
    return tuple(
        replace(c, minimal=_within(c, k) if c.minimal_to is not None else verdict[mask])
        for c, mask in zip(known, masks, strict=True)
    )


def _within(found: Combination, k: int) -> bool:
    # For k above n even the table without columns has a class below k: single columns are then minimal.
    upto = found.minimal_to or 0
    return found.k_min < k and (k <= upto or len(found.columns) == 1)


def _is_minimal(
    mask: int, parts: Sequence[int], violates: dict[int, bool], verdict: dict[int, bool | None]
) -> bool | None:
    if not violates[mask]:
        return False
    if len(parts) == 1:
        return True
    nearest = [violates.get(mask ^ part) for part in parts]
    if True in nearest:
        return False
    if None not in nearest:
        return True
    within = any(seen for other, seen in verdict.items() if seen and other & mask == other)
    return False if within else None


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
