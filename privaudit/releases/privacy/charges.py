"""What a release asks the ledger to spend: its mechanisms, and their cost together.

Question: what does a plan of several mechanisms cost?
Method: each `Part` states one mechanism with its epsilon or its rho; a `Charge` holds the parts of a plan that was
fixed before the first answer and states the smallest valid total (`accounting.cheapest`) and the sum of rho.
Limits: records only; the ledger decides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import field
from fractions import Fraction
from itertools import zip_longest
from typing import Any

from privaudit.base.records import dataclass
from privaudit.releases.privacy.accounting import Total, cheapest, rho_of_pure, rounded_up


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One mechanism: exactly one of `epsilon` and `rho` is given.

    Attributes
    ----------
    query : str
        What is answered, in words of the plan: "mean of age". Never a value of the table.
    mechanism : str
        "discrete Laplace", "discrete Gaussian", "permute and flip", ...
    sensitivity : Fraction
        By how much one person can change the exact answer, in steps of its grid (L1 with epsilon, L2 with rho).
    epsilon, rho : Fraction, optional
    rows : (str, str), optional
        The row set that the query reads, as a column and one of its declared categories. Parts with different
        categories of one column read disjoint rows and compose in parallel. Only where the unit is a row: the rows of
        a person may be in several sets.
    """

    query: str
    mechanism: str
    sensitivity: Fraction = Fraction(1)
    epsilon: Fraction | None = None
    rho: Fraction | None = None
    rows: tuple[str, str] | None = None

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
            **({} if self.rows is None else {"rows": " = ".join(self.rows)}),
        }


def laplace_part(query: str, epsilon: Fraction, sensitivity: int) -> Part:
    """Return what integers with discrete Laplace noise cost."""
    return Part(query=query, mechanism="discrete Laplace", epsilon=epsilon, sensitivity=Fraction(sensitivity))


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
        """The costs of the mechanisms with pure epsilon, those on disjoint row sets counted once."""
        return _composed(self.parts, lambda part: part.epsilon)

    @property
    def rhos(self) -> tuple[Fraction, ...]:
        """The costs of the mechanisms with rho, those on disjoint row sets counted once."""
        return _composed(self.parts, lambda part: part.rho)

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


def _composed(parts: Iterable[Part], cost: Callable[[Part], Fraction | None]) -> tuple[Fraction, ...]:
    """Return costs that dominate those of every row set: a row is in one set of each column only.

    The costs of the sets of a column are sorted and compared one by one; the larger of each place counts.
    """
    sets: dict[str | None, dict[str, list[Fraction]]] = {}
    for part in parts:
        found = cost(part)
        if found is not None:
            column, value = part.rows or (None, "")
            sets.setdefault(column, {}).setdefault(value, []).append(found)
    ranked = ([sorted(costs, reverse=True) for costs in by_value.values()] for by_value in sets.values())
    return tuple(max(place) for each in ranked for place in zip_longest(*each, fillvalue=Fraction(0)))
