"""Minimal sample uniques of 30,162 x 20, and the whole risk stage of 30,162 x 8 with its share of each measure.

Run with ``python benchmarks/special_uniques.py [--table FILE.csv --quasi A,B,... --sensitive S --delimiter ";"]``.
Without a table, seeded ones of the same shape are used. ``--pycanon PYTHON`` names an interpreter in which pycanon is
installed: its nine measures are then timed on the same table, in the same run as the same nine of privaudit.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import pyarrow as pa
from made import Took, coded, columns, first_run, table, timed

EIGHT = (2, 72, 5, 7, 16, 41, 7, 14)
TWENTY = (*EIGHT, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30, 50)
ROWS = 30_162


def minimal_sets() -> None:
    """Time the search on 20 columns, up to sizes 3 and 4, the first run apart."""
    from privaudit.risk.search.special_uniques import minimal_uniques

    wide = coded(columns(ROWS, TWENTY, skew=1.2))
    before = (
        "import special_uniques as s; from privaudit.risk.search.special_uniques import minimal_uniques; "
        "wide = made.coded(made.columns(s.ROWS, s.TWENTY, skew=1.2))"
    )
    first = first_run(before, "minimal_uniques(wide, max_size=3)")
    minimal_uniques(wide, max_size=3)
    three, found = timed(lambda: minimal_uniques(wide, max_size=3), runs=3)
    four, more = timed(lambda: minimal_uniques(wide, max_size=4))
    assert more.msu_by_size[:3] == found.msu_by_size
    lines = [("up to size 3, first run with compilation", first), ("up to size 3", three), ("up to size 4", four)]
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
    from privaudit.model import ColumnReport
    from privaudit.risk import assess
    from privaudit.settings.config import Settings
    from privaudit.source.memory.arrow import from_arrow

    roles = dict.fromkeys(quasi, "quasi") | {sensitive: "sensitive"}
    with from_arrow(found) as dataset:
        reports = tuple(
            ColumnReport(
                name=name,
                data_type="text",
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
    from privaudit.risk.codes.coded import class_labels, encode
    from privaudit.risk.measures.diversity import diversity
    from privaudit.source.memory.arrow import from_arrow

    with from_arrow(found) as dataset:
        whole = encode(dataset, [*quasi, sensitive])
    labels, sizes = class_labels(whole, quasi)
    return int(sizes.min()), diversity(labels, whole.weights, whole.codes[-1], len(whole.dictionaries[-1]))


THEIRS = """
import json, sys, time
import pandas
from pycanon import anonymity

frame = pandas.read_csv(sys.argv[1], dtype=str, keep_default_na=False)
quasi, sensitive = sys.argv[2].split(","), [sys.argv[3]]
names = {
    "alpha": "alpha_k_anonymity", "l_distinct": "l_diversity", "l_entropy": "entropy_l_diversity",
    "l_recursive": "recursive_c_l_diversity", "beta_basic": "basic_beta_likeness",
    "beta_enhanced": "enhanced_beta_likeness", "t_equal": "t_closeness", "delta_disclosure": "delta_disclosure",
}
start, cpu = time.perf_counter(), time.process_time()
found = {"k": int(anonymity.k_anonymity(frame, quasi))}
for ours, theirs in names.items():
    value = getattr(anonymity, theirs)(frame, quasi, sensitive)
    found[ours] = value[ours == "l_recursive"] if isinstance(value, tuple) else value
took = time.perf_counter() - start, time.process_time() - cpu
print(json.dumps([*took, {name: float(value) for name, value in found.items()}]))
"""


def pycanon(python: str, found: pa.Table, quasi: list[str], sensitive: str) -> tuple[Took, dict[str, float]]:
    """Time pycanon's nine measures in the interpreter that has it, and return what it finds."""
    import pyarrow.csv as csv

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "table.csv"
        csv.write_csv(found, file)
        done = subprocess.run(
            [python, "-W", "ignore", "-c", THEIRS, str(file), ",".join(quasi), sensitive],
            check=True,
            capture_output=True,
            text=True,
        )
    seconds, cpu, values = json.loads(done.stdout.splitlines()[-1])
    return Took(seconds, cpu), values


def compare(k: int, ours: Any, theirs: dict[str, float]) -> str:
    """Return which of the values that both give are equal to nine digits."""
    named = {"k": k, **{name: getattr(ours, name, None) for name in theirs if name != "k"}}
    named["l_recursive"] = ours.l_recursive.l
    named["t_equal"] = ours.t_closeness.equal
    same = [
        name
        for name, value in theirs.items()
        if named[name] is not None and math.isclose(named[name], value, rel_tol=1e-9, abs_tol=1e-12)
    ]
    return f"equal to nine digits: {', '.join(sorted(same))}; not compared or different: " + (
        ", ".join(sorted(set(theirs) - set(same))) or "none"
    )


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--table")
    parser.add_argument("--quasi", default="")
    parser.add_argument("--sensitive", default="")
    parser.add_argument("--delimiter", default=",")
    parser.add_argument("--pycanon", metavar="PYTHON", help="an interpreter that has pycanon; takes minutes")
    given = parser.parse_args()
    minimal_sets()
    found, quasi, sensitive = read(given)
    once, _ = timed(lambda: audit(found, quasi, sensitive))
    whole, assessed = timed(lambda: audit(found, quasi, sensitive), runs=3)
    same, (k, measured) = timed(lambda: nine(found, quasi, sensitive), runs=3)
    lines = [("privaudit, the nine measures of pycanon", same), ("privaudit, the whole risk stage", whole)]
    lines.append(("privaudit, the whole risk stage, first run here", once))
    agreement = ""
    if given.pycanon:
        theirs, values = pycanon(given.pycanon, found, quasi, sensitive)
        lines.append(("pycanon, its nine measures", theirs))
        agreement = compare(k, measured, values)
    sets = len(assessed.combinations)
    title = f"{found.num_rows:,} x {len(quasi)}: {sets} sets, special uniques, diversity, population"
    table(title, lines, than=same)
    print(agreement)


if __name__ == "__main__":
    main()
