"""The whole risk stage over ten million rows: one table that collapses, and one whose rows are nearly all distinct.

    python benchmarks/risk_stage.py [ROWS] [--table A|B] [--base FILE] [--memory 1GB] [--folder FOLDER]

Table A has the eight quasi-identifiers of census records: each row is a draw of a base row, and each cell is replaced
with chance 0.1 by a draw from its column. Base rows are seeded draws, or those of FILE (the Adult table, separated by
semicolons). Table B adds a postcode of 5,000 values and a birth date of 25,000. Each table is written as Parquet, read
in a process of its own with the given memory, and assessed: every set of up to 3 columns, minimal sample uniques, and
all columns together. DuckDB's own group-by over all columns of the same file, with the same memory, is the reference.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv as pc
import pyarrow.parquet as pq
from made import Codes, columns, peak_memory

WIDTHS = (2, 72, 5, 7, 16, 41, 7, 14)
NAMES = ("sex", "age", "race", "marital", "education", "country", "workclass", "occupation")
BLOCK = 1_000_000


def base_codes(path: Path | None) -> list[pa.DictionaryArray]:
    """Return the base rows, one dictionary for each of the eight columns."""
    if path is None:
        codes = columns(30_162, WIDTHS, seed=4, skew=1.2)
        texts = [pa.array([f"{name} {i:02}" for i in range(width)]) for name, width in zip(NAMES, WIDTHS, strict=True)]
        return [pa.DictionaryArray.from_arrays(c, text) for c, text in zip(codes, texts, strict=True)]
    read = pc.read_csv(path, parse_options=pc.ParseOptions(delimiter=";"))
    return [read.column(i).cast(pa.string()).combine_chunks().dictionary_encode() for i in range(8)]


def draws(rows: int, base: list[pa.DictionaryArray], extra: Sequence[int] = ()) -> Iterator[list[Codes]]:
    """Yield the codes of the rows block by block: those of the base columns, then one array for each extra width."""
    rng = np.random.default_rng(11)
    columns_of_base = [column.indices.to_numpy() for column in base]
    for start in range(0, rows, BLOCK):
        n = min(BLOCK, rows - start)
        drawn = rng.integers(0, len(base[0]), n)
        made = []
        for codes in columns_of_base:
            replaced = rng.random(n) < 0.1
            made.append(np.where(replaced, codes[rng.integers(0, len(codes), n)], codes[drawn]).astype(np.int32))
        yield [*made, *(rng.integers(0, width, n).astype(np.int32) for width in extra)]


def write(path: Path, kind: str, rows: int, base: list[pa.DictionaryArray]) -> None:
    """Write table A or B."""
    born = np.datetime64("1930-01-01") + np.arange(25_000).astype("timedelta64[D]")
    extra = [pa.array([f"{i:05}" for i in range(1_000, 6_000)]), pa.array(born.astype(str))] if kind == "B" else []
    names = [*NAMES, *("postcode", "birth_date")[: len(extra)]]
    dictionaries = [*(column.dictionary for column in base), *extra]
    fields = [pa.field(name, pa.dictionary(pa.int32(), pa.string())) for name in names]
    with pq.ParquetWriter(path, pa.schema(fields)) as writer:
        for codes in draws(rows, base, [len(texts) for texts in extra]):
            made = map(pa.DictionaryArray.from_arrays, codes, dictionaries)
            writer.write_table(pa.table(list(made), names=names))


def assess(path: Path, memory: str) -> dict[str, object]:
    """Assess the table at `path`, every column a quasi-identifier, and return what it cost."""
    from privaudit.settings.config import Settings
    from privaudit.source import open_dataset

    settings = Settings(memory=memory)
    at = time.perf_counter(), cpu()
    with open_dataset(path, settings) as dataset:
        read = time.perf_counter() - at[0], cpu() - at[1]
        return {"read": read, **assess_dataset(dataset, settings)}


def assess_dataset(dataset: Any, settings: Any) -> dict[str, object]:
    """Run the whole risk stage on `dataset`, every column a quasi-identifier, and return what it cost."""
    from privaudit.model import ColumnReport
    from privaudit.risk import assess

    reports = tuple(quasi_identifier(ColumnReport, name, dataset.n_rows) for name in dataset.columns)
    spent: dict[str, float] = {}
    at = time.perf_counter(), cpu()
    found = assess(dataset, reports, settings, thresholds=(5,), spent=spent)
    took = time.perf_counter() - at[0], cpu() - at[1]
    assert found.risk is not None
    return {
        "risk": took,
        "GB": peak_memory(),
        "classes": found.risk.n_classes,
        "uniques": found.risk.n_unique,
        "sets": len(found.combinations),
        "limits": [one.code for one in found.limits],
    }


def cpu() -> float:
    """Return the processor seconds of this process and of its children."""
    return sum(
        used.ru_utime + used.ru_stime
        for used in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )


def quasi_identifier(kind: type, name: str, n_rows: int) -> object:
    """Return the report of a column that is a quasi-identifier."""
    return kind(
        name=name,
        data_type="text",
        n_rows=n_rows,
        n_missing=0,
        n_distinct=0,
        n_held_once=0,
        uniqueness=None,
        entropy_bits=None,
        role="quasi",
    )


def reference(path: Path, memory: str) -> dict[str, object]:
    """Return what DuckDB's group-by over all columns costs."""
    import duckdb

    at = time.perf_counter(), cpu()
    connection = duckdb.connect(config={"memory_limit": memory, "preserve_insertion_order": False})
    keys = ", ".join(f'"{name}"' for name in pq.read_schema(path).names)
    query = f"SELECT COUNT(*), COUNT(*) FILTER (n = 1) FROM (SELECT COUNT(*) AS n FROM '{path}' GROUP BY {keys})"
    classes, uniques = connection.sql(query).fetchall()[0]
    took = time.perf_counter() - at[0], cpu() - at[1]
    return {"risk": took, "GB": peak_memory(), "classes": classes, "uniques": uniques}


def main() -> None:
    """Make the tables, measure each in a process of its own, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", nargs="?", type=int, default=10_000_000)
    parser.add_argument("--table", choices="AB", action="append")
    parser.add_argument("--base", type=Path)
    parser.add_argument("--memory", default="1GB")
    parser.add_argument("--folder", type=Path, help="where the tables are kept; a temporary folder where not given")
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        work = {"privaudit": assess, "duckdb": reference}[given.one[0]]
        print(json.dumps(work(Path(given.one[1]), given.memory)))
        return
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.folder or Path(temporary)
        for kind in given.table or "AB":
            path = folder / f"{kind}-{given.rows}.parquet"
            if not path.exists():
                write(path, kind, given.rows, base_codes(given.base))
            for tool in ("duckdb", "privaudit"):
                command = [sys.executable, __file__, "--memory", given.memory, "--one", tool, str(path)]
                done = subprocess.run(command, check=True, capture_output=True, text=True, env=os.environ)
                print(kind, tool, done.stdout.strip(), flush=True)


if __name__ == "__main__":
    main()
