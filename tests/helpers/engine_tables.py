"""The tables on which every source must give the same answers as the table in memory."""

from __future__ import annotations

import datetime
import math
from collections import Counter
from decimal import Decimal
from typing import Any
from unittest.mock import patch

import pyarrow as pa

from privaudit.detect.catalogue import forms as catalogue
from privaudit.detect.catalogue.expressions import portable
from privaudit.model import ColumnReport
from privaudit.risk import assess
from privaudit.risk.search import parts
from privaudit.settings.config import Settings
from privaudit.source import Dataset
from privaudit.source.engine import spool


def hard_cells() -> pa.Table:
    """Missing and blank cells, -0.0 and NaN, trailing blanks, equal letters in two forms, large and old numbers."""
    n = 12
    before = datetime.date(1969, 12, 31)
    return pa.table(
        {
            "text": pa.array(["a", "a ", " a", "", "  ", None, "é", "e\u0301", "A", "a", "null", "'x\\"], pa.string()),
            "number": pa.array([0.0, -0.0, math.nan, None, 1.5, -1.5, 1e300, 0.1, 1.0, 2.0, 1e-7, 123456789.25]),
            "large": pa.array([2**53, 2**53 + 1, -(2**63), 2**63 - 1, None, 0, 1, 1, 1, 1, -1, 7], pa.int64()),
            "day": pa.array([before - datetime.timedelta(days=i * 400) for i in range(n - 1)] + [None], pa.date32()),
            "moment": pa.array(
                [datetime.datetime(1960, 2, 29, 23, 59, 59) + datetime.timedelta(days=i) for i in range(n)],
                pa.timestamp("us"),
            ),
            "amount": pa.array([Decimal("1.50"), Decimal("-0.00"), None] * 4, pa.decimal128(20, 2)),
            "yes": pa.array([True, False, None] * 4),
        }
    )


def odd_names() -> pa.Table:
    """Names with quotes, dashes, backticks, blanks, keywords and other letters."""
    names = ['a"b', "a-b", "a`b", "a b", "select", "été", "a'b", "A-B", "a.b", "100%", "x\\y", "$1", "?"]
    return pa.table({name: [str(i), "x", None] for i, name in enumerate(names)})


def wide() -> pa.Table:
    """A hundred columns."""
    return pa.table({f"column {i:03d}": [str(j % (i % 7 + 1)) for j in range(20)] for i in range(100)})


def people(n: int) -> pa.Table:
    """People with an illness, and no missing cells."""
    return pa.table(
        {
            "sex": ["f" if i % 2 else "m" for i in range(n)],
            "age": pa.array([i % 70 + 18 for i in range(n)], pa.int64()),
            "zip": [f"{10000 + i % 90}" for i in range(n)],
            "diagnosis": ["flu" if i % 3 else "asthma" for i in range(n)],
        }
    )


TABLES = {"hard_cells": hard_cells, "odd_names": odd_names, "wide": wide}


def answers(dataset: Dataset, seed: int = 5) -> dict[str, Any]:
    """Return everything that a source answers, in a form that does not depend on the order of rows and groups."""
    names = list(dataset.columns)
    some = names[:4]
    groups = dataset.distinct_rows(some).to_pylist()
    first = names[0]
    cells = dataset.frequencies(first).values.to_pylist()
    return {
        "rows": dataset.n_rows,
        "columns": names,
        "declared": dict(dataset.declared),
        "frequencies": {name: frequencies(dataset, name) for name in names},
        "distinct": Counter({tuple(row[name] for name in some): row["weight"] for row in groups}),
        "n_distinct": len(groups),
        "class_sizes": dataset.class_sizes(some),
        "table": counted(dataset.rows(names)),
        "holding": counted(dataset.rows_holding(some[::-1], first, sorted(cells)[:2])),
        "sample": counted(dataset.sample(dataset.n_rows // 2, names, seed)),
    }


def frequencies(dataset: Dataset, name: str) -> tuple[dict[str, int], int]:
    found = dataset.frequencies(name)
    assert len(set(found.values.to_pylist())) == len(found.values)
    return dict(zip(found.values.to_pylist(), found.counts.tolist(), strict=True)), found.n_missing


def counted(rows: pa.Table) -> Counter[tuple[Any, ...]]:
    return Counter(tuple(row.values()) for row in rows.to_pylist())


def many_values(n: int = 4000) -> pa.Table:
    """Columns with more distinct values than a small bound, one card number among them."""
    notes: list[str | None] = [f"note {i} \u00e9" for i in range(n)]
    notes[n // 2], notes[1], notes[2] = "4111 1111 1111 1111", None, "  "
    return pa.table(
        {
            "note": notes,
            "group": [f"g{i % 700}" if i % 3 else "unknown" for i in range(n)],
            "number": pa.array([i * 7919 - 5 for i in range(n)], pa.int64()),
            "sex": ["f" if i % 2 else "m" for i in range(n)],
        }
    )


def mostly_distinct(n: int = 3000) -> pa.Table:
    """Four quasi-identifiers of different types on which nearly all rows are distinct; some cells are missing."""
    return pa.table(
        {
            "sex": ["f" if i % 2 else "m" for i in range(n)],
            "age": pa.array([i * 31 % 70 + 18 if i % 50 else None for i in range(n)], pa.int64()),
            "zip": [f"{10000 + i * 13 % 290}" if i % 41 else " " for i in range(n)],
            "born": pa.array([i * 17 % 900 - 400 for i in range(n)], pa.int32()).cast(pa.date32()),
        }
    )


def same_in_parts(dataset: Dataset, expected: Dataset, most: int, **options: Any) -> None:
    """Assert that a table counted in parts of about `most` distinct rows has the classes of the table in memory."""
    columns = tuple(
        ColumnReport(
            name=name, data_type="text", n_rows=0, n_missing=0, n_distinct=0, n_held_once=0,
            uniqueness=None, entropy_bits=None, role="quasi",
        )
        for name in dataset.columns
    )  # fmt: skip
    settings = Settings(max_size=3, **options)
    whole = assess(expected, columns, settings, thresholds=(3,))
    assert whole.coded is not None and whole.risk is not None
    with patch.object(parts, "most_rows", lambda *_: most):
        found = assess(dataset, columns, settings, thresholds=(3,))
    assert found.coded is None and found.risk is not None
    assert found.risk.class_sizes == whole.risk.class_sizes
    assert {c.columns: c for c in found.combinations} == {c.columns: c for c in whole.combinations}


def parts_of_values(dataset: Dataset) -> dict[str, Any]:
    """Return the values that were read of every column, with what is exact about it."""
    found = {}
    for name in dataset.columns:
        read = dataset.frequencies(name)
        known: Any = read.totals
        if known is not None:
            exact = known.n_present, known.n_distinct, known.n_held_once, known.scale, known.n_common_forms
            sought = dict(zip(known.sought.to_pylist(), known.sought_rows.tolist(), strict=True))
            known = (exact, sought, round(known.weighted_logs, 6))
        found[name] = (frequencies(dataset, name), known)
    return found


def spooled(table: pa.Table) -> Dataset:
    """Return a table that the embedded engine holds."""
    held = spool.spool(table.schema, table.to_batches(), Settings())
    return Dataset(held, columns=table.column_names, name="t", format="engine", on_close=held.close)


def matched_on_engine(dataset: Dataset, every: int) -> list[dict[str, int] | None]:
    """Return the values of ``note`` that match expressions of detectors, of one in `every` forms inside text."""
    forms = [portable([spec.narrow]) for spec in catalogue.specs()[::every]]
    answers = dataset.matching([("note", form) for form in forms if form is not None])
    return [one and dict(zip(one[0].to_pylist(), one[1].tolist(), strict=True)) for one in answers]


def texts_of_detectors(n: int = 400) -> pa.Table:
    """Notes with a value of each detector, and others that only number the rows."""
    values = {text: None for spec in catalogue.specs() for text in (*spec.text.match, *spec.text.no_match)}
    notes = [*values, *(f"note {i} of $5 in the [ward] 'A'" for i in range(n))]
    return pa.table({"note": notes})
