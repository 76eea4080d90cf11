"""In which form are the values of different stores compared?

Question: do two cells name the same person, although one store writes them differently?
Method: Unicode normal form NFKC, without case and outer space. A whole number is equal to the same number with a
decimal point: a column of numbers with missing cells is often stored as floating-point numbers, 4862.0 for 4862.
Limits: other spellings, such as those of a telephone number, are different values.
"""

from __future__ import annotations

import re
import unicodedata

_WHOLE = re.compile(r"(-?[0-9]+)\.0+")


def canonical(value: str) -> str:
    """Return the form in which values are compared.

    >>> canonical(" K7919 "), canonical("4862.0"), canonical("1.50")
    ('k7919', '4862', '1.50')
    """
    plain = unicodedata.normalize("NFKC", value).strip().casefold()
    # Most texts end otherwise, and a regular expression takes longer than all the rest.
    whole = _WHOLE.fullmatch(plain) if plain.endswith("0") else None
    return plain if whole is None else whole[1]
