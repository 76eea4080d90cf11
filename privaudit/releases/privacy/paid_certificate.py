"""What the certificates of paid releases, of answers and of synthetic tables, have in common.

Question: does a certificate of this kind lie next to the file, is either changed, and does the ledger hold its entry?
Method: the schema names the kind; the digests cover the certificate and the file; the receipt names the entry.
Limits: a digest is not a signature.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from privaudit.base.errors import ConfigError, LedgerError, UnreadableSource
from privaudit.model.headers import shown_file
from privaudit.model.wording import Fact, Name, fact
from privaudit.releases.privacy.account import MOST_BYTES
from privaudit.releases.privacy.ledger import Ledger, Receipt
from privaudit.releases.remedy.certificate import digest_of, sha256_of
from privaudit.releases.remedy.output import certificate_of


def is_certificate(path: Path, schema: str) -> bool:
    """Whether the certificate next to `path` is one of `schema`."""
    file = certificate_of(path)
    try:
        return file.stat().st_size <= MOST_BYTES and schema in file.read_text(encoding="utf-8")[:200]
    except (OSError, ValueError):
        return False


def read(file: Path, schema: str, *, is_whole: Callable[[Any], bool], kind: str, hint: str) -> dict[str, Any]:
    """Return the content of a certificate.

    Parameters
    ----------
    file : path of the certificate
    schema : str
    is_whole : callable
        Whether the content has what this kind states; it may raise KeyError or TypeError.
    kind, hint : str
        What errors call it, and what writes it.

    Raises
    ------
    ConfigError, UnreadableSource
        If the file is missing, or is not a certificate of this kind.
    """
    if not file.is_file():
        raise ConfigError(f"The certificate {shown_file(file)} was not found.", hint=hint)
    try:
        if file.stat().st_size > MOST_BYTES:
            raise ValueError
        content: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        if content["schema"] != schema or not isinstance(content["file"], dict) or not is_whole(content):
            raise ValueError
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        raise UnreadableSource(f"{shown_file(file)} is not a certificate of {kind}.") from None
    return content


def differences(path: Path, content: Mapping[str, Any], other_file: str) -> list[Fact]:
    """Return what was changed of the file and of its certificate; `other_file` is the code for another file."""
    wrong = []
    if content.get("digest") != digest_of(content):
        wrong.append(fact("remedies.certificate_changed"))
    if content["file"].get("sha256") != sha256_of(path):
        wrong.append(fact(other_file, file=Name(text=shown_file(path))))
    return wrong


def ledger_differences(receipt: Any, path: Path) -> list[Fact]:
    """Return why the ledger does not hold the entry that paid; nothing where it does.

    Raises
    ------
    UnreadableSource
        If the certificate names no entry.
    """
    try:
        Ledger.open(path, receipts=[Receipt.parse(receipt)])
    except LedgerError as error:
        return [fact("answers.certificate_ledger", why=Name(text=error.message))]
    return []
