"""One command over a large table: where the time goes, and what other tools take for the same file.

    python benchmarks/scan.py [ROWS] [--no-ner] [--peers PYTHON]

Makes a seeded table of ROWS x 12 columns (1,000,000 where not given) in a temporary folder, scans it cold in a
process of its own, and prints the time of the clock and of the processor and the peak memory. A second process scans it
from Python and states the seconds of each stage, of the clock and of the processor. `--peers` names an interpreter that
has DuckDB, ydata-profiling and DataProfiler; they run on the same file. A 1,000-row table without text columns follows,
also cold. Tables are made in processes of their own: on Linux the peak memory that is reported of a process is at least
that of the process that started it.
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
from dataclasses import dataclass
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
                np.char.add("Seen by ", given), np.char.add(" on round ", rng.integers(0, 10**6, n).astype(str))
            ),
        }
    return pa.table(columns)


PEERS = {
    "DuckDB SUMMARIZE": "import sys, duckdb; duckdb.sql(f\"SUMMARIZE FROM '{sys.argv[1]}'\").fetchall()",
    "ydata-profiling, minimal": (
        "import sys, pandas; from ydata_profiling import ProfileReport; "
        "ProfileReport(pandas.read_csv(sys.argv[1]), minimal=True, progress_bar=False).to_json()"
    ),
    "DataProfiler": "import sys; from dataprofiler import Data, Profiler; Profiler(Data(sys.argv[1])).report()",
}
"""What other tools do with the same file, each in a process of its own."""


@dataclass(frozen=True)
class Cost:
    """Seconds of the clock and of the processor, and peak memory in GB, of a process and its children."""

    wall: float
    cpu: float
    memory: float
    code: int

    def line(self, what: str) -> str:
        """Return a row of a table."""
        return f"| {what} | {self.wall:.1f} | {self.cpu:.1f} | {self.memory:.2f} |"


def run(command: list[str]) -> Cost:
    """Run `command` cold and return what it cost."""
    started = time.perf_counter()
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    wall = time.perf_counter() - started
    return Cost(wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1e6, os.waitstatus_to_exitcode(status))


def scan(path: Path, folder: Path, *options: str) -> tuple[dict, Cost]:
    """Scan `path` cold in a process of its own; return the report and what it cost."""
    made = folder / "r.json"
    command = [sys.executable, "-m", "privaudit", "scan", str(path), "-q", "-o", str(made), *options]
    cost = run([*command, "-o", str(folder / "r.html")])
    assert cost.code in (0, 1, 3), cost.code
    return json.loads(made.read_text()), cost


def write_table(path: Path, rows: int, *, text: bool) -> None:
    """Write the table in a process of its own, so that its memory is not counted with that of the scan."""
    command = [sys.executable, __file__, str(rows), "--make", str(path), *([] if text else ["--no-text"])]
    subprocess.run(command, check=True)


def processor_seconds() -> float:
    """Return the processor seconds of this process and of its children that ended."""
    both = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(used.ru_utime + used.ru_stime for used in both)


def stages(path: Path, *, ner: bool) -> dict[str, tuple[float, float]]:
    """Scan `path` from Python and return the seconds of each stage, of the clock and of the processor."""
    import privaudit

    begun: list[tuple[str, float]] = []
    took = privaudit.scan(path, ner=ner, progress=lambda name, _: begun.append((name, processor_seconds()))).timings
    begun.append(("", processor_seconds()))
    names = [stage for stage in took if ": " not in stage]
    first = {stage: next(at for name, at in begun if name == stage) for stage in names}
    order = sorted(names, key=first.__getitem__)
    ends = [*(first[stage] for stage in order[1:]), begun[-1][1]]
    return {stage: (took[stage], end - first[stage]) for stage, end in zip(order, ends, strict=True)}


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", nargs="?", type=int, default=1_000_000)
    parser.add_argument("--no-ner", action="store_true", help="without the language model")
    parser.add_argument("--peers", metavar="PYTHON", help="an interpreter that has the other tools")
    parser.add_argument("--make", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--no-text", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--stages", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.make:
        pc.write_csv(table(given.rows, text=not given.no_text), given.make)
        return
    if given.stages:
        print(json.dumps(stages(given.stages, ner=not given.no_ner)))
        return
    without = ["--no-ner"] if given.no_ner else []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for rows, text in ((given.rows, True), (1_000, False)):
            source = folder / "table.csv"
            write_table(source, rows, text=text)
            report, cost = scan(source, folder, *without)
            print(f"\n{rows:,} rows x {report['dataset']['n_columns']} columns, cold\n")
            print("| what | seconds | processor seconds | GB |\n|---|---|---|---|")
            print(cost.line("privaudit scan"))
            for tool, code in PEERS.items() if given.peers and text else ():
                found = run([given.peers, "-c", code, str(source)])
                print(found.line(tool) if found.code == 0 else f"| {tool} | not installed, or failed | | |")
            command = [sys.executable, __file__, "--stages", str(source), *without]
            done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT)
            print("\n| stage | seconds | processor seconds |\n|---|---|---|")
            for stage, (seconds, cpu) in json.loads(done.stdout).items():
                print(f"| {stage} | {seconds:.2f} | {cpu:.2f} |")


if __name__ == "__main__":
    main()
