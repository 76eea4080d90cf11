"""Column names: what a name suggests, which words it has, and that the data files are well-formed."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privaudit.base import resources
from privaudit.model import vocabulary
from privaudit.model.headers import (
    PLAIN,
    has_header_words,
    languages,
    phrases,
    read_header,
    relate,
    tokenise,
    vocabularies,
)

FOLDER = resources.path("rules", "headers")
FILES = sorted(FOLDER.glob("*.toml"))
SHARED_FILES = {"things", "first_row", "flags", "lexicon", "synonyms", "units"}


def blocks(table):
    for value in table.values():
        if isinstance(value, dict):
            yield from blocks(value)
        elif isinstance(value, str):
            yield value


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_each_line_of_a_data_file_holds_one_entry(file):
    for block in blocks(tomllib.loads(file.read_text(encoding="utf-8"))):
        lines = block.split("\n")
        assert lines.pop() == "", "the closing quotes must be on a line of their own"
        assert all(line and line == line.strip() for line in lines)
        assert len(set(lines)) == len(lines), "an entry is repeated"


def test_every_language_file_is_listed_and_read():
    listed = (*languages(), *vocabularies())
    assert set(listed) == {file.stem for file in FILES} - SHARED_FILES
    assert len(listed) == len(set(listed))


@pytest.mark.parametrize("language", [*languages(), *vocabularies()])
def test_every_group_of_a_language_is_an_entity_type(language):
    for group in ("strong", "weak", "alone"):
        codes = set(phrases(language, group)) - {PLAIN}
        assert all(vocabulary.is_known(code) for code in codes)


@pytest.mark.parametrize("language", languages())
def test_the_id_of_each_owner_has_its_meaning_in_both_orders(language):
    owners = tomllib.loads((FOLDER / f"{language}.toml").read_text(encoding="utf-8")).get("numbered", {})
    listed = {name for group in ("strong", "weak") for names in phrases(language, group).values() for name in names}
    for entity in owners.keys() - {"forms"}:
        for owner in owners[entity].splitlines():
            assert {f"{owner} id", f"id {owner}"} <= listed
            assert read_header(f"id_{owner}").strength(entity) > 0.5


@pytest.mark.parametrize("name", ["patient_number", "patient_nr", "MemberNo"])
def test_a_listed_name_of_a_number_has_its_listed_meaning_only(name):
    assert read_header(name).strength("HEALTH_ID") > 0.5
    assert not read_header(name).strength("PERSON_ID")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("CustomerID", ("customer", "id")),
        ("zip_code2", ("zip", "code", "2")),
        ("date-of birth", ("date", "of", "birth")),
        ("Doğum Tarihi", ("dogum", "tarihi")),
        ("HTTPServer", ("http", "server")),
        ("生年月日", ("生年月日",)),
    ],
)
def test_a_name_is_cut_at_changes_of_case_script_and_digits(name, words):
    assert tokenise(name) == words


@pytest.mark.quick_cases(4)
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Apellido(s)", ("apellido",)),
        ("Élève(s) inscrit(e)s", ("eleve", "inscrits")),
        ("Weight(g)", ("weight", "g")),
        ("tel (s)", ("tel", "s")),
    ],
)
def test_an_ending_in_brackets_is_not_a_word(name, words):
    assert tokenise(name) == words


@given(st.text(max_size=40))
@settings(max_examples=200, deadline=None)
def test_words_of_any_text_are_folded_and_not_empty(name):
    assert all(word and word == word.lower() and " " not in word for word in tokenise(name))


@pytest.mark.parametrize("name", ["email_count", "has_email", "email_len"])
def test_a_qualifier_makes_a_name_describe_a_property(name):
    assert read_header(name).qualifier is not None
    assert not read_header(name).strength("EMAIL")


def test_a_qualified_attribute_of_a_person_is_still_that_attribute():
    assert read_header("marital_status").strength("MARITAL_STATUS") > 0.5
    header = read_header("religion_flag")
    assert header.qualifier == "flag"
    assert header.strength("RELIGION") > 0.5


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("first_name", True),
        ("Geburtsdatum", True),
        ("Quixotopolis", False),
        ("", False),
        ("7", False),
        ("x" * 10**6, False),
    ],
)
def test_first_row_words(cell, expected):
    assert has_header_words(cell) is expected


@pytest.mark.parametrize(
    ("left", "right", "kind"),
    [
        ("maritalStatus", "marital-status", "same_name"),
        ("Geschlecht", "sex", "synonyms"),
        ("visit_month", "VisitDate", "same_date"),
        ("city", "home city", "part_of_name"),
        ("salary", "height", None),
        ("", "height", None),
    ],
)
def test_names_of_two_tables_are_related(left, right, kind):
    relation = relate(left, right)
    assert (relation.kind if relation else None) == kind
    assert relate(right, left) == relation


@pytest.mark.parametrize("apostrophe", ["'", "\u2019", "\u02bc"])
def test_every_apostrophe_is_the_same(apostrophe):
    assert read_header(f"ім{apostrophe}я").strength("FIRST_NAME") >= 0.9
