"""The lexicon of column names, read from ``rules/headers``.

Question: which entity types does a phrase stand for, in which language and how clearly?
Method: one file for each language, one phrase per line; ``lexicon.toml`` holds the order of the languages and the words
that qualify a name. The lexicon is compiled (`compiled_tables`), and read with the first name. Of a column of two
values, every word of the name is either filler (``is``, ``flag``) or a word listed in ``rules/headers/flags.toml``.
Limits: short phrases of languages other than English suggest an entity type only weakly, because they mean something
else in another language. Most words of flags are ambiguous and count only in a table about people (`needs_people`).
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

from privaudit.base import resources
from privaudit.base.patterns import Expression
from privaudit.model import vocabulary
from privaudit.model.headers.tokens import fold, tokenise

Group = Literal["strong", "weak", "alone"]
Phrase = tuple[str, ...]

_ASCII_WORDS = Expression(r"[a-z]+|[0-9]+")
_SHORT = 3


class Entry(NamedTuple):
    """One meaning of a phrase: the entity type, whether it is clear, and the language (ISO 639-1) or vocabulary."""

    entity: str
    strong: bool
    language: str


@cache
def read_file(stem: str) -> dict[str, Any]:
    """Return ``rules/headers/<stem>.toml``, parsed."""
    return resources.read_toml(resources.path("rules", "headers", f"{stem}.toml"))


def lines(text: str) -> tuple[str, ...]:
    """Return the lines of a block of the data files."""
    return tuple(text.split("\n")[:-1])


@cache
def languages() -> tuple[str, ...]:
    """Return the codes (ISO 639-1) of the languages of the lexicon, in the order of precedence."""
    return lines(read_file("lexicon")["languages"])


@cache
def vocabularies() -> tuple[str, ...]:
    """Return the files that list the column names of a published standard, after the languages in precedence."""
    return lines(read_file("lexicon")["vocabularies"])


@cache
def unit_words(group: str) -> frozenset[str]:
    """Return the words of a group of ``rules/headers/units.toml``."""
    return frozenset(lines(read_file("units")[group]))


def phrases(language: str, group: Group) -> dict[str, tuple[str, ...]]:
    """Return the phrases of one group of a language by entity type."""
    listed = {entity: lines(block) for entity, block in read_file(language).get(group, {}).items()}
    made = _numbered(language) if group == "strong" else {}
    return listed | {entity: (*listed.get(entity, ()), *names) for entity, names in made.items()}


@cache
def _numbered(language: str) -> dict[str, list[str]]:
    """Return the names of numbers: each owner in each form, without those that are listed."""
    listed = {
        spelled
        for group in ("strong", "weak")
        for block in read_file(language).get(group, {}).values()
        for spelled in _spellings(map(_cut, lines(block)))
    }
    owners = dict(read_file(language).get("numbered", {}))
    forms = lines(read_file("lexicon")["numbered"]) + lines(owners.pop("forms", ""))
    return {
        entity: [name for name in _filled(forms, lines(block)) if _cut(name) not in listed]
        for entity, block in owners.items()
    }


def _filled(forms: Iterable[str], words: Iterable[str]) -> Iterator[str]:
    return (form.replace("…", word) for word, form in itertools.product(words, forms))


def suggests(language: str, entity: str) -> bool:
    """Return whether the lexicon of a language has a phrase for `entity`."""
    groups: tuple[Group, ...] = ("strong", "weak", "alone")
    return any(entity in phrases(language, group) for group in groups)


def meanings(phrase: Phrase) -> tuple[Entry, ...]:
    """Return the meanings of a phrase that counts anywhere in a name; none where it is not in the lexicon."""
    return _meaning(_read().anywhere.get(" ".join(phrase)))


def whole_name_meanings(phrase: Phrase) -> tuple[Entry, ...]:
    """Return the meanings of a phrase that counts only as the whole name."""
    return _meaning(_read().alone.get(" ".join(phrase)))


@cache
def words() -> frozenset[str]:
    """Return every word of a phrase that counts anywhere in a name."""
    return frozenset(word for phrase in _read().anywhere for word in phrase.split(" "))


class _Lexicon(NamedTuple):
    """The different meanings, the place among them of the meaning of each phrase, its words joined by blanks, and the
    languages whose compound words are compared by their endings.
    """

    meanings: tuple[tuple[tuple[str, bool, str], ...], ...]
    anywhere: dict[str, int]
    alone: dict[str, int]
    compounding: frozenset[str]


@cache
def _read() -> _Lexicon:
    from privaudit.base import compiled_tables

    files = (*resources.path("rules", "headers").glob("*.toml"), *resources.path("rules", "entities").glob("*.toml"))
    modules = (Path(__file__), Path(__file__).with_name("tokens.py"))
    return _Lexicon(*compiled_tables.table("lexicon", _compiled, (*modules, *sorted(files))))


@cache
def _meaning(place: int | None) -> tuple[Entry, ...]:
    return () if place is None else tuple(Entry(*each) for each in _read().meanings[place])


def compile_lexicon() -> None:
    """Compile the lexicon, where it is not compiled yet."""
    _read()


def _compiled() -> tuple[Any, ...]:
    numbers: dict[tuple[tuple[str, bool, str], ...], int] = {}
    places = [
        {
            " ".join(phrase): numbers.setdefault(tuple((*one,) for one in found), len(numbers))
            for phrase, found in part.items()
        }
        for part in (_entries(), _whole_name_entries())
    ]
    return tuple(numbers), *places, frozenset(one for one in languages() if read_file(one).get("compounds", False))


def _entries() -> dict[Phrase, tuple[Entry, ...]]:
    """Return the meanings of every phrase that counts anywhere in a name."""
    known_by_acronym = vocabulary.with_trait("known_by_acronym")
    found: dict[Phrase, tuple[Entry, ...]] = {}
    groups: tuple[Group, ...] = ("strong", "weak")
    for language, group in itertools.product((*languages(), *vocabularies()), groups):
        for entity, listed in phrases(language, group).items():
            meaning = (Entry(entity, group == "strong", language),)
            if language == "en" or group == "weak" or entity in known_by_acronym:
                weak = meaning  # a short phrase is as clear as a long one
            else:
                weak = (Entry(entity, False, language),)
            for phrase in _spellings(map(_cut, listed)):
                short = weak is not meaning and phrase[0].isascii() and sum(map(len, phrase)) <= _SHORT
                found[phrase] = found.get(phrase, ()) + (weak if short else meaning)
    return found


def _whole_name_entries() -> dict[Phrase, tuple[Entry, ...]]:
    """Return the meanings of every phrase that counts only as the whole name."""
    found: dict[Phrase, tuple[Entry, ...]] = {}
    for language in (*languages(), *vocabularies()):
        for entity, listed in phrases(language, "alone").items():
            meaning = (Entry(entity, False, language),)
            for phrase in map(_cut, listed):
                found[phrase] = found.get(phrase, ()) + meaning
    return found


def compounding() -> frozenset[str]:
    """Return the languages whose compound words are compared by their endings."""
    return _read().compounding


@cache
def qualifiers() -> tuple[frozenset[str], frozenset[str]]:
    """Return the endings and beginnings of names that describe a property of the value, not the value."""
    listed = read_file("lexicon")["qualifiers"]
    endings, beginnings = (
        frozenset(" ".join(tokenise(phrase)) for phrase in lines(listed[key])) for key in ("endings", "beginnings")
    )
    return endings, beginnings


@cache
def quantities() -> tuple[frozenset[str], frozenset[str]]:
    """Return the words for quantities, and the words that relate a quantity to what follows in a name."""
    listed = read_file("lexicon")["qualifiers"]
    return frozenset(lines(listed["quantities"])), frozenset(lines(listed["relations"]))


def split_run_together(tokens: Phrase) -> Phrase:
    """Split words that names run together and that mean nothing as one word: "fatheduc" gives "fath", "educ"."""
    split: list[str] = []
    for token in tokens:
        match = _run_together().match(token) if len(token) >= 4 and not meanings((token,)) else None
        split += [part for part in match.groups() if part] if match else [token]
    return tuple(split)


def spellings(phrase: str) -> Iterator[Phrase]:
    """Yield the ways in which a phrase is written: as words, as one word, with "number" abbreviated."""
    return _spellings([split_run_together(tokenise(phrase))])


@cache
def _run_together() -> re.Pattern[str]:
    listed = read_file("lexicon")["run_together"]
    before, last, letters, after_letter, attributes, forms = (
        "|".join(lines(listed[key])) for key in ("before", "last", "letters", "after_letter", "attributes", "forms")
    )
    return re.compile(rf"^(?:({before})({last})|({letters})({after_letter})|({attributes})({forms}))$")


def _cut(text: str) -> Phrase:
    # The lexicon is in lower case, so most phrases need no tokeniser, which reads every character.
    if text.isascii():
        return tuple(_ASCII_WORDS.findall(text))
    return tuple(fold(text).split()) if _plain_words().fullmatch(text) else tokenise(text)


@cache
def _plain_words() -> re.Pattern[str]:
    """Return what phrases match that are cut at blanks only: all letters are of one script and case."""
    return re.compile(
        "[a-zß-öø-ÿąćčďęěğıłńňőřśšťůűźżžșțα-ωά-ώа-яђ-џґ ]+"  # lower case
        "|[א-ת ]+|[ء-غف-ي ]+|[अ-हािीुूेैोौ्ंँ ]+|[ก-ะาำเ-ไ ]+|[一-鿿 ]+|[가-힣 ]+"  # scripts without case
    )


def _spellings(cut: Iterable[Phrase]) -> Iterator[Phrase]:
    for phrase in cut:
        if phrase:
            yield phrase
            if len(phrase) == 1:
                continue
            joined = "".join(phrase)
            if len(joined) >= 7 and joined.isalpha():
                yield (joined,)
            if phrase[-1] == "number":
                yield from ((*phrase[:-1], short) for short in ("nbr", "nr", "num", "no"))


def flagged_entity_type(words: Sequence[str]) -> str | None:
    """Return the entity type of a column of two values whose name has these words, or None."""
    listed, filler = _listed(), lines(read_file("flags")["filler"])
    content = [word for word in words if word not in filler and not word.isdigit()]
    found = {listed.get(word) for word in content}
    if not content or None in found:
        return None
    return next(str(entity) for entity in read_file("flags")["words"] if entity in found)


def needs_people(entity: str) -> bool:
    """Return whether a name that flags `entity` counts only in a table about people."""
    return entity not in lines(read_file("flags")["without_people"])


@cache
def _listed() -> dict[str, str]:
    return {word: entity for entity, block in read_file("flags")["words"].items() for word in lines(block)}
