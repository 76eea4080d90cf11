"""Which spans of a language model are credible: vetoes on names and places by shape, companies that resemble people.

A model reports names in weekdays, greetings and headings. A span without a capital letter, with digits or symbols, or
that consists of such a word is rejected, and so is a person inside what the same model reports as an organisation.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from privaudit import vocabulary
from privaudit.catalogue.wordlists import word_list
from privaudit.config import Progress, silent
from privaudit.text.engines.interface import Span, TextEngine
from privaudit.text.passages import (
    STREET_WORD,
    WORD,
    fold,
    is_no_name,
    opens_sentence,
    people,
    places,
    read_passages,
    without_capitals,
)

_ADDRESS = re.compile(r"[^\s@]@[^\s@]|://|(?i:\.[a-z]{2,6}/)")
_NO_NAME_CHARACTERS = re.compile(r"[0-9@_/\\#=<>{}|]|https?:")


def read_spans(engine: TextEngine, texts: Sequence[str], progress: Progress = silent) -> list[list[Span]]:
    """Return the credible spans of each text; distinct passages are read once, in batches."""
    trusted = engine.info.name == "onnx"
    found = read_passages(engine, texts, progress)
    return [credible_spans(text, spans, trusted=trusted) for text, spans in zip(texts, found, strict=True)]


def credible_spans(text: str, spans: Sequence[Span], *, trusted: bool) -> list[Span]:
    """Return the spans that could be names, without people inside what the model reports as an organisation."""
    by_model = vocabulary.with_trait("needs_language_model")
    companies = [span for span in spans if span.entity == "ORGANISATION"]

    def credible(span: Span) -> bool:
        if span.entity not in by_model:
            return True  # of the user's recognizers
        vetoed = any(other.start <= span.start and span.end <= other.end for other in companies)
        pieces = vetoed or not _is_whole_words(text, span) or _is_part_of_address(text, span)
        return not pieces and _could_be_name(text, span, trusted=trusted)

    return [span for span in spans if credible(span)]


def _is_whole_words(text: str, span: Span) -> bool:
    """Whether a span ends where words end: a part of a word or of a key is not a name."""
    around = text[max(0, span.start - 1) : span.start], text[span.end : span.end + 1]
    scripts = text[span.start : span.start + 1], text[span.end - 1 : span.end]
    for outside, inside in zip(around, scripts, strict=True):
        joined = outside.isalnum() or outside == "_"
        # Scripts without spaces, such as Han, have no word boundaries.
        if joined and (outside.isascii() or inside.isascii() or inside.lower() != inside.upper()):
            return False
    return True


def _is_part_of_address(text: str, span: Span) -> bool:
    """Whether a span is part of an e-mail or web address, which the patterns report."""
    start = max(text.rfind(" ", 0, span.start), span.start - 100) + 1
    end = text.find(" ", span.end, span.end + 100)
    return _ADDRESS.search(text[start : end if end >= 0 else span.end + 100]) is not None


def _could_be_name(text: str, span: Span, *, trusted: bool) -> bool:
    inside = text[span.start : span.end].strip(" ,.;:'\"()")
    letters = sum(character.isalpha() for character in inside)
    if letters < 2 or len(inside) > 120 or is_no_name(inside):
        return False
    if span.entity == "STREET_ADDRESS":
        return _could_be_street(inside, letters)
    if _NO_NAME_CHARACTERS.search(inside) or "\n" in inside:
        return False
    words = WORD.findall(inside)
    if words and all(is_no_name(word) for word in words):
        return False
    if any(character.isalpha() and character.lower() == character.upper() for character in inside):
        return True  # a script without case
    tokens = [token for token in re.split(r"[\s,.]+", inside) if token]
    if not all(token[:1].isupper() or token.lower() in word_list("person_name", "joining") for token in tokens):
        return trusted and without_capitals(text) and _listed(span.entity, inside, tokens, every=True)
    if not any(token[:1].isupper() for token in tokens):
        return False
    all_capitals = len(text) > 20 and text == text.upper()
    if trusted and not all_capitals and not (len(tokens) == 1 and opens_sentence(text, span.start)):
        return True
    several = span.entity == "PERSON_NAME" and len(tokens) > 1 and not all_capitals
    return several or span.entity == "NATIONALITY" or _listed(span.entity, inside, tokens)


def _could_be_street(inside: str, letters: int) -> bool:
    digits = sum(character.isdigit() for character in inside)
    numbered = 0 < digits <= 6 and re.search(r"[A-ZÀ-Þ][^\W\d_]{2}", inside) is not None
    return letters >= 4 and (numbered or STREET_WORD.search(inside) is not None)


def _listed(entity: str, inside: str, tokens: Sequence[str], *, every: bool = False) -> bool:
    """Whether the reference lists have a span: a word of a name, or `every` word of it, or a place as a whole."""
    if entity != "PERSON_NAME":
        return fold(inside) in places()
    named = [token for token in tokens if token not in word_list("person_name", "joining")]
    return bool(named) and (all if every else any)(fold(token) in people() for token in named)
