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

from privaudit import unicode_form

# Letters of Cyrillic and Greek that have the shape of a Latin one (Unicode confusables, single letters only).
_LOOKALIKES = str.maketrans(
    "АВЕЅІЈКМНОРСТУХЬаеѕіјорсухһԁԛԝёїүґ" + "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαικνορυχϲϳ",
    "ABESIJKMHOPCTYXbaesijopcyxhdqweiyr" + "ABEZHIKMNOPTYXaikvopuxcj",
)
_DASHES = "\u2043\u2212\u2796"  # besides those of category Pd
_FILLERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u3164\uffa0").union(
    map(chr, range(0xFE00, 0xFE10))
)
_CONFUSABLE = "\u0370-\u03ff\u0400-\u052f"
_TOKEN = re.compile(r"\S+")

# Characters that need work after NFKC, as one RE2 expression; most accented text has none.
_SUSPECT = (
    r"[\p{Cf}\x{034f}\x{115f}\x{1160}\x{17b4}\x{17b5}\x{180b}-\x{180d}\x{2800}\x{fe00}-\x{fe0f}"
    r"\x{2010}-\x{2015}\x{2028}\x{2029}\x{2043}\x{2212}\x{2796}\x{2e3a}\x{2e3b}\x{058a}\x{05be}\x{1806}"
    r"\x{1400}\x{2e17}\x{2e1a}\x{2e40}\x{2e5d}\x{301c}\x{3030}\x{30a0}\x{1680}\x{0660}-\x{0669}\x{06f0}-\x{06f9}\x{07c0}-\x{07c9}\x{0966}-\x{1099}\x{17e0}-\x{17e9}"
    r"\x{1810}-\x{1819}\x{1946}-\x{194f}\x{19d0}-\x{19da}\x{1a80}-\x{1a99}\x{1b50}-\x{1bb9}\x{1c40}-\x{1c59}"
    r"\x{a620}-\x{a629}\x{a8d0}-\x{a8d9}\x{a900}-\x{a909}\x{a9d0}-\x{a9f9}\x{aa50}-\x{aa59}\x{abf0}-\x{abf9}"
    r"\x{10000}-\x{1ffff}]"
    r"|[A-Za-z0-9@]\S*[\x{0370}-\x{03ff}\x{0400}-\x{052f}]|[\x{0370}-\x{03ff}\x{0400}-\x{052f}]\S*[A-Za-z0-9@]"
)


def normalise(values: pa.Array) -> pa.Array:
    """Return `values` normalised; missing cells stay missing.

    Parameters
    ----------
    values : pyarrow.StringArray or LargeStringArray of length n
        Bytes that are not UTF-8 become replacement characters.

    Returns
    -------
    pyarrow array of the same length and type; the same object if every cell is ASCII.
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
