"""An order that all silos know and the combiner does not: sums are added without showing whose they are.

Question: how does the combiner add the counts of a combination that only one silo has, without knowing which of the
sums it is?
Method: the first silo of the plan draws a seed and sends it to each other silo, encrypted with the secret of the pair.
All silos put the counts of each set into the random order that the seed gives (ChaCha20), so that a sum has no key.
Limits: every silo knows the order. The combiner learns it if one silo discloses it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

import numpy as np

from privaudit.base.errors import ConfigError
from privaudit.releases.joint import masks
from privaudit.releases.joint.secret import Secret
from privaudit.releases.joint.start import Audit

_SEED_WORDS = 4


def seeds_for_others(audit: Audit, secret: Secret) -> dict[str, str]:
    """Return the encrypted seed for each other silo, where this silo is the first of the plan; otherwise nothing."""
    first, *others = audit.plan.silos
    if secret.silo != first:
        return {}
    seed = _own_seed(audit, secret)
    return {silo: (seed + _pad(audit, secret, silo)).tobytes().hex() for silo in others}


def seed_of(audit: Audit, secret: Secret, sealed: Mapping[str, str]) -> bytes:
    """Return the seed of the order.

    Raises
    ------
    ConfigError
        If it was not encrypted for this silo.
    """
    first = audit.plan.silos[0]
    if secret.silo == first:
        return _own_seed(audit, secret).tobytes()
    content = bytes.fromhex(sealed.get(secret.silo, ""))
    if len(content) != 8 * _SEED_WORDS:
        raise ConfigError(f"The union has no order from {first} for {secret.silo}.", hint="combine the union again")
    return (np.frombuffer(content, dtype="<u8") - _pad(audit, secret, first)).astype("<u8").tobytes()


def name_of(seed: bytes) -> str:
    """Return what silos compare to know that they have the same seed; it does not disclose the seed."""
    return hashlib.sha256(b"privaudit joint order\0" + seed).hexdigest()


def _own_seed(audit: Audit, secret: Secret) -> masks.Words:
    return masks.stream(bytes.fromhex(secret.seed), b"seed of the order\0" + audit.number.encode(), _SEED_WORDS)


def _pad(audit: Audit, secret: Secret, other: str) -> masks.Words:
    pair = masks.exchange(bytes.fromhex(secret.private), audit.publics[other])
    # Another text than that of the masks of this pair: no part of a stream is used twice.
    return masks.stream(pair, b"seed for a silo\0" + audit.number.encode(), _SEED_WORDS)
