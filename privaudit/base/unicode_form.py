"""The composed Unicode form of texts.

Question: which texts differ only in how Unicode writes their characters?
Method: normalisation form NFKC by Python's `unicodedata`, of the values that are not ASCII. Arrow's `utf8_normalize` is
not used: until version 23 it leaves letters and their accents apart.
"""

from __future__ import annotations

import unicodedata

from privaudit.base.arrow import pa, pc


def composed(values: pa.Array) -> pa.Array:
    """Return texts in Unicode normalisation form NFKC (Unicode Standard Annex 15).

    Parameters
    ----------
    values : pyarrow.StringArray or LargeStringArray of length n

    Returns
    -------
    pyarrow array of the same length and type, missing cells missing; the same object if every cell is ASCII.
    """
    foreign = pc.fill_null(pc.invert(pc.string_is_ascii(values)), False)
    if not pc.any(foreign).as_py():
        return values
    texts = [unicodedata.normalize("NFKC", text) for text in values.filter(foreign).to_pylist()]
    return pc.replace_with_mask(values, foreign, pa.array(texts, values.type))
