"""Numbers behind their notation, and whether they are telephone numbers.

Question: which whole numbers does a column hold, however they are written, and can an amount or a time be telephone
numbers?
Method: thousands separators, an exponent and a fraction of zeros are undone. Telephone numbers of North America have
ten digits, an area code in use (a third of all) and an exchange that begins with 2 to 9; amounts and times obey that
by chance in less than half of the cases, and amounts are round more often than one in ten. Several area codes must
occur: numbers in a row share theirs.
Limits: other numbering plans accept nearly all numbers of some lengths, so bare numbers prove nothing there.
"""

from __future__ import annotations

import contextlib

import numpy as np

from privaudit.base.arrays import Floats
from privaudit.base.arrow import pa, pc
from privaudit.detect.column import NEARLY_ALL, Column, once

Numbers = Floats
FEWEST = 60
"""Distinct values that exclude chance."""
_WHOLE = r"^[0-9]{1,15}(?:\.0+)?$"
_THOUSANDS = r"^[0-9]{1,3}(?:[,.'’_ \x{a0}\x{202f}][0-9]{3})+$"
_SCIENTIFIC = r"^[0-9](?:\.[0-9]+)?[eE]\+?[0-9]{1,2}$"
_LEAST_AREAS, _MOST_ROUND, _SAMPLE = 5, 0.25, 300


@once
def whole_numbers(column: Column) -> Numbers | None:
    """Return the distinct values as whole numbers, in the notation that all of them share; None where there is none."""
    texts = column.values
    if not column.n_distinct or not column.has_digits:
        return None
    if column.matching(_WHOLE) == 1:
        return np.asarray(texts.cast(pa.float64()), dtype=np.float64)
    if column.matching(_THOUSANDS) >= NEARLY_ALL and column.matching(rf"{_THOUSANDS}|{_WHOLE}") == 1:
        digits = pc.replace_substring_regex(texts, "[^0-9]", "")
        return np.asarray(digits.cast(pa.float64()), dtype=np.float64)
    if column.matching(_SCIENTIFIC) == 1:
        numbers = np.asarray(texts.cast(pa.float64()), dtype=np.float64)
        return numbers if (numbers == np.round(numbers)).all() else None
    return None


def are_telephone_numbers(numbers: Numbers, seed: int = 0) -> bool:
    """Whether distinct numbers are telephone numbers of North America, well above chance."""
    if len(numbers) < FEWEST or numbers.min() < 2e9 or numbers.max() >= 1e10:
        return False
    if (numbers % 10 == 0).mean() > _MOST_ROUND:
        return False
    drawn = np.random.default_rng(seed).permutation(len(numbers))[:_SAMPLE]
    texts = [str(int(number)) for number in numbers[drawn]]
    valid = [text for text in texts if _is_valid(text)]
    return len(valid) >= NEARLY_ALL * len(texts) and len({text[:3] for text in valid}) >= _LEAST_AREAS


def _is_valid(text: str) -> bool:
    import phonenumbers

    with contextlib.suppress(phonenumbers.NumberParseException):
        return phonenumbers.is_valid_number(phonenumbers.parse(text, "US"))
    return False
