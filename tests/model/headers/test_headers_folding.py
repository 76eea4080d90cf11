"""Lists of words and phrases are folded as column names and cells are."""

from __future__ import annotations

import pytest

from privaudit.model.headers import fold, languages, lexicon, listed_lines, listed_words, phrases, tokenise


@pytest.mark.parametrize("stem", ["cities", "towns", "given_names", "surnames", "han_surnames"])
def test_lists_of_words_are_folded_in_their_files(stem):
    listed = listed_lines(stem)
    assert listed and [line for line in listed if fold(line) != line] == []


def test_phrases_of_the_lexicon_are_cut_as_column_names_are():
    groups = ("strong", "weak", "alone")
    listed = {text for one in languages() for group in groups for each in phrases(one, group).values() for text in each}
    foreign = [text for text in listed if not text.isascii()]
    assert foreign and [text for text in foreign if lexicon._cut(text) != tokenise(text)] == []


def test_comments_are_not_words():
    assert "#" not in "".join(listed_words("given_names")) and "maria" in listed_words("given_names")
