"""The names that a person may have meant by a name that is not known; most runs need none and do not load `difflib`."""

from __future__ import annotations

from collections.abc import Iterable


def similar(name: str, known: Iterable[str], *, n: int = 3, cutoff: float = 0.6) -> list[str]:
    """Return at most `n` of the `known` names that are at least `cutoff` alike to `name`, the most alike first."""
    import difflib

    return difflib.get_close_matches(name, list(known), n=n, cutoff=cutoff)
