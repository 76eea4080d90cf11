"""The languages of text, and whether the model was trained on them.

Question: in how many cells is a sentence in a language that the language model does not know?
Method: py3langid, a naive Bayes classifier over sequences of bytes (Lui and Baldwin, "langid.py: An Off-the-shelf
Language Identification Tool", ACL 2012), among the languages of column names. A cell counts if it has `WORDS` words
and the probability of another language is at least `SURE`.
Limits: shorter cells count as read; two languages in one cell count as one; Malay counts as Indonesian.
"""

from __future__ import annotations

from collections import Counter
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


def other_languages(texts: Sequence[str], known: Collection[str]) -> Counter[str]:
    """Return how many of `texts` are in each language that is not `known`, by ISO 639-1 code.

    Empty where that may be chance: where the lower Wilson bound of the share of such texts is at most `LEAST`.
    """
    sentences = [text for text in texts if len(text.split()) >= WORDS]
    if not sentences or not known or not can_import("py3langid"):
        return Counter()
    found: Counter[str] = Counter()
    for text in sentences:
        language, probability = _identifier().classify(text)
        found[language] += probability >= SURE
    others = +Counter({language: n for language, n in found.items() if language not in known})
    return others if wilson_bounds(others.total(), len(sentences))[0] > LEAST else Counter()


@cache
def _identifier() -> LanguageIdentifier:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    similar = {"ms"}  # divides the probability of Indonesian sentences
    identifier.set_languages(
        [code for code in languages() if code in identifier.labels and code not in similar]
    )
    return identifier
