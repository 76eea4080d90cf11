"""What a silo keeps to itself between two steps of a joint audit.

Question: how does a step know the random numbers of the step before?
Method: a file of mode 0600 for each step. The next step reads it, writes its own, and deletes it.
Limits: a copy that someone made before it was deleted can be used again.
"""

from __future__ import annotations

import json
import secrets
from dataclasses import fields
from pathlib import Path

from privaudit.advice.technique.key_file import read_key, write_secret
from privaudit.base.errors import ConfigError
from privaudit.base.records import dataclass
from privaudit.base.typed import convert
from privaudit.releases.joint.plan import JointPlan

SECRET_BYTES = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Secret:
    """The random numbers of a silo: used for one audit, then deleted. Bytes are written in hexadecimal digits.

    Attributes
    ----------
    plan : str
        Fingerprint of the plan.
    private : str
        X25519 key of the pair secrets.
    scalar : str
        X25519 key of double masking.
    seed : str
        Order in which the keys were sent.
    audit : str
        Number of the audit that the first round was computed for; empty before.
    dummies : tuple of int
        Keys of the first round without a combination, for each set of the plan.
    """

    silo: str
    plan: str
    private: str
    scalar: str
    seed: str
    audit: str = ""
    dummies: tuple[int, ...] = ()

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
        private, scalar, seed = (secrets.token_hex(SECRET_BYTES) for _ in range(3))
        return cls(silo=silo, plan=plan.fingerprint, private=private, scalar=scalar, seed=seed)

    def write(self, path: Path) -> None:
        """Write the secret to a new file with mode 0600."""
        write_secret(path, json.dumps({field.name: getattr(self, field.name) for field in fields(self)}).encode())

    @classmethod
    def read(cls, path: Path) -> Secret:
        """Return the secret in a file.

        Raises
        ------
        ConfigError
        """
        if not path.exists():
            raise ConfigError(
                "The secret of the step before does not exist; it is deleted when it was used, because keys and masks "
                "that are used twice disclose what changed.",
                hint="start again with joint start, in all silos",
            )
        try:
            secret: Secret = convert(json.loads(read_key(path)), cls)
            if any(len(bytes.fromhex(each)) != SECRET_BYTES for each in (secret.private, secret.scalar, secret.seed)):
                raise ValueError("length")
        except (ValueError, KeyError, TypeError, RecursionError):
            raise ConfigError(
                "The secret file was not written by joint start or joint keys of this version.",
                hint="start again with joint start, in all silos",
            ) from None
        return secret

    def of_audit(self, plan: JointPlan, audit: str) -> None:
        """Raise `ConfigError` where the secret belongs to another plan or another audit."""
        if self.plan != plan.fingerprint:
            raise ConfigError("The secret belongs to another plan.", hint="start again with joint start")
        if self.audit != audit:
            raise ConfigError(
                "The secret belongs to another audit, or to another step: joint start writes the one for joint keys, "
                "joint keys the one for the steps after it.",
                hint="start again with joint start, in all silos",
            )


def forget(secret: Path) -> None:
    """Delete the secret of a silo: keys and masks that are used for two tables disclose their differences."""
    secret.unlink(missing_ok=True)
