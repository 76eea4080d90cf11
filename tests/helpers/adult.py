"""UCI Adult and its hierarchies as trial tables, for comparisons with ARX and sdcMicro."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from privaudit.advice.effect.trial_table import TrialTable
from privaudit.advice.recodings.categories import levels
from privaudit.advice.technique import Column, recode
from privaudit.advice.technique.protection import attributes
from privaudit.advice.technique.recoding import keep
from privaudit.risk.codes.coded import encode_column, merge_equal_rows

FOLDER = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "arx" / "data"
EIGHT = ("sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation")
NINE = (*EIGHT, "salary-class")

needs_adult = [
    pytest.mark.shared,
    pytest.mark.skipif(not FOLDER.is_dir(), reason="the tables of ../shared are not available"),
]


@cache
def rows(file="adult.csv"):
    with (FOLDER / file).open(newline="") as lines:
        return list(csv.DictReader(lines, delimiter=";"))


@cache
def hierarchy(name):
    """Return the names of each value at levels 1, 2, ...; the last level, one name for all, is dropping the column."""
    with (FOLDER / f"adult_hierarchy_{name}.csv").open(newline="") as lines:
        return {row[0]: tuple(row[1:]) for row in csv.reader(lines, delimiter=";")}


def coded(names, file="adult.csv", also=()):
    """Return the coded table; values of the rows of `also` are in its dictionaries."""
    n = len(rows(file))
    codes, dictionaries = [], []
    for name in names:
        cells = [row[name] for row in rows(file)] + [row[name] for other in also for row in rows(other)]
        code, dictionary = encode_column(pa.chunked_array([pa.array(cells, pa.string())]))
        codes.append(code[:n])
        dictionaries.append(dictionary)
    return merge_equal_rows(tuple(names), codes, dictionaries, np.ones(n, dtype=np.int64), n)


def ladder(trial, name):
    tree = hierarchy(name)
    column = Column(name, trial.column(name).dictionary, trial.counts[name], {v: path[:-1] for v, path in tree.items()})
    return (keep(column), *levels(column)[0], recode("drop", column, {}))


def adult(names=EIGHT, k=5):
    """Return the trial table over some columns and the ladders of ARX."""
    trial = TrialTable(coded(names), k, {name: len(hierarchy(name)) for name in names})
    return trial, {name: ladder(trial, name) for name in names}


def sensitive(names, *others):
    """Return sensitive attributes by row of the trial table over `names`."""
    return attributes(names, coded((*names, *others)), others)
