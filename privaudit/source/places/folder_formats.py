"""Is a local folder a Delta or an Iceberg table?

Question: does a folder hold the log or the metadata of a table format?
Method: by the names that the formats prescribe: ``_delta_log``, and ``metadata/*.metadata.json``.
Limits: reads no file.
"""

from __future__ import annotations

import os
from pathlib import Path


def is_delta(folder: str | os.PathLike[str]) -> bool:
    """Whether a folder is a Delta table; its files also hold rows that were removed."""
    return os.path.isdir(os.path.join(folder, "_delta_log"))


def iceberg_metadata(folder: str | os.PathLike[str]) -> Path | None:
    """Return the newest metadata file of an Iceberg table, None where the folder is not one."""
    metadata = Path(folder, "metadata")
    # isdir, unlike glob, answers for a folder without permission.
    files = list(metadata.glob("*.metadata.json")) if os.path.isdir(metadata) else []
    return max(files, key=lambda file: (_version(file.name), file.name), default=None)


def _version(name: str) -> int:
    digits = name.lstrip("v").partition(".")[0].partition("-")[0]
    return int(digits) if digits.isdecimal() else -1
