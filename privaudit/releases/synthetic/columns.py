"""Columns of a declared domain: which values may occur, as codes.

Question: which code does a value have, and which value is written for a code?
Method: one class for each kind. Values are read once for each distinct text. Numbers and dates are clipped to declared
bounds and put into declared bands; a value is rebuilt inside its band by a declared rule. Missing cells, and values
that are not declared, are a category of their own.
Limits: nothing is learned from the data: a value that was not declared cannot be written.
"""

from __future__ import annotations

import datetime
import string
from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from privaudit.base.records import dataclass
from privaudit.releases.synthetic.engine.margins import Counts
from privaudit.risk.codes.coded import encode_column

Rebuild = Literal["uniform", "middle"]
ISO = "%Y-%m-%d"
FILLS = {"digits": string.digits, "letters": string.ascii_uppercase}


@dataclass(frozen=True, kw_only=True)
class Column(ABC):
    """A column with declared values.

    Attributes
    ----------
    name : str
    missing : bool
        Whether missing cells are a category; if not, records with such a cell are omitted.
    """

    kind: ClassVar[str]
    name: str
    missing: bool = True

    @property
    @abstractmethod
    def n_values(self) -> int:
        """Number of categories or bands, missing not counted."""

    @property
    def size(self) -> int:
        """Number of codes; the last one is "missing", where that is a category."""
        return self.n_values + self.missing

    @property
    def is_ordered(self) -> bool:
        """Whether the codes have an order."""
        return True

    @abstractmethod
    def labels(self) -> list[str]:
        """Return the declared text of each category or band."""

    @abstractmethod
    def code_of(self, text: str) -> int:
        """Return the code of a text, -1 where it is not declared."""

    @abstractmethod
    def rebuilt(self, codes: Counts, random: np.random.Generator) -> pa.Array:
        """Return a value for each code; codes are below `n_values`."""

    def encode(self, texts: pa.ChunkedArray) -> Counts:
        """Return the code of each cell; -1 where it has none."""
        cells, words = encode_column(texts)
        other = self.n_values if self.missing else -1
        # By distinct text, not by cell: a column has few texts and many cells.
        of_value = [self.code_of(text) for text in words.to_pylist()]
        return np.array([*(other if code < 0 else code for code in of_value), other], dtype=np.int64)[cells]

    def decode(self, codes: Counts, random: np.random.Generator) -> pa.Array:
        """Return a value for each code, null for "missing"."""
        is_missing = codes >= self.n_values
        made = self.rebuilt(np.where(is_missing, 0, codes), random)
        if not is_missing.any():
            return made
        return pc.if_else(pa.array(~is_missing), made, pa.scalar(None, made.type))


@dataclass(frozen=True, kw_only=True)
class _Listed(Column):
    """A column whose texts, or the beginnings of whose texts, are listed; `ordered` where they are in an order."""

    values: tuple[str, ...]
    ordered: bool = False

    @property
    def n_values(self) -> int:
        """Number of declared texts."""
        return len(self.values)

    @property
    def is_ordered(self) -> bool:
        """Whether the texts were declared to be in an order."""
        return self.ordered

    def labels(self) -> list[str]:
        """Return the texts."""
        return list(self.values)


@dataclass(frozen=True, kw_only=True)
class Categories(_Listed):
    """Declared texts."""

    kind = "category"

    @cached_property
    def _codes(self) -> dict[str, int]:
        return {value: code for code, value in enumerate(self.values)}

    def code_of(self, text: str) -> int:
        """Return the position of a text; blanks around it do not matter."""
        return self._codes.get(text, self._codes.get(text.strip(), -1))

    def rebuilt(self, codes: Counts, random: np.random.Generator) -> pa.Array:
        """Return the texts."""
        return pa.DictionaryArray.from_arrays(pa.array(codes, pa.int32()), pa.array(self.values)).cast(pa.string())


@dataclass(frozen=True, kw_only=True)
class Numbers(Column):
    """Numbers between declared bounds, in declared bands.

    Attributes
    ----------
    edges : tuple of float
        The first value of each band, and the value after the upper bound.
    decimals : int
        Digits after the point of the values that are written.
    """

    kind = "number"
    edges: tuple[float, ...]
    decimals: int = 0
    rebuild: Rebuild = "uniform"

    @property
    def n_values(self) -> int:
        """Number of bands."""
        return len(self.edges) - 1

    @cached_property
    def grid(self) -> npt.NDArray[np.int64]:
        """The edges in units of the last digit."""
        # Whole numbers: values are drawn as units of the last digit, so that none has a digit too many.
        return np.round(np.array(self.edges) * 10.0**self.decimals).astype(np.int64)

    def labels(self) -> list[str]:
        """Return the first and the last value of each band."""
        ends = self.grid / 10.0**self.decimals
        last = (self.grid[1:] - 1) / 10.0**self.decimals
        texts = zip(ends[:-1], last, strict=True)
        return [self._text(a) if a == b else f"{self._text(a)}–{self._text(b)}" for a, b in texts]

    def _text(self, value: float) -> str:
        return f"{value:.{self.decimals}f}"

    def code_of(self, text: str) -> int:
        """Return the band of a number, after clipping it to the bounds."""
        try:
            value = float(text)
        except ValueError:
            return -1
        if value != value:
            return -1
        # Clipped, not refused: whether a value is outside of the bounds is a fact about the data.
        return min(max(bisect_right(self.edges, value) - 1, 0), self.n_values - 1)

    def rebuilt(self, codes: Counts, random: np.random.Generator) -> pa.Array:
        """Return a number of the grid in each band."""
        units = _within(self.grid, codes, self.rebuild, random)
        return pa.array(units) if self.decimals == 0 else pa.array(units / 10.0**self.decimals)


@dataclass(frozen=True, kw_only=True)
class Dates(Column):
    """Dates between declared bounds, in declared bands, in one written form.

    Attributes
    ----------
    edges : tuple of datetime.date
        The first day of each band, and the day after the upper bound.
    form : str
        How dates are read and written, as for `datetime.strptime`.
    """

    kind = "date"
    edges: tuple[datetime.date, ...]
    form: str = ISO
    rebuild: Rebuild = "uniform"

    @property
    def n_values(self) -> int:
        """Number of bands."""
        return len(self.edges) - 1

    @cached_property
    def grid(self) -> npt.NDArray[np.int64]:
        """The edges as days since 1970."""
        return np.array(self.edges, dtype="datetime64[D]").astype(np.int64)

    def labels(self) -> list[str]:
        """Return the first day of each band."""
        return [edge.isoformat() for edge in self.edges[:-1]]

    def code_of(self, text: str) -> int:
        """Return the band of a date, after clipping it to the bounds."""
        try:
            day = datetime.datetime.strptime(text.strip(), self.form).date()
        except ValueError:
            try:
                # Readers write typed dates in this form, some with a time, whatever form was declared.
                day = datetime.date.fromisoformat(text.strip()[:10])
            except ValueError:
                return -1
        clipped = min(max(day, self.edges[0]), self.edges[-1] - datetime.timedelta(days=1))
        return bisect_right(self.edges, clipped) - 1

    def rebuilt(self, codes: Counts, random: np.random.Generator) -> pa.Array:
        """Return a day of each band: a date, or a text where the form is not that of ISO 8601."""
        days = _within(self.grid, codes, self.rebuild, random)
        if self.form == ISO:
            return pa.array(days.astype("datetime64[D]"), pa.date32())
        # A form is applied once for each day, because `strftime` takes a microsecond and a table has millions of cells.
        distinct, position = np.unique(days, return_inverse=True)
        texts = [day.strftime(self.form) for day in distinct.astype("datetime64[D]").tolist()]
        return pa.DictionaryArray.from_arrays(pa.array(position, pa.int32()), pa.array(texts)).cast(pa.string())


@dataclass(frozen=True, kw_only=True)
class Prefixes(_Listed):
    """Codes such as postal codes, by declared prefixes.

    Attributes
    ----------
    values : tuple of str
        No prefix begins with another one.
    length : int
        Characters of the codes that are written; 0 writes the prefix alone.
    fill : str
        "digits" or "letters": what follows the prefix, at random.
    """

    kind = "code"
    length: int = 0
    fill: str = "digits"

    @cached_property
    def _by_length(self) -> list[tuple[int, dict[str, int]]]:
        lengths = sorted({len(value) for value in self.values})
        of = {value: code for code, value in enumerate(self.values)}
        return [(n, {value: code for value, code in of.items() if len(value) == n}) for n in lengths]

    def code_of(self, text: str) -> int:
        """Return the position of the prefix of a code."""
        plain = text.strip().upper()
        return next((known[plain[:n]] for n, known in self._by_length if plain[:n] in known), -1)

    def rebuilt(self, codes: Counts, random: np.random.Generator) -> pa.Array:
        """Return each prefix, filled with random characters to the declared length."""
        alphabet = FILLS[self.fill]
        missing = np.array([max(0, self.length - len(value)) for value in self.values])
        drawn = random.integers(len(alphabet), size=(len(codes), int(missing.max(initial=0))))
        if not drawn.shape[1]:
            return pa.array([self.values[code] for code in codes])
        letters = np.array(list(alphabet))[drawn]
        rests = np.ascontiguousarray(letters).view(f"<U{drawn.shape[1]}").ravel()
        return pa.array(
            [self.values[code] + str(rest)[: missing[code]] for code, rest in zip(codes.tolist(), rests, strict=True)]
        )


def _within(
    grid: npt.NDArray[np.int64], codes: Counts, rebuild: Rebuild, random: np.random.Generator
) -> npt.NDArray[np.int64]:
    """Return a unit of each band ``grid[code] .. grid[code + 1] - 1``."""
    low, width = grid[codes], np.diff(grid)[codes]
    if rebuild == "middle":
        return np.asarray(low + (width - 1) // 2, dtype=np.int64)
    return np.asarray(low + random.integers(0, np.maximum(width, 1)), dtype=np.int64)


def check_edges(edges: Sequence[Any]) -> bool:
    """Whether the edges of bands are ascending and there is at least one band."""
    return len(edges) > 1 and all(a < b for a, b in pairwise(edges))
