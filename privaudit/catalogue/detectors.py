"""The detectors of the shipped packs and of the user's packs.

Question: which detectors and entity types are there?
Method: TOML files under ``rules/detectors`` and in a folder of the user, which is validated as it is loaded
(schema.py).
Limits: shipped packs are validated by the tests, not at run time.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from privaudit import resources
from privaudit.catalogue import schema
from privaudit.catalogue.detector import Detector, TextForm

LEARNED = "fusion.toml"  # written by `privaudit rules train`; not a pack of detectors


def load(extra_dir: str | Path | None = None) -> tuple[Detector, ...]:
    """Return every detector of the shipped packs and of the packs in `extra_dir`; raises as `user_packs` does."""
    return (*_shipped(), *user_packs(extra_dir))


def user_packs(folder: str | Path | None) -> tuple[Detector, ...]:
    """Return the detectors of the packs in the user's `folder`, validated; none if there is no folder.

    Raises
    ------
    RuleError
        For a folder without packs, a pack that is not TOML, an unknown key, a wrong type, an expression that RE2
        rejects, an unknown validator, list, country or entity type, or a duplicate; the message names pack, detector
        and key.
    """
    if folder is None:
        return ()
    home = resources.user_folder(folder)
    files = sorted({*home.glob("*.toml"), *home.glob("detectors/*.toml")} - {home / LEARNED})
    packs = [schema.read(resources.read_toml(file), file) for file in files]
    entities = [entity.name for pack in packs for entity in pack.entity]
    detectors = tuple(detector for pack in packs for detector in pack.detector)
    schema.check_together(detectors, entities)
    return detectors


@cache
def _shipped() -> tuple[Detector, ...]:
    # Not validated here: building the schema takes longer than reading the packs.
    files = sorted(resources.path("rules", "detectors").glob("*.toml"))
    return tuple(
        record(pack=file.stem, **item) for file in files for item in resources.read_toml(file)["detector"]
    )


def record(**item: Any) -> Detector:
    """Return the detector of a table of a pack."""
    forms = tuple(TextForm(**_with_tuples(form)) for form in item.pop("text", ()))
    return Detector(text=forms, **_with_tuples(item))


def _with_tuples(item: dict[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in item.items()}
