"""Paillier encryption of arrays of numbers: sums of ciphertexts are ciphertexts of sums.

Question: how can a third party add numbers that only another one can decrypt, and decrypt the sum alone?
Method: Paillier 1999 with g = n + 1. The random part is a power of a fixed h^n (Damgard, Jurik, Nielsen 2010, A
generalization of Paillier's public-key system), read from a table of powers, which makes encryption about ten times
faster. Decryption modulo p^2 and q^2 (CRT). Several numbers share a plaintext: 32 or 64 bits each, of which the
number of parties takes ceil(log2(parties)). A number that does not fit is refused before it is encrypted: no sum of the
stated number of parties overflows into its neighbour.
Limits: not constant-time. Whoever has the private key can decrypt the numbers of one party too: it must be held by
someone who receives only sums. A combiner could pass on the ciphertext of one party instead of the sum; a test of
accuracy does not find this, comparing decrypted sums does.
"""

from __future__ import annotations

import json
import math
import secrets
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from privaudit.advice.technique.key_file import read_key, write_secret
from privaudit.base.arrays import Words
from privaudit.base.errors import ConfigError, KeyTooShort
from privaudit.base.extras import JOINT, needing
from privaudit.base.records import dataclass
from privaudit.model.headers import shown_file
from privaudit.report import files

BITS = 3072
"""Least length of a key: about 128 bits of security (NIST SP 800-57)."""
SlotBits = Literal[32, 64]
"""Bits of a number in a plaintext: 32 for counts of records, 64 for fixed-point numbers."""
_WINDOW = 8
_PUBLIC, _PRIVATE = "privaudit Paillier public key 1", "privaudit Paillier private key 1"
Ciphertexts = npt.NDArray[np.uint8]
"""Shape (c, bytes of n^2), big-endian."""


def _gmpy2() -> Any:
    with needing(JOINT, "Paillier encryption"):
        import gmpy2
    return gmpy2


@dataclass(frozen=True)
class PublicKey:
    """The modulus n and a generator h of squares, with its sign."""

    n: int
    h: int

    def __post_init__(self) -> None:
        """Reject a key that is too short to protect anything."""
        if self.n.bit_length() < BITS:
            raise KeyTooShort(f"A Paillier key has at least {BITS} bits; this one has {self.n.bit_length()}.")
        if not 1 < self.h < self.n or math.gcd(self.h, self.n) != 1:
            raise ConfigError("The Paillier key is not valid.", hint="privaudit joint key new FILE --paillier")

    def n_slots(self, bits: SlotBits) -> int:
        """Return how many numbers are in a plaintext."""
        return (self.n.bit_length() - 1) // bits

    @property
    def n_bytes(self) -> int:
        """Bytes of a ciphertext."""
        return -(-2 * self.n.bit_length() // 8)

    @cached_property
    def _square(self) -> Any:
        return _gmpy2().mpz(self.n) ** 2

    @cached_property
    def _powers(self) -> list[list[Any]]:
        """``_powers[i][d]`` is h^n to the power of d * 2^(8 i), modulo n^2."""
        gmpy2, square = _gmpy2(), self._square
        base = gmpy2.powmod(self.h, self.n, square)
        table = []
        for _ in range(-(-(self.n.bit_length() // 2) // _WINDOW)):
            line = [gmpy2.mpz(1)]
            for _ in range(2**_WINDOW - 1):
                line.append(line[-1] * base % square)
            table.append(line)
            base = line[-1] * base % square
        return table

    def _noise(self) -> Any:
        value = 1
        exponent = secrets.randbits(_WINDOW * len(self._powers))
        for i, line in enumerate(self._powers):
            digit = exponent >> (_WINDOW * i) & (2**_WINDOW - 1)
            if digit:
                value = value * line[digit] % self._square
        return value

    def encrypt(self, numbers: Words, parties: int, bits: SlotBits = 64) -> Ciphertexts:
        """Encrypt numbers of which the sum of `parties` arrays will be decrypted.

        Raises
        ------
        ConfigError
            If a number could make the sum overflow its slot.
        """
        free = bits_left(parties, bits)
        # A slot that overflows would carry into the next one, and both sums would be wrong without a sign of it.
        if len(numbers) and int(numbers.max()) >= 1 << free:
            raise ConfigError(f"A number does not fit: with {parties} parties, numbers below 2^{free} can be added.")
        packed, n_slots = numbers.astype(f"<u{bits // 8}"), self.n_slots(bits)
        plain = [
            int.from_bytes(packed[start : start + n_slots].tobytes(), "little")
            for start in range(0, len(packed), n_slots)
        ]
        # With the generator 1 + n, (1 + n)^m is 1 + m n modulo n^2: no power needs to be computed.
        made = ((1 + value * self.n) * self._noise() % self._square for value in plain)
        return self._as_bytes(made, len(plain))

    def add(self, several: Sequence[Ciphertexts]) -> Ciphertexts:
        """Return the ciphertexts of the sums of the numbers in `several` arrays.

        Raises
        ------
        ConfigError
            If the arrays have different lengths, or one has a number that is not a ciphertext of this key.
        """
        if len({array.shape for array in several}) != 1 or several[0].shape[1] != self.n_bytes:
            raise ConfigError("The encrypted arrays have different lengths.", hint="use one plan and one key")
        gmpy2 = _gmpy2()
        totals = [gmpy2.mpz(1)] * len(several[0])
        for array in several:
            for i, line in enumerate(array):
                value = gmpy2.mpz(int.from_bytes(line.tobytes(), "big"))
                # Adding anything else would spoil the sum, and nobody would notice before it is decrypted.
                if not 0 < value < self._square or gmpy2.gcd(value, self.n) != 1:
                    raise ConfigError("A number is not a ciphertext of this key.", hint="check the public key of all")
                totals[i] = totals[i] * value % self._square
        return self._as_bytes(totals, len(totals))

    def _as_bytes(self, numbers: Any, n: int) -> Ciphertexts:
        content = b"".join(int(number).to_bytes(self.n_bytes, "big") for number in numbers)
        return np.frombuffer(content, dtype=np.uint8).reshape(n, self.n_bytes)


def bits_left(parties: int, bits: SlotBits = 64) -> int:
    """Return the bits that a number may have, so that the sum of `parties` numbers fits into a slot of `bits`."""
    return bits - (parties - 1).bit_length()


@dataclass(frozen=True)
class PrivateKey:
    """The primes p and q of a key, and its h."""

    p: int
    q: int
    h: int

    @cached_property
    def public(self) -> PublicKey:
        """The public key."""
        return PublicKey(self.p * self.q, self.h)

    def decrypt(self, ciphertexts: Ciphertexts, n: int, bits: SlotBits = 64) -> Words:
        """Return the first `n` numbers of the plaintexts."""
        gmpy2, public = _gmpy2(), self.public
        parts = [_decryption(prime, public.n) for prime in (self.p, self.q)]
        inverse, n_slots, n_bytes = gmpy2.invert(self.p, self.q), public.n_slots(bits), bits // 8
        found = []
        for line in ciphertexts:
            value = gmpy2.mpz(int.from_bytes(line.tobytes(), "big"))
            left, right = (plain_modulo(value) for plain_modulo in parts)
            plain = int(left + self.p * ((right - left) * inverse % self.q))
            if plain.bit_length() > n_slots * bits:
                raise ConfigError("A ciphertext does not belong to this key.", hint="check the key")
            found.append(np.frombuffer(plain.to_bytes(n_bytes * n_slots, "little"), dtype=f"<u{n_bytes}"))
        if len(found) * n_slots < n:
            raise ConfigError("Ciphertexts are missing.", hint="send them again")
        return np.concatenate([np.zeros(0, np.uint64), *found])[:n].astype(np.uint64)


def _decryption(prime: int, n: int) -> Callable[[Any], Any]:
    """Return what decrypts a ciphertext modulo the square of one prime."""
    gmpy2 = _gmpy2()
    square = gmpy2.mpz(prime) ** 2
    factor = gmpy2.invert((gmpy2.powmod(1 + n, prime - 1, square) - 1) // prime, prime)
    return lambda value: (gmpy2.powmod(value, prime - 1, square) - 1) // prime * factor % prime


def generate(bits: int = BITS) -> PrivateKey:
    """Return a new key of `bits` bits.

    The primes are 3 modulo 4 and have no common factor of p - 1 and q - 1 but 2, as Damgard, Jurik and Nielsen require.
    """
    gmpy2 = _gmpy2()
    while True:
        p, q = _prime(bits // 2), _prime(bits // 2)
        n = p * q
        if p != q and n.bit_length() == bits and math.gcd(p - 1, q - 1) == 2:
            x = secrets.randbelow(n - 2) + 2
            if math.gcd(x, n) == 1:
                return PrivateKey(p, q, int(-(gmpy2.mpz(x) ** 2) % n))


def _prime(bits: int) -> int:
    gmpy2 = _gmpy2()
    while True:
        # The two highest bits are set, so that the product of two primes has twice the bits.
        candidate = secrets.randbits(bits) | (3 << (bits - 2)) | 3
        if gmpy2.is_prime(candidate, 40):
            return int(candidate)


def write_keys(key: PrivateKey, path: Path) -> Path:
    """Write the private key to a new file with mode 0600, the public key next to it, and return where the latter is."""
    public = path.with_name(f"{path.name}.public")
    if public.exists():
        raise ConfigError(f"{shown_file(public)} exists; it is not replaced.", hint="name a new file")
    secret = {"schema": _PRIVATE, "p": hex(key.p), "q": hex(key.q), "h": hex(key.h)}
    write_secret(path, (json.dumps(secret, indent=1) + "\n").encode())
    shown = {"schema": _PUBLIC, "bits": key.public.n.bit_length(), "n": hex(key.public.n), "h": hex(key.h)}
    with ExitStack() as if_it_fails:
        if_it_fails.callback(path.unlink, missing_ok=True)
        files.replace(public, json.dumps(shown, indent=1) + "\n")
        if_it_fails.pop_all()
    return public


def read_public(path: Path) -> PublicKey:
    """Return the public key in a file.

    Raises
    ------
    ConfigError
    """
    content = _read(path.read_bytes if path.is_file() else bytes, _PUBLIC)
    return PublicKey(int(content["n"], 16), int(content["h"], 16))


def read_private(path: Path) -> PrivateKey:
    """Return the private key in a file that nobody else can read.

    Raises
    ------
    ConfigError
    """
    content = _read(lambda: read_key(path), _PRIVATE)
    return PrivateKey(*(int(content[name], 16) for name in ("p", "q", "h")))


def _read(content: Any, schema: str) -> dict[str, str]:
    try:
        found = json.loads(content())
    except (OSError, ValueError):
        found = None
    if not isinstance(found, dict) or found.get("schema") != schema:
        raise ConfigError(f"The file does not hold a {schema.removeprefix('privaudit ').removesuffix(' 1')}.")
    return found
