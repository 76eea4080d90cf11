"""Scores on labelled public tables, with their column names and without."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from privaudit.detect.detection import detect
from privaudit.detect.roles import assign
from privaudit.settings.config import Settings
from privaudit.source.memory.arrow import from_arrow
from privaudit.source.profile import profile

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data"
SETTINGS = Settings(ner=False)


def read(name: str, meta: dict[str, Any]) -> pa.Table:
    import pandas as pd

    if name.endswith(".parquet"):
        frame = pd.read_parquet(DATA / name).astype("string")
    else:
        header = 0 if meta["header"] else None
        frame = pd.read_csv(DATA / name, sep=meta["sep"], header=header, dtype=str, keep_default_na=False)
    columns = {}
    for column in frame.columns:
        cells = [c if isinstance(c, str) and c.strip() else None for c in frame[column].tolist()]
        columns[str(column)] = pa.array(cells, pa.string())
    return pa.table(columns)


def predict(name: str, meta: dict[str, Any], opaque: bool) -> dict[str, dict[str, str]]:
    table = read(name, meta)
    names = table.column_names
    if opaque:
        table = table.rename_columns([f"c{i:02d}" for i in range(len(names))])
    with from_arrow(table) as dataset:
        profiles = profile(dataset)
        found = detect(dataset, profiles, SETTINGS)
        roles = assign(profiles, found, SETTINGS)
    return {
        column: {"entity": "NONE" if one.is_ is None else one.is_.entity, "role": role.role}
        for column, one, role in zip(names, found, roles, strict=True)
    }


@pytest.mark.slow
@pytest.mark.shared
@pytest.mark.parametrize("opaque", [False, True])
def test_labelled_tables(opaque: bool) -> None:
    if not (DATA / "labels_open.json").is_file():
        pytest.skip("reference tables are not beside the project")
    labels = json.loads((DATA / "labels_open.json").read_text())
    meta = json.loads((DATA / "labels_meta.json").read_text())
    spec = importlib.util.spec_from_file_location("score_labels", DATA / "score_labels.py")
    assert spec is not None and spec.loader is not None
    scorer = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(scorer)
    score = scorer.score(labels, {name: predict(name, meta[name], opaque) for name in labels})
    assert score["false_alarms"][0] == 0
    if opaque:
        assert score["f1"] >= 0.80
    else:
        assert score["f1"] >= 0.97
        assert score["role_accuracy"] >= 0.95
        assert score["leaks"][0] <= 1
