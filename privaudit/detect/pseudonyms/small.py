"""Hashes of a small space: digests that trying out inputs undoes.

Question: do the digests of a column come from numbers, dates or names so few that one can try them all?
Method: of each space (spaces.py) so many inputs are hashed, spread evenly over it, that about `_WANTED` should be
among the digests if those came from it: the more digests a column has, the larger the spaces that a few thousand
tries decide. With m tries, h hits and N digests of a space of S inputs about ``h S / (m N)`` of the digests are
undone; chance alone gives ``m N / 2^bits`` hits. Tries are counted, not timed: the answer is the same everywhere.
Limits: spaces too large for the tries that are allowed stay untried; then the name of the column says what was
hashed, if anything does. No hit proves neither salt nor key.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from privaudit.detect.evidence import duration, percent
from privaudit.detect.pseudonyms import digests
from privaudit.detect.pseudonyms.inputs import RATE, Digests, tell
from privaudit.detect.pseudonyms.spaces import Space, all_spaces
from privaudit.detect.sampling import wilson

_WANTED = 10
_LEAST_TRIES = 400
_MOST_TRIES = 60_000  # of one space in one writing; ten times as many where the column's name suggests it
_TINY = 10**6
_BUDGET = 400_000  # digests computed for one column at most
_FIRST_TRIES, _TRIES_A_DIGEST = 60_000, 200  # fewer for a small table, unless a few digests are repeated in it
_FEW = 50
_LEAST_HITS = 3
_CLOSER = 100_000  # tries of the space that was found, for a narrow interval
_LEAST_SHARE = 0.1
_PEOPLE = frozenset("PHONE SSN NATIONAL_ID DATE_OF_BIRTH FIRST_NAME LAST_NAME VEHICLE_ID IP_ADDRESS".split())


def undone(tried: Sequence[Digests]) -> None:
    """Tell of every column of digests whose inputs come from a space that is small enough to be tried."""
    for one in (one for one in tried if one.writing.alphabet != "decimal"):  # numbers meet numbers by chance
        drawn = set(one.values.take(one.item.column.drawn).to_pylist())
        few = len(drawn) <= _FEW
        most = _BUDGET if few else min(_BUDGET, _FIRST_TRIES + _TRIES_A_DIGEST * len(drawn))
        best = _search(one, one.writing.functions, drawn, most // max(1, len(tried) // 4))
        if best is not None:
            _tell(one, _closer(one, best, drawn))


_Hit = tuple[float, int, int, str, Space]


def _search(one: Digests, functions: Sequence[str], drawn: set[str], left: int) -> _Hit | None:
    """Return (share undone, tries, hits, function, space) of the smallest space that explains the most."""
    best: _Hit | None = None
    for space, n_tries in _worth_trying(one, len(drawn)):
        inputs: list[bytes] = []
        for name in functions:
            if n_tries > left:
                return best
            left -= n_tries
            inputs = inputs or _inputs(space, n_tries)
            hits = _hits(inputs, name, one, drawn)
            chance = n_tries * len(drawn) * 2.0**-one.writing.bits
            share = min(1.0, hits * space.size / (n_tries * len(drawn)))
            if hits < _LEAST_HITS + 5 * chance or share < _LEAST_SHARE:
                continue
            if best is None or share > 1.3 * best[0]:
                best = (share, n_tries, hits, name, space)
            if best[0] > 0.8:
                return best
    return best


def _worth_trying(one: Digests, n_drawn: int) -> list[tuple[Space, int]]:
    """Return the spaces that few enough tries decide, those the column's name suggests first, and the tries."""
    hinted = {hint.entity for hint in one.item.column.header.hints}
    found = []
    for space in sorted(all_spaces(), key=lambda s: (not s.entities & hinted, s.size, s.title)):
        n_tries = min(space.size, max(_LEAST_TRIES, math.ceil(_WANTED * space.size / n_drawn)))
        most = _TINY // 4 if space.size <= _TINY else _MOST_TRIES
        if n_tries <= (10 * _MOST_TRIES if space.entities & hinted else most):
            found.append((space, n_tries))
    return found


def _closer(one: Digests, best: _Hit, drawn: set[str]) -> _Hit:
    """Try more of the space that was found, all of it where it is tiny."""
    _, n_tries, _, name, space = best
    n_tries = max(n_tries, min(space.size, _CLOSER))
    hits = _hits(_inputs(space, n_tries), name, one, drawn)
    return min(1.0, hits * space.size / (n_tries * len(drawn))), n_tries, hits, name, space


def _inputs(space: Space, n_tries: int) -> list[bytes]:
    """Return `n_tries` inputs, spread evenly over the space."""
    if n_tries == space.size:
        return list(map(space.write, range(space.size)))
    step = _step(space.size)
    return [space.write(k * step % space.size) for k in range(n_tries)]


def _hits(inputs: Sequence[bytes], name: str, one: Digests, drawn: set[str]) -> int:
    """Return how many of the `inputs` are among the digests."""
    make = digests.function(name)
    if one.writing.alphabet == "hex" and one.writing.bits % 8 == 0:
        n_bytes = int(one.writing.bits) // 8
        wanted = frozenset(map(bytes.fromhex, drawn))
        return sum(make(text)[:n_bytes] in wanted for text in inputs)
    encode = one.writing.encode
    return sum(encode(make(text)) in drawn for text in inputs)


def _step(size: int) -> int:
    """Return a step near the golden section of `size` and prime to it, so that multiples spread evenly."""
    step = int(size * 0.6180339887498949) | 1
    while math.gcd(step, size) > 1:
        step += 2
    return step


def _tell(one: Digests, best: _Hit) -> None:
    share, n_tries, hits, name, space = best
    n_drawn = len(one.item.column.drawn)
    _, low, high = wilson(hits, max(hits, n_tries))
    scale = space.size / n_drawn
    about = (
        percent(share)
        if n_tries == space.size
        else f"about {percent(share)} (95 %: {percent(min(1, low * scale))} to {percent(min(1, high * scale))})"
    )
    because = (
        f"unsalted {name} of {space.title}: {hits:,} of {n_tries:,} tried are among {n_drawn:,} digests, so trying all "
        f"{space.size:,} takes {duration(space.size / RATE)} on one core and undoes {about}"
    )
    tell(one.item, because, math.log2(space.size), people=bool(space.entities & _PEOPLE))
    one.item.found.facts["hash_undone"] = round(share, 3)
