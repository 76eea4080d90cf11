"""Sums of real numbers over parties, of which nobody sees the numbers of one.

Question: how are the models of the parties added, and is it certain that all of them are in the sum?
Method: fixed-point numbers of 32 fractional bits modulo 2^64. With masks, the pair secrets of a joint audit cancel in
the sum of all parties. With Paillier, the parties encrypt and a key holder, who is not the one who adds, decrypts.
Every party adds 1 to a counter in the same message: a sum in which a party is missing, or which is the model of one
party, is refused.
Limits: the counter is honest where the parties are; a key holder who receives the message of one party on purpose, and
ignores the counter, can read it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from privaudit.base.arrays import Floats, Words
from privaudit.base.errors import ConfigError
from privaudit.releases.joint import masks, paillier

Sums = Literal["masks", "paillier"]
FRACTION_BITS = 32
LEAST_PARTIES = 3


def to_fixed(numbers: Floats, parties: int) -> Words:
    """Return numbers in fixed point, with the counter of parties last.

    Raises
    ------
    ConfigError
        If a number is not finite, or the sum of `parties` such numbers could overflow.
    """
    most = 2.0 ** (paillier.bits_left(parties) - 1 - FRACTION_BITS)
    if not np.isfinite(numbers).all() or (len(numbers) and float(np.abs(numbers).max()) >= most):
        raise ConfigError(
            "A weight is too large for the sum of all parties.", hint="scale the features: declare their bounds"
        )
    scaled = np.rint(numbers * 2.0**FRACTION_BITS).astype(np.int64)
    return np.append(scaled, 1).astype(np.uint64)


def to_floats(total: Words, parties: int) -> Floats:
    """Return the numbers of a sum in fixed point, after its counter was compared with the number of parties.

    Raises
    ------
    ConfigError
        If the counter differs: a party is missing, or the message is that of one party.
    """
    if int(total[-1]) != parties:
        raise ConfigError(
            f"The sum does not contain each of the {parties} parties once.",
            hint="pass the sum of all parties, never the message of one",
        )
    return total[:-1].astype(np.int64).astype(np.float64) / 2.0**FRACTION_BITS


class MaskedSum:
    """Sums by masks that cancel in the sum of all parties.

    Parameters
    ----------
    parties : sequence of str
    """

    def __init__(self, parties: Sequence[str]) -> None:
        self._parties = tuple(parties)
        # Each key belongs to its party; a deployment keeps it there and exchanges the public one.
        self._private = {party: masks.new_private() for party in parties}
        self._public = {party: masks.public_of(key) for party, key in self._private.items()}
        self._context = hashlib.sha256(b"".join(self._public.values())).digest()

    def message(self, party: str, numbers: Floats, number: int) -> Words:
        """Return the masked numbers of a party; each round has masks of its own."""
        fixed = to_fixed(numbers, len(self._parties))
        context = self._context + number.to_bytes(8, "big")
        return fixed + masks.masks(self._private[party], party, self._public, context, len(fixed))

    def total(self, messages: Mapping[str, npt.NDArray[Any]], n: int) -> Floats:
        """Return the sum of all parties.

        Raises
        ------
        ConfigError
            If a party is missing: its masks do not cancel.
        """
        if set(messages) != set(self._parties):
            raise ConfigError("A party sent no message: the masks do not cancel.", hint="start the round again")
        summed: Words = np.stack(list(messages.values())).sum(axis=0, dtype=np.uint64)
        return to_floats(summed, len(self._parties))


class KeyHolder:
    """Holds the private key and decrypts sums; the one who adds does not have it."""

    def __init__(self, key: paillier.PrivateKey | None = None) -> None:
        self._key = key or paillier.generate()
        self.public = self._key.public

    def open(self, ciphertexts: paillier.Ciphertexts, n: int, parties: int) -> Floats:
        """Return the sum of all parties.

        Raises
        ------
        ConfigError
            If the ciphertexts are not the sum of all parties.
        """
        fixed = self._key.decrypt(ciphertexts, n + 1)
        fixed[:-1] -= np.uint64(parties * _offset(parties))
        return to_floats(fixed, parties)


def _offset(parties: int) -> int:
    """Return what makes every number of a party positive in its slot."""
    return 1 << (paillier.bits_left(parties) - 1)


class EncryptedSum:
    """Sums by Paillier encryption under the key of a key holder."""

    def __init__(self, parties: Sequence[str], holder: KeyHolder) -> None:
        self._parties, self._holder = tuple(parties), holder

    def message(self, party: str, numbers: Floats, number: int) -> paillier.Ciphertexts:
        """Return the encrypted numbers of a party."""
        fixed = to_fixed(numbers, len(self._parties))
        fixed[:-1] += np.uint64(_offset(len(self._parties)))
        return self._holder.public.encrypt(fixed, len(self._parties))

    def add(self, messages: Mapping[str, npt.NDArray[Any]]) -> paillier.Ciphertexts:
        """Return the encrypted sum, without any key."""
        return self._holder.public.add(list(messages.values()))

    def total(self, messages: Mapping[str, npt.NDArray[Any]], n: int) -> Floats:
        """Return the sum of all parties, which the key holder decrypts."""
        return self._holder.open(self.add(messages), n, len(self._parties))


SecureSum = MaskedSum | EncryptedSum
"""A way to add the arrays of all parties."""
