"""Text that cells hold as character codes, in hexadecimal, in Base32 or in Base64.

Question: which addresses and numbers does a cell contain in a form that patterns do not match?
Method: cells of these forms are decoded, and searched like text where they are printable.
Limits: one encoding after another, compression and encryption are not undone.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterable

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from privaudit.base.arrays import Ints
from privaudit.base.patterns import Expression
from privaudit.detect.catalogue.normalise import normalise
from privaudit.detect.column import Column, form
from privaudit.detect.column_evidence import ColumnEvidence
from privaudit.model.wording import Count, fact

_HEX_NUMBER = Expression(r"(?i)(?:0x|u\+)([0-9a-f]+)")
_DATA_TYPES = ("text", "nested", "integer", "binary")
_PRINTABLE = Expression(rb"[\x20-\x7e]{8,}")
_LEAST_ENCODED, _LEAST_DECODED, _TRIED = 11, 8, 50
# Share of random cells that decode: of 32 bytes in hexadecimal 1 %, and 25 % where these are digits only.
_MOST_BY_CHANCE = {"bytes": 0.1, "digits": 0.5}


def search_encoded_text(item: ColumnEvidence) -> None:
    """Decode cells that hold text as character codes, in hexadecimal, in Base32 or in Base64, and search the text."""
    column = item.column
    if column.data_type not in _DATA_TYPES or column.longest < _LEAST_ENCODED or not column.has_digits:
        return
    for name, decode in _ENCODINGS.items():
        places = np.flatnonzero(column.matches(form("encoded", name)))
        tried = _cells(column, name, places[:_TRIED])[1]
        least = _MOST_BY_CHANCE["digits" if all(map(str.isdigit, tried)) else "bytes"]
        if tried and sum(decode(cell) is not None for cell in tried) >= max(1, least * len(tried)):
            from privaudit.detect.text.embedded import find_embedded

            places, cells = _cells(column, name, places)
            texts = pa.array(map(decode, cells), pa.string())
            counts = column.counts[places[np.asarray(texts.is_valid())]]
            item.post(find_embedded(texts.drop_null(), counts, n_present=column.n_present))
            item.ledger.notes.append(fact("detect.character_codes", cells=Count(int(counts.sum()), unit="cell")))
            return


def _cells(column: Column, name: str, places: Ints) -> tuple[Ints, list[str]]:
    """Return the places whose whole cell matches, and these cells; values are cut, so that a part of one may match."""
    texts = pc.utf8_trim_whitespace(normalise(column.raw.take(pa.array(places))))
    whole = pc.match_substring_regex(texts, form("encoded", name))
    found: list[str] = texts.filter(whole).to_pylist()
    return places[np.asarray(whole, dtype=np.bool_)], found


def _text_of(codes: Iterable[int]) -> str | None:
    """Return the text that character codes stand for, None where it is not printable."""
    try:
        text = "".join(map(chr, codes))
    except (ValueError, OverflowError):
        return None
    return text if text.isprintable() else None


def _of_hex_text(cell: str) -> str | None:
    """Return the printable parts of bytes, which are how a table holds binary cells."""
    return " ".join(part.decode() for part in _PRINTABLE.findall(bytes.fromhex(cell))) or None


def _of_base32(cell: str) -> str | None:
    return _of_ascii(base64.b32decode, cell)


def _of_base64(cell: str) -> str | None:
    return _of_ascii(base64.urlsafe_b64decode, cell.rstrip("=").replace("+", "-").replace("/", "_") + "==")


def _of_ascii(decode: Callable[[str], bytes], cell: str) -> str | None:
    """Return the printable text that a cell encodes, None where it encodes other bytes or a short text."""
    try:
        text = decode(cell).decode("ascii").strip()
    except (binascii.Error, UnicodeDecodeError):
        return None
    return text if text.isprintable() and len(text) >= _LEAST_DECODED else None


_ENCODINGS: dict[str, Callable[[str], str | None]] = {
    "codes": lambda cell: _text_of(map(int, re.findall("[0-9]+", cell))),
    "hex_codes": lambda cell: _text_of(int(number, 16) for number in _HEX_NUMBER.findall(cell)),
    "hex_text": _of_hex_text,
    "base32": _of_base32,
    "base64": _of_base64,
}
"""Ways to write text that hide it from patterns: the form of a cell, and how its text is read."""
