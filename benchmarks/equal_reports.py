"""Whether a change of the code, or a cache, changes a report: the same tables scanned twice, their reports compared.

    python benchmarks/equal_reports.py scan FOLDER [TABLE ...]      write FOLDER/NAME.json of each table
    python benchmarks/equal_reports.py cached FOLDER [TABLE ...]    the same, judged from what a first scan stored
    python benchmarks/equal_reports.py compare FOLDER FOLDER        compare the reports of two folders byte for byte

Tables are those of `fixtures/make.py`, seeded tables of integers, of wide and of narrow shape, and where
`../shared/data` exists, tables of it up to 2 MB. A report is compared without its facts about the run: the version, the
time, the timings, and the digest over all of it.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv as pc

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared" / "data"
MOST_TABLES, MOST_BYTES, MOST_OF_FOLDER = 60, 2_000_000, 4
ABOUT_THE_RUN = ("tool", "generated_at", "timings", "files", "digest")
SHAPES = ((1_000, 8), (500, 24), (50, 300), (20_000, 6), (3_000, 40))
"""Rows and columns of the seeded tables."""
NAMED = {f"codes_{n_rows}x{n_columns}" for n_rows, n_columns in SHAPES if n_columns < 100}
"""Tables of which some columns are named as quasi-identifiers."""


def made(folder: Path) -> Iterator[Path]:
    """Write the fixtures and the seeded tables to `folder`, and yield their paths."""
    subprocess.run([sys.executable, ROOT / "fixtures" / "make.py", folder], check=True, stdout=subprocess.DEVNULL)
    yield from sorted(path for path in folder.iterdir() if path.suffix in (".csv", ".jsonl"))
    rng = np.random.default_rng(7)
    for n_rows, n_columns in SHAPES:
        codes = {f"q{i}": rng.integers(0, rng.integers(2, 12), n_rows) for i in range(n_columns)}
        path = folder / f"codes_{n_rows}x{n_columns}.csv"
        pc.write_csv(pa.table(codes), path)
        yield path


def third_party() -> Iterator[Path]:
    """Yield tables of `../shared/data`: of each folder the largest few that are not too large."""
    for folder in sorted(path for path in SHARED.iterdir() if path.is_dir()) if SHARED.is_dir() else ():
        found = [p for p in folder.rglob("*") if p.suffix in (".csv", ".parquet") and p.stat().st_size <= MOST_BYTES]
        yield from sorted(found, key=lambda p: (-p.stat().st_size, p))[:MOST_OF_FOLDER]


def content(text: str) -> str:
    """Return a report without its facts about the run."""
    report: dict[str, Any] = json.loads(text)
    return json.dumps({key: value for key, value in report.items() if key not in ABOUT_THE_RUN}, sort_keys=True)


def scan(target: Path, tables: list[Path], *, cached: bool) -> None:
    """Scan tables with the tree that is imported, and write their reports to `target`."""
    import privaudit
    from privaudit.base.errors import PrivauditError

    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as cache:
        stored = {"cache": cache} if cached else {}
        for path in (tables or [*made(Path(folder)), *third_party()])[:MOST_TABLES]:
            named = {"quasi": ["q0", "q1", "q2", "q3"]} if path.stem in NAMED else {}
            try:
                for _ in range(1 + cached):
                    text = privaudit.scan(path, ner=False, **named, **stored).to_json()
            except PrivauditError as error:
                text = json.dumps({"error": error.code})
            (target / f"{path.parent.name}-{path.name}.json".removeprefix(f"{Path(folder).name}-")).write_text(
                content(text), encoding="utf-8"
            )
            print(path.name, file=sys.stderr)


def compare(first: Path, second: Path) -> int:
    """Print which reports differ, and return how many."""
    names = sorted({path.name for path in (*first.glob("*.json"), *second.glob("*.json"))})
    texts = [[_text(folder / name) for folder in (first, second)] for name in names]
    different = [name for name, (one, other) in zip(names, texts, strict=True) if one != other]
    print(f"{len(names) - len(different)} of {len(names)} reports are equal", *different, sep="\n  ")
    return len(different)


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""


if __name__ == "__main__":
    command, *paths = sys.argv[1:] or [""]
    if command in ("scan", "cached") and paths:
        scan(Path(paths[0]), [Path(path) for path in paths[1:]], cached=command == "cached")
    elif command == "compare" and len(paths) == 2:
        sys.exit(int(compare(Path(paths[0]), Path(paths[1])) > 0))
    else:
        sys.exit(__doc__)
