"""The declared domain of a column: bounds and step, bands, or categories. Never read from the data.

Question: which integer, or which cell of a table of counts, is a value of a column?
Method: a number is rounded to the declared step and clipped to the declared bounds, so that every further calculation
is in integers. Bands are half-open, the last one closed. Categories are compared as text, or as numbers where all of
them are numbers.
Limits: values outside the bounds are clipped, others outside the categories are not counted unless the domain declares
a cell for them; their number is private.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np

from privaudit.base import resources
from privaudit.base.arrow import pa
from privaudit.base.errors import MissingBounds, ReleaseError
from privaudit.base.records import dataclass
from privaudit.base.typed import is_number
from privaudit.releases.privacy.accounting import exact

Integers: TypeAlias = Any
"""An int64 array."""
KEYS = ("bounds", "step", "bands", "categories", "missing", "other")
OUTSIDE = -1
"""The cell of a value that is not counted."""
MOST_STEPS = 2**31
_FINE = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Domain:
    """What is declared about a column.

    Attributes
    ----------
    name : str
    lower, upper, step : Fraction, optional
        Bounds, both multiples of the step.
    bands : tuple of Fraction
        The edges of bands, ascending; empty where none are declared.
    categories : tuple of str, or of Fraction
    missing, other : bool
        Whether missing cells, and values outside the categories, have a cell of their own.
    """

    name: str
    lower: Fraction | None = None
    upper: Fraction | None = None
    step: Fraction = Fraction(1)
    bands: tuple[Fraction, ...] = ()
    categories: tuple[str, ...] | tuple[Fraction, ...] = ()
    missing: bool = False
    other: bool = False

    @property
    def is_number(self) -> bool:
        """Whether bounds are declared."""
        return self.lower is not None

    @property
    def is_exhaustive(self) -> bool:
        """Whether every row has a cell: numbers are clipped, so only missing cells and other categories matter."""
        return self.missing and (self.is_number or self.other)

    @property
    def steps(self) -> tuple[int, int]:
        """The bounds in steps.

        Raises
        ------
        MissingBounds
            If no bounds are declared.
        """
        if self.lower is None or self.upper is None:
            raise MissingBounds(
                f'No bounds are declared for "{self.name}".',
                hint="state bounds = [lowest, highest] from a code book; they are never read from the data",
            )
        return int(self.lower / self.step), int(self.upper / self.step)

    @property
    def labels(self) -> tuple[str, ...]:
        """The name of every cell.

        Raises
        ------
        MissingBounds
            If neither bands nor categories are declared.
        """
        if not self.bands and not self.categories:
            raise MissingBounds(
                f'No bands and no categories are declared for "{self.name}".',
                hint="state categories = [...], or bounds and bands; they are never read from the data",
            )
        pairs = zip(self.bands[:-1], self.bands[1:], strict=True)
        cells = [f"{plain(low)}–{plain(high)}" for low, high in pairs] or [*map(plain, self.categories)]
        return (*cells, *(["other values"] if self.other else []), *(["missing"] if self.missing else []))

    def content(self) -> dict[str, Any]:
        """Return the declaration as it is written into the certificate."""
        stated: dict[str, Any] = {}
        if self.lower is not None and self.upper is not None:
            stated |= {"bounds": [plain(self.lower), plain(self.upper)], "step": plain(self.step)}
        stated |= {"bands": [*map(plain, self.bands)]} if self.bands else {}
        stated |= {"categories": [*map(plain, self.categories)]} if self.categories else {}
        return stated | {name: True for name in ("missing", "other") if getattr(self, name)}

    def numbers(self, values: pa.Array) -> tuple[Integers, Any]:
        """Return each distinct text as a number of steps, clipped to the bounds, and whether it is a number."""
        from privaudit.source.profile.numbers import parse_numbers

        low, high = self.steps
        found = parse_numbers(values)
        known = np.isfinite(found)
        # A value outside of the bounds is moved to them: it must not change how many rows are counted.
        inside = np.clip(np.where(known, found, 0.0), float(self.lower or 0), float(self.upper or 0))
        return np.clip(np.rint(inside / float(self.step)), low, high).astype(np.int64), known

    def cells(self, values: pa.Array) -> Integers:
        """Return the cell of each distinct text, and as last element that of a missing cell; -1 is not counted."""
        n_labels = len(self.labels)
        gap = n_labels - 1 if self.missing else OUTSIDE
        if self.bands:
            numbers, known = self.numbers(values)
            edges = np.array([float(edge / self.step) for edge in self.bands[1:-1]])
            found = np.where(known, np.searchsorted(edges, numbers, side="right"), gap)
        else:
            found = self._category_cells(values)
        return np.append(found, gap).astype(np.int64)

    def _category_cells(self, values: pa.Array) -> Integers:
        other = len(self.categories) if self.other else OUTSIDE
        if isinstance(self.categories[0], Fraction):
            from privaudit.source.profile.numbers import parse_numbers

            index = {float(value): i for i, value in enumerate(self.categories)}
            return np.array([index.get(number, other) for number in parse_numbers(values).tolist()], dtype=np.int64)
        places = {str(value): i for i, value in enumerate(self.categories)}
        return np.array([places.get(text, other) for text in values.to_pylist()], dtype=np.int64)


def parse_domain(name: str, stated: Mapping[str, Any], where: str) -> Domain:
    """Return the domain that a plan declares for a column.

    Raises
    ------
    MissingBounds
        If nothing is declared.
    ReleaseError
        For unknown keys, bounds in the wrong order, or a step that does not divide them.
    """
    resources.check_keys(stated, KEYS, where, ReleaseError)
    bounds, categories = stated.get("bounds") or [], stated.get("categories") or []
    if not bounds and not categories:
        raise MissingBounds(
            f"{where} declares neither bounds nor categories.",
            hint="state bounds = [lowest, highest] or categories = [...]; they are never read from the data",
        )
    missing, other = (bool(stated.get(key, False)) for key in ("missing", "other"))
    if categories:
        return Domain(name=name, categories=_categories(categories, where), missing=missing, other=other)
    lower, upper = _bounds(bounds, where)
    step = _step(stated.get("step"), lower, upper, where)
    return Domain(
        name=name,
        lower=lower,
        upper=upper,
        step=step,
        bands=_bands(stated.get("bands"), lower, upper, where),
        missing=missing,
        other=other,
    )


def _bounds(stated: Any, where: str) -> tuple[Fraction, Fraction]:
    numbers = [exact(each) for each in stated if is_number(each)] if isinstance(stated, list | tuple) else []
    if len(numbers) != 2 or len(stated) != 2 or numbers[0] >= numbers[1]:
        raise ReleaseError(f"bounds in {where} must be two numbers, the lower one first.", hint="bounds = [0, 110]")
    return numbers[0], numbers[1]


def _step(stated: Any, lower: Fraction, upper: Fraction, where: str) -> Fraction:
    """Return the declared step, or the largest power of ten that divides the bounds into 1,000 steps or more."""
    if stated is None:
        exponent = math.floor(math.log10((upper - lower) / _FINE))
        # The coarsest decimal step that divides both bounds, so that every value is a whole number of steps.
        while (lower / Fraction(10) ** exponent).denominator > 1 or (upper / Fraction(10) ** exponent).denominator > 1:
            exponent -= 1
        step = Fraction(10) ** exponent
    else:
        step = exact(stated) if is_number(stated) else Fraction(0)
    if step <= 0 or (lower / step).denominator > 1 or (upper / step).denominator > 1:
        raise ReleaseError(f"step in {where} must be above 0 and divide both bounds.", hint="for example step = 1")
    if max(abs(lower), abs(upper)) / step > MOST_STEPS:
        raise ReleaseError(f"The bounds of {where} have too many steps.", hint="state a larger step")
    return step


def _bands(stated: Any, lower: Fraction, upper: Fraction, where: str) -> tuple[Fraction, ...]:
    if not stated:
        return ()
    if isinstance(stated, int) and not isinstance(stated, bool) and stated > 0:
        return tuple(lower + (upper - lower) * i / stated for i in range(stated + 1))
    edges = tuple(exact(each) for each in stated if is_number(each)) if isinstance(stated, list | tuple) else ()
    ascending = all(one < other for one, other in itertools.pairwise(edges))
    if len(edges) < 2 or len(edges) != len(stated) or not ascending or (edges[0], edges[-1]) != (lower, upper):
        raise ReleaseError(
            f"bands in {where} must be a number of bands, or edges in ascending order from bound to bound.",
            hint="bands = 10, or bands = [0, 18, 65, 110]",
        )
    return edges


def _categories(stated: Any, where: str) -> tuple[str, ...] | tuple[Fraction, ...]:
    known = isinstance(stated, list | tuple) and all(isinstance(each, str | bool | int | float) for each in stated)
    if not known or len({str(each) for each in stated}) != len(stated):
        raise ReleaseError(f"categories in {where} must be different texts or numbers.", hint='for example ["F", "M"]')
    if all(map(is_number, stated)):
        return tuple(exact(each) for each in stated)
    return tuple(str(each).lower() if isinstance(each, bool) else str(each) for each in stated)


def plain(value: Fraction | str) -> str:
    """Return a declared number with its decimal digits, or a category as it is.

    >>> plain(Fraction(5, 2)), plain(Fraction(10)), plain("F")
    ('2.5', '10', 'F')
    """
    if isinstance(value, str):
        return value
    return str(value.numerator) if value.denominator == 1 else f"{float(value):.12g}"
