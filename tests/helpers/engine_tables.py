"""The tables on which every source must give the same answers as the table in memory."""

from __future__ import annotations

import datetime
import math
from collections import Counter
from decimal import Decimal
from typing import Any

import pyarrow as pa

from privaudit.source import Dataset


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
