"""Text that cells hold as character codes, in hexadecimal or in Base64.

Question: which addresses and numbers does a cell contain in a form that patterns do not match?
Method: cells of these forms are decoded, and searched like text where they are printable.
Limits: one encoding after another, compression and encryption are not undone.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterable, Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from privaudit.catalogue.normalise import normalise
from privaudit.detect.column import Column
from privaudit.detect.column_evidence import ColumnEvidence
from privaudit.wording import Count, fact

_CODES = r"^[\[({]?\s*(?:[0-9]{2,6}\s*[,;/|:.\- ]\s*){4,}[0-9]{2,6}\s*[\])}]?$"
_HEX_CODES = r"^(?i:[\[({]?\s*(?:(?:0x|u\+)[0-9a-f]{2,6}[\s,;/|\])}]*){5,})$"
_HEX_TEXT = r"^(?i:(?:[0-9a-f]{2}){8,})$"
_BASE64 = r"^[A-Za-z0-9+/\-_]{11,}={0,2}$"
_NUMBER = re.compile(r"[0-9]+")
_HEX_NUMBER = re.compile(r"(?i)(?:0x|u\+)([0-9a-f]+)")
_DATA_TYPES = ("text", "nested", "integer", "binary")
_PRINTABLE = re.compile(rb"[\x20-\x7e]{8,}")
_LEAST_ENCODED, _LEAST_DECODED, _TRIED = 11, 8, 50


def search_encoded_text(item: ColumnEvidence) -> None:
    """Decode cells that hold text as character codes, in hexadecimal or in Base64, and search the text."""
    column = item.column
    if column.data_type not in _DATA_TYPES or column.longest < _LEAST_ENCODED or not column.has_digits:
        return
    for pattern, decode in _ENCODED:
        places = np.flatnonzero(column.matches(pattern))
        if len(places) and any(map(decode, _cells(column, pattern, places[:_TRIED])[1])):
            _search_decoded(item, *_cells(column, pattern, places), decode)
            return


def _cells(
    column: Column, pattern: str, places: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.int64], list[str]]:
    """Return the places whose whole cell matches, and these cells; values are cut, so that a part of one may match."""
    texts = pc.utf8_trim_whitespace(normalise(column.raw.take(pa.array(places))))
    whole = pc.match_substring_regex(texts, pattern)
    found: list[str] = texts.filter(whole).to_pylist()
    return places[np.asarray(whole, dtype=np.bool_)], found


def _search_decoded(
    item: ColumnEvidence,
    places: npt.NDArray[np.int64],
    cells: Sequence[str],
    decode: Callable[[str], str | None],
) -> None:
    from privaudit.text.embedded import find_embedded

    column = item.column
    texts = [decode(cell) for cell in cells]
    read = [i for i, text in enumerate(texts) if text is not None]
    counts = column.counts[places[read]]
    found = find_embedded(pa.array([texts[i] for i in read], pa.string()), counts, n_present=column.n_present)
    item.ledger.contained.extend(found)
    item.ledger.notes.append(fact("detect.character_codes", cells=Count(n=int(counts.sum()), unit="cell")))


def _of_codes(cell: str) -> str | None:
    """Return the text that a list of character codes stands for, None where it is not printable."""
    return _text_of(int(number) for number in _NUMBER.findall(cell))


def _of_hex_codes(cell: str) -> str | None:
    return _text_of(int(number, 16) for number in _HEX_NUMBER.findall(cell))


def _text_of(codes: Iterable[int]) -> str | None:
    listed = list(codes)
    if not all(code < 0x110000 and not 0xD800 <= code < 0xE000 for code in listed):
        return None
    text = "".join(map(chr, listed))
    return text if text.isprintable() else None


def _of_hex_text(cell: str) -> str | None:
    """Return the printable parts of bytes, which are how a table holds binary cells."""
    return " ".join(part.decode() for part in _PRINTABLE.findall(bytes.fromhex(cell))) or None


def _of_base64(cell: str) -> str | None:
    cell = cell.rstrip("=").replace("-", "+").replace("_", "/")
    return None if len(cell) % 4 == 1 else _printable(base64.b64decode(cell + "=" * (-len(cell) % 4)))


def _printable(content: bytes) -> str | None:
    try:
        text = content.decode("ascii").strip()
    except UnicodeDecodeError:
        return None
    return text if text.isprintable() and len(text) >= _LEAST_DECODED else None


_ENCODED: tuple[tuple[str, Callable[[str], str | None]], ...] = (
    (_CODES, _of_codes),
    (_HEX_CODES, _of_hex_codes),
    (_HEX_TEXT, _of_hex_text),
    (_BASE64, _of_base64),
)
"""Ways to write text that hide it from patterns: the form of a cell, and how its text is read."""
