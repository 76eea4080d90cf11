"""Linkage of two large tables: one command, next to the join of a database that counts the same matches.

    python benchmarks/linkage.py [ROWS]

Makes a release and an auxiliary table of ROWS rows each (1,000,000 where not given) as Parquet in a temporary folder.
Half of the auxiliary people are in the release; birth date, sex and postal code are compared. `privaudit attack` links
them in both directions. DuckDB counts the auxiliary rows with exactly one matching record, and the two numbers must be
equal.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from scan import run

JOIN = """
import sys, duckdb
print(duckdb.sql(f'''
    WITH classes AS (SELECT birth_date, sex, postcode, count(*) AS n FROM '{sys.argv[1]}' GROUP BY ALL)
    SELECT count(*) FROM '{sys.argv[2]}' JOIN classes USING (birth_date, sex, postcode) WHERE n = 1
''').fetchall()[0][0], file=open(sys.argv[3], "w"))
"""


def people(n: int, seed: int) -> dict[str, np.ndarray]:
    """Return the compared columns of `n` people."""
    rng = np.random.default_rng(seed)
    born = np.datetime64("1940-01-01") + rng.integers(0, 28_000, n).astype("timedelta64[D]")
    return {
        "birth_date": born.astype(str),
        "sex": rng.choice(["F", "M"], n),
        "postcode": np.char.zfill(rng.integers(1000, 3000, n).astype(str), 5),
    }


def tables(n: int) -> tuple[pa.Table, pa.Table]:
    """Return a release, and an auxiliary table half of whose people are in it."""
    rng = np.random.default_rng(5)
    release, others, drawn = people(n, 1), people(n, 2), rng.permutation(n)
    known = {name: np.where(np.arange(n) < n // 2, cells[drawn], others[name]) for name, cells in release.items()}
    known["name"] = np.char.add("Person ", np.arange(n).astype(str))
    release["diagnosis"] = rng.choice([f"D{i:02d}" for i in range(60)], n)
    return pa.table(release), pa.table(known)


def main() -> None:
    """Print the table."""
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        paths = [folder / "release.parquet", folder / "auxiliary.parquet"]
        for made, path in zip(tables(n), paths, strict=True):
            pq.write_table(made, path)
        report, count = folder / "r.json", folder / "count"
        command = [sys.executable, "-m", "privaudit", "attack", str(paths[0]), "--auxiliary", str(paths[1])]
        command += [part for name in ("birth_date", "sex", "postcode") for part in ("--on", f"{name}={name}")]
        ours = run([*command, "-q", "-o", str(report)])
        joined = run([sys.executable, "-c", JOIN, *map(str, paths), str(count)])
        attacks = json.loads(report.read_text())["attacks"]
        linked = [attack for attack in attacks if attack["detail"].get("direction") == "auxiliary_to_release"]
        n_linked, expected = linked[0]["detail"]["n_unique"], int(count.read_text())
        assert n_linked == expected, (n_linked, expected)
        print(f"{n:,} x {n:,} rows, {expected:,} auxiliary rows with exactly one matching record\n")
        print("| what | seconds | processor seconds | GB |\n|---|---|---|---|")
        print(ours.line("privaudit attack, both directions, detection and verdict included"))
        print(joined.line("DuckDB, one group-by and one join"))


if __name__ == "__main__":
    main()
