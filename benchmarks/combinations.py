"""All combinations of 10 columns, privaudit next to DuckDB, Polars and pandas, in one run on the same integer codes.

Run with ``python benchmarks/combinations.py [--rows 1000000] [--sizes 3 5] [--without pandas]``. Every engine yields
classes, k and uniques of every set; the results must be equal. Two threads each, and ours on one as well; of more than
200 sets pandas, which has one thread, counts every eighth, and its time is multiplied accordingly. Ours is
timed from codes to counts; the first run, imports included, is timed in a process of its own with an empty cache of
compiled loops, so that it uses those of the build.
"""

from __future__ import annotations

import argparse
import os
from itertools import combinations
from typing import Any

import numpy as np
from made import TEN_COLUMNS, Codes, Took, columns, first_run, table, timed

Counts = dict[tuple[int, ...], tuple[int, int, int]]


def ours(codes: list[Codes], size: int, threads: int) -> Counts:
    """Count with the partition kernel."""
    from privaudit.risk.kernel import partition
    from privaudit.risk.kernel.subsets import Prepared

    cardinalities = tuple(int(code.max()) + 1 for code in codes)
    prepared = Prepared(tuple(range(len(codes))), tuple(codes), cardinalities, np.ones(len(codes[0]), np.int64))
    found = partition.count_sets(prepared, sizes=range(1, size + 1), top=20, threads=threads)
    classes = found.histogram.sum(axis=1)
    return {
        chosen: (int(classes[i]), int(found.smallest[i]), int(found.histogram[i, 1]))
        for i, chosen in enumerate(found.sets)
    }


def sets(codes: list[Codes], size: int) -> list[tuple[int, ...]]:
    """Return the sets that every engine counts."""
    return [chosen for n in range(1, size + 1) for chosen in combinations(range(len(codes)), n)]


def duckdb(codes: list[Codes], size: int) -> Any:
    """Return the function that counts with DuckDB, its table loaded."""
    import duckdb as engine
    import pyarrow as pa

    connection = engine.connect(config={"threads": 2})
    connection.register("v", pa.table({f"c{i}": code for i, code in enumerate(codes)}))
    connection.execute("create table t as select * from v")

    def run() -> Counts:
        found = {}
        for chosen in sets(codes, size):
            by = ", ".join(f"c{i}" for i in chosen)
            query = f"select count(*), min(n), count(*) filter (n = 1) from (select count(*) n from t group by {by})"
            found[chosen] = connection.execute(query).fetchone()
        return found

    return run


def polars(codes: list[Codes], size: int) -> Any:
    """Return the function that counts with Polars, its frame loaded."""
    os.environ.setdefault("POLARS_MAX_THREADS", "2")
    import polars as pl

    frame = pl.DataFrame({f"c{i}": code for i, code in enumerate(codes)}).lazy()

    def run() -> Counts:
        found = {}
        for chosen in sets(codes, size):
            n = frame.group_by([f"c{i}" for i in chosen]).agg(pl.len().alias("n"))
            wanted = n.select(pl.len().alias("j"), pl.col("n").min().alias("k"), (pl.col("n") == 1).sum().alias("u"))
            found[chosen] = wanted.collect().row(0)
        return found

    return run


def pandas(codes: list[Codes], size: int, every: int = 1) -> Any:
    """Return the function that counts with pandas, its frame loaded: each set, or every so many of them."""
    import pandas as pd

    frame = pd.DataFrame({f"c{i}": code for i, code in enumerate(codes)})

    def run() -> Counts:
        found = {}
        for chosen in sets(codes, size)[::every]:
            n = frame.groupby([f"c{i}" for i in chosen], sort=False).size().to_numpy()
            found[chosen] = (len(n), int(n.min()), int((n == 1).sum()))
        return found

    return run


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--sizes", type=int, nargs="*", default=[3, 5])
    parser.add_argument("--without", nargs="*", default=[], choices=["duckdb", "polars", "pandas"])
    given = parser.parse_args()
    codes = columns(given.rows, TEN_COLUMNS)
    for size in given.sizes:
        compare(codes, size, given.without)


def compare(codes: list[Codes], size: int, without: list[str]) -> None:
    """Count all sets up to one size with every engine, check that they agree, and print the times."""
    ours(columns(1_000, TEN_COLUMNS), size, 2)  # loads the compiled loops
    two, expected = timed(lambda: ours(codes, size, 2), runs=3)
    one, again = timed(lambda: ours(codes, size, 1), runs=3)
    assert again == expected
    lines = [("privaudit, 2 threads", two), ("privaudit, 1 thread", one)]
    lines.append(
        (
            "privaudit, 2 threads, first run with imports",
            first_run(
                f"import combinations as c; codes = made.columns({len(codes[0])}, made.TEN_COLUMNS)",
                f"c.ours(codes, {size}, 2)",
            ),
        )
    )
    for name, engine in (("duckdb", duckdb), ("polars", polars)):
        if name not in without:
            took, found = timed(engine(codes, size))
            assert found == expected, f"{name} counts differently"
            lines.append((f"{name}, 2 threads", took))
    if "pandas" not in without:
        every = 1 if len(expected) <= 200 else 8
        took, found = timed(pandas(codes, size, every))
        assert all(expected[chosen] == counts for chosen, counts in found.items()), "pandas counts differently"
        scale = len(expected) / len(found)
        name = "pandas, 1 thread" + (f", {len(found)} sets, times {scale:.2f}" if every > 1 else "")
        lines.append((name, Took(took.seconds * scale, took.cpu * scale)))
    title = f"{len(expected)} sets of up to {size} of 10 columns x {len(codes[0]):,} rows, results equal"
    table(title, lines, than=two)


if __name__ == "__main__":
    main()
