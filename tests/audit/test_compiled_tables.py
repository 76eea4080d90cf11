"""Compiled tables are what the rules say, whatever state their files are in."""

from __future__ import annotations

import marshal

import pytest

from privaudit.base import compiled_tables, resources
from privaudit.detect.catalogue import made_tables, wordlists
from privaudit.model.headers import lexicon


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A checkout of its own, with one source of a table."""
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "source").write_text("one")
    monkeypatch.setattr(resources, "_root", lambda: tmp_path)
    return tmp_path


def read(home, made: list[str]) -> str:
    """Return the table of the source, in capitals, and note that it was made."""

    def make() -> str:
        made.append("made")
        return (home / "source").read_text().upper()

    return compiled_tables.table("name", make, [home / "source"])


def test_a_table_is_made_once_and_again_after_a_change(home):
    made: list[str] = []
    assert [read(home, made), read(home, made)] == ["ONE", "ONE"] and len(made) == 1
    (home / "source").write_text("second")
    assert [read(home, made), read(home, made)] == ["SECOND", "SECOND"] and len(made) == 2


CHANGES = (lambda raw: b"", lambda raw: raw[:-1], lambda raw: raw[:-1] + b"X", lambda raw: b"x" + raw)


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.quick_cases(4)
def test_a_damaged_table_is_made_again(home, change):
    made: list[str] = []
    read(home, made)
    (file,) = compiled_tables.folder().iterdir()
    file.write_bytes(change(file.read_bytes()))
    assert read(home, made) == "ONE" and len(made) == 2
    assert read(home, made) == "ONE" and len(made) == 2


def test_an_installed_package_is_not_written_to(home):
    (home / "pyproject.toml").unlink()
    assert read(home, []) == "ONE"
    assert not compiled_tables.folder().exists()


def test_the_lexicon_is_the_phrases_of_the_rules():
    entries, alone = lexicon._entries(), lexicon._whole_name_entries()
    assert all(lexicon.meanings(phrase) == found for phrase, found in entries.items())
    assert all(lexicon.whole_name_meanings(phrase) == found for phrase, found in alone.items())
    assert lexicon.words() == {word for phrase in entries for word in phrase}
    assert lexicon.meanings(("no", "such", "phrase")) == () and len(entries) > 10_000


def test_common_words_are_the_texts_of_the_rules():
    texts = wordlists.toml("common_words").values()
    listed = [frozenset(text.split()) for text in texts]
    some = [word for words in listed for word in sorted(words)[::50]]
    for word in (*some, "no such word"):
        assert wordlists.common_in(word) == sum(1 << place for place, words in enumerate(listed) if word in words)


def test_word_lists_are_the_texts_of_the_rules():
    for table in ("values", "words"):
        for name, texts in wordlists.toml(table).items():
            for key, text in texts.items():
                found = wordlists.word_list(name, key) if table == "words" else wordlists.value_list(name, key)
                assert wordlists._parts(text) <= found
    assert wordlists.country_codes() == wordlists._country_codes()
    assert wordlists.value_list("MARITAL_STATUS", "no such key") == frozenset()


def test_tables_are_plain_values():
    made_tables.make_tables()
    files = list(compiled_tables.folder().glob("*.table"))
    assert files
    for file in files:
        assert isinstance(marshal.loads(file.read_bytes()[2 * compiled_tables.KEY_SIZE :]), (dict, tuple))
