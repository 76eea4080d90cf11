"""The encoding of a column of digests, and the functions that produce digests of that length.

Question: if the cells are hashes, which functions and which encoding could have produced them?
Method: length and alphabet of the cells determine the functions: complete or truncated hexadecimal, base64 with and
without padding, version 3 and 5 UUIDs, decimal remainders. Digests are compared as text in one canonical encoding
(lower-case hexadecimal, standard base64 without padding, plain decimals).
Limits: keyed functions and password hashes (bcrypt, scrypt, Argon2) are not included; they are the recommended ones.
"""

from __future__ import annotations

import base64
import hashlib
import uuid
import zlib
from collections.abc import Callable
from typing import Any, Literal

from privaudit.base.arrow import pa, pc
from privaudit.base.records import dataclass
from privaudit.detect.column import Column

Hash = Callable[[bytes], bytes]

_HEX = r"^[0-9a-fA-F]+$"
BASE64 = r"^[0-9A-Za-z+/_-]+={0,2}$"
_UUID = r"^\{?[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\}?$"
_OF_VERSION = r"^\{{?[^-]+-[^-]+-{}"
_NEARLY_ALL = 0.98  # share of cells of one form: a few may be damaged
_TRUNCATED = frozenset([8, 10, 12, 14, 16, 20, 24])  # usual lengths of truncated hexadecimal digests
_CUT = ("MD5", "SHA-1", "SHA-256", "SHA-512")
# Functions by the size of their digest in bytes, the most common first.
_BY_BYTES = {
    16: ("MD5", "BLAKE2b-128", "SHA-256"),
    20: ("SHA-1", "BLAKE2b-160"),
    28: ("SHA-224", "SHA3-224"),
    32: ("SHA-256", "SHA3-256", "BLAKE2s", "BLAKE2b-256"),
    48: ("SHA-384", "SHA3-384", "BLAKE2b-384"),
    64: ("SHA-512", "SHA3-512", "BLAKE2b"),
}
_NAMESPACES = {
    "dns": uuid.NAMESPACE_DNS,
    "url": uuid.NAMESPACE_URL,
    "oid": uuid.NAMESPACE_OID,
    "x500": uuid.NAMESPACE_X500,
    "nil": uuid.UUID(int=0),
}
_BITS = {"hex": 4.0, "base64": 6.0, "decimal": 3.32}  # of a character


@dataclass(frozen=True, slots=True)
class Encoding:
    """How the digests of a column are written: `length` characters of an alphabet, by one of some hash functions."""

    functions: tuple[str, ...]
    alphabet: Literal["hex", "base64", "decimal"]
    length: int

    @property
    def bits(self) -> float:
        """Information in a cell: two unrelated inputs have the same digest with probability ``2**-bits``."""
        bits = _BITS[self.alphabet] * self.length
        return min(32.0, bits) if self.alphabet == "decimal" else bits

    def encode(self, digest: bytes) -> str:
        """Return a digest as the canonical text of this column."""
        if self.alphabet == "hex":
            return digest.hex()[: self.length]
        if self.alphabet == "base64":
            return base64.b64encode(digest).decode("ascii")[: self.length]
        return str(int.from_bytes(digest, "big") % 10**self.length)

    def canonical(self, values: pa.Array) -> pa.Array:
        """Return the digests of a column as `encode` writes them."""
        if self.alphabet == "hex":
            return pc.replace_substring_regex(pc.utf8_lower(values), "[-{}]", "")
        if self.alphabet == "decimal":
            return values
        values = pc.replace_substring(pc.replace_substring(values, "-", "+"), "_", "/")
        return pc.utf8_rtrim(values, "=")


def guess_encoding(column: Column) -> Encoding | None:
    """Return the encoding of the digests in `column`, or None where its cells cannot be digests."""
    if column.n_distinct < 2:
        return None
    if column.data_type == "integer":
        return _decimal(column)
    length = column.longest
    if column.shortest != length or not column.has_digits:
        return None
    if length in (36, 38) and column.matching(_UUID) > _NEARLY_ALL:
        return _uuid(column)
    if column.matching(_HEX) > _NEARLY_ALL:
        return _hexadecimal(column, length)
    if column.has_letters and column.matching(BASE64) > _NEARLY_ALL:
        return base64_text(length)
    return None


def _hexadecimal(column: Column, length: int) -> Encoding | None:
    return hexadecimal(length, has_letters=column.matching("[a-fA-F]") >= 0.5)


def hexadecimal(length: int, *, has_letters: bool) -> Encoding | None:
    """Return the encoding of hexadecimal digests of a length; None where no function makes them."""
    if length in _TRUNCATED:
        return None if not has_letters else Encoding((*(("CRC-32",) if length == 8 else ()), *_CUT), "hex", length)
    functions = _BY_BYTES.get(length // 2) if length % 2 == 0 else None
    return None if functions is None else Encoding(functions, "hex", length)


def base64_text(length: int) -> Encoding | None:
    """Return the encoding of base64 digests of a length, padded or not; None where no function makes them."""
    for size, functions in _BY_BYTES.items():
        kept, padded = -(-size * 4 // 3), -(-size // 3) * 4
        if length in (kept, padded):
            return Encoding(functions[:3], "base64", kept)
    return None


def truncated_base64(length: int) -> Encoding:
    """Return the encoding of digests of which base64 was cut to a length."""
    return Encoding(_CUT, "base64", length)


def _uuid(column: Column) -> Encoding | None:
    for version, function in ((3, "MD5"), (5, "SHA-1")):
        if column.matching(_OF_VERSION.format(version)) > _NEARLY_ALL:
            return Encoding(tuple(f"{function} (UUID {version}, {name})" for name in _NAMESPACES), "hex", 32)
    if column.matching(_OF_VERSION.format("[1-8][^-]+-[89abAB]")) > _NEARLY_ALL:
        return None  # a UUID of another version, which is not a hash
    return Encoding(("MD5",), "hex", 32)


def _decimal(column: Column) -> Encoding | None:
    digits = column.longest
    if not 8 <= digits <= 18 or column.shortest < digits - 4 or column.holds("-"):
        return None
    return Encoding((*(("CRC-32",) if digits <= 10 else ()), *_CUT[:3]), "decimal", digits)


def function(name: str) -> Hash:
    """Return the hash function with this name, from bytes to digest."""
    if name == "CRC-32":
        return lambda data: zlib.crc32(data).to_bytes(4, "big")
    if "(UUID" in name:
        plain, version = function(name.partition(" ")[0]), int(name.partition("UUID ")[2][0])
        prefix = _NAMESPACES[name.rpartition(" ")[2].rstrip(")")].bytes
        return lambda data: uuid.UUID(bytes=plain(prefix + data)[:16], version=version).bytes
    if name.startswith("BLAKE2b-"):
        size = int(name.removeprefix("BLAKE2b-")) // 8
        return lambda data: hashlib.blake2b(data, digest_size=size).digest()
    make: Callable[..., Any] = getattr(hashlib, name.lower().replace("sha-", "sha").replace("-", "_"))
    return lambda data: make(data, usedforsecurity=False).digest()
