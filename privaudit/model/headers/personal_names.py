"""Names that are personal data themselves: of columns, files, folders, sheets and tables.

Question: may this name be printed?
Method: patterns find identifiers (e-mail addresses, telephone and other long numbers, internet addresses, IBANs, tax
numbers, hashes). A person's name is two or more words that are all listed as given names or surnames, at least one of
them as a given name, none of them a word that column names use. A whole header of given names, or of pairs of
capitalised words that are neither words of column names nor places, is a header of people.
Limits: a single name, and a name that is not listed, are recognised in a whole header only. Years and days of the
calendar are not identifiers: they are in the names of time series and of files.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Literal

from privaudit.base.patterns import Expression
from privaudit.model.file_formats import FORMAT_OF_SUFFIX
from privaudit.model.headers import lexicon
from privaudit.model.headers.tokens import fold, listed_lines, listed_words, split_words

Named = Literal["file", "folder", "sheet", "table"]

LONGEST = 120
LEAST_PEOPLE = 3
"""Columns from which on a header can be a header of people."""

_IDENTIFIER = Expression(
    r"""[^\s@]+@[^\s@]+\.[^\s@]+             # an e-mail address
    | (?:\d[\s().\-/_]{0,2}){7,}              # seven digits or more: telephone, card, account, social security
    | \b\d{1,3}(?:\.\d{1,3}){3}\b             # an internet address
    | \b[A-Z]{2}\d{2}(?:\s?[A-Z0-9]{4}){3,}   # an IBAN
    | \b[A-Z]\d{9}[A-Z]\b                     # a letter, nine digits, a letter: a tax number
    | \b[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\b | \b[0-9a-fA-F]{32,}\b  # an identifier, a hash
    """,
    re.VERBOSE,
)
_CALENDAR = Expression(
    r"""(?<!\d)(?:19|20)\d{2}
    (?: \s?[-–/_.]\s?(?:19|20)\d{2} | -\d{2}(?:-\d{2})?        # 2019-2020, 2020-03, 2020-03-31
      | (?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:[-_T]?\d{4}(?:\d{2})?)? )   # 20200331, 20200331_120000
    (?!\d)
    | (?<!\d)(?<!\d[-\s_./()])(?:19|20)\d{2}(?!\d)          # a year that no number precedes
    """,
    re.VERBOSE,
)
_ENDINGS = "|".join((*(suffix.lstrip(".") for suffix in FORMAT_OF_SUFFIX), "toml", "html", "md"))
_SUFFIX = Expression(rf"\.(?:{_ENDINGS})(?:\.(?:gz|zst))?$", re.IGNORECASE)
"""The suffix of a file that privaudit reads or writes; another ending may be a part of the name."""


def is_personal(name: str) -> bool:
    """Whether a name is personal data by itself, or too long to be a name."""
    return len(name) > LONGEST or _has_identifier(name) or is_person(name)


def _has_identifier(name: str) -> bool:
    return _IDENTIFIER.search(_CALENDAR.sub("#", name)) is not None


def shown_name(name: str, what: Named) -> str:
    """Return the name of a file, folder, sheet or table as it may be printed.

    >>> shown_name("claims_20240131.csv", "file"), shown_name("123-45-6789.csv", "file")
    ('claims_20240131.csv', 'file-name-withheld.csv')
    """
    suffix = _SUFFIX.search(name) if what == "file" else None
    stem = name[: suffix.start()] if suffix else name
    if not is_personal(stem) and not _has_identifier(name):
        return name
    return f"{what}-name-withheld{suffix[0] if suffix else ''}"


def shown_file(path: str | Path) -> str:
    """Return the name of a file as it may be printed: without its folders, and withheld where it is personal data.

    >>> shown_file("/home/jdoe/claims.csv"), shown_file("Anna Smith.json")
    ('claims.csv', 'file-name-withheld.json')
    """
    return shown_name(Path(path).name, "file")


def is_person(name: str) -> bool:
    """Whether a name consists of listed given names and surnames, two words or more.

    >>> is_person("Anna Smith"), is_person("annual price"), is_person("Anna")
    (True, False, False)
    """
    words = _words(name)
    return len(words) > 1 and all(map(is_listed, words)) and any(word in listed_words("given_names") for word in words)


def people_in(header: Sequence[str]) -> tuple[int, ...]:
    """Return the positions of the column names that are names of people.

    Parameters
    ----------
    header : sequence of length n_columns
        The names of the columns, in order.
    """
    alone = {i for i, name in enumerate(header) if is_person(name)}
    listed = alone | {i for i, name in enumerate(header) if _is_given_name(name)}
    if len(listed) >= LEAST_PEOPLE and 3 * len(listed) >= 2 * len(header):
        return tuple(sorted(listed))
    formed = {i for i, name in enumerate(header) if _has_form_of_a_person(name)}
    if len(formed) >= LEAST_PEOPLE and len(formed) >= len(header) - 1:
        return tuple(sorted(formed | alone))
    return tuple(sorted(alone))


def _words(name: str) -> list[str]:
    """Return the folded words of a name without numbers; a name with other characters has none."""
    words = [fold(word) for word in split_words(name)]
    return [word for word in words if not word.isdigit()]


def is_listed(word: str) -> bool:
    """Whether a folded word is listed as a given name or surname, and is none that column names use."""
    listed = word in listed_words("given_names") or word in listed_words("surnames")
    return len(word) > 1 and listed and word not in _column_words()


def _is_given_name(name: str) -> bool:
    words = _words(name)
    return len(words) == 1 and words[0] in listed_words("given_names") and words[0] not in _column_words()


def _has_form_of_a_person(name: str) -> bool:
    """Whether a name is two or three capitalised words that are neither words of column names nor a place."""
    words = name.split()
    if not 2 <= len(words) <= 3 or not all(re.fullmatch(r"[^\W\d_]+(?:['’-][^\W\d_]+)*", word) for word in words):
        return False
    folded = [fold(word) for word in words]
    if not all(word[:1].isupper() and word[1:].islower() for word in words):
        return False
    return not any(word in _column_words() for word in folded) and " ".join(folded) not in listed_lines("cities")


@cache
def _column_words() -> frozenset[str]:
    """Return all words that column names use: those of the lexicon and those of first rows."""
    listed = lexicon.lines(lexicon.read_file("first_row")["words"])
    return lexicon.words() | frozenset(map(fold, listed))
