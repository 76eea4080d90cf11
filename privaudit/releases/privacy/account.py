"""What a ledger holds: its declaration, its entries, what is spent, and what a plan costs in it.

Question: how much of the budget is left?
Method: the entries that were not refused are added exactly, as the decimal numbers that the file states. A line whose
hash fits may still state anything, because the chain has no key: the type of every number and text is checked.
Limits: reads checked lines only; `ledger_file` checks them, `ledger` writes new ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal, cast

from privaudit.base.errors import LedgerError, ReleaseError, UnreadableSource
from privaudit.base.records import dataclass
from privaudit.base.typed import convert
from privaudit.model.headers import shown_file
from privaudit.releases.privacy import ledger_file
from privaudit.releases.privacy.accounting import exact, rho_of_pure, rounded_up
from privaudit.releases.privacy.charges import Charge
from privaudit.report import files

Adds = Literal["epsilon", "rho"]
Budget = Literal["epsilon", "delta", "rho"]
_COST = {"epsilon": float, "delta": float, "rho": float}
_HEAD = {"id": str, "time": str, "dataset": str, "unit": str, "adds": Adds, **_COST}
_ENTRY = {
    "entry": int,
    "time": str,
    "state": Literal["spent", "refused"],
    "queries": tuple[Mapping[str, Any], ...],
    **_COST,
}
SHARE_OF_DELTA = 10
"""A plan that declares no delta spends this part of the ledger's delta."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """Which entry of which ledger paid for a release; it is part of the certificate."""

    ledger: str
    dataset: str
    unit: str
    entry: int
    hash: str

    @classmethod
    def parse(cls, stated: Any) -> Receipt:
        """Return the receipt that a certificate states under "ledger".

        Raises
        ------
        UnreadableSource
            If it is not one.
        """
        try:
            receipt: Receipt = convert(stated, cls)
        except TypeError:
            raise UnreadableSource("The certificate names no entry of a ledger.") from None
        return receipt

    @classmethod
    def parse_all(cls, stated: Any) -> tuple[Receipt, ...]:
        """Return all receipts under "ledger": none, one, or that of each party of a federated model."""
        if stated is None:
            return ()
        return tuple(map(cls.parse, stated if isinstance(stated, list) else [stated]))

    @classmethod
    def read(cls, path: Path) -> tuple[Receipt, ...]:
        """Return the receipts in the certificate of a release of any kind.

        Raises
        ------
        UnreadableSource
            If the file is not a certificate with a receipt.
        """
        refusal = UnreadableSource(f"{shown_file(path)} is not a certificate with an entry of a ledger.")
        found = files.read_json(path, lambda content: cls.parse_all(content["ledger"]), refusal)
        if not found:
            raise refusal
        return found

    def content(self) -> dict[str, Any]:
        """Return the receipt as it is written into a certificate."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """What a ledger holds: its declaration, its entries, and what is spent.

    Attributes
    ----------
    head : mapping
        Id, dataset, unit, epsilon, delta, adds, time and versions.
    entries : tuple of mapping
        In order; ``state`` is "spent" or "refused".
    """

    head: Mapping[str, Any]
    entries: tuple[Mapping[str, Any], ...]

    @property
    def adds(self) -> Adds:
        """What is added across plans."""
        return cast("Adds", self.head["adds"])

    @property
    def unit(self) -> str:
        """The person column, or "row"."""
        return str(self.head["unit"])

    @property
    def dataset(self) -> str:
        """The declared name of the dataset."""
        return str(self.head["dataset"])

    @property
    def last_hash(self) -> str:
        """The hash of the last line."""
        return str((self.entries[-1] if self.entries else self.head)["hash"])

    def budget(self, name: Budget) -> Fraction:
        """Return the budget of epsilon, delta or rho; the last is 0 where epsilon is added."""
        return exact(self.head[name])

    def spent(self, name: Budget) -> Fraction:
        """Return the sum of epsilon, delta or rho over all entries that were not refused."""
        # Fractions: ten entries of 0.1 use exactly 1, which ten floats would miss by rounding.
        used = (entry for entry in self.entries if entry["state"] == "spent")
        return sum((exact(entry[name]) for entry in used), Fraction(0))

    def left(self, name: Budget) -> Fraction:
        """Return what is left of epsilon, delta or rho."""
        return self.budget(name) - self.spent(name)

    def more(self, epsilon: Fraction) -> int:
        """Return how many further queries of pure `epsilon`, each in a plan of its own, the budget allows."""
        if self.adds == "rho":
            return int(self.left("rho") / rho_of_pure(epsilon))
        return int(self.left("epsilon") / epsilon)

    def affords(self, cost: Mapping[str, float]) -> bool:
        """Whether the budget allows a further plan of this cost."""
        return not self.exceeded(cost)

    def exceeded(self, cost: Mapping[str, float]) -> tuple[Budget, ...]:
        """Return which of the sums that are added across plans a further plan of this cost would exceed."""
        names: tuple[Budget, ...] = ("rho",) if self.adds == "rho" else ("epsilon", "delta")
        return tuple(name for name in names if exact(cost[name]) > self.left(name))

    def default_delta(self) -> Fraction:
        """Return the delta of a plan with Gaussian noise that declares none: a tenth of the budget.

        Raises
        ------
        ReleaseError
            If the ledger has delta 0.
        """
        if self.budget("delta") == 0:
            raise ReleaseError(
                "The ledger has delta 0, and Gaussian noise needs a delta above 0.",
                hint="use pure epsilon, or create the ledger with --delta",
            )
        return self.budget("delta") / SHARE_OF_DELTA

    def of_this_ledger(self, receipts: Sequence[Receipt]) -> list[Receipt]:
        """Return the receipts that name this ledger: each party of a federated model has one of its own."""
        return [receipt for receipt in receipts if receipt.ledger == self.head["id"]]

    def entry_of(self, receipt: Receipt) -> Mapping[str, Any] | None:
        """Return the entry that paid what a receipt states; None where this ledger lacks it or refused it."""
        declared = (receipt.ledger, receipt.dataset, receipt.unit) == (self.head["id"], self.dataset, self.unit)
        if not declared or not 1 <= receipt.entry <= len(self.entries):
            return None
        entry = self.entries[receipt.entry - 1]
        # The hash of the entry, not the number alone: an older copy can hold another entry of the same number.
        return entry if entry["hash"] == receipt.hash and entry["state"] == "spent" else None


def account_of(path: Path, content: bytes) -> Account:
    """Return what the bytes of a ledger state.

    Raises
    ------
    LedgerError
        If a line was edited, removed or cut, or the file is not a ledger.
    """
    head, *entries = ledger_file.lines(path, content)
    try:
        is_ledger = head["schema"] == ledger_file.SCHEMA and _states(head, _HEAD)
        for number, entry in enumerate(entries, 1):
            is_ledger &= _states(entry, _ENTRY) and entry["entry"] == number
            is_ledger &= all("query" in query for query in entry["queries"])
    except (KeyError, TypeError, ValueError, OverflowError):
        is_ledger = False
    if not is_ledger:
        raise LedgerError(f"{shown_file(path)} is not a ledger of privaudit.", hint="check the path")
    return Account(head=head, entries=tuple(entries))


def _states(line: Mapping[str, Any], forms: Mapping[str, Any]) -> bool:
    """Whether no cost in a line is negative; raises where a value is missing or has another type."""
    for name, form in forms.items():
        convert(line[name], form)
    return all(line[name] >= 0 for name in _COST)


def cost_of(account: Account, charge: Charge) -> dict[str, float]:
    """Return what the charge costs in this ledger: epsilon and delta, and rho."""
    if charge.rhos and charge.delta == 0:
        account.default_delta()
        raise ReleaseError("A plan with Gaussian noise needs a delta above 0.", hint="declare delta in the plan")
    total = charge.total()
    return {"epsilon": total.epsilon, "delta": total.delta, "rho": rounded_up(charge.rho)}
