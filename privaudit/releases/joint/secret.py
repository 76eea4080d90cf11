"""What a silo keeps to itself between the rounds of a joint audit, and which keys it has used.

Question: how does the second round know the random numbers of the first, and was a key used before?
Method: a file of mode 0600, which the second round deletes. The first use of a key makes a file next to it, named by a
hash of the silo and the plan.
Limits: a copy that someone made before it was deleted can be used again. The file next to a key protects from an
oversight, not from somebody who deletes it or copies the key to another folder.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from pathlib import Path

import numpy as np

from privaudit.advice.technique.key_file import read_key, write_secret
from privaudit.base.errors import ConfigError
from privaudit.base.records import dataclass
from privaudit.base.typed import convert, plain
from privaudit.model.headers import shown_file
from privaudit.releases.joint.plan import JointPlan
from privaudit.releases.privacy import noise

SECRET_BYTES = 32
DUMMY_SCALE = 5
"""One combination more in a set changes the probability of each number of keys by at most a factor exp(1/5), ..."""
DUMMY_FAILURE = 1e-6
"""... except with this probability."""
_DRAWN = ("private", "scalar", "closing", "seed")
START_AGAIN = "start again with joint keys, in all silos"


@dataclass(frozen=True, slots=True, kw_only=True)
class Secret:
    """The random numbers of a silo: used for one audit, then deleted. Bytes are written in hexadecimal digits.

    Attributes
    ----------
    plan : str
        Fingerprint of the plan.
    private : str
        X25519 key of the pair secrets.
    scalar, closing : str
        X25519 keys of double masking: the first masks the own keys before others see them, the second completes them.
        Keys of others are masked by both.
    seed : str
        Seed of the order in which the keys were sent, and in the first silo of the order of the sums.
    dummies : tuple of int
        Keys of the first round without a combination, for each set of the plan.
    """

    silo: str
    plan: str
    private: str
    scalar: str
    closing: str
    seed: str
    dummies: tuple[int, ...]

    @classmethod
    def new(cls, silo: str, plan: JointPlan) -> Secret:
        """Return new random numbers of a silo.

        Raises
        ------
        ConfigError
            If the silo is not in the plan.
        """
        if silo not in plan.silos:
            raise ConfigError(f"{silo} is not a silo of the plan.", hint=f"silos: {', '.join(plan.silos)}")
        drawn = {name: secrets.token_hex(SECRET_BYTES) for name in _DRAWN}
        return cls(silo=silo, plan=plan.fingerprint, dummies=_numbers_of_dummies(len(plan.sets)), **drawn)

    def write(self, path: Path) -> None:
        """Write the secret to a new file with mode 0600."""
        write_secret(path, json.dumps(plain(self)).encode())

    @classmethod
    def read(cls, path: Path) -> Secret:
        """Return the secret in a file.

        Raises
        ------
        ConfigError
        """
        if not path.exists():
            raise ConfigError(
                "The secret of the first round does not exist; it is deleted when it was used, because masks that are "
                "used twice disclose counts.",
                hint=START_AGAIN,
            )
        try:
            secret: Secret = convert(json.loads(read_key(path)), cls)
            if any(len(bytes.fromhex(getattr(secret, name))) != SECRET_BYTES for name in _DRAWN):
                raise ValueError("length")
        except (ValueError, KeyError, TypeError, RecursionError):
            raise ConfigError(
                "The secret file was not written by joint keys of this version.", hint=START_AGAIN
            ) from None
        return secret

    def check(self, plan: JointPlan) -> None:
        """Raise `ConfigError` where the secret belongs to another plan."""
        if self.plan != plan.fingerprint:
            raise ConfigError("The secret belongs to another plan.", hint=START_AGAIN)


def _numbers_of_dummies(n_sets: int) -> tuple[int, ...]:
    """Return how many keys without a combination a silo adds to each set: discrete Laplace noise around a mean.

    The mean is the distance that the noise exceeds with the probability `DUMMY_FAILURE`; there the number is cut at 0.
    """
    mean = noise.laplace_tail(DUMMY_SCALE, 1 - 2 * DUMMY_FAILURE)
    return tuple(np.maximum(mean + noise.discrete_laplace(DUMMY_SCALE, n_sets), 0).tolist())


def forget(secret: Path) -> None:
    """Delete the secret of a silo: keys and masks that are used for two tables disclose their differences."""
    secret.unlink(missing_ok=True)


def mark(key: Path, silo: str, plan: JointPlan) -> Path:
    """Record that a silo uses a key for a plan, and return the file that records it.

    Raises
    ------
    ConfigError
        If it was used before: the combiner could compare the keys of two audits, or of two versions of a table. If the
        use cannot be recorded.
    """
    name = hashlib.sha256(b"\0".join((silo.encode(), plan.fingerprint.encode()))).hexdigest()[:16]
    place = key.with_name(f"{key.name}.{name}.used")
    try:
        write_secret(place, b"This key was used in a joint audit.\n")
    except ConfigError:
        was_used = place.exists()
    else:
        return place
    if was_used:
        raise ConfigError(
            f"{silo} has used this key for this plan already; the combiner could compare both audits.",
            hint="make a new key for all silos: privaudit joint key new FILE",
        )
    raise ConfigError(
        f"{silo} cannot record next to the key {shown_file(key)} that it is used: the folder cannot be written.",
        hint="move the key to a folder on a disk that can be written and has space",
    )
