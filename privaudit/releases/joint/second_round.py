"""The second round: the records of every combination of the union, summed over the silos.

Question: how large is each class over all silos, when no one may see the counts of one?
Method: each silo states its records of every combination of the union, 0 where it has none, plus its masks, or
encrypted. The combiner adds; masks cancel, ciphertexts are decrypted by the holder of the private key.
Limits: who sees the sums sees the multiset of class sizes of every set. Sums are right only if all silos send: every
sum must be positive and those of every set must have the same total, or the result is refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from privaudit.base.errors import ConfigError
from privaudit.releases.joint import masks
from privaudit.releases.joint.classes import count_plan, silo_table
from privaudit.releases.joint.first_round import Keys, Secret, by_sets, check_publics, in_order_sent, keys_of
from privaudit.releases.joint.message import Message, digest_of, of_one_audit
from privaudit.releases.joint.paillier import PrivateKey, PublicKey

if TYPE_CHECKING:
    from privaudit.settings.config import Progress
    from privaudit.source import Dataset

Counts = npt.NDArray[np.int64]
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
    """Return the second message of a silo: its records of each combination of the union, hidden.

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
    counts = _own_counts(dataset, union, secret, key, masked, progress)
    digest = digest_of(union)
    stated: dict[str, Any] = {"silo": secret.silo, "union": digest, "sizes": union.stated["sizes"]}
    if public is not None:
        stated["modulus"] = hex(public.n)
        stated["n"] = len(counts)
        encrypted = public.encrypt(counts.astype(np.uint64), len(plan.silos), 32)
        return Message(kind="counts", plan=plan, stated=stated, arrays={"ciphertexts": encrypted})
    hidden = masks.masks(secret.private, secret.silo, publics, bytes.fromhex(digest), len(counts))
    return Message(kind="counts", plan=plan, stated=stated, arrays={"masked": counts.astype(np.uint64) + hidden})


def _own_counts(
    dataset: Dataset, union: Message, secret: Secret, key: bytes | None, masked: Message | None, progress: Progress
) -> Counts:
    table = silo_table(dataset, union.plan.columns)
    counts = [found for _, _, found in count_plan(table, union.plan)]
    if key is not None:
        keys = keys_of(table, union.plan, key, secret, progress)
    else:
        keys = _masked_keys(union, secret, masked)
        # The keys that all silos masked come back in the order in which this silo sent them.
        counts = [in_order_sent(secret, i, found) for i, found in enumerate(counts)]
    placed = [_placed(*part) for part in zip(by_sets(union), keys, counts, strict=True)]
    return np.concatenate(placed)


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
            hint="start again with joint keys",
        )
    full = np.zeros(len(union), dtype=np.int64)
    full[places] = counts
    return full


def _joined(messages: Sequence[Message]) -> list[Message]:
    given = list(of_one_audit(messages).values())
    if len({message.stated["union"] for message in given}) > 1:
        raise ConfigError("The silos used different unions.", hint="send one union to all silos, collapse again")
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
    total: npt.NDArray[np.uint64] = masked.sum(axis=0, dtype=np.uint64)
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


def checked_sums(total: npt.NDArray[np.uint64], sizes: Sequence[int]) -> list[Counts]:
    """Return the class sizes of each set, after they were compared with what class sizes can be.

    Raises
    ------
    ConfigError
        If a sum is 0 or too large, or two sets have different numbers of records.
    """
    places = np.cumsum([0, *sizes])
    if places[-1] != len(total):
        raise ConfigError("A message has another number of combinations than its union.", hint="start again")
    parts = [total[start:end] for start, end in pairwise(places)]
    # Each combination of the union exists in some silo, so no sum is 0 unless masks did not cancel.
    is_plausible = len(total) > 0 and int(total.min()) > 0 and int(total.max()) < MOST_RECORDS
    if not is_plausible or len({int(part.sum()) for part in parts}) > 1:
        raise ConfigError(
            "The sums are not class sizes: a silo changed its table between the rounds, or its masks belong to another "
            "audit.",
            hint="start again with joint keys, in all silos",
        )
    return [part.astype(np.int64) for part in parts]


def forget(secret: Path) -> None:
    """Delete the secret of a silo: masks that are used for two tables disclose the difference of their counts."""
    secret.unlink(missing_ok=True)
