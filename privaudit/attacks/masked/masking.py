"""Masking: values behind hashes are found by trying all that the column can hold.

Question: how many hashes of a column can be reversed within a stated number of tries?
Method: encodings are undone first, which costs no tries (`attacks.masked.written_digests`). The spaces of inputs
that the column suggests (phone numbers, dates, identifiers, lists of names) are tried, spread evenly, with the
functions that make digests of that length, in hexadecimal (UUIDs, too) or base64, complete or truncated, hashed once or
twice, and the usual salts before and after the value; what needs the fewest tries first. A space without a match, where
several were to be expected, is left. Control: as many random digests, of which none should be found.
Limits: at most `BUDGET` tries for a column, a larger budget finds more; no column of more than `MOST_DIGESTS` is tried.
Tries are counted, not timed. Of digests that were cut, some are found by chance; the bound is stated. A keyed hash
(HMAC) with a secret key resists. The values found are counted and forgotten.

References
----------
.. [1] EDPB Guidelines 01/2025 on pseudonymisation.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Sequence
from itertools import product
from pathlib import PurePath

import numpy as np

from privaudit.attacks.inputs import AttackInputs, AttackResults
from privaudit.attacks.masked.written_digests import Written, decodes_by_chance, read_written
from privaudit.base.records import dataclass
from privaudit.detect.pseudonyms import digests
from privaudit.detect.pseudonyms.brute_force import Space, all_spaces, spread
from privaudit.detect.pseudonyms.digests import Encoding
from privaudit.model import Attack, ColumnReport, MeasuredDetail, limit
from privaudit.model.advantage import against_control
from privaudit.model.stats import wilson
from privaudit.model.wording import Columns, Count, Fact, Listing, Name, Number, Share, Term, Threshold, fact

BUDGET = 3_000_000
"""Hashes computed for one column at most."""
MOST_DIGESTS = 100_000
EXPECTED = 12
"""Matches that a space should give before it is left: none of them by chance is as likely as one in 160,000."""
NESTED: dict[str, Callable[[bytes], bytes]] = {
    "of hexadecimal": lambda digest: digest.hex().encode(),
    "of bytes": lambda digest: digest,
    "of base64": base64.b64encode,
}
"""How a digest is written that is hashed once more."""


@dataclass(frozen=True, slots=True)
class Try:
    """One way to make digests: a space, a function, and what is hashed with the value."""

    space: Space
    function: str
    salt: bytes = b""
    place: str = "none"

    def digest(self, make: digests.Hash, text: bytes) -> bytes:
        """Return the digest of one input."""
        if self.place in NESTED:
            return make(NESTED[self.place](make(text)))
        return make(self.salt + text if self.place == "before" else text + self.salt)


@dataclass(frozen=True, slots=True)
class Undone:
    """How many of `n` digests were found after `tried` hashes, and how many random digests."""

    n: int
    n_found: int
    n_control: int
    tried: int
    best: Try | None


def simulate_masking(inputs: AttackInputs) -> AttackResults:
    """Undo the encodings of every masked column, and try to reverse its digests."""
    attacks, limits = [], []
    for column in () if inputs.is_headline else inputs.columns:
        cells = inputs.release.frequencies(column.name).values
        written = read_written(cells) if len(cells) > 1 and column.data_type in ("text", "string") else None
        if written is None:
            continue
        if written.encoding is None:
            attacks.append(_decoded(column, cells.to_pylist(), written, inputs.settings.seed))
            continue
        if len(written.values) > MOST_DIGESTS:
            name, most = Columns((column.name,)), Threshold(MOST_DIGESTS)
            limits.append(limit("attacks.too_many_digests", incomplete=True, column=name, most=most))
            continue
        inputs.progress("trying inputs of hashes", None)
        salts = (column.name.encode(), PurePath(inputs.release.name).stem.encode(), b"salt")
        hinted = frozenset() if column.is_ is None else frozenset({column.is_.entity})
        found = undo(set(written.values.to_pylist()), written.encoding, salts, hinted, inputs.settings.seed)
        attacks.append(_attack(column, found, written))
    return AttackResults(tuple(attacks), tuple(limits))


def undo(
    values: set[str],
    encoding: Encoding,
    salts: tuple[bytes, ...] = (),
    hinted: frozenset[str] = frozenset(),
    seed: int = 0,
    budget: int = BUDGET,
) -> Undone:
    """Return how many digests are found by trying inputs.

    Parameters
    ----------
    values : set of str
        The digests as `encoding` writes them.
    salts : tuple of bytes
        What may have been hashed with the value.
    hinted : frozenset of str
        Entity types whose spaces are tried first.
    budget : int
        Hashes computed at most.
    """
    random = np.random.default_rng(seed)
    # As many digests of inputs that nobody can try: what is found among them is found by chance.
    control = {encoding.encode(hashlib.sha512(random.bytes(16)).digest()) for _ in values}
    left, best = budget, (set[str](), set[str](), None)
    for way in _ways(encoding, salts, hinted, len(values)):
        found, chance, used = _enumerate(way, encoding, values, control, left)
        left -= used
        if len(found) > len(best[0]):
            best = found, chance, way  # type: ignore[assignment]
        # The rest are other inputs, or damaged; a further space would cost the budget and find no more people.
        if left <= 0 or len(best[0]) > 0.9 * len(values):
            break
    return Undone(len(values), len(best[0]), len(best[1]), budget - left, best[2])


def _ways(encoding: Encoding, salts: tuple[bytes, ...], hinted: frozenset[str], n: int) -> list[Try]:
    """Return what is tried: plain inputs of spaces that the column suggests first, then what needs the fewest tries.

    Nested hashes and salts are less likely than plain hashes, so their tries count twice, three times, ... : neither a
    large space of plain inputs nor a small one with a salt uses up the budget.
    """
    salted = ((place, salt) for salt in salts for place in ("before", "after"))
    places = [("none", b""), *((nested, b"") for nested in NESTED), *salted]

    def order(item: tuple[int, Space]) -> tuple[bool, int, str]:
        rank, space = item
        return rank > 0 or not space.entities & hinted, (1 + rank) * _enough(space, n), space.name

    pairs = sorted(product(range(len(places)), all_spaces()), key=order)
    ways = ((space, *places[rank]) for rank, space in pairs)
    return [Try(space, function, salt, place) for space, place, salt in ways for function in encoding.functions]


def _enough(space: Space, n: int) -> int:
    """Return how many inputs are tried before a space without a match is left."""
    return min(space.size, -(-EXPECTED * space.size // n))


def _enumerate(
    way: Try, encoding: Encoding, values: set[str], control: set[str], left: int
) -> tuple[set[str], set[str], int]:
    """Try the inputs of a space until all are tried, the budget is spent or matches that should be there are not."""
    make = digests.function(way.function)
    enough = _enough(way.space, len(values))
    # A part of the tries that a space needs proves nothing, so they are left to a smaller space.
    if enough > left:
        return set(), set(), 0
    found, chance = _matches(way, make, encoding, (values, control), range(enough))
    tried = enough
    # Only a space that matches more than chance does is tried to its end.
    if len(found) > EXPECTED // 4 + 4 * len(chance) or enough == way.space.size:
        rest = min(way.space.size, left)
        more, more_chance = _matches(way, make, encoding, (values, control), range(enough, rest))
        found, chance, tried = found | more, chance | more_chance, rest
    return found, chance, tried


def _matches(
    way: Try, make: Callable[[bytes], bytes], encoding: Encoding, known: tuple[set[str], set[str]], numbers: range
) -> tuple[set[str], set[str]]:
    found: tuple[set[str], set[str]] = (set(), set())
    for text in spread(way.space, numbers):
        digest = encoding.encode(way.digest(make, text))
        for texts, matched in zip(known, found, strict=True):
            if digest in texts:
                matched.add(digest)
    return found


def _layers(written: Written) -> tuple[Fact, ...]:
    """Return which encodings were undone first, the outer one first."""
    if not written.layers:
        return ()
    names = Listing(tuple(Term(f"encoding.{layer}") for layer in written.layers))
    return (fact("attacks.decoded_first", encodings=names),)


def _decoded(column: ColumnReport, cells: Sequence[str], written: Written, seed: int) -> Attack:
    """Return the attack on a column whose cells are values in an encoding, and no hashes."""
    n = len(cells)
    name, success = Columns((column.name,)), wilson(n, n)
    control = wilson(decodes_by_chance(cells, written.layers[0], seed), n)
    return Attack(
        kind="masking",
        knowledge=(column.name,),
        attacker=fact("attacks.decoding_attacker", column=name),
        outcome=fact("attacks.decoding_outcome", column=name, found=Count(n, of=n, unit="value")),
        baseline=0.0,
        **against_control(success, control),
        assumptions=(fact("attacks.random_cells"), *_layers(written)),
        detail=MeasuredDetail(method="decoding", secrets=(column.name,)),
    )


def _attack(column: ColumnReport, undone: Undone, written: Written) -> Attack:
    assert written.encoding is not None, "a column of digests"
    success, control = wilson(undone.n_found, undone.n), wilson(undone.n_control, undone.n)
    # A cut digest matches a wrong input once in 2^bits tries; the report states how many that explains.
    by_chance = undone.tried * undone.n / 2.0**written.encoding.bits
    name = Columns((column.name,))
    found = Count(undone.n_found, of=undone.n, unit="value")
    if undone.best is None or not undone.n_found:
        outcome = fact("attacks.masking_outcome_none", column=name, tried=Threshold(undone.tried))
    else:
        outcome = fact(
            "attacks.masking_outcome",
            column=name,
            found=found,
            inputs=Name(undone.best.space.name),
            function=Name(undone.best.function),
            tried=Threshold(undone.tried),
        )
    return Attack(
        kind="masking",
        knowledge=(column.name,),
        attacker=fact("attacks.masking_attacker", column=name),
        outcome=outcome,
        baseline=0.0,
        **against_control(success, control),
        assumptions=(fact("attacks.random_digests"), *_layers(written)),
        detail=MeasuredDetail(
            method="enumeration",
            secrets=(column.name,),
            measures={
                "hashes_tried": Number(undone.tried),
                "found_by_chance": Share(min(1.0, by_chance / undone.n), of=undone.n),
            },
        ),
    )
