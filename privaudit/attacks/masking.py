"""Masking: values behind hashes are found by trying all that the column can hold.

Question: how many hashes of a column can be reversed within a stated number of tries?
Method: the spaces of inputs that the column suggests (phone numbers, dates, identifiers, lists of names) are tried one
after the other, spread evenly, with the functions that make digests of that length, in hexadecimal (UUIDs, too) or
base64, and the usual salts before and after the value; a space without a match, where several were to be expected, is
left. Control: as many random digests, of which none should be found.
Limits: at most `BUDGET` tries for a column, a larger budget finds more; no column of more than `MOST_DIGESTS` is tried.
Tries are counted, not timed. Of digests that were cut, some are found by chance; the bound is stated. A keyed hash
(HMAC) with a secret key resists. The values found are counted and forgotten.

References
----------
.. [1] EDPB Guidelines 01/2025 on pseudonymisation.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING

import numpy as np

from privaudit.attacks.inputs import AttackInputs, AttackResults
from privaudit.detect.pseudonyms import digests
from privaudit.detect.pseudonyms.brute_force import Space, all_spaces, spread
from privaudit.detect.pseudonyms.digests import Encoding
from privaudit.model import Attack, ColumnReport, MeasuredDetail, limit
from privaudit.model.advantage import against_control
from privaudit.model.stats import wilson
from privaudit.model.wording import Columns, Count, Name, Number, Share, Threshold, fact

if TYPE_CHECKING:
    import pyarrow as pa

BUDGET = 3_000_000
"""Hashes computed for one column at most."""
MOST_DIGESTS = 100_000
EXPECTED = 12
"""Matches that a space should give before it is left: none of them by chance is as likely as one in 160,000."""
NESTED = "nested"
_UUID = "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$"


@dataclass(frozen=True, slots=True)
class Try:
    """One way to make digests: a space, a function, and what is hashed with the value."""

    space: Space
    function: str
    salt: bytes = b""
    place: str = "none"

    def digest(self, make: digests.Hash, text: bytes) -> bytes:
        """Return the digest of one input."""
        if self.place == NESTED:
            return make(make(text).hex().encode())
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
    """Try to reverse every column of digests."""
    attacks, limits = [], []
    for column in () if inputs.is_headline else inputs.columns:
        encoding, values = _digests(inputs, column)
        if encoding is None:
            continue
        if len(values) > MOST_DIGESTS:
            name, most = Columns(names=(column.name,)), Threshold(value=MOST_DIGESTS)
            limits.append(limit("attacks.too_many_digests", incomplete=True, column=name, most=most))
            continue
        inputs.progress("trying inputs of hashes", None)
        salts = (column.name.encode(), PurePath(inputs.release.name).stem.encode(), b"salt")
        hinted = frozenset() if column.is_ is None else frozenset({column.is_.entity})
        found = undo(set(values.to_pylist()), encoding, salts, hinted, inputs.settings.seed)
        attacks.append(_attack(column, found, encoding))
    return AttackResults(tuple(attacks), tuple(limits))


def _digests(inputs: AttackInputs, column: ColumnReport) -> tuple[Encoding | None, pa.Array]:
    """Return how the digests of a column are written, None where its cells are not digests, and the digests."""
    import pyarrow.compute as pc

    values = inputs.release.frequencies(column.name).values
    if len(values) < 2 or column.data_type not in ("text", "string"):
        return None, values
    lengths = pc.utf8_length(values)
    length = pc.min(lengths).as_py()
    if length != pc.max(lengths).as_py():
        return None, values

    def share(expression: str) -> float:
        return float(pc.mean(pc.match_substring_regex(values, expression).cast("int8")).as_py())

    if share(_UUID) == 1:
        values = pc.replace_substring(values, "-", "")
        length = pc.utf8_length(values[0]).as_py()
    encoding = None
    if share("^[0-9a-fA-F]+$") == 1:
        encoding = digests.hexadecimal(length, has_letters=share("[a-fA-F]") >= 0.5)
    elif share(digests.BASE64) == 1 and min(map(share, ("[a-z]", "[A-Z]", "[0-9]"))) >= 0.9:
        encoding = digests.base64_text(length)
    return encoding, values if encoding is None else pc.unique(encoding.canonical(values))


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
    control = {encoding.encode(hashlib.sha512(random.bytes(16)).digest()) for _ in values}
    left, best = budget, (set[str](), set[str](), None)
    for way in _ways(encoding, salts, hinted):
        found, chance, used = _enumerate(way, encoding, values, control, left)
        left -= used
        if len(found) > len(best[0]):
            best = found, chance, way  # type: ignore[assignment]
        if left <= 0 or len(best[0]) > 0.9 * len(values):
            break
    return Undone(len(values), len(best[0]), len(best[1]), budget - left, best[2])


def _ways(encoding: Encoding, salts: tuple[bytes, ...], hinted: frozenset[str]) -> Iterator[Try]:
    """Yield what is tried: spaces that the column suggests first, small ones first, without a salt first."""
    spaces = sorted(all_spaces(), key=lambda space: (not space.entities & hinted, space.size, space.name))
    for place, salt in (("none", b""), *((p, s) for s in salts for p in ("before", "after")), (NESTED, b"")):
        for space in spaces:
            for function in encoding.functions:
                yield Try(space, function, salt, place)


def _enumerate(
    way: Try, encoding: Encoding, values: set[str], control: set[str], left: int
) -> tuple[set[str], set[str], int]:
    """Try the inputs of a space until all are tried, the budget is spent or matches that should be there are not."""
    make = digests.function(way.function)
    enough = min(way.space.size, -(-EXPECTED * way.space.size // len(values)))
    if enough > left:
        return set(), set(), 0
    found, chance = _matches(way, make, encoding, (values, control), range(enough))
    tried = enough
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


def _attack(column: ColumnReport, undone: Undone, encoding: Encoding) -> Attack:
    success, control = wilson(undone.n_found, undone.n), wilson(undone.n_control, undone.n)
    by_chance = undone.tried * undone.n / 2.0**encoding.bits
    name = Columns(names=(column.name,))
    found = Count(n=undone.n_found, of=undone.n, unit="value")
    if undone.best is None or not undone.n_found:
        outcome = fact("attacks.masking_outcome_none", column=name, tried=Threshold(value=undone.tried))
    else:
        outcome = fact(
            "attacks.masking_outcome",
            column=name,
            found=found,
            inputs=Name(text=undone.best.space.name),
            function=Name(text=undone.best.function),
            tried=Threshold(value=undone.tried),
        )
    return Attack(
        kind="masking",
        knowledge=(column.name,),
        attacker=fact("attacks.masking_attacker", column=name),
        outcome=outcome,
        n_targets=undone.n,
        baseline=0.0,
        **against_control(success, control),
        assumptions=(fact("attacks.random_digests"),),
        detail=MeasuredDetail(
            method="enumeration",
            secrets=(column.name,),
            measures={
                "hashes_tried": Number(value=undone.tried),
                "found_by_chance": Share(value=min(1.0, by_chance / undone.n), of=undone.n),
            },
        ),
    )
