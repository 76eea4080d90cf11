"""How the cells of a masked column are written: encodings that anyone can undo, and digests in one of two alphabets.

Question: which encodings lie over the values of a column, and what is below: digests, or the values themselves?
Method: encodings cost one pass over the distinct cells and no tries, so they are undone first: base64 (standard or for
URLs, padded or not) and hexadecimal, one in another, as long as all cells decode to plain characters. What is left is
text, or digests of one length in hexadecimal or base64, complete or truncated.
Limits: text is recognised by its characters, and only where the cells have so many of them that random ones would not
all be plain; a few short cells are left as they are.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from privaudit.base.patterns import Expression
from privaudit.base.records import dataclass
from privaudit.detect.pseudonyms import digests
from privaudit.detect.pseudonyms.digests import Encoding

MOST_LAYERS = 4
LEAST_CHARACTERS = 100
"""Decoded characters below which text is not recognised: six in ten random bytes of decimal digits are plain, so all of
a hundred are with probability 1e-22."""
LEAST_CUT, MOST_CUT = 8, 64
"""Characters of truncated digests in base64: fewer match by chance, and few are cut to more."""
_PLAIN = Expression(rb"[ -~]*")
_READABLE = Expression(r"[\w .,;:@+/'()-]+")
_UUID = "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$"
_HEX = "^(?:[0-9a-fA-F]{2})+$"


@dataclass(frozen=True, slots=True)
class Written:
    """What is below the encodings of a column.

    Attributes
    ----------
    values : pyarrow array
        The distinct digests as `encoding` writes them, or the text.
    encoding : Encoding or None
        How the digests are written; None where the encodings hid text only.
    layers : tuple of str
        The encodings that were undone, the outer one first.
    """

    values: pa.Array
    encoding: Encoding | None
    layers: tuple[str, ...] = ()


def read_written(values: pa.Array) -> Written | None:
    """Return what is below the encodings of distinct cells; None where they are neither digests nor encoded."""
    layers: list[str] = []
    while len(layers) <= MOST_LAYERS:
        found = _digests(values)
        inner = _decoded(values)
        if inner is None:
            if found is None and layers:
                return Written(values, None, tuple(layers))
            return None if found is None else replace(found, layers=tuple(layers))
        values = inner[1]
        layers.append(inner[0])
    return None


def decodes_by_chance(values: Sequence[str], layer: str, seed: int) -> int:
    """Return how many random cells of the same lengths and alphabet decode to readable text, as the control."""
    random = np.random.default_rng(seed)
    if layer == "base64":
        return sum(_is_readable(random.bytes(len(text.rstrip("=")) * 3 // 4)) for text in values)
    return sum(_is_readable(random.bytes(len(text) // 2)) for text in values)


def _decoded(values: pa.Array) -> tuple[str, pa.Array] | None:
    """Return the encoding that all cells decode from to plain text, and the text."""
    if _share(values, _HEX) == 1 and _share(values, "[a-fA-F]") >= 0.5:
        found = _all_plain(values, bytes.fromhex)
        if found is not None:
            return "hexadecimal", found
    if _share(values, digests.BASE64) == 1:
        found = _all_plain(values, _from_base64)
        if found is not None:
            return "base64", found
    return None


def _all_plain(values: pa.Array, decode: Callable[[str], bytes]) -> pa.Array | None:
    texts: list[str] = []
    for cell in values.to_pylist():
        try:
            text = decode(cell)
        except ValueError:
            return None
        if not _PLAIN.fullmatch(text) or not _is_readable(text):
            return None
        texts.append(text.decode("ascii"))
    return pa.array(texts) if sum(map(len, texts)) >= LEAST_CHARACTERS else None


def _from_base64(text: str) -> bytes:
    bare = text.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        return base64.b64decode(bare + "=" * (-len(bare) % 4), validate=True)
    except binascii.Error:
        return b"\0"


def _is_readable(text: bytes) -> bool:
    return text.isascii() and _READABLE.fullmatch(text.decode("ascii").rstrip("=")) is not None


def _longest(values: pa.Array) -> int:
    """Return the length of the longest cell without padding."""
    return int(pc.max(pc.utf8_length(pc.utf8_rtrim(values, "="))).as_py())


def _share(values: pa.Array, expression: str) -> float:
    return float(pc.mean(pc.match_substring_regex(values, expression).cast("int8")).as_py())


def _digests(values: pa.Array) -> Written | None:
    """Return digests of one length; None where the cells are something else."""
    lengths = pc.utf8_length(values)
    length = pc.min(lengths).as_py()
    if len(values) < 2 or length != pc.max(lengths).as_py():
        return None
    if _share(values, _UUID) == 1:
        values = pc.replace_substring(values, "-", "")
        length = pc.utf8_length(values[0]).as_py()
    encoding = None
    if _share(values, "^[0-9a-fA-F]+$") == 1:
        encoding = digests.hexadecimal(length, has_letters=_share(values, "[a-fA-F]") >= 0.5)
    elif _share(values, digests.BASE64) == 1 and _is_like_random(values):
        encoding = _in_base64(values, length)
    if encoding is None:
        return None
    bare = encoding.canonical(values)
    if encoding.alphabet == "base64":
        bare = pc.utf8_slice_codeunits(bare, 0, encoding.length)
    return Written(pc.unique(bare), encoding)


def _in_base64(values: pa.Array, length: int) -> Encoding | None:
    """Return the encoding of complete digests in base64, else of truncated ones."""
    is_padded = _share(values, "=$") == 1
    complete = digests.base64_text(length)
    if complete is not None and (is_padded or length == complete.length):
        return complete
    bare = _longest(values)
    # Bytes that were truncated before they were encoded leave a last character with zeros in it.
    kept = bare - (1 if bare % 4 in (2, 3) else 0) if is_padded else bare
    return digests.truncated_base64(kept) if LEAST_CUT <= kept <= MOST_CUT else None


def _is_like_random(values: pa.Array) -> bool:
    """Whether so many cells have small letters, capitals and digits as random cells of base64 of that length would."""
    length = _longest(values)
    classes = (("[a-z]", 26), ("[A-Z]", 26), ("[0-9]", 10))
    return all(_share(values, each) >= 0.9 * (1 - (1 - n / 64) ** length) for each, n in classes)
