"""What a table on an engine answers, and all that is asked of it.

Question: what must an engine be able to do so that a table in it can be scanned?
Method: five aggregates over columns with internal names ``c0, c1, ...``: frequencies of a column, distinct rows of some
columns with counts, the histogram of their counts, rows, and a sample of rows by hash. All searches and attacks work
on these answers in this process. Rows are also handed over in batches, where they do not fit in memory.
Limits: answers are canonical text (`privaudit.source.cells.cell_text`) and exact; the order of groups means nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    import pyarrow as pa

    from privaudit.source.engine.bounded_values import Totals
    from privaudit.source.engine.pushed_down import Asked


class Collapse(Protocol):
    """A table on an engine."""

    n_rows: int

    @property
    def declared(self) -> Mapping[str, str]:
        """Logical type of each internal column that has one."""
        ...

    def frequencies(self, column: str) -> tuple[pa.Array, pa.Array]:
        """Return every distinct cell of `column` as text, null among them, and the number of rows of each."""
        ...

    def totals(self, column: str) -> Totals | None:
        """Return what is exact about a column of which `frequencies` has a part; None where it has all values."""
        ...

    def matching(self, asked: Asked) -> Iterator[tuple[pa.Array, pa.Array] | Literal["refused"] | None]:
        """Yield, for each column read in part and expression, all distinct cells that match, and the rows of each.

        None stands for so many that they are not read: all together are as many as are read of a column. DuckDB,
        PostgreSQL and Spark must read the expressions in the same way (`privaudit.detect.catalogue.expressions`);
        ``"refused"`` stands for an expression that the engine cannot run.
        """
        ...

    def expect(self, columns: Sequence[str]) -> None:
        """Note that later questions about distinct rows are about some of `columns`."""
        ...

    def distinct(self, columns: Sequence[str]) -> pa.Table:
        """Return the distinct rows over `columns`, text or dictionaries of text, and their ``weight``."""
        ...

    def batches(self, columns: Sequence[str]) -> Iterator[pa.Table]:
        """Yield `rows` in batches."""
        ...

    def about_distinct(self, columns: Sequence[str]) -> int:
        """Return about how many distinct rows there are over `columns`, to choose a plan; not exact."""
        ...

    def class_sizes(self, columns: Sequence[str]) -> pa.Table:
        """Return each size of a class over `columns` as ``weight`` and the number of classes of it as ``classes``."""
        ...

    def rows(self, columns: Sequence[str]) -> pa.Table:
        """Return `columns` of every row, text or dictionaries of text."""
        ...

    def rows_holding(self, columns: Sequence[str], column: str, values: Sequence[str]) -> pa.Table:
        """Return `columns` of the rows whose cell in `column` is one of `values`."""
        ...

    def sample(self, columns: Sequence[str], below: str, seed: int) -> pa.Table:
        """Return `columns` of the rows whose hash (`privaudit.source.engine.row_sample`) is below `below`."""
        ...

    def close(self) -> None:
        """Free the engine."""
        ...
