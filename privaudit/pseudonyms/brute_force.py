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
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from privaudit import vocabulary
from privaudit.pseudonyms import digests
from privaudit.pseudonyms.column_hashes import RATE, Digests, report_hash
from privaudit.pseudonyms.spaces import Space, all_spaces
from privaudit.stats import Estimate, exact, wilson_bounds
from privaudit.wording import Count, Duration, Name, Threshold, fact

_WANTED = 10  # matches: five may be missing by chance, all ten are not
_LEAST_MATCHES = 3  # beyond chance
_LEAST_SHARE = 0.1  # of the digests: fewer are not what the column holds
_CLEARLY_MORE, _NEARLY_ALL = 1.3, 0.8  # factor on the share of a smaller space; share that ends the search
_LEAST_TRIES = 400  # of a space
_MOST_TRIES = 60_000  # of one space by one function; ten times as many where the column name suggests the space
_MOST_OF_SMALL = 250_000  # of a space of a million inputs at most: running numbers
_BUDGET = 400_000  # digests computed for one column at most: half a second
_FEWER, _FOR_EACH = 60_000, 200  # a small table takes less time, unless it repeats `_FEW` digests
_FEW = 50
_TRIES_FOR_INTERVAL = 100_000  # of the space that was found: the interval is a tenth of that of `_WANTED` matches


@dataclass(frozen=True, slots=True)
class _Match:
    """How many of `n_tries` inputs of a space are among `n_digests` digests of a function."""

    space: Space
    function: str
    n_tries: int
    n_matches: int
    n_digests: int

    @property
    def share(self) -> float:
        """The share of the digests that trying the whole space reverses."""
        return min(1.0, self.n_matches * self.space.size / (self.n_tries * self.n_digests))

    @property
    def estimate(self) -> Estimate:
        """The share with its interval; exact where the whole space was tried."""
        if self.n_tries == self.space.size:
            return exact(self.share, self.n_digests)
        scale, n = self.space.size / self.n_digests, max(self.n_matches, self.n_tries)
        low, high = (min(1.0, bound * scale) for bound in wilson_bounds(self.n_matches, n))
        low, high = min(low, self.share), max(high, self.share)
        return Estimate(value=self.share, low=low, high=high, n=self.n_digests, method="wilson")


def explain_by_spaces(columns: Sequence[Digests]) -> None:
    """Report every column of digests whose inputs come from a space small enough to try."""
    # Decimal digests are excluded: numbers match numbers by chance.
    for one in (one for one in columns if one.encoding.alphabet != "decimal"):
        drawn = set(one.values.take(one.item.column.drawn).to_pylist())
        budget = _BUDGET if len(drawn) <= _FEW else min(_BUDGET, _FEWER + _FOR_EACH * len(drawn))
        best = _search(one, drawn, budget // max(1, len(columns) // 4))
        if best is not None:
            n_tries = max(best.n_tries, min(best.space.size, _TRIES_FOR_INTERVAL))
            _report(one, _try(one, best.space, best.function, _inputs(best.space, n_tries), drawn))


def _search(one: Digests, drawn: set[str], left: int) -> _Match | None:
    """Return the match with the smallest space that explains the most."""
    best: _Match | None = None
    for space, n_tries in _worth_trying(one, len(drawn)):
        inputs = _inputs(space, n_tries) if n_tries <= left else []
        for name in one.encoding.functions:
            if n_tries > left:
                return best
            left -= n_tries
            match = _try(one, space, name, inputs, drawn)
            chance = n_tries * len(drawn) * 2.0**-one.encoding.bits
            if match.n_matches < _LEAST_MATCHES + 5 * chance or match.share < _LEAST_SHARE:
                continue
            if best is None or match.share > _CLEARLY_MORE * best.share:
                best = match
            if best.share > _NEARLY_ALL:
                return best
    return best


def _worth_trying(one: Digests, n_drawn: int) -> Iterator[tuple[Space, int]]:
    """Yield the spaces that few enough tries decide, those that the column name suggests first, and the tries."""
    hinted = {hint.entity for hint in one.item.column.header.hints}
    for space in sorted(all_spaces(), key=lambda s: (not s.entities & hinted, s.size, s.name)):
        n_tries = min(space.size, max(_LEAST_TRIES, math.ceil(_WANTED * space.size / n_drawn)))
        most = 10 * _MOST_TRIES if space.entities & hinted else _MOST_OF_SMALL if space.size <= 10**6 else _MOST_TRIES
        if n_tries <= most:
            yield space, n_tries


def _inputs(space: Space, n_tries: int) -> list[bytes]:
    """Return `n_tries` inputs, spread evenly over a space."""
    step = 1 if n_tries == space.size else _step(space.size)
    return [space.write(k * step % space.size) for k in range(n_tries)]


def _try(one: Digests, space: Space, name: str, inputs: Sequence[bytes], drawn: set[str]) -> _Match:
    """Hash inputs of a space and count those that are among the digests."""
    make = digests.function(name)
    n_matches = sum(one.encoding.encode(make(text)) in drawn for text in inputs)
    return _Match(space, name, len(inputs), n_matches, len(drawn))


def _step(size: int) -> int:
    """Return a step near the golden section of `size` and coprime to it, so that its multiples spread evenly."""
    step = int(size * (math.sqrt(5) - 1) / 2) | 1
    while math.gcd(step, size) > 1:
        step += 2
    return step


def _report(one: Digests, match: _Match) -> None:
    space = match.space
    because = fact(
        "detect.pseudonyms_hash_reversed",
        function=Name(text=match.function),
        inputs=Name(text=space.name),
        matches=Count(n=match.n_matches, unit="value"),
        tries=Threshold(value=match.n_tries),
        digests=Count(n=match.n_digests, unit="value"),
        size=Threshold(value=space.size),
        time=Duration(seconds=space.size / RATE),
        share=match.estimate,
    )
    people = bool(space.entities & vocabulary.with_role("direct")) or "DATE_OF_BIRTH" in space.entities
    report_hash(one.item, because, math.log2(space.size), people=people)
    one.item.ledger.measurements["hash_undone"] = round(match.share, 3)
