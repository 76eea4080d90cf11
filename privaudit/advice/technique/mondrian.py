"""Replace values by ranges, each as narrow as its region allows (Mondrian); `advice.technique.regions` splits.

Question: what does a table look like whose classes have bounds of their own?
Method: the table is split at medians into regions that meet the requirements. A cell becomes the range of the values of
its region, "20 to 29", in the order of the numbers, or of the texts where a column has others.
Limits: ranges of different regions overlap, so values cannot be counted or joined. The ends of a range are values of
the table, each shared by the records of its region.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from privaudit.advice.technique.columns import with_column
from privaudit.advice.technique.record import Context, Technique
from privaudit.advice.technique.regions import Regions, split_regions
from privaudit.advice.technique.requirements import PARAMETERS, protections_of
from privaudit.base.errors import ConfigError
from privaudit.risk.codes.coded import CodedTable, encode_column
from privaudit.risk.codes.row_keys import dense_labels

if TYPE_CHECKING:
    import pyarrow as pa


def apply(table: pa.Table, parameters: Mapping[str, Any], context: Context) -> pa.Table:
    """Return the table with a range in every cell of the columns.

    Raises
    ------
    ConfigError
        If the whole table does not meet the requirements.
    """
    import pyarrow as pa

    names = tuple(parameters["columns"])
    codes, dictionaries = zip(*(encode_column(table[name]) for name in names), strict=True)
    if any(name in parameters for name in PARAMETERS if name != "below"):
        # Sensitive values and people belong to records, so these are not merged.
        rows, weights = np.arange(table.num_rows), np.ones(table.num_rows, dtype=np.int64)
    else:
        rows, n = dense_labels(codes, [len(words) + 1 for words in dictionaries], length=table.num_rows)
        weights = np.bincount(rows, minlength=n).astype(np.int64)
    first = np.empty(len(weights), dtype=np.int64)
    first[rows] = np.arange(table.num_rows)
    coded = CodedTable(names, tuple(code[first] for code in codes), dictionaries, weights, table.num_rows)
    found = split_regions(coded, protections_of(table, parameters))
    if found is None:
        raise ConfigError(
            "The table as a whole does not meet what the plan requires of its regions.",
            hint="lower the requirements, or use another method",
        )
    for i, (name, words) in enumerate(zip(names, dictionaries, strict=True)):
        table = with_column(table, name, _ranges(found, i, words, codes[i]).take(pa.array(found.label[rows])))
    return table


def _ranges(found: Regions, i: int, words: pa.Array, codes: npt.NDArray[np.int32]) -> pa.Array:
    """Return the range of each region as text; missing cells are named in the range that contains them."""
    import pyarrow as pa

    present = np.unique(codes)
    texts = [words[int(code)].as_py() if code < len(words) else None for code in present]
    last = len(texts) - 1 - (texts[-1] is None)
    made: list[str | None] = []
    for low, high in zip(found.low[:, i].tolist(), found.high[:, i].tolist(), strict=True):
        if low > last:
            made.append(None)
            continue
        end = min(high, last)
        text = texts[low] if low == end else f"{texts[low]} to {texts[end]}"
        made.append(text if high <= last else f"{text} or missing")
    return pa.array(made, pa.string())


TECHNIQUE = Technique(
    name="mondrian",
    meaning="Replaces values by ranges, each as narrow as the classes allow (Mondrian).",
    scope="columns",
    parameters=PARAMETERS,
    apply=apply,
)
