"""No phrase of the lexicon of column names, and no word in the code of detection, comes from a single data set."""

from __future__ import annotations

import ast
import json
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from privaudit.model.headers import lexicon, read_header
from privaudit.model.headers.tokens import tokenise
from tests.helpers.paths import ROOT
from tests.helpers.program import trees_of

GENERAL = frozenset(
    "avg birthdate bytes chol comments composer cp daily default discontinued distance duration edu estimated ever "
    "fare fbs fname freight from geography hypertension lname milliseconds own performance photo rating "
    "reorder required shipped stroke tier tip units".split()
)
"""Words and abbreviations of dictionaries that one phrase has today."""


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


def words_in_code() -> set[str]:
    """Return the words of lists in the modules of detection, and those that they look for in column names."""
    found: set[str] = set()
    for _, tree in trees_of("detect"):
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
                continue
            listed = [node.func.value] if node.func.attr == "split" else []
            listed += node.args if node.func.attr == "has_word" else []
            texts = [one.value for one in listed if isinstance(one, ast.Constant) and isinstance(one.value, str)]
            found.update(word for text in texts for word in text.replace("|", " ").split())
    return found


@pytest.fixture(scope="module")
def sources(shared: Path) -> dict[tuple[str, ...], set[str]]:
    """The sources of the labelled tables that have a column of this name."""
    tables = json.loads((shared / "data" / "labels_open.json").read_text(encoding="utf-8"))
    meta = json.loads((shared / "data" / "labels_meta.json").read_text(encoding="utf-8"))
    found = defaultdict(set)
    for table, columns in tables.items():
        for column in columns:
            found[tokenise(column)].add(meta.get(table, {}).get("source", table))
    return found


@pytest.mark.shared
def test_a_phrase_with_a_word_of_its_own_occurs_in_more_than_one_labelled_table(sources) -> None:
    known = phrases()
    uses = Counter(word for phrase in known for word in set(phrase))
    single = sorted(
        " ".join(phrase)
        for phrase in known
        if len(sources.get(phrase, ())) == 1 and any(uses[word] == 1 and word not in GENERAL for word in phrase)
    )
    assert single == [], "these phrases occur in one data set only: remove them, or name the vocabulary they come from"


@pytest.mark.shared
def test_no_word_in_the_code_of_detection_is_of_one_labelled_table(sources) -> None:
    uses = Counter(word for phrase in phrases() for word in set(phrase))
    by_word = defaultdict(set)
    for name, named in sources.items():
        for word in name:
            by_word[word] |= named
    assert sorted(word for word in words_in_code() if len(by_word[word]) == 1 and uses[word] <= 1) == []


def test_the_words_that_are_excepted_are_words_of_the_lexicon() -> None:
    uses = Counter(word for phrase in phrases() for word in set(phrase))
    assert sorted(word for word in GENERAL if uses[word] == 0) == []


@pytest.mark.parametrize("vocabulary", lexicon.vocabularies())
def test_a_vocabulary_names_the_standard_that_lists_its_columns(vocabulary) -> None:
    text = (ROOT / "rules" / "headers" / f"{vocabulary}.toml").read_text(encoding="utf-8")
    assert "# Source: " in text.partition("[")[0]


@pytest.mark.parametrize(
    ("name", "entity"),
    [
        ("AGEP", "AGE"),
        ("GBDAT", "DATE_OF_BIRTH"),
        ("FAMST", "MARITAL_STATUS"),
        ("REMOTE_USER", "USERNAME"),
        ("USUBJID", "PERSON_ID"),
        ("SYSBP", "MEDICAL"),
        ("RB090", "GENDER"),
        ("PY010N", "INCOME"),
        ("RIDAGEYR", "AGE"),
    ],
)
def test_a_column_of_a_standard_is_recognised_by_its_name(name, entity) -> None:
    assert read_header(name).strength(entity) >= 0.9
