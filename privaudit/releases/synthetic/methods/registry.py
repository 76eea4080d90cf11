"""The methods of synthesis, by name.

Question: which methods are there, what do they pay with, and who reads a saved model?
Method: one record for each. A method fits a `Model`, which draws coded tables and is saved as JSON. Every fit states
notes: the margins it chose, and where a bound omitted something.
Limits: the figures of each method are in the documentation, next to each other.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import field
from types import ModuleType
from typing import Any, Literal, Protocol, cast

import numpy as np

from privaudit.base.records import dataclass
from privaudit.releases.synthetic.budget import Budget
from privaudit.releases.synthetic.engine.margins import CodedTable
from privaudit.releases.synthetic.engine.network import Network

Pays = Literal["rho", "epsilon", "nothing"]
_PACKAGE = "privaudit.releases.synthetic.methods"


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """One method.

    Attributes
    ----------
    name : str
    pays : str
        "rho" needs a delta above 0; "epsilon" is pure; "nothing" cannot be private.
    model : str
        The class of its module whose ``of`` reads a saved model; a network where it has none of its own.
    mechanism : str
        What adds noise, as the ledger states it.
    is_default : bool
    """

    name: str
    pays: Pays
    model: str = ""
    mechanism: str = ""
    is_default: bool = False

    @property
    def fit(self) -> Fit:
        """The function that fits a model."""
        return cast("Fit", getattr(self._module, f"fit_{self.name}"))

    def load(self, content: Mapping[str, Any]) -> Model:
        """Return the saved model."""
        return cast("Model", (getattr(self._module, self.model) if self.model else Network).of(content))

    @property
    def _module(self) -> ModuleType:
        # By its name when it is needed: a method that nobody asked for is not imported.
        return importlib.import_module(f"{_PACKAGE}.{self.name}")


_GAUSSIAN, _LAPLACE = "discrete Gaussian, exponential", "discrete Laplace, permute and flip"
METHODS = {
    method.name: method
    for method in (
        Method(name="aim", pays="rho", mechanism=_GAUSSIAN, is_default=True),
        Method(name="privbayes", pays="epsilon", mechanism=_LAPLACE),
        Method(name="mst", pays="rho", mechanism=_GAUSSIAN),
        Method(name="independent", pays="epsilon", mechanism="discrete Laplace"),
        Method(name="gan", pays="rho", model="GanModel", mechanism="discrete Gaussian on clipped gradients"),
        Method(name="cart", pays="nothing", model="CartModel"),
    )
}
DEFAULT = next(name for name, method in METHODS.items() if method.is_default)


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
