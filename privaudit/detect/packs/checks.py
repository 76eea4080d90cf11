"""Check digits of official numbers that python-stdnum does not have, by country.

Question: does this text have the check digit of, for example, a Hong Kong identity card?
Method: the published rule of each issuer: a weighted sum with a modulus, or Luhn, often with a date. Each validator
takes the text of a cell, separators included, and returns whether it passes.
Limits: a valid check digit does not mean that the number was issued.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

Check = Callable[[str], bool]
_OUT = str.maketrans("", "", " -./()\u00a0")
_UPPER = {char: 10 + place for place, char in enumerate("ABCDEFGHIJKLMNOPQRSTUVWXYZ")}
_VALUE = {**_UPPER, **{str(n): n for n in range(10)}, "<": 0}


def bare(text: str) -> str:
    """Return `text` in capitals without blanks, hyphens, dots, slashes and brackets."""
    return text.upper().translate(_OUT)


def weighted(digits: str, weights: Sequence[int]) -> int:
    """Return the sum of digits and letters (A = 10) times `weights`, which may be shorter."""
    return sum(_VALUE[char] * weight for char, weight in zip(digits, weights, strict=False))


def has_luhn_digit(digits: str) -> bool:
    """Whether `digits` pass Luhn (ISO/IEC 7812-1)."""
    from stdnum import luhn

    return bool(luhn.is_valid(digits))


def is_luhn_number(digits: str) -> bool:
    """Whether `digits` pass Luhn and are not one digit repeated."""
    return len(set(digits)) > 1 and has_luhn_digit(digits)


def dated(year: str, month: str, day: str) -> bool:
    """Whether month and day are a possible date; every two-digit year is possible."""
    return len(year) in (2, 4) and 1 <= int(month) <= 12 and 1 <= int(day) <= 31


def _formed(shape: str) -> Callable[[Check], Check]:
    """Apply a rule only to texts whose bare form matches `shape` as a whole."""
    expression = re.compile(shape)

    def decorate(rule: Check) -> Check:
        def check(text: str) -> bool:
            digits = bare(text)
            return expression.fullmatch(digits) is not None and rule(digits)

        check.__doc__, check.__name__ = rule.__doc__, rule.__name__
        return check

    return decorate


def _luhn(shape: str) -> Check:
    return _formed(shape)(is_luhn_number)


def _sum(shape: str, weights: Sequence[int], modulus: int, rest: int = 0) -> Check:
    """Return a rule: the sum of all characters times `weights` has the remainder `rest` modulo `modulus`."""
    return _formed(shape)(lambda digits: weighted(digits, weights) % modulus == rest)


def _last(shape: str, weights: Sequence[int], modulus: int, least: str = "X") -> Check:
    """Return a rule: the last digit is `modulus` minus the remainder of the weighted others; 10 is `least`."""

    def rule(digits: str) -> bool:
        value = -weighted(digits[:-1], weights) % modulus
        return digits[-1] == (str(value) if value < 10 else least)

    return _formed(shape)(rule)


@_formed(r"[STFGM]\d{7}[A-Z]")
def _sg_nric(text: str) -> bool:
    total = weighted(text[1:8], (2, 7, 6, 5, 4, 3, 2)) + {"T": 4, "G": 4, "M": 3}.get(text[0], 0)
    letters = {"S": "JZIHGFEDCBA", "F": "XWUTRQPNMLK", "M": "XWUTRQPNJLK"}
    return letters.get({"T": "S", "G": "F"}.get(text[0], text[0]), "")[total % 11] == text[8]


@_formed(r"[A-Z]{1,2}\d{6}[0-9A]")
def _hk_hkid(text: str) -> bool:
    head = text[:-1] if len(text) == 9 else " " + text[:-1]
    total = sum(
        weight * (36 if char == " " else _VALUE[char])
        for weight, char in zip(range(9, 1, -1), head, strict=True)
    )
    return (total + (10 if text[-1] == "A" else int(text[-1]))) % 11 == 0


_TW_CODES = dict(zip("ABCDEFGHJKLMNPQRSTUVXYWZIO", range(10, 36), strict=True))


@_formed(r"[A-Z][1289]\d{8}")
def _tw_id(text: str) -> bool:
    tens, ones = divmod(_TW_CODES[text[0]], 10)
    return (tens + 9 * ones + weighted(text[1:], (8, 7, 6, 5, 4, 3, 2, 1, 1))) % 10 == 0


@_formed(r"[0-9CFGHJKLMNPRTVWXYZ]{9}\d")
def _de_card(text: str) -> bool:
    letters = any(char.isalpha() for char in text[:9]) and text[0].isalpha()
    return letters and weighted(text[:9], (7, 3, 1) * 3) % 10 == int(text[9])


@_formed(r"\d{8}[A-Z]\d{3}")
def _de_rvnr(text: str) -> bool:
    digits = f"{text[:8]}{_UPPER[text[8]] - 9:02d}{text[9:11]}"
    products = (int(d) * w for d, w in zip(digits, (2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1), strict=True))
    day = int(text[2:4])
    return (
        (1 <= day <= 31 or 51 <= day <= 81)
        and 1 <= int(text[4:6]) <= 12
        and (sum(p // 10 + p % 10 for p in products) % 10 == int(text[11]))
    )


@_formed(r"[A-Z]\d{9}")
def _de_kvnr(text: str) -> bool:
    digits = f"{_UPPER[text[0]] - 9:02d}{text[1:9]}"
    products = (int(d) * (1 + place % 2) for place, d in enumerate(digits))
    return sum(p // 10 + p % 10 for p in products) % 10 == int(text[9])


@_formed(r"\d{10}")
def _ir_id(text: str) -> bool:
    rest = weighted(text[:9], range(10, 1, -1)) % 11
    return int(text[9]) == (rest if rest < 2 else 11 - rest) and len(set(text)) > 1


@_formed(r"[23]\d{13}")
def _eg_id(text: str) -> bool:
    governorate = int(text[7:9])
    placed = 1 <= governorate <= 35 or governorate == 88
    value = (11 - weighted(text[:13], (2, 7, 6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2)) % 11) % 10
    return placed and dated(text[1:3], text[3:5], text[5:7]) and value == int(text[13])


@_formed(r"\d{12}")
def _kz_iin(text: str) -> bool:
    value = weighted(text[:11], range(1, 12)) % 11
    if value == 10:
        value = weighted(text[:11], (3, 4, 5, 6, 7, 8, 9, 10, 11, 1, 2)) % 11
    return dated(text[:2], text[2:4], text[4:6]) and text[6] in "0123456" and value == int(text[11])


@_formed(r"[123]\d{11}")
def _kw_civil(text: str) -> bool:
    value = 11 - weighted(text[:11], (2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)) % 11
    return dated(text[1:3], text[3:5], text[5:7]) and value == int(text[11])


@_formed(r"\d{11}")
def _br_cnh(text: str) -> bool:
    first = weighted(text[:9], range(9, 0, -1)) % 11
    lent = 2 if first > 9 else 0
    first = 0 if first > 9 else first
    second = weighted(text[:9], range(1, 10)) % 11 - lent
    second = 11 + second if second < 0 else second
    return len(set(text)) > 1 and text[9:] == f"{first}{0 if second > 9 else second}"


@_formed(r"\d{12}")
def _br_voter(text: str) -> bool:
    state = text[8:10]
    first = weighted(text[:8], range(2, 10)) % 11
    first = 0 if first == 10 else first
    second = (int(state[0]) * 7 + int(state[1]) * 8 + first * 9) % 11
    return 1 <= int(state) <= 28 and text[10:] == f"{first}{0 if second == 10 else second}"


@_formed(r"\d{12}")
def _es_nss(text: str) -> bool:
    province, number = int(text[:2]), int(text[2:10])
    joined = province * 10_000_000 + number if number < 10_000_000 else int(text[:10])
    return 1 <= province <= 66 and joined % 97 == int(text[10:])


@_formed(r"\d{11}")
def _pt_niss(text: str) -> bool:
    value = 9 - weighted(text[:10], (29, 23, 19, 17, 13, 11, 7, 5, 3, 2)) % 10
    return text[0] in "12" and value == int(text[10])


@_formed(r"\d{11}")
def _ru_snils(text: str) -> bool:
    return weighted(text[:9], range(9, 0, -1)) % 101 % 100 == int(text[9:]) and len(set(text)) > 1


@_formed(r"(?:18|19|20)\d{11}")
def _lu_id(text: str) -> bool:
    from stdnum import verhoeff

    fits = dated(text[:4], text[4:6], text[6:8]) and is_luhn_number(text[:12])
    return fits and bool(verhoeff.is_valid(text[:11] + text[12]))


@_formed(r"\d{10}")
def _gb_chi(text: str) -> bool:
    fits = dated(text[4:6], text[2:4], text[:2])
    return fits and weighted(text, range(10, 0, -1)) % 11 == 0


_NHI = {char: 1 + place for place, char in enumerate("ABCDEFGHJKLMNPQRSTUVWXYZ")}


@_formed(r"[A-HJ-NP-Z]{3}\d{2}(?:\d{2}|[A-HJ-NP-Z]{2})")
def _nz_nhi(text: str) -> bool:
    values = [_NHI.get(char, 0) if char.isalpha() else int(char) for char in text[:6]]
    total = sum(value * weight for value, weight in zip(values, range(7, 1, -1), strict=True))
    if text[6].isdigit():
        return total % 11 != 0 and (11 - total % 11) % 10 == int(text[6])
    return _NHI[text[6]] in (24 - total % 24, 23 - total % 23)  # the modulus was changed in 2019


@_formed(r"[A-Z]{3}\d{6}")
def _pl_card(text: str) -> bool:
    return weighted(text, (7, 3, 1, 9, 7, 3, 1, 7, 3)) % 10 == 0


@_formed(r"[A-Z]{2}\d{7}")
def _pl_passport(text: str) -> bool:
    return weighted(text, (7, 3, 9, 1, 7, 3, 1, 7, 3)) % 10 == 0


@_formed(r"[1-8]\d{10}")
def _hu_id(text: str) -> bool:
    up, down = range(1, 11), range(10, 0, -1)
    sums = {weighted(text[:10], weights) % 11 for weights in (up, down)}
    return dated(text[1:3], text[3:5], text[5:7]) and int(text[10]) in sums


@_formed(r"\d{12,13}")
def _rs_jmbg(text: str) -> bool:
    from stdnum.si import emso

    return len(text) == 13 and bool(emso.is_valid(text))


@_formed(r"(?:89\d{17,18})")
def _iccid(text: str) -> bool:
    return is_luhn_number(text) or is_luhn_number(text[:19])


@_formed(r"\d{10}(?:[A-Z]{2})?")
def _ca_ohip(text: str) -> bool:
    return text[0] != "0" and is_luhn_number(text[:10])


CHECKS: dict[str, Check] = {
    "ae.id": _luhn(r"784(?:19|20)\d{10}"),
    "au.ihi": _luhn(r"80036[01]\d{10}"),
    "au.medicare": _formed(r"[2-6]\d{9,10}")(
        lambda text: weighted(text[:8], (1, 3, 7, 9, 1, 3, 7, 9)) % 10 == int(text[8])
    ),
    "br.cnh": _br_cnh,
    "br.cns": _sum(r"[12789]\d{14}", range(15, 0, -1), 11),
    "br.pis": _last(r"\d{11}", (3, 2, 9, 8, 7, 6, 5, 4, 3, 2), 11, "0"),
    "br.renavam": _last(r"\d{11}", (3, 2, 9, 8, 7, 6, 5, 4, 3, 2), 11, "0"),
    "br.voter": _br_voter,
    "ca.ohip": _ca_ohip,
    "de.card": _de_card,
    "de.kvnr": _de_kvnr,
    "de.lanr": _formed(r"\d{9}")(
        lambda text: -weighted(text[:6], (4, 9, 4, 9, 4, 9)) % 10 == int(text[6]) and len(set(text)) > 2
    ),
    "de.rvnr": _de_rvnr,
    "eg.id": _eg_id,
    "es.nss": _es_nss,
    "gb.chi": _gb_chi,
    "hk.hkid": _hk_hkid,
    "hu.id": _hu_id,
    "hu.taj": _formed(r"\d{9}")(lambda text: weighted(text[:8], (3, 7) * 4) % 10 == int(text[8])),
    "hu.tax": _formed(r"8\d{9}")(lambda text: weighted(text[:9], range(1, 10)) % 11 == int(text[9])),
    "iccid": _iccid,
    "ir.id": _ir_id,
    "kw.civil": _kw_civil,
    "kz.iin": _kz_iin,
    "lu.id": _lu_id,
    "mx.nss": _luhn(r"\d{11}"),
    "nz.nhi": _nz_nhi,
    "pl.card": _pl_card,
    "pl.passport": _pl_passport,
    "pt.niss": _pt_niss,
    "rs.jmbg": _rs_jmbg,
    "ru.snils": _ru_snils,
    "sa.id": _luhn(r"[12]\d{9}"),
    "sg.nric": _sg_nric,
    "tw.id": _tw_id,
    "uy.ci": _last(r"\d{8}", (2, 9, 8, 7, 6, 3, 4), 10),
}
