"""Synthesis of Adult: error, prediction, copies and CPU time of every method, next to mbi and dpmm where they install.

    python benchmarks/synthesis.py ADULT.csv [SEEDS] [--peers PYTHON ...] [--large] [--small SDNIST.csv]
    python benchmarks/synthesis.py --settings TABLE=ADULT.csv TABLE=BANK.csv ...

ADULT.csv is the table of the ARX project (30,162 rows, 9 columns); ages are declared in bands of 5 years. 80 % of the
rows are synthesised and 20 % are held out, as in the literature; then all rows at epsilon 1. TV1, TV2, TV3: mean
total variation distance of all one-, two- and three-way margins; AUC: logistic regression trained on synthetic rows,
tested on held-out rows (all rows where none are held out); copies: share of synthetic rows equal to a row of a sample
of the synthesised rows, and of the hold-out of the same size. Delta is 1e-9, and 0 for PrivBayes and independent
columns. A peer is a Python in which mbi or dpmm is installed. ``--large`` times one million rows of twelve columns;
``--small`` repeats the methods on 800 records of na2019_1000.csv of SDNIST. The draws have the seeds 0, 1, ...; noise
has no seed. ``--settings`` compares the settings of AIM with those of its paper on several tables (adult, bank, churn,
cross: see `TABLES`), over five runs each.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv as arrow_csv
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from privaudit.releases.privacy.accounting import rho_of
from privaudit.releases.synthetic.budget import Budget, ConcentratedBudget, OpenBudget, PureBudget
from privaudit.releases.synthetic.comparison import mean_distances
from privaudit.releases.synthetic.domain_file import parse_domain
from privaudit.releases.synthetic.engine.margins import CodedTable
from privaudit.releases.synthetic.methods.registry import METHODS, Bounds

DELTA = 1e-9
TARGET = "salary-class"
SPLIT_SEED = 20261126

MBI = """
import sys, json, time
import numpy as np
import mbi
from mbi import Domain, Dataset
spec = json.load(open(sys.argv[1]))
codes = np.load(sys.argv[2])
names = [f"c{i}" for i in range(len(spec["sizes"]))]
domain = Domain(names, spec["sizes"])
rng = np.random.default_rng(spec["seed"])
started = time.process_time()
d, rho = len(names), spec["rho"]
margin = lambda cols: np.bincount(np.ravel_multi_index([codes[c] for c in cols], [spec["sizes"][c] for c in cols]),
                                  minlength=int(np.prod([spec["sizes"][c] for c in cols])))
noisy = lambda cols, sd: margin(cols) + np.rint(rng.normal(0, sd, int(np.prod([spec["sizes"][c] for c in cols]))))
one = (d / (2 * rho / 3)) ** 0.5
measured = [((c,), noisy((c,), one), one) for c in range(d)]
epsilon, component, pairs = (8 * rho / 3 / (d - 1)) ** 0.5, list(range(d)), []
n = max(1.0, measured[0][1].sum())
shares = [np.maximum(m[1], 0) / np.maximum(m[1], 0).sum() for m in measured]
scores = {(a, b): np.abs(margin((a, b)) - np.rint(n * np.outer(shares[a], shares[b])).ravel()).sum()
          for a in range(d) for b in range(a + 1, d)}
for _ in range(d - 1):
    left = [p for p in scores if component[p[0]] != component[p[1]]]
    pick = left[int(np.argmax([epsilon * scores[p] / 2 + rng.gumbel() for p in left]))]
    pairs.append(pick)
    component = [component[pick[1]] if x == component[pick[0]] else x for x in component]
two = (len(pairs) / (2 * rho / 3)) ** 0.5
measured += [(p, noisy(p, two), two) for p in pairs]
clique = lambda cols: tuple(names[c] for c in cols)
loss = [mbi.LinearMeasurement(np.asarray(y, float), clique(cols), stddev=sd) for cols, y, sd in measured]
model = mbi.estimation.MirrorDescent().estimate(domain, loss, iters=1000)
made = model.synthetic_data(codes.shape[1])
columns = made.to_dict() if hasattr(made, "to_dict") else {name: made.df[name] for name in names}
np.save(sys.argv[3], np.array([np.asarray(columns[name]) for name in names]))
print(json.dumps({"cpu": time.process_time() - started}))
"""
"""MST on the engine of mbi, with rounded floating-point noise: right for measuring error, not for release."""

DPMM = """
import sys, json, time
import numpy as np, pandas as pd
from dpmm.pipelines import MSTPipeline
spec = json.load(open(sys.argv[1]))
codes = np.load(sys.argv[2])
frame = pd.DataFrame({f"c{i}": codes[i].astype(int) for i in range(len(codes))})
domain = {f"c{i}": {"lower": 0, "upper": int(size) - 1} for i, size in enumerate(spec["sizes"])}
started = time.process_time()
pipeline = MSTPipeline(epsilon=spec["epsilon"], delta=spec["delta"], proc_epsilon=None)
pipeline.fit(frame, domain)
made = pipeline.generate(n_records=codes.shape[1])
np.save(sys.argv[3], made[list(frame.columns)].to_numpy().T)
print(json.dumps({"cpu": time.process_time() - started}))
"""


def adult(path: str) -> CodedTable:
    """Return Adult as codes of a declared domain."""
    options = arrow_csv.ParseOptions(delimiter=";")
    table = arrow_csv.read_csv(path, parse_options=options)
    table = pa.table({name: table[name].cast(pa.string()) for name in table.column_names})
    columns = {}
    for name in table.column_names:
        values = sorted(set(table[name].to_pylist()))
        columns[name] = {"kind": "category", "values": values, "missing": False}
    columns["age"] = {"kind": "number", "bounds": [15, 95], "step": 1, "bands": 5, "missing": False}
    return parse_domain({"version": 1, "column": columns}, "adult").encode(table)[0]


SMALL = ("AGEP", "MSP", "HISP", "RAC1P", "EDU", "INDP_CAT", "PINCP_DECILE", "OWN_RENT", "DREM", "SEX")


def texts_of(path: str, names: Sequence[str], delimiter: str = ",") -> pa.Table:
    """Return some columns of a file as texts."""
    table = arrow_csv.read_csv(path, parse_options=arrow_csv.ParseOptions(delimiter=delimiter))
    return pa.table({name: table[name].cast(pa.string()) for name in names})


def coded(table: pa.Table, numbers: Mapping[str, tuple[float, float, float]]) -> CodedTable:
    """Return a table as codes: numbers by bounds and width of their bands, other columns by their values."""
    columns = {}
    for name in table.column_names:
        if name in numbers:
            low, high, width = numbers[name]
            columns[name] = {"kind": "number", "bounds": [low, high], "step": 1, "bands": width}
        else:
            values = sorted({each for each in table[name].to_pylist() if each is not None})
            columns[name] = {"kind": "category", "values": values}
        columns[name]["missing"] = bool(table[name].null_count)
    return parse_domain({"version": 1, "column": columns}, "table").encode(table)[0]


def sdnist(path: str) -> CodedTable:
    """Return ten columns of SDNIST as codes, the target last."""
    return coded(texts_of(path, SMALL), {"AGEP": (0, 100, 10)})


TABLES = {
    "bank": (
        ("age", "job", "marital", "education", "housing", "loan", "contact", "month", "campaign", "poutcome", "y"),
        {"age": (15, 95, 5), "campaign": (1, 60, 4)},
    ),
    "churn": (
        (
            "CreditScore", "Geography", "Gender", "Age", "Tenure", "Balance", "NumOfProducts", "HasCrCard",
            "IsActiveMember", "EstimatedSalary", "Exited",
        ),
        {"CreditScore": (300, 900, 50), "Age": (15, 95, 5), "Balance": (0, 260_000, 20_000),
         "EstimatedSalary": (0, 200_000, 20_000)},
    ),
    "cross": (
        ("Gender", "Age", "Region_Code", "Previously_Insured", "Vehicle_Age", "Vehicle_Damage", "Annual_Premium",
         "Policy_Sales_Channel", "Response"),
        {"Age": (15, 95, 5), "Annual_Premium": (0, 100_000, 5_000), "Policy_Sales_Channel": (0, 170, 10)},
    ),
}  # fmt: skip
"""Columns of the tables of ``--settings``, and bounds and width of their bands."""
SETTINGS = {
    "as built": {},
    "16 rounds a column": {"ROUNDS_PER_COLUMN": 16},
    "95 % for measuring": {"MEASURED": 0.95},
    "300 last steps": {"STEPS": 100, "LAST_STEPS": 300},
    "all of the paper": {"ROUNDS_PER_COLUMN": 16, "MEASURED": 0.9, "STEPS": 100, "LAST_STEPS": 300},
}


def compare_settings(tables: Sequence[str], runs: int = 5) -> None:
    """Print TV2 and TV3 of AIM at epsilon 1 with its settings and with those of the paper."""
    from privaudit.releases.synthetic.methods import aim

    built = {name: getattr(aim, name) for name in SETTINGS["all of the paper"]}
    print("| table | settings | TV2 | TV3 | spread of TV2 |\n| --- | --- | ---: | ---: | ---: |")
    for stated in tables:
        name, _, path = stated.partition("=")
        table = adult(path) if name == "adult" else coded(texts_of(path, TABLES[name][0]), TABLES[name][1])
        for title, changed in SETTINGS.items():
            for key, value in {**built, **changed}.items():
                setattr(aim, key, value)
            found = [mean_distances(table, run_method("aim", 1, table, seed)[0])[1:] for seed in range(runs)]
            mean, spread = np.mean(found, axis=0), np.std(found, axis=0, ddof=1)
            print(f"| {name} | {title} | {mean[0]:.4f} | {mean[1]:.4f} | {spread[0]:.4f} |", flush=True)


def budget_of(method: str, epsilon: float | None) -> Budget:
    """Return the budget of a method."""
    if epsilon is None:
        return OpenBudget()
    return PureBudget(epsilon) if METHODS[method].pays == "epsilon" else ConcentratedBudget(rho_of(epsilon, DELTA))


def one_hot(table: CodedTable, target: int) -> np.ndarray:
    """Return all columns but the target as indicators."""
    parts = [table.codes[i][:, None] == np.arange(n) for i, n in enumerate(table.sizes) if i != target]
    return np.concatenate(parts, axis=1).astype(np.float32)


def auc(made: CodedTable, tested: CodedTable) -> float:
    """Return the AUC of logistic regression that was trained on one table and tested on another."""
    target = len(made.sizes) - 1
    if len(np.unique(made.codes[target])) < 2:
        return 0.5
    model = LogisticRegression(max_iter=200).fit(one_hot(made, target), made.codes[target])
    return float(roc_auc_score(tested.codes[target], model.predict_proba(one_hot(tested, target))[:, 1]))


def copies(made: CodedTable, other: CodedTable) -> float:
    """Return the share of made rows that equal a row of another table."""
    rows = set(map(tuple, other.codes.T.tolist()))
    return float(np.mean([tuple(row) in rows for row in made.codes.T.tolist()]))


def measured(made: CodedTable, members: CodedTable, held_out: CodedTable | None) -> list[float]:
    """Return TV1, TV2, TV3, AUC and copies."""
    found = [*mean_distances(members, made), auc(made, held_out or members)]
    if held_out is None:
        return [*found, float("nan"), float("nan")]
    sample = members.take(np.arange(held_out.n_rows))
    return [*found, copies(made, sample), copies(made, held_out)]


def run_method(method: str, epsilon: float | None, members: CodedTable, seed: int) -> tuple[CodedTable, float]:
    """Return a synthetic table and the CPU seconds it took."""
    started = time.process_time()
    fitted = METHODS[method].fit(members, budget_of(method, epsilon), Bounds())
    made = fitted.model.sample(members.n_rows, np.random.default_rng(seed))
    return made, time.process_time() - started


def peer(python: str, script: str, epsilon: float, members: CodedTable, seed: int) -> tuple[CodedTable, float] | None:
    """Return the synthetic table of a peer, None where it is not installed or fails."""
    with tempfile.TemporaryDirectory() as folder:
        spec, codes, made = (str(Path(folder) / name) for name in ("spec.json", "codes.npy", "made.npy"))
        content = {
            "sizes": members.sizes,
            "epsilon": epsilon,
            "delta": DELTA,
            "rho": rho_of(epsilon, DELTA),
            "seed": seed,
        }
        Path(spec).write_text(json.dumps(content))
        np.save(codes, members.codes)
        try:
            done = subprocess.run(
                [python, "-c", script, spec, codes, made], capture_output=True, text=True, timeout=600, check=False
            )
        except subprocess.TimeoutExpired:
            return None
        if done.returncode:
            print((done.stderr.strip().splitlines() or ["failed"])[-1][:200], file=sys.stderr)
            return None
        found = np.clip(np.load(made), 0, np.array(members.sizes)[:, None] - 1)
        return CodedTable(found, members.sizes), json.loads(done.stdout.strip().splitlines()[-1])["cpu"]


def rows_of(members: CodedTable, held_out: CodedTable, seeds: int) -> Iterator[tuple[str, str, list[float]]]:
    """Yield the lines of the table: method, epsilon, and the mean of the measures over the seeds."""
    random = np.random.default_rng(0)
    boot = members.take(random.integers(members.n_rows, size=members.n_rows))
    shuffled = CodedTable(np.array([random.permutation(each) for each in members.codes]), members.sizes)
    for name, table in (
        ("original", members),
        ("bootstrap", boot),
        ("columns permuted", shuffled),
        ("hold-out", held_out),
    ):
        yield name, "–", [*measured(table, members, held_out), 0.0]
    for method in ("independent", "mst", "privbayes", "aim"):
        for epsilon in (0.1, 1, 10, None):
            yield (method, "–" if epsilon is None else str(epsilon), mean_of(method, epsilon, members, held_out, seeds))
    for method, epsilon in (("cart", None), ("gan", None), ("gan", 1)):
        yield method, "–" if epsilon is None else str(epsilon), mean_of(method, epsilon, members, held_out, seeds)


def mean_of(
    method: str, epsilon: float | None, members: CodedTable, held_out: CodedTable | None, seeds: int
) -> list[float]:
    """Return the mean of the measures and of the CPU seconds."""
    found = []
    for seed in range(seeds):
        made, cpu = run_method(method, epsilon, members, seed)
        found.append([*measured(made, members, held_out), cpu])
    return [float(value) for value in np.mean(found, axis=0)]


def line(name: str, epsilon: str, values: list[float]) -> str:
    """Return one line of Markdown."""
    shown = ["" if np.isnan(value) else f"{value:.4f}" for value in values[:-1]]
    return f"| {name} | {epsilon} | {' | '.join(shown)} | {values[-1]:.1f} |"


def large() -> None:
    """Time one million rows of twelve columns, from codes to codes."""
    random = np.random.default_rng(0)
    sizes = (2, 5, 8, 10, 12, 6, 20, 4, 15, 3, 9, 7)
    base = random.integers(max(sizes), size=1_000_000)
    codes = [(base + random.integers(3, size=len(base)) * (i % 4)) % size for i, size in enumerate(sizes)]
    table = CodedTable(np.array(codes, dtype=np.uint8), sizes)
    for method in ("aim", "mst", "privbayes", "independent"):
        started = time.perf_counter()
        made, cpu = run_method(method, 1, table, 0)
        wall = time.perf_counter() - started
        print(f"1,000,000 x 12, {method}: {wall:.1f} s, {cpu:.1f} CPU s, TV2 {mean_distances(table, made)[1]:.4f}")


def small(path: str, seeds: int) -> None:
    """Print the lines of a table of 800 records."""
    table = sdnist(path)
    order = np.random.default_rng(SPLIT_SEED).permutation(table.n_rows)
    held_out, members = table.take(order[: table.n_rows // 5]), table.take(order[table.n_rows // 5 :])
    for method in ("independent", "mst", "privbayes", "aim"):
        print(line(f"sdnist, {method}", "1", mean_of(method, 1, members, held_out, seeds)), flush=True)


def main() -> None:
    """Print the table."""
    arguments = [each for each in sys.argv[1:] if each != "--large"]
    if arguments[0] == "--settings":
        compare_settings(arguments[1:])
        return
    few = None
    if "--small" in arguments:
        at = arguments.index("--small")
        few = arguments[at + 1]
        del arguments[at : at + 2]
    at = arguments.index("--peers") if "--peers" in arguments else len(arguments)
    peers, arguments = arguments[at + 1 :], arguments[:at]
    table = adult(arguments[0])
    seeds = int(arguments[1]) if len(arguments) > 1 else 2
    order = np.random.default_rng(SPLIT_SEED).permutation(table.n_rows)
    held_out, members = table.take(order[: table.n_rows // 5]), table.take(order[table.n_rows // 5 :])
    print("| table, method | epsilon | TV1 | TV2 | TV3 | AUC | copies | of hold-out | CPU s |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for each in rows_of(members, held_out, seeds):
        print(line(*each), flush=True)
    for python in peers:
        for name, script in (("mst of mbi", MBI), ("mst of dpmm", DPMM)):
            found = peer(python, script, 1, members, 0)
            if found is not None:
                print(line(name, "1", [*measured(found[0], members, held_out), found[1]]), flush=True)
    if few is not None:
        small(few, seeds)
    for method in ("aim", "privbayes"):
        print(line(f"all rows, {method}", "1", mean_of(method, 1, table, None, 5)), flush=True)
    if "--large" in sys.argv:
        large()
    print(f"most memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
