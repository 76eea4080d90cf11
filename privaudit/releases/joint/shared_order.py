"""An order that all silos know and the combiner does not: sums are added without showing whose they are.

Question: how does the combiner add the counts of a combination that only one silo has, without knowing which of the
sums it is?
Method: all silos put the counts of each set into the random order that a seed gives (ChaCha20), so that a sum has no
key. With a shared key, the seed follows from the key and the union. With double masking, the first silo of the plan
draws it, and adds it to the message of each other silo when it masks this message, encrypted with the secret of the
pair.
Limits: every silo knows the order. The combiner learns it if one silo discloses it.
"""

from __future__ import annotations

import hashlib
import hmac

import numpy as np

from privaudit.base.arrays import Words
from privaudit.base.errors import ConfigError
from privaudit.releases.joint import masks
from privaudit.releases.joint.message import Message, digest_of
from privaudit.releases.joint.secret import Secret

_SEED_WORDS = 4
_CONTEXT = b"privaudit joint order\0"


def sealed_seed(secret: Secret, public: bytes) -> str:
    """Return the seed of the first silo, encrypted for the silo that has a public key."""
    return (_own_seed(secret) + _pad(secret, public)).tobytes().hex()


def seed_of(union: Message, secret: Secret, key: bytes | None) -> bytes:
    """Return the seed of the order.

    Raises
    ------
    ConfigError
        If it was not encrypted for this silo.
    """
    if key is not None:
        return hmac.digest(key, _CONTEXT + digest_of(union).encode(), "sha256")
    first = union.plan.silos[0]
    if secret.silo == first:
        return _own_seed(secret).tobytes()
    party = union.stated["silos"]
    content = bytes.fromhex(party[secret.silo]["order"])
    if len(content) != 8 * _SEED_WORDS:
        raise ConfigError(f"The union has no order from {first} for {secret.silo}.", hint="combine the union again")
    pad = _pad(secret, bytes.fromhex(party[first]["public"]))
    return (np.frombuffer(content, dtype="<u8") - pad).astype("<u8").tobytes()


def name_of(seed: bytes) -> str:
    """Return what silos compare to know that they have the same seed; it does not disclose the seed."""
    return hashlib.sha256(_CONTEXT + seed).hexdigest()


def _own_seed(secret: Secret) -> Words:
    return masks.stream(bytes.fromhex(secret.seed), b"seed of the order", _SEED_WORDS)


def _pad(secret: Secret, other: bytes) -> Words:
    # Another text than that of the masks of this pair: no part of a stream is used twice.
    return masks.stream(masks.exchange(bytes.fromhex(secret.private), other), b"seed for a silo", _SEED_WORDS)
