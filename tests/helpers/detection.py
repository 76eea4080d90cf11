"""Build small tables and judge them, for the tests of detection."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack

import pyarrow as pa

from privaudit.detect.detection import detect
from privaudit.model import Detection
from privaudit.settings.config import Settings
from privaudit.source.memory.arrow import from_arrow
from privaudit.source.profile import profile

NO_MODEL = Settings(ner=False)


Columns = Mapping[str, Sequence[str | None]]


def judge(columns: Columns, settings: Settings = NO_MODEL, *, auxiliary: Columns | None = None) -> dict[str, Detection]:
    """Return the detection of every column of a table of text, with an auxiliary table if there is one."""
    with ExitStack() as opened:
        dataset = opened.enter_context(from_arrow(_table(columns)))
        other = None if auxiliary is None else opened.enter_context(from_arrow(_table(auxiliary)))
        found = detect(dataset, profile(dataset), settings, auxiliary=other)
    return {detection.column: detection for detection in found}


def _table(columns: Columns) -> pa.Table:
    return pa.table({name: pa.array(list(cells), pa.string()) for name, cells in columns.items()})


def entity(cells: Sequence[str | None], name: str = "c0") -> str | None:
    """Return the entity of one column standing alone."""
    found = judge({name: cells})[name].is_
    return None if found is None else found.entity
