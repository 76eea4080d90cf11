"""The first round: which combinations exist in some silo, without disclosing any.

Question: how do silos find the combinations of all of them, when none may see those of another?
Method: each silo sends a key for each of its combinations; the combiner returns the sorted union. With a shared key, a
key is HMAC-SHA-256 of audit, set and values, cut to 128 bits. With double masking, a key is the hash of the combination
as a point of Curve25519, multiplied by a secret of every silo in turn (Huberman, Franklin, Hogg 1999): only all silos
together can compute the key of a guessed combination. Each silo adds keys that belong to no combination, in a random
number, so that the number of its combinations does not follow from the number of its keys.
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
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from privaudit.base.errors import ConfigError
from privaudit.releases.joint import masks, shared_order
from privaudit.releases.joint.classes import SiloTable, count_plan, silo_table, texts_of_classes
from privaudit.releases.joint.message import Message
from privaudit.releases.joint.start import Audit, audit_of_messages
from privaudit.releases.privacy import noise

if TYPE_CHECKING:
    from privaudit.releases.joint.plan import JointPlan
    from privaudit.releases.joint.secret import Secret
    from privaudit.settings.config import Progress
    from privaudit.source import Dataset

KEY_BYTES = 16
POINT_BYTES = 32
DUMMY_SCALE = 5
"""One combination more in a set changes the probability of each number of keys by at most a factor exp(1/5), ..."""
DUMMY_FAILURE = 1e-6
"""... except with this probability."""
Keys = npt.NDArray[np.bytes_]


def keys_message(
    dataset: Dataset, starts: Sequence[Message], secret: Secret, key: bytes | None, progress: Progress
) -> tuple[Message, Secret]:
    """Return the first message of a silo, a key for each of its combinations, and the secret of the second round.

    Parameters
    ----------
    starts : sequence of Message
        The starts of all silos.

    Raises
    ------
    ConfigError
        If the starts are not those of one audit of this silo, or the shared key is not that of all silos.
    """
    audit = audit_of_messages(starts)
    # The secret of another audit, and one whose keys were sent already: keys of two tables would be comparable.
    secret.of_audit(audit.plan, "")
    audit.check(secret, key)
    table = silo_table(dataset, audit.plan.columns)
    secret = replace(secret, audit=audit.number, dummies=_numbers_of_dummies(len(audit.plan.sets)))
    sizes, parts = [], []
    for i, found in enumerate(keys_of(table, audit, key, secret, progress)):
        sent = np.concatenate([found, _dummies(secret.dummies[i], key, secret)])
        # The order of the table would disclose the order of its values; sorted keys have none of it.
        parts.append(np.sort(sent) if key is not None else sent[_order(secret, i, len(sent))])
        sizes.append(len(sent))
    own = {name: value for name, value in _start_of(starts, secret.silo).items() if name != "silo"}
    order = shared_order.seeds_for_others(audit, secret)
    stated: dict[str, Any] = {"silo": secret.silo, **own, "audit": audit.number, "sizes": sizes, "order": order}
    stated["masked_by"] = [secret.silo]
    return Message(kind="keys", plan=audit.plan, stated=stated, arrays={"keys": np.concatenate(parts)}), secret


def _start_of(starts: Sequence[Message], silo: str) -> dict[str, Any]:
    return next(dict(message.stated) for message in starts if message.silo == silo)


def _numbers_of_dummies(n_sets: int) -> tuple[int, ...]:
    """Return how many keys without a combination a silo adds to each set: discrete Laplace noise around a mean.

    The mean is the distance that the noise exceeds with the probability `DUMMY_FAILURE`; there the number is cut at 0.
    """
    mean = noise.laplace_tail(DUMMY_SCALE, 1 - 2 * DUMMY_FAILURE)
    return tuple(np.maximum(mean + noise.discrete_laplace(DUMMY_SCALE, n_sets), 0).tolist())


def _dummies(n: int, key: bytes | None, secret: Secret) -> Keys:
    """Return n random keys: without the key, or without all scalars, they look like those of combinations."""
    if key is not None:
        return np.array([secrets.token_bytes(KEY_BYTES) for _ in range(n)], dtype=f"S{KEY_BYTES}")
    scalar = bytes.fromhex(secret.scalar)
    points = [masks.exchange(scalar, secrets.token_bytes(POINT_BYTES)) for _ in range(n)]
    return np.array(points, dtype=f"S{POINT_BYTES}")


def keys_of(table: SiloTable, audit: Audit, key: bytes | None, secret: Secret, progress: Progress) -> list[Keys]:
    """Return the key of every class of each set, in the order of the classes."""
    found = []
    sets, scalar = audit.plan.sets, bytes.fromhex(secret.scalar)
    for i, (chosen, first, _) in enumerate(count_plan(table, audit.plan)):
        progress("Keying combinations", i / len(sets))
        # Bound to the audit and the set: equal cells have other keys in another audit, and in other columns.
        context = f"privaudit joint\0{audit.number}\0{','.join(map(str, chosen))}\0".encode()
        texts = texts_of_classes(table, chosen, first)
        if key is not None:
            keys = [hmac.digest(key, context + text, "sha256")[:KEY_BYTES] for text in texts]
            found.append(np.array(keys, dtype=f"S{KEY_BYTES}"))
        else:
            points = [masks.exchange(scalar, hashlib.sha256(context + text).digest()) for text in texts]
            found.append(np.array(points, dtype=f"S{POINT_BYTES}"))
    return found


def _order(secret: Secret, i: int, n: int) -> npt.NDArray[np.int64]:
    """Return the order in which the keys of set i are sent: a random one, so that it discloses nothing."""
    return masks.order(bytes.fromhex(secret.seed), f"order sent\0{secret.audit}\0{i}".encode(), n)


def in_order_sent(secret: Secret, i: int, counts: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return the counts of the keys of set i in the order in which they were sent with double masking."""
    # A key without a combination has no record.
    sent = np.concatenate([counts, np.zeros(secret.dummies[i], dtype=np.int64)])
    return sent[_order(secret, i, len(sent))]


def mask_again(message: Message, secret: Secret, progress: Progress) -> Message:
    """Return the first message of another silo with every key multiplied by the scalar of this one.

    Raises
    ------
    ConfigError
        If the plan does not use double masking, the message belongs to another audit, or this silo masked it already.
    """
    secret.of_audit(message.plan, message.stated["audit"])
    if message.plan.matching != "double-masking":
        raise ConfigError("The plan does not use double masking.")
    masked = list(message.stated["masked_by"])
    # A key that is masked twice by a silo equals no other, so its class would seem to be alone.
    if secret.silo in masked:
        raise ConfigError(f"{secret.silo} masked this message already.", hint="pass it to the next silo")
    made, scalar = [], bytes.fromhex(secret.scalar)
    for i, point in enumerate(_as_bytes(message.arrays["keys"])):
        if i % 4096 == 0:
            progress("Masking", i / len(message.arrays["keys"]))
        made.append(masks.exchange(scalar, point))
    stated = {**message.stated, "masked_by": [*masked, secret.silo]}
    return replace(message, stated=stated, arrays={"keys": np.array(made, dtype=f"S{POINT_BYTES}")})


def _as_bytes(keys: Keys) -> list[bytes]:
    # NumPy drops zero bytes at the end of a text.
    width = keys.dtype.itemsize
    content = keys.tobytes()
    return [content[start : start + width] for start in range(0, len(content), width)]


def union_message(messages: Sequence[Message]) -> Message:
    """Return the sorted union of the keys of all silos, with their public keys.

    Raises
    ------
    ConfigError
        If plans, audits or shared keys differ, a silo is missing or sent twice, or a message waits for a mask.
    """
    audit = audit_of_messages(messages)
    if any(message.stated["audit"] != audit.number for message in messages):
        raise ConfigError(
            "The messages belong to different audits: a silo used the starts of another one.",
            hint="start again with joint start, in all silos",
        )
    for message in messages:
        _check_masked(message, audit.plan)
    by_silo = {message.silo: message for message in messages}
    by_set = [by_sets(message) for message in messages]
    union = [np.unique(np.concatenate(parts)) for parts in zip(*by_set, strict=True)]
    stated = {
        "sizes": [len(part) for part in union],
        "order": by_silo[audit.plan.silos[0]].stated["order"],
        "silos": audit.parties,
    }
    return Message(kind="union", plan=audit.plan, stated=stated, arrays={"keys": np.concatenate(union)})


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
