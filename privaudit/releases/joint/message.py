"""The files that silos, combiner and key holder exchange.

Question: how does a message travel, and is it the one that was expected?
Method: a magic line, a JSON header with the plan, arrays of fixed width, and the SHA-256 of all of it. A message states
its kind, its plan and its sender, so that a wrong, damaged or repeated file is an error that names the cause.
Limits: the digest finds damage, not forgery: public keys are authenticated by the shared key, other messages by the
channel on which they are sent. No message holds a cell value.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import field
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from privaudit.base.errors import ConfigError
from privaudit.base.records import dataclass
from privaudit.base.typed import convert
from privaudit.model.headers import shown_file
from privaudit.releases.joint.plan import JointPlan, plan_of
from privaudit.report import files

Kind = Literal["keys", "union", "counts", "sums"]
_MAGIC = b"privaudit joint message 3\n"
_EARLIER = (b"privaudit joint message 1\n", b"privaudit joint message 2\n")
_DIGEST = 32
_PUBLIC = 32
"""Bytes of a public key, and of a tag."""
_NAMES = {
    "keys": "the first message of a silo (joint keys)",
    "union": "a union (joint combine --union)",
    "counts": "the second message of a silo (joint collapse)",
    "sums": "encrypted sums (joint combine)",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message.

    Attributes
    ----------
    kind : str
    plan : JointPlan
    stated : mapping
        Further entries of the header: sender, public key, sizes.
    arrays : mapping of str to array
    """

    kind: Kind
    plan: JointPlan
    stated: Mapping[str, Any]
    arrays: Mapping[str, npt.NDArray[Any]] = field(default_factory=dict)

    @property
    def silo(self) -> str:
        """The silo that sent the message."""
        return str(self.stated["silo"])


def packed(message: Message) -> bytes:
    """Return a message as bytes."""
    layout = [[name, array.dtype.str, list(array.shape)] for name, array in message.arrays.items()]
    head = {"kind": message.kind, "plan": message.plan.as_json(), "stated": dict(message.stated), "arrays": layout}
    header = json.dumps(head, sort_keys=True).encode()
    body = b"".join(
        (_MAGIC, len(header).to_bytes(8, "big"), header, *(array.tobytes() for array in message.arrays.values()))
    )
    return body + hashlib.sha256(body).digest()


def digest_of(message: Message) -> str:
    """Return the SHA-256 of a message."""
    return packed(message)[-_DIGEST:].hex()


def write(message: Message, path: Path) -> None:
    """Write a message.

    Raises
    ------
    ConfigError
        If the file cannot be written.
    """
    # In one step, so that a silo that sends the file at once never sends half of it.
    files.replace(path, packed(message), private=True)


def read(path: Path, *kinds: Kind) -> Message:
    """Return the message in a file, which is of one of `kinds`.

    Raises
    ------
    ConfigError
        If the file is damaged, is not a message, or is one of another kind.
    """
    shown = shown_file(path)
    try:
        content = path.read_bytes()
    except OSError:
        raise ConfigError(f"{shown} cannot be read.", hint="check the path") from None
    if content.startswith(_EARLIER):
        raise ConfigError(
            f"{shown} was written by an earlier version, whose messages disclose more.",
            hint="install one version in all silos, start again with joint keys",
        )
    body = content[:-_DIGEST]
    # The digest is for damage on the way; it proves nothing about who wrote the message.
    if not body.startswith(_MAGIC) or hashlib.sha256(body).digest() != content[-_DIGEST:]:
        raise ConfigError(f"{shown} is damaged, or is not a message of a joint audit.", hint="send it again")
    try:
        message = _unpacked(body, shown)
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
        raise ConfigError(f"{shown} was not written by a joint audit of privaudit.", hint="send it again") from None
    if message.kind not in kinds:
        expected = " or ".join(_NAMES[kind] for kind in kinds)
        raise ConfigError(f"{shown} is {_NAMES[message.kind]}; expected was {expected}.")
    return message


def _unpacked(body: bytes, shown: str) -> Message:
    """Return the message of a body whose digest is right; whoever wrote it may have computed that of any content."""
    start = len(_MAGIC) + 8
    end = start + int.from_bytes(body[len(_MAGIC) : start], "big")
    head = json.loads(body[start:end])
    arrays, place = {}, end
    for name, dtype, shape in head["arrays"]:
        n = int(np.prod(shape, dtype=np.int64)) * np.dtype(dtype).itemsize
        arrays[name] = np.frombuffer(body[place : place + n], dtype=dtype).reshape(shape)
        place += n
    kind, plan, stated = head["kind"], plan_of(head["plan"], shown), head["stated"]
    for name, form in _forms(kind, plan).items():
        convert(stated[name], form)
    if kind == "union":
        for silo in plan.silos:
            _check_party(stated["silos"][silo], plan)
    elif kind == "keys":
        _check_party(stated, plan)
    array = arrays[_array_of(kind, plan)]
    if array.ndim != (2 if array.dtype == np.uint8 else 1) or array.dtype.kind not in "Su":
        raise TypeError("arrays")
    return Message(kind=kind, plan=plan, stated=stated, arrays=arrays)


def _check_party(party: Mapping[str, str], plan: JointPlan) -> None:
    """Raise ValueError or KeyError where what a silo states is missing or has another form."""
    is_keyed = plan.matching == "key"
    for text in (party["public"], *([party["tag"]] if is_keyed else [])):
        if len(bytes.fromhex(text)) != _PUBLIC:
            raise ValueError("length")
    if not is_keyed:
        bytes.fromhex(party["order"])


def _forms(kind: Kind, plan: JointPlan) -> dict[str, Any]:
    """Return the type of each entry that a message of a kind states."""
    matched = {"key_id": str, "tag": str} if plan.matching == "key" else {"order": str}
    encrypted = {"modulus": str, "n": int} if plan.counts == "paillier" else {}
    sizes, silos = tuple[int, ...], Mapping[str, Mapping[str, str]]
    forms: dict[Kind, dict[str, Any]] = {
        "keys": {"silo": str, "sizes": sizes, "public": str, "masked_by": tuple[str, ...], **matched},
        "union": {"sizes": sizes, "silos": silos},
        "counts": {"silo": str, "union": str, "order": str, "sizes": sizes, **encrypted},
        "sums": {"union": str, "sizes": sizes, "modulus": str, "n": int},
    }
    return forms[kind]


def _array_of(kind: Kind, plan: JointPlan) -> str:
    """Return the name of the array that a message of a kind has."""
    if kind in ("keys", "union"):
        return "keys"
    return "ciphertexts" if kind == "sums" or plan.counts == "paillier" else "masked"


def of_one_audit(messages: Iterable[Message]) -> dict[str, Message]:
    """Return the messages of all silos of one plan, by silo, in the order of the plan.

    Raises
    ------
    ConfigError
        If plans differ, a silo sent twice, or one is missing or unknown.
    """
    given = list(messages)
    plan = given[0].plan
    # Sums over different sets of columns would be numbers without a meaning, and nobody would notice.
    if any(message.plan.fingerprint != plan.fingerprint for message in given):
        raise ConfigError("The silos used different plans.", hint="send the same plan file to all silos, start again")
    found: dict[str, Message] = {}
    for message in given:
        if message.silo in found:
            raise ConfigError(f"Silo {message.silo} sent twice.", hint="pass one message of each silo")
        found[message.silo] = message
    if missing := [silo for silo in plan.silos if silo not in found]:
        raise ConfigError(
            f"No message of {', '.join(missing)}: the counts are known only when all silos of the plan send.",
            hint="wait for it, or start again with a plan without it",
        )
    if strangers := sorted(set(found) - set(plan.silos)):
        raise ConfigError(f"{strangers[0]} is not a silo of the plan.")
    return {silo: found[silo] for silo in plan.silos}
