"""What the certificates of all kinds of release have in common: their place, their digests, and how they are read.

Question: which file is the certificate of a table or of answers, and was either changed?
Method: a JSON file next to the other. It holds the SHA-256 of that file, and a digest of all its own entries.
Limits: a digest is not a signature: whoever can change the file can also write another certificate.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from privaudit._version import __version__
from privaudit.base.errors import ConfigError, UnreadableSource
from privaudit.model.headers import shown_file
from privaudit.model.wording import Fact, Name, fact

MOST_BYTES = 256 * 1024 * 1024
"""Longest certificate that is read: one of answers states every query, one of a synthetic table its whole domain."""


def certificate_of(path: Path) -> Path:
    """Return the path of the certificate of a table or of answers."""
    return path.with_name(f"{path.stem}.privaudit.json")


def sealed(
    head: Mapping[str, str], file: Path, published_as: str, created_at: str, content: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the certificate of `file` with its digest; `head` states its schema first."""
    whole = {
        **head,
        "tool": {"name": "privaudit", "version": __version__},
        "created_at": created_at,
        "file": {"name": shown_file(published_as), "bytes": file.stat().st_size, "sha256": sha256_of(file)},
        **content,
    }
    return {**whole, "digest": digest_of(whole)}


def sha256_of(file: Path) -> str:
    """Return the SHA-256 of a file."""
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def digest_of(content: Mapping[str, Any]) -> str:
    """Return the digest of a certificate, its own entry not counted."""
    plain = {key: value for key, value in content.items() if key != "digest"}
    text = json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return "sha256:" + hashlib.sha256(text.encode("ascii")).hexdigest()


def file_text(content: Mapping[str, Any]) -> str:
    """Return a certificate, or a data dictionary, as the text of its file."""
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def read(file: Path, is_whole: Callable[[Mapping[str, Any]], bool]) -> dict[str, Any]:
    """Return the content of a certificate.

    Parameters
    ----------
    is_whole : callable
        Whether the content is a certificate of the kind that is expected; it may raise `KeyError` or `TypeError`.

    Raises
    ------
    UnreadableSource
        If it is not.
    """
    try:
        if file.stat().st_size > MOST_BYTES:
            raise ValueError
        content: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        if not isinstance(content["file"], dict) or not is_whole(content):
            raise ValueError
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        raise UnreadableSource(f"{shown_file(file)} is not a certificate of privaudit.") from None
    return content


def may_replace(path: Path, read_certificate: Callable[[Path], Mapping[str, Any]]) -> bool:
    """Whether a table is named by the certificate next to it, so that another may replace it; so may an empty file."""
    if path.stat().st_size == 0:
        return True
    try:
        return bool(read_certificate(certificate_of(path))["file"].get("name") == shown_file(path.name))
    except (ConfigError, UnreadableSource):
        return False


def changes(path: Path, content: Mapping[str, Any], other_file: str) -> list[Fact]:
    """Return whether the certificate, or the file that it is about, was changed; `other_file` states the latter."""
    wrong = []
    if content.get("digest") != digest_of(content):
        wrong.append(fact("remedies.certificate_changed"))
    if content["file"].get("sha256") != sha256_of(path):
        wrong.append(fact(other_file, file=Name(text=shown_file(path))))
    return wrong
