"""The methods of synthesis, by name.

Question: which methods are there, what do they pay with, and who reads a saved model?
Method: one record for each.
Limits: the figures of each method are in the documentation, next to each other.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from types import ModuleType
from typing import Any, Literal, cast

from privaudit.base.records import dataclass
from privaudit.releases.synthetic.engine.network import Network
from privaudit.releases.synthetic.methods.model import Fit, Model

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


_GAUSSIAN, _LAPLACE = "discrete Gaussian, exponential", "discrete Laplace, exponential"
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
