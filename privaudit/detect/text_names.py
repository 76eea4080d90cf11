"""What of a model's spans can be believed: shape vetoes on names and places, companies that look like people.

A model sees names in weekdays, greetings and headings. A span without a capital, with digits or marks, or made of
such a word is dropped, and so is a person inside what the same model takes for an organisation.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from privaudit.config import Progress, silent
from privaudit.detect.engines import BATCH, Span, TextEngine

MODEL_ONLY = frozenset({"PERSON_NAME", "CITY", "STATE", "NATIONALITY", "STREET_ADDRESS", "ORGANISATION"})
_NO_NAME = re.compile(
    r"^(?:mon|tues?|wednes|thurs?|fri|satur|sun)(?:day)?$|^(?:january|february|march|april|may|june|july|august|september|"
    r"october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|today|tomorrow|yesterday|yes|no|ok|okay|"
    r"hello|hi|hey|dear|thanks|thank you|regards|mr|mrs|ms|dr|sir|madam|customer|client|patient|user|admin|"
    r"invoice|order|ticket|refund|delivery|shipment|n/?a|null|none|nan|unknown|other|test|tbd|todo)$",
    re.IGNORECASE,
)
_NO_NAME_CHARACTERS = re.compile(r"[0-9@_/\\#=<>{}|]|https?:")


def read_spans(engine: TextEngine, texts: Sequence[str], progress: Progress = silent) -> list[list[Span]]:
    """Return the believable spans of each text, read in batches."""
    found: list[list[Span]] = []
    for start in range(0, len(texts), BATCH):
        progress("reading names and places", start / len(texts))
        batch = texts[start : start + BATCH]
        for text, spans in zip(batch, engine.spans(batch), strict=True):
            found.append(_believable(text, spans))
    return found


def _believable(text: str, spans: Sequence[Span]) -> list[Span]:
    """Drop spans that look like no name, and people inside what the model takes for an organisation."""
    companies = [span for span in spans if span.entity == "ORGANISATION"]
    kept = []
    for span in spans:
        inside = text[span.start : span.end].strip(" ,.;:'\"()")
        vetoed = any(other.start <= span.start and span.end <= other.end for other in companies)
        if span.entity in MODEL_ONLY and (vetoed or not _like_a_name(span.entity, inside)):
            continue
        if span.entity != "ORGANISATION":
            kept.append(span)
    return kept


def _like_a_name(entity: str, text: str) -> bool:
    letters = sum(character.isalpha() for character in text)
    if letters < 2 or len(text) > 120 or _NO_NAME.match(text):
        return False
    if entity == "STREET_ADDRESS":
        return letters >= 4
    if _NO_NAME_CHARACTERS.search(text) or "\n" in text:
        return False
    # Latin, Greek and Cyrillic names have a capital; other scripts have no case.
    return any(
        character.isupper() or (character.isalpha() and character.lower() == character.upper())
        for character in text
    )


def covers(text: str, spans: Sequence[Span]) -> bool:
    """Tell whether spans hold at least two thirds of the letters of a text."""
    letters = sum(character.isalpha() for character in text)
    covered = sum(character.isalpha() for span in spans for character in text[span.start : span.end])
    return letters > 0 and covered * 3 >= letters * 2
