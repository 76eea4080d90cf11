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
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from privaudit.detect.column import Column

if TYPE_CHECKING:
    import pyarrow as pa

Hash = Callable[[bytes], bytes]

_HEX = r"^[0-9a-fA-F]+$"
_BASE64 = r"^[0-9A-Za-z+/_-]+={0,2}$"
_UUID = r"^\{?[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\}?$"
_TRUNCATED = frozenset([8, 10, 12, 14, 16, 20, 24])  # usual lengths of truncated hexadecimal digests
_BYTES_OF_BASE64 = {22: 16, 24: 16, 27: 20, 28: 20, 38: 28, 40: 28, 43: 32, 44: 32, 64: 48, 86: 64, 88: 64}
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


@dataclass(frozen=True, slots=True)
class Encoding:
    """The encoding of the digests of one column.

    Attributes
    ----------
    functions : tuple of str
        Names of hash functions that could have produced them.
    encode : callable
        Returns one digest as the canonical text of this column.
    bits : float
        Information in a cell: two unrelated inputs have the same digest with probability ``2**-bits``.
    alphabet : str
        hex, base64 or decimal.
    """

    functions: tuple[str, ...]
    encode: Callable[[bytes], str]
    bits: float
    alphabet: str


def guess_encoding(column: Column) -> Encoding | None:
    """Return the encoding of the digests in `column`, or None where its cells cannot be digests."""
    if column.n_distinct < 2:
        return None
    if column.data_type == "integer":
        return _decimal(column)
    if column.shortest != column.longest or not column.has_digits:
        return None
    length = column.longest
    if length in (36, 38) and column.matching(_UUID) > 0.98:
        return _uuid(column)
    if column.matching(_HEX) > 0.98:
        return _hexadecimal(column, length)
    if length in _BYTES_OF_BASE64 and column.matching(_BASE64) > 0.98 and column.has_letters:
        size = _BYTES_OF_BASE64[length]
        kept = len(base64.b64encode(bytes(size)).rstrip(b"="))
        encode = lambda digest: base64.b64encode(digest).decode("ascii")[:kept]  # noqa: E731
        return Encoding(_BY_BYTES[size][:3], encode, 8.0 * size, "base64")
    return None


def _hexadecimal(column: Column, length: int) -> Encoding | None:
    def encode(digest: bytes) -> str:
        return digest.hex()[:length]

    if length in _TRUNCATED:
        if column.matching("[a-fA-F]") < 0.5:  # numbers rather than digests
            return None
        crc = ("CRC-32",) if length == 8 else ()
        return Encoding((*crc, "MD5", "SHA-1", "SHA-256", "SHA-512"), encode, 4.0 * length, "hex")
    functions = _BY_BYTES.get(length // 2) if length % 2 == 0 else None
    return None if functions is None else Encoding(functions, encode, 4.0 * length, "hex")


def _uuid(column: Column) -> Encoding | None:
    for version, function in ((3, "MD5"), (5, "SHA-1")):
        if column.matching(rf"^\{{?[^-]+-[^-]+-{version}") > 0.98:
            functions = tuple(f"{function} (UUID {version}, {name})" for name in _NAMESPACES)
            return Encoding(functions, lambda digest: digest.hex()[:32], 122.0, "hex")
    if column.matching(r"^\{?[^-]+-[^-]+-[1-8][^-]+-[89abAB]") > 0.98:
        return None  # a UUID of another version, which is not a hash
    return Encoding(("MD5",), lambda digest: digest.hex()[:32], 128.0, "hex")


def _decimal(column: Column) -> Encoding | None:
    digits = column.longest
    if not 8 <= digits <= 18 or column.shortest < digits - 4 or column.holds("-"):
        return None
    power = 10**digits
    bits = min(32.0, digits * 3.32)
    crc = ("CRC-32",) if digits <= 10 else ()

    def encode(digest: bytes) -> str:
        return str(int.from_bytes(digest, "big") % power)

    return Encoding((*crc, "MD5", "SHA-1", "SHA-256"), encode, bits, "decimal")


def canonical(values: pa.Array, alphabet: str) -> pa.Array:
    """Return digests in the canonical encoding of `Encoding.encode`."""
    import pyarrow.compute as pc

    if alphabet == "hex":
        return pc.replace_substring_regex(pc.utf8_lower(values), "[-{}]", "")
    if alphabet == "decimal":
        return values
    values = pc.replace_substring(pc.replace_substring(values, "-", "+"), "_", "/")
    return pc.utf8_rtrim(values, "=")


def known(digests: pa.Array, hashed: Collection[str]) -> list[str]:
    """Return the texts of `hashed` that are among canonical `digests`."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not hashed:
        return []
    found = pc.is_in(digests, value_set=pa.array(list(hashed), type=digests.type))
    texts: list[str] = pc.unique(digests.filter(found)).to_pylist()
    return texts


def function(name: str) -> Hash:
    """Return the hash function with this name, from bytes to digest."""
    if name == "CRC-32":
        return lambda data: zlib.crc32(data).to_bytes(4, "big")
    if "(UUID" in name:
        version, namespace = int(name.partition("UUID ")[2][0]), name.rpartition(" ")[2].rstrip(")")
        prefix = _NAMESPACES[namespace].bytes
        plain = _digest(hashlib.md5 if version == 3 else hashlib.sha1)
        return lambda data: uuid.UUID(bytes=plain(prefix + data)[:16], version=version).bytes
    return _FUNCTIONS[name]


def _digest(maker: Callable[..., Any]) -> Hash:
    def digest(data: bytes) -> bytes:
        found: bytes = maker(data, usedforsecurity=False).digest()
        return found

    return digest


_FUNCTIONS: dict[str, Hash] = {
    "MD5": _digest(hashlib.md5),
    "SHA-1": _digest(hashlib.sha1),
    "SHA-224": _digest(hashlib.sha224),
    "SHA-256": _digest(hashlib.sha256),
    "SHA-384": _digest(hashlib.sha384),
    "SHA-512": _digest(hashlib.sha512),
    "SHA3-224": _digest(hashlib.sha3_224),
    "SHA3-256": _digest(hashlib.sha3_256),
    "SHA3-384": _digest(hashlib.sha3_384),
    "SHA3-512": _digest(hashlib.sha3_512),
    "BLAKE2s": _digest(hashlib.blake2s),
    "BLAKE2b": _digest(hashlib.blake2b),
    "BLAKE2b-128": _digest(partial(hashlib.blake2b, digest_size=16)),
    "BLAKE2b-160": _digest(partial(hashlib.blake2b, digest_size=20)),
    "BLAKE2b-256": _digest(partial(hashlib.blake2b, digest_size=32)),
    "BLAKE2b-384": _digest(partial(hashlib.blake2b, digest_size=48)),
}
