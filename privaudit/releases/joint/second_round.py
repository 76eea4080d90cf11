"""The second round: the records of every combination of the union, summed over the silos.

Question: how large is each class over all silos, when no one may see the counts of one?
Method: each silo states its records of every combination of the union, 0 where it has none, plus its masks, or
encrypted, in an order that the combiner does not know. The combiner adds; masks cancel, ciphertexts are decrypted by
the holder of the private key.
Limits: who sees the sums sees the multiset of class sizes of every set. Sums are right only if all silos send: as many
sums must be 0 as the silos sent keys without a combination, and the sums of every set must have the same total, or the
result is refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from privaudit.base.arrays import Ints, Words
from privaudit.base.errors import ConfigError
from privaudit.releases.joint import masks, shared_order
from privaudit.releases.joint.classes import count_plan, silo_table
from privaudit.releases.joint.first_round import Keys, by_sets, check_publics, in_order_sent, keys_of
from privaudit.releases.joint.message import Message, digest_of, of_one_audit
from privaudit.releases.joint.paillier import PrivateKey, PublicKey
from privaudit.releases.joint.secret import START_AGAIN, Secret
from privaudit.settings.config import Progress
from privaudit.source import Dataset

Counts = Ints
MOST_RECORDS = 1 << 40
"""Records above which a sum is taken for masks that did not cancel."""


def counts_message(
    dataset: Dataset,
    union: Message,
    secret: Secret,
    *,
    key: bytes | None,
    masked: Message | None,
    public: PublicKey | None,
    progress: Progress,
) -> Message:
    """Return the second message of a silo: its records of each combination of the union, hidden and in a random order.

    After the counts of all sets follows, for each set, how many keys of this silo have no combination.

    Parameters
    ----------
    masked : Message, optional
        The own first message after all silos masked it, where the plan uses double masking.
    public : PublicKey, optional
        The key of the key holder, where the plan uses Paillier.

    Raises
    ------
    ConfigError
        If the table, the plan or a key differs from the first round.
    """
    plan = union.plan
    if (public is None) != (plan.counts == "masks"):
        raise ConfigError(
            "The plan needs the public key of the key holder."
            if public is None
            else "A plan with masks uses no public key.",
            hint='--public-key FILE goes with counts = "paillier"',
        )
    publics = check_publics(union, secret, key)
    seed = shared_order.seed_of(union, secret, key)
    placed = _own_counts(dataset, union, secret, key, masked, progress)
    mixed = [each[masks.order(seed, f"sums\0{i}".encode(), len(each))] for i, each in enumerate(placed)]
    counts = np.concatenate([*mixed, np.array(secret.dummies, dtype=np.int64)])
    digest = digest_of(union)
    stated: dict[str, Any] = {"silo": secret.silo, "union": digest, "sizes": union.stated["sizes"]}
    stated["order"] = shared_order.name_of(seed)
    if public is not None:
        stated["modulus"] = hex(public.n)
        stated["n"] = len(counts)
        encrypted = public.encrypt(counts.astype(np.uint64), len(plan.silos), 32)
        return Message(kind="counts", plan=plan, stated=stated, arrays={"ciphertexts": encrypted})
    hidden = masks.masks(bytes.fromhex(secret.private), secret.silo, publics, bytes.fromhex(digest), len(counts))
    return Message(kind="counts", plan=plan, stated=stated, arrays={"masked": counts.astype(np.uint64) + hidden})


def _own_counts(
    dataset: Dataset, union: Message, secret: Secret, key: bytes | None, masked: Message | None, progress: Progress
) -> list[Counts]:
    """Return the records of each combination of the union, set by set, in the order of the union."""
    table = silo_table(dataset, union.plan.columns)
    counts = [found for _, _, found in count_plan(table, union.plan)]
    if key is not None:
        keys = keys_of(table, union.plan, key, secret, progress)
    else:
        keys = _masked_keys(union, secret, masked)
        # The keys that all silos masked come back in the order in which this silo sent them.
        counts = [in_order_sent(secret, i, found) for i, found in enumerate(counts)]
    return [_placed(*part) for part in zip(by_sets(union), keys, counts, strict=True)]


def _masked_keys(union: Message, secret: Secret, masked: Message | None) -> list[Keys]:
    if masked is None or masked.silo != secret.silo or masked.plan.fingerprint != union.plan.fingerprint:
        raise ConfigError(
            "The plan uses double masking: the message of this silo, masked by all, is needed.", hint="--keys FILE"
        )
    return by_sets(masked)


def _placed(union: Keys, keys: Keys, counts: Counts) -> Counts:
    """Return the counts at the places of their keys in the union, 0 elsewhere."""
    places = np.searchsorted(union, keys).clip(max=len(union) - 1)
    if len(keys) != len(counts) or not (union[places] == keys).all():
        raise ConfigError(
            "The table has a combination that is not in the union: it changed after the first round, or the key is "
            "another one.",
            hint=START_AGAIN,
        )
    full = np.zeros(len(union), dtype=np.int64)
    full[places] = counts
    return full


def _joined(messages: Sequence[Message]) -> list[Message]:
    given = list(of_one_audit(messages).values())
    if len({message.stated["union"] for message in given}) > 1:
        raise ConfigError("The silos used different unions.", hint="send one union to all silos, collapse again")
    if len({message.stated["order"] for message in given}) > 1:
        raise ConfigError("The silos used different orders.", hint=START_AGAIN)
    # Whoever writes a message states its numbers: of one union, all silos send equally many, in the same form.
    forms = [[(array.shape, array.dtype) for array in message.arrays.values()] for message in given]
    for message, form in zip(given, forms, strict=True):
        if form != forms[0]:
            raise ConfigError(
                f"The messages of {given[0].silo} and {message.silo} have different numbers of combinations.",
                hint="collapse again, in these silos",
            )
    return given


def add_masked(messages: Sequence[Message]) -> list[Counts]:
    """Return the sums of all silos, set by set, from which the masks cancelled.

    Raises
    ------
    ConfigError
        If a silo is missing, sent twice, used another plan or union, or the masks do not cancel.
    """
    given = _joined(messages)
    masked = np.stack([message.arrays["masked"] for message in given])
    total: Words = masked.sum(axis=0, dtype=np.uint64)
    return checked_sums(total, given[0].stated["sizes"])


def add_encrypted(messages: Sequence[Message], public: PublicKey) -> Message:
    """Return the encrypted sums of all silos, for the key holder.

    Raises
    ------
    ConfigError
        As `add_masked`, and if silos used different public keys.
    """
    given = _joined(messages)
    if {message.stated["modulus"] for message in given} != {hex(public.n)}:
        raise ConfigError("The silos used different public keys.", hint="send one public key to all, collapse again")
    total = public.add([message.arrays["ciphertexts"] for message in given])
    names = ("union", "sizes", "modulus", "n")
    stated = {name: given[0].stated[name] for name in names}
    return Message(kind="sums", plan=given[0].plan, stated=stated, arrays={"ciphertexts": total})


def open_sums(message: Message, key: PrivateKey) -> list[Counts]:
    """Return the sums that the key holder decrypts, set by set.

    Raises
    ------
    ConfigError
        If the sums belong to another key.
    """
    if message.stated["modulus"] != hex(key.public.n):
        raise ConfigError("The sums are encrypted for another key.", hint="use the private key of the public key")
    total = key.decrypt(message.arrays["ciphertexts"], message.stated["n"], 32)
    return checked_sums(total, message.stated["sizes"])


def checked_sums(total: Words, sizes: Sequence[int]) -> list[Counts]:
    """Return the class sizes of each set, after they were compared with what class sizes can be.

    Parameters
    ----------
    total : uint64 array of shape (sum(sizes) + len(sizes),)
        The sums of each set, then for each set how many of its keys have no combination.

    Raises
    ------
    ConfigError
        If a combination has no record, a sum is too large, or two sets have different numbers of records.
    """
    places = np.cumsum([0, *sizes])
    if places[-1] + len(sizes) != len(total):
        raise ConfigError("A message has another number of combinations than its union.", hint="start again")
    parts = [total[start:end] for start, end in pairwise(places)]
    n_dummies = total[places[-1] :]
    # Each combination of the union exists in some silo, so its sum is 0 only where masks did not cancel.
    is_plausible = bool(total.any()) and int(total.max()) < MOST_RECORDS
    is_plausible = is_plausible and all((part == 0).sum() == n for part, n in zip(parts, n_dummies, strict=True))
    if not is_plausible or len({int(part.sum()) for part in parts}) > 1:
        raise ConfigError(
            "The sums are not class sizes: a silo changed its table between the rounds, or its masks belong to another "
            "audit.",
            hint=START_AGAIN,
        )
    return [part[part > 0].astype(np.int64) for part in parts]
