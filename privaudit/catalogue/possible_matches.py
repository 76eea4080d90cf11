"""Whether an RE2 expression can match any value of a column, from the characters and lengths of the values alone.

Question: which expressions need not be run on a million values?
Method: the expression is read as a tree once. It cannot match where it needs a character that no value has, or more
characters or digits than any value has; anchored at both ends, it cannot match either where every value has more
characters than it accepts.
Limits: an expression that `privaudit.catalogue.expressions` does not read may match anything.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from privaudit.catalogue.expressions import OTHER, Characters, Part, parsed

MANY = 10_000
"""Values from which an expression is read before it is run; fewer are matched faster than it is read."""
_UNLIMITED = 1 << 20


@dataclass(frozen=True, slots=True)
class Texts:
    """What is known of some texts.

    Attributes
    ----------
    seen : Characters
        Those that occur in any text.
    shortest, longest : int
        Characters of one text.
    most_digits : int
        ASCII digits of one text, at most.
    """

    seen: Characters
    shortest: int = 0
    longest: int = _UNLIMITED
    most_digits: int = _UNLIMITED


def characters_of(seen: npt.NDArray[np.bool_]) -> Characters:
    """Return the characters for the 256 bytes of an alphabet."""
    ascii_only = sum(1 << int(code) for code in np.flatnonzero(seen[:128]))
    return ascii_only | (OTHER if seen[128:].any() else 0)


def can_match(expression: str, texts: Texts) -> bool:
    """Return whether an RE2 expression may match any of the texts; False is certain, True is not."""
    tree = parsed(expression)
    if tree is None:
        return True
    if tree.most < texts.shortest and _is_anchored(tree, 0, "^") and _is_anchored(tree, -1, "$"):
        return False
    return _can_match(tree, texts)


def _is_anchored(part: Part, end: int, anchor: str) -> bool:
    """Whether every match has `anchor` at one end: the part itself, or the one there, in each alternative."""
    if part.kind == "either":
        return all(_is_anchored(each, end, anchor) for each in part.parts)
    if part.kind == "sequence":
        return bool(part.parts) and _is_anchored(part.parts[end], end, anchor)
    return part.edge == anchor


def _can_match(part: Part, texts: Texts) -> bool:
    if part.fewest > texts.longest or part.fewest_digits > texts.most_digits:
        return False
    if part.kind == "character":
        return part.accepted & texts.seen != 0
    if part.kind == "either":
        return any(_can_match(each, texts) for each in part.parts)
    return part.least == 0 or all(_can_match(each, texts) for each in part.parts)
