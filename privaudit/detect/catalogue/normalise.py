"""Unicode normalisation of cells.

Question: what is the plain text of a cell without typographic variants?
Method: ASCII cells are unchanged. Others are converted to NFKC; format and zero-width characters are removed; every
dash becomes ``-``, every space a plain space, every decimal digit an ASCII digit; Cyrillic and Greek look-alikes become
Latin in tokens that also contain Latin letters.
Limits: look-alikes of other scripts and in plain ASCII (``rn`` for ``m``) are not replaced. NFKC may lengthen a cell,
so offsets into the result are not offsets into the original.
"""

from __future__ import annotations

import re
import unicodedata

import pyarrow as pa
import pyarrow.compute as pc

from privaudit.base import unicode_form
from privaudit.base.patterns import Expression

# Letters of Cyrillic and Greek that have the shape of a Latin one (Unicode confusables, single letters only).
_LOOKALIKES = str.maketrans(
    "АВЕЅІЈКМНОРСТУХЬаеѕіјорсухһԁԛԝёїүґ" + "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαικνορυχϲϳ",
    "ABESIJKMHOPCTYXbaesijopcyxhdqweiyr" + "ABEZHIKMNOPTYXaikvopuxcj",
)
_DASHES = "\u2043\u2212\u2796"  # besides those of category Pd
_FILLERS = "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u3164\uffa0" + "".join(map(chr, range(0xFE00, 0xFE10)))
_CONFUSABLE = "\u0370-\u03ff\u0400-\u052f"
_TOKEN = Expression(r"\S+")

# Texts that need work after NFKC, as one RE2 expression: characters outside ASCII of the classes that change (digits,
# dashes, spaces, formats), those that are replaced whatever their class, and look-alikes next to Latin letters.
_SUSPECT = (
    r"[^\x00-\x7f\p{L}\p{M}\p{S}\p{Nl}\p{No}\p{Pc}\p{Pe}\p{Pf}\p{Pi}\p{Po}\p{Ps}\p{Cc}\p{Co}]"
    rf"|[{_DASHES}{_FILLERS}\x{{2800}}]"
    rf"|[A-Za-z0-9@]\S*[{_CONFUSABLE}]|[{_CONFUSABLE}]\S*[A-Za-z0-9@]"
)


def normalise(values: pa.Array) -> pa.Array:
    """Return a string array normalised, of the same length and type; the same object if every cell is ASCII.

    Missing cells stay missing; bytes that are not UTF-8 become replacement characters.
    """
    values = _valid(values)
    foreign = pc.fill_null(pc.invert(pc.string_is_ascii(values)), False)
    if not pc.any(foreign).as_py():
        return values
    composed = unicode_form.composed(values.filter(foreign))
    suspect = pc.match_substring_regex(composed, _SUSPECT)
    plain = [plain_text(text) for text in composed.filter(suspect).to_pylist()]
    composed = pc.replace_with_mask(composed, suspect, pa.array(plain, values.type))
    return pc.replace_with_mask(values, foreign, composed)


def plain_text(text: str) -> str:
    """Return one text normalised; any string is accepted, unpaired surrogates included."""
    if text.isascii():
        return text
    return _TOKEN.sub(_latinise, unicodedata.normalize("NFKC", text).translate(_FOLDING))


def _valid(values: pa.Array) -> pa.Array:
    try:
        values.validate(full=True)
    except pa.ArrowInvalid:
        raw = values.cast(pa.large_binary()) if values.type == pa.large_string() else values.cast(pa.binary())
        texts = [None if cell is None else cell.decode("utf-8", "replace") for cell in raw.to_pylist()]
        return pa.array(texts, type=values.type)
    return values


class _Folding(dict[int, "str | None"]):
    """Character table for `str.translate`, filled on demand."""

    def __missing__(self, code: int) -> str | None:
        self[code] = folded = _folded(chr(code))
        return folded


_FOLDING = _Folding()


def _folded(character: str) -> str | None:
    """Return what replaces a character; None if it is removed."""
    category = unicodedata.category(character)
    if character.isascii():
        return character
    if category == "Cf" or character in _FILLERS:
        return None
    if category == "Nd":
        return str(unicodedata.decimal(character))
    if category in {"Zs", "Zl", "Zp"} or character == "\u2800":  # the last is an empty pattern of Braille
        return " "
    return "-" if category == "Pd" or character in _DASHES else character


def _latinise(match: re.Match[str]) -> str:
    """Swap look-alikes in Latin words, and in codes (``А123456789К``): digits, and no lower-case letters."""
    token = match.group()
    if token.isascii():
        return token
    latin = any(character.isascii() and (character.isalpha() or character == "@") for character in token)
    swapped = token.translate(_LOOKALIKES)
    # A token with a foreign letter left after the swap is a word of that script next to a Latin one.
    if latin and not re.search(f"[{_CONFUSABLE}]", swapped):
        return swapped
    code = any(character.isdigit() for character in token) and swapped.isascii() and token == token.upper()
    return swapped if code else token
