"""Replace the digits of numbers such as cards and accounts by others, so that the form stays (FF1).

Question: how can a number keep its length, separators and check digit, and not its value?
Method: all digits of a value are encrypted together by `FF1` under a key that follows from
the secret key; letters and separators stay. With ``check_digit = "luhn"`` the last digit is computed from the others,
so that card numbers stay valid.
Limits: values with fewer than six encrypted digits are refused. Whoever has the key can decrypt.
"""

from __future__ import annotations

import hashlib
import hmac
import math
import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from privaudit.advice.technique.pseudonymise import key_for
from privaudit.advice.technique.recoding import Column, Recoding, by_text, listed
from privaudit.base.errors import ConfigError
from privaudit.base.extras import ENCRYPTION, needing

LEAST_DOMAIN = 1_000_000
ROUNDS = 10


class FF1:
    """FF1 encryption under one key and radix.

    Question: how is a string of digits encrypted to another string of digits of the same length?
    Method: ten rounds of a Feistel network whose round function is AES-CBC-MAC over the tweak, the round and one half
    (SP 800-38G, algorithm 7). The nine samples of NIST are tests.
    Limits: domains of less than a million strings are refused, as revision 1 of the standard requires (second draft,
    2025).

    Parameters
    ----------
    key : bytes
        16, 24 or 32 bytes.
    radix : int
        Characters of the alphabet, 2 to 36.

    Raises
    ------
    UnsupportedFormat
        If the extra is not installed.
    """

    def __init__(self, key: bytes, radix: int = 10) -> None:
        with needing(ENCRYPTION, "Format-preserving encryption"):
            from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
        self.radix = radix
        self._aes: Any = Cipher(algorithms.AES(key), modes.ECB()).encryptor()
        self._chained: Any = Cipher(algorithms.AES(key), modes.CBC(bytes(16)))

    def encrypt(self, text: str, tweak: bytes = b"") -> str:
        """Return the encrypted text, as long as `text`.

        Raises
        ------
        ConfigError
            If fewer than a million texts have this length.
        """
        n = len(text)
        if n < 2 or self.radix**n < LEAST_DOMAIN:
            raise ConfigError("Values this short cannot be encrypted: fewer than a million have their form.")
        u = n // 2
        v = n - u
        a, b = int(text[:u], self.radix), int(text[u:], self.radix)
        bytes_of_b = math.ceil((self.radix**v - 1).bit_length() / 8)
        d = 4 * math.ceil(bytes_of_b / 4) + 4
        head = bytes([1, 2, 1]) + self.radix.to_bytes(3, "big") + bytes([ROUNDS, u % 256])
        head += n.to_bytes(4, "big") + len(tweak).to_bytes(4, "big")
        padding = bytes((-len(tweak) - bytes_of_b - 1) % 16)
        for i in range(ROUNDS):
            q = tweak + padding + bytes([i]) + b.to_bytes(bytes_of_b, "big")
            y = int.from_bytes(self._expanded(self._mac(head + q), d), "big")
            m = u if i % 2 == 0 else v
            a, b = b, (a + y) % self.radix**m
        return self._text(a, u) + self._text(b, v)

    def _mac(self, message: bytes) -> bytes:
        made: bytes = self._chained.encryptor().update(message)
        return made[-16:]

    def _expanded(self, r: bytes, d: int) -> bytes:
        found, j = r, 1
        while len(found) < d:
            found += self._aes.update(bytes(x ^ y for x, y in zip(r, j.to_bytes(16, "big"), strict=True)))
            j += 1
        return found[:d]

    def _text(self, number: int, length: int) -> str:
        return np.base_repr(number, self.radix).lower().zfill(length)


def recode(column: Column, parameters: Mapping[str, Any]) -> Recoding:
    """Encrypt the digits of each value."""
    # A key of its own, derived from that of the file: tokens made with the same file reveal nothing of the cipher.
    cipher = FF1(hmac.digest(key_for(column.key, parameters), b"ff1", hashlib.sha256))
    tweak = str(parameters.get("domain", column.name)).encode("utf-8", "surrogatepass")
    has_check_digit = parameters.get("check_digit") == "luhn"
    made = [encrypted(value, cipher, tweak, luhn=has_check_digit) for value in column.dictionary.to_pylist()]
    return Recoding("encrypt_digits", column.name, dict(parameters), *by_text(listed(made)))


def encrypted(value: str, cipher: FF1, tweak: bytes, *, luhn: bool = False) -> str:
    """Return `value` with other digits."""
    digits = "".join(re.findall(r"[0-9]", value))
    if luhn:
        from stdnum.luhn import calc_check_digit

        # The check digit is computed anew: an encrypted one would be wrong for nine numbers in ten, and show that
        # they are invented.
        body = cipher.encrypt(digits[:-1], tweak)
        digits = body + calc_check_digit(body)
    else:
        digits = cipher.encrypt(digits, tweak)
    replaced = iter(digits)
    return re.sub(r"[0-9]", lambda _: next(replaced), value)
