"""What a language model has to read of a text, and which of the spans it reports are credible.

Question: where in these cells could a name or a place be at all, and which reported span is one?
Method: vetoes by shape. A span without a capital letter, with digits or symbols, or that consists of a weekday,
greeting or heading is rejected, and so is a person inside what the same model reports as an organisation. A cell is cut
into sentences, and a sentence is read where these vetoes could accept a span of it: where a word has a capital that the
beginning of a sentence does not explain, or is listed as a name or a place, or belongs to a script without capitals, or
is a word for street. Sentences that differ in digits only are read once: the model treats them alike.
Limits: what is skipped here is what the vetoes reject anyway, with one exception: a street that is only the first
word of a sentence and a number, without a word for street.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from privaudit.detect.catalogue import wordlists
from privaudit.detect.catalogue.wordlists import word_list
from privaudit.detect.text.engines.interface import BATCH, Span, TextEngine
from privaudit.model import vocabulary
from privaudit.settings.config import Progress, silent

_STREET_WORD = re.compile(
    r"street|avenue|road|lane|drive|boulevard|straße|strasse|weg|gasse|platz|allee|gatan|vägen|calle|avenida|"
    r"rua|rue|via |viale|piazza|plaza|nagar|barabara|\b(?:st|ave|rd|blvd|ln|dr|ct)\b",
    re.IGNORECASE,
)
_CUT = re.compile(r"(?<=[.!?…])[\"')\]]?\s+|\s*[\n\r\u2028\u2029]+\s*|(?<=[。！？])\s*")
# "Dr. Who", "J. Doe", "Nr. 7": a full stop after so short a word does not end a sentence.
_SHORT = re.compile(r"(?:^|[\s(])(?:[^\W\d_]{1,3}|Prof|Frau|Herr|Hon|Capt|Drs|Sra|Srta|Mlle|Fräulein)\.$")
_WORD = re.compile(r"(?<!\w)[^\W\d_](?:[^\W\d_]|['’](?=\w))*[^\W\d_](?!\w)")
_DIGIT = re.compile(r"[0-9]")
_OPENING = re.compile(r"(?:^|[.!?:;\n])\s*$")
_ADDRESS = re.compile(r"[^\s@]@[^\s@]|://|(?i:\.[a-z]{2,6}/)")
_LAST_WORD = re.compile(r"(?<![^\W\d_])([^\W\d_]+)\s$")
_NEXT_WORD = re.compile(r"\s([a-z]{3,})(?![\w'’])")
_NO_NAME_CHARACTERS = re.compile(r"[0-9@_/\\#=<>{}|]|https?:")


def read_spans(engine: TextEngine, texts: Sequence[str], progress: Progress = silent) -> list[list[Span]]:
    """Return the credible spans of each text; distinct passages are read once, in batches."""
    found, trusted = read_passages(engine, texts, progress), engine.info.is_trusted
    return [credible_spans(text, spans, trusted=trusted) for text, spans in zip(texts, found, strict=True)]


def read_passages(engine: TextEngine, texts: Sequence[str], progress: Progress = silent) -> list[list[Span]]:
    """Return the model's spans of each text, sorted by start, every distinct passage read once.

    The unit of the engine determines its input: sentences or cells that may contain a name, or (``"all"``) every cell.
    Starts and ends are those in the whole text.
    """
    alike: dict[str, list[tuple[int, int, str]]] = {}  # cell, start and text of passages that are read alike
    for cell, text in enumerate(texts):
        for start, end in sentences(text) if engine.unit == "sentence" else [(0, len(text))]:
            if engine.unit == "all" or may_hold_a_name(text, start, end):
                passage = text[start:end]
                key = passage if engine.unit == "all" else _DIGIT.sub("0", passage)
                alike.setdefault(key, []).append((cell, start, passage))
    # Sorted by length, passages form batches without padding.
    groups = sorted(alike.values(), key=lambda group: len(group[0][2]))
    found: list[list[Span]] = [[] for _ in texts]
    for first in range(0, len(groups), BATCH):
        progress("Reading names and places", first / len(groups))
        batch = groups[first : first + BATCH]
        for group, spans in zip(batch, engine.spans([group[0][2] for group in batch]), strict=True):
            for cell, start, _ in group:
                found[cell] += [span._replace(start=span.start + start, end=span.end + start) for span in spans]
    return [sorted(spans, key=lambda span: span[2:]) for spans in found]


def sentences(text: str) -> list[tuple[int, int]]:
    """Return where the sentences of `text` start and end; they cover all of it but the blanks between them."""
    found, start = [], 0
    for cut in _CUT.finditer(text):
        if cut.start() > start and not _SHORT.search(text[max(0, cut.start() - 10) : cut.start()]):
            found.append((start, cut.start()))
            start = cut.end()
    if start < len(text):
        found.append((start, len(text)))
    return found


def may_hold_a_name(text: str, start: int, end: int) -> bool:
    """Whether ``text[start:end]`` has a word that could belong to a name, a place or a street."""
    passage = text[start:end]
    if _STREET_WORD.search(passage):
        return True
    spoken = _is_without_capitals(text)
    for match in _WORD.finditer(passage):
        word = match.group()
        if word[0].lower() == word[0].upper():
            return True  # a script without case
        if not (spoken or word[0].isupper()) or _is_no_name(word):
            continue
        explained = spoken or _opens_sentence(text, start + match.start())
        listed = {_fold(word), _fold(_without_possessive(word))}
        if not explained or not _people().isdisjoint(listed) or not _places().isdisjoint(listed):
            return True
    return False


def credible_spans(text: str, spans: Sequence[Span], *, trusted: bool) -> list[Span]:
    """Return the spans that could be names, without people inside what the model reports as an organisation."""
    by_model = vocabulary.with_trait("needs_language_model")
    companies = [span for span in spans if span.entity == "ORGANISATION"]

    def credible(span: Span) -> bool:
        if span.entity not in by_model:
            return True  # of the user's recognizers
        vetoed = any(other.start <= span.start and span.end <= other.end for other in companies)
        pieces = vetoed or not _is_whole_words(text, span) or _is_part_of_address(text, span)
        return not pieces and not _names_a_thing(text, span) and _could_be_name(text, span, trusted=trusted)

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


def _names_a_thing(text: str, span: Span) -> bool:
    """Whether a place or nationality describes a thing: "the Paris collection", not "the Paris clinic"."""
    before, after = _LAST_WORD.search(text[max(0, span.start - 12) : span.start]), _NEXT_WORD.match(text, span.end)
    if span.entity in ("PERSON_NAME", "STREET_ADDRESS") or before is None or after is None:
        return False
    others = word_list("place_in_text", "near_people") | word_list("place_in_text", "joining")
    is_thing = others.isdisjoint((after[1], after[1].removesuffix("s")))
    return is_thing and before[1].lower() in word_list("place_in_text", "determiners")


def _could_be_name(text: str, span: Span, *, trusted: bool) -> bool:
    inside = text[span.start : span.end].strip(" ,.;:'\"()")
    letters = sum(character.isalpha() for character in inside)
    if letters < 2 or len(inside) > 120 or _is_no_name(inside):
        return False
    if span.entity == "STREET_ADDRESS":
        return _could_be_street(inside, letters)
    if _NO_NAME_CHARACTERS.search(inside) or "\n" in inside:
        return False
    words = _WORD.findall(inside)
    if words and all(_is_no_name(word) or word in word_list("person_name", "joining") for word in words):
        return False  # "de Monday"
    if any(character.isalpha() and character.lower() == character.upper() for character in inside):
        return True  # a script without case
    tokens = [token for token in re.split(r"[\s,.]+", inside) if token]
    if not all(token[:1].isupper() or token.lower() in word_list("person_name", "joining") for token in tokens):
        return trusted and _is_without_capitals(text) and _listed(span.entity, inside, tokens, every=True)
    n_capitalised = sum(token[:1].isupper() for token in tokens)
    if not n_capitalised:
        return False
    all_capitals = len(text) > 20 and text == text.upper()
    if trusted and not all_capitals and not (n_capitalised == 1 and _opens_sentence(text, span.start)):
        return True
    several = span.entity == "PERSON_NAME" and n_capitalised > 1 and not all_capitals
    return several or span.entity == "NATIONALITY" or _listed(span.entity, inside, tokens)


def _could_be_street(inside: str, letters: int) -> bool:
    digits = sum(character.isdigit() for character in inside)
    numbered = 0 < digits <= 6 and re.search(r"[A-ZÀ-Þ][^\W\d_]{2}", inside) is not None
    return letters >= 4 and (numbered or _STREET_WORD.search(inside) is not None)


def _listed(entity: str, inside: str, tokens: Sequence[str], *, every: bool = False) -> bool:
    """Whether the reference lists have a span: a word of a name, or `every` word of it, or a place as a whole."""
    if entity != "PERSON_NAME":
        return _fold(inside) in _places()
    named = [token for token in tokens if token not in word_list("person_name", "joining")]
    return bool(named) and (all if every else any)(_fold(_without_possessive(token)) in _people() for token in named)


def _without_possessive(word: str) -> str:
    return word.removesuffix("'s").removesuffix("’s")


def _is_no_name(text: str) -> bool:
    """Whether a text is a weekday, a month, a greeting or a heading, which a model takes for a name."""
    return text.lower() in word_list("no_name")


def _is_without_capitals(text: str) -> bool:
    """Whether a text was written without capital letters, so that their absence means nothing."""
    return text == text.lower() and text != text.upper()


def _opens_sentence(text: str, start: int) -> bool:
    """Whether a span starts a sentence, where any word has a capital letter."""
    return _OPENING.search(text[max(0, start - 3) : start]) is not None and len(text) > start + 20


_fold = cache(wordlists.fold)


@cache
def _people() -> frozenset[str]:
    """Return every listed word that may belong to the name of a person."""
    return wordlists.listed_words("given_names") | wordlists.listed_words("surnames")


@cache
def _places() -> frozenset[str]:
    """Return every listed place."""
    return wordlists.towns() | wordlists.value_list("COUNTRY") | wordlists.value_list("STATE")
