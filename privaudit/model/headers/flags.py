"""Column names that name one of two values: ``female``, ``is_black``, ``union``.

Question: which entity type does a column of two values hold, by its name?
Method: every word of the name is either filler (``is``, ``flag``) or a word listed in ``rules/headers/flags.toml``.
Limits: most of these words are ambiguous and count only in a table about people (`needs_people`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from privaudit.model.headers.lexicon import lines, read_file


def flagged_entity_type(words: Sequence[str]) -> str | None:
    """Return the entity type of a column of two values whose name has these words, or None."""
    listed, filler = _listed(), lines(read_file("flags")["filler"])
    content = [word for word in words if word not in filler and not word.isdigit()]
    found = {listed.get(word) for word in content}
    if not content or None in found:
        return None
    return next(str(entity) for entity in read_file("flags")["words"] if entity in found)


def needs_people(entity: str) -> bool:
    """Return whether a name that flags `entity` counts only in a table about people."""
    return entity not in lines(read_file("flags")["without_people"])


@cache
def _listed() -> dict[str, str]:
    return {word: entity for entity, block in read_file("flags")["words"].items() for word in lines(block)}
