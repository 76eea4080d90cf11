"""Replace the digits of numbers such as cards and accounts by others, so that the form stays (FF1).

Question: how can a number keep its length, separators and check digit, and not its value?
Method: all digits of a value are encrypted together by FF1 (`advice.technique.ff1`) under a key that follows from
the secret key; letters and separators stay. With ``check_digit = "luhn"`` the last digit is computed from the others,
so that card numbers stay valid.
Limits: values with fewer than six encrypted digits are refused. Whoever has the key can decrypt.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Mapping
from typing import Any

from privaudit.advice.technique.column import Column
from privaudit.advice.technique.ff1 import FF1
from privaudit.advice.technique.pseudonymise import key_for
from privaudit.advice.technique.recoding import Recoding, by_text, listed


def recode(column: Column, parameters: Mapping[str, Any]) -> Recoding:
    """Encrypt the digits of each value."""
    # A key of its own, derived from that of the file: tokens made with the same file reveal nothing of the cipher.
    cipher = FF1(hmac.digest(key_for(column.key, parameters), b"ff1", hashlib.sha256))
    tweak = str(parameters.get("domain", column.name)).encode("utf-8", "surrogatepass")
    has_check_digit = parameters.get("check_digit") == "luhn"
    made = [encrypted(value, cipher, tweak, luhn=has_check_digit) for value in column.dictionary.to_pylist()]
    lookup, labels = by_text(listed(made))
    return Recoding("encrypt_digits", column.name, dict(parameters), lookup, labels)


def encrypted(value: str, cipher: FF1, tweak: bytes, *, luhn: bool = False) -> str:
    """Return `value` with other digits."""
    digits = "".join(re.findall(r"[0-9]", value))
    if luhn:
        # The check digit is computed anew: an encrypted one would be wrong for nine numbers in ten, and show that
        # they are invented.
        body = cipher.encrypt(digits[:-1], tweak)
        digits = body + luhn_digit(body)
    else:
        digits = cipher.encrypt(digits, tweak)
    replaced = iter(digits)
    return re.sub(r"[0-9]", lambda _: next(replaced), value)


def luhn_digit(body: str) -> str:
    """Return the check digit of a number without one, by the algorithm of Luhn."""
    doubled = [int(digit) * (2 - i % 2) for i, digit in enumerate(reversed(body))]
    return str(-sum(digit - 9 if digit > 9 else digit for digit in doubled) % 10)
