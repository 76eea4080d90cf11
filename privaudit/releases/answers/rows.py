"""The rows that a plan reads: codes of each column, and at most m rows of each person.

Question: which rows does a query see?
Method: the columns of the plan are read once, as codes of distinct texts. Where the unit is a person, m rows of each
person are chosen by random words of the operating system, so that one person changes every count by at most m.
Limits: where the unit is a person, a row without a person ID is not read.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from privaudit.base.arrow import pa
from privaudit.base.distinct_numbers import distinct
from privaudit.base.errors import TooManyCells
from privaudit.base.records import dataclass
from privaudit.releases.domains.columns import Column, Integers, Numbers
from privaudit.releases.privacy.units import at_most
from privaudit.risk.codes.coded import encode_column

MOST_CELLS = 10_000_000


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of a plan, after the choice of rows of each person.

    Attributes
    ----------
    n : int
        Private: no answer states it without noise.
    codes : mapping of column to int32 array of shape (n,)
        Code of the distinct text; ``len(texts)`` where the cell is missing.
    texts : mapping of column to pyarrow.Array
    person : int32 array of shape (n,), optional
    """

    n: int
    codes: dict[str, Any]
    texts: dict[str, pa.Array]
    person: Any = None

    def numbers(self, domain: Numbers, chosen: Any = None) -> Integers:
        """Return the numbers of a column in steps, clipped; missing cells are omitted."""
        steps, known = domain.numbers(self.texts[domain.name])
        codes = self._codes(domain.name, chosen)
        present = np.append(known, False)[codes]
        return steps[codes[present]]

    def cells(self, domains: Sequence[Column], chosen: Any = None) -> Integers:
        """Return the number of rows in each cell of a table of counts, the last column varying fastest.

        Raises
        ------
        TooManyCells
        """
        n_cells = cells_of(domains)
        index = np.zeros(self.n if chosen is None else int(chosen.sum()), dtype=np.int64)
        counted = np.ones(len(index), dtype=bool)
        for domain in domains:
            cell = domain.cells(self.texts[domain.name])[self._codes(domain.name, chosen)]
            counted &= cell >= 0
            # Rows outside of a domain get any index here, and are not counted below.
            index = index * domain.size + np.maximum(cell, 0)
        return np.bincount(index[counted], minlength=n_cells).astype(np.int64)

    def holding(self, domain: Column, value: str) -> Any:
        """Return which rows have a category: an array of bool."""
        cell = domain.cell_labels.index(value)
        return domain.cells(self.texts[domain.name])[self.codes[domain.name]] == cell

    def n_people(self, chosen: Any = None) -> int:
        """Return the number of different people in the rows."""
        return len(distinct(self.person if chosen is None else self.person[chosen]))

    def _codes(self, name: str, chosen: Any) -> Any:
        return self.codes[name] if chosen is None else self.codes[name][chosen]


def cells_of(domains: Sequence[Column]) -> int:
    """Return the number of cells of a table of counts.

    Raises
    ------
    TooManyCells
        If it is above `MOST_CELLS`.
    """
    found = 1
    for domain in domains:
        found *= domain.size
    if found > MOST_CELLS:
        raise TooManyCells(
            f"A margin of {len(domains)} columns has {found:,} cells; at most {MOST_CELLS:,} are allowed.",
            hint="use fewer columns, bands or categories",
        )
    return found


def read_rows(table: pa.Table, names: Sequence[str], *, person: str | None, most: int | None) -> Rows:
    """Return the rows of a table of texts as codes.

    Parameters
    ----------
    table : pyarrow.Table
        Columns of text or dictionaries of text, missing cells null.
    names : sequence of str
    person : str, optional
        The person column; then at most `most` rows of each person are kept.
    """
    codes, texts = {}, {}
    for name in names:
        codes[name], texts[name] = encode_column(table[name], is_ordered=False)
    if person is None or most is None:
        return Rows(table.num_rows, codes, texts)
    owner, values = encode_column(table[person], is_ordered=False)
    kept = at_most(owner, len(values), most)
    return Rows(len(kept), {name: code[kept] for name, code in codes.items()}, texts, owner[kept])
