"""Suppress the records of classes that a policy does not allow.

Question: which records go so that every class has k records, and enough and balanced sensitive values?
Method: classes over the columns named, on the table as it is at this step. `privaudit.technique.protection` decides
which classes fail, here as in the search for a plan.
Limits: the records kept may have fewer distinct sensitive values than before: l is capped at those of the whole table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from privaudit.risk.coded import dense_labels, encode_column
from privaudit.technique.protection import Labels, Mask
from privaudit.technique.record import Context, Parameter, Technique
from privaudit.technique.requirements import PARAMETERS, protections_of

if TYPE_CHECKING:
    import pyarrow as pa


def apply(table: pa.Table, parameters: Mapping[str, Any], context: Context) -> pa.Table:
    """Return the records of `table` whose class is allowed."""
    import pyarrow as pa

    return table.filter(pa.array(~failing_records(table, parameters)))


def failing_records(table: pa.Table, parameters: Mapping[str, Any]) -> Mask:
    """Return which records are in a class that fails; bool array of shape (n,)."""
    labels, n_classes = _labels(table, parameters["classes_over"])
    sizes = np.bincount(labels, minlength=n_classes).astype(np.int64)
    out = np.zeros(n_classes, dtype=bool)
    for protection in protections_of(table, parameters):
        out |= protection.failing(sizes, labels)
    return np.asarray(out[labels])


def _labels(table: pa.Table, names: Sequence[str]) -> tuple[Labels, int]:
    codes, widths = [], []
    for name in names:
        code, dictionary = encode_column(table[name])
        codes.append(code)
        widths.append(len(dictionary) + 1)
    return dense_labels(codes, widths, length=table.num_rows)


TECHNIQUE = Technique(
    name="suppress_records",
    meaning="Removes the records of classes that are too small, or whose sensitive values are too few or too uneven.",
    scope="records",
    parameters={
        "classes_over": Parameter(kind="names", meaning="The columns over which records are grouped."),
        **PARAMETERS,
    },
    apply=apply,
)
