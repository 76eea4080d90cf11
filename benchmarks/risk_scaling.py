"""How the cost of the whole risk stage grows from 10^5 to 10^8 rows, as a picture.

    python benchmarks/risk_scaling.py [--largest ROWS] [--picture docs/pictures/risk_scaling.svg]

The table is A of `risk_stage.py`: eight columns whose rows share combinations. Up to 10^7 rows it is written as Parquet
and assessed from the file. The same rows are also drawn in blocks of a million, of which only the distinct
combinations and their counts are kept, and the risk stage runs on these counts. At 10^8 rows only the second is done:
no file is written, and the cost of grouping the rows is not in the number. Each point is a process of its own, which
first assesses 100,000 rows so that imports are not in the number; seconds are those of the processor, both threads
together.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
from risk_stage import NAMES, assess, assess_dataset, base_codes, draws, write
from scaling import Points, slope

MEMORY = "4GB"
FROM_FILE = (100_000, 1_000_000, 10_000_000)
FROM_COUNTS = (*FROM_FILE, 100_000_000)
PICTURE = Path(__file__).resolve().parents[1] / "docs" / "pictures" / "risk_scaling.svg"


def drawn_counts(rows: int, base: list[pa.DictionaryArray], *, merge_every: int = 8) -> tuple[list[np.ndarray], ...]:
    """Return the codes of the distinct combinations among `rows` drawn rows, and how many rows have each."""
    widths = [len(column.dictionary) for column in base]
    keys, counts = np.empty(0, np.int64), np.empty(0, np.int64)
    waiting: list[tuple[np.ndarray, np.ndarray]] = []
    for block in draws(rows, base):
        waiting.append(np.unique(np.ravel_multi_index(tuple(block), widths), return_counts=True))
        if len(waiting) == merge_every:
            keys, counts = merged([(keys, counts), *waiting])
            waiting = []
    keys, counts = merged([(keys, counts), *waiting])
    return list(np.unravel_index(keys, widths)), counts


def merged(parts: Sequence[tuple[np.ndarray, np.ndarray]]) -> tuple[np.ndarray, np.ndarray]:
    """Return the distinct keys of all parts and the sums of their counts."""
    keys, where = np.unique(np.concatenate([keys for keys, _ in parts]), return_inverse=True)
    counts = np.zeros(len(keys), np.int64)
    np.add.at(counts, where, np.concatenate([counts for _, counts in parts]))
    return keys, counts


class CountedTable:
    """A table of which the distinct rows and their counts are known, and no row is held."""

    is_divisible = False

    def __init__(self, rows: int, base: list[pa.DictionaryArray]) -> None:
        codes, counts = drawn_counts(rows, base)
        self.n_rows = rows
        self.columns = {
            f"c{i}": pa.DictionaryArray.from_arrays(code.astype(np.int32), column.dictionary)
            for i, (code, column) in enumerate(zip(codes, base, strict=True))
        }
        self.weight = pa.array(counts)

    def distinct(self, columns: Sequence[str]) -> pa.Table:
        """Return the distinct rows, all columns, with their ``weight``."""
        assert list(columns) == list(self.columns)
        return pa.table({**self.columns, "weight": self.weight})


def assess_counts(rows: int) -> dict[str, object]:
    """Draw the counts of `rows` rows and return what the risk stage on them cost."""
    from privaudit.settings.config import Settings
    from privaudit.source.dataset import Dataset

    settings = Settings(memory=MEMORY)
    table = CountedTable(rows, base_codes(None))
    with Dataset(table, columns=NAMES, name="drawn counts", format="counts") as dataset:
        return assess_dataset(dataset, settings)


def point(way: str, what: object) -> dict:
    """Measure one point in a process of its own."""
    done = subprocess.run(
        [sys.executable, __file__, "--one", way, str(what)], check=True, capture_output=True, text=True
    )
    return json.loads(done.stdout)


def seconds(found: dict) -> float:
    """Return the processor seconds of the risk stage as they are printed."""
    return round(found["risk"][1], 2)


STYLE = (
    "text{font:12px sans-serif;fill:#333}.title{font-size:15px;font-weight:bold}.paper{fill:#fff}.grid{stroke:#ddd}"
    ".file{stroke:#1f5fa8;fill:#1f5fa8}.counts{stroke:#b45309;fill:#b45309}.line{fill:none;stroke-width:2}"
    "text.file,text.counts{stroke:none}.simulated{fill:#fff;stroke-width:2}"
    "@media(prefers-color-scheme:dark){text{fill:#ddd}.paper,.simulated{fill:#161b22}.grid{stroke:#3a3f47}"
    ".file{stroke:#79b8ff;fill:#79b8ff}.counts{stroke:#f0a860;fill:#f0a860}.line{fill:none}.simulated{fill:#161b22}}"
)


def picture(by_file: Points, by_counts: Points) -> str:
    """Return the picture: both axes logarithmic, measured points filled, the one without a file open."""
    low = math.floor(math.log10(min(y for _, y in by_file + by_counts)))
    high = math.ceil(math.log10(max(y for _, y in by_file + by_counts)))

    def at(rows: float, value: float) -> tuple[float, float]:
        return 115 + 157 * (math.log10(rows) - 5), 270 - 200 * (math.log10(value) - low) / (high - low)

    parts = ['<rect class="paper" width="680" height="390"/>']
    parts.append('<text x="80" y="30" class="title">The whole risk stage, 8 columns: processor seconds by rows</text>')
    for power in range(low, high + 1):
        y = at(1e5, 10.0**power)[1]
        parts.append(f'<line x1="80" x2="615" y1="{y:.1f}" y2="{y:.1f}" class="grid"/>')
        parts.append(f'<text x="72" y="{y + 4:.1f}" text-anchor="end">{10.0**power:g} s</text>')
    for power in range(5, 9):
        x = at(10.0**power, 10.0**low)[0]
        parts.append(f'<text x="{x:.1f}" y="290" text-anchor="middle">{10**power:,}</text>')
    for style, points, above in (("file", by_file, -10), ("counts", by_counts, 20)):
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in (at(*one) for one in points))
        parts.append(f'<polyline points="{path}" class="line {style}"/>')
        for rows, value in points:
            x, y = at(rows, value)
            simulated = " simulated" if rows > FROM_FILE[-1] else ""
            parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" class="{style}{simulated}"/>')
            where = f'x="{x:.1f}" y="{y + above:.1f}" text-anchor="middle"'
            parts.append(f'<text {where} class="{style}">{value:.2f} s</text>')
    lines = (
        ("file", f"from the Parquet file, grouping included: slope {slope(by_file):.2f}"),
        ("counts", f"from the counts of the distinct combinations: slope {slope(by_counts):.2f}"),
        ("", "Open circle, 100,000,000 rows: simulated. Rows are drawn from the same distribution in blocks of"),
        ("", "1,000,000, only the counts are kept; grouping 100,000,000 rows is not in this number."),
    )
    for i, (style, text) in enumerate(lines):
        parts.append(f'<text x="80" y="{318 + 19 * i}" class="{style}">{text}</text>')
    box = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 680 390" width="680" height="390">'
    return f"{box}<style>{STYLE}</style>\n" + "\n".join(parts) + "\n</svg>\n"


def main() -> None:
    """Measure, print and draw."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--largest", type=int, default=FROM_COUNTS[-1], help="the most rows")
    parser.add_argument("--picture", type=Path, default=PICTURE)
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        way, what = given.one
        assess_counts(FROM_FILE[0])
        print(json.dumps(assess(Path(what), MEMORY) if way == "file" else assess_counts(int(what))))
        return
    print("| rows | distinct | from the file, CPU s | GB | from the counts, CPU s | GB |")
    print("|---:|---:|---:|---:|---:|---:|")
    by_file: Points = []
    by_counts: Points = []
    for rows in (rows for rows in FROM_COUNTS if rows <= given.largest):
        counted, cells = point("counts", rows), "– | –"
        by_counts.append((rows, seconds(counted)))
        if rows in FROM_FILE:
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "A.parquet"
                write(path, "A", rows, base_codes(None))
                measured = point("file", path)
            assert [measured[key] for key in ("classes", "uniques")] == [counted[key] for key in ("classes", "uniques")]
            by_file.append((rows, seconds(measured)))
            cells = f"{seconds(measured):.2f} | {measured['GB']:.2f}"
        ends = f"{seconds(counted):.2f} | {counted['GB']:.2f}"
        print(f"| {rows:,} | {counted['classes']:,} | {cells} | {ends} |", flush=True)
    given.picture.write_text(picture(by_file, by_counts), encoding="utf-8")


if __name__ == "__main__":
    main()
