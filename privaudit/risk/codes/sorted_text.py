"""The order of the distinct texts of a column, by which its codes are numbered.

Question: how are millions of distinct texts sorted?
Method: a few texts of many divide the others into parts of about equal size, as in a sample sort [1]_. Each part is
sorted by itself, side by side, which is faster than one sort even on one core, because a part fits into its cache.
Limits: the order does not depend on the texts that divide the others, only the time does.

References
----------
.. [1] W. D. Frazer, A. C. McKellar, Samplesort: a sampling approach to minimal storage tree sorting, JACM 17(3), 1970.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from privaudit.base.parallel import each, threads_for

if TYPE_CHECKING:
    import pyarrow as pa

NUMBER = r"^[+-]?[0-9]{1,300}(\.[0-9]*)?$"
PARTS = 8
"""Parts of many texts; each costs one comparison of every text."""
MANY = 100_000
SAMPLED = 512
"""Texts from which those that divide the others are chosen."""

Order = npt.NDArray[np.int64]


def sorting_order(values: pa.Array, threads: int | None = None) -> Order:
    """Return the order that sorts distinct text: by number where all are numbers, otherwise (and for ties) by text.

    Parameters
    ----------
    values : pyarrow.Array of distinct text
    threads : int, optional
        Those that the number of texts suggests where not given.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    by_text = _order(values) if len(values) < MANY else _order_by_parts(values, threads)
    numeric = len(values) > 0 and pc.all(pc.match_substring_regex(values, NUMBER)).as_py()
    if not numeric:
        return by_text
    number = pc.cast(pc.replace_substring_regex(values, r"^\+", ""), pa.float64()).to_numpy()
    order = np.argsort(number[by_text], kind="stable")
    return np.asarray(by_text[order], dtype=np.int64)


def _order(values: pa.Array) -> Order:
    import pyarrow.compute as pc

    found: Order = pc.sort_indices(values).to_numpy().astype(np.int64)
    return found


def _order_by_parts(values: pa.Array, threads: int | None) -> Order:
    """Return the order of many texts, sorted part by part."""
    import pyarrow as pa
    import pyarrow.compute as pc

    sample = values.take(pa.array(np.arange(0, len(values), len(values) // SAMPLED)))
    sample = sample.take(pa.array(_order(sample)))
    part = np.zeros(len(values), dtype=np.int8)
    for i in range(1, PARTS):
        part += pc.greater_equal(values, sample[i * len(sample) // PARTS]).to_numpy(zero_copy_only=False)

    def sort(number: int) -> Order:
        at = np.flatnonzero(part == number)
        return at[_order(values.take(pa.array(at)))]

    return np.concatenate(each(sort, range(PARTS), threads_for(len(values), threads)))
