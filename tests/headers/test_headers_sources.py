"""No phrase of the lexicon of column names comes from a single data set."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from privaudit.headers import lexicon
from privaudit.headers.tokens import tokenise

GENERAL = frozenset(
    "avg birthdate bytes chol comments composer cp daily default discontinued distance duration edu estimated ever "
    "fare fbs fname freight from geography hypertension lname milliseconds own path performance photo rating "
    "reorder required shipped stroke tier tip units workclass".split()
)
"""Words and abbreviations of dictionaries that one phrase has today."""
CENSUS = frozenset("agep dear deye dphy drem dvet hisp msp noc npf pincp povpip pwgtp rac wgtp".split())
"""Variables of the data dictionary of the American Community Survey, which many tables have."""


def phrases() -> set[tuple[str, ...]]:
    """Return the phrases of all languages, as words."""
    found = (
        phrase
        for language in lexicon.languages()
        for group in ("strong", "weak", "alone")
        for listed in lexicon.phrases(language, group).values()
        for phrase in listed
    )
    return {tokenise(phrase) for phrase in found}


@pytest.mark.shared
def test_a_phrase_with_a_word_of_its_own_occurs_in_more_than_one_labelled_table(shared: Path) -> None:
    tables = json.loads((shared / "data" / "labels_open.json").read_text(encoding="utf-8"))
    meta = json.loads((shared / "data" / "labels_meta.json").read_text(encoding="utf-8"))
    sources = defaultdict(set)
    for table, columns in tables.items():
        for column in columns:
            sources[tokenise(column)].add(meta.get(table, {}).get("source", table))
    known = phrases()
    uses = Counter(word for phrase in known for word in set(phrase))
    single = sorted(
        " ".join(phrase)
        for phrase in known
        if len(sources.get(phrase, ())) == 1
        and any(uses[word] == 1 and word not in GENERAL | CENSUS for word in phrase)
    )
    assert single == [], "these phrases occur in one data set only: remove them, or name the vocabulary they come from"


def test_the_words_that_are_excepted_are_words_of_the_lexicon() -> None:
    uses = Counter(word for phrase in phrases() for word in set(phrase))
    assert sorted(word for word in GENERAL | CENSUS if uses[word] == 0) == []
