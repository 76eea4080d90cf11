"""Replace numbers by 1 above a limit and 0 up to it.

Question: is a number above the mean, the median or a stated limit?
Method: mean and median are those of the records with a number. Another pair of names may be stated with ``labels``.
Limits: a cell that is not a number stays as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from privaudit.advice.technique.column import Column
from privaudit.advice.technique.recoding import Recoding, by_text, listed, stated_labels
from privaudit.base.errors import ConfigError
from privaudit.model.wording import Columns, Count, Number, fact


def recode(column: Column, parameters: Mapping[str, Any]) -> Recoding:
    """Replace each number of `column` by the name of its side of the limit."""
    limit = _limit(column, parameters)
    names = stated_labels(parameters, ("0", "1"), "threshold")
    numbers = column.numbers
    texts = [
        text if not known else names[above]
        for text, known, above in zip(
            column.dictionary.to_pylist(), np.isfinite(numbers).tolist(), (numbers > limit).tolist(), strict=True
        )
    ]
    above = int(column.counts[:-1][numbers > limit].sum())
    note = fact(
        "remedies.threshold",
        column=Columns(names=(column.name,)),
        limit=Number(value=round(limit, 6)),
        records=Count(n=above, of=int(column.counts.sum()), unit="record"),
    )
    lookup, labels = by_text(listed(texts))
    return Recoding("threshold", column.name, dict(parameters), lookup, labels, notes=(note,))


def _limit(column: Column, parameters: Mapping[str, Any]) -> float:
    """Return the limit.

    Raises
    ------
    ConfigError
        If mean or median are wanted of a column that does not hold numbers.
    """
    if "at" in parameters:
        return float(parameters["at"])
    counts = np.where(np.isfinite(column.numbers), column.counts[:-1], 0)
    if not column.is_numeric or not counts.any():
        raise ConfigError(f'"threshold" needs numbers, and "{column.name}" is not a column of numbers.')
    held = counts > 0
    values, counts = column.numbers[held], counts[held]
    if parameters["by"] == "mean":
        return float((values * counts).sum() / counts.sum())
    order = np.argsort(values)
    ends, n = np.cumsum(counts[order]), int(counts.sum())
    middle = np.searchsorted(ends, [(n - 1) // 2, n // 2], side="right")
    return float(values[order][middle].mean())
