"""Every row of a table as the narrowest codes, read once, and the distinct rows of a part of it.

Question: how are rows that do not fit in memory as text divided and merged in this process?
Method: the frequencies of a column give its values and suppression markers; one scan codes all rows. Rows are read
block by block; those of one part are merged where equal, with the number of records of each.
Limits: one byte for each cell of a column of up to 255 values, two bytes up to 65,535. Codes that outgrow their share
of the memory are in a private file without a name.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from privaudit.base.arrays import Ints
from privaudit.base.arrow import pa, pc
from privaudit.base.errors import EngineError, foreign_errors_as
from privaudit.base.records import dataclass
from privaudit.risk.codes.markers import Marked, marked_in, marker_codes
from privaudit.risk.codes.row_keys import dense_labels, sums
from privaudit.source.cells.dictionaries import codes_of

if TYPE_CHECKING:
    from privaudit.source.dataset import Dataset

Codes = npt.NDArray[Any]

BLOCK = 1_000_000


@dataclass(frozen=True, slots=True)
class Coding:
    """What the frequencies of one column show.

    Attributes
    ----------
    values : pyarrow.Array of text
        The distinct values without suppression markers; code i means value i, and missing cells have the next code.
    counts : int64 array, records of each value
    n_missing : int
        Records without a value or with a marker.
    """

    values: pa.Array
    counts: Ints
    n_missing: int

    @property
    def n_codes(self) -> int:
        """Distinct values, and one for missing cells if there are any."""
        return len(self.values) + (self.n_missing > 0)

    @property
    def sizes(self) -> Ints:
        """The class sizes over the column alone."""
        return np.append(self.counts, self.n_missing) if self.n_missing else self.counts

    @property
    def totals(self) -> Ints:
        """Records of each value, and then those without one."""
        return np.append(self.counts, self.n_missing)

    def parts(self, n: int) -> Ints:
        """Divide the codes into `n` parts or fewer with about equally many records; return the part of each code."""
        sizes = self.sizes
        return (np.cumsum(sizes) - sizes) * n // int(sizes.sum())

    def codes(self, column: pa.ChunkedArray) -> Codes:
        """Return the code of each cell: that of its value, or the last code where it is missing or suppressed."""
        codes, texts = codes_of(column)
        place = pc.index_in(texts, value_set=self.values).fill_null(len(self.values)).to_numpy(zero_copy_only=False)
        # For the place one past the dictionary, to which `fill_null` sends missing cells.
        place = np.append(place, len(self.values)).astype(np.min_scalar_type(self.n_codes))
        return place[codes.fill_null(len(texts)).to_numpy(zero_copy_only=False)]


class CodedRows:
    """Every row of a table as codes of the narrowest type, in memory or in a private file without a name.

    Parameters
    ----------
    dataset : Dataset
    codings : mapping of column to Coding
    most_bytes : int
        Codes that take more are in the file.
    """

    def __init__(self, dataset: Dataset, codings: Mapping[str, Coding], most_bytes: int) -> None:
        self.n = n = dataset.n_rows
        names = list(codings)
        kinds = {name: np.min_scalar_type(codings[name].n_codes) for name in names}
        fits = n * sum(kind.itemsize for kind in kinds.values()) <= most_bytes
        self._codes = {name: _array(n, kind, in_memory=fits) for name, kind in kinds.items()}
        start = 0
        for batch in dataset.batches(names) if names else ():
            end = start + batch.num_rows
            for name in names:
                self._codes[name][start:end] = codings[name].codes(batch[name])
            start = end
        assert start == n or not names

    def blocks(self, names: Sequence[str]) -> Iterator[list[Codes]]:
        """Yield the codes of some columns, block by block."""
        for start in range(0, self.n, BLOCK):
            yield [self._codes[name][start : start + BLOCK] for name in names]

    def distinct(
        self, names: Sequence[str], part_of: Ints | None, part: int | None, most: int
    ) -> tuple[list[Codes], Ints]:
        """Return the distinct rows over `names` and their records, of the rows whose last column is in `part`.

        Parameters
        ----------
        names : sequence of str
        part_of : int64 array, optional
            The part of each code of the last column; all rows are read where it is not given.
        part : int, optional
        most : int
            Rows from which those read so far are merged.
        """
        kept: list[list[Codes]] = [[] for _ in names]
        weights: list[Ints] = []
        # Merged when the rows have doubled since the last merge, so that each row is merged a bounded number of
        # times.
        held, limit = 0, 2 * most
        for block in self.blocks(names):
            if part_of is not None:
                chosen = np.flatnonzero((part_of == part)[block[-1]])
                block = [codes[chosen] for codes in block]
            for codes, part_codes in zip(kept, block, strict=True):
                codes.append(part_codes.astype(np.int32))
            weights.append(np.ones(len(block[0]), np.int64))
            held += len(block[0])
            if held > limit:
                merged, counted = _merged(kept, weights)
                kept, weights, held = [[codes] for codes in merged], [counted], len(counted)
                # Where most rows are distinct, merging at the old limit would merge after every block.
                limit = 2 * max(most, held)
        return _merged(kept, weights)


def _array(n: int, kind: np.dtype[Any], *, in_memory: bool) -> Codes:
    if in_memory or not n:
        return np.empty(n, dtype=kind)
    import tempfile

    with foreign_errors_as(_no_space), tempfile.TemporaryFile(prefix="privaudit-") as file:  # has no name
        if hasattr(os, "posix_fallocate"):
            # Reserved at once: a full disk is an error here, and not a signal that ends the process when a page is
            # written.
            os.posix_fallocate(file.fileno(), 0, n * kind.itemsize)
        return np.memmap(file, dtype=kind, mode="w+", shape=(n,))


def _no_space() -> EngineError:
    return EngineError(
        "The codes of the table do not fit into memory and could not be written to a private file.",
        hint="free space in the folder for temporary files, or allow more with --memory",
    )


def _merged(kept: list[list[Codes]], weights: list[Ints]) -> tuple[list[Codes], Ints]:
    """Merge equal rows; the arrays in `kept` are given up one by one."""
    codes = []
    while kept:
        codes.append(np.concatenate(kept.pop(0)))
    counted = np.concatenate(weights)
    labels, n_classes = dense_labels(codes)
    if n_classes == len(labels):
        return codes, counted
    first = np.empty(n_classes, dtype=np.int64)
    first[labels] = np.arange(len(labels))
    total = sums(labels, counted, n_classes)
    for i in range(len(codes)):
        codes[i] = codes[i][first]
    return codes, total


def coding_of(dataset: Dataset, name: str) -> tuple[Coding, Marked | None]:
    """Return the values of a column with their records, and its suppressed or generalised cells if there are any."""
    found = dataset.frequencies(name)
    marked = marker_codes(found.values)
    keep = pa.array(~marked)
    n_marked = int(found.counts[marked].sum())
    coding = Coding(found.values.filter(keep), found.counts[~marked], found.n_missing + n_marked)
    return coding, marked_in(found.values, marked, n_marked)
