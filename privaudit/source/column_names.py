"""Column names as they may be shown: made unique, and replaced where they are personal data themselves.

Question: can the names of this table's columns be printed?
Method: spaces are trimmed; empty, very long and personal-looking names (e-mail addresses, telephone and other long
numbers, internet addresses of machines, hashes) become ``column_<position>``; repeated names get a number.
Limits: a person's name as a column name is not recognised here. Years and calendar days are not treated
as numbers of people: they head tables of time series.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from privaudit.model import Limit, limit
from privaudit.wording import Columns

LONGEST = 120
_PERSONAL = re.compile(
    r"""[^\s@]+@[^\s@]+\.[^\s@]+             # an e-mail address
    | (?:\d[\s().\-/_]{0,2}){7,}              # seven digits or more: telephone, card, account, social security
    | \b\d{1,3}(?:\.\d{1,3}){3}\b             # an internet address
    | \b[A-Z]{2}\d{2}(?:\s?[A-Z0-9]{4}){3,}   # an IBAN
    | \b[A-Z]\d{9}[A-Z]\b                     # a letter, nine digits, a letter: a tax number
    | \b[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\b | \b[0-9a-fA-F]{32,}\b  # an identifier, a hash
    """,
    re.VERBOSE,
)
_CALENDAR = re.compile(r"(?<!\d)(?:19|20)\d{2}(?:\s?[-–/_.]\s?(?:19|20)\d{2}|-\d{2}(?:-\d{2})?)(?!\d)")
_UNSHOWABLE = re.compile(r"[\x00-\x1f\x7f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]+")


def looks_personal(name: str) -> bool:
    """Tell whether a name is itself personal data, or too long to be a name."""
    return len(name) > LONGEST or _PERSONAL.search(_CALENDAR.sub("#", name)) is not None


def clean_names(raw: Sequence[object]) -> tuple[list[str], list[Limit]]:
    """Return one printable, different name for each of `raw`, and what had to be changed.

    Parameters
    ----------
    raw : sequence of length n_columns
        The names as the source has them; None where it has none.

    Returns
    -------
    (list of str, list of Limit)
    """
    given = [" ".join(_UNSHOWABLE.sub(" ", "" if name is None else str(name)).split()) for name in raw]
    empty = [i for i, name in enumerate(given) if not name]
    personal = [i for i, name in enumerate(given) if looks_personal(name)]
    for i in (*empty, *personal):
        given[i] = f"column_{i + 1}"
    names, repeated = _unique(given)
    limits = []
    if empty:
        limits.append(limit("source.unnamed_columns", columns=_at(names, empty)))
    if personal:
        limits.append(limit("source.personal_column_names", columns=_at(names, personal)))
    if repeated:
        limits.append(limit("source.repeated_column_names", columns=_at(names, repeated)))
    return names, limits


def _unique(given: list[str]) -> tuple[list[str], list[int]]:
    taken = set(given)
    seen: set[str] = set()
    names, repeated = [], []
    for i, name in enumerate(given):
        chosen, n = name, 1
        while chosen in seen or (n > 1 and chosen in taken):
            n += 1
            chosen = f"{name}_{n}"
        if n > 1:
            repeated.append(i)
        seen.add(chosen)
        names.append(chosen)
    return names, repeated


def _at(names: Sequence[str], positions: Sequence[int]) -> Columns:
    return Columns(names=tuple(names[i] for i in positions))
