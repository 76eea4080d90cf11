"""Published tables of counts: which columns are dimensions, what is hidden, what is a total.

Question: which cells does a published table show, hide, and add up?
Method: a table in long form, one row for each cell: dimension columns, one column of counts, a mark where a count is
suppressed, and a label where a row adds up a dimension. A file states this for each table, else it is guessed.
Limits: the guess must be clear: one column of whole numbers and marks, one mark, one label of totals.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from privaudit.base import resources
from privaudit.base.errors import ConfigError
from privaudit.base.records import dataclass
from privaudit.base.typed import convert
from privaudit.model.headers import shown_file

if TYPE_CHECKING:
    from privaudit.source.dataset import Dataset

TOTALS = frozenset({"total", "totals", "all", "sum", "overall", "both", "both sexes", "all ages", "grand total"})
_KEYS = {"dimensions", "count", "hidden", "total", "least", "most"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """How to read a published table.

    Attributes
    ----------
    dimensions : tuple of str
    count : str
    hidden : str or None
        The mark of a suppressed count; None where the cell is empty.
    total : str or None
        The label of a row that adds up a dimension; None where there are no totals.
    least, most : int
        The smallest and largest count that is suppressed; `most` may be None.
    """

    dimensions: tuple[str, ...]
    count: str
    hidden: str | None = None
    total: str | None = None
    least: int = 1
    most: int | None = None


@dataclass(frozen=True, slots=True)
class Cell:
    """One published cell: the value of each dimension, None where it adds up, and the count, None where hidden."""

    key: tuple[str | None, ...]
    count: int | None


@dataclass(frozen=True, slots=True)
class Published:
    """The cells of one table."""

    layout: Layout
    cells: tuple[Cell, ...]

    @property
    def n_hidden(self) -> int:
        """Suppressed counts."""
        return sum(cell.count is None for cell in self.cells)


def read_layouts(file: Path, n: int) -> tuple[Layout, ...]:
    """Return the layout of each of `n` tables from a TOML file with one ``[[table]]`` for each.

    Raises
    ------
    ConfigError
        If the file cannot be read, has an unknown key or another number of tables.
    """
    stated = resources.read_stated(file, shown_file(file), "file of --cells", hint="see docs/attacks.md")
    tables = stated.get("table")
    if not isinstance(tables, list) or len(tables) != n:
        raise ConfigError(f"{shown_file(file)} must hold one [[table]] for each of the {n} tables.")
    return tuple(_layout(table, shown_file(file)) for table in tables)


def _layout(table: Any, where: str) -> Layout:
    if not isinstance(table, Mapping) or not {"dimensions", "count"} <= set(table) <= _KEYS:
        known = ", ".join(sorted(_KEYS))
        raise ConfigError(f"A [[table]] in {where} needs dimensions and count.", hint=f"keys: {known}")
    try:
        layout: Layout | None = convert(table, Layout)
    except TypeError:
        layout = None
    if layout is None or min(layout.least, layout.most or 0) < 0:
        raise ConfigError(f"A [[table]] in {where} has a value of the wrong type.", hint="texts, and whole numbers")
    return layout


def guess_layout(dataset: Dataset) -> Layout:
    """Return how a table is read, by its values.

    Raises
    ------
    ConfigError
        If that is not clear.
    """
    counts = [name for name in dataset.columns if _holds_counts(dataset, name)]
    if len(counts) != 1 or len(dataset.columns) < 2:
        raise ConfigError("Which column holds the counts is not clear.", hint="state it with --cells FILE")
    return layout_of(dataset, tuple(name for name in dataset.columns if name != counts[0]), counts[0])


def layout_of(dataset: Dataset, dimensions: tuple[str, ...], count: str) -> Layout:
    """Return how a table is read whose dimensions and column of counts are known.

    Raises
    ------
    ConfigError
        If there are several marks of suppressed counts, or several labels of totals.
    """
    marks = {text for text in _values(dataset, count) if not _is_count(text)}
    labels = {text for name in dimensions for text in _values(dataset, name) if text.casefold().strip() in TOTALS}
    if len(marks) > 1 or len(labels) > 1:
        raise ConfigError("What marks a suppressed count or a total is not clear.", hint="state it with --cells FILE")
    mark, label = next(iter(marks), None), next(iter(labels), None)
    return Layout(dimensions=dimensions, count=count, hidden=mark, total=label)


def _values(dataset: Dataset, name: str) -> list[str]:
    return dataset.frequencies(name).values.to_pylist()


def _holds_counts(dataset: Dataset, name: str) -> bool:
    values = _values(dataset, name)
    marks = [text for text in values if not _is_count(text)]
    repeated = dataset.n_rows > len(values) + len(marks)
    return len(values) > len(marks) <= 1 and (bool(marks) or not _is_dimension(dataset, name, repeated=repeated))


def _is_dimension(dataset: Dataset, name: str, *, repeated: bool) -> bool:
    """Return whether a column of whole numbers is rather a key: each value occurs equally often, as in a full cross."""
    counts = dataset.frequencies(name).counts
    return repeated and len(counts) > 1 and int(counts.min()) == int(counts.max()) > 1


def _is_count(text: str) -> bool:
    bare = text.strip().replace(",", "")
    return bare.isascii() and bare.isdecimal()


def read_published(dataset: Dataset, layout: Layout) -> Published:
    """Return the cells of a table.

    Raises
    ------
    ColumnNotFound
        If the layout names a column that the table lacks.
    ConfigError
        If a count is neither a whole number nor the mark, or a cell occurs twice.
    """
    for name in (*layout.dimensions, layout.count):
        dataset.internal(name)
    table = dataset.rows([*layout.dimensions, layout.count])
    columns = [table.column(i).to_pylist() for i in range(len(layout.dimensions))]
    keys = [tuple(None if value == layout.total else value for value in key) for key in zip(*columns, strict=True)]
    if len(set(keys)) < len(keys):
        raise ConfigError(f"A cell of {dataset.name} occurs twice.", hint="name all dimensions with --cells FILE")
    counts = [_count(text, layout) for text in table.column(len(layout.dimensions)).to_pylist()]
    return Published(layout, tuple(Cell(key, count) for key, count in zip(keys, counts, strict=True)))


def _count(text: str | None, layout: Layout) -> int | None:
    if text is None or text == layout.hidden:
        return None
    if not _is_count(text):
        raise ConfigError(
            "A count is neither a whole number nor the mark of suppressed counts.", hint="state it with --cells FILE"
        )
    return int(text.strip().replace(",", ""))


def values_of(tables: Sequence[Published]) -> dict[str, tuple[str, ...]]:
    """Return the values of each dimension over all tables, without totals, sorted."""
    found: dict[str, set[str]] = {}
    for table in tables:
        for i, name in enumerate(table.layout.dimensions):
            found.setdefault(name, set()).update(key for cell in table.cells if (key := cell.key[i]) is not None)
    return {name: tuple(sorted(values)) for name, values in found.items()}
