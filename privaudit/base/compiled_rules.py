"""The shipped rules as one file of JSON, which is read twenty times faster than their TOML.

Question: what do the rule files contain, without parsing TOML at every start?
Method: the file lists for each rule file its digest and its content; an entry counts only if the digest is that of the
rule file as it is now. The first line is the digest of the rest: where it differs, the file was damaged or edited,
and does not count. A wheel is built with the file. In a checkout the first run writes it to ``build/`` and every
run after a change of a rule file writes it again.
Limits: derived from the rule files alone, and holds nothing else. Where it is missing, damaged or cannot be written,
the TOML files are read. Dates become ISO 8601 texts.
"""

from __future__ import annotations

import contextlib
import datetime
import json
import os
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

NAME = "rules.json"
"""The file in a wheel, next to ``rules/``; in a checkout it is in ``build/``."""
Entries = dict[str, tuple[str, dict[str, Any]]]


def read(file: Path, root: Path) -> dict[str, Any]:
    """Return the content of a file below ``root/rules``.

    Raises
    ------
    OSError, UnicodeDecodeError, tomllib.TOMLDecodeError
    """
    raw = file.read_bytes()
    name, digest = file.relative_to(root).as_posix(), _digest(raw)
    known = _known(root).get(name)
    if known is None or known[0] != digest:
        if is_checkout(root):
            _renew(root)
        known = _known(root).get(name)
    if known is None or known[0] != digest:
        return _parsed(raw)
    return known[1]


def compile_rules(root: Path) -> str:
    """Return the text of the compiled file for the TOML files below ``root/rules``."""
    entries: Entries = {}
    for file in sorted((root / "rules").rglob("*.toml")):
        raw = file.read_bytes()
        entries[file.relative_to(root).as_posix()] = (_digest(raw), _parsed(raw))
    text = json.dumps(entries, ensure_ascii=False, separators=(",", ":"))
    return f"{_digest(text.encode())}\n{text}"


def _digest(raw: bytes) -> str:
    from hashlib import blake2b

    return blake2b(raw, digest_size=16).hexdigest()


def _parsed(raw: bytes) -> dict[str, Any]:
    content: dict[str, Any] = _without_dates(tomllib.loads(raw.decode("utf-8-sig")))
    return content


def _without_dates(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_dates(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_without_dates(item) for item in value]
    return value.isoformat() if isinstance(value, (datetime.date, datetime.time)) else value


def is_checkout(root: Path) -> bool:
    """Return whether the package is not installed but run from its repository, whose rules may change."""
    return (root / "pyproject.toml").is_file()


def place(root: Path, name: str) -> Path:
    """Return where a file of the build is: in ``build/`` of a checkout, next to ``rules/`` in a wheel."""
    return root / "build" / name if is_checkout(root) else root / name


@cache
def _known(root: Path) -> Entries:
    """Return the entries of the compiled file; none where it is missing or damaged."""
    try:
        digest, _, text = place(root, NAME).read_bytes().partition(b"\n")
        found = json.loads(text) if digest == _digest(text).encode() else None
    except (OSError, ValueError, RecursionError):
        return {}
    if not isinstance(found, dict):
        return {}
    return {name: (each[0], each[1]) for name, each in found.items() if _is_entry(each)}


def _is_entry(each: object) -> bool:
    return isinstance(each, list) and len(each) == 2 and isinstance(each[0], str) and isinstance(each[1], dict)


@cache
def _renew(root: Path) -> None:
    """Write the compiled file of a checkout again; once in a process."""
    with contextlib.suppress(OSError, UnicodeDecodeError, tomllib.TOMLDecodeError):
        write(place(root, NAME), compile_rules(root).encode())
        _known.cache_clear()


def write(target: Path, content: bytes) -> None:
    """Write a file of the build, whole or not at all.

    Raises
    ------
    OSError
    """
    import tempfile

    target.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(name).chmod(0o644)
        os.replace(name, target)
    finally:
        Path(name).unlink(missing_ok=True)
