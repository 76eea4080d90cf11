"""What a synthesis costs, and who pays: the ledger, or nobody.

Question: which budget does a method get, and what is written into the ledger before the table is read?
Method: epsilon is declared; a method that pays in rho gets the largest rho whose conversion at delta is at most
epsilon. One entry covers the whole synthesis, and the comparison with the original where that is paid for, which has
noise of the same kind. A second table of children gets the declared share of both.
Limits: the choice of the method, of the domain and of the margins that a method may consider is not paid for: none of
them may depend on the table.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from privaudit.base.errors import ReleaseError, UnitNotGiven
from privaudit.base.records import dataclass
from privaudit.releases.privacy.account import Account
from privaudit.releases.privacy.accounting import exact, rho_of, rounded_up
from privaudit.releases.privacy.charges import Charge, Part
from privaudit.releases.privacy.ledger import ROW
from privaudit.releases.synthetic.budget import ROUNDING, Budget, ConcentratedBudget, PureBudget
from privaudit.releases.synthetic.domain import Children, Domain
from privaudit.releases.synthetic.methods.registry import Method


@dataclass(frozen=True, slots=True, kw_only=True)
class Payment:
    """What a synthesis pays.

    Attributes
    ----------
    charge : Charge
    total : Fraction
        Of rho or epsilon, for the synthesis.
    comparison : Fraction or None
        The same for the comparison.
    children : Children or None
        The second table.
    """

    method: Method
    charge: Charge
    total: Fraction
    unit: str
    rows_per_unit: int
    comparison: Fraction | None = None
    children: Children | None = None

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

    def budgets(self) -> tuple[Budget, ...]:
        """Return the budget of the synthesis of each table: of one, or of parents and of children."""
        return self._budgets(self.total)

    def comparison_budgets(self) -> tuple[Budget, ...]:
        """Return the budget of the comparison of each table.

        Raises
        ------
        ValueError
            If the comparison was not paid for.
        """
        if self.comparison is None:
            raise ValueError("the comparison was not paid for")
        return self._budgets(self.comparison)

    def _budgets(self, total: Fraction) -> tuple[Budget, ...]:
        if self.children is None:
            return (self._budget(total),)
        share = self.children.share
        return self._budget(total, 1 - share, 1), self._budget(total, share, self.children.most)

    def _budget(self, total: Fraction, share: float = 1.0, rows_per_unit: int | None = None) -> Budget:
        kind = ConcentratedBudget if self.method.pays == "rho" else PureBudget
        # A relative excess of rounding, which the budget allows, stays below what the ledger was charged.
        return kind(float(total) * share * (1 - 2 * ROUNDING), rows_per_unit=rows_per_unit or self.rows_per_unit)


def payment(
    method: Method,
    domain: Domain,
    account: Account,
    epsilon: float | str | Fraction,
    delta: float | None,
    comparison: float | str | Fraction | None = None,
) -> Payment:
    """Return what a synthesis at `epsilon`, and its comparison at epsilon `comparison`, charge to a ledger.

    Raises
    ------
    ReleaseError
        For a method that cannot be private, an epsilon that is not above 0, or a delta of 0 where noise needs one.
    UnitNotGiven
        If the unit of the ledger is a person and the domain names no person column, or another one.
    """
    if method.pays == "nothing":
        raise ReleaseError(f"Method {method.name} has no private form.", hint="use --no-privacy, or --method aim")
    amounts = [exact(each) for each in (epsilon, comparison) if each is not None]
    if min(amounts) <= 0:
        raise ReleaseError("epsilon must be above 0.", hint="for example --epsilon 1")
    unit, rows = _unit(domain, account)
    queries = (f"synthesis: {method.name}", "comparison: margins of one and two columns")
    if method.pays == "epsilon":
        allowed, costs = Fraction(0), amounts
        noises = (method.mechanism, "discrete Laplace")
    else:
        allowed = account.default_delta() if delta is None else exact(delta)
        if not 0 < allowed < 1:
            raise ReleaseError("delta must be between 0 and 1.", hint="for example --delta 1e-9")
        costs = [Fraction(rho_of(float(amount), float(allowed))) for amount in amounts]
        noises = (method.mechanism, "discrete Gaussian")
    parts = tuple(
        Part(
            query=query,
            mechanism=noise,
            sensitivity=Fraction(rows),
            epsilon=cost if method.pays == "epsilon" else None,
            rho=cost if method.pays == "rho" else None,
        )
        for query, noise, cost in zip(queries, noises, costs, strict=False)
    )
    return Payment(
        method=method,
        charge=Charge(parts=parts, delta=allowed),
        total=costs[0],
        unit=unit,
        rows_per_unit=rows,
        comparison=costs[1] if len(costs) > 1 else None,
        children=domain.children,
    )


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
