"""Replace the values of an identifier by the numbers 1, 2, 3, ... in random order.

Limits: equal values get equal numbers, so records of one person stay linked within the table, and nowhere else. The
numbers have no gaps and no order of the source.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pyarrow as pa

from privaudit.advice.technique.columns import with_column
from privaudit.advice.technique.record import Context


def apply(table: pa.Table, parameters: Mapping[str, Any], context: Context) -> pa.Table:
    """Number the distinct values of each column in random order."""
    from privaudit.risk.codes.coded import encode_column

    for name in parameters["columns"]:
        codes, dictionary = encode_column(table[name])
        numbers = context.random.permutation(len(dictionary)) + 1
        labels = pa.array([*map(str, numbers.tolist()), None], pa.string())
        table = with_column(table, name, labels.take(pa.array(codes)))
    return table
