"""People in a column of companies, products or places.

Question: which cells name a person, and are they more than those of a column without people?
Method: a cell of two to four capitalised words names a person if the first is a listed given name, or follows a title,
and the last is a listed surname or common in no language; or both are listed, the surname first. A word of companies or
of prose, and the name of a town, exclude it. Companies and products are named after people (Peter Hahn, Granny Smith):
people are reported where chance, at the rate of `rules/reference/models.toml`, explains so many of the different cells
without a word of companies less than once in 1,000 (chance.py). Where it explains them, and many cells end with a
surname, given names may be on no list: the column is not assessed.
Limits: a person whose given name is not listed and has no title is not counted, and neither is one whose name is
written in small letters or in a script without capitals. A company that is named like a person counts as one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from privaudit.base.arrow import pa
from privaudit.detect.catalogue import wordlists
from privaudit.detect.chance import is_beyond_chance
from privaudit.detect.column import SAMPLE, Column
from privaudit.detect.ledger import contains
from privaudit.detect.subjects.words_of_names import content_of, is_company, is_given_name, is_surname, words_of
from privaudit.model import Contained
from privaudit.model.wording import Fact, fact

_WORD, _PARTICLES = r"\p{Lu}[\p{L}\p{M}'’.\-]*", r"(?:\p{Ll}{1,4} ){0,2}"
_NAME = rf"^{_PARTICLES}{_WORD}(?:,? {_PARTICLES}{_WORD}){{1,4}}$"
UNLISTED = "detect.people_unlisted"
_UNLISTED = 0.2  # by hand: share of the cells with a surname that companies, products and places do not reach
_MOST_WORDS = 4  # of a name, without titles, particles and initials


def count_people(column: Column) -> Iterator[Contained]:
    """Yield how many cells of `column` name a person, where chance does not explain them."""
    people = column.matches(_NAME).copy()
    if not people.any():
        return
    people[people] = [names_a_person(text) for text in column.values.filter(pa.array(people)).to_pylist()]
    companies = np.mean([is_company(text, words_of(wordlists.fold(text))) for text in column.sample])
    others = round((1 - float(companies)) * column.n_distinct)
    if is_beyond_chance(others, int(people.sum()), wordlists.toml("models")["false_alarms_in_names"]["lists"]):
        yield contains(column, "PERSON_NAME", column.cells(people), "list", fact("detect.people_among_others"))


def may_name_people(column: Column) -> Fact | None:
    """Return that many cells end with a surname, for a column in which `count_people` finds no people; else None."""
    values, counts = column.chosen(SAMPLE)
    is_name = column.matches(_NAME)[column.drawn[:SAMPLE]]
    named = [shaped and _ends_with_surname(text) for text, shaped in zip(values, is_name.tolist(), strict=True)]
    share = float(counts[named].sum() / counts.sum())
    return None if share < _UNLISTED else fact(UNLISTED, share=column.cell_share(share))


def _ends_with_surname(text: str) -> bool:
    tokens = words_of(wordlists.fold(text))
    words = content_of(text, tokens)
    is_other = any(not wordlists.word_list(topic).isdisjoint(tokens) for topic in ("organisation", "stop"))
    return 1 < len(words) <= _MOST_WORDS and is_surname(words, text) and not (is_other or is_company(text, tokens))


def names_a_person(text: str) -> bool:
    """Whether a text of capitalised words is nothing but the name of a person, as far as lists show.

    Examples
    --------
    >>> texts = ("Peter Schmidt", "Schmidt, Peter", "Frau Kowalska", "Peter Schmidt GmbH", "Ralph's Grill", "Ford")
    >>> [names_a_person(text) for text in texts]
    [True, True, True, False, False, False]
    """
    folded = wordlists.fold(text)
    tokens = words_of(folded)
    words = content_of(text, tokens)
    if not 0 < len(words) <= _MOST_WORDS or not _is_named_so(text, tokens, words):
        return False
    is_other = any(not wordlists.word_list(topic).isdisjoint(tokens) for topic in ("organisation", "stop"))
    return not (is_other or is_company(text, tokens) or folded in wordlists.towns())


def _is_named_so(text: str, tokens: Sequence[str], words: Sequence[str]) -> bool:
    """Whether the words are those of a name: the first a given name or after a title, the last a surname."""
    titled = tokens[0] in wordlists.word_list("person_name", "titles")
    if titled or (len(words) > 1 and is_given_name(words[0])):
        return is_surname(words, text) or not (wordlists.common_in(words[-1]) or words[-1] in wordlists.towns())
    return is_given_name(words[-1]) and words[0] in wordlists.listed_words("surnames") and len(words) > 1
