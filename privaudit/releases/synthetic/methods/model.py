"""What every method of synthesis returns, and what it is given.

Question: what do the methods share?
Method: a method fits a `Model`, which draws coded tables and is saved as JSON. Every fit states notes: the margins it
chose, and where a bound omitted something.
Limits: records only.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import Any, Protocol

import numpy as np

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
