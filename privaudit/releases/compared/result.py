"""Compare two given tables, and write the comparison.

Question: which distributions, relations and predictions of the first table does the second keep?
Method: the measures of `releases.synthetic.comparison` over the bands of `pairing`; mean and standard deviation are
those of the numbers themselves; correlations of Pearson next to Cramér's V; models are trained on three quarters of the
first table, and on the second, and tested on the other quarter of the first.
Limits: rows are not matched, so nothing is stated about single records; `privaudit attack` does that.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from privaudit.base.distinct_numbers import distinct
from privaudit.base.errors import ColumnNotFound
from privaudit.model.synthesis import ColumnComparison, SynthesisComparison
from privaudit.releases.compared.pairing import Pair, paired
from privaudit.releases.remedy.utility import correlation
from privaudit.releases.synthetic.comparison import compare
from privaudit.releases.synthetic.predictions import MOST_LABELS, predictions
from privaudit.report import files
from privaudit.report.pages import compared_page
from privaudit.report.pages import page as pages
from privaudit.settings.config import Progress, Settings, silent
from privaudit.source import open_dataset

HELD_OUT = 4
"""One record in so many of the first table is held out for the test of models."""
LEAST_TESTED = 20


class TableComparison:
    """Two tables next to each other.

    Attributes
    ----------
    tables : tuple of str
        The names of both tables, as reports show them.
    comparison : SynthesisComparison
    correlations : mapping of (column, column) to (before, after)
        Pearson's correlation of numeric columns.
    omitted : tuple of str
        Columns that are not compared.
    """

    def __init__(self, tables: tuple[str, str], pair: Pair, comparison: SynthesisComparison) -> None:
        self.tables, self.comparison, self.omitted = tables, comparison, pair.omitted
        self.correlations = _correlations(pair)

    def text(self) -> str:
        """Return the comparison for a terminal; its first line states how confidential it is."""
        return compared_page.text(self.tables, self.comparison, self.correlations, self.omitted)

    def write(self, path: str | Path) -> None:
        """Write the comparison: .html, .md or .json, readable by the user alone.

        Raises
        ------
        ConfigError
            For another suffix, or a file that cannot be written.
        """
        found = self.tables, self.comparison, self.correlations, self.omitted
        forms = pages.forms(compared_page.page(*found), lambda: compared_page.as_json(*found))
        files.write_form(Path(path), forms, private=True)

    def __repr__(self) -> str:
        return f"TableComparison({len(self.comparison.columns)} columns, tv2 {self.comparison.tv2:.3f})"


def compare_pair(
    first: Any, second: Any, settings: Settings, *, target: str | None = None, progress: Progress = silent
) -> TableComparison:
    """Compare two tables.

    Parameters
    ----------
    target : str, optional
        The column that models predict: by default the last one with 2 to 20 values.

    Raises
    ------
    ConfigError
        If the tables have no column in common that can be compared.
    ColumnNotFound
        If `target` is not one of these columns.
    """
    names, tables = [], []
    for source in (first, second):
        with open_dataset(source, settings, progress=progress) as dataset:
            names.append(dataset.name)
            tables.append(dataset.rows(dataset.columns))
    progress("Comparing", None)
    pair = paired(tables[0], tables[1])
    ColumnNotFound.check(() if target is None else (target,), "both tables", pair.domain.names)
    found = compare(pair.domain, pair.first, pair.second)
    columns = tuple(_with_moments(each, pair) for each in found.columns)
    return TableComparison((names[0], names[1]), pair, replace(found, columns=columns, models=_models(pair, target)))


def _with_moments(column: ColumnComparison, pair: Pair) -> ColumnComparison:
    """Return a column with mean and standard deviation of its numbers, rounded to four digits."""
    if column.column not in pair.numbers:
        return replace(column, mean=None, spread=None)
    known = [side[np.isfinite(side)] for side in pair.numbers[column.column]]
    if not all(map(len, known)):
        return replace(column, mean=None, spread=None)
    mean, spread = ([float(f"{measure(side):.4g}") for side in known] for measure in (np.mean, np.std))
    return replace(column, mean=(mean[0], mean[1]), spread=(spread[0], spread[1]))


def _models(pair: Pair, target: str | None) -> Any:
    """Return models trained on the first table without a held-out quarter, and on the second; tested on the quarter."""
    order = np.lexsort(pair.first.codes)[np.random.default_rng(0).permutation(pair.first.n_rows)]
    test, train = order[::HELD_OUT], np.setdiff1d(order, order[::HELD_OUT])
    sizes = [len(distinct(codes)) for codes in pair.first.codes]
    fitting = [name for name, n in zip(pair.domain.names, sizes, strict=True) if 2 <= n <= MOST_LABELS]
    target = target or (fitting[-1] if fitting else None)
    if target is None or len(test) < LEAST_TESTED or len(pair.domain.columns) < 2:
        return ()
    return predictions(pair.domain, pair.first.take(train), pair.second, pair.first.take(test), target)


def _correlations(pair: Pair) -> dict[tuple[str, str], tuple[float, float]]:
    found = {}
    for one, other in combinations(pair.numbers, 2):
        sides = [correlation(pair.numbers[one][side], pair.numbers[other][side]) for side in (0, 1)]
        if sides[0] is not None and sides[1] is not None:
            found[one, other] = (round(sides[0], 4), round(sides[1], 4))
    return found
