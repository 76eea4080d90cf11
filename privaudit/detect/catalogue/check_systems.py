"""How often codes of other systems pass the check of a national number.

Question: is a valid check digit evidence for the number of a country, or would any code of this length pass?
Method: `SYSTEMS` makes codes of a length: random digits, counters with leading zeros, and digits with the common check
digits (Luhn, modulo 11 with rising or falling weights, ISO 7064 modulo 97 and 11,10, weights 1 and 3). The rate of a
validator is the share of `N` such codes, with a fixed seed, that pass. The highest rate decides whether the check
distinguishes the number.
Limits: codes of digits only; letters are rarer by chance than any check digit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from random import Random

from privaudit.detect.catalogue import validators

N = 100
"""Codes of each system."""


def _with_luhn(body: str) -> str:
    return _completed(body, lambda digits: validators.luhn(digits))


def _completed(body: str, passes: Callable[[str], bool]) -> str:
    """Return `body` with the digit that passes, or with 0 where only another character would."""
    return next((body + digit for digit in "0123456789" if passes(body + digit)), body + "0")


def _weighted(body: str, weights: Callable[[int], int], modulus: int) -> str:
    """Return `body` with the digit that makes the weighted sum, from the right, a multiple of `modulus`."""
    total = sum(int(digit) * weights(place) for place, digit in enumerate(reversed(body)))
    return f"{body}{-total % modulus % 10}"


def _iso_11_10(body: str) -> str:
    rest = 10
    for digit in body:
        rest = 2 * ((rest + int(digit)) % 10 or 10) % 11
    return f"{body}{(11 - rest) % 10}"


SYSTEMS: Mapping[str, Callable[[str], str]] = {
    "random digits": lambda digits: digits,
    "mod 10 (Luhn)": lambda digits: _with_luhn(digits[:-1]),
    "mod 10 (1, 3)": lambda digits: _weighted(digits[:-1], lambda place: 3 if place % 2 == 0 else 1, 10),
    "mod 11 (2, 3, ...)": lambda digits: _weighted(digits[:-1], lambda place: 2 + place, 11),
    "mod 11 (2 to 7)": lambda digits: _weighted(digits[:-1], lambda place: 2 + place % 6, 11),
    "mod 97": lambda digits: f"{digits[:-2]}{98 - int(digits[:-2]) * 100 % 97:02d}",
    "mod 11,10": lambda digits: _iso_11_10(digits[:-1]),
}
"""How each system completes `length` random digits."""


@cache
def rates(validator: str, length: int) -> Mapping[str, float]:
    """Return the share of the codes of each system, and of counters, with `length` digits that pass a validator."""
    check, draw = validators.get(validator), Random(length)
    drawn = [f"{draw.randrange(10 ** (length - 1), 10**length)}" for _ in range(N)]
    codes = {name: list(map(complete, drawn)) for name, complete in SYSTEMS.items()}
    codes["counters"] = [f"{number:0{length}d}" for number in range(1, N + 1)]
    return {name: sum(map(check, made)) / N for name, made in codes.items()}


@cache
def highest_rate(validator: str, length: int) -> float:
    """Return the highest of `rates`; 0 for codes of fewer than four digits, which have no check digit."""
    return max(rates(validator, length).values()) if length >= 4 else 0.0
