"""The words of a column name, and lists of words that they are compared with.

Question: which words is a column name made of?
Method: the name is cut at changes of case, script and digits and at punctuation; each word is folded to lower case
without accents. Lists under ``rules/reference`` have words as `fold` returns them; lines at their start that begin with
``#`` are comments.
Limits: scripts without spaces (Han, Kana, Thai) give one word for each run of letters. Lists are incomplete.
"""

from __future__ import annotations

import unicodedata
from functools import cache, lru_cache
from itertools import filterfalse

from privaudit.base import resources
from privaudit.base.patterns import Expression

_LETTERS = str.maketrans(
    {"ł": "l", "ø": "o", "ß": "ss", "đ": "d", "ð": "d", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th", "ə": "e"}
)
_APOSTROPHES = str.maketrans(dict.fromkeys("ʼʹ’‘´`", "'"))  # U+02BC counts as a letter in Unicode
_ONE_LETTER = str.maketrans({"أ": "ا", "إ": "ا", "آ": "ا", "ى": "ي", "ی": "ي", "ک": "ك", "ة": "ه", "’": "'", "ʼ": "'"})


def fold(text: str) -> str:
    """Return `text` in lower case, without accents and with runs of whitespace replaced by one space.

    Optional marks are removed: accents, Arabic and Hebrew vowel points, the Devanagari nukta. Marks that are part of
    the spelling are kept: Indic and Thai vowel signs, Kana voicing marks.
    """
    return " ".join(_folded(text).split())


def _folded(text: str) -> str:
    if text.isascii():
        return text.lower()
    text = unicodedata.normalize("NFKD", text.lower().translate(_LETTERS)).translate(_MARKS)
    return unicodedata.normalize("NFC", text).translate(_ONE_LETTER).lower()


class _OptionalMarks(dict[int, int | None]):
    """A table for `str.translate` that removes optional marks; each character is looked up once."""

    def __missing__(self, code: int) -> int | None:
        mark = unicodedata.combining(chr(code))
        optional = mark == 7 or 10 <= mark <= 35 or mark >= 200
        self[code] = None if optional else code
        return self[code]


_MARKS = _OptionalMarks()


# Endings of a plural or of a sex, without those that are units: "Weight(g)", "Height(in)".
_INFLECTION = Expression(r"(?<=[^\W\d_])\((?:[aeio]?s|e?n|[aeo]|er)\)")


@lru_cache(maxsize=1 << 15)
def tokenise(name: str) -> tuple[str, ...]:
    """Return the folded words of a name, without an ending in brackets.

    Examples
    --------
    >>> tokenise("CustomerID"), tokenise("zip_code2"), tokenise("date-of birth")
    (('customer', 'id'), ('zip', 'code', '2'), ('date', 'of', 'birth'))
    >>> tokenise("Owner(s)"), tokenise("Weight(g)")
    (('owner',), ('weight', 'g'))
    """
    name = _INFLECTION.sub("", name) if "(" in name else name
    return tuple(folded for piece in split_words(name) if (folded := fold(piece)))


def split_words(name: str) -> list[str]:
    """Return the words of a name as written, cut at changes of case, script and digits and at punctuation."""
    pieces: list[list[str]] = []  # of characters: a text that grows by each is copied each time
    last = " "
    for char in unicodedata.normalize("NFC", name).translate(_APOSTROPHES):
        now = _character_class(char)
        if now == "mark" and pieces:
            pieces[-1].append(char)
            continue
        if now != " ":
            joined = now == last or (last == "A" and now == "a")
            if joined and last == "A" and now == "a" and len(pieces[-1]) > 1:
                pieces.append([pieces[-1].pop()])
            if not joined:
                pieces.append([])
            pieces[-1].append(char)
        last = now
    return ["".join(piece) for piece in pieces]


def _character_class(char: str) -> str:
    category = unicodedata.category(char)
    if category.startswith("M"):
        return "mark"
    if category == "Lu":
        return "A"
    if category in ("Ll", "Lt", "Lm"):
        return "a" if not "\u3040" <= char <= "\u30ff" else "x"
    if category == "Lo":
        return "x"
    return "0" if category.startswith("N") else " "


@cache
def listed_words(stem: str) -> frozenset[str]:
    """Return the words of a list such as ``given_names``, ``surnames`` or ``han_surnames``."""
    return frozenset(_text(stem).split())


@cache
def listed_lines(*stems: str, without: frozenset[str] = frozenset()) -> frozenset[str]:
    """Return the lines of lists; one line may have several spellings, divided by ``|``."""
    lines = "\n".join(map(_text, stems)).replace("|", "\n").split("\n")
    return frozenset(filterfalse((without | {""}).__contains__, lines))


def _text(stem: str) -> str:
    text = resources.path("rules", "reference", f"{stem}.txt").read_text(encoding="utf-8")
    while text.startswith("#"):
        text = text.partition("\n")[2]
    return text
