"""Processor seconds of the steps of a joint audit of three silos, with masks and with Paillier counts; prints Markdown.

    python benchmarks/joint.py [ROWS]       needs the extra `joint`; 80,000 rows in each silo where not given

Five columns, all sets of up to three and of five. Every step is a process of its own, imports included; where each silo
has a step, the mean counts. Both forms must have the same result, or the benchmark ends.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from statistics import mean

import pyarrow as pa
import pyarrow.csv as pc
from made import columns
from scan import run

SILOS = ("north", "south", "west")
CARDINALITIES = (2, 9, 17, 100, 400)
STEPS = (
    "`joint keys`, each silo",
    "`joint combine --union`",
    "`joint collapse`, each silo",
    "`joint combine`",
    "`joint open`",
)


def step(*words: object) -> float:
    """Return the processor seconds of a step."""
    cost = run([sys.executable, "-m", "privaudit", "joint", *map(str, words)])
    assert cost.code in (0, 1, 3), words
    return cost.cpu


def audit(folder: Path, counts: str) -> tuple[list[float], list[dict]]:
    """Run the steps of an audit; return the seconds of each, and the numbers of each set of columns."""
    key, plan, union, holder = (folder / name for name in ("shared.key", "joint.toml", "union", "holder"))
    names = ", ".join(f'"q{i}"' for i in range(len(CARDINALITIES)))
    silos = ", ".join(f'"{silo}"' for silo in SILOS)
    plan.write_text(f'columns = [{names}]\nsilos = [{silos}]\nmax_size = 3\nk = 5\ncounts = "{counts}"\n')
    step("key", "new", key)
    tables, keys, sums = ([folder / f"{silo}.{end}" for silo in SILOS] for end in ("csv", "keys", "counts"))
    keyed = [
        step("keys", table, "--plan", plan, "--silo", silo, "--key", key, "-o", to)
        for silo, table, to in zip(SILOS, tables, keys, strict=True)
    ]
    took = [mean(keyed), step("combine", "--union", *keys, "-o", union)]
    public: tuple[object, ...] = ()
    result = folder / "joint.json"
    if counts == "paillier":
        step("key", "new", holder, "--paillier")
        public = ("--public-key", f"{holder}.public")
    collapsed = [
        step("collapse", table, "--union", union, "--key", key, "--secret", f"{sent}.secret", *public, "-o", to)
        for table, sent, to in zip(tables, keys, sums, strict=True)
    ]
    took.append(mean(collapsed))
    if counts == "paillier":
        took.append(step("combine", *sums, *public, "-o", folder / "sums"))
        took.append(step("open", folder / "sums", "--key", holder, "-o", result))
    else:
        took.append(step("combine", *sums, "-o", result))
    return took, json.loads(result.read_text(encoding="utf-8"))["combinations"]


def main() -> None:
    """Print a table of both forms."""
    n, found = int((sys.argv[1:] or ["80000"])[0]), {}
    for counts in ("masks", "paillier"):
        with tempfile.TemporaryDirectory() as name:
            for i, silo in enumerate(SILOS):
                codes = {f"q{j}": codes for j, codes in enumerate(columns(n, CARDINALITIES, seed=i))}
                pc.write_csv(pa.table(codes), Path(name) / f"{silo}.csv")
            found[counts] = audit(Path(name), counts)
    (masks, sets), (paillier, same) = found["masks"], found["paillier"]
    assert sets == same, "the forms have different results"
    print(f"{sum(one['n_classes'] for one in sets):,} distinct combinations in {len(sets)} sets of columns\n")
    print("| step | masks | Paillier, 3072 bits |\n|---|---|---|")
    for title, one, other in zip(STEPS, [*masks, None], paillier, strict=True):
        print(f"| {title} | {'–' if one is None else f'{one:.1f}'} | {other:.1f} |")


if __name__ == "__main__":
    main()
