"""Small tables for tests: cells that are stated, or drawn column by column."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pandas as pd
import pyarrow as pa

from privaudit.model import ColumnReport, Role
from privaudit.source import Dataset
from privaudit.source.memory.arrow import from_arrow


def opened(**columns: Sequence[str | None]) -> Dataset:
    """Open a table of columns of text."""
    return from_arrow(pa.table({name: pa.array(cells, pa.string()) for name, cells in columns.items()}))


def drawn(n: int, seed: int, **columns: Sequence[Any]) -> dict[str, list[Any]]:
    """Draw n cells of each column with the same probability: a range gives whole numbers, another sequence its members.

    Columns are drawn one after another, so that the first ones stay where another is added.
    """
    draw = random.Random(seed)
    return {name: [draw.choice(members) for _ in range(n)] for name, members in columns.items()}


CITIES = ("Nairobi", "Kisumu", "Mombasa", "Nakuru")
PEOPLE = {"age": range(18, 81), "city": CITIES, "gender": ("female", "male"), "visits": range(1, 10)}


def people(n: int = 600, seed: int = 1, **columns: Sequence[Any]) -> pd.DataFrame:
    """Draw people; `columns` replace those of PEOPLE or are added to them."""
    return pd.DataFrame(drawn(n, seed, **PEOPLE | columns))


def column_report(name: str, role: Role = "quasi") -> ColumnReport:
    """Return the record of a column whose role alone matters."""
    return ColumnReport(
        name=name, data_type="text", n_rows=0, n_missing=0, n_distinct=0, n_held_once=0,
        uniqueness=None, entropy_bits=None, role=role,
    )  # fmt: skip
