"""The start of a joint audit: every silo adds something fresh, so that no two audits can be compared.

Question: which silos take part, and how does no key of this audit equal one of another?
Method: each silo sends a new public key (X25519). The hash of the plan and of the public keys of all silos is the
number of the audit, and every later step is bound to it. With a shared key, public keys are authenticated by it.
Limits: with double masking, the channel must authenticate the sender of a public key.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping, Sequence
from typing import Any

from privaudit.advice.technique.key_file import key_id
from privaudit.base.errors import ConfigError
from privaudit.base.records import dataclass
from privaudit.releases.joint import masks
from privaudit.releases.joint.message import Message, of_one_audit
from privaudit.releases.joint.plan import JointPlan
from privaudit.releases.joint.secret import Secret


@dataclass(frozen=True, slots=True)
class Audit:
    """One audit: its plan, and what each silo stated at its start.

    Attributes
    ----------
    plan : JointPlan
    parties : mapping of silo to mapping
        The public key of each silo, and with a shared key its tag.
    """

    plan: JointPlan
    parties: Mapping[str, Mapping[str, str]]

    @property
    def publics(self) -> dict[str, bytes]:
        """The public key of each silo, in the order of the plan."""
        return {silo: bytes.fromhex(self.parties[silo]["public"]) for silo in self.plan.silos}

    @property
    def number(self) -> str:
        """SHA-256 of the plan and of the public keys of all silos.

        A silo that made its public key anew gets another number, whatever the other silos and the combiner send.
        """
        publics = [public.hex() for public in self.publics.values()]
        return hashlib.sha256(json.dumps([self.plan.fingerprint, publics]).encode()).hexdigest()

    def check(self, secret: Secret, key: bytes | None) -> None:
        """Refuse an audit that is not the one of this silo.

        Raises
        ------
        ConfigError
            If this silo is not in it with its own public key, the shared key is missing or is one too many, or a public
            key was exchanged on the way.
        """
        check_key(self.plan, key)
        if self.publics[secret.silo] != masks.public_of(bytes.fromhex(secret.private)):
            raise ConfigError(
                "The messages belong to another start of this silo.", hint="start again with joint start, in all silos"
            )
        for silo, public in self.publics.items() if key is not None else ():
            if not hmac.compare_digest(self.parties[silo]["tag"], _tag(key, self.plan, silo, public)):
                raise ConfigError(
                    f"The public key of {silo} is not authentic: another key file, or a changed message.",
                    hint="compare the key files of the silos, start again",
                )


def check_key(plan: JointPlan, key: bytes | None) -> None:
    """Raise `ConfigError` where there is no key and the plan needs one, or the other way round."""
    if (key is None) != (plan.matching == "double-masking"):
        raise ConfigError(
            "The plan needs the key that the silos share."
            if key is None
            else "A plan with double masking uses no shared key.",
            hint='--key FILE goes with matching = "key"',
        )


def start_message(plan: JointPlan, secret: Secret, key: bytes | None) -> Message:
    """Return what a silo sends to all silos before the first round: a fresh public key.

    Raises
    ------
    ConfigError
        If there is no shared key where the plan needs one.
    """
    check_key(plan, key)
    public = masks.public_of(bytes.fromhex(secret.private))
    stated: dict[str, Any] = {"silo": secret.silo, "public": public.hex()}
    if key is not None:
        stated |= {"key_id": key_id(key), "tag": _tag(key, plan, secret.silo, public)}
    return Message(kind="start", plan=plan, stated=stated)


def _tag(key: bytes, plan: JointPlan, silo: str, public: bytes) -> str:
    # Without the tag whoever passes the messages on could put his own public key in place of a silo.
    text = b"\0".join((b"privaudit joint public key", plan.fingerprint.encode(), silo.encode(), public))
    return hmac.digest(key, text, "sha256").hex()


def audit_of_messages(messages: Sequence[Message]) -> Audit:
    """Return the audit that the messages of all silos belong to.

    Raises
    ------
    ConfigError
        If plans or shared keys differ, or a silo is missing or sent twice.
    """
    given = of_one_audit(messages)
    plan = messages[0].plan
    if plan.matching == "key" and len({message.stated["key_id"] for message in messages}) > 1:
        raise ConfigError("The silos used different keys.", hint="give all silos the same key file, start again")
    names = ("public", "tag")
    return Audit(plan, {silo: {n: m.stated[n] for n in names if n in m.stated} for silo, m in given.items()})


def audit_of_union(union: Message) -> Audit:
    """Return the audit that a union belongs to."""
    return Audit(union.plan, union.stated["silos"])
