"""Column names that name one of two values: ``female``, ``is_black``, ``union``.

Question: which entity type does a column of two values hold, by its name?
Method: every word of the name is either filler (``is``, ``flag``) or a word listed in ``rules/headers/flags.toml``.
Limits: most of these words are ambiguous and count only in a table about people (`needs_people`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from privaudit.headers.lexicon import lines, read_file


def flagged_entity_type(words: Sequence[str]) -> str | None:
    """Return the entity type of a column of two values whose name has these words, or None."""
    entity_of = _entity_by_word()
    content = [word for word in words if word not in _filler() and not word.isdigit()]
    joined = "".join(content)
    content = [joined] if joined in entity_of else content
    if not content or any(word not in entity_of for word in content):
        return None
    found = {entity_of[word] for word in content}
    return next(str(entity) for entity in read_file("flags")["words"] if entity in found)


def needs_people(entity: str) -> bool:
    """Return whether a name that flags `entity` counts only in a table about people."""
    return entity not in lines(read_file("flags")["without_people"])


@cache
def _entity_by_word() -> dict[str, str]:
    listed = read_file("flags")["words"]
    return {word: str(entity) for entity, block in reversed(listed.items()) for word in lines(block)}


@cache
def _filler() -> frozenset[str]:
    return frozenset(lines(read_file("flags")["filler"]))
