"""What a release asks the ledger to spend: its mechanisms, and their cost together.

Question: what does a plan of several mechanisms cost?
Method: each `Part` states one mechanism with its epsilon or its rho; a `Charge` holds the parts of a plan that was
fixed before the first answer and states the smallest valid total (`accounting.cheapest`) and the sum of rho.
Limits: records only; the ledger decides.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from privaudit.releases.privacy.accounting import Total, cheapest, rho_of_pure, rounded_up


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One mechanism: exactly one of `epsilon` and `rho` is given.

    Attributes
    ----------
    query : str
        What is answered, in words of the plan: "mean of age". Never a value of the table.
    mechanism : str
        "discrete Laplace", "discrete Gaussian", "exponential", ...
    sensitivity : Fraction
        By how much one person can change the exact answer, in steps of its grid (L1 with epsilon, L2 with rho).
    epsilon, rho : Fraction, optional
    """

    query: str
    mechanism: str
    sensitivity: Fraction = Fraction(1)
    epsilon: Fraction | None = None
    rho: Fraction | None = None

    def __post_init__(self) -> None:
        cost = self.rho if self.epsilon is None else self.epsilon
        if (self.epsilon is None) == (self.rho is None) or cost is None or cost <= 0:
            raise ValueError("a mechanism states epsilon or rho, above 0")

    def content(self) -> dict[str, Any]:
        """Return the mechanism as it is written into the ledger and the certificate."""
        stated = {"epsilon": self.epsilon, "rho": self.rho}
        numbers = {name: rounded_up(value) for name, value in stated.items() if value is not None}
        return {
            "query": self.query,
            "mechanism": self.mechanism,
            "sensitivity": rounded_up(self.sensitivity),
            **numbers,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Charge:
    """The mechanisms of one plan, fixed before the first of them answers.

    Attributes
    ----------
    parts : tuple of Part
    delta : Fraction
        The delta that this plan may spend: 0 for pure epsilon, required above 0 where a part has rho.
    """

    parts: tuple[Part, ...]
    delta: Fraction = field(default=Fraction(0))

    def __post_init__(self) -> None:
        if not self.parts:
            raise ValueError("a charge has at least one mechanism")

    @property
    def epsilons(self) -> tuple[Fraction, ...]:
        """The costs of the mechanisms with pure epsilon."""
        return tuple(part.epsilon for part in self.parts if part.epsilon is not None)

    @property
    def rhos(self) -> tuple[Fraction, ...]:
        """The costs of the mechanisms with rho."""
        return tuple(part.rho for part in self.parts if part.rho is not None)

    @property
    def rho(self) -> Fraction:
        """The sum of rho, to which a mechanism of pure epsilon adds ``epsilon^2 / 2``."""
        return sum(self.rhos, Fraction(0)) + sum(map(rho_of_pure, self.epsilons), Fraction(0))

    def total(self) -> Total:
        """Return the smallest valid (epsilon, delta) of all mechanisms together.

        Raises
        ------
        ValueError
            For a mechanism with rho and a delta of 0.
        """
        return cheapest(self.epsilons, self.rhos, float(self.delta))
