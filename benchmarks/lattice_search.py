"""The optimum of UCI Adult by every measure, that of a million rows by eight columns, and local suppression.

Run with ``python benchmarks/lattice_search.py --adult FOLDER`` (the folder with adult.csv and the hierarchies of ARX);
without it, the million rows alone. Times are the fastest of three runs, warm: the compiled loops are loaded. The
figures of ARX and sdcMicro were measured on another day on two idle cores; only times on one machine compare.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from made import Took, coded, columns, timed

from privaudit.advice.effect.information_loss import TITLES, InformationLoss
from privaudit.advice.effect.trial_table import TrialTable
from privaudit.advice.lattices.lattice import Lattice
from privaudit.advice.lattices.lattice_search import Search, least_loss
from privaudit.advice.recodings.categories import levels
from privaudit.advice.technique import Column, Recoding, recode
from privaudit.advice.technique.cell_suppression import suppress_cells
from privaudit.advice.technique.recoding import keep
from privaudit.risk.codes.coded import CodedTable, encode_column, merge_equal_rows

EIGHT = ("sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation")
WIDTHS = (2, 72, 5, 7, 16, 41, 7, 14)
STEPS = (2, 5, 2, 3, 4, 3, 3, 3)
UNIVERSE = 95_000
ARX = {(5, "geometric-loss"): "1.69", (2, "geometric-loss"): "2.58", (10, "geometric-loss"): "1.82"}
SDCMICRO = {(4, 2): "147", (4, 3): "336", (4, 5): "613", (5, 5): "15.7 CPU s"}


def read(folder: Path, names: Sequence[str]) -> CodedTable:
    """Return Adult over some columns."""
    with (folder / "adult.csv").open(newline="") as lines:
        rows = list(csv.DictReader(lines, delimiter=";"))
    made = [encode_column(pa.chunked_array([pa.array([row[name] for row in rows])])) for name in names]
    ones = np.ones(len(rows), dtype=np.int64)
    return merge_equal_rows(tuple(names), [c for c, _ in made], [d for _, d in made], ones, len(rows))


def adult(folder: Path, k: int) -> tuple[TrialTable, dict[str, tuple[Recoding, ...]]]:
    """Return the trial table of Adult and the ladders of ARX."""
    trees = {}
    for name in EIGHT:
        with (folder / f"adult_hierarchy_{name}.csv").open(newline="") as lines:
            trees[name] = {row[0]: tuple(row[1:]) for row in csv.reader(lines, delimiter=";")}
    trial = TrialTable(read(folder, EIGHT), k, {name: len(tree) for name, tree in trees.items()})
    ladders = {}
    for name, tree in trees.items():
        words = trial.column(name).dictionary
        column = Column(name, words, trial.counts[name], {value: path[:-1] for value, path in tree.items()})
        ladders[name] = (keep(column), *levels(column)[0], recode("drop", column, {}))
    return trial, ladders


def million(rows: int) -> tuple[TrialTable, dict[str, tuple[Recoding, ...]]]:
    """Return a table of some 80,000 distinct rows, and ladders of the shape of those of Adult."""
    # A few rows have most records, and most rows have few.
    drawn = (UNIVERSE * np.random.default_rng(4).random(rows) ** 6).astype(np.int64)
    table = coded([code[drawn] for code in columns(UNIVERSE, WIDTHS)])
    trial = TrialTable(table, 5)
    ladders = {}
    for name, n_steps in zip(table.names, STEPS, strict=True):
        column = trial.column(name)
        merged = [_merged(column, 3**step) for step in range(1, n_steps - 1)]
        ladders[name] = (keep(column), *merged, recode("drop", column, {}))
    return trial, ladders


def _merged(column: Column, width: int) -> Recoding:
    lookup = np.append(np.arange(len(column)) // width, (len(column) - 1) // width + 1).astype(np.int32)
    return Recoding("band", column.name, {"width": width}, lookup)


def optimum(trial: TrialTable, ladders: Mapping[str, Sequence[Recoding]], how: Any) -> Any:
    """Search the optimum at 5 % suppressed."""
    loss = InformationLoss(trial, how, ladders=ladders)
    return least_loss(Search(Lattice(trial, ladders, loss), max_suppressed=0.05))


def line(title: str, took: Took, rest: str) -> None:
    """Print one line of a table."""
    print(f"| {title:40} | {took.seconds:8.3f} | {took.cpu:8.3f} | {rest} |", flush=True)


def searches(trial: TrialTable, ladders: Mapping[str, Sequence[Recoding]], runs: int) -> None:
    """Time the search by every measure."""
    optimum(trial, ladders, "loss")
    for how in TITLES:
        took, found = timed(lambda how=how: optimum(trial, ladders, how), runs=runs)
        proved = "optimal" if found.is_optimal else f"bound {found.bound:.6f}"
        theirs = ARX.get((trial.k, how), "-") if trial.coded.n_rows == 30_162 else "-"
        line(f"{how}, k = {trial.k}", took, f"{found.n_measured:5} of {found.n_states} states | {proved} | {theirs}")


def suppression(folder: Path, runs: int) -> None:
    """Time local suppression, and count its cells."""
    for n, k in SDCMICRO:
        names = ("sex", "race", "marital-status", "education", "occupation")[:n]
        table = read(folder, names)
        took, found = timed(lambda table=table, k=k: suppress_cells(table, k), runs=runs)
        line(f"{n} columns, k = {k}", took, f"{found.n_cells} cells | {SDCMICRO[n, k]}")


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--adult", type=Path)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--runs", type=int, default=3)
    given = parser.parse_args()

    head = "| {:40} |  seconds |    cpu s | {} |"
    if given.adult is not None:
        print("Adult, 30,162 x 8, 6,480 states, at most 5 % suppressed")
        print(head.format("measure", "measured | result | ARX, seconds"))
        for k in (5, 2):
            searches(*adult(given.adult, k), given.runs)
        print("\nlocal suppression on Adult, a suppressed cell matches every value")
        print(head.format("", "cells | sdcMicro"))
        suppression(given.adult, given.runs)
    trial, ladders = million(given.rows)
    print(f"\n{given.rows:,} x 8 with {trial.coded.n_distinct:,} distinct rows, 6,480 states")
    print(head.format("measure", "measured | result | ARX"))
    searches(trial, ladders, 1)


if __name__ == "__main__":
    main()
