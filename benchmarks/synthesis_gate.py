"""How often the gate of synthetic tables fails, is incomplete and passes, with copies of people and without.

    python benchmarks/synthesis_gate.py [RUNS] [--people N] adult=ADULT.csv bank=BANK.csv churn=CHURN.csv

In each run N records of a table (2,000 by default) are the original, N others the people outside, and N others a
release without privacy: as they are, and with a share of them replaced by records of the original. ``aim`` is the
release that AIM makes of the original at epsilon 1, judged as a private table. The tables are those of
``synthesis.py --settings``.
"""

from __future__ import annotations

import sys
from collections import Counter

import numpy as np
import pyarrow as pa
from synthesis import TABLES, adult, coded, run_method, texts_of

from privaudit.model.synthesis import Synthesis
from privaudit.releases.synthetic.domain_file import parse_domain
from privaudit.releases.synthetic.engine.margins import CodedTable
from privaudit.releases.synthetic.judgement import attack_sides, decide
from privaudit.releases.synthetic.run import Side
from privaudit.releases.synthetic.samples import Sample
from privaudit.releases.synthetic.writing import written
from privaudit.rulebook import load_policy
from privaudit.settings.config import Settings

RELEASES = {"other people": 0.0, "5 % copies": 0.05, "30 % copies": 0.3, "aim": None}
PRIVACY = {"epsilon": 1.0, "delta": 1e-9, "unit": "row"}


def exit_code(table: CodedTable, n: int, share: float | None, seed: int) -> int:
    """Return the decision about a release of a sample of `n` of the records of `table`."""
    shuffled = table.take(np.random.default_rng(seed).permutation(table.n_rows)[: 3 * n])
    members, others = shuffled.take(slice(0, n)), shuffled.take(slice(2 * n, 3 * n))
    if share is None:
        released = run_method("aim", 1, members, seed)[0]
    else:
        cut = round(share * n)
        codes = np.concatenate([members.codes[:, :cut], others.codes[:, cut:]], axis=1)
        released = CodedTable(codes, table.sizes)
    stated = {
        f"c{i}": {"kind": "category", "values": [f"v{j}" for j in range(size)], "missing": False}
        for i, size in enumerate(table.sizes)
    }
    domain = parse_domain({"version": 1, "column": stated}, "table")
    random = np.random.default_rng(seed)
    texts = written(domain, lambda _: shuffled, shuffled.n_rows, random).table
    texts = pa.table({name: texts[name].cast(pa.string()) for name in texts.column_names})

    def people(start: int) -> Sample:
        rows = np.arange(start, start + n)
        return Sample(texts, rows, shuffled.take(rows), rows)

    drawn = written(domain, lambda _: released, n, random)
    side = Side(domain=domain, drawn=drawn, members=people(0), outsiders=people(n), target=domain.names[-1])
    statement = Synthesis(
        method="aim", privacy=PRIVACY if share is None else None, receipt=None, n_rows=n, columns=domain.names
    )
    return decide(statement, load_policy("public"), attack_sides((side,), settings=Settings())).exit_code


def main() -> None:
    """Print how often each release fails, is incomplete and passes."""
    arguments = sys.argv[1:]
    n = int(arguments.pop(arguments.index("--people") + 1)) if "--people" in arguments else 2_000
    runs = int(arguments.pop(0)) if arguments and arguments[0].isdigit() else 40
    print("| table | release | fails | incomplete | passes |\n| --- | --- | ---: | ---: | ---: |")
    for stated in (each for each in arguments if "=" in each):
        name, _, path = stated.partition("=")
        table = adult(path) if name == "adult" else coded(texts_of(path, TABLES[name][0]), TABLES[name][1])
        for release, share in RELEASES.items():
            found = Counter(exit_code(table, n, share, seed) for seed in range(runs))
            print(f"| {name} | {release} | {found[1]} | {found[3]} | {found[0]} |", flush=True)


if __name__ == "__main__":
    main()
