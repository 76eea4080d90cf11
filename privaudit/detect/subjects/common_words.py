"""Words that everybody uses, which are evidence against names and against values of a closed vocabulary.

Question: are the cells of a column names, or words of a language? Are they words that a sex or a country never has?
Method: `common_words.toml` has the most frequent words of eight languages. A cell is common if all its words are in the
list of one language, the one that explains most cells: the words of a language are names in another.
A letter alone may be an initial and is not a word. Common words of which hardly any is in the vocabulary of an entity
type mean something else: "open" and "closed" are not states of a country. Words of a language without a list, and codes
of up to three letters, decide nothing.
Limits: languages without a list have no common words; names of people that are words as well (Brown, Rose) count as
words, and a column of them alone is not one of names without further evidence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import reduce
from operator import and_

from privaudit.base.patterns import Expression
from privaudit.detect.catalogue import wordlists
from privaudit.detect.column import FEW, NEARLY_ALL, SAMPLE, Column, once

MOSTLY = 0.5  # share of the cells from which a column is one of common words
_LONGEST_CODE = 3  # letters of ISO 3166 and of postal abbreviations
_EDGES = ".'\"()&,;:!?-"
_WORD = Expression(r"[^\W\d_]+")


@once
def common_share(column: Column) -> float:
    """Return the share of the cells of `column` whose words are all common in one language."""
    texts, counts = column.chosen(SAMPLE)
    cells = [(_words(text), n) for text, n in zip(texts, counts.tolist(), strict=True)]
    return _most(cells) / max(1, int(counts.sum()))


def are_common(column: Column) -> bool:
    """Whether most cells of `column` consist of common words."""
    return column.has_letters and common_share(column) >= MOSTLY


def are_others(column: Column, vocabulary: frozenset[str]) -> bool:
    """Whether most stated cells are common words, and hardly any is, or contains, a word of a folded `vocabulary`."""
    if column.data_type != "text" or not column.has_letters:
        return False
    not_stated = wordlists.word_list("not_stated")
    texts, counts = column.chosen(SAMPLE)
    folded = ((wordlists.fold(text).replace("_", " "), n) for text, n in zip(texts, counts.tolist(), strict=True))
    stated = [(text, n) for text, n in folded if text not in not_stated]
    total: int = sum(n for _, n in stated)
    known = sum(n for text, n in stated if text in vocabulary or not vocabulary.isdisjoint(_WORD.findall(text)))
    if not total or known > (1 - NEARLY_ALL) * total:
        return False
    worded = ((_words(text), n) for text, n in stated if len(text) > _LONGEST_CODE)
    return _most(worded) >= MOSTLY * total


def are_levels(column: Column, vocabulary: frozenset[str]) -> bool:
    """Whether the cells are a few words that repeat, fewer than half of which are in a `vocabulary` of whole cells."""
    if column.data_type != "text" or column.n_distinct > FEW or column.is_varied:
        return False
    words = [text for text in column.folded.to_pylist() if len(text) > _LONGEST_CODE]
    return len(words) > 1 and sum(word in vocabulary for word in words) < MOSTLY * len(words)


def _most(cells: Iterable[tuple[frozenset[str], int]]) -> int:
    """Return in how many cells all words are common, in the language that explains most of them."""
    tally: Counter[int] = Counter()
    for words, n in cells:
        if words:
            tally[reduce(and_, map(wordlists.common_in, words))] += n
    languages = range(max(tally, default=0).bit_length())
    return max((sum(n for found, n in tally.items() if found >> one & 1) for one in languages), default=0)


def _words(text: str) -> frozenset[str]:
    """Return the words of a cell, folded, without numbers, single letters and punctuation around them."""
    pieces = (piece.strip(_EDGES) for piece in wordlists.fold(text[:200]).replace("/", " ").split())
    return frozenset(piece.removesuffix("'s") for piece in pieces if len(piece) > 1 and not piece.isdigit())
