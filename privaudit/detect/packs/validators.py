"""Validators of single values by name: check digits and formats, built-in ones and the 240 of python-stdnum.

Question: does this text pass the named validator?
Method: a few built-in validators and those of checks.py; every other name is a python-stdnum module. A validator that
raises an error has failed.
Limits: passing is evidence only if it fails after a digit is changed (checkdigits.py measures that).
"""

from __future__ import annotations

import importlib
import ipaddress
from collections.abc import Callable
from functools import cache, lru_cache
from string import ascii_uppercase, digits
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from privaudit.detect.packs import phone_numbers
from privaudit.detect.packs.checks import CHECKS, has_luhn_digit

if TYPE_CHECKING:
    import pyarrow as pa

Check = Callable[[str], bool]

_SEPARATORS = str.maketrans("", "", " -.\u00a0")


def luhn(text: str) -> bool:
    """Whether the digits of `text` pass the Luhn check (ISO/IEC 7812-1)."""
    return has_luhn_digit(text.translate(_SEPARATORS))


def card(text: str) -> bool:
    """Whether `text` passes Luhn and is not one digit repeated."""
    digits = text.translate(_SEPARATORS)
    return luhn(text) and len(set(digits)) > 1


def ip(text: str) -> bool:
    """Whether `text` is an IPv4 or IPv6 address, a prefix length or port aside."""
    inner = text[1:].partition("]")[0] if text.startswith("[") else text
    bare = inner.split("/")[0].split("%")[0]
    if bare.count(":") == 1 and "." in bare:
        bare = bare.split(":")[0]
    try:
        ipaddress.ip_address(bare)
    except ValueError:
        return False
    return True


def host(text: str) -> bool:
    """Whether `text` is the IP address of one host: not unspecified, loopback or multicast."""
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return False
    return not (address.is_unspecified or address.is_loopback or address.is_multicast)


def mac(text: str) -> bool:
    """Whether `text` has at least three different digits, as addresses of network cards have."""
    return len(set(text.lower()) - set(":.-")) >= 3


def npi(text: str) -> bool:
    """Whether `text` is a US National Provider Identifier: Luhn over 80840 and ten digits."""
    return len(text) == 10 and text.isdigit() and luhn("80840" + text)


def dea(text: str) -> bool:
    """Whether `text` is a US DEA registration number (two letters, seven digits, weighted sum)."""
    digits = [ord(char) - 48 for char in text[2:]]
    odd, even = sum(digits[0:6:2]), sum(digits[1:6:2])
    return (odd + 2 * even) % 10 == digits[6]


_VIN = dict(
    zip(
        "ABCDEFGHJKLMNPRSTUVWXYZ0123456789",
        (*range(1, 9), *range(1, 6), 7, 9, *range(2, 10), *range(10)),
        strict=True,
    )
)
_VIN_WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)


def vin(text: str) -> bool:
    """Whether `text` is a vehicle identification number with the North American check digit."""
    upper = text.upper()
    if len(upper) != 17 or any(char not in _VIN for char in upper):
        return False
    rest = sum(_VIN[char] * weight for char, weight in zip(upper, _VIN_WEIGHTS, strict=True)) % 11
    return upper[8] == ("X" if rest == 10 else str(rest))


def iban(text: str) -> bool:
    """Whether `text` has the form of its country and passes mod 97 (ISO 13616).

    National check digits inside the number are not tested: test data and some banks do not have them. python-stdnum
    tests the form, once for each country and arrangement of letters and digits.
    """
    number = text.translate(_SEPARATORS).strip().upper()
    if len(number) < 5 or not (number.isascii() and number.isalnum()):
        return False
    body = number[4:]
    turned = (body + number[:4]).translate(_BASE_36)
    return int(turned) % 97 == 1 and _iban_form(number[:2], body.translate(_FORM))


_BASE_36 = {ord(letter): str(value) for value, letter in enumerate(ascii_uppercase, start=10)}
_FORM = str.maketrans(digits + ascii_uppercase, "0" * 10 + "A" * 26)


@lru_cache(maxsize=4096)
def _iban_form(country: str, form: str) -> bool:
    """Whether accounts of `country` have the arrangement `form`, with 0 for a digit and A for a letter."""
    stdnum: Any = importlib.import_module("stdnum.iban")
    try:
        whole = country + stdnum.calc_check_digits(f"{country}00{form}") + form
    except ValueError:
        return False
    return bool(stdnum.is_valid(whole, check_country=False))


BUILT_IN: dict[str, Check] = {
    **CHECKS,
    "luhn": luhn,
    "card": card,
    "ip": ip,
    "ip.host": host,
    "mac": mac,
    "phone.international": phone_numbers.is_international,
    "phone.national": phone_numbers.is_national,
    "phone.length": phone_numbers.has_length,
    "npi": npi,
    "dea": dea,
    "vin": vin,
    "iban": iban,
}


def known(name: str) -> bool:
    """Whether a validator of this name exists."""
    if name in BUILT_IN:
        return True
    if not all(part.isidentifier() for part in name.split(".")):
        return False
    try:
        module = importlib.import_module(f"stdnum.{name}")
    except ImportError:
        return False
    return callable(getattr(module, "is_valid", None))


# Values that match these expressions pass; only the others are read one by one.
_OCTET = r"(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
# These validators test a format; no part of the value is computed from the rest.
_FORMS = frozenset({"ip", "ip.host", "mac", "bic", "phone.international", "phone.national", "phone.length"})
_SURE = {"ip": rf"^(?:{_OCTET}\.){{3}}{_OCTET}$"}


def has_check_digit(name: str) -> bool:
    """Whether the validator `name` computes a check digit instead of testing a format only."""
    return name not in _FORMS


def is_quick(name: str) -> bool:
    """Whether `passes` reads most valid values at once instead of one by one."""
    return name in _SURE


def passes(name: str, values: pa.Array) -> npt.NDArray[np.bool_]:
    """Return which `values`, a string array of length n, pass the validator `name`: a bool array of length n."""
    import pyarrow as pa
    import pyarrow.compute as pc

    passed = np.zeros(len(values), dtype=np.bool_)
    if name in _SURE:
        passed |= np.asarray(pc.match_substring_regex(values, _SURE[name]), dtype=np.bool_)
    check, left = get(name), ~passed
    texts = values.filter(pa.array(left)).to_pylist()
    passed[left] = np.fromiter((check(text) for text in texts), dtype=np.bool_, count=len(texts))
    return passed


@cache
def get(name: str) -> Check:
    """Return the validator `name`; it never raises."""
    if name in BUILT_IN:
        return _guarded(BUILT_IN[name])
    check: Check = importlib.import_module(f"stdnum.{name}").is_valid
    return _guarded(check)


def _guarded(check: Check) -> Check:
    def run(text: str) -> bool:
        try:
            return bool(check(text))
        except (ValueError, TypeError, KeyError, IndexError, AttributeError, ArithmeticError, LookupError):
            return False  # python-stdnum raises many types of errors for invalid values

    return run
