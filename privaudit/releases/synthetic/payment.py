"""What a synthesis costs, and who pays: the ledger, or nobody.

Question: which budget does a method get, and what is written into the ledger before the table is read?
Method: epsilon is declared; a method that pays in rho gets the largest rho whose conversion at delta is at most
epsilon. One entry covers the whole synthesis. A second table of children gets the declared share of the budget.
Limits: the choice of the method, of the domain and of the margins that a method may consider is not paid for: none of
them may depend on the table.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from privaudit.base.errors import ReleaseError, UnitNotGiven
from privaudit.releases.privacy.account import Account
from privaudit.releases.privacy.accounting import exact, rho_of, rounded_up
from privaudit.releases.privacy.charges import Charge, Part
from privaudit.releases.privacy.ledger import ROW
from privaudit.releases.synthetic.budget import ROUNDING, Budget, ConcentratedBudget, OpenBudget, PureBudget
from privaudit.releases.synthetic.domain import Domain
from privaudit.releases.synthetic.methods.registry import Method


@dataclass(frozen=True, slots=True, kw_only=True)
class Payment:
    """What a synthesis pays.

    Attributes
    ----------
    charge : Charge
    total : Fraction
        Of rho or epsilon.
    """

    method: Method
    charge: Charge
    total: Fraction
    unit: str
    rows_per_unit: int

    @property
    def privacy(self) -> dict[str, Any]:
        """What the certificate states."""
        cost = self.charge.total()
        return {
            "epsilon": cost.epsilon,
            "delta": cost.delta,
            "rho": rounded_up(self.charge.rho),
            "unit": self.unit,
            "rows_per_unit": self.rows_per_unit,
            "mechanism": self.method.mechanism,
        }

    def budget(self, share: float = 1.0, *, rows_per_unit: int | None = None) -> Budget:
        """Return a part of the budget."""
        kind = ConcentratedBudget if self.method.pays == "rho" else PureBudget
        # A relative excess of rounding, which the budget allows, stays below what the ledger was charged.
        return kind(
            float(self.total) * share * (1 - 2 * ROUNDING), rows_per_unit=rows_per_unit or self.rows_per_unit
        )


def payment(
    method: Method, domain: Domain, account: Account, epsilon: float | str | Fraction, delta: float | None
) -> Payment:
    """Return what a synthesis at `epsilon` charges to a ledger.

    Raises
    ------
    ReleaseError
        For a method that cannot be private, an epsilon that is not above 0, or a delta of 0 where noise needs one.
    UnitNotGiven
        If the unit of the ledger is a person and the domain names no person column, or another one.
    """
    if method.pays == "nothing":
        raise ReleaseError(
            f"Method {method.name} has no private form.", hint="use --no-privacy, or --method aim"
        )
    amount = exact(epsilon)
    if amount <= 0:
        raise ReleaseError("epsilon must be above 0.", hint="for example --epsilon 1")
    unit, rows = _unit(domain, account)
    query = f"synthesis: {method.name}"
    sensitivity = Fraction(rows)
    if method.pays == "epsilon":
        part = Part(query=query, mechanism=method.mechanism, sensitivity=sensitivity, epsilon=amount)
        return Payment(
            method=method, charge=Charge(parts=(part,)), total=amount, unit=unit, rows_per_unit=rows
        )
    allowed = account.default_delta() if delta is None else exact(delta)
    if not 0 < allowed < 1:
        raise ReleaseError("delta must be between 0 and 1.", hint="for example --delta 1e-9")
    rho = Fraction(rho_of(float(amount), float(allowed)))
    part = Part(query=query, mechanism=method.mechanism, sensitivity=sensitivity, rho=rho)
    charge = Charge(parts=(part,), delta=allowed)
    return Payment(method=method, charge=charge, total=rho, unit=unit, rows_per_unit=rows)


def _unit(domain: Domain, account: Account) -> tuple[str, int]:
    """Return the unit, and the most records of one unit that are read."""
    children = domain.children
    if account.unit == ROW:
        if domain.person is not None or children is not None:
            raise ReleaseError(
                "The domain protects people, and the unit of the ledger is a row.",
                hint="create the ledger with --unit and the name of the person column",
            )
        return ROW, 1
    named = domain.person if children is None else children.key
    if named != account.unit:
        raise UnitNotGiven(
            "The unit of the ledger is a person, and the domain does not name that column.",
            hint="state person and rows_per_person in the domain",
        )
    return account.unit, domain.rows_per_person


def open_budget() -> Budget:
    """Return the budget of a synthesis without privacy."""
    return OpenBudget()
