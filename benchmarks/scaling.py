"""How the cost of counting all sets up to size 3 grows with rows and with columns, as a picture.

Run with ``python benchmarks/scaling.py [--full] [--picture benchmarks/scaling.svg]``. Rows go from 10^4 to 10^6, or to
10^7 with --full, at 12 columns, columns from 6 to 20 at 100,000 rows. The slopes are those of the straight lines
through the logarithms: 1 means that twice the rows take twice the time. Times are those of the processor, both
threads together. The picture is a file of its own that shows the same numbers as the tables.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from made import TEN_COLUMNS, columns, timed

from privaudit.risk.kernel import partition
from privaudit.risk.kernel.subsets import Prepared, n_sets

Points = list[tuple[float, float]]
TWELVE = (*TEN_COLUMNS, 3, 30)
COLUMNS = (6, 8, 10, 12, 14, 16, 18, 20)


def cost(rows: int, widths: Sequence[int]) -> float:
    """Return the processor seconds to count all sets up to size 3, both threads together."""
    codes = columns(rows, sorted(widths))
    table = Prepared(
        tuple(range(len(codes))), tuple(codes), tuple(int(code.max()) + 1 for code in codes), np.ones(rows, np.int64)
    )
    return timed(lambda: partition.count_sets(table, sizes=(1, 2, 3), top=20), runs=2)[0].cpu


def slope(points: Points) -> float:
    """Return the slope of the straight line through the logarithms."""
    x, y = np.log([p[0] for p in points]), np.log([p[1] for p in points])
    return float(np.polyfit(x, y, 1)[0])


def panel(points: Points, title: str, unit: str, left: int, quantity: str = "s") -> str:
    """Return one plot, both axes logarithmic, as SVG."""
    x0, x1 = (math.log10(end(x for x, _ in points)) for end in (min, max))
    y0, y1 = (math.floor(math.log10(min(y for _, y in points))), math.ceil(math.log10(max(y for _, y in points))))

    def at(x: float, y: float) -> tuple[float, float]:
        return left + 300 * (math.log10(x) - x0) / (x1 - x0), 250 - 200 * (math.log10(y) - y0) / (y1 - y0)

    where = [at(x, y) for x, y in points]
    parts = [f'<text x="{left}" y="28" class="title">{title}: slope {slope(points):.2f}</text>']
    for power in range(y0, y1 + 1):
        y = at(points[0][0], 10.0**power)[1]
        parts.append(f'<line x1="{left}" x2="{left + 300}" y1="{y:.1f}" y2="{y:.1f}" class="grid"/>')
        parts.append(f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{10.0**power:g} {quantity}</text>')
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in where)
    parts.append(f'<polyline points="{path}" class="line"/>')
    for (x, y), (value, seconds) in zip(where, points, strict=True):
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5"><title>{seconds:.3f} {quantity}</title></circle>')
        if value < 100 or math.log10(value).is_integer():
            parts.append(f'<text x="{x:.1f}" y="268" text-anchor="middle">{value:,.0f}</text>')
    parts.append(f'<text x="{left + 150}" y="290" text-anchor="middle">{unit}</text>')
    return "\n".join(parts)


STYLE = (
    "text{font:11px sans-serif;fill:#333}.title{font-size:14px;font-weight:bold}"
    ".grid{stroke:#ddd}.line{fill:none;stroke:#1f5fa8;stroke-width:2}circle{fill:#1f5fa8}"
)


def main() -> None:
    """Run, print and draw."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--full", action="store_true", help="up to ten million rows; takes many minutes")
    parser.add_argument("--picture", type=Path, default=Path(__file__).with_name("scaling.svg"))
    given = parser.parse_args()
    cost(1_000, TWELVE)
    steps = (10_000, 31_623, 100_000, 316_228, 1_000_000, *((3_162_278, 10_000_000) if given.full else ()))
    by_rows = [(float(n), cost(n, TWELVE)) for n in steps]
    by_columns = [(float(m), cost(100_000, (TEN_COLUMNS * 2)[:m])) for m in COLUMNS]
    for unit, points in (("rows", by_rows), ("columns", by_columns)):
        print(f"\ncost against {unit}, slope {slope(points):.2f}\n")
        print(f"| {unit:>12} |   sets |    cpu s |\n|{'-' * 13}:|{'-' * 7}:|{'-' * 9}:|")
        for value, seconds in points:
            sets = n_sets(12 if unit == "rows" else int(value), 3)
            print(f"| {value:>12,.0f} | {sets:>6,} | {seconds:8.3f} |")
    plots = panel(by_rows, "12 columns", "rows", 60) + panel(by_columns, "100,000 rows", "columns", 460)
    box = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 300" width="800" height="300">'
    given.picture.write_text(f"{box}<style>{STYLE}</style>{plots}</svg>\n", encoding="utf-8")


if __name__ == "__main__":
    main()
