"""The first round: which combinations exist in some silo, without disclosing any.

Question: how do silos find the combinations of all of them, when none may see those of another?
Method: each silo sends a key for each of its combinations; the combiner returns the sorted union. With a shared key, a
key is HMAC-SHA-256 of plan, set and values, cut to 128 bits, and the public key of the silo is authenticated by it.
With double masking, a key is the hash of the combination as a point of Curve25519, multiplied by a secret of every silo
in turn (Huberman, Franklin, Hogg 1999): only all silos together can compute the key of a guessed combination. Each silo
adds keys that belong to no combination, in a random number, so that the number of its combinations does not follow from
the number of its keys.
Limits: the combiner sees which keys two silos share. Whoever holds a shared key can compute the keys of guessed
combinations and look them up in the union.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from privaudit.advice.technique.key_file import key_id
from privaudit.base.arrays import Ints
from privaudit.base.errors import ConfigError
from privaudit.releases.joint import masks, shared_order
from privaudit.releases.joint.classes import SiloTable, count_plan, silo_table, texts_of_classes
from privaudit.releases.joint.message import Message, of_one_audit
from privaudit.releases.joint.plan import JointPlan
from privaudit.releases.joint.secret import START_AGAIN, Secret
from privaudit.settings.config import Progress
from privaudit.source import Dataset

KEY_BYTES = 16
POINT_BYTES = 32
Keys = npt.NDArray[np.bytes_]


def keys_message(dataset: Dataset, plan: JointPlan, secret: Secret, key: bytes | None, progress: Progress) -> Message:
    """Return the first message of a silo: a key for each of its combinations, and others that belong to none.

    Raises
    ------
    ConfigError
        If the plan matches by key and no shared key is given, or uses double masking and one is given.
    """
    if (key is None) != (plan.matching == "double-masking"):
        raise ConfigError(
            "The plan needs the key that the silos share."
            if key is None
            else "A plan with double masking uses no shared key.",
            hint='--key FILE goes with matching = "key"',
        )
    table = silo_table(dataset, plan.columns)
    sizes, parts = [], []
    for i, found in enumerate(keys_of(table, plan, key, secret, progress)):
        sent = np.concatenate([found, _dummies(secret.dummies[i], key, secret)])
        # The order of the table would disclose the order of its values; sorted keys have none of it.
        parts.append(np.sort(sent) if key is not None else sent[_order(secret, i, len(sent))])
        sizes.append(len(sent))
    public = masks.public_of(bytes.fromhex(secret.private))
    stated: dict[str, Any] = {"silo": secret.silo, "sizes": sizes, "public": public.hex(), "masked_by": []}
    if key is not None:
        stated |= {"key_id": key_id(key), "tag": _tag(key, plan, secret.silo, public)}
    else:
        stated["order"] = ""
    return Message(kind="keys", plan=plan, stated=stated, arrays={"keys": np.concatenate(parts)})


def _dummies(n: int, key: bytes | None, secret: Secret) -> Keys:
    """Return n random keys: without the key, or without all scalars, they look like those of combinations."""
    if key is not None:
        return np.array([secrets.token_bytes(KEY_BYTES) for _ in range(n)], dtype=f"S{KEY_BYTES}")
    scalar = bytes.fromhex(secret.scalar)
    points = [masks.exchange(scalar, secrets.token_bytes(POINT_BYTES)) for _ in range(n)]
    return np.array(points, dtype=f"S{POINT_BYTES}")


def keys_of(table: SiloTable, plan: JointPlan, key: bytes | None, secret: Secret, progress: Progress) -> list[Keys]:
    """Return the key of every class of each set, in the order of the classes."""
    found = []
    scalar = bytes.fromhex(secret.scalar)
    for i, (chosen, first, _) in enumerate(count_plan(table, plan)):
        progress("Keying combinations", i / len(plan.sets))
        # Bound to the plan and the set: equal cells have other keys in another plan, and in other columns.
        context = f"privaudit joint\0{plan.fingerprint}\0{','.join(map(str, chosen))}\0".encode()
        texts = texts_of_classes(table, chosen, first)
        if key is not None:
            keys = [hmac.digest(key, context + text, "sha256")[:KEY_BYTES] for text in texts]
            found.append(np.array(keys, dtype=f"S{KEY_BYTES}"))
        else:
            points = [masks.exchange(scalar, hashlib.sha256(context + text).digest()) for text in texts]
            found.append(np.array(points, dtype=f"S{POINT_BYTES}"))
    return found


def _order(secret: Secret, i: int, n: int) -> Ints:
    """Return the order in which the keys of set i are sent: a random one, so that it discloses nothing."""
    return masks.order(bytes.fromhex(secret.seed), f"order sent\0{i}".encode(), n)


def in_order_sent(secret: Secret, i: int, counts: Ints) -> Ints:
    """Return the counts of the keys of set i in the order in which they were sent with double masking."""
    # A key without a combination has no record.
    sent = np.concatenate([counts, np.zeros(secret.dummies[i], dtype=np.int64)])
    return sent[_order(secret, i, len(sent))]


def mask_again(message: Message, secret: Secret, progress: Progress) -> Message:
    """Return the first message of a silo with every key multiplied by the scalars of this one.

    The own message is completed by the second scalar, last: whoever else had all masks on the keys of this silo could
    compare them with the own ones, which all have.

    Raises
    ------
    ConfigError
        If the plan does not use double masking, this silo masked the message already, or the message is the own one and
        waits for another silo.
    """
    secret.check(message.plan)
    if message.plan.matching != "double-masking":
        raise ConfigError("The plan does not use double masking.")
    masked = list(message.stated["masked_by"])
    # A key that is masked twice by a silo equals no other, so its class would seem to be alone.
    if secret.silo in masked:
        raise ConfigError(f"{secret.silo} masked this message already.", hint="pass it to the next silo")
    is_own = secret.silo == message.silo
    waiting = set(message.plan.silos) - {secret.silo, *masked}
    if is_own and waiting:
        raise ConfigError(
            f"{secret.silo} masks its own message last; {min(waiting)} has not masked it.", hint="pass it to that silo"
        )
    scalars = [bytes.fromhex(each) for each in ([] if is_own else [secret.scalar]) + [secret.closing]]
    made = []
    for i, point in enumerate(_as_bytes(message.arrays["keys"])):
        if i % 4096 == 0:
            progress("Masking", i / len(message.arrays["keys"]))
        for scalar in scalars:
            point = masks.exchange(scalar, point)
        made.append(point)
    stated = {**message.stated, "masked_by": [*masked, secret.silo]}
    if secret.silo == message.plan.silos[0] and not is_own:
        stated["order"] = shared_order.sealed_seed(secret, bytes.fromhex(message.stated["public"]))
    return replace(message, stated=stated, arrays={"keys": np.array(made, dtype=f"S{POINT_BYTES}")})


def _as_bytes(keys: Keys) -> list[bytes]:
    # Not by its texts, of which NumPy drops zero bytes at the end.
    return [line.tobytes() for line in keys.view(np.uint8).reshape(len(keys), keys.dtype.itemsize)]


def _tag(key: bytes, plan: JointPlan, silo: str, public: bytes) -> str:
    # Without the tag whoever passes the messages on could put his own public key in place of a silo.
    text = b"\0".join((b"privaudit joint public key", plan.fingerprint.encode(), silo.encode(), public))
    return hmac.digest(key, text, "sha256").hex()


def union_message(messages: Sequence[Message]) -> Message:
    """Return the sorted union of the keys of all silos, with their public keys.

    Raises
    ------
    ConfigError
        If plans or shared keys differ, a silo is missing or sent twice, or a message waits for a mask.
    """
    given = of_one_audit(messages)
    plan = messages[0].plan
    if plan.matching == "key" and len({message.stated["key_id"] for message in messages}) > 1:
        raise ConfigError("The silos used different keys.", hint="give all silos the same key file, start again")
    for message in messages:
        _check_masked(message, plan)
    union = [np.unique(np.concatenate(parts)) for parts in zip(*map(by_sets, messages), strict=True)]
    names = ("public", "tag" if plan.matching == "key" else "order")
    stated = {
        "sizes": [len(part) for part in union],
        "silos": {silo: {name: message.stated[name] for name in names} for silo, message in given.items()},
    }
    return Message(kind="union", plan=plan, stated=stated, arrays={"keys": np.concatenate(union)})


def _check_masked(message: Message, plan: JointPlan) -> None:
    waiting = set(plan.silos) - set(message.stated["masked_by"])
    if plan.matching == "double-masking" and waiting:
        raise ConfigError(
            f"The message of {message.silo} is not masked by {min(waiting)}.", hint="privaudit joint mask, in that silo"
        )


def by_sets(message: Message) -> list[Keys]:
    """Return the keys of a message or a union, set by set."""
    places = np.cumsum([0, *message.stated["sizes"]])
    keys = message.arrays["keys"]
    if len(places) != len(message.plan.sets) + 1 or places[-1] != len(keys):
        raise ConfigError("A message does not have the combinations of its plan.", hint="start again")
    return [keys[start:end] for start, end in pairwise(places)]


def check_publics(union: Message, secret: Secret, key: bytes | None) -> dict[str, bytes]:
    """Return the public keys of all silos in a union, after they were authenticated by the shared key.

    Raises
    ------
    ConfigError
        If a key was exchanged on the way, or the union does not contain this silo.
    """
    secret.check(union.plan)
    stated = union.stated["silos"]
    publics = {silo: bytes.fromhex(stated[silo]["public"]) for silo in union.plan.silos}
    if publics[secret.silo] != masks.public_of(bytes.fromhex(secret.private)):
        raise ConfigError("The union belongs to another first round of this silo.", hint=START_AGAIN)
    for silo, public in publics.items():
        if key is not None and not hmac.compare_digest(stated[silo]["tag"], _tag(key, union.plan, silo, public)):
            raise ConfigError(
                f"The public key of {silo} is not authentic: another key file, or a changed union.",
                hint="compare the key files of the silos, start again",
            )
    return publics
