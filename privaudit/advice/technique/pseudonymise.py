"""Replace values by tokens made with a secret key.

Question: how can records of one person still be linked, without the value that identifies the person?
Method: HMAC-SHA-256 of the domain, a zero byte and the canonical value; the first 128 bits as base32, or 122 bits in
the form of a random UUID. The canonical value is the text in Unicode normal form NFKC without space at its ends, in
lower case where ``ignore_case`` is true. Equal values in columns of one domain get equal tokens under the same key.
Without a key file the key is random and is not kept.
Limits: whoever has the key can compute the token of any value. Tokens are still personal data while the key exists.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import itertools
import secrets
import unicodedata
import uuid
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from privaudit.advice.technique.recoding import Column, Recoding, by_text, listed
from privaudit.base.errors import ConfigError

TOKEN_BYTES = 16
TOKENS = "pseudonym"
"""The name of a column of tokens."""


def recode(column: Column, parameters: Mapping[str, Any]) -> Recoding:
    """Replace each value of `column` by its token."""
    key = key_for(column.key, parameters)
    domain = str(parameters.get("domain", column.name))
    ignore_case, form = bool(parameters.get("ignore_case", False)), str(parameters.get("form", "uuid"))
    write = _as_uuid if form == "uuid" else _as_base32
    mark = f"{key_id(key)}:" if parameters.get("with_key_id", False) else ""
    tokens = [
        mark + write(digest(key, domain, canonical(value, ignore_case=ignore_case)))
        for value in column.dictionary.to_pylist()
    ]
    return Recoding("pseudonymise", column.name, dict(parameters), *by_text(listed(tokens)))


def column_names(replaced: Sequence[str], columns: Iterable[str]) -> dict[str, str]:
    """Return a name for each column of tokens that promises no number of a person, and that no column has.

    Parameters
    ----------
    replaced : sequence of str
        The columns whose values become tokens.
    columns : iterable of str
        All columns of the table.
    """
    taken = {name.casefold() for name in columns}
    free = (name for i in itertools.count(1) if (name := TOKENS if i == 1 else f"{TOKENS}_{i}") not in taken)
    return dict(zip(replaced, free, strict=False))


def key_for(key: bytes | None, parameters: Mapping[str, Any]) -> bytes:
    """Return the key of the key file, or a random key that is not kept, as the parameters state.

    Raises
    ------
    ConfigError
        If the plan needs a key file and none was given.
    """
    if parameters["key"] == "once":
        return secrets.token_bytes(32)
    if key is None:
        raise ConfigError("The plan needs a key file.", hint='add --key FILE, or write key = "once" in the plan')
    return key


def canonical(value: str, *, ignore_case: bool = False) -> str:
    """Return the form of a value that its token is made of."""
    # One person must not get two tokens because a file writes an accent in two code points.
    text = unicodedata.normalize("NFKC", value).strip()
    return text.casefold() if ignore_case else text


def digest(key: bytes, domain: str, value: str) -> bytes:
    """Return HMAC-SHA-256 of a canonical value in a domain."""
    # The zero byte separates: no domain and value together give the message of another pair.
    message = domain.encode("utf-8", "surrogatepass") + b"\0" + value.encode("utf-8", "surrogatepass")
    return hmac.digest(key, message, hashlib.sha256)


def key_id(key: bytes) -> str:
    """Return the name of a key, from which the key does not follow: 8 hexadecimal digits of HMAC(key, "id")."""
    return hmac.new(key, b"id", hashlib.sha256).hexdigest()[:8]


def _as_base32(found: bytes) -> str:
    return base64.b32encode(found[:TOKEN_BYTES]).decode("ascii").rstrip("=").lower()


def _as_uuid(found: bytes) -> str:
    return str(uuid.UUID(bytes=found[:TOKEN_BYTES], version=4))
