"""The result of a technique that maps each value to one new value.

Question: which values of a column become equal, and what are they called afterwards?
Method: an integer array maps every code of the column to a new code, which is all that is needed to count classes
again; the new values are made when they are written. Builders make both from texts or from numbers.
Limits: a missing cell stays missing, except where the column is dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from privaudit.base.arrays import Codes, Floats, Ints
from privaudit.base.arrow import pa, pc
from privaudit.base.errors import ConfigError
from privaudit.base.records import dataclass
from privaudit.model.wording import Columns, Fact, Value, fact

Lookup = Codes
Counts = Ints
Hierarchy = Mapping[str, Sequence[str]]

NUMBER = r"^[+-]?[0-9]{1,15}(\.[0-9]*)?([eE][+-]?[0-9]{1,2}|[eE]-[0-9]{3})?$"
MOSTLY = 0.9
"""Share of the distinct values that must be numbers, or dates, for a column of numbers, or dates."""


def not_numbers(technique: str, column: str) -> ConfigError:
    """Return the error for a technique that needs numbers, of a column without them."""
    return ConfigError(f'"{technique}" needs numbers, and "{column}" is not a column of numbers.')


def as_numbers(cells: Any) -> Any:
    """Return an Arrow array of texts as float64, null for a text that is not a number."""
    plain = pc.replace_substring_regex(cells, r"^\+", "")  # Arrow reads no leading plus
    text = pc.if_else(pc.match_substring_regex(cells, NUMBER), plain, pa.scalar(None, pa.string()))
    return pc.cast(text, pa.float64())


@dataclass(frozen=True)
class Column:
    """The distinct values of a column.

    Question: what does a technique need to know of a column?
    Method: the dictionary of a coded table, with counts; numbers and dates are parsed once.
    Limits: values are texts; a missing cell has the code one past the dictionary.

    Attributes
    ----------
    name : str
    dictionary : pyarrow.Array of text
        All different, none missing.
    counts : int64 array, one longer than the dictionary
        Records of each value and, last, of missing cells.
    hierarchy : mapping of value to its names at levels 1, 2, ..., optional
    key : bytes, optional
        The secret key of techniques that need one.
    whole : bool, optional
        Whether the numbers are integers, where that was found on another table.
    """

    name: str
    dictionary: pa.Array
    counts: Counts
    hierarchy: Hierarchy | None = None
    key: bytes | None = field(default=None, repr=False)
    whole: bool | None = None

    @classmethod
    def coded(cls, name: str, codes: npt.NDArray[np.integer], dictionary: pa.Array, **known: Any) -> Column:
        """Return the column of some records from the code of each; `known` is its hierarchy and key."""
        counts = np.bincount(codes, minlength=len(dictionary) + 1).astype(np.int64)
        return cls(name, dictionary, counts, **known)

    def __len__(self) -> int:
        return len(self.dictionary)

    @cached_property
    def numbers(self) -> Floats:
        """The values as numbers, NaN for a value that is not a number."""
        return as_numbers(self.dictionary).to_numpy(zero_copy_only=False)

    @cached_property
    def dates(self) -> tuple[pa.Array, bool]:
        """The values as ISO dates, an array of shape (d,) with null for values that are not dates.

        With it comes whether the order of day and month is certain.
        """
        from privaudit.attacks.values.comparable_values import iso_dates

        return iso_dates(self.dictionary)

    @property
    def is_numeric(self) -> bool:
        """Whether at least 90 % of the distinct values are numbers."""
        return bool(len(self) and np.isfinite(self.numbers).sum() >= MOSTLY * len(self))

    @cached_property
    def is_whole(self) -> bool:
        """Whether all numbers of the column are integers."""
        if self.whole is not None:
            return self.whole
        known = self.numbers[np.isfinite(self.numbers)]
        return bool((known == np.floor(known)).all())


RecodingKey = tuple[str, str, tuple[tuple[str, Any], ...]]
Labels = Callable[[], "pa.Array"]


def _dropped() -> pa.Array:
    return pa.array([None], pa.string())


@dataclass(frozen=True, slots=True)
class Recoding:
    """One way to replace the values of a column.

    Attributes
    ----------
    technique : str
        The name of the technique.
    column : str
    parameters : mapping
        How it is done, without values of the table.
    lookup : int32 array, one longer than the dictionary
        New code of each value and, last, of a missing cell; from 0 without gaps.
    labels : function that returns a pyarrow.Array of text
        The new value of each new code, null for a missing cell; all different.
    shares : float64 array, as long as `lookup`, or None
        Share of the domain under the new value of each value; None where the domain is the values of the table.
    details : mapping of str to typed value
        What the sentence ``advice.<technique>`` is filled with, besides the column.
    notes : tuple of Fact
        What a run states about the step, where it is applied.
    """

    technique: str
    column: str
    parameters: Mapping[str, Any]
    lookup: Lookup
    labels: Labels = _dropped
    shares: Floats | None = None
    details: Mapping[str, Value] = field(default_factory=dict)
    notes: tuple[Fact, ...] = ()

    @property
    def description(self) -> Fact:
        """What is done to the column."""
        return fact(f"advice.{self.technique}", column=Columns((self.column,)), **self.details)

    @property
    def key(self) -> RecodingKey:
        """Column, technique and parameters: distinguishes the recodings of a table."""
        return self.column, self.technique, tuple(self.parameters.items())

    def values_merged(self, counts: Counts) -> Counts:
        """Return how many different cells of the column become each new value, from the records of each."""
        return np.bincount(self.lookup[counts > 0], minlength=int(self.lookup.max(initial=0)) + 1)


def by_text(texts: pa.Array, *, in_order: bool = False) -> tuple[Lookup, Labels]:
    """Return lookup and labels from the new text of each value of a dictionary; null for one that becomes missing.

    New values have the order of the old ones, or of their texts with `in_order`.
    """
    found = pc.unique(texts.drop_null())
    found = found.sort() if in_order else found
    codes = pc.index_in(texts, found).fill_null(len(found)).to_numpy(zero_copy_only=False).astype(np.int32)
    lookup = np.append(codes, np.int32(len(found)))
    return lookup, lambda: pa.concat_arrays([found.cast(pa.string()), _dropped()])


def by_number(column: Column, keys: Floats, label: Callable[[float], str]) -> tuple[Lookup, Labels]:
    """Return lookup and labels from a number for each value: equal numbers become one new value.

    Parameters
    ----------
    keys : float64 array, as long as the dictionary
        NaN for a value that stays as it is.
    label : function
        The text of a key; different keys have different texts.
    """
    known = ~np.isnan(keys)
    distinct = np.unique(keys[known])

    def texts() -> pa.Array:
        return pa.array([label(key) for key in distinct.tolist()], pa.string())

    others = column.dictionary.filter(pa.array(~known))
    lookup = np.empty(len(keys) + 1, dtype=np.int32)
    lookup[:-1][known] = np.searchsorted(distinct, keys[known])
    if not len(others):
        lookup[-1] = len(distinct)
        return lookup, lambda: pa.concat_arrays([texts(), _dropped()])
    # A value that stays may have the text of a new value: both are then the same value.
    whole = pa.concat_arrays([texts(), others]).dictionary_encode()
    merged = whole.indices.to_numpy(zero_copy_only=False).astype(np.int32)
    lookup[:-1][known] = merged[lookup[:-1][known]]
    lookup[:-1][~known] = merged[len(distinct) :]
    lookup[-1] = len(whole.dictionary)
    return lookup, lambda: pa.concat_arrays([whole.dictionary, _dropped()])


def closed(codes: Codes) -> Lookup:
    """Append the code of missing cells, one above the others."""
    return np.append(codes, np.int32(codes.max(initial=-1) + 1)).astype(np.int32)


def keep(column: Column) -> Recoding:
    """Return the recoding that changes nothing."""
    lookup = np.arange(len(column) + 1, dtype=np.int32)
    return Recoding("keep", column.name, {}, lookup, lambda: pa.concat_arrays([column.dictionary, _dropped()]))


def short(number: float) -> int | float:
    """Return a whole number as an int."""
    return int(number) if float(number).is_integer() else number


def plain(number: float) -> str:
    """Return a number as text, whole numbers without a point, at most nine decimals."""
    rounded = round(number, 9)
    return str(int(rounded)) if float(rounded).is_integer() else np.format_float_positional(rounded, trim="-")


def listed(values: Sequence[str | None]) -> pa.Array:
    """Return texts as an Arrow array."""
    return pa.array(values, pa.string())


def stated_labels(parameters: Mapping[str, Any], made: Sequence[str], technique: str) -> list[str]:
    """Return the names of the new values that the plan states, else those of the technique.

    Raises
    ------
    ConfigError
        If the plan states another number of names, or one twice.
    """
    stated = parameters.get("labels")
    if stated is None:
        return list(made)
    if len(stated) != len(made) or len(set(stated)) != len(stated):
        raise ConfigError(f'"labels" of "{technique}" must be {len(made)} different names.')
    return list(stated)
