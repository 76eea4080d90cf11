"""The language of a text.

Question: in which language is this cell written?
Method: py3langid, a naive Bayes classifier over sequences of bytes (Lui and Baldwin, "langid.py: An Off-the-shelf
Language Identification Tool", ACL 2012), among the languages of column names. A cell counts if it has `WORDS` words
and the probability of another language is at least `SURE`.
Limits: shorter cells count as read; two languages in one cell count as one; Malay counts as Indonesian.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import cache
from typing import TYPE_CHECKING

from privaudit.extras import can_import
from privaudit.headers import languages
from privaudit.stats import wilson_bounds

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

WORDS = 4
SURE = 0.9  # no cell of 35 English columns of text in public and generated tables reaches it for another language
LEAST = 0.02  # by hand: of 50 cells, one may quote another language
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f]")  # Han, kana and Thai


def languages_of(texts: Sequence[str]) -> list[str | None]:
    """Return the language of each text (ISO 639-1), None where it is not certain."""
    found: list[str | None] = [None] * len(texts)
    for number, text in enumerate(texts) if can_import("py3langid") else ():
        if is_sentence(text):
            language, probability = _identifier().classify(text)
            found[number] = language if probability >= SURE else None
    return found


def identified(texts: Sequence[str], expected: Collection[str]) -> list[str | None]:
    """Return the language of each text where other languages than those `expected` are more than chance.

    If the lower Wilson bound of their share of the sentences is at most `LEAST`, all are None, and so they are if no
    language is expected.
    """
    none: list[str | None] = [None] * len(texts)
    found = languages_of(texts) if expected else none
    n_sentences = sum(map(is_sentence, texts))
    n_others = sum(language is not None and language not in expected for language in found)
    more_than_chance = n_sentences > 0 and wilson_bounds(n_others, n_sentences)[0] > LEAST
    return found if more_than_chance else none


def is_sentence(text: str) -> bool:
    """Whether a text has `WORDS` words: of scripts without spaces, two characters make about a word."""
    return len(text.split()) >= WORDS or len(_UNSPACED.findall(text)) >= 2 * WORDS


@cache
def _identifier() -> LanguageIdentifier:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    similar = {"ms"}  # divides the probability of Indonesian sentences
    identifier.set_languages(
        [code for code in languages() if code in identifier.labels and code not in similar]
    )
    return identifier
