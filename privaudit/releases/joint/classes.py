"""The equivalence classes of one silo, for every combination of the plan.

Question: which combinations of values does this silo have, and how many records has each?
Method: the distinct rows over the columns of the plan are coded column by column; the classes of each set are the
distinct codes of its columns with the sum of their records.
Limits: a missing cell is a value of its own. Values are compared as text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from privaudit.base.arrays import Ints
from privaudit.base.records import dataclass
from privaudit.releases.joint.plan import JointPlan
from privaudit.risk.codes.row_keys import dense_labels
from privaudit.source import Dataset

Codes = Ints
_MISSING = b"\x00"
_PRESENT = b"\x01"


@dataclass(frozen=True, slots=True)
class SiloTable:
    """The distinct rows of a silo over the columns of a plan.

    Attributes
    ----------
    codes : tuple of int64 arrays of shape (d,), one for each column
    values : tuple of tuple of bytes
        ``values[j][code]``: an unambiguous encoding of a value, with its length.
    weights : int64 array of shape (d,)
        Records of each distinct row.
    """

    codes: tuple[Codes, ...]
    values: tuple[tuple[bytes, ...], ...]
    weights: Codes


def silo_table(dataset: Dataset, columns: Sequence[str]) -> SiloTable:
    """Return the distinct rows of a table over `columns`, coded.

    Raises
    ------
    ColumnNotFound
        If the table has not all columns.
    """
    rows = dataset.distinct_rows(list(columns))
    codes, values = [], []
    for column in columns:
        encoded = rows[column].combine_chunks().dictionary_encode()
        texts = encoded.dictionary.to_pylist()
        code = encoded.indices.fill_null(len(texts)).to_numpy(zero_copy_only=False).astype(np.int64)
        codes.append(code)
        values.append((*map(_encoded, texts), _MISSING))
    weights = rows["weight"].to_numpy().astype(np.int64)
    return SiloTable(tuple(codes), tuple(values), weights)


def _encoded(text: str) -> bytes:
    content = text.encode("utf-8", "surrogatepass")
    return _PRESENT + len(content).to_bytes(4, "big") + content


def classes(table: SiloTable, chosen: Sequence[int]) -> tuple[Codes, Codes]:
    """Return a row of each class over the columns `chosen`, and the records of each class.

    Returns
    -------
    first, counts : int64 arrays of shape (J,)
        ``first[i]`` is the number of a distinct row in class i; ``sum(counts) == n_rows``.
    """
    group, _ = dense_labels([table.codes[j].astype(np.int32) for j in chosen], length=len(table.weights))
    _, first = np.unique(group, return_index=True)
    return first, np.bincount(group, weights=table.weights, minlength=len(first)).astype(np.int64)


def texts_of_classes(table: SiloTable, chosen: Sequence[int], first: Codes) -> Iterator[bytes]:
    """Yield the encoded values of each class over the columns `chosen`."""
    parts = [[table.values[j][code] for code in table.codes[j][first].tolist()] for j in chosen]
    return map(b"".join, zip(*parts, strict=True))


def count_plan(table: SiloTable, plan: JointPlan) -> Iterator[tuple[tuple[int, ...], Codes, Codes]]:
    """Yield the set, a row of each class, and the records of each class, for every set of a plan."""
    for chosen in plan.sets:
        yield chosen, *classes(table, chosen)
