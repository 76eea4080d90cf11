"""One command over a large table, language model included: where the time goes.

    python benchmarks/scan.py [ROWS]

Makes a seeded table of ROWS x 12 columns (1,000,000 where not given) in a temporary folder, scans it cold in a
process of its own, and prints the seconds of each stage from the report, the time of the clock and of the processor
and the peak memory. A 1,000-row table without text columns follows, also cold.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv as pc

ROOT = Path(__file__).resolve().parents[1]
GIVEN = "Anna Brian Chen Dalia Esi Farah Grace Hugo Ines Juma Kofi Lena Maria Noor Otieno Priya".split()
FAMILY = "Abara Brown Costa Diaz Eze Fischer Gupta Hassan Ito Jensen Kamau Lopez Mensah Novak Okafor".split()


def table(n: int, *, text: bool) -> pa.Table:
    """Return a seeded table of `n` rows: 12 columns, or 8 without the text ones."""
    rng = np.random.default_rng(7)
    given, family = rng.choice(GIVEN, n), rng.choice(FAMILY, n)
    born = np.datetime64("1940-01-01") + rng.integers(0, 28_000, n).astype("timedelta64[D]")
    columns = {
        "account": np.arange(n) + 100_000,
        "birth_date": born.astype(str),
        "sex": rng.choice(["F", "M"], n),
        "postcode": np.char.zfill(rng.integers(1000, 3000, n).astype(str), 5),
        "occupation": rng.choice([f"job {i}" for i in range(60)], n),
        "marital_status": rng.choice(["single", "married", "widowed"], n),
        "income": rng.lognormal(10, 0.5, n).round(0).astype(np.int64),
        "visits": rng.poisson(3, n),
    }
    if text:
        mail = np.char.add(np.char.add(np.char.lower(given), np.arange(n).astype(str)), "@example.org")
        columns |= {
            "name": np.char.add(np.char.add(given, " "), family),
            "email": mail,
            "phone": np.char.add("+2547", np.char.zfill(rng.integers(0, 10**8, n).astype(str), 8)),
            "note": np.char.add(
                np.char.add("Seen by ", given),
                np.char.add(" on round ", rng.integers(0, 10**6, n).astype(str)),
            ),
        }
    return pa.table(columns)


def scan(path: Path, folder: Path) -> tuple[dict, float, float]:
    """Scan `path` cold in a process of its own; return the report, the seconds of the clock and of the processor."""
    started, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "privaudit", "scan", str(path), "-q", "-o", str(folder / "r.json")]
    done = subprocess.run([*command, "-o", str(folder / "r.html")], cwd=ROOT, check=False)
    assert done.returncode in (0, 1), done.returncode
    wall, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return json.loads((folder / "r.json").read_text()), wall, cpu


def main() -> None:
    """Print the two tables."""
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for rows, text in ((n, True), (1_000, False)):
            source = folder / "table.csv"
            pc.write_csv(table(rows, text=text), source)
            report, wall, cpu = scan(source, folder)
            columns = report["dataset"]["n_columns"]
            spent = f"{wall:.1f} s in all, {cpu:.1f} s of processor time"
            print(f"\n{rows:,} rows x {columns} columns, cold, {spent}\n\n| stage | seconds |\n|---|---|")
            for stage, seconds in report["timings"].items():
                print(f"| {stage} | {seconds:.2f} |")
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1e6
        print(f"\nPeak memory of the larger scan: {peak:.1f} GB")


if __name__ == "__main__":
    main()
