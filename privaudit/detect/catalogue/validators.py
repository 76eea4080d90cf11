"""Validators of single values by name: check digits by country, the built-in ones, and the 240 of python-stdnum.

Question: does this text have the check digit of, for example, a Hong Kong identity card?
Method: the published rule of each issuer: a weighted sum with a modulus, or Luhn, often with a date. Each check takes
the text of a cell, separators included, and returns whether it passes. Telephone numbers inside text with a country
code follow the numbering plan of the country, those with a trunk zero and separators the plans of `_REGIONS`. A name
that is not in `CHECKS` is a python-stdnum module. A validator that raises an error has failed.
Limits: a valid check digit does not mean that the number was issued; it is evidence only if the number fails after a
digit is changed (checkdigits.py measures that).
"""

from __future__ import annotations

import importlib
import ipaddress
import re
from collections.abc import Callable, Iterable
from functools import cache
from string import ascii_uppercase

from privaudit.base.patterns import Expression

Check = Callable[[str], bool]
_SEPARATORS = str.maketrans("", "", " -.\u00a0")
_OUT = str.maketrans("", "", " -./()\u00a0")
_VALUE = {**{char: 10 + place for place, char in enumerate(ascii_uppercase)}, **{str(n): n for n in range(10)}}
_VALUE |= {"<": 0, " ": 36}
_BASE_36 = {ord(char): str(10 + place) for place, char in enumerate(ascii_uppercase)}
_MONTH, _DAY = r"(?:0[1-9]|1[0-2])", r"(?:0[1-9]|[12]\d|3[01])"


def _sum(text: str, weights: Iterable[int]) -> int:
    """Return the sum of digits and letters (A = 10) times `weights`, which may be shorter."""
    return sum(_VALUE[char] * weight for char, weight in zip(text, weights, strict=False))


def _cross_sum(text: str, weights: Iterable[int]) -> int:
    """Return the sum of the digits of each product."""
    return sum(sum(divmod(int(char) * weight, 10)) for char, weight in zip(text, weights, strict=False))


def luhn(text: str) -> bool:
    """Whether the digits of `text` pass the Luhn check (ISO/IEC 7812-1)."""
    from stdnum import luhn

    return bool(luhn.is_valid(text.translate(_SEPARATORS)))


def card(text: str) -> bool:
    """Whether `text` passes Luhn and is not one digit repeated."""
    return luhn(text) and len(set(text.translate(_SEPARATORS))) > 1


def _iban(text: str) -> bool:
    from stdnum import iban

    bare = text.translate(_SEPARATORS).upper()
    if int((bare[4:] + bare[:4]).translate(_BASE_36)) % 97 != 1:
        return False  # before python-stdnum, which takes ten times as long
    # National check digits inside the number are not tested: test data and some banks do not have them.
    return bool(iban.is_valid(text, check_country=False))


def _dea(text: str) -> bool:
    digits = [ord(char) - 48 for char in text[2:]]
    return (sum(digits[0:6:2]) + 2 * sum(digits[1:6:2])) % 10 == digits[6]


def _ip(text: str) -> bool:
    inner = text[1:].partition("]")[0] if text.startswith("[") else text
    bare = inner.split("/")[0].split("%")[0]  # a prefix length, a zone and a port are not part of the address
    if bare.count(":") == 1 and "." in bare:
        bare = bare.split(":")[0]
    return ipaddress.ip_address(bare) is not None


def _host(text: str) -> bool:
    address = ipaddress.ip_address(text)
    return not (address.is_unspecified or address.is_loopback or address.is_multicast)


_NOT_PHONE = Expression(
    r"(?:19|20)[0-9]{2}[-/. ](?:0?[1-9]|1[0-2])[-/. ][0-3]?[0-9].*"
    r"|[0-3]?[0-9][-/. ][0-3]?[0-9][-/. ](?:19|20)[0-9]{2}.*"
    r"|[0-9]{1,3}(?:\.[0-9]{1,3}){3}|[0-9]{1,3}(?: [0-9]{3})+|(?:19|20)[0-9]{2}[-/ ](?:19|20)[0-9]{2}|[0-9]+\.[0-9]+"
    r"|[0-9]{4}(?:[ -][0-9]{4}){2,3}|97[89][- ]?[0-9-]{10,14}"
)
_GROUPED = Expression(r"[0-9]{2}.*[ .\-/()]+[0-9]+$|[ .\-/()]+[0-9]{2,}$", re.DOTALL)
_REGIONS = "GB KE DE FR IT ES NL BE AU ZA NG IN JP CH AT SE BR TZ UG NZ IE PL".split()


def _has_length(text: str) -> bool:
    """Whether `text` has 7 to 15 digits (ITU-T E.164), at least three of them different."""
    digits = [char for char in text if char.isdigit()]
    return 7 <= len(digits) <= 15 and len(set(digits)) >= 3


def _national(text: str) -> bool:
    """Whether `text`, with a trunk zero and separators, is a valid number of any of the `_REGIONS`."""
    if ")" not in text:
        text = text.replace("(", "")  # a bracket around the whole number is not part of it
    if not (_has_length(text) and _GROUPED.search(text)) or _NOT_PHONE.fullmatch(text):
        return False  # single digits in a row are scores, not a number
    return text.startswith(("0", "(0")) and any(_follows_plan(text, region) for region in _REGIONS)


def _follows_plan(text: str, region: str | None) -> bool:
    """Whether `text` is a valid number of a region, or a possible one of the country whose code it begins with."""
    import phonenumbers

    try:
        number = phonenumbers.parse(text, region)
    except phonenumbers.NumberParseException:
        return False
    return phonenumbers.is_valid_number(number) if region else phonenumbers.is_possible_number(number)


def _formed(shape: str) -> Callable[[Check], Check]:
    """Apply a rule only to texts whose bare form (capitals, no separators) matches `shape` as a whole."""
    expression = Expression(shape)

    def decorate(rule: Check) -> Check:
        def check(text: str) -> bool:
            bare = text.upper().translate(_OUT)
            return expression.fullmatch(bare) is not None and rule(bare)

        return check

    return decorate


def _balanced(shape: str, weights: Iterable[int], modulus: int) -> Check:
    """Return a rule: the weighted sum, check digit included, is a multiple of `modulus`."""
    return _formed(shape)(lambda text: _sum(text, weights) % modulus == 0)


@_formed(r"[STFGM]\d{7}[A-Z]")
def _sg_nric(text: str) -> bool:
    total = _sum(text[1:8], (2, 7, 6, 5, 4, 3, 2)) + {"T": 4, "G": 4, "M": 3}.get(text[0], 0)
    letters = {"S": "JZIHGFEDCBA", "F": "XWUTRQPNMLK", "M": "XWUTRQPNJLK"}
    return letters.get({"T": "S", "G": "F"}.get(text[0], text[0]), "")[total % 11] == text[8]


@_formed(r"[A-Z][1289]\d{8}")
def _tw_id(text: str) -> bool:
    tens, ones = divmod(10 + "ABCDEFGHJKLMNPQRSTUVXYWZIO".index(text[0]), 10)
    return (tens + 9 * ones + _sum(text[1:], (8, 7, 6, 5, 4, 3, 2, 1, 1))) % 10 == 0


@_formed(rf"\d\d(?:{_DAY}|5[1-9]|[67]\d|8[01]){_MONTH}\d\d[A-Z]\d{{3}}")
def _de_rvnr(text: str) -> bool:
    digits = f"{text[:8]}{_VALUE[text[8]] - 9:02d}{text[9:11]}"
    return _cross_sum(digits, (2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1)) % 10 == int(text[11])


@_formed(r"\d{10}")
def _ir_id(text: str) -> bool:
    rest = _sum(text[:9], range(10, 1, -1)) % 11
    return int(text[9]) == (rest if rest < 2 else 11 - rest) and len(set(text)) > 1


@_formed(rf"\d\d{_MONTH}{_DAY}[0-6]\d{{5}}")
def _kz_iin(text: str) -> bool:
    value = _sum(text[:11], range(1, 12)) % 11
    if value == 10:
        value = _sum(text[:11], (3, 4, 5, 6, 7, 8, 9, 10, 11, 1, 2)) % 11
    return value == int(text[11])


@_formed(r"\d{11}")
def _br_cnh(text: str) -> bool:
    first = _sum(text[:9], range(9, 0, -1)) % 11
    second = _sum(text[:9], range(1, 10)) % 11 - (2 if first > 9 else 0)
    first, second = 0 if first > 9 else first, 11 + second if second < 0 else second
    return len(set(text)) > 1 and text[9:] == f"{first}{0 if second > 9 else second}"


@_formed(r"\d{8}(?:0[1-9]|1\d|2[0-8])\d\d")
def _br_voter(text: str) -> bool:
    first = _sum(text[:8], range(2, 10)) % 11 % 10
    second = (_sum(text[8:10], (7, 8)) + first * 9) % 11 % 10
    return text[10:] == f"{first}{second}"


@_formed(r"(?:0[1-9]|[1-5]\d|6[0-6])\d{10}")
def _es_nss(text: str) -> bool:
    number = text[:2] + text[3:10] if text[2] == "0" else text[:10]  # seven or eight digits after the province
    return int(number) % 97 == int(text[10:])


@_formed(rf"(?:18|19|20)\d\d{_MONTH}{_DAY}\d{{5}}")
def _lu_id(text: str) -> bool:
    from stdnum import verhoeff

    return card(text[:12]) and bool(verhoeff.is_valid(text[:11] + text[12]))


_NHI = {char: 1 + place for place, char in enumerate("ABCDEFGHJKLMNPQRSTUVWXYZ")}


@_formed(r"[A-HJ-NP-Z]{3}\d{2}(?:\d{2}|[A-HJ-NP-Z]{2})")
def _nz_nhi(text: str) -> bool:
    values = (_NHI.get(char) or int(char) for char in text[:6])
    total = sum(value * weight for value, weight in zip(values, range(7, 1, -1), strict=True))
    if text[6].isdigit():
        return total % 11 != 0 and (11 - total % 11) % 10 == int(text[6])
    return _NHI[text[6]] in (24 - total % 24, 23 - total % 23)  # the modulus was changed in 2019


@_formed("[A-HJ-NPR-Z0-9]{17}")
def _vin(text: str) -> bool:
    """North American check digit; the position of a character, modulo 10, is its value."""
    values = ("0123456789.ABCDEFGH..JKLMN.P.R..STUVWXYZ".index(char) % 10 for char in text)
    weights = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)
    rest = sum(value * weight for value, weight in zip(values, weights, strict=True)) % 11
    return text[8] == "0123456789X"[rest]


_br_pis = _formed(r"\d{11}")(lambda text: -_sum(text, (3, 2, 9, 8, 7, 6, 5, 4, 3, 2)) % 11 % 10 == int(text[10]))
CHECKS: dict[str, Check] = {
    "luhn": luhn,
    "card": card,
    "ip": _ip,
    "ip.host": _host,
    "mac": lambda text: len(set(text.lower()) - set(":.-")) >= 3,  # as addresses of network cards have
    "phone.international": lambda text: _has_length(text) and _follows_plan(text, None),
    "phone.national": _national,
    "phone.length": _has_length,
    "npi": lambda text: len(text) == 10 and text.isdigit() and luhn("80840" + text),
    "dea": _dea,
    "vin": _vin,
    "iban": _iban,
    "ae.id": _formed(r"784(?:19|20)\d{10}")(card),
    "au.ihi": _formed(r"80036[01]\d{10}")(card),
    "au.medicare": _balanced(r"[2-6]\d{9,10}", (1, 3, 7, 9, 1, 3, 7, 9, -1), 10),
    "br.cnh": _br_cnh,
    "br.cns": _balanced(r"[12789]\d{14}", range(15, 0, -1), 11),
    "br.pis": _br_pis,
    "br.renavam": _br_pis,
    "br.voter": _br_voter,
    "ca.ohip": _formed(r"[1-9]\d{9}(?:[A-Z]{2})?")(lambda text: card(text[:10])),
    "de.card": _balanced(r"[CFGHJKLMNPRTVWXYZ][0-9CFGHJKLMNPRTVWXYZ]{8}\d", (7, 3, 1, 7, 3, 1, 7, 3, 1, -1), 10),
    "de.kvnr": _formed(r"[A-Z]\d{9}")(
        lambda text: _cross_sum(f"{_VALUE[text[0]] - 9:02d}{text[1:9]}", (1, 2) * 5) % 10 == int(text[9])
    ),
    "de.lanr": _formed(r"\d{9}")(
        lambda text: -_sum(text[:6], (4, 9, 4, 9, 4, 9)) % 10 == int(text[6]) and len(set(text)) > 2
    ),
    "de.rvnr": _de_rvnr,
    "eg.id": _formed(rf"[23]\d\d{_MONTH}{_DAY}(?:0[1-9]|[12]\d|3[0-5]|88)\d{{5}}")(  # with the governorate
        lambda text: (11 - _sum(text[:13], (2, 7, 6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2)) % 11) % 10 == int(text[13])
    ),
    "es.nss": _es_nss,
    "gb.chi": _balanced(rf"{_DAY}{_MONTH}\d{{6}}", range(10, 0, -1), 11),
    "hk.hkid": _formed(r"[A-Z]{1,2}\d{6}[0-9A]")(lambda text: _sum(text.rjust(9), range(9, 0, -1)) % 11 == 0),
    "hu.id": _formed(rf"[1-8]\d\d{_MONTH}{_DAY}\d{{4}}")(
        lambda text: int(text[10]) in {_sum(text[:10], range(1, 11)) % 11, _sum(text[:10], range(10, 0, -1)) % 11}
    ),
    "hu.taj": _balanced(r"\d{9}", (3, 7, 3, 7, 3, 7, 3, 7, -1), 10),
    "hu.tax": _balanced(r"8\d{9}", (*range(1, 10), -1), 11),
    "iccid": _formed(r"89\d{17,18}")(lambda text: card(text) or card(text[:19])),
    "ir.id": _ir_id,
    "kw.civil": _balanced(rf"[123]\d\d{_MONTH}{_DAY}\d{{4}}[1-9]", (2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2, 1), 11),
    "kz.iin": _kz_iin,
    "lu.id": _lu_id,
    "mx.nss": _formed(r"\d{11}")(card),
    "nz.nhi": _nz_nhi,
    "pl.card": _balanced(r"[A-Z]{3}\d{6}", (7, 3, 1, 9, 7, 3, 1, 7, 3), 10),
    "pl.passport": _balanced(r"[A-Z]{2}\d{7}", (7, 3, 9, 1, 7, 3, 1, 7, 3), 10),
    "pt.niss": _formed(r"[12]\d{10}")(
        lambda text: 9 - _sum(text[:10], (29, 23, 19, 17, 13, 11, 7, 5, 3, 2)) % 10 == int(text[10])
    ),
    "ru.snils": _formed(r"\d{11}")(
        lambda text: _sum(text[:9], range(9, 0, -1)) % 101 % 100 == int(text[9:]) and len(set(text)) > 1
    ),
    "sa.id": _formed(r"[12]\d{9}")(card),
    "sg.nric": _sg_nric,
    "tw.id": _tw_id,
    "uy.ci": _balanced(r"\d{8}", (2, 9, 8, 7, 6, 3, 4, 1), 10),
}
# These validators test a format; no part of the value is computed from the rest.
_FORMS = frozenset({"", "ip", "ip.host", "mac", "bic", "phone.international", "phone.national", "phone.length"})


def known(name: str) -> bool:
    """Whether a validator of this name exists."""
    try:
        return all(map(str.isidentifier, name.split("."))) and callable(get(name))
    except (ImportError, AttributeError):
        return False


def has_check_digit(name: str) -> bool:
    """Whether the validator `name` computes a check digit instead of testing a format only; "" is none."""
    return name not in _FORMS


def bare(text: str) -> str:
    """Return a value without separators, in capitals."""
    return text.upper().translate(_OUT)


def written_length(name: str, text: str) -> int:
    """Return how many characters a number has when its issuer writes it, with the zeros that a validator adds or drops.

    Whatever else a validator drops, such as the letters of a country or a last check digit, is written.

    Examples
    --------
    >>> written_length("il.idnr", "39337423"), written_length("hk.hkid", "A1234563")
    (9, 8)
    >>> written_length("at.uid", "ATU13585627"), written_length("meid", "AF0125450BBCDBC")
    (11, 15)
    >>> written_length("at.uid", "AT")  # the validator drops all of it
    2
    """
    compact = None if name in CHECKS else getattr(importlib.import_module(f"stdnum.{name}"), "compact", None)
    short = text if compact is None else bare(str(compact(text)))
    if not short:  # nothing but letters of a country or signs that the validator drops
        return len(text)
    front, found, end = text.partition(short)
    return len(text if found and (front + end).strip("0") else short)


@cache
def get(name: str) -> Check:
    """Return the validator `name`, which returns False for whatever text it cannot read.

    Raises
    ------
    ImportError, AttributeError
        If no validator has this name.
    """
    check = CHECKS.get(name) or importlib.import_module(f"stdnum.{name}").is_valid

    def run(text: str) -> bool:
        try:
            return bool(check(text))
        except (ValueError, TypeError, AttributeError, ArithmeticError, LookupError):
            return False  # python-stdnum raises many types of errors for invalid values

    return run
