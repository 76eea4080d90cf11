"""The passages of a text that a language model has to read.

Question: where in these cells could a name or a place be at all?
Method: a cell is cut into sentences. A sentence is read where the vetoes of spans.py could accept a span of it: where
a word has a capital that the beginning of a sentence does not explain, or is listed as a name or a place, or belongs to
a script without capitals, or is a word for street. Sentences that differ in digits only are read once: the model
treats them alike.
Limits: what is skipped here is what the vetoes reject anyway, with one exception: a street that is only the first
word of a sentence and a number, without a word for street.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from privaudit.catalogue import wordlists
from privaudit.config import Progress, silent
from privaudit.text.engines.interface import BATCH, Span, TextEngine

STREET_WORD = re.compile(
    r"street|avenue|road|lane|drive|boulevard|straße|strasse|weg|gasse|platz|allee|gatan|vägen|calle|avenida|"
    r"rua|rue|via |viale|piazza|plaza|nagar|barabara|\b(?:st|ave|rd|blvd|ln|dr|ct)\b",
    re.IGNORECASE,
)
_CUT = re.compile(r"(?<=[.!?…])[\"')\]]?\s+|\s*[\n\r\u2028\u2029]+\s*|(?<=[。！？])\s*")
# "Dr. Who", "J. Doe", "Nr. 7": a full stop after so short a word does not end a sentence.
_SHORT = re.compile(r"(?:^|[\s(])(?:[^\W\d_]{1,3}|Prof|Frau|Herr|Hon|Capt|Drs|Sra|Srta|Mlle|Fräulein)\.$")
WORD = re.compile(r"(?<!\w)[^\W\d_](?:[^\W\d_]|['’](?=\w))*[^\W\d_](?!\w)")
_DIGIT = re.compile(r"[0-9]")
_OPENING = re.compile(r"(?:^|[.!?:;\n])\s*$")


def read_passages(engine: TextEngine, texts: Sequence[str], progress: Progress = silent) -> list[list[Span]]:
    """Return the model's spans of each text, every distinct passage read once.

    Parameters
    ----------
    engine : TextEngine
        Its `unit` determines its input: sentences or cells that may contain a name, or (``"all"``) every cell.
    texts : sequence of n str

    Returns
    -------
    list of n lists of Span, sorted by start, offsets into the whole text
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
    if STREET_WORD.search(passage):
        return True
    spoken = without_capitals(text)
    for match in WORD.finditer(passage):
        word = match.group()
        if word[0].lower() == word[0].upper():
            return True  # a script without case
        if not (spoken or word[0].isupper()) or is_no_name(word):
            continue
        explained = spoken or opens_sentence(text, start + match.start())
        if not explained or fold(word) in people() or fold(word) in places():
            return True
    return False


def is_no_name(text: str) -> bool:
    """Whether a text is a weekday, a month, a greeting or a heading, which a model takes for a name."""
    return text.lower() in wordlists.word_list("no_name")


def without_capitals(text: str) -> bool:
    """Whether a text was written without capital letters, so that their absence means nothing."""
    return text == text.lower() and text != text.upper()


def opens_sentence(text: str, start: int) -> bool:
    """Whether a span starts a sentence, where any word has a capital letter."""
    return _OPENING.search(text[max(0, start - 3) : start]) is not None and len(text) > start + 20


fold = cache(wordlists.fold)


@cache
def people() -> frozenset[str]:
    """Return every listed word that may belong to the name of a person."""
    return wordlists.names("given_names") | wordlists.names("surnames")


@cache
def places() -> frozenset[str]:
    """Return every listed place."""
    return wordlists.towns() | wordlists.value_list("COUNTRY") | wordlists.value_list("STATE")
