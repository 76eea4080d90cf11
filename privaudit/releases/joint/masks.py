"""Masks that cancel in the sum of all parties, and in no other sum.

Question: how does a party add its numbers to a sum without disclosing them?
Method: each pair of parties agrees on a secret by X25519; HKDF-SHA-256 binds it to the context, and ChaCha20 expands it
to one number modulo 2^64 for each entry. The first party of a pair adds the numbers, the second subtracts them
(Bonawitz et al. 2017, Practical Secure Aggregation, without recovery of parties that drop out).
Limits: all parties must send; those who collude with all others but one learn the numbers of that one. A secret is used
for one context once.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping

import numpy as np

from privaudit.base.arrays import Ints, Words
from privaudit.base.errors import ConfigError
from privaudit.base.extras import JOINT, needing

KEY_BYTES = 32


def new_private() -> bytes:
    """Return a random private key."""
    return secrets.token_bytes(KEY_BYTES)


def public_of(private: bytes) -> bytes:
    """Return the public key that belongs to a private key."""
    with needing(JOINT, "Masking by pair secrets"):
        from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
    return bytes(X25519PrivateKey.from_private_bytes(private).public_key().public_bytes_raw())


def exchange(private: bytes, public: bytes) -> bytes:
    """Return X25519(private, public).

    Raises
    ------
    ConfigError
        If the public key is one of the points of small order, which would make the secret known.
    """
    with needing(JOINT, "Masking by pair secrets"):
        from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
    try:
        return bytes(X25519PrivateKey.from_private_bytes(private).exchange(X25519PublicKey.from_public_bytes(public)))
    except ValueError:
        raise ConfigError("A public key is not valid.", hint="ask the silo to send its keys again") from None


def masks(private: bytes, own: str, publics: Mapping[str, bytes], context: bytes, n: int) -> Words:
    """Return the sum of the masks of one party with all others, modulo 2^64.

    Parameters
    ----------
    private : bytes
        The private key of the party `own`.
    publics : mapping of party to public key
        All parties, in an order that all of them share.
    context : bytes
        What the masks are for; another context gives independent masks.
    n : int
        Entries.

    Returns
    -------
    uint64 array of shape (n,); over all parties the arrays sum to 0 modulo 2^64
    """
    order = list(publics)
    total = np.zeros(n, dtype=np.uint64)
    for other in order:
        if other == own:
            continue
        mask = stream(exchange(private, publics[other]), context, n)
        total = total + mask if order.index(own) < order.index(other) else total - mask
    return total


def stream(secret: bytes, context: bytes, n: int) -> Words:
    """Return n random numbers modulo 2^64, which only those can compute who have the secret."""
    from cryptography.hazmat.primitives.ciphers import Cipher
    from cryptography.hazmat.primitives.ciphers.algorithms import ChaCha20
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    key = HKDF(algorithm=SHA256(), length=32, salt=None, info=b"privaudit masks\0" + context).derive(secret)
    # The key is used for one stream, so that the nonce may be constant.
    content = Cipher(ChaCha20(key, b"\0" * 16), mode=None).encryptor().update(b"\0" * (8 * n))
    return np.frombuffer(content, dtype="<u8").astype(np.uint64)


def order(secret: bytes, context: bytes, n: int) -> Ints:
    """Return a random order of n places, which only those can compute who have the secret."""
    return np.argsort(stream(secret, context, n), kind="stable")
