"""Looks at a table without judging it: its small classes, and the profile of its columns.

Question: which classes over stated columns have fewer than k records, where are they, and what does each column hold?
Method: classes are counted exactly, as a scan counts them: missing cells are a value of their own, a suppressed cell is
missing, and a record in which every column is suppressed is in no class. Their positions are the rows of the source.
The profile is the first stage of a scan; limits of coding are round numbers with at least k records at or beyond them.
Limits: nothing is detected or judged, and no role is inferred.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from privaudit.audit.coding_limits import both_limits, numbers_of
from privaudit.audit.result import frame
from privaudit.base.arrays import Ints
from privaudit.base.arrow import pa
from privaudit.base.errors import ColumnNotFound, ConfigError
from privaudit.base.records import dataclass
from privaudit.model import ColumnProfile
from privaudit.risk.codes.coded import encode_column
from privaudit.risk.codes.markers import marker_codes, missing_lookup, rows_counted
from privaudit.risk.codes.row_keys import dense_labels
from privaudit.settings.config import Progress, Settings, silent
from privaudit.source import open_dataset
from privaudit.source.profile import profile

if TYPE_CHECKING:
    import pandas as pd
Rows = Ints


@dataclass(frozen=True, slots=True)
class SmallClass:
    """A class of fewer than k records: its size, and the rows of its records, counted from 1."""

    size: int
    rows: tuple[int, ...]


@dataclass(frozen=True)
class Classes:
    """The classes of a table over some columns.

    Attributes
    ----------
    columns : tuple of str
    below : int
        k: classes with fewer records are listed.
    n_records, n_classes, n_unique, k_min : int
        Records in classes, and the sizes of these.
    n_suppressed : int
        Records in no class, because every column is suppressed.
    small : tuple of SmallClass
        Those below k, the smallest first, then by the first row.
    """

    columns: tuple[str, ...]
    below: int
    n_records: int
    n_classes: int
    k_min: int
    n_suppressed: int
    small: tuple[SmallClass, ...]
    _table: pa.Table

    @property
    def n_small_records(self) -> int:
        """Records in classes below k."""
        return sum(each.size for each in self.small)

    @property
    def n_unique(self) -> int:
        """Classes of one record."""
        return sum(each.size == 1 for each in self.small)

    def values(self, small: SmallClass) -> tuple[str | None, ...]:
        """Return the values of a class, for the terminal of the owner alone: they are cells of the table."""
        row = small.rows[0] - 1
        return tuple(self._table[name][row].as_py() for name in self.columns)

    def to_frame(self) -> pd.DataFrame:
        """Return one row for each class below k: its size and its rows, no value."""
        return frame(("size", "rows"), [(each.size, each.rows) for each in self.small])

    def __repr__(self) -> str:
        return f"Classes({self.n_classes:,} over {' + '.join(self.columns)}; {len(self.small):,} below {self.below})"


def classes_of(
    source: Any, columns: Sequence[str], below: int, settings: Settings, progress: Progress = silent
) -> Classes:
    """Return the classes of a table over `columns`.

    Raises
    ------
    ColumnNotFound
        If the table lacks one of them.
    ConfigError
        If no column is named, or `below` is less than 2.
    """
    if not columns:
        raise ConfigError("No column was named.", hint="name the columns with --quasi A,B")
    if below < 2:
        raise ConfigError("Classes below 1 record do not exist.", hint="name a size of 2 or more with --below")
    with open_dataset(source, settings, progress=progress) as dataset:
        ColumnNotFound.check(columns, dataset.name, dataset.columns)
        table = dataset.rows(list(columns))
    cells = [(codes, marker_codes(words)) for codes, words in map(encode_column, table.columns)]
    counted = rows_counted(cells)
    n_values = [int((~marked).sum()) for _, marked in cells]
    as_missing = [
        np.append(missing_lookup(marked), n)[codes] for (codes, marked), n in zip(cells, n_values, strict=True)
    ]
    labels, n_labels = dense_labels(as_missing, length=table.num_rows)
    sizes = np.bincount(labels[counted], minlength=n_labels)
    rows = np.flatnonzero(counted & (sizes[labels] < below))
    small = tuple(sorted(_by_class(rows, labels), key=lambda each: (each.size, each.rows)))
    held = sizes[sizes > 0]
    return Classes(
        columns=tuple(columns),
        below=below,
        n_records=int(held.sum()),
        n_classes=len(held),
        k_min=int(held.min()) if len(held) else 0,
        n_suppressed=table.num_rows - int(held.sum()),
        small=small,
        _table=table,
    )


def _by_class(rows: Rows, labels: Rows) -> Iterator[SmallClass]:
    order = rows[np.argsort(labels[rows], kind="stable")]
    starts = np.flatnonzero(np.diff(labels[order], prepend=-1))
    for part in np.split(order, starts[1:]) if len(order) else ():
        yield SmallClass(len(part), tuple((part + 1).tolist()))


@dataclass(frozen=True, slots=True)
class ColumnLook:
    """The profile of a column, and limits of coding: round numbers with at least k records at or beyond each."""

    profile: ColumnProfile
    bottom: float | None = None
    top: float | None = None


class Profile(tuple[ColumnLook, ...]):
    """The columns of a table in their order."""

    __slots__ = ()

    def to_frame(self) -> pd.DataFrame:
        """Return one row for each column: type, missing, distinct, uniqueness, bits, and limits of coding."""
        names = ("name", "data_type", "n_rows", "n_missing", "n_distinct", "uniqueness", "entropy_bits")
        rows = [(*(getattr(each.profile, name) for name in names), each.bottom, each.top) for each in self]
        return frame(("column", *names[1:], "bottom_limit", "top_limit"), rows)

    def __repr__(self) -> str:
        return f"Profile({len(self)} columns)"


def profile_of(source: Any, k: int, settings: Settings, progress: Progress = silent) -> Profile:
    """Return the profile of each column; `k` records are at or beyond each limit of coding."""
    with open_dataset(source, settings, progress=progress) as dataset:
        found = profile(dataset, progress, threads=settings.threads)
        numbers = ((each, numbers_of(each, dataset.frequencies(each.name))) for each in found)
        return Profile(ColumnLook(each, *both_limits(*cells, k)) for each, cells in numbers)
