"""Is the first row a header or data?

Question: may the first row be shown as column names?
Method: every column votes. For a header: the values below have a type (number, date, e-mail, ...) that the first cell
does not have; the first cell consists of words that column names use (`model.headers`), does not occur below in
a column of few distinct values, or is written as programs write names (``ship_mode``, ``shipMode``) and no value below
is, or is a single letter, which names no person, and all cells below are empty. A row of single words in
lower case, above no cell that is in lower case, is a header.
Against: the first cell has the type of its column, or occurs again below. Without a
vote for a header the row is data. Names numbered in sequence (V1, V2, V3) are a header unless a row below has the same
form.
Limits: a row of data must never be printed as column names, so an ambiguous first row is read as data and reported.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Sequence

from privaudit.base.patterns import Expression
from privaudit.model.headers import has_header_words

_NUM = r"\d+(?:\.\d+)?"
_TYPES = (
    ("number", Expression(r"[-+]?[$€£]?\s?\d[\d\s,.']*(?:[eE][-+]?\d+)?\s?%?|[-+]?\.\d+")),
    ("date", Expression(r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:[ T]\d{1,2}:\d{2}.*)?|\d{1,2}:\d{2}(?::\d{2}.*)?")),
    ("mail", Expression(r"\S+@\S+\.\S+")),
    ("address", Expression(r"https?://\S+|\d{1,3}(?:\.\d{1,3}){3}|(?:[0-9a-fA-F]{2}[:-]){5}[0-9a-fA-F]{2}")),
    ("uuid", Expression(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|[0-9a-fA-F]{32,}")),
    ("code", Expression(r"(?=(?:[^\s\d]*\d){3})(?=\S*[A-Za-z])[A-Za-z0-9\-/]{5,}|\d+[A-Za-z]{1,2}")),
    ("phone", Expression(r"\+?[\d\s().\-/]{7,}")),
    ("truth", Expression(r"(?i:true|false)")),
    ("band", Expression(rf"[\[(]?\s?{_NUM}\s?[-,–]\s?{_NUM}\s?[\])\[]?|\d*\*+|[<>]=?\s?\d+\S*|\d+\+")),
)
MISSING = frozenset(
    ["na", "n/a", "nan", "null", "none", "nil", "?", "-", "--", ".", "*", "unknown", "missing", "n.a.", "nd"]
) | {""}
_NUMBERED = Expression(r"([^\W\d](?:\w*[^\W\d])?[ .-]?)(\d{1,6})")
_YEAR = Expression(r"(?:19|20)\d{2}")
MOSTLY = 0.8
ALL = 0.98
FEW = 5
FEW_ROWS = 20


def is_header(first: Sequence[str], body: Sequence[Sequence[str]]) -> bool:
    """Return whether `first` holds the column names of `body`.

    Parameters
    ----------
    first : sequence of str, length w
    body : sequence of rows of length w
        The rows after it; may be empty.
    """
    if not any(cell.strip() for cell in first):
        return False
    if _is_consecutive(first):
        return not _has_consecutive_row(body)
    numbered = _is_numbered(first)
    if numbered and not any(_is_numbered(row) for row in body[:50]):
        return True
    years = _year_columns(first, body)
    others = [i for i in range(len(first)) if i not in years]
    if all(_alone_in_lower_case(cell.strip(), [row[i].strip() for row in body]) for i, cell in enumerate(first)):
        return True
    votes = sum(_vote(first[i].strip(), [row[i].strip() for row in body]) for i in others)
    return votes > 0 and _may_be_names([first[i] for i in others])


def _vote(cell: str, below: Sequence[str]) -> float:
    """Return the vote of one column: above 0 for a header, below 0 against, 0 for none."""
    present = [value for value in below if value.lower() not in MISSING]
    if cell.lower() in MISSING:
        return 0
    if not present and len(cell) == 1 and cell.isalpha():
        return 0.5
    kind = type_of(cell)
    common, share = common_type(present)
    if common is not None and share >= MOSTLY:
        if kind == "code" and common == "number" and _starts_with_letter(cell) and share >= ALL and len(present) >= FEW:
            return 1
        if kind == common or (kind is not None and {kind, common} <= {"number", "date", "code", "phone", "band"}):
            return -1
        if kind in ("mail", "uuid", "address"):
            return 0
        return 1 + (1 if has_header_words(cell) else 0)
    if kind is not None:
        return -1
    return _text_vote(cell, present)


def _text_vote(cell: str, present: Sequence[str]) -> float:
    counts = Counter(present)
    if cell in counts:
        return -2
    if has_header_words(cell):
        return 1
    n_unique = sum(count == 1 for count in counts.values())
    if len(present) >= FEW_ROWS and n_unique <= 0.02 * len(present):
        return 1
    return 0.5 if _is_identifier(cell) and not any(map(_is_identifier, counts)) else 0


def _is_identifier(cell: str) -> bool:
    """Return whether a word is written as programs write names: with an underscore, or capitals inside."""
    return "_" in cell or re.fullmatch(r"[a-z]+(?:[A-Z][a-z0-9]*)+", cell) is not None


def _alone_in_lower_case(cell: str, below: Sequence[str]) -> bool:
    present = [value for value in below if value.lower() not in MISSING]
    lower = Expression(r"[a-z][a-z0-9]*")
    return len(present) >= 3 and lower.fullmatch(cell) is not None and not any(map(str.islower, present))


def _is_consecutive(first: Sequence[str]) -> bool:
    """Return whether the cells are consecutive integers, like the column numbers of a matrix."""
    cells = [cell.strip() for cell in first]
    cells = cells[1:] if cells and not cells[0] else cells
    if len(cells) < 3 or not all(re.fullmatch(r"\d{1,4}", cell) for cell in cells):
        return False
    return [int(cell) - int(cells[0]) for cell in cells] == list(range(len(cells)))


def _is_numbered(cells: Sequence[str]) -> bool:
    """Return whether nearly all cells are the same word, numbered in sequence: ``V1, V2, V3``, ``gene_001, ...``."""
    matches = [_NUMBERED.fullmatch(cell.strip()) for cell in cells]
    named = [(match[1], int(match[2])) for match in matches if match]
    if len(named) < 3 or len(named) < 0.9 * len(cells):
        return False
    steps = [b == a + 1 for (stem, a), (other, b) in itertools.pairwise(named) if stem == other]
    return len(steps) >= len(named) - 1 - len({stem for stem, _ in named}) and sum(steps) >= 0.9 * (len(named) - 1)


def _year_columns(first: Sequence[str], body: Sequence[Sequence[str]]) -> set[int]:
    """Return the positions of equally spaced years in `first` that no row of the body has: a time series."""
    places = [i for i, cell in enumerate(first) if _YEAR.fullmatch(cell.strip())]
    years = [int(first[i]) for i in places]
    steps = {b - a for a, b in itertools.pairwise(years)}
    if len(places) < 2 or len(steps) != 1 or 0 in steps:
        return set()
    also = any(all(_YEAR.fullmatch(row[i].strip()) for i in places) for row in body[:50])
    return set() if also or not body else set(places)


def _has_consecutive_row(body: Sequence[Sequence[str]]) -> bool:
    return any(_is_consecutive(row) for row in body[:50])


def _may_be_names(first: Sequence[str]) -> bool:
    """Return False for a row of numbers and dates, and for one with an e-mail or network address among other data."""
    cells = [cell.strip() for cell in first if cell.strip()]
    types = [type_of(cell) for cell in cells]
    addresses = sum(type_ in ("mail", "uuid", "address") for type_ in types)
    if addresses and 2 * sum(map(has_header_words, cells)) < len(cells) - addresses:
        return False
    typed = [
        kind
        for cell, kind in zip(cells, types, strict=True)
        if kind and not (kind == "code" and _starts_with_letter(cell))
    ]
    return len(typed) <= len(first) * 0.9


def _starts_with_letter(cell: str) -> bool:
    """Return whether a cell is a code that begins with a letter, such as ``DB020``."""
    return re.fullmatch(r"[A-Za-z]\w{1,20}", cell) is not None


def type_of(cell: str) -> str | None:
    """Return the type of a cell by its form, None for text."""
    for name, pattern in _TYPES:
        if pattern.fullmatch(cell):
            return name
    return None


def common_type(present: Sequence[str]) -> tuple[str | None, float]:
    """Return the most frequent type of the first values, None for text, and its share."""
    counts = Counter[str | None]()
    for value, n in Counter(present[:500]).items():
        counts[type_of(value)] += n
    if not counts:
        return None, 0.0
    name, count = counts.most_common(1)[0]
    return name, count / sum(counts.values())
