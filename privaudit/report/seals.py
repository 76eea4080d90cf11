"""Digests of what privaudit writes, and the certificate next to it.

Question: which file is the certificate of another, and is a file as privaudit wrote it?
Method: certificates and comparisons hold a digest of all their own entries; a certificate holds the SHA-256 of the file
that it certifies, and of the data dictionary of that file.
Limits: a digest is not a signature: whoever can change a file can also compute its digest.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

DICTIONARY = ".dictionary.json"
"""How the name of a data dictionary ends, after the stem of the name of its table."""


def certificate_of(path: Path) -> Path:
    """Return the path of the certificate of a table or of answers."""
    return path.with_name(f"{path.stem}.privaudit.json")


def sha256_of(file: Path) -> str:
    """Return the SHA-256 of a file."""
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def digest_of(content: Mapping[str, Any]) -> str:
    """Return the digest of a certificate, its own entry not counted."""
    plain = {key: value for key, value in content.items() if key != "digest"}
    text = json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return "sha256:" + hashlib.sha256(text.encode("ascii")).hexdigest()


def with_digest(content: Mapping[str, Any]) -> dict[str, Any]:
    """Return the entries with their digest."""
    return {**content, "digest": digest_of(content)}


def is_as_written(file: Path, content: Any) -> bool:
    """Whether a JSON file, with this content, has its own digest or the SHA-256 that the certificate next to it states.

    >>> is_as_written(Path("a.json"), {"schema": "x"}), is_as_written(Path("a.json"), [1, 2])
    (False, False)
    """
    if _is_sealed(content):
        return True
    stem = file.name.removesuffix(DICTIONARY) if file.name.endswith(DICTIONARY) else file.stem
    try:
        certificate = json.loads(certificate_of(file.with_name(f"{stem}.json")).read_bytes())
    except (OSError, ValueError, RecursionError):
        return False
    if not _is_sealed(certificate):
        return False
    named = [certificate.get(key) for key in ("file", "dictionary")]
    return sha256_of(file) in [each.get("sha256") for each in named if isinstance(each, dict)]


def _is_sealed(content: Any) -> bool:
    if not isinstance(content, dict) or not str(content.get("schema")).startswith("privaudit "):
        return False
    try:
        return content.get("digest") == digest_of(content)
    except (ValueError, RecursionError):
        return False
