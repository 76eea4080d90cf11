"""Which of the installed models reads which text?

Method: the first model of the language of a text, where that is identified (languages.py); otherwise the first model
that reads the script of most of its letters. The order of the models is that of registry.py.
Limits: a text in a language without a model is read by a model of another language with the same script, which misses
names; such texts are counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from privaudit.text.engines.interface import EngineInfo
from privaudit.text.languages import identified

Cells = npt.NDArray[np.int64]


def scripts(engines: Sequence[EngineInfo]) -> tuple[str, ...]:
    """Return the Unicode scripts that one of the `engines` reads."""
    return tuple(dict.fromkeys(script for engine in engines for script in engine.scripts))


def in_other_scripts(texts: pa.Array, read: Collection[str]) -> npt.NDArray[np.bool_]:
    """Return which texts have more letters of other scripts than of those that are `read`."""
    if "Latin" in read and pc.all(pc.string_is_ascii(texts)).as_py() is not False:
        return np.zeros(len(texts), dtype=np.bool_)
    known = "".join(rf"\p{{{script}}}" for script in read)
    letters, ours = (
        np.asarray(pc.count_substring_regex(texts, p).fill_null(0)) for p in (r"\p{L}", f"[{known}]")
    )
    other: npt.NDArray[np.bool_] = 2 * ours < letters
    return other


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
    languages = identified(texts, engines[0].languages)
    arrow = pa.array(texts, pa.string())
    unread = np.column_stack([in_other_scripts(arrow, engine.scripts) for engine in engines])
    chosen = unread.argmin(axis=1)  # the first that reads the script; the best where none does
    unknown: Counter[str] = Counter()
    for cell, language in enumerate(languages):
        if language is None:
            continue
        own = [k for k, engine in enumerate(engines) if language in engine.languages]
        chosen[cell] = own[0] if own else chosen[cell]
        if not own and engines[chosen[cell]].languages:
            unknown[language] += 1
    return {engines[k]: np.flatnonzero(chosen == k) for k in np.unique(chosen)}, unknown
