"""Where the certificate of a table is; every scan of a file looks there, so that nothing else is imported."""

from __future__ import annotations

from pathlib import Path


def certificate_of(path: Path) -> Path:
    """Return the path of the certificate of a table."""
    return path.with_name(f"{path.stem}.privaudit.json")
