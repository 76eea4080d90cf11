"""Words that everybody uses, which are evidence against names.

Question: are the cells of a column names, or words of a language?
Method: `common_words.toml` has the most frequent words of eight languages. A cell is common if all its words are in the
list of one language, the one that explains most cells: the words of a language are names in another.
A letter alone may be an initial and is not a word.
Limits: languages without a list have no common words; names of people that are words as well (Brown, Rose) count as
words, and a column of them alone is not one of names without further evidence.
"""

from __future__ import annotations

from functools import cache

from privaudit.detect.catalogue import wordlists
from privaudit.detect.column import SAMPLE, Column, once

MOSTLY = 0.5  # share of the cells from which a column is one of common words
_EDGES = ".'\"()&,;:!?-"


@once
def common_share(column: Column) -> float:
    """Return the share of the cells of `column` whose words are all common in one language."""
    texts, counts = column.chosen(SAMPLE)
    cells = [(_words(text), n) for text, n in zip(texts, counts.tolist(), strict=True)]
    n_common = max(
        sum(n for words, n in cells if words and words <= common)
        for common in map(_common_words, wordlists.toml("common_words"))
    )
    return float(n_common / max(1, counts.sum()))


def are_common(column: Column) -> bool:
    """Whether most cells of `column` consist of common words."""
    return column.has_letters and common_share(column) >= MOSTLY


def _words(text: str) -> frozenset[str]:
    """Return the words of a cell, folded, without numbers, single letters and punctuation around them."""
    pieces = (piece.strip(_EDGES) for piece in wordlists.fold(text[:200]).replace("/", " ").split())
    return frozenset(piece.removesuffix("'s") for piece in pieces if len(piece) > 1 and not piece.isdigit())


@cache
def _common_words(language: str) -> frozenset[str]:
    return frozenset(wordlists.toml("common_words")[language].split())
