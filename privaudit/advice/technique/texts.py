"""Techniques that drop a column, or shorten, mask, merge or group its values as texts.

Question: what is left of a value that is masked, cut to its first characters, merged into "other", or dropped?
Limits: a mask keeps the length of a value, and with it some information, unless the step states a number of asterisks.
Of a partial mask, a value that is not longer than what would remain is masked whole; what remains may identify: the
tail of an account number is often its serial number. Where a column has the value "other" already, it is part of the
merged value.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from privaudit.advice.technique.recoding import Column, Recoding, by_text, closed, listed
from privaudit.base.arrow import pa, pc
from privaudit.base.group_labels import SEPARATOR
from privaudit.base.patterns import Expression
from privaudit.model.wording import Threshold

OTHER = "other"


def drop_column(column: Column, parameters: Mapping[str, Any]) -> Recoding:
    """Return the recoding that drops the column: all cells become equal, missing cells too."""
    return Recoding("drop", column.name, {}, np.zeros(len(column) + 1, dtype=np.int32))


def mask(column: Column, parameters: Mapping[str, Any]) -> Recoding:
    """Replace every character by an asterisk, or every value by the same number of asterisks."""
    lengths = pc.utf8_length(column.dictionary)
    if "length" in parameters:
        lengths = pc.if_else(pc.is_valid(lengths), int(parameters["length"]), lengths)
    return Recoding("mask", column.name, dict(parameters), *by_text(pc.binary_repeat("*", lengths)))


def partial_mask(column: Column, parameters: Mapping[str, Any]) -> Recoding:
    """Replace the characters between the first and the last ones by asterisks."""
    first, last = int(parameters.get("first", 0)), int(parameters.get("last", 0))
    lengths = pc.utf8_length(column.dictionary)
    short = pc.less_equal(lengths, first + last)
    head = pc.utf8_slice_codeunits(column.dictionary, 0, first)
    tail = pc.utf8_slice_codeunits(column.dictionary, -last) if last else ""
    middle = pc.binary_repeat("*", pc.max_element_wise(pc.subtract(lengths, first + last), 0))
    made = pc.if_else(short, pc.binary_repeat("*", lengths), pc.binary_join_element_wise(head, middle, tail, ""))
    return Recoding("partial_mask", column.name, dict(parameters), *by_text(made))


def prefix(column: Column, parameters: Mapping[str, Any]) -> Recoding:
    """Keep the first characters of each value."""
    kept = int(parameters["characters_kept"])
    longest = pc.max(pc.utf8_length(column.dictionary)).as_py() or 0
    made = by_text(pc.utf8_slice_codeunits(column.dictionary, 0, kept))
    details = {"kept": Threshold(kept), "length": Threshold(int(longest))}
    return Recoding("prefix", column.name, {"characters_kept": kept}, *made, details=details)


def merge_rare(column: Column, parameters: Mapping[str, Any]) -> Recoding:
    """Merge the values with fewer than `below` records into "other"."""
    below = int(parameters["below"])
    # A value that is written as the others are named is one of them.
    merged = (column.counts[:-1] < below) | np.asarray(pc.equal(column.dictionary, OTHER), dtype=np.bool_)
    is_first = ~merged
    is_first[np.flatnonzero(merged)[:1]] = True
    lookup = np.cumsum(np.append(is_first, True)).astype(np.int32) - np.int32(1)
    lookup[:-1][merged] = lookup[:-1][merged][:1]

    def labels() -> pa.Array:
        named = pc.if_else(pa.array(merged), OTHER, column.dictionary).filter(pa.array(is_first))
        return pa.concat_arrays([named.cast(pa.string()), pa.nulls(1, pa.string())])

    details = {"below": Threshold(below)}
    return Recoding("merge_rare", column.name, {"below": below}, lookup, labels, details=details)


MOST_NAMED = 8
"""Values that the name of a group lists at most: the most frequent ones."""
_NUMBER = Expression(r"^(?P<sign>[^0-9A-Za-z]*)(?P<number>[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+(?:\.[0-9]+)?)")

_Group = tuple[int, ...]
"""Positions in the list of named values; the position one past it is the group "other"."""


def group_values(column: Column, parameters: Mapping[str, Any]) -> Recoding:
    """Merge categories until each group has `below` records.

    Question: how are categories generalised where nobody gave a hierarchy?
    Method: values with too few records to be named become "other". Then the two groups with fewest records are merged
    until each has enough: of all pairs, they lose the fewest bits [1]_. Where every named value begins with a number,
    values are ordered by it, and the smallest group is merged with the smaller of its two neighbours. The sequence of
    merges does not depend on where it ends, so groups for more records are unions of groups for fewer: a tree.
    Limits: the groups of values without an order follow from their numbers of records, not from their meaning.

    References
    ----------
    .. [1] D. A. Huffman, A method for the construction of minimum-redundancy codes, Proc. IRE 40(9), 1952.
    """
    below = int(parameters["below"])
    rare = int(parameters.get("rare", below))
    counts = column.counts[:-1]
    at = np.flatnonzero(counts >= rare)
    texts = column.dictionary.take(at).to_pylist()
    named = sorted((text, int(counts[i]), int(i)) for text, i in zip(texts, at.tolist(), strict=True) if text != OTHER)
    values, records = [text for text, _, _ in named], [held for _, held, _ in named]
    others = int(counts.sum()) - sum(records)
    lookup = np.zeros(len(column), dtype=np.int32)
    if len(named) < len(column):
        records.append(others)
    order = ordered(values)
    groups = _unordered(records, below) if order is None else _neighbours(records, order, below)
    codes: dict[str, int] = {}
    rest = 0
    for group in groups:
        code = codes.setdefault(_name(group, values, records), len(codes))
        for i in group:
            if i == len(values):
                rest = code
            else:
                lookup[named[i][2]] = code
    is_rest = np.ones(len(column), dtype=bool)
    is_rest[[i for _, _, i in named]] = False
    lookup[is_rest] = rest
    details = {"below": Threshold(below), "rare": Threshold(rare)}
    return Recoding(
        "group_values",
        column.name,
        {"below": below, "rare": rare},
        closed(lookup),
        lambda: listed([*codes, None]),
        details=details,
    )


def ordered(values: Sequence[str]) -> list[int] | None:
    """Return the order of values that begin with a number, such as "<1 year", "1-4 years", "5+ years"; else None."""
    found = [_NUMBER.match(value) for value in values]
    keys = [
        (float(match["number"].replace(",", "")), ("<" not in match["sign"]) + (">" in match["sign"]), value)
        for match, value in zip(found, values, strict=True)
        if match is not None
    ]
    return sorted(range(len(values)), key=keys.__getitem__) if len(keys) == len(values) > 0 else None


def _unordered(records: Sequence[int], below: int) -> list[_Group]:
    """Merge the two groups with fewest records until each group has `below`."""
    heap: list[tuple[int, _Group]] = [(held, (i,)) for i, held in enumerate(records)]
    heapq.heapify(heap)
    while len(heap) > 1 and heap[0][0] < below:
        least, smallest = heapq.heappop(heap)
        held, next_ = heap[0]
        heapq.heapreplace(heap, (least + held, tuple(sorted((*smallest, *next_)))))
    return [group for _, group in sorted(heap, key=lambda each: each[1])]


def _neighbours(records: Sequence[int], order: Sequence[int], below: int) -> list[_Group]:
    """Merge the group with fewest records with its smaller neighbour until each group has `below`."""
    places = [*order, *range(len(order), len(records))]  # "other" is last
    groups = {at: (records[i], [i]) for at, i in enumerate(places)}
    before = {at: at - 1 for at in groups}
    after = {at: at + 1 for at in groups}
    heap = [(held, at) for at, (held, _) in groups.items()]
    heapq.heapify(heap)
    while len(groups) > 1 and heap[0][0] < below:
        held, at = heapq.heappop(heap)
        if at not in groups or groups[at][0] != held:
            continue  # merged meanwhile
        beside = [each for each in (before[at], after[at]) if each in groups]
        first, second = sorted((at, min(beside, key=lambda each: groups[each][0])))
        (held, members), (more, others) = groups[first], groups.pop(second)
        groups[first] = held + more, members + others
        after[first] = after[second]
        before[after[second]] = first
        heapq.heappush(heap, (held + more, first))
    return [tuple(members) for _, members in groups.values()]


def _name(group: _Group, values: Sequence[str], records: Sequence[int]) -> str:
    """Return the values of a group that may be named, the most frequent ones where they are many, then "other"."""
    members = [i for i in group if i < len(values)]
    frequent = set(sorted(members, key=lambda i: (-records[i], i))[:MOST_NAMED])
    parts = [values[i] for i in members if i in frequent]
    if len(members) > MOST_NAMED:
        parts.append(f"{len(members) - MOST_NAMED} more")
    if len(members) < len(group):
        parts.append(OTHER)
    return SEPARATOR.join(parts)
