"""Does a text that is not a table name many people?

Question: does a log, a page, a list or a program hold records of people?
Method: different e-mail addresses, telephone numbers and names are counted in each window of the text. A name is a
listed given name and another listed name, both capitalised, in a row or in neighbouring fields: of a list of words,
which has no names of fields, only a given name next to a surname. A window holds records where it has `LEAST_PEOPLE` of
one of the three, and no more text for each than a record has: the authors in the head of a program are too few or too
far apart.
Limits: names that are not listed, fewer people and longer records are not recognised. Of a large file, windows at equal
distances are read, of a compressed one the first megabyte. Files that by their name list those who wrote a program are
not read.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from io import SEEK_END, BytesIO
from pathlib import Path

from privaudit.base.patterns import Expression
from privaudit.model.headers import fold, listed_words
from privaudit.model.headers.personal_names import is_listed
from privaudit.source.places.content_format import format_of_content, narrow, unpacked

LEAST_PEOPLE, MOST_CHARACTERS = 10, 512
"""People that are named, and characters of text for each (product defaults)."""
WINDOW, MOST_WINDOWS, MOST_UNPACKED = 1 << 16, 256, 1 << 20
_MAIL = Expression(r"(?<![\w.+-])[\w.+-]{2,64}@(?:[\w-]{1,63}\.){1,5}[^\W\d_]{2,63}(?![\w-])")
_PHONE = Expression(r"\+(?<![\w.+-]\+)[1-9](?:[ ()/.-]{0,2}\d){8,14}(?![\w.+-])")
_CAPITALISED = Expression("[A-Z\u0080-\U0010ffff][^\\W\\d_]+")
_CREDITS = frozenset(
    "authors changelog citation codeowners contributors copying copyright credits".split()
    + "licence license mailmap maintainers thanks".split()
)
"""Names of the files that list those who wrote a program, whatever their suffix (GNU coding standards, Debian, Git)."""
_BETWEEN_WORDS, _BETWEEN_FIELDS = 4, 32
"""Most characters between the words of a name: a blank and an initial, or the marks and the name of a field."""
_MARK = Expression(r"[\"'<>|=:,;\t\n]")


def names_people(file: Path) -> bool:
    """Whether a file is a text that names many people, other than those who wrote a program."""
    if credits_authors(file):
        return False
    try:
        return any(map(_names_many, _windows(file)))
    except OSError:  # what opens the file reports it
        return False


def credits_authors(file: Path) -> bool:
    """Whether a file by its name lists those who wrote a program."""
    return file.name.lstrip(".").partition(".")[0].lower() in _CREDITS


def _windows(file: Path) -> Iterator[str]:
    """Yield the windows of a text up to the first that is none; the first ones where it is compressed."""
    compression = format_of_content(file)[1]
    with file.open("rb") if compression is None else BytesIO(unpacked(file, compression, MOST_UNPACKED)) as content:
        size = content.seek(0, SEEK_END)
        for start in range(0, size, max(WINDOW, size // MOST_WINDOWS)):
            content.seek(start)
            window = narrow(content.read(WINDOW))
            if b"\0" in window:
                return
            yield window.decode(errors="replace")


def _names_many(text: str) -> bool:
    least = max(LEAST_PEOPLE, len(text) / MOST_CHARACTERS)
    return any(len(found(text)) >= least for found in (_mails, _phones, _names))


def _mails(text: str) -> set[str]:
    return set(_MAIL.findall(text)) if text.count("@") >= LEAST_PEOPLE else set()


def _phones(text: str) -> set[str]:
    return set(_PHONE.findall(text))


def _names(text: str) -> set[tuple[str, str]]:
    """Return the names in a text; nothing where few listed words occur, as in most texts."""
    listed = set(filter(_kind, set(_CAPITALISED.findall(text))))
    if len(listed) < LEAST_PEOPLE:
        return set()
    found, before = set[tuple[str, str]](), None
    for match in _CAPITALISED.finditer(text):
        if match[0] not in listed:
            before = None
        elif before is None or not _is_name(before[0], match[0], text[before.end() : match.start()]):
            before = match
        else:
            found.add((before[0], match[0]))
            before = None
    return found


def _is_name(first: str, second: str, between: str) -> bool:
    kinds = {_kind(first), _kind(second)}
    if len(between) <= _BETWEEN_WORDS and "," not in between:
        return "given" in kinds
    is_next_field = len(between) <= _BETWEEN_FIELDS and _MARK.search(between) is not None
    return is_next_field and (len(kinds) == 2 or ("given" in kinds and any(map(str.isalpha, between))))


@lru_cache(1 << 16)
def _kind(word: str) -> str:
    """Return whether a word is listed as a given name or a surname; nothing for another word."""
    folded = fold(word)
    return "" if not is_listed(folded) else "given" if folded in listed_words("given_names") else "surname"
