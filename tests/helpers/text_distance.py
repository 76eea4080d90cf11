"""Distances of two texts by their definition, cell by cell."""

from __future__ import annotations


def edits_by_definition(one: str, other: str) -> int:
    """Return the insertions, deletions, replacements and transpositions, no text edited twice in one place."""
    table = [[i + j if i * j == 0 else 0 for j in range(len(other) + 1)] for i in range(len(one) + 1)]
    for i in range(1, len(one) + 1):
        for j in range(1, len(other) + 1):
            replaced = table[i - 1][j - 1] + (one[i - 1] != other[j - 1])
            table[i][j] = min(table[i - 1][j] + 1, table[i][j - 1] + 1, replaced)
            if i > 1 and j > 1 and one[i - 1] == other[j - 2] and one[i - 2] == other[j - 1]:
                table[i][j] = min(table[i][j], table[i - 2][j - 2] + 1)
    return table[-1][-1]


def jaro_winkler_by_definition(one: str, other: str) -> float:
    """Return the Jaro-Winkler similarity."""
    reach = max(0, max(len(one), len(other)) // 2 - 1)
    free = list(range(len(other)))
    matched = []
    for i, character in enumerate(one):
        at = next((j for j in free if abs(i - j) <= reach and other[j] == character), None)
        if at is not None:
            free.remove(at)
            matched.append(character)
    if not matched:
        return 0.0
    theirs = [character for j, character in enumerate(other) if j not in free]
    common, apart = len(matched), sum(a != b for a, b in zip(matched, theirs, strict=True))
    jaro = (common / len(one) + common / len(other) + (common - apart / 2) / common) / 3
    prefix = next((i for i in range(4) if one[i : i + 1] != other[i : i + 1] or i >= len(one)), 4)
    return jaro + prefix * 0.1 * (1 - jaro)
