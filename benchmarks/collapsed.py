"""All 255 sets of 8 columns where a million rows collapse to some 80,000 distinct ones, privaudit and pandas.

Run with ``python benchmarks/collapsed.py [--rows 1000000]``. Ours is timed from the codes of all rows: collapsing
is part of it. Results must be equal.
"""

from __future__ import annotations

import argparse
from itertools import combinations

import numpy as np
from made import Codes, coded, columns, first_run, table, timed

WIDTHS = (2, 72, 5, 7, 16, 41, 7, 14)
DISTINCT = 80_000

Counts = dict[tuple[str, ...], tuple[int, int, int]]


def ours(codes: list[Codes], threads: int) -> Counts:
    """Collapse, then count every combination."""
    from privaudit.risk.search.combinations import search

    found = search(coded(codes), max_size=8, thresholds=(2,), threads=threads).combinations
    return {c.columns: (c.n_classes, c.k_min, c.n_unique) for c in found}


def pandas(codes: list[Codes]) -> Counts:
    """Group every set."""
    import pandas as pd

    frame = pd.DataFrame({f"q{i}": code for i, code in enumerate(codes)})
    found = {}
    for size in range(1, 9):
        for chosen in combinations(frame.columns, size):
            n = frame.groupby(list(chosen), sort=False).size().to_numpy()
            found[chosen] = (len(n), int(n.min()), int((n == 1).sum()))
    return found


def made_codes(rows: int) -> list[Codes]:
    """Return `rows` draws from some 80,000 distinct rows."""
    drawn = np.random.default_rng(4).integers(0, DISTINCT, rows)
    return [kind[drawn] for kind in columns(DISTINCT, WIDTHS)]


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    given = parser.parse_args()
    codes = made_codes(given.rows)
    ours(codes, 2)
    two, expected = timed(lambda: ours(codes, 2), runs=3)
    one, _ = timed(lambda: ours(codes, 1), runs=3)
    theirs, found = timed(lambda: pandas(codes))
    assert found == expected, "pandas counts differently"
    title = f"255 sets of 8 columns x {given.rows:,} rows, {coded(codes).n_distinct:,} distinct, results equal"
    first = first_run(f"import collapsed as c; codes = c.made_codes({given.rows})", "c.ours(codes, 2)")
    lines = [("privaudit, 2 threads", two), ("privaudit, 1 thread", one)]
    lines += [("privaudit, 2 threads, first run with imports", first), ("pandas, 1 thread", theirs)]
    table(title, lines, than=two)


if __name__ == "__main__":
    main()
