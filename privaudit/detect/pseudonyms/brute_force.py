"""Hashes of a small space of inputs, which trying all of them reverses.

Question: do the digests of a column come from numbers, dates or names so few that an attacker can try them all?
Method: of each space (spaces.py), so many inputs, spread evenly over it, are hashed that about `_WANTED` would match if
the digests came from it: the more digests a column has, the larger the spaces that a few thousand tries decide. With
m tries, h matches and N digests of a space of S inputs, about ``h S / (m N)`` of the digests can be reversed; chance
alone gives ``m N / 2^bits`` matches. Tries are counted, not timed, so the result is the same on every machine.
Limits: spaces too large for the permitted tries are not tried; then only the column name suggests what was hashed. No
match proves neither salt nor key.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from privaudit import vocabulary
from privaudit.detect.pseudonyms import digests
from privaudit.detect.pseudonyms.column_hashes import RATE, Digests, report_hash
from privaudit.detect.pseudonyms.spaces import Space, all_spaces
from privaudit.stats import Estimate, exact, wilson_bounds
from privaudit.wording import Count, Duration, Name, Threshold, fact

_WANTED = 10
_LEAST_TRIES = 400
_MOST_TRIES = 60_000  # of one space in one encoding; ten times as many where the column name suggests it
_TINY = 10**6
_BUDGET = 400_000  # digests computed for one column at most
_FIRST_TRIES, _TRIES_PER_DIGEST = 60_000, 200  # fewer for a small table, unless it repeats a few digests
_FEW = 50
_LEAST_MATCHES = 3
_TRIES_FOR_INTERVAL = 100_000  # of the space that was found, for a narrow interval
_LEAST_SHARE = 0.1


def explain_by_spaces(columns: Sequence[Digests]) -> None:
    """Report every column of digests whose inputs come from a space small enough to try."""
    # Decimal digests are excluded: numbers match numbers by chance.
    for one in (one for one in columns if one.encoding.alphabet != "decimal"):
        drawn = set(one.values.take(one.item.column.drawn).to_pylist())
        few = len(drawn) <= _FEW
        most = _BUDGET if few else min(_BUDGET, _FIRST_TRIES + _TRIES_PER_DIGEST * len(drawn))
        best = _search(one, one.encoding.functions, drawn, most // max(1, len(columns) // 4))
        if best is not None:
            _report(one, _measure_again(one, best, drawn))


_Match = tuple[float, int, int, str, Space]


def _search(one: Digests, functions: Sequence[str], drawn: set[str], left: int) -> _Match | None:
    """Return (share reversed, tries, matches, function, space) of the smallest space that explains the most."""
    best: _Match | None = None
    for space, n_tries in _worth_trying(one, len(drawn)):
        inputs: list[bytes] = []
        for name in functions:
            if n_tries > left:
                return best
            left -= n_tries
            inputs = inputs or _inputs(space, n_tries)
            n_matches = _count_matches(inputs, name, one, drawn)
            chance = n_tries * len(drawn) * 2.0**-one.encoding.bits
            share = min(1.0, n_matches * space.size / (n_tries * len(drawn)))
            if n_matches < _LEAST_MATCHES + 5 * chance or share < _LEAST_SHARE:
                continue
            if best is None or share > 1.3 * best[0]:
                best = (share, n_tries, n_matches, name, space)
            if best[0] > 0.8:
                return best
    return best


def _worth_trying(one: Digests, n_drawn: int) -> list[tuple[Space, int]]:
    """Return the spaces that few enough tries decide, those that the column name suggests first, and the tries."""
    hinted = {hint.entity for hint in one.item.column.header.hints}
    found = []
    for space in sorted(all_spaces(), key=lambda s: (not s.entities & hinted, s.size, s.name)):
        n_tries = min(space.size, max(_LEAST_TRIES, math.ceil(_WANTED * space.size / n_drawn)))
        most = _TINY // 4 if space.size <= _TINY else _MOST_TRIES
        if n_tries <= (10 * _MOST_TRIES if space.entities & hinted else most):
            found.append((space, n_tries))
    return found


def _measure_again(one: Digests, best: _Match, drawn: set[str]) -> _Match:
    """Try more of the space that was found, or all of it where it is small."""
    _, n_tries, _, name, space = best
    n_tries = max(n_tries, min(space.size, _TRIES_FOR_INTERVAL))
    n_matches = _count_matches(_inputs(space, n_tries), name, one, drawn)
    return min(1.0, n_matches * space.size / (n_tries * len(drawn))), n_tries, n_matches, name, space


def _inputs(space: Space, n_tries: int) -> list[bytes]:
    """Return `n_tries` inputs, spread evenly over the space."""
    if n_tries == space.size:
        return list(map(space.write, range(space.size)))
    step = _step(space.size)
    return [space.write(k * step % space.size) for k in range(n_tries)]


def _count_matches(inputs: Sequence[bytes], name: str, one: Digests, drawn: set[str]) -> int:
    """Return how many of the `inputs` are among the digests."""
    make = digests.function(name)
    if one.encoding.alphabet == "hex" and one.encoding.bits % 8 == 0:
        n_bytes = int(one.encoding.bits) // 8
        wanted = frozenset(map(bytes.fromhex, drawn))
        return sum(make(text)[:n_bytes] in wanted for text in inputs)
    encode = one.encoding.encode
    return sum(encode(make(text)) in drawn for text in inputs)


def _step(size: int) -> int:
    """Return a step near the golden section of `size` and coprime to it, so that its multiples spread evenly."""
    step = int(size * 0.6180339887498949) | 1
    while math.gcd(step, size) > 1:
        step += 2
    return step


def _report(one: Digests, best: _Match) -> None:
    share, n_tries, n_matches, name, space = best
    n_drawn = len(one.item.column.drawn)
    because = fact(
        "detect.pseudonyms_hash_reversed",
        function=Name(text=name),
        inputs=Name(text=space.name),
        matches=Count(n=n_matches, unit="value"),
        tries=Threshold(value=n_tries),
        digests=Count(n=n_drawn, unit="value"),
        size=Threshold(value=space.size),
        time=Duration(seconds=space.size / RATE),
        share=_reversed_share(best, n_drawn),
    )
    people = bool(space.entities & vocabulary.with_role("direct")) or "DATE_OF_BIRTH" in space.entities
    report_hash(one.item, because, math.log2(space.size), people=people)
    one.item.ledger.measurements["hash_undone"] = round(share, 3)


def _reversed_share(best: _Match, n_drawn: int) -> Estimate:
    """Return the share of digests that trying the whole space reverses."""
    share, n_tries, n_matches, _, space = best
    if n_tries == space.size:
        return exact(share, n_drawn)
    scale = space.size / n_drawn
    low, high = (min(1.0, bound * scale) for bound in wilson_bounds(n_matches, max(n_matches, n_tries)))
    return Estimate(value=share, low=min(low, share), high=max(high, share), n=n_drawn, method="wilson")
