"""What a reader must know of the quasi-identifiers before the numbers.

Question: is something about these columns or rows so particular that a correct number misleads?
Method: looks at cardinalities and class sizes only.
Limits: it says what is the case, not what to do about it.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from privaudit.model import Limit, untyped_limit
from privaudit.risk.coded import CodedTable
from privaudit.risk.markers import Marked

MANY = 64


def remarks(coded: CodedTable, marked: Mapping[str, Marked]) -> list[Limit]:
    """Return a line for constant columns, keys, one row, equal rows, suppressed cells, very many columns."""
    found: list[Limit] = []
    if coded.n_rows == 1:
        found.append(
            untyped_limit(what="class sizes", why="the table has one row, which no number can hide or expose")
        )
    elif coded.n_distinct == 1:
        found.append(
            untyped_limit(
                what="class sizes",
                why="all rows are equal on the quasi-identifiers: one class holds everybody",
            )
        )
    else:
        found.extend(_by_column(coded))
    found.extend(_suppressed(marked))
    if len(coded.names) > MANY:
        what = f"combinations of {len(coded.names)} quasi-identifiers"
        found.append(untyped_limit(what=what, why=f"with more than {MANY} of them only small sets can be searched"))
    return found


def _by_column(coded: CodedTable) -> list[Limit]:
    constant = [name for i, name in enumerate(coded.names) if coded.cardinality(i) == 1]
    keys = [name for i, name in enumerate(coded.names) if _is_key(coded, i)]
    found = []
    if constant:
        why = "every row has the same value there, so these columns tell nobody apart"
        found.append(untyped_limit(what=f"quasi-identifiers without effect: {', '.join(constant)}", why=why))
    if keys:
        why = (
            "no two rows share a value there, so every set with such a column singles out everybody; "
            "what the other columns do shows in the sets without it"
        )
        found.append(untyped_limit(what=f"quasi-identifiers that are keys: {', '.join(keys)}", why=why))
    return found


def _is_key(coded: CodedTable, i: int) -> bool:
    return len(coded.weights) == coded.n_rows and len(np.unique(coded.codes[i])) == coded.n_rows


def _suppressed(marked: Mapping[str, Marked]) -> list[Limit]:
    found = []
    cells = [f"{name} ({column.n_records:,} cells)" for name, column in marked.items() if column.n_records]
    if cells:
        why = "a marker such as * says that a value was taken out; these cells are counted as missing"
        found.append(untyped_limit(what=f"suppressed cells in {', '.join(cells)}", why=why))
    shapes = [f"{name} ({column.generalised})" for name, column in marked.items() if column.generalised]
    if shapes:
        why = (
            "their values are written as ranges or prefixes: risk is that of the coarser values in this table"
        )
        found.append(untyped_limit(what=f"already generalised: {', '.join(shapes)}", why=why))
    return found
