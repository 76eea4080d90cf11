"""Columns of a declared domain: which values may occur, as codes.

Question: which code does a value have, and which value is written for a code?
Method: one class for each kind. Values are read once for each distinct text. Numbers and dates are clipped to declared
bounds and put into declared bands; a value is rebuilt inside its band by a declared rule. Missing cells, and values
that are not declared, are a category of their own, or have no code.
Limits: nothing is learned from the data: a value that was not declared cannot be written.
"""

from __future__ import annotations

import datetime
import string
from abc import ABC, abstractmethod
from bisect import bisect_right
from fractions import Fraction
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np

from privaudit.base.arrays import Ints
from privaudit.base.arrow import pa, pc
from privaudit.base.records import dataclass
from privaudit.risk.codes.coded import encode_column
from privaudit.source.profile.numbers import parse_numbers

Integers: TypeAlias = Ints
Rebuild = Literal["uniform", "middle"]
ISO = "%Y-%m-%d"
FILLS = {"digits": string.digits, "letters": string.ascii_uppercase}
MISSING = "missing"


@dataclass(frozen=True, kw_only=True)
class Column(ABC):
    """A column with declared values.

    Attributes
    ----------
    name : str
    missing : bool
        Whether missing cells, and values that are not declared, are a category; if not, they have no code.
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

    @property
    def cell_labels(self) -> tuple[str, ...]:
        """The text of each code."""
        return (*self.labels(), *([MISSING] if self.missing else []))

    @abstractmethod
    def codes(self, texts: pa.Array) -> Integers:
        """Return the code of each distinct text, -1 where it is not declared."""

    @abstractmethod
    def rebuilt(self, codes: Integers, random: np.random.Generator) -> pa.Array:
        """Return a value for each code; codes are below `n_values`."""

    def cells(self, texts: pa.Array) -> Integers:
        """Return the code of each distinct text, and as last element that of a missing cell; -1 where it has none."""
        found, other = self.codes(texts), self.n_values if self.missing else -1
        return np.append(np.where(found < 0, other, found), other)

    def encode(self, column: pa.ChunkedArray) -> Integers:
        """Return the code of each cell; -1 where it has none."""
        # By distinct text, not by cell: a column has few texts and many cells.
        cells, texts = encode_column(column)
        return self.cells(texts)[cells]

    def decode(self, codes: Integers, random: np.random.Generator) -> pa.Array:
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
    """Declared texts.

    Attributes
    ----------
    numeric : bool
        Whether all of them are numbers and are compared as numbers: 1 and 1.0 are equal.
    other : str, optional
        The text among them that every value counts as that is not declared.
    """

    kind = "category"
    numeric: bool = False
    other: str | None = None

    def codes(self, texts: pa.Array) -> Integers:
        """Return the position of each text; blanks around it do not matter."""
        other = -1 if self.other is None else self.values.index(self.other)
        places: dict[Any, int] = {value: code for code, value in enumerate(self.values)}
        if self.numeric:
            of_number = {float(value): code for value, code in places.items() if value != self.other}
            found = [of_number.get(number, other) for number in parse_numbers(texts).tolist()]
        else:
            found = [places.get(text, places.get(text.strip(), other)) for text in texts.to_pylist()]
        return np.array(found, dtype=np.int64)

    def rebuilt(self, codes: Integers, random: np.random.Generator) -> pa.Array:
        """Return the texts."""
        return pa.DictionaryArray.from_arrays(pa.array(codes, pa.int32()), pa.array(self.values)).cast(pa.string())


@dataclass(frozen=True, kw_only=True)
class _Banded(Column):
    """A column with declared bands.

    Attributes
    ----------
    edges : tuple
        The first value of each band, and the value after the upper bound.
    rebuild : str
        Which value of a band is written: "uniform" is a random one.
    """

    edges: tuple[Any, ...]
    rebuild: Rebuild = "uniform"

    @property
    def n_values(self) -> int:
        """Number of bands."""
        return max(0, len(self.edges) - 1)

    def _within(self, grid: Integers, codes: Integers, random: np.random.Generator) -> Integers:
        """Return a unit of each band ``grid[code] .. grid[code + 1] - 1``."""
        low, width = grid[codes], np.diff(grid)[codes]
        if self.rebuild == "middle":
            return np.asarray(low + (width - 1) // 2, dtype=np.int64)
        return np.asarray(low + random.integers(0, np.maximum(width, 1)), dtype=np.int64)


@dataclass(frozen=True, kw_only=True)
class Numbers(_Banded):
    """Numbers between declared bounds, in declared bands.

    Attributes
    ----------
    step : Fraction
        Numbers are rounded to it, and written as multiples of it.
    bounds : (int, int)
        In steps, as `edges`.
    """

    kind = "number"
    step: Fraction
    bounds: tuple[int, int]
    edges: tuple[int, ...] = ()

    def labels(self) -> list[str]:
        """Return the first and the last value of each band."""
        ends = zip(self.edges[:-1], self.edges[1:], strict=True)
        texts = [(self._text(first), self._text(after - 1)) for first, after in ends]
        return [a if a == b else f"{a}–{b}" for a, b in texts]

    def _text(self, steps: int) -> str:
        digits = len(f"{float(self.step % 1):.12g}".partition(".")[2])
        return f"{float(steps * self.step):.{digits}f}"

    def codes(self, texts: pa.Array) -> Integers:
        """Return the band of each number, after clipping it to the bounds."""
        found = parse_numbers(texts)
        starts = [float(edge * self.step) for edge in self.edges[1:-1]]
        # Clipped, not refused: whether a value is outside of the bounds is a fact about the data.
        return np.where(np.isfinite(found), np.searchsorted(starts, found, side="right"), -1)

    def numbers(self, texts: pa.Array) -> tuple[Integers, Any]:
        """Return each distinct text as a number of steps, clipped to the bounds, and whether it is a number."""
        found = parse_numbers(texts)
        known = np.isfinite(found)
        # Before they are divided, because a quotient that is too large for int64 has no defined value.
        low, high = (float(bound * self.step) for bound in self.bounds)
        inside = np.clip(np.where(known, found, 0.0), low, high)
        return np.clip(np.rint(inside / float(self.step)), *self.bounds).astype(np.int64), known

    def rebuilt(self, codes: Integers, random: np.random.Generator) -> pa.Array:
        """Return a multiple of the step in each band."""
        # Whole numbers are drawn, so that none has a digit too many.
        found = self._within(np.array(self.edges), codes, random) * self.step.numerator
        return pa.array(found if self.step.denominator == 1 else found / self.step.denominator)


@dataclass(frozen=True, kw_only=True)
class Dates(_Banded):
    """Dates between declared bounds, in declared bands, in one written form.

    Attributes
    ----------
    form : str
        How dates are read and written, as for `datetime.strptime`.
    """

    kind = "date"
    edges: tuple[datetime.date, ...]
    form: str = ISO

    def labels(self) -> list[str]:
        """Return the first day of each band."""
        return [edge.isoformat() for edge in self.edges[:-1]]

    def codes(self, texts: pa.Array) -> Integers:
        """Return the band of each date, after clipping it to the bounds."""
        days = [self._day(text.strip()) for text in texts.to_pylist()]
        inner = self.edges[1:-1]
        return np.array([-1 if day is None else bisect_right(inner, day) for day in days], dtype=np.int64)

    def _day(self, text: str) -> datetime.date | None:
        try:
            return datetime.datetime.strptime(text, self.form).date()
        except ValueError:
            try:
                # Readers write typed dates in this form, some with a time, whatever form was declared.
                return datetime.date.fromisoformat(text[:10])
            except ValueError:
                return None

    def rebuilt(self, codes: Integers, random: np.random.Generator) -> pa.Array:
        """Return a day of each band: a date, or a text where the form is not that of ISO 8601."""
        days = self._within(np.array(self.edges, dtype="datetime64[D]").astype(np.int64), codes, random)
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

    def codes(self, texts: pa.Array) -> Integers:
        """Return the position of the prefix of each code."""
        of = {value: code for code, value in enumerate(self.values)}
        lengths = sorted({len(value) for value in of})
        plain = (text.strip().upper() for text in texts.to_pylist())
        found = (next((of[text[:n]] for n in lengths if text[:n] in of), -1) for text in plain)
        return np.array([*found], dtype=np.int64)

    def rebuilt(self, codes: Integers, random: np.random.Generator) -> pa.Array:
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
