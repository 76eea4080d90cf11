"""Five real tables: the automatic plan keeps its promise, and every technique is written and read back."""

from __future__ import annotations

import datetime

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import privaudit
from privaudit.advice.technique import Context, names, technique
from privaudit.releases.output import target_of
from privaudit.releases.remedy.plan import Plan, Step
from privaudit.releases.remedy.task import apply
from privaudit.releases.remedy.types import typed
from privaudit.source.cells.cell_text import to_text
from tests.helpers.paths import third_party

TABLES = (
    ("heart", "heart_disease.csv"),
    ("mall", "Mall_Customers.csv"),
    ("students", "StudentsPerformance.csv"),
    ("hr_attrition", "WA_Fn-UseC_-HR-Employee-Attrition.csv"),
    ("selva86", "Wage.csv"),
)
pytestmark = [pytest.mark.shared, pytest.mark.slow]
NUMERIC = {
    "band": {"width": 10},
    "top_code": {"at": 50},
    "bottom_code": {"at": 30},
    "round_number": {"base": 5},
    "cut": {"quantiles": 4},
    "threshold": {"by": "median"},
    "microaggregate": {"k": 3},
    "add_noise": {"share": 0.2, "keep_spread": True},
    "rank_swap": {"share": 0.1},
    "pca_mask": {},
    "sample_distribution": {"within_range": True},
}
ANY = {
    "drop": {},
    "mask": {},
    "partial_mask": {"last": 1},
    "pseudonymise": {"key": "once"},
    "prefix": {"characters_kept": 1},
    "merge_rare": {"below": 20},
    "group_values": {"below": 40, "rare": 10},
    "renumber": {},
    "sample_shares": {},
    "pram": {"keep": 0.8},
}
OTHERS = {
    "round_date": {"precision": "year"},
    "shift_dates": {"person": "person", "days": 30, "key": "once"},
    "hierarchy_level": {"level": 1},
    "suppress_records": {"below": 3},
    "sample_records": {"share": 0.5},
    "mask_text": {"names": False},
    "rename_columns": {"to": ["first"]},
    "suppress_cells": {"below": 3},
    "suppress_incomplete": {},
    "keep_records": {"where": "person is not missing"},
    "mondrian": {"below": 2},
    "recode_locally": {"below": 2, "parts": [{}]},
}


@pytest.mark.parametrize("where", TABLES, ids=[where[0] for where in TABLES])
def test_the_automatic_plan_leads_from_a_failed_gate_to_a_passed_one(where, tmp_path):
    target = tmp_path / "safer.parquet"
    made = privaudit.remedy(third_party(*where), output=target, policy="controlled", framework=())
    assert not made.before.gate().passed and made.after.gate().passed
    assert made.after.dataset.n_rows == made.promised["n_records"]
    if made.after.risk is not None and made.after.risk.k_min is not None:
        assert made.after.risk.k_min == made.promised["k_min"]
    assert privaudit.verify(target)[1]


def prepared(where):
    """Return a table as texts, with a person and a date for each row, and two numeric columns of it."""
    frame = pd.read_csv(third_party(*where), dtype=str, keep_default_na=False).head(400)
    frame["person"] = [f"p{i // 2}" for i in range(len(frame))]
    frame["seen"] = [str(datetime.date(2020, 1, 1) + datetime.timedelta(days=i)) for i in range(len(frame))]
    numbers = frame.drop(columns=["person", "seen"]).apply(pd.to_numeric, errors="coerce")
    numeric = [name for name in numbers if numbers[name].notna().all() and numbers[name].nunique() > 5][:2]
    table, _ = zip(*[to_text(pa.chunked_array([pa.array(frame[n])])) for n in frame], strict=True)
    return pa.table(list(table), names=list(frame.columns)), numeric


def step_for(name, table, numeric):
    parameters = {**NUMERIC, **ANY, **OTHERS}[name]
    scope = technique(name).scope
    if scope == "records":
        extra = {"classes_over": numeric} if name == "suppress_records" else {}
        return Step(technique=name, parameters={**parameters, **extra})
    if name in ("round_date", "shift_dates"):
        columns = ("seen",)
    elif name in NUMERIC:
        columns = tuple(numeric) if scope == "columns" else (numeric[0],)
    else:
        of_person = ("renumber", "mask", "mondrian", "recode_locally")
        columns = ("person",) if name in of_person else (table.column_names[0],)
    return Step(technique=name, columns=columns, parameters=parameters)


@pytest.mark.parametrize("where", TABLES, ids=[where[0] for where in TABLES])
def test_every_technique_is_written_and_read_back(where, tmp_path):
    polars = pytest.importorskip("polars")
    table, numeric = prepared(where)
    hierarchy = {value: (f"{value[:1]}*",) for value in table.column(0).unique().to_pylist() if value}
    for name in {n for n in names() if not n.startswith("fake_")} - {"encrypt_digits"}:
        step = step_for(name, table, numeric)
        context = Context(random=np.random.default_rng(1), hierarchies={table.column_names[0]: hierarchy})
        made, *_ = apply(table, Plan(steps=(step,)), context)
        kinds = dict.fromkeys(numeric, "integer")
        written = typed(made, {}, kinds)
        texts = {column: to_text(written[column])[0].to_pylist() for column in written.column_names}
        assert texts == {column: made[column].to_pylist() for column in made.column_names}
        for suffix in (".parquet", ".csv", ".xlsx"):
            target = target_of(tmp_path / f"{name}{suffix}")
            target.output.write(written, target.path, target.part)
        for read in (
            pd.read_parquet(tmp_path / f"{name}.parquet"),
            polars.read_parquet(tmp_path / f"{name}.parquet").to_pandas(),
            duckdb.read_parquet(str(tmp_path / f"{name}.parquet")).df(),
            pd.read_csv(tmp_path / f"{name}.csv", dtype=str),
            pd.read_excel(tmp_path / f"{name}.xlsx", engine="calamine"),
            pd.read_excel(tmp_path / f"{name}.xlsx", engine="openpyxl"),
        ):
            assert list(read.columns) == written.column_names
            assert len(read) == written.num_rows
        again = pd.read_csv(tmp_path / f"{name}.csv", dtype=str, keep_default_na=False)
        assert {c: again[c].tolist() for c in again} == {c: [v or "" for v in cells] for c, cells in texts.items()}
