"""A table as small integers: distinct rows with weights, one code per cell.

Question: what is the smallest form of the table that determines every risk measure?
Method: one group-by on the engine yields the distinct rows and how many records share each; every column
becomes codes 0..d-1 over a sorted dictionary. A recoding is then a lookup array, and measuring it costs
milliseconds.
Limits: missing cells have the code one past the dictionary: a category here; other semantics are in
`risk.codes.missing`. Rows are in the order of their codes, so the same records give the same bytes in any order.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from privaudit.base.arrays import Codes, Ints
from privaudit.base.arrow import pa
from privaudit.base.parallel import Spent, each, threads_for, timed
from privaudit.base.records import dataclass
from privaudit.risk.codes.people import People, number_people
from privaudit.risk.codes.row_keys import Labels, Order, RowKeys, dense_labels, sorting_order, sums
from privaudit.risk.codes.sorted_keys import number_keys, sum_by_key

if TYPE_CHECKING:
    from privaudit.source.dataset import Dataset


@dataclass(frozen=True, slots=True)
class CodedTable:
    """Distinct rows over some columns as integer codes.

    Parameters
    ----------
    names : tuple of str
        Columns, in the requested order.
    codes : tuple of int32 arrays of shape (d,)
        One per column, d distinct rows in ascending order of their codes.
    dictionaries : tuple of pyarrow.Array of text
        Code i of column c means ``dictionaries[c][i]``: ascending by number where all values are numbers, else
        by text, except for columns that need no order. A missing cell has the code ``len(dictionaries[c])``.
    weights : int64 array of shape (d,)
        Records of each distinct row; they sum to `n_rows`.
    n_rows : int
        Records of the table.
    people : People, optional
        Which people have which rows, where a data subject column was named. Class sizes then count people.

    Raises
    ------
    ValueError
        If the weights do not sum to `n_rows` or lengths differ.
    """

    names: tuple[str, ...]
    codes: tuple[Codes, ...]
    dictionaries: tuple[pa.Array, ...]
    weights: Ints
    n_rows: int
    people: People | None = None

    def __post_init__(self) -> None:
        """Reject a table whose parts do not fit together."""
        if any(len(code) != len(self.weights) for code in self.codes):
            raise ValueError("every column needs one code per distinct row")
        if int(self.weights.sum()) != self.n_rows:
            raise ValueError("the weights of the distinct rows must sum to the records")

    @property
    def n_distinct(self) -> int:
        """Distinct rows, d."""
        return len(self.weights)

    @property
    def n_units(self) -> int:
        """What class sizes count: people where a data subject column was named, otherwise records."""
        return self.n_rows if self.people is None else self.people.n

    def has_missing(self, i: int) -> bool:
        """Return whether column number `i` has a missing cell."""
        return bool((self.codes[i] == len(self.dictionaries[i])).any())

    def cardinality(self, i: int) -> int:
        """Return the number of codes of column number `i`: its values, and one for missing cells if there are any."""
        return len(self.dictionaries[i]) + self.has_missing(i)

    def index(self, name: str) -> int:
        """Return the number of the column called `name`."""
        return self.names.index(name)

    def select(self, names: Sequence[str]) -> CodedTable:
        """Return the table over `names` alone, collapsed to distinct rows again."""
        at = [self.index(name) for name in names]
        return merge_equal_rows(
            tuple(names),
            [self.codes[i] for i in at],
            [self.dictionaries[i] for i in at],
            self.weights,
            self.n_rows,
            self.people,
        )

    def recode(self, name: str, lookup: npt.NDArray[np.integer], dictionary: pa.Array) -> CodedTable:
        """Return the table with the values of one column merged or renamed.

        Parameters
        ----------
        name : str
            The column.
        lookup : integer array, as long as the old dictionary, or one longer to recode missing cells as well
            New code of each old code; ``len(dictionary)`` makes the cell missing.
        dictionary : pyarrow.Array of text
            What the new codes mean.
        """
        i = self.index(name)
        new = np.asarray(lookup, dtype=np.int32)
        if len(new) == len(self.dictionaries[i]):
            new = np.append(new, np.int32(len(dictionary)))
        codes = [new[code] if j == i else code for j, code in enumerate(self.codes)]
        dictionaries = [dictionary if j == i else old for j, old in enumerate(self.dictionaries)]
        return merge_equal_rows(self.names, codes, dictionaries, self.weights, self.n_rows, self.people)


def encode(
    dataset: Dataset,
    columns: Sequence[str],
    *,
    subject: str | None = None,
    unordered: Collection[str] = (),
    threads: int | None = None,
    spent: Spent | None = None,
) -> CodedTable:
    """Return the distinct rows of `dataset` over `columns` as codes.

    A table in memory is coded row by row and collapsed as codes, which are cheaper to group than text; other tables
    are grouped once by their engine.

    Parameters
    ----------
    dataset : Dataset
    columns : sequence of str
        Without `subject`.
    subject : str, optional
        The data subject column: the table then states which people have which rows. Each record without a value in
        it counts as a person.
    unordered : collection of str
        Columns whose values are only compared for equality: sorting millions of notes takes longer than counting them.
    threads : int, optional
        Those that the size of the table suggests where not given.
    spent : dict, optional
        Gets the processor time that each column took.

    Raises
    ------
    ColumnNotFound
        If the column does not exist.
    """
    wanted = columns if subject is None else [*columns, subject]
    if dataset.in_memory:
        source = dataset.stored(wanted)
        weights = np.ones(dataset.n_rows, dtype=np.int64)
    else:
        source = dataset.collapsed(wanted)
        weights = source["weight"].combine_chunks().to_numpy(zero_copy_only=False).astype(np.int64)

    def code(column: tuple[str, pa.ChunkedArray]) -> tuple[Codes, pa.Array]:
        with timed(spent, column[0]):
            if column[0] in unordered:
                return encode_column(column[1], is_ordered=False)
            return encode_column(column[1], order=lambda texts: order_of(dataset, column[0], texts, threads))

    named = [(name, source.column(i)) for i, name in enumerate(wanted)]
    del source
    made = each(code, named, threads_for(len(weights), threads), size=lambda column: column[1].nbytes)
    codes, dictionaries = [codes for codes, _ in made], [dictionary for _, dictionary in made]
    del named, made
    coded = merge_equal_rows(tuple(wanted), codes, dictionaries, weights, dataset.n_rows)
    return coded if subject is None else _with_people(coded)


def order_of(dataset: Dataset, column: str, texts: pa.Array, threads: int | None = None) -> Order:
    """Return the order that sorts the `texts` of a column of `dataset`; of a small table they are sorted once."""
    return dataset.once(f"order of {column}", lambda: sorting_order(texts, threads))


def _with_people(coded: CodedTable) -> CodedTable:
    """Return `coded` without its last column, whose values are the people."""
    people = number_people(coded.codes[-1], len(coded.dictionaries[-1]), coded.weights, column=coded.names[-1])
    return replace(coded, people=people).select(coded.names[:-1])


def encode_column(
    column: pa.Array | pa.ChunkedArray, *, is_ordered: bool = True, order: Callable[[pa.Array], Order] = sorting_order
) -> tuple[Codes, pa.Array]:
    """Return codes over a sorted dictionary of the text values of one column.

    Parameters
    ----------
    column : pyarrow array of text, or of a dictionary of text
    is_ordered : bool
        Whether the dictionary is sorted; otherwise it is in the order in which the values occur.
    order : callable
        Returns what `sorting_order` does of the distinct values.

    Returns
    -------
    codes : int32 array, one per cell, missing cells one past the dictionary
    dictionary : pyarrow.Array of distinct text
    """
    from privaudit.source.cells.dictionaries import codes_of

    codes, dictionary = codes_of(column)
    raw = codes.fill_null(len(dictionary)).to_numpy(zero_copy_only=False)
    if not is_ordered:
        return np.asarray(raw, dtype=np.int32), dictionary
    ordered = order(dictionary)
    rank = np.empty(len(ordered) + 1, dtype=np.int32)
    rank[ordered] = np.arange(len(ordered), dtype=np.int32)
    rank[-1] = len(ordered)
    return rank[raw], dictionary.take(pa.array(ordered))


def people_of(coded: CodedTable) -> People:
    """Return the people of `coded`, which has a data subject column."""
    assert coded.people is not None, "the table was coded without a data subject column"
    return coded.people


def merge_equal_rows(
    names: tuple[str, ...],
    codes: list[Codes],
    dictionaries: Sequence[pa.Array],
    weights: Ints,
    n_rows: int,
    people: People | None = None,
) -> CodedTable:
    """Return the coded table of rows of codes: equal rows are merged, in ascending order of codes.

    Parameters
    ----------
    names : tuple of str
    codes : list of int32 arrays of shape (r,), one for each column
        Emptied when they are packed, so that they are not in memory twice.
    dictionaries : sequence of pyarrow.Array of text
        A missing cell has the code one past the dictionary.
    weights : int64 array of shape (r,)
        Records of each row.
    n_rows : int
        Records of the table, the sum of the weights.
    people : People, optional
        Which people have which of the rows.
    """
    if not codes:
        rest = np.array([n_rows] if n_rows else [], dtype=np.int64)
        joined = None if people is None else people.merged(np.zeros(len(weights), np.int64))
        return CodedTable((), (), (), rest, n_rows, joined)
    keys = RowKeys.of(codes, [len(d) + 1 for d in dictionaries])
    codes.clear()
    key, keys = keys.key, replace(keys, key=np.empty(0, dtype=np.int64))
    if people is None:
        distinct, merged = sum_by_key(key, weights, keys.space)
    else:
        labels, distinct = number_keys(key, keys.space)
        merged, people = sums(labels, weights, len(distinct)), people.merged(labels)
    del key
    return CodedTable(names, tuple(keys.codes(distinct)), tuple(dictionaries), merged, n_rows, people)


def class_labels(coded: CodedTable, columns: Sequence[str] | None = None) -> tuple[Labels, Labels]:
    """Return the equivalence classes of `coded` over some of its columns.

    Parameters
    ----------
    coded : CodedTable
    columns : sequence of str, optional
        Quasi-identifiers; all columns if not given. Without columns all records are in one class.

    Returns
    -------
    labels : int64 array of shape (d,)
        Class of each distinct row, 0..J-1 in ascending order of codes.
    sizes : int64 array of shape (J,)
        Records in each class, f_j; they sum to ``coded.n_rows``.
    """
    labels, n_classes = number_classes(coded, coded.names if columns is None else columns)
    return labels, sums(labels, coded.weights, n_classes)


def number_classes(coded: CodedTable, columns: Iterable[str]) -> tuple[Labels, int]:
    """Return the class of each distinct row over some columns, in ascending order of codes, and their number."""
    return dense_labels([coded.codes[coded.index(name)] for name in columns], length=coded.n_distinct)
