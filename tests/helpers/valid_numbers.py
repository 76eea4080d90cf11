"""Valid numbers of a kind from one example: a walk over its digits and letters that stays where the check holds."""

from __future__ import annotations

import random
import string
from collections.abc import Callable

Check = Callable[[str], bool]
_KINDS = (string.digits, string.ascii_uppercase, string.ascii_lowercase)


def walk(check: Check, start: str, n: int = 60, seed: int = 5, tries: int = 4000) -> list[str]:
    """Return up to `n` different texts that pass `check`, each reached from the one before by changing characters.

    Changes keep digits digits and letters letters; the last characters, which contain check digits, are changed with
    every step, so that a number of two check characters is met once in a few hundred tries.
    """
    source = random.Random(f"{start}{seed}")
    found: dict[str, None] = {}
    here, left = start, tries * n
    while len(found) < n and left > 0:
        left -= 1
        there = _change(here, source)
        if there not in found and check(there):
            found[there] = None
            here = there
    return list(found)


def _change(text: str, source: random.Random) -> str:
    chars = list(text)
    places = [i for i, char in enumerate(chars) if _alphabet(char)]
    for place in source.sample(places, min(len(places), source.randint(1, 3))):
        chars[place] = source.choice(_alphabet(chars[place]))
    return "".join(chars)


def _alphabet(char: str) -> str:
    return next((kind for kind in _KINDS if char in kind), "")
