"""Column names as they may be shown: made unique, and replaced where they are personal data themselves.

Question: can the names of this table's columns be printed?
Method: spaces are trimmed; empty names and names that are personal data (`model.headers.personal_names`) become
``column_<position>``; repeated names get a number.
Limits: those of the recognition of personal data in names.
"""

from __future__ import annotations

from collections.abc import Sequence

from privaudit.base.patterns import Expression
from privaudit.model import Limit, limit
from privaudit.model.headers import is_personal, people_in
from privaudit.model.wording import Columns

_UNSHOWABLE = Expression(r"[\x00-\x1f\x7f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]+")


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
    people = set(people_in(given))
    personal = [i for i, name in enumerate(given) if i in people or is_personal(name)]
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
    return Columns(tuple(names[i] for i in positions))
