"""Minimal sample uniques of 30,162 x 20, and the whole risk stage of 30,162 x 8 with its share of each measure.

Run with ``python benchmarks/special_uniques.py [--table FILE.csv --quasi A,B,... --sensitive S --delimiter ";"]``.
Without a table, seeded ones of the same shape are used. Where pycanon is installed its nine measures are timed on
the same table, beside ours for the same nine; give --pycanon, it takes minutes.
"""

from __future__ import annotations

import argparse
from typing import Any

import pyarrow as pa
from made import Took, coded, columns, table, timed

EIGHT = (2, 72, 5, 7, 16, 41, 7, 14)
TWENTY = (*EIGHT, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30, 50)
ROWS = 30_162


def minimal_sets() -> None:
    """Time the search on 20 columns, up to sizes 3 and 4, the first run apart."""
    from privaudit.risk.special_uniques import special_uniques

    wide = coded(columns(ROWS, TWENTY, skew=1.2))
    first, _ = timed(lambda: special_uniques(wide, max_size=3))
    three, found = timed(lambda: special_uniques(wide, max_size=3), runs=3)
    four, more = timed(lambda: special_uniques(wide, max_size=4))
    assert more.msu_by_size[:3] == found.msu_by_size
    lines = [("up to size 3, first run", first), ("up to size 3", three), ("up to size 4", four)]
    table(f"minimal sample uniques, {ROWS:,} x 20, {sum(more.msu_by_size):,} found", lines, than=three)


def read(given: argparse.Namespace) -> tuple[pa.Table, list[str], str]:
    """Return the table, its quasi-identifiers and its sensitive column."""
    if given.table is None:
        made = columns(ROWS, (*EIGHT, 2), skew=1.2)
        names = [*(f"q{i}" for i in range(8)), "sensitive"]
        return pa.table(dict(zip(names, made, strict=True))), names[:8], "sensitive"
    import pyarrow.csv as csv

    found = csv.read_csv(given.table, parse_options=csv.ParseOptions(delimiter=given.delimiter))
    return found, given.quasi.split(","), given.sensitive


def audit(found: pa.Table, quasi: list[str], sensitive: str) -> Any:
    """Run the whole risk stage: every set, special uniques, diversity, population estimates."""
    from privaudit.config import Settings
    from privaudit.model import ColumnReport
    from privaudit.risk import assess
    from privaudit.source.arrow import from_arrow

    roles = dict.fromkeys(quasi, "quasi") | {sensitive: "sensitive"}
    with from_arrow(found) as dataset:
        reports = tuple(
            ColumnReport(
                name=name,
                kind="text",
                n_rows=found.num_rows,
                n_missing=0,
                n_distinct=0,
                n_held_once=0,
                uniqueness=None,
                entropy_bits=None,
                role=roles.get(name, "none"),
            )
            for name in dataset.columns
        )
        options = Settings(max_size=len(quasi), population=str(100 * found.num_rows))
        return assess(dataset, reports, options, thresholds=(11,))


def nine(found: pa.Table, quasi: list[str], sensitive: str) -> Any:
    """Measure what pycanon measures: k and the diversity of one sensitive column, from codes on."""
    from privaudit.risk.coded import class_labels, encode
    from privaudit.risk.diversity import diversity
    from privaudit.source.arrow import from_arrow

    with from_arrow(found) as dataset:
        whole = encode(dataset, [*quasi, sensitive])
    labels, sizes = class_labels(whole, quasi)
    return int(sizes.min()), diversity(
        labels, sizes, whole.weights, whole.codes[-1], len(whole.dictionaries[-1])
    )


def pycanon(found: pa.Table, quasi: list[str], sensitive: str) -> Took:
    """Time pycanon's nine measures."""
    from pycanon import anonymity

    frame = found.to_pandas()
    measures = (
        "alpha_k_anonymity",
        "l_diversity",
        "entropy_l_diversity",
        "recursive_c_l_diversity",
        "basic_beta_likeness",
        "enhanced_beta_likeness",
        "t_closeness",
        "delta_disclosure",
    )

    def every() -> None:
        anonymity.k_anonymity(frame, quasi)
        for name in measures:
            getattr(anonymity, name)(frame, quasi, [sensitive])

    return timed(every)[0]


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--table")
    parser.add_argument("--quasi", default="")
    parser.add_argument("--sensitive", default="")
    parser.add_argument("--delimiter", default=",")
    parser.add_argument("--pycanon", action="store_true")
    given = parser.parse_args()
    minimal_sets()
    found, quasi, sensitive = read(given)
    audit(found, quasi, sensitive)
    whole, assessed = timed(lambda: audit(found, quasi, sensitive), runs=3)
    same, _ = timed(lambda: nine(found, quasi, sensitive), runs=3)
    lines = [("the nine measures of pycanon, ours", same), ("the whole risk stage", whole)]
    if given.pycanon:
        lines.append(("pycanon, its nine measures", pycanon(found, quasi, sensitive)))
    sets = len(assessed.combinations)
    title = f"{found.num_rows:,} x {len(quasi)}: {sets} sets, special uniques, diversity, population"
    table(title, lines, than=same)


if __name__ == "__main__":
    main()
