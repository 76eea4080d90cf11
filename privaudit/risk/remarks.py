"""What a reader must know of the quasi-identifiers before the numbers.

Question: is something about these columns or rows so particular that a correct number misleads?
Method: looks at cardinalities and class sizes only.
Limits: it says what is the case, not what to do about it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from privaudit.model import ColumnReport, Limit
from privaudit.risk.coded import CodedTable

MANY = 64


def remarks(coded: CodedTable, quasi: Sequence[ColumnReport]) -> tuple[Limit, ...]:
    """Return a line for constant columns, keys, one row, equal rows, suppressed cells, very many columns."""
    found: list[Limit] = []
    if coded.n_rows == 1:
        found.append(
            Limit(what="class sizes", why="the table has one row, which no number can hide or expose")
        )
    elif coded.n_distinct == 1:
        found.append(
            Limit(
                what="class sizes",
                why="all rows are equal on the quasi-identifiers: one class holds everybody",
            )
        )
    else:
        found.extend(_by_column(coded))
    found.extend(_suppressed(quasi))
    if len(coded.names) > MANY:
        what = f"combinations of {len(coded.names)} quasi-identifiers"
        found.append(Limit(what=what, why=f"with more than {MANY} of them only small sets can be searched"))
    return tuple(found)


def _by_column(coded: CodedTable) -> list[Limit]:
    constant = [name for i, name in enumerate(coded.names) if coded.cardinality(i) == 1]
    keys = [name for i, name in enumerate(coded.names) if _is_key(coded, i)]
    found = []
    if constant:
        why = "every row has the same value there, so these columns tell nobody apart"
        found.append(Limit(what=f"quasi-identifiers without effect: {', '.join(constant)}", why=why))
    if keys:
        why = (
            "no two rows share a value there, so every set with such a column singles out everybody; "
            "what the other columns do shows in the sets without it"
        )
        found.append(Limit(what=f"quasi-identifiers that are keys: {', '.join(keys)}", why=why))
    return found


def _is_key(coded: CodedTable, i: int) -> bool:
    return len(coded.weights) == coded.n_rows and len(np.unique(coded.codes[i])) == coded.n_rows


def _suppressed(quasi: Sequence[ColumnReport]) -> list[Limit]:
    marked = [f"{column.name} ({column.n_suppressed:,} cells)" for column in quasi if column.n_suppressed]
    if not marked:
        return []
    why = (
        "a marker such as * stands for a value that was taken out; it is counted here as a value of its own, "
        "which may show classes larger or smaller than an attacker sees"
    )
    return [Limit(what=f"suppressed cells in {', '.join(marked)}", why=why)]
