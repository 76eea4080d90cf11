"""Do the column names of two tables mean the same?

Question: may "maritalStatus" in one table be "civil status" in the other?
Method: the words of both names are compared: equal words, an entry of the list of synonyms
(``rules/headers/synonyms.toml``), the same date in another precision, or one name as part of the other.
Limits: a few everyday attributes in a few languages; the values decide in the end.
"""

from __future__ import annotations

from functools import cache
from typing import Literal, NamedTuple

from privaudit.model.headers.lexicon import lines, read_file
from privaudit.model.headers.tokens import tokenise

Kind = Literal["same_name", "synonyms", "same_date", "part_of_name"]


class Relation(NamedTuple):
    """How two column names are related; `strength` is 1 for the same name and 0.6 for the weakest relation."""

    strength: float
    kind: Kind


def relate(left: str, right: str) -> Relation | None:
    """Return how two column names are related, or None."""
    return relate_tokens(tokenise(left), tokenise(right))


def relate_tokens(left: tuple[str, ...], right: tuple[str, ...]) -> Relation | None:
    """Return the same as `relate` for names that are already cut into words."""
    if not left or not right:
        return None
    if "".join(left) == "".join(right):
        return Relation(1.0, "same_name")
    if any(_is_in(left, group) and _is_in(right, group) for group in _synonyms()):
        return Relation(0.8, "synonyms")
    event = set(left) - _date_precision()
    if event and event == set(right) - _date_precision():
        return Relation(0.8, "same_date")
    shorter, longer = sorted((set(left), set(right)), key=len)
    if shorter < longer and any(len(token) >= 3 for token in shorter):
        return Relation(0.6, "part_of_name")
    return None


def _is_in(tokens: tuple[str, ...], group: frozenset[str]) -> bool:
    return "".join(tokens) in group or (len(tokens) > 1 and tokens[0] in group and tokens[-1] == "status")


@cache
def _synonyms() -> tuple[frozenset[str], ...]:
    return tuple(frozenset(line.split()) for line in lines(read_file("synonyms")["synonyms"]))


@cache
def _date_precision() -> frozenset[str]:
    return frozenset(lines(read_file("synonyms")["date_precision"]))
