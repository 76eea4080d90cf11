"""What every method of synthesis returns, and what it is given.

Question: what do the methods share?
Method: a method fits a `Model`, which draws coded tables and is saved as JSON. Every fit states notes: the margins it
chose, and where a bound omitted something.
Limits: records only.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from privaudit.base.records import dataclass
from privaudit.releases.synthetic.budget import Budget
from privaudit.releases.synthetic.engine.margins import CodedTable

MAX_CELLS = 1_000_000
"""Most cells of all tables of a fitted distribution, unless declared otherwise."""


class Model(Protocol):
    """A fitted distribution over coded tables."""

    @property
    def sizes(self) -> tuple[int, ...]:
        """Number of codes of each column."""

    def sample(self, n_rows: int, random: np.random.Generator) -> CodedTable:
        """Draw a table."""

    def content(self) -> dict[str, Any]:
        """Return the model as values of JSON."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """What a method may use besides the budget.

    Attributes
    ----------
    max_cells : int
        Most cells of all tables of the fitted distribution.
    ordered : tuple of bool
        Which columns have codes in an order.
    progress : callable
        Called with the share of the work that is done.
    """

    max_cells: int = MAX_CELLS
    ordered: tuple[bool, ...] = ()
    progress: Callable[[float], None] = field(default=lambda share: None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """The result of a method.

    Attributes
    ----------
    model : Model
    total : float
        Estimated number of records, by what the budget paid for.
    margins : tuple of tuple of int
        The sets of columns that were measured together.
    n_cut : int
        Number of sets of columns that the bound of cells excluded at the end.
    """

    model: Model
    total: float
    margins: tuple[tuple[int, ...], ...] = ()
    n_cut: int = 0


Fit = Callable[[CodedTable, Budget, Bounds], Fitted]


def packed(values: npt.NDArray[Any]) -> dict[str, Any]:
    """Return an array as values of JSON: little-endian float32 in base 64."""
    plain = np.ascontiguousarray(values, dtype="<f4")
    return {"shape": list(plain.shape), "float32": base64.b64encode(plain.tobytes()).decode("ascii")}


def unpacked(content: Mapping[str, Any]) -> npt.NDArray[np.float64]:
    """Return the array of `packed`.

    Raises
    ------
    ValueError
        If the bytes do not have the stated shape, or hold infinite values.
    """
    shape: Sequence[int] = content["shape"]
    values = np.frombuffer(base64.b64decode(content["float32"], validate=True), dtype="<f4")
    values = values.reshape(shape).astype(np.float64)
    if not np.isfinite(values).all():
        raise ValueError("a table holds values that are not finite")
    return values
