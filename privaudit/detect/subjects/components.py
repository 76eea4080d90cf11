"""Principal components: columns that are uncorrelated and have the mean 0.

Question: are columns of decimals the components of others, that is a rotation of numbers that can be undone?
Method: of all rows, each mean is below 0.01 standard errors and each correlation of two columns below 0.01 / sqrt(n),
which neither measurements nor standardised columns reach; the columns are then named together, whatever their names
are.
Limits: a sample of the rows, or columns rounded coarsely, no longer have these means. One column alone is not judged.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from privaudit.base.arrays import Flags, Floats
from privaudit.detect.column_evidence import ColumnEvidence
from privaudit.detect.ledger import NAME, VALUES
from privaudit.detect.subjects.context import Posting, Table, suggest
from privaudit.model.wording import Threshold, fact
from privaudit.source.dataset import Dataset

_CLOSE = 0.01
_LEAST_ROWS, _LEAST_DISTINCT, _MOST_ROWS = 20, 10, 2_000_000
COMPONENT = "COMPONENT"


def find_components(table: Table, dataset: Dataset) -> Iterator[Posting]:
    """Yield the claim on components for columns that are, and answer every other claim on them."""
    centred = [item for item in table if _is_centred(item, dataset.n_rows)]
    if len(centred) < 2 or not _LEAST_ROWS <= dataset.n_rows <= _MOST_ROWS:
        return
    rows = dataset.rows([item.column.name for item in centred])
    values = np.column_stack([np.array(column.to_pylist(), dtype=np.float64) for column in rows.columns])
    found = [item for item, is_one in zip(centred, _uncorrelated(values), strict=True) if is_one]
    because = fact("detect.components", n=Threshold(len(found)))
    for item in found:
        for claim in [*item.ledger.standing(VALUES), *item.ledger.standing(NAME)]:
            for answer in item.ledger.answer(claim.entity, because, (VALUES, NAME)):
                yield item, answer
        yield suggest(item, COMPONENT, 0.999, because)


def _is_centred(item: ColumnEvidence, n_rows: int) -> bool:
    """Whether a column has decimals in all rows, of which all were read, and the mean 0."""
    column = item.column
    if column.data_type != "decimal" or column.totals is not None or column.n_distinct < _LEAST_DISTINCT:
        return False
    numbers, counts = column.numbers, column.counts
    if int(counts.sum()) != n_rows or not np.isfinite(numbers).all():
        return False
    mean = float((numbers * counts).sum() / n_rows)
    spread = float(np.sqrt((counts * (numbers - mean) ** 2).sum() / n_rows))
    return spread > 0 and abs(mean) < _CLOSE * spread / n_rows**0.5


def _uncorrelated(values: Floats) -> Flags:
    """Return which columns are uncorrelated with all others that are returned; none where fewer than two are."""
    close = np.abs(np.corrcoef(values, rowvar=False)) < _CLOSE / len(values) ** 0.5
    np.fill_diagonal(close, True)
    kept = np.ones(len(close), dtype=bool)
    while not close[np.ix_(kept, kept)].all():
        misses = np.where(kept, (~close[:, kept]).sum(axis=1), -1)
        kept[misses.argmax()] = False
    return kept if kept.sum() > 1 else np.zeros(len(close), dtype=bool)
