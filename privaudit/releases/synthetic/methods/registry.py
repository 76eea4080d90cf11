"""The methods of synthesis, by name.

Question: which methods are there, what do they pay with, and who reads a saved model?
Method: one record for each.
Limits: the figures of each method are in the documentation, next to each other.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any, Literal, cast

from privaudit.base.records import dataclass
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
    fit_in, model_in : str
        ``module:name`` of the function that fits, and of the class whose ``of`` reads a saved model.
    mechanism : str
        What adds noise, as the ledger states it.
    is_default : bool
    """

    name: str
    pays: Pays
    fit_in: str
    model_in: str = "networks:NetworkModel"
    mechanism: str = ""
    is_default: bool = False

    @property
    def fit(self) -> Fit:
        """The function that fits a model."""
        return cast("Fit", _named(self.fit_in))

    def load(self, content: Mapping[str, Any]) -> Model:
        """Return the saved model."""
        of = cast("Callable[[Mapping[str, Any]], Model]", _named(self.model_in).of)
        return of(content)


def _named(place: str) -> Any:
    module, _, name = place.partition(":")
    return getattr(importlib.import_module(f"{_PACKAGE}.{module}"), name)


_GAUSSIAN, _LAPLACE = "discrete Gaussian, exponential", "discrete Laplace, exponential"
METHODS = {
    method.name: method
    for method in (
        Method(name="aim", pays="rho", fit_in="aim:fit_aim", mechanism=_GAUSSIAN, is_default=True),
        Method(name="privbayes", pays="epsilon", fit_in="privbayes:fit_privbayes", mechanism=_LAPLACE),
        Method(name="mst", pays="rho", fit_in="mst:fit_mst", mechanism=_GAUSSIAN),
        Method(name="independent", pays="epsilon", fit_in="independent:fit_independent", mechanism="discrete Laplace"),
        Method(
            name="gan",
            pays="rho",
            fit_in="gan:fit_gan",
            model_in="gan:GanModel",
            mechanism="discrete Gaussian on clipped gradients",
        ),
        Method(name="cart", pays="nothing", fit_in="cart:fit_cart", model_in="cart:CartModel"),
    )
}
DEFAULT = next(name for name, method in METHODS.items() if method.is_default)
