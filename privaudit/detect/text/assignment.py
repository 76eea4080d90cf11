"""The language of a text, and which of the installed models reads it.

Question: in which language is this cell written, and which model reads that?
Method: py3langid, a naive Bayes classifier over sequences of bytes (Lui and Baldwin, "langid.py: An Off-the-shelf
Language Identification Tool", ACL 2012), among the languages of column names. A cell counts if it has `WORDS` words
and the probability of another language is at least `SURE`. A text is read by the first model of its language, where
that is identified; otherwise by the first model that reads the script of most of its letters. The order of the models
is that of registry.py.
Limits: shorter cells count as read; two languages in one cell count as one; Malay counts as Indonesian. A text in a
language without a model is read by a model of another language with the same script, which misses names; such texts
are counted.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from privaudit.base.arrays import Flags, Ints
from privaudit.base.arrow import pa, pc
from privaudit.base.extras import can_import
from privaudit.detect.text.engines.interface import EngineInfo
from privaudit.model.headers import languages
from privaudit.model.stats import wilson_bounds

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

Cells = Ints
WORDS = 4
SURE = 0.9  # no cell of 35 English columns of text in public and generated tables reaches it for another language
LEAST = 0.02  # by hand: of 50 cells, one may quote another language
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f]")  # Han, kana and Thai


def assign(texts: Sequence[str], engines: Sequence[EngineInfo]) -> tuple[dict[EngineInfo, Cells], Counter[str]]:
    """Choose a model for each text.

    Parameters
    ----------
    texts : sequence of n str
    engines : sequence of EngineInfo
        The installed models, best first, at least one.

    Returns
    -------
    dict
        The positions of the texts that each model reads, in ascending order; together all n.
    Counter
        The number of texts in each language (ISO 639-1) that their model was not trained on.
    """
    arrow = pa.array(texts, pa.string())
    unread = np.column_stack([in_other_scripts(arrow, engine.scripts) for engine in engines])
    chosen = unread.argmin(axis=1)  # the first that reads the script; the best where none does
    unknown: Counter[str] = Counter()
    for cell, language in enumerate(_identified(texts, engines[0].languages)):
        own = next((k for k, engine in enumerate(engines) if language in engine.languages), None)
        if own is not None:
            chosen[cell] = own
        elif language is not None and engines[chosen[cell]].languages:
            unknown[language] += 1
    return {engines[k]: np.flatnonzero(chosen == k) for k in np.unique(chosen)}, unknown


def without_model(texts: Sequence[str], engines: Sequence[EngineInfo]) -> Cells:
    """Return the positions of the texts in a language or script that none of the models was trained on."""
    others = in_other_scripts(pa.array(texts, pa.string()), {script for one in engines for script in one.scripts})
    if all(one.languages for one in engines):  # a model without a list of languages reads all
        read = {language for one in engines for language in one.languages}
        others |= np.array([language is not None and language not in read for language in languages_of(texts)])
    return np.flatnonzero(others)


def in_other_scripts(texts: pa.Array, read: Collection[str]) -> Flags:
    """Return which texts have more letters of other Unicode scripts than of those that are `read`."""
    if "Latin" in read and pc.all(pc.string_is_ascii(texts)).as_py() is not False:
        return np.zeros(len(texts), dtype=np.bool_)
    known = "".join(rf"\p{{{script}}}" for script in read)
    letters, ours = (np.asarray(pc.count_substring_regex(texts, p).fill_null(0)) for p in (r"\p{L}", f"[{known}]"))
    return 2 * ours < letters


def _identified(texts: Sequence[str], expected: Collection[str]) -> list[str | None]:
    """Return the language of each text where other languages than those `expected` are more than chance.

    If the lower Wilson bound of their share of the sentences is at most `LEAST`, all are None, and so they are if no
    language is expected.
    """
    found = languages_of(texts) if expected else []
    n_others = sum(language is not None and language not in expected for language in found)
    more_than_chance = n_others > 0 and wilson_bounds(n_others, sum(map(is_sentence, texts)))[0] > LEAST
    return found if more_than_chance else [None] * len(texts)


def languages_of(texts: Sequence[str]) -> list[str | None]:
    """Return the language of each text (ISO 639-1), None where it is not certain."""
    found: list[str | None] = [None] * len(texts)
    for number, text in enumerate(texts) if can_import("py3langid") else ():
        if is_sentence(text):
            language, probability = _identifier().classify(text)
            found[number] = language if probability >= SURE else None
    return found


def is_sentence(text: str) -> bool:
    """Whether a text has `WORDS` words: of scripts without spaces, two characters make about a word."""
    return len(text.split()) >= WORDS or len(_UNSPACED.findall(text)) >= 2 * WORDS


@cache
def _identifier() -> LanguageIdentifier:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    similar = {"ms"}  # divides the probability of Indonesian sentences
    identifier.set_languages([code for code in languages() if code in identifier.labels and code not in similar])
    return identifier
