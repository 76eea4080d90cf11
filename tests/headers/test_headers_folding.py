"""Lists and phrases are folded at once as they are one by one."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from privaudit.headers import fold, languages, lexicon, listed_words, phrases, tokenise
from privaudit.headers.tokens import fold_lines


@given(st.lists(st.text(st.characters(exclude_characters="\n"))))
def test_lines_are_folded_at_once_as_one_by_one(lines):
    assert fold_lines("\n".join(lines)) == ([fold(line) for line in lines] or [""])


def test_phrases_of_the_lexicon_are_cut_as_column_names_are():
    groups = ("strong", "weak", "alone")
    listed = {text for one in languages() for group in groups for each in phrases(one, group).values() for text in each}
    foreign = [text for text in listed if not text.isascii()]
    assert foreign and [text for text in foreign if lexicon._cut(text) != tokenise(text)] == []


def test_comments_are_not_words():
    assert "#" not in "".join(listed_words("given_names")) and "maria" in listed_words("given_names")
