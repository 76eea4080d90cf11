"""Code two tables in the same bands and categories, of which each has at least 11 records of the first table.

Question: how can the distributions of two tables be shown without the extremes and the rare values of the first?
Method: numbers and dates are cut into at most 50 bands, at middles between neighbouring values of the first table, so
that at least 11 of its records are in each; the first and the last band are open. Categories with fewer than 11 of its
records are "other"; the others have the number of their rank, or their value where it is in a public vocabulary: 11
records may be those of one person.
Limits: only columns that both tables have. A column of which no value has 11 records and which is not ordered, such as
names, is not compared.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from privaudit.attacks.values.comparable_values import days_of
from privaudit.base.arrays import Floats, Ints
from privaudit.base.arrow import pa
from privaudit.base.errors import ConfigError
from privaudit.base.records import dataclass
from privaudit.model.wording.numbers import decimal
from privaudit.releases.domains.columns import Categories
from privaudit.releases.remedy.middles import middles
from privaudit.releases.synthetic.domain import Domain
from privaudit.releases.synthetic.engine.margins import CodedTable
from privaudit.risk.codes.coded import encode_column
from privaudit.risk.pictures.categories import is_public_word

Codes = Ints
LEAST_RECORDS = 11
MOST_BANDS = 50
OTHER = "other"


@dataclass(frozen=True, slots=True)
class Pair:
    """Both tables as codes of one domain.

    Attributes
    ----------
    domain : Domain
    first, second : CodedTable
    numbers : mapping of column to (float64 array, float64 array)
        The numbers of both tables, NaN where a cell has none.
    omitted : tuple of str
        Columns that are not compared.
    """

    domain: Domain
    first: CodedTable
    second: CodedTable
    numbers: dict[str, tuple[Floats, Floats]]
    omitted: tuple[str, ...]


def paired(first: pa.Table, second: pa.Table) -> Pair:
    """Return two tables of texts as codes of the columns that both have.

    Raises
    ------
    ConfigError
        If none of them can be compared.
    """
    columns, codes, numbers = [], [], {}
    for name in first.column_names:
        if name not in second.column_names:
            continue
        both, measured = _column(name, first[name], second[name])
        if both is None:
            continue
        columns.append(both[0])
        codes.append(both[1:])
        if measured is not None:
            numbers[name] = measured
    if not columns:
        raise ConfigError(
            "The tables have no column in common that can be compared.", hint="columns are matched by their names"
        )
    domain = Domain(columns=tuple(columns))
    compared = {column.name for column in columns}
    omitted = [name for name in dict.fromkeys((*first.column_names, *second.column_names)) if name not in compared]
    one, other = (CodedTable(np.array([each[side] for each in codes]), domain.sizes) for side in (0, 1))
    return Pair(domain, one, other, numbers, tuple(omitted))


def _column(
    name: str, first: pa.ChunkedArray, second: pa.ChunkedArray
) -> tuple[tuple[Categories, Codes, Codes] | None, tuple[Floats, Floats] | None]:
    """Return a column with the codes of both tables, None where it is not compared, and its numbers."""
    coded = encode_column(first), encode_column(second)
    one, other = (middles(*each) for each in coded)
    if one is not None and other is not None:
        return _banded(name, one, other, are_days=False), (one, other)
    days = [days_of(cells.combine_chunks()) for cells in (first, second)]
    if days[0] is not None and days[1] is not None:
        return _banded(name, days[0], days[1], are_days=True), None
    return _categories(name, *coded), None


def _banded(name: str, first: Floats, second: Floats, *, are_days: bool) -> tuple[Categories, Codes, Codes] | None:
    known = first[np.isfinite(first)]
    if len(known) < 2 * LEAST_RECORDS:
        return None
    edges = band_edges(known)
    texts = [str(np.datetime64(int(np.ceil(edge)), "D")) if are_days else decimal(edge) for edge in edges]
    texts = texts if len(set(texts)) == len(texts) else [f"{edge:.6g}" for edge in edges]
    labels = ["all"]  # of a column with one value, or with one that nearly all records have
    if texts:
        inner = (f"{low} to {high}" for low, high in itertools.pairwise(texts))
        labels = [f"below {texts[0]}", *inner, f"{texts[-1]} or more"]
    column = Categories(name=name, values=tuple(labels), ordered=True)
    codes = [
        np.where(np.isfinite(side), np.searchsorted(edges, side, side="right"), len(labels)).astype(np.int64)
        for side in (first, second)
    ]
    return column, codes[0], codes[1]


def band_edges(known: Floats) -> Floats:
    """Return the inner edges of at most `MOST_BANDS` bands with at least `LEAST_RECORDS` numbers each."""
    values, counts = np.unique(known, return_counts=True)
    wanted = max(LEAST_RECORDS, -(-len(known) // MOST_BANDS))
    edges, inside, left = [], 0, len(known)
    for value, following, count in zip(values, values[1:], counts, strict=False):
        inside, left = inside + int(count), left - int(count)
        if inside >= wanted and left >= LEAST_RECORDS:
            # Between two values, so that no value is an edge.
            edges.append(float(value + following) / 2)
            inside = 0
    return np.array(edges)


def _categories(
    name: str, first: tuple[npt.NDArray[np.int32], pa.Array], second: tuple[npt.NDArray[np.int32], pa.Array]
) -> tuple[Categories, Codes, Codes] | None:
    codes, words = first
    counts = np.bincount(codes, minlength=len(words) + 1)[:-1]
    held = [i for i in np.argsort(-counts, kind="stable").tolist() if counts[i] >= LEAST_RECORDS][:MOST_BANDS]
    if not held:
        return None
    texts = words.to_pylist()
    named = [texts[i] for i in held if texts[i] != OTHER]
    shown = (text if is_public_word(text) else f"value {i}" for i, text in enumerate(named, start=1))
    column = Categories(name=name, values=(*shown, OTHER))
    made = [_codes(each, named) for each in (first, second)]
    return column, made[0], made[1]


def _codes(coded: tuple[npt.NDArray[np.int32], pa.Array], named: Sequence[str]) -> Codes:
    """Return the code of each cell: that of its value, of "other", or of a missing cell."""
    codes, words = coded
    position = {text: i for i, text in enumerate(named)}
    place = [position.get(text, len(named)) for text in words.to_pylist()]
    return np.array([*place, len(named) + 1], dtype=np.int64)[codes]
