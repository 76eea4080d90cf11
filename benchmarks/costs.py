"""What the commands cost that people run often, and those that cost most, as a table of docs/performance.md.

    python benchmarks/costs.py [--adult FILE] [--large] [--runs N] [--write] [WORD ...]

Each command runs in a process of its own, imports included; of N runs (3) the median counts. Every scan has
`-q --no-ner`. WORD chooses the lines whose title contains it. `--adult` names the table of the ARX project, `--large`
adds remedies of 10,000,000 rows. `--write` keeps the numbers in `costs.toml`, those of other lines as they were, and
writes the table into the page. Tables are seeded; in wide ones every row is unique on a few columns.
"""

from __future__ import annotations

import argparse
import multiprocessing
import statistics
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv as pc
from large import write_people
from scan import PEERS, ROOT, run, table
from speed import flags

PAGE, KEPT = ROOT / "docs" / "performance.md", ROOT / "benchmarks" / "costs.toml"
BEGIN, END = "<!-- made by benchmarks/costs.py -->", "<!-- end of costs.py -->"
PRIVAUDIT = (sys.executable, "-m", "privaudit")
SUMMARIZE = "DuckDB SUMMARIZE"
TEN_SCANS = """
import sys, privaudit, pyarrow.csv
rows = pyarrow.csv.read_csv(sys.argv[1])
for i in range(10):
    privaudit.scan(rows.slice(1_000 * i, 1_000), ner=False)
"""


@dataclass(frozen=True)
class Work:
    """A command over a table, and what is done before; `large` ones run on demand."""

    title: str
    prepare: Callable[[Path], object]
    words: Callable[[Path], list[str]]
    suffix: str = ".csv"
    large: bool = False


def mixed(n_rows: int, n_columns: int, kinds: str) -> pa.Table:
    """Return columns of these kinds in turn: numbers, decimals, words, categories, dates, answers."""
    rng = np.random.default_rng(3)
    draw: dict[str, Callable[[], object]] = {
        "n": lambda: rng.integers(0, 1_000, n_rows),
        "d": lambda: rng.normal(size=n_rows).round(4),
        "w": lambda: rng.choice("alpha beta gamma delta omega".split(), n_rows),
        "c": lambda: rng.choice([f"cat {i}" for i in range(12)], n_rows),
        "t": lambda: (np.datetime64("1950-01-01") + rng.integers(0, 20_000, n_rows).astype("timedelta64[D]")).astype(
            str
        ),
        "a": lambda: rng.integers(1, 6, n_rows),
    }
    return pa.table({f"q{i}": draw[kinds[i % len(kinds)]]() for i in range(n_columns)})


def csv(make: Callable[[], pa.Table]) -> Callable[[Path], object]:
    """Return what writes a table as CSV."""
    return lambda path: pc.write_csv(make(), path)


def scan(*options: str) -> Callable[[Path], list[str]]:
    """Return the words of a scan with a JSON report."""
    return lambda path: [*PRIVAUDIT, "scan", str(path), "-q", "--no-ner", "-o", f"{path}.json", *options]


def brief(*options: str) -> Callable[[Path], list[str]]:
    """Return the words of a scan without a report, for which no remedies are searched."""
    return lambda path: [*PRIVAUDIT, "scan", str(path), "-q", "--no-ner", "--brief", *options]


def remedy(suffix: str) -> Callable[[Path], list[str]]:
    """Return the words of a remedy that writes a file of this kind."""
    return lambda path: [*PRIVAUDIT, "remedy", str(path), "-q", "--no-ner", "-o", f"{path}.safer{suffix}"]


def python(code: str) -> Callable[[Path], list[str]]:
    """Return the words of a Python program over the table."""
    return lambda path: [sys.executable, "-c", code, str(path)]


def quasi(n: int) -> list[str]:
    """Return the option that names all `n` columns as quasi-identifiers."""
    return ["--quasi", ",".join(f"q{i}" for i in range(n))]


def works(adult: Path | None) -> Iterator[Work]:
    """Yield the commands, the cheapest first."""
    small, many = csv(lambda: table(1_000, text=False)), csv(lambda: table(1_000_000, text=True))
    yield Work("`privaudit --help`", lambda path: None, lambda path: [*PRIVAUDIT, "--help"])
    yield Work("1,000 rows x 8 columns, both reports", small, lambda path: [*scan()(path), "-o", f"{path}.html"])
    first = "import sys, privaudit; privaudit.scan(sys.argv[1], ner=False)"
    yield Work("the first scan of 1,000 x 8 in a Python program", small, python(first))
    ten = csv(lambda: table(10_000, text=False))
    yield Work("ten scans of 1,000 x 8 in a Python program, other rows each", ten, python(TEN_SCANS))
    hook = "hook (`scan --brief --skip-other-files`), 10,000 rows x 12 columns"
    yield Work(hook, csv(lambda: table(10_000, text=True)), brief("--skip-other-files"))
    yield Work("50 rows x 2,000 columns of whole numbers", csv(lambda: flags(50, 2_000)), scan())
    thin, genes = "3 rows x 9,000 columns: whole numbers, decimals and words", mixed(3, 9_000, "ndw")
    unnamed = genes.rename_columns([f"g{i}" for i in range(genes.num_columns)])
    yield Work(thin, csv(lambda: unnamed), scan())
    yield Work("the same, named q0, q1, ...: a sixth are quasi-identifiers", csv(lambda: genes), scan())
    yield Work("500 rows x 60 quasi-identifiers", csv(lambda: mixed(500, 60, "ncta")), scan(*quasi(60)))
    wide = csv(lambda: mixed(3_000, 123, "ncta"))
    yield Work("3,000 rows x 123 quasi-identifiers", wide, scan(*quasi(123)))
    yield Work("the same without remedies (`--brief`)", wide, brief(*quasi(123)))
    if adult is not None:
        yield Work(
            "`remedy` of Adult, 30,162 rows x 9 columns",
            lambda path: path.write_bytes(adult.read_bytes()),
            remedy(".csv"),
        )
    yield Work("1,000,000 rows x 12 columns", many, scan())
    yield Work(f"the same file, {SUMMARIZE}", many, python(PEERS[SUMMARIZE]))
    million = partial(write_people, rows=1_000_000)
    yield Work("1,000,000 people x 8 columns, `--brief`", million, brief(), ".parquet")
    yield Work("the same file again, unchanged, with `--cache`", partial(scan_first, million), cached, ".parquet")
    people = partial(write_people, rows=10_000_000)
    to_parquet = "`remedy` of 10,000,000 people x 8 columns, Parquet to Parquet"
    yield Work(to_parquet, people, remedy(".parquet"), ".parquet", large=True)
    yield Work("the same, Parquet to CSV", people, remedy(".csv"), ".parquet", large=True)


def cached(path: Path) -> list[str]:
    """Return the words of a brief scan with a cache next to the table."""
    return brief("--cache", str(path.parent / "cache"))(path)


def scan_first(write: Callable[[Path], object], path: Path) -> None:
    """Write a table, and fill its cache."""
    write(path)
    run(cached(path))


def measured(work: Work, runs: int) -> dict[str, float]:
    """Return the median processor seconds of a command, and its peak memory in GB."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"table{work.suffix}"
        # In a process of its own: on Linux the peak memory of a command is at least that of what started it.
        maker = multiprocessing.get_context("fork").Process(target=work.prepare, args=(path,))
        maker.start()
        maker.join()
        assert maker.exitcode == 0, work.title
        costs = [run(work.words(path)) for _ in range(1 if work.large else runs)]
    assert all(each.code in (0, 1, 3) for each in costs), work.title
    cpu, gb = statistics.median(each.cpu for each in costs), max(each.memory for each in costs)
    return {"cpu": round(cpu, 2), "gb": round(gb, 2)}


def kept() -> dict[str, dict[str, float]]:
    """Return the numbers that were measured last."""
    return tomllib.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}


def keep(costs: Mapping[str, Mapping[str, float]]) -> None:
    """Write the numbers, and the table of the page."""
    parts = [
        f"['{title}']\n" + "".join(f"{key} = {value}\n" for key, value in cost.items()) for title, cost in costs.items()
    ]
    title = "# Seconds of the processor, and GB; made by benchmarks/costs.py --write.\n\n"
    KEPT.write_text(title + "\n".join(parts), encoding="utf-8")
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


def line(title: str, cost: Mapping[str, float]) -> str:
    """Return a line of the table."""
    return f"| {title} | {cost['cpu']:.2f} | {cost['gb']:.2f} |"


def page(text: str) -> str:
    """Return the page with the table of the numbers that were measured last."""
    before, rest = text.split(BEGIN)
    lines = ["| command | CPU s | GB |", "|---|---:|---:|", *(line(*one) for one in kept().items())]
    return f"{before}{BEGIN}\n\n" + "\n".join(lines) + f"\n\n{END}{rest.split(END)[1]}"


def main() -> None:
    """Measure the chosen commands, print a line of each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*", metavar="WORD", help="a part of the title of the lines to measure")
    parser.add_argument("--adult", type=Path, metavar="FILE", help="the table of the ARX project")
    parser.add_argument("--large", action="store_true", help="remedies of 10,000,000 rows, too")
    parser.add_argument("--runs", type=int, default=3, help="runs of each command, of which the median counts")
    parser.add_argument("--write", action="store_true", help="keep the numbers and the page that shows them")
    given = parser.parse_args()
    every, found = list(works(given.adult)), {}
    for work in every:
        if (given.large or not work.large) and (not given.words or any(word in work.title for word in given.words)):
            found[work.title] = measured(work, given.runs)
            print(line(work.title, found[work.title]), flush=True)
    if given.write:
        both = kept() | found
        keep({title: both[title] for title in [work.title for work in every] if title in both})


if __name__ == "__main__":
    main()
