"""A sample of rows that is the same on every engine.

Question: which rows does a sample of about n rows contain, wherever the table is?
Method: each row becomes one text: the seed and its cells, joined. The first eight hexadecimal digits of its MD5 are its
hash, and the sample is the rows with a hash below n / N of the range. MD5 is the one hash that every engine has; it
is compared in the engine and never handed on. Text, whole numbers, booleans and dates are part of the text; decimals
by their whole part, because engines print fractions differently.
Limits: equal rows are in the sample together. Times, nested and binary cells do not count: rows that differ in nothing
else are in the sample together too.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import TYPE_CHECKING

from privaudit.base.arrow import pa, pc

if TYPE_CHECKING:
    from privaudit.base.arrays import Flags
RANGE = 16**8
MISSING = "~"
SEPARATOR = "|"
WHOLE = 9_000_000_000_000_000
"""Decimals of this size or more have no whole part that every engine prints in the same way."""
TEXT_KINDS = frozenset({"text", "integer", "boolean", "date"})


def hashed_kind(declared: str | None) -> str | None:
    """Return how cells of a declared data type count: "text", "integer", "boolean", "date", "decimal" or not at all.

    >>> [hashed_kind(kind) for kind in (None, "decimal", "timestamp")]
    ['text', 'decimal', None]
    """
    kind = declared or "text"
    return kind if kind in TEXT_KINDS or kind == "decimal" else None


def threshold(n: int, n_rows: int) -> str | None:
    """Return the hash below which about `n` of `n_rows` rows are; None where all rows are wanted.

    >>> threshold(1, 16), threshold(5, 3)
    ('10000000', None)
    """
    # Texts of eight hexadecimal digits compare as the numbers do, in every dialect.
    return None if n >= n_rows else f"{n * RANGE // n_rows:08x}"


def is_sampled(table: pa.Table, declared: Mapping[str, str], below: str, seed: int) -> Flags:
    """Return which rows of a table of canonical text are in the sample.

    Parameters
    ----------
    table : pyarrow.Table
        All columns of type string.
    declared : mapping of column to str
        Logical type of the columns that have one.
    below : str
        The hash from `threshold`.
    seed : int

    Returns
    -------
    bool array of length n
    """
    import numpy as np

    found = np.empty(table.num_rows, dtype=np.bool_)
    start = 0
    for batch in table.to_batches(1 << 16):
        texts = _row_texts(batch, declared, seed)
        digests = (hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()[:8] for text in texts)
        found[start : start + len(batch)] = np.fromiter((digest < below for digest in digests), np.bool_, len(batch))
        start += len(batch)
    return found


def _row_texts(batch: pa.RecordBatch, declared: Mapping[str, str], seed: int) -> list[str]:
    # The seed is part of the text, so that another seed draws other rows on every engine.
    parts = [pa.array([str(seed)] * len(batch), pa.string())]
    for name, cells in zip(batch.schema.names, batch.columns, strict=True):
        kind = hashed_kind(declared.get(name))
        if kind is not None:
            parts.append(pc.fill_null(_whole_part(cells) if kind == "decimal" else cells, MISSING))
    return pc.binary_join_element_wise(*parts, SEPARATOR).to_pylist()


def _whole_part(cells: pa.Array) -> pa.Array:
    number = cells.cast(pa.float64())
    fits = pc.less(pc.abs(number), float(WHOLE))
    return pc.floor(pc.if_else(fits, number, pa.scalar(None, pa.float64()))).cast(pa.int64()).cast(pa.string())
