"""How the cost of a whole scan grows with the rows, from files, PostgreSQL and Spark.

    python benchmarks/large.py --files [--largest ROWS]    scan Parquet files out of core
    python benchmarks/large.py --postgres                  scan tables of a local PostgreSQL
    python benchmarks/large.py --spark                     scan a table of Spark, a master and two workers
    python benchmarks/large.py                             write the picture and the page from the kept numbers

The table is people: age, year of birth, sex, ZIP code, education, income band, marital status and disease, which depend
on each other. Each scan is a process of its own, `privaudit scan TABLE -q --no-ner`, files with `--memory 4GB`. Seconds
are those of the clock, and of the processor of all processes of privaudit together, without servers; GB are the largest
sum of the resident memory of these processes. PostgreSQL and Spark must count the same classes as the file of the same
rows, or the benchmark ends. Numbers are kept in `large.toml`.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from scaling import STYLE, Points, panel
from scaling import slope as slope

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
KEPT, PAGE = ROOT / "benchmarks" / "large.toml", ROOT / "docs" / "performance.md"
PICTURE = ROOT / "docs" / "pictures" / "scan_scaling.svg"
BEGIN, END = "<!-- made by benchmarks/large.py -->", "<!-- end of large.py -->"
MEMORY = "4GB"
FILES = (100_000, 1_000_000, 10_000_000, 100_000_000)
SERVED = (100_000, 1_000_000)
COUNTED = ("n_classes", "k_min", "n_unique", "n_below")
"""The keys of the report that must be equal for the same rows."""
BLOCK = 1_000_000
SEXES, EDUCATION = ("F", "M"), ("primary", "secondary", "vocational", "bachelor", "master", "doctorate")
INCOMES = tuple(f"{10 * i},000 to {10 * i + 9},999" for i in range(12))
DISEASES = ("none", "asthma", "diabetes", "hypertension", "depression", "arthritis", "cancer", "epilepsy", "HIV")
MARITAL = ("single", "married", "divorced", "widowed")
N_ZIPS = 900


def block(n: int, seed: int) -> pa.Table:
    """Return `n` seeded people: 8 columns, of which those that describe a person depend on each other."""
    rng = np.random.default_rng(seed)
    age = np.clip(rng.normal(41, 21, n), 0, 99).astype(np.int64)
    zips = np.minimum(N_ZIPS * rng.random(n) ** 3, N_ZIPS - 1).astype(np.int64)
    education = np.clip(rng.normal(1 + zips / N_ZIPS + (age > 24), 1.1, n), 0, 5).astype(np.int64)
    income = np.clip(rng.normal(1 + 1.3 * education, 1.5, n), 0, 11).astype(np.int64)
    marital = np.where(age < 20, 0, np.clip(rng.normal(age / 28, 0.7, n), 0, 3)).astype(np.int64)
    disease = np.where(rng.random(n) < 0.55, 0, rng.integers(0, 9, n) * (age > rng.integers(0, 80, n)))
    texts = {
        "sex": (rng.integers(0, 2, n), SEXES),
        "zip": (zips, [f"{10_000 + 100 * i}" for i in range(N_ZIPS)]),
        "education": (education, EDUCATION),
        "income_band": (income, INCOMES),
        "marital_status": (marital, MARITAL),
        "disease": (disease, DISEASES),
    }
    columns = {name: pa.array(of).take(pa.array(codes)) for name, (codes, of) in texts.items()}
    return pa.table({"age": age, "birth_year": 2025 - age - rng.integers(0, 2, n), **columns})


def write_people(path: Path, rows: int) -> None:
    """Write people as Parquet, in row groups of a block each."""
    with pq.ParquetWriter(path, block(1, 0).schema, compression="zstd") as writer:
        for start in range(0, rows, BLOCK):
            writer.write_table(block(min(BLOCK, rows - start), start))


def processes(process: int) -> list[int]:
    """Return a process and those that it started, and so on."""
    found = [process]
    try:
        for children in Path(f"/proc/{process}/task").glob("*/children"):
            found += [each for child in children.read_text().split() for each in processes(int(child))]
    except OSError:  # it has ended
        pass
    return found


def resident(process: int) -> int:
    """Return the resident memory of a process in bytes."""
    try:
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def scan(table: str, *options: str, environment: Mapping[str, str] | None = None) -> tuple[dict, dict[str, float]]:
    """Scan a table in a process of its own; return the report and what the scan cost."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "r.json"
        command = [sys.executable, "-m", "privaudit", "scan", table, "-q", "--no-ner", "-o", str(report), *options]
        started, most = time.perf_counter(), 0
        process = subprocess.Popen(command, cwd=ROOT, env={**os.environ, **(environment or {})})
        while True:
            ended, status, used = os.wait4(process.pid, os.WNOHANG)
            if ended:
                break
            most = max(most, sum(map(resident, processes(process.pid))))
            time.sleep(0.1)
        clock = time.perf_counter() - started
        assert os.waitstatus_to_exitcode(status) in (0, 1, 3) and report.exists(), "the scan failed"
        cost = {"clock": round(clock, 1), "cpu": round(used.ru_utime + used.ru_stime, 1), "gb": round(most / 1e9, 2)}
        return json.loads(report.read_text(encoding="utf-8")), cost


def counts(report: Mapping[str, Any]) -> dict[str, Any]:
    """Return the counts over all quasi-identifiers."""
    return {key: report["risk"][key] for key in COUNTED}


def of_files(largest: int) -> dict[str, Any]:
    """Scan Parquet files of people."""
    found = {}
    for rows in (n for n in FILES if n <= largest):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "people.parquet"
            write_people(path, rows)
            report, cost = scan(str(path), "--memory", MEMORY)
            found[str(rows)] = {**cost, "classes": report["risk"]["n_classes"]}
            print(rows, found[str(rows)], flush=True)
    return found


def of_postgres() -> dict[str, Any]:
    """Scan tables of a PostgreSQL that is started for it."""
    from adbc_driver_postgresql import dbapi

    from tests.helpers import services

    found = {}
    with services.postgres() as port, tempfile.TemporaryDirectory() as folder:
        place = f"postgresql://auditor@127.0.0.1:{port}/postgres"
        for rows in SERVED:
            path = Path(folder) / "people.parquet"
            write_people(path, rows)
            with dbapi.connect(place.replace("@", f":{services.CANARY}@")) as connection:
                with connection.cursor() as cursor:
                    cursor.adbc_ingest(f"people{rows}", pq.read_table(path), mode="create")
                connection.commit()
            of_file, _ = scan(str(path))
            table, word = f"{place}?table=people{rows}", {"PASSWORD_OF_PEOPLE": services.CANARY}
            report, cost = scan(table, "--password-env", *word, environment=word)
            assert counts(report) == counts(of_file), "PostgreSQL counts other classes"
            found[str(rows)] = cost
            print(rows, cost, flush=True)
    return found


def of_spark(rows: int) -> dict[str, Any]:
    """Scan a table of a Spark master with two workers, and count its queries and jobs."""
    from pyspark.sql import SparkSession

    import privaudit
    from privaudit.source.engine import sql_table
    from tests.helpers import services

    with services.spark() as (master, _), tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "people.parquet"
        write_people(path, rows)
        os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
        builder = SparkSession.builder.master(master).config("spark.driver.host", "127.0.0.1")
        builder = builder.config("spark.driver.bindAddress", "127.0.0.1").config("spark.ui.enabled", "false")
        session = builder.config("spark.sql.shuffle.partitions", "2").getOrCreate()
        frame = session.read.parquet(str(path))
        frame.createOrReplaceTempView("people")
        tracker, queries = session.sparkContext.statusTracker(), []
        before = len(tracker.getJobIdsForGroup())
        answer = sql_table.SqlTable._answer

        def noted(self: Any, statement: str, *wanted: Any) -> Any:
            queries.append(statement)
            return answer(self, statement, *wanted)

        sql_table.SqlTable._answer = noted
        started = time.perf_counter()
        report = json.loads(privaudit.scan("spark:people", ner=False).to_json())
        clock = time.perf_counter() - started
        jobs = len(tracker.getJobIdsForGroup()) - before
        workers = session.sparkContext._jsc.sc().getExecutorMemoryStatus().size() - 1  # without the driver
        session.stop()
        of_file, _ = scan(str(path))
        assert counts(report) == counts(of_file), "Spark counts other classes"
    found = {"rows": rows, "clock": round(clock, 1), "queries": len(queries), "jobs": jobs, "workers": workers}
    print(found, flush=True)
    return found


def kept() -> dict[str, Any]:
    """Return the numbers that were measured last."""
    return tomllib.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}


def keep(found: Mapping[str, Any]) -> None:
    """Write the numbers."""
    lines = ["# Made by benchmarks/large.py: seconds of the clock and of the processor, and GB, by rows."]
    for source, points in found.items():
        for rows, cost in points.items() if source != "spark" else [("", points)]:
            lines += ["", f"[{source}.{rows}]" if rows else f"[{source}]"]
            lines += [f"{key} = {value}" for key, value in cost.items()]
    KEPT.write_text("\n".join(lines) + "\n", encoding="utf-8")


def tables(found: Mapping[str, Any]) -> str:
    """Return the tables of the page."""
    lines: list[str] = []
    if files := found.get("files"):
        lines += ["| rows | classes of all quasi-identifiers | clock, s | CPU s | GB |", "|---:|---:|---:|---:|---:|"]
        lines += [
            f"| {int(rows):,} | {cost['classes']:,} | {cost['clock']} | {cost['cpu']} | {cost['gb']:.2f} |"
            for rows, cost in files.items()
        ]
    if served := found.get("postgres"):
        lines += ["", "| PostgreSQL, rows | clock, s | µs per row | CPU s of privaudit | µs per row |"]
        lines += ["|---:|---:|---:|---:|---:|"]
        for rows, cost in served.items():
            each = {key: cost[key] / int(rows) * 1e6 for key in ("clock", "cpu")}
            lines.append(
                f"| {int(rows):,} | {cost['clock']} | {each['clock']:.1f} | {cost['cpu']} | {each['cpu']:.1f} |"
            )
    if spark := found.get("spark"):
        lines += ["", "| Spark, rows | workers | queries | jobs | clock, s |", "|---:|---:|---:|---:|---:|"]
        cells = (f"{spark['rows']:,}", *(str(spark[key]) for key in ("workers", "queries", "jobs", "clock")))
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def page(text: str, found: Mapping[str, Any]) -> str:
    """Return the page on performance with the tables of these numbers."""
    before, rest = text.split(BEGIN)
    return f"{before}{BEGIN}\n\n{tables(found)}\n\n{END}{rest.split(END)[1]}"


def points(files: Mapping[str, Any]) -> tuple[Points, Points]:
    """Return processor seconds and GB by rows."""
    by_cpu, by_memory = ([(float(rows), cost[key]) for rows, cost in files.items()] for key in ("cpu", "gb"))
    return by_cpu, by_memory


def picture(files: Mapping[str, Any]) -> str:
    """Return the picture of the scans of files."""
    by_cpu, by_memory = points(files)
    plots = panel(by_cpu, "CPU seconds", "rows", 60) + panel(by_memory, "peak memory", "rows", 460, quantity="GB")
    box = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 300" width="800" height="300">'
    return f'{box}<style>{STYLE}</style><rect width="800" height="300" fill="#fff"/>{plots}</svg>\n'


def main() -> None:
    """Measure the chosen sources, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", action="store_true", help="scan Parquet files")
    parser.add_argument("--largest", type=int, default=FILES[-1], help="rows of the largest file")
    parser.add_argument("--postgres", action="store_true", help="scan tables of PostgreSQL")
    parser.add_argument("--spark", type=int, nargs="?", const=SERVED[-1], metavar="ROWS", help="scan a table of Spark")
    given = parser.parse_args()
    found = kept()
    if given.files:
        found["files"] = {**found.get("files", {}), **of_files(given.largest)}
    if given.postgres:
        found["postgres"] = of_postgres()
    if given.spark:
        found["spark"] = of_spark(given.spark)
    if given.files or given.postgres or given.spark:
        keep(found)
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8"), found), encoding="utf-8")
    if "files" in found:
        PICTURE.write_text(picture(found["files"]), encoding="utf-8")


if __name__ == "__main__":
    main()
