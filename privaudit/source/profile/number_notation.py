"""Numbers in the notations of different countries, ordered exactly.

Question: is "1.234" more or less than "99", and is "$1,200.00" the same amount as "$1,200"?
Method: sign, currency, per cent sign and exponent are split from the digits by one RE2 pattern. Each pair of a
separator of thousands and a decimal separator is one reading of the whole column; a reading counts where it fits every
value. Numbers are ordered as doubles, and those that share a double by their exact decimal value.
Limits: values with different currencies, or with and without a per cent sign, are not comparable. Letters other than
those of a currency make a value a code.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

import numpy as np

from privaudit.base import unicode_form
from privaudit.base.arrays import Floats
from privaudit.base.arrow import pa, pc
from privaudit.source.profile.alphabet import alphabet
from privaudit.source.profile.numbers import PIECE, all_match, part_text
from privaudit.source.profile.ranks import Ranks, Unordered, dense_ranks

_CODES = (
    "AED AFN ARS AUD AZN BAM BDT BGN BHD BIF BOB BRL BWP BYN CAD CDF CHF CLP CNY COP CRC CZK DKK DOP DZD EGP ETB EUR "
    "GBP GEL GHS GTQ HKD HNL HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KHR KRW KWD KZT LAK LBP LKR LYD MAD MDL MMK "
    "MNT MUR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PEN PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SDG SEK SGD SOS "
    "SYP THB TND TRY TTD TWD TZS UAH UGX USD UYU UZS VES VND XAF XOF YER ZAR ZMW "
    "KSh Ksh KShs TSh USh Rs Rs. kr kr. zł Kč Ft lei лв R$ US$ A$ C$ NZ$ HK$ S$"
).split()
_CURRENCY = r"(?:\p{Sc}|" + "|".join(re.escape(code) for code in sorted(_CODES, key=len, reverse=True)) + ")"
_PARTS = (
    r"^(?P<open>\()?(?P<sign>[-+])?\s*"
    rf"(?P<before>{_CURRENCY})?\s*(?P<inner>[-+])?\s*"
    r"(?P<digits>[0-9][0-9 ,.']*|[.,][0-9]+)"
    r"(?P<exponent>[eE][-+]?[0-9]{1,3})?\s*"
    rf"(?P<after>[%‰]|{_CURRENCY})?(?P<trailing>-)?(?P<close>\))?$"
)
_EXPONENT = "(?:[eE][-+]?[0-9]{1,3})?"
_POINT = rf"^[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+){_EXPONENT}$"
_GROUPED_BY_POINT = rf"^[-+]?(?:[1-9][0-9]{{0,2}}(?:\.[0-9]{{3}})+|[0-9]+){_EXPONENT}$"
SEPARATORS = (",", ".", " ", "'")
DECIDING = 29
"""Values in which a separator always precedes exactly three digits, from which it must separate thousands.

A decimal separator precedes three digits throughout only if no third decimal is 0 and omitted: 0.9**29 < 0.05.
"""


class _Notation(NamedTuple):
    """The separator of thousands, empty for none, and the decimal separator."""

    thousands: str
    decimal: str

    def pattern(self) -> str:
        """Return the RE2 expression of digits in this notation."""
        whole = "[0-9]+"
        if self.thousands:
            t = re.escape(self.thousands)
            whole = f"(?:[1-9][0-9]{{0,2}}(?:{t}[0-9]{{3}})+|[1-9][0-9]?(?:{t}[0-9]{{2}})+{t}[0-9]{{3}}|{whole})"
        d = re.escape(self.decimal)
        return f"^(?:{whole}(?:{d}[0-9]*)?|{d}[0-9]+)$"


def number_readings(values: pa.Array, *, is_canonical: bool = False) -> Iterator[Ranks] | Unordered:
    """Yield the ranks of distinct values under every reading as numbers that fits all of them.

    Parameters
    ----------
    values : pyarrow string array of length d, none missing
    is_canonical : bool
        Whether a point is known to be the decimal point and no thousands are separated.

    Returns
    -------
    iterator of int64 arrays of shape (d,), or the reason why the values are not comparable
    """
    text = pc.utf8_trim_whitespace(values)
    if all_match(text, _POINT) and (is_canonical or not _may_be_grouped(text)):
        return iter((_ranks(text),))  # without the cost of taking every value apart
    if not all_match(_plain(text.slice(0, PIECE)), _PARTS):
        return "unread"
    text = _plain(text)
    if not all_match(text, _PARTS):
        return "unread"
    parts = pc.extract_regex(text, _PARTS)
    before, after, opened, closed = (_part(parts, name) for name in ("before", "after", "open", "close"))
    units = pc.unique(pc.binary_join_element_wise(before, after, ""))
    if len(units) > 1:
        return "mixed_units"
    if not pc.all(pc.equal(pc.binary_length(opened), pc.binary_length(closed))).as_py():
        return "unread"
    return _ranks_by_notation(parts, [_Notation("", ".")] if is_canonical else None)


def _may_be_grouped(text: pa.Array) -> bool:
    """Whether the points of plain numbers may separate thousands."""
    return bool(pc.any(pc.match_substring(text, ".")).as_py()) and all_match(text, _GROUPED_BY_POINT)


def _ranks_by_notation(parts: pa.StructArray, known: list[_Notation] | None) -> Iterator[Ranks]:
    digits = _part(parts, "digits")
    fitting = [n for n in known or _notations(digits) if _fits(digits, n)]
    if len(fitting) > 1:
        fitting = _without_disproved(digits, fitting)
    for notation in fitting:
        yield _ranks(_canonical(parts, notation))


def _plain(values: pa.Array) -> pa.Array:
    """Return texts with plain digits, blanks, minus signs and apostrophes, without outer blanks."""
    text = values.cast(pa.string())
    if not alphabet(text)[128:].any():
        return pc.utf8_trim_whitespace(text)
    text = unicode_form.composed(text)
    text = pc.replace_substring_regex(text, r"[\x{2212}\x{2013}\x{2012}]", "-")
    text = pc.replace_substring_regex(text, r"[\x{2019}\x{2018}\x{02BC}]", "'")
    return pc.utf8_trim_whitespace(text)


def _part(parts: pa.StructArray, name: str) -> pa.Array:
    return pc.utf8_trim_whitespace(part_text(parts, name))


def _notations(digits: pa.Array) -> list[_Notation]:
    """Return the notations whose separators occur; the decimal point where neither point nor comma does."""
    present = [s for s in SEPARATORS if pc.any(pc.match_substring(digits, s)).as_py()]
    decimals = [s for s in (".", ",") if s in present] or ["."]
    if decimals == [","] or decimals == ["."]:
        decimals = [".", ","]  # the only separator may also be that of thousands
    pairs = itertools.product(["", *present], decimals)
    return [_Notation(thousands, decimal) for thousands, decimal in pairs if thousands != decimal]


def _fits(digits: pa.Array, notation: _Notation) -> bool:
    return bool(pc.all(pc.match_substring_regex(digits, notation.pattern())).as_py())


def _without_disproved(digits: pa.Array, fitting: list[_Notation]) -> list[_Notation]:
    """Return the notations without those whose decimal separator must separate thousands.

    It must where it always precedes exactly three digits, in `DECIDING` values or more, and no value has four digits
    in a row.
    """
    thousands = {n.thousands for n in fitting if n.thousands}
    if pc.any(pc.match_substring_regex(digits, "[0-9]{4}")).as_py():
        return fitting
    proved = set()
    for separator in thousands:
        grouped = pc.match_substring_regex(digits, f"{re.escape(separator)}[0-9]{{3}}$")
        if int(pc.sum(grouped).as_py() or 0) >= DECIDING:
            proved.add(separator)
    return [n for n in fitting if n.decimal not in proved]


def _canonical(parts: pa.StructArray, notation: _Notation) -> pa.Array:
    """Return every number as plain text: sign, digits, decimal point, exponent."""
    digits = _part(parts, "digits")
    if notation.thousands:
        digits = pc.replace_substring(digits, notation.thousands, "")
    if notation.decimal != ".":
        digits = pc.replace_substring(digits, notation.decimal, ".")
    digits = pc.replace_substring_regex(digits, r"^\.", "0.")
    marks = [_part(parts, name) for name in ("sign", "inner", "trailing", "open")]
    marks = pc.binary_join_element_wise(*marks, "")
    minus = pc.if_else(pc.match_substring_regex(marks, r"[-(]"), "-", "")
    return pc.binary_join_element_wise(minus, digits, _part(parts, "exponent"), "")


def _ranks(numbers: pa.Array) -> Ranks:
    """Return the exact ranks of plain numbers: by their doubles, and where these are equal by their decimals."""
    doubles = _doubles(numbers)
    _, group, size = np.unique(doubles, return_inverse=True, return_counts=True)
    fine = np.zeros(len(doubles))
    shared = np.flatnonzero(size[group] > 1)
    if len(shared):
        exact = [Decimal(text) for text in numbers.take(pa.array(shared)).to_pylist()]
        place = {number: i for i, number in enumerate(sorted(set(exact)))}
        fine[shared] = [place[number] for number in exact]
    coarse: Floats = group.astype(np.float64)
    return dense_ranks(coarse, fine)


def _doubles(numbers: pa.Array) -> Floats:
    """Return plain numbers as the nearest doubles, infinite beyond the largest."""
    found = pc.cast(pc.replace_substring_regex(numbers, "^[+]", ""), pa.float64())
    return found.to_numpy(zero_copy_only=False)
