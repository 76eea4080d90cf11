"""Build small tables and judge them, for the tests of detection."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pyarrow as pa

from privaudit.config import Settings
from privaudit.detect import detect
from privaudit.model import Detection
from privaudit.profile import profile
from privaudit.source.arrow import from_arrow

NO_MODEL = Settings(ner=False)


def judge(columns: Mapping[str, Sequence[str | None]], settings: Settings = NO_MODEL) -> dict[str, Detection]:
    """Return the detection of every column of a table of text."""
    table = pa.table({name: pa.array(list(cells), pa.string()) for name, cells in columns.items()})
    with from_arrow(table) as dataset:
        found = detect(dataset, profile(dataset), settings)
    return {detection.column: detection for detection in found}


def entity(cells: Sequence[str | None], name: str = "c0") -> str | None:
    """Return the entity of one column standing alone."""
    found = judge({name: cells})[name].is_
    return None if found is None else found.entity
