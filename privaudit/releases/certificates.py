"""What the certificates of all kinds of release have in common: their place, their digests, and how they are read.

Question: which file is the certificate of a table or of answers, and was either changed?
Method: a JSON file next to the other. It holds the SHA-256 of that file, and a digest of all its own entries.
Limits: a digest is not a signature: whoever can change the file can also write another certificate.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from privaudit._version import __version__
from privaudit.base.errors import ConfigError, UnreadableSource
from privaudit.model.headers import shown_file
from privaudit.model.wording import Fact, Name, fact
from privaudit.report import files
from privaudit.report.seals import certificate_of, digest_of, sha256_of, with_digest

ANSWERS = "privaudit certificate of answers 1"
TABLE = "privaudit certificate of a synthetic table 1"
JOINT_AUDIT = "privaudit certificate of a joint audit 1"
FEDERATED_MODEL = "privaudit certificate of a federated model 1"


def sealed(
    file: Path, *, head: Mapping[str, str], published_as: str, created_at: str, content: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the certificate of `file` with its digest; `head` states its schema first."""
    whole = {
        **head,
        "tool": {"name": "privaudit", "version": __version__},
        "created_at": created_at,
        "file": {"name": shown_file(published_as), "bytes": file.stat().st_size, "sha256": sha256_of(file)},
        **content,
    }
    return with_digest(whole)


def write_certified(path: Path, forms: files.Forms, schema: str, content: Mapping[str, Any], created_at: str) -> None:
    """Write a result in one of its forms; next to JSON, which has all of it, its certificate.

    Raises
    ------
    ConfigError
        For a suffix without a form, or a file that must not or cannot be written.
    """
    if path.suffix.lower() != ".json":
        files.write_form(path, forms)
        return
    certificate = certificate_of(path)
    files.check(path)
    files.check(certificate)
    # Before the result: an interrupted run must not leave a result with the certificate of another.
    files.remove(certificate)
    files.write_form(path, forms)
    made = sealed(path, head={"schema": schema}, published_as=path.name, created_at=created_at, content=content)
    files.replace(certificate, file_text(made))


def file_text(content: Mapping[str, Any]) -> str:
    """Return a certificate, or a data dictionary, as the text of its file."""
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def read(file: Path, is_expected: Callable[[Mapping[str, Any]], bool]) -> dict[str, Any]:
    """Return the content of a certificate.

    Parameters
    ----------
    is_expected : callable
        Whether the content is a certificate of the kind that is expected; it may raise `KeyError` or `TypeError`.

    Raises
    ------
    UnreadableSource
        If `file` cannot be read, is too large or not JSON, or `is_expected` refuses it.
    """

    def checked(content: dict[str, Any]) -> dict[str, Any]:
        if not isinstance(content["file"], dict) or not is_expected(content):
            raise ValueError
        return content

    return files.read_json(file, checked, UnreadableSource(f"{shown_file(file)} is not a certificate of privaudit."))


def may_replace(path: Path, read_certificate: Callable[[Path], Mapping[str, Any]]) -> bool:
    """Whether a table may be replaced: its certificate names it, or the file is empty."""
    if path.stat().st_size == 0:
        return True
    try:
        return bool(read_certificate(certificate_of(path))["file"].get("name") == shown_file(path.name))
    except (ConfigError, UnreadableSource):
        return False


def integrity_problems(path: Path, content: Mapping[str, Any], file_changed: str) -> list[Fact]:
    """Return a fact for a changed certificate and one, with the code `file_changed`, for a changed file.

    Empty if both are intact.
    """
    wrong = []
    if content.get("digest") != digest_of(content):
        wrong.append(fact("remedies.certificate_changed"))
    if content["file"].get("sha256") != sha256_of(path):
        certified, shown = str(content["file"].get("name")), shown_file(path)
        # A renamed copy is the certified file; a page next to the certified JSON has its stem, and was not changed.
        other = {"other": Name(shown_file(certified))} if certified != shown else {}
        wrong.append(fact("remedies.certificate_of_other" if other else file_changed, file=Name(shown), **other))
    return wrong
