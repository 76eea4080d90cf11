"""One table of what scans cost next to other tools, in one run: processor seconds and ratios.

    python benchmarks/speed.py [--peers PYTHON] [--write]    print the table; --write keeps it in docs/performance.md
    python benchmarks/speed.py --check [--peers PYTHON]      fail where a ratio fell by more than 20 %

Each tool reads the same CSV file in a process of its own, imports included, and the cheapest of two runs counts. A
ratio is what the other tool takes over what privaudit takes: it is the same on a fast and on a slow machine, and falls
where privaudit becomes slower. `--peers` names an interpreter that has ydata-profiling, which cannot be installed next
to privaudit; without it, its ratios are neither printed nor checked.

The tools do different things: DuckDB and pandas summarise each column, ydata-profiling (minimal) describes columns,
Presidio (its recognisers without a language model) reads the text cells of 1,000 rows; privaudit also searches the
combinations of quasi-identifiers and measures remedies.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import tomllib
from pathlib import Path

import pyarrow as pa
import pyarrow.csv as pc
from scan import ROOT, run, table

PAGE, KEPT = ROOT / "docs" / "performance.md", ROOT / "benchmarks" / "speed.toml"
BEGIN, END = "<!-- made by benchmarks/speed.py -->", "<!-- end -->"
MOST_FALLEN = 0.2
RUNS = 2

PRESIDIO = """
import sys, pandas, tldextract
tldextract.tldextract.TLD_EXTRACTOR = tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None)  # stays offline
from presidio_analyzer import RecognizerRegistry
registry = RecognizerRegistry()
registry.load_predefined_recognizers()
known = [r for r in registry.recognizers if type(r).__name__ != "SpacyRecognizer" and r.supported_language == "en"]
table = pandas.read_csv(sys.argv[1], nrows=1000)
for name in table.columns[table.dtypes == "str"]:
    for text in table[name].unique():
        for each in known:
            each.analyze(text, each.supported_entities, None)
"""
PEERS = {
    "DuckDB": "import sys, duckdb; duckdb.sql(f\"SUMMARIZE FROM '{sys.argv[1]}'\").fetchall()",
    "pandas": "import sys, pandas; pandas.read_csv(sys.argv[1]).describe(include='all').to_json()",
    "Presidio": PRESIDIO,
    "ydata-profiling": (
        "import sys, pandas; from ydata_profiling import ProfileReport; "
        "ProfileReport(pandas.read_csv(sys.argv[1]), minimal=True, progress_bar=False).to_json()"
    ),
}
"""What other tools do with the same file."""
APART = ("ydata-profiling",)
"""Tools that need an interpreter of their own."""


def flags(n_rows: int, n_columns: int) -> pa.Table:
    """Return columns alike in form: answers from 0 to 5."""
    import numpy as np

    rng = np.random.default_rng(7)
    return pa.table({f"q{i}": rng.integers(0, 6, n_rows) for i in range(n_columns)})


TABLES = {
    "1,000 x 8": lambda: table(1_000, text=False),
    "10,000 x 12": lambda: table(10_000, text=True),
    "50 x 500": lambda: flags(50, 500),
}


def cost(command: list[str]) -> float | None:
    """Return the processor seconds of the cheaper of two runs; None where the tool fails or is not installed."""
    costs = [run(command) for _ in range(RUNS)]
    return None if any(each.code not in (0, 1, 3) for each in costs) else min(each.cpu for each in costs)


def measured(apart: str | None) -> dict[str, dict[str, float]]:
    """Return the processor seconds of privaudit and of every tool, by table."""
    found: dict[str, dict[str, float]] = {}
    for name, make in TABLES.items():
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "table.csv"
            pc.write_csv(make(), path)
            report = ["-o", str(path.with_suffix(".json")), "-o", str(path.with_suffix(".html"))]
            ours = cost([sys.executable, "-m", "privaudit", "scan", str(path), "-q", "--no-ner", *report])
            assert ours is not None, "the scan failed"
            found[name] = {"privaudit": ours}
            for tool, code in PEERS.items():
                python = apart if tool in APART else sys.executable
                took = None if python is None else cost([python, "-c", code, str(path)])
                if took is not None:
                    found[name][tool] = took
    return found


def ratios(costs: dict[str, float]) -> dict[str, float]:
    """Return what each other tool takes over what privaudit takes."""
    return {tool: seconds / costs["privaudit"] for tool, seconds in costs.items() if tool != "privaudit"}


def lines(found: dict[str, dict[str, float]]) -> list[str]:
    """Return the table as Markdown."""
    tools = [tool for tool in PEERS if any(tool in costs for costs in found.values())]
    made = [f"| rows x columns | privaudit | {' | '.join(tools)} |", f"|---|---:|{'---:|' * len(tools)}"]
    for name, costs in found.items():
        of = ratios(costs)
        cells = [f"{costs[tool]:.2f} ({of[tool]:.2f})" if tool in costs else "–" for tool in tools]
        made.append(f"| {name} | {costs['privaudit']:.2f} | {' | '.join(cells)} |")
    return made


def kept() -> dict[str, dict[str, float]]:
    """Return the costs that were measured last."""
    return tomllib.loads(KEPT.read_text(encoding="utf-8"))


def keep(found: dict[str, dict[str, float]]) -> None:
    """Write the costs, and the table of the page that is made from them."""
    parts = [f'["{name}"]\n' + "".join(f'"{t}" = {s:.3f}\n' for t, s in costs.items()) for name, costs in found.items()]
    title = "# Processor seconds; made by benchmarks/speed.py --write.\n\n"
    KEPT.write_text(title + "\n".join(parts), encoding="utf-8")
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


def page(text: str) -> str:
    """Return the page on performance with the table of the costs that were measured last."""
    before, rest = text.split(BEGIN)
    return f"{before}{BEGIN}\n\n" + "\n".join(lines(kept())) + f"\n\n{END}{rest.split(END)[1]}"


def fallen(found: dict[str, dict[str, float]], before: dict[str, dict[str, float]]) -> list[str]:
    """Return which ratios fell by more than 20 %, as sentences."""
    return [
        f"{name}, {tool}: the ratio fell from {then[tool]:.2f} to {now:.2f}"
        for name, costs in found.items()
        for then in [ratios(before[name])]
        for tool, now in ratios(costs).items()
        if tool in then and now < then[tool] * (1 - MOST_FALLEN)
    ]


def main() -> int:
    """Print the table; return 1 where a ratio fell."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", metavar="PYTHON", help="an interpreter that has ydata-profiling")
    parser.add_argument("--write", action="store_true", help="keep the numbers and the page that shows them")
    parser.add_argument("--check", action="store_true", help="fail where a ratio fell by more than 20 %%")
    given = parser.parse_args()
    found = measured(given.peers)
    print("\n".join(lines(found)))
    if given.write:
        keep(found)
    slower = fallen(found, kept()) if given.check else []
    print(*slower, sep="\n", file=sys.stderr)
    return int(bool(slower))


if __name__ == "__main__":
    sys.exit(main())
