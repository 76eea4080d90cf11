"""The ledger: one file for each dataset, which holds its budget and is the only door to its data.

Question: how much of the budget is spent, and may this plan still be answered?
Method: `Ledger.spend` locks the file, checks the chain of hashes, adds the cost of the plan to what was spent, writes
the entry and flushes it to disk; only then it calls the function that reads the table, and hands the table over in a
`Door` that opens once. A plan that exceeds the budget leaves a refused entry and no door.
Across plans, which may be chosen after earlier answers, the ledger adds epsilon and delta, or it adds rho, as was
declared when it was created; both are valid privacy filters (Rogers et al. 2016; Whitehouse et al. 2023).
Limits: the dataset is bound by declaration, because a hash of its content would disclose it and would change with
every corrected cell. A ledger that was replaced by an older copy is intact; only a certificate that names a later entry
reveals it.

Examples
--------
>>> ledger = Ledger.create("people.ledger", dataset="people", epsilon=3, delta=1e-9)    # doctest: +SKIP
>>> charge = Charge(parts=(Part(query="count of rows", mechanism="discrete Laplace", epsilon=exact(0.1)),))
>>> door = ledger.spend(charge, lambda: table)                                            # doctest: +SKIP
>>> door.open()        # the table, once                                                  # doctest: +SKIP
"""

from __future__ import annotations

import math
import os
import platform
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, Generic, NoReturn, TypeVar

from privaudit._version import __version__
from privaudit.base import clock, spending
from privaudit.base.errors import BudgetExceeded, ConfigError, LedgerError, ReleaseError
from privaudit.model.headers import shown_file
from privaudit.releases.privacy import ledger_file
from privaudit.releases.privacy.account import Account, Adds, Receipt, account_of, cost_of
from privaudit.releases.privacy.accounting import rho_of
from privaudit.releases.privacy.charges import Charge, Part

__all__ = ["Account", "Charge", "Door", "Ledger", "Part", "Receipt"]

T = TypeVar("T")
ROW = "row"


class Door(Generic[T]):
    """The data of a paid plan, handed over once. Only `Ledger.spend` makes doors.

    Attributes
    ----------
    receipt : Receipt
    """

    def __init__(self, receipt: Receipt, read: Callable[[], T], *, proof: object) -> None:
        if proof is not _PROOF:
            raise TypeError("a door is made by Ledger.spend only")
        self.receipt = receipt
        self._read: Callable[[], T] | None = read

    def open(self) -> T:
        """Return the data.

        Raises
        ------
        ReleaseError
            The second time: what was paid once is answered once.
        """
        # Closed before the data are read: an error on the way does not leave the door open for a second answer.
        read, self._read = self._read, None
        if read is None:
            raise ReleaseError("This entry of the ledger was answered already.", hint="spend again")
        return read()


_PROOF = object()


class Ledger:
    """The budget of one dataset, in a file. Copies of this object are the same ledger.

    Parameters
    ----------
    path : path
        A ledger that exists; `Ledger.create` makes one.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path).absolute()

    @classmethod
    def create(
        cls,
        path: str | os.PathLike[str],
        *,
        dataset: str,
        unit: str = ROW,
        epsilon: float | str | Fraction,
        delta: float | str | Fraction = 0,
        adds: Adds = "epsilon",
    ) -> Ledger:
        """Create the ledger of a dataset; its budget cannot be changed later.

        Parameters
        ----------
        path : path
            A file that does not exist.
        dataset : str
            The name by which every release declares that it reads this dataset.
        unit : str, default "row"
            What one unit of protection is: a row, or a person, by the column with the person ID.
        epsilon, delta : number, or its text
        adds : {"epsilon", "rho"}
            What is added across plans: epsilon and delta, or rho, whose budget is `accounting.rho_of`. The latter needs
            a delta above 0 and allows more plans with Gaussian noise, and fewer with Laplace noise.

        Raises
        ------
        LedgerError
            If the file exists or cannot be written.
        ConfigError
            For a budget out of bounds.
        """
        budget, excess = _number(epsilon), _number(delta)
        _check_budget(budget, excess, adds, dataset, unit)
        head = {
            "schema": ledger_file.SCHEMA,
            "id": secrets.token_hex(8),
            "time": clock.stamp(),
            "dataset": dataset,
            "unit": unit,
            "epsilon": budget,
            "delta": excess,
            "rho": rho_of(budget, excess) if adds == "rho" else 0.0,
            "adds": adds,
            "versions": _versions(),
        }
        ledger_file.create(Path(path), head)
        return cls(path)

    @classmethod
    def open(cls, path: str | os.PathLike[str] | Ledger, *, certified: Iterable[Sequence[Receipt]] = ()) -> Ledger:
        """Open a ledger and check its chain of hashes.

        Parameters
        ----------
        certified : iterable of sequences of Receipt
            Of each certificate, the receipts; those that name this ledger, or all where none does, must be in it.

        Raises
        ------
        LedgerError
            If the file is missing, edited or cut, or lacks the entry of a receipt.
        """
        ledger = path if isinstance(path, Ledger) else cls(path)
        account = ledger.account()
        for receipt in (one for receipts in certified for one in account.of_this_ledger(receipts) or receipts):
            if account.entry_of(receipt) is None:
                raise LedgerError(
                    f"{shown_file(ledger.path)} lacks entry {receipt.entry:,} of the certificate.",
                    hint="it is another ledger, or an older copy of this one: restore the newest copy",
                )
        return ledger

    def account(self) -> Account:
        """Return the declaration, the entries and the sums, after checking every line.

        Raises
        ------
        LedgerError
        """
        with ledger_file.locked(self.path, writing=False) as file:
            return account_of(self.path, file.read())

    def spend(
        self, charge: Charge, read: Callable[[], T], *, dataset: str | None = None, rows_per_unit: int | None = None
    ) -> Door[T]:
        """Write the cost of a plan into the ledger, and return the door to the data.

        Parameters
        ----------
        charge : Charge
            Every mechanism of the plan.
        read : callable
            Returns the table; it is called by `Door.open`, after the entry is on disk.
        dataset : str, optional
            The declared dataset of the plan; must be that of the ledger.
        rows_per_unit : int, optional
            Where the unit is a person: the most rows of a person that the plan reads.

        Raises
        ------
        BudgetExceeded
            If the plan costs more than is left. The refusal is an entry, unless the ledger is longer than refusals may
            make it.
        LedgerError
            If the ledger is damaged or of another dataset.
        """
        with ledger_file.locked(self.path) as file:
            content = file.read()
            account = account_of(self.path, content)
            if dataset is not None and dataset != account.dataset:
                raise LedgerError(
                    f"{shown_file(self.path)} is the ledger of another dataset than the plan declares.",
                    hint="use the ledger of this dataset, or correct the name of the dataset",
                )
            # Read, decided and written under one lock: two runs at the same time cannot spend the same budget.
            cost = cost_of(account, charge)
            is_paid = account.affords(cost)
            entry = _entry(account, charge, cost, "spent" if is_paid else "refused", rows_per_unit)
            line = ledger_file.line_of(entry, account.last_hash)
            is_written = is_paid or len(content) + len(line) < ledger_file.MOST_BYTES_WITH_REFUSALS
            if is_written:
                file.append(line)
        if not is_paid:
            _refuse(account, cost, is_written)
        spending.record(spending.Charged(account.dataset, entry["entry"], cost["epsilon"], cost["delta"]))
        receipt = Receipt(
            ledger=account.head["id"],
            dataset=account.dataset,
            unit=account.unit,
            entry=entry["entry"],
            hash=line[-66:-2],
        )
        return Door(receipt, read, proof=_PROOF)

    def __copy__(self) -> Ledger:
        return self

    def __deepcopy__(self, memo: Any) -> Ledger:
        # scikit-learn clones the parameters of an estimator: a copy must not have a budget of its own.
        return self

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ledger) and other.path == self.path

    def __hash__(self) -> int:
        return hash(self.path)

    def __repr__(self) -> str:
        return f"Ledger({self.path.name!r})"


def _number(value: float | str | Fraction) -> float:
    """Return a budget as the ledger states it: the file holds finite floats only."""
    try:
        found = float(value)
    except (ValueError, OverflowError):
        found = math.nan
    if not math.isfinite(found):
        raise ConfigError("epsilon and delta must be numbers.", hint="for example --epsilon 1 --delta 1e-9")
    return found


def _check_budget(epsilon: float, delta: float, adds: str, dataset: str, unit: str) -> None:
    if epsilon <= 0:
        raise ConfigError("The epsilon of a ledger must be above 0.", hint="for example --epsilon 1")
    if not 0 <= delta < 1:
        raise ConfigError("The delta of a ledger must be at least 0 and below 1.", hint="for example --delta 1e-9")
    if adds not in ("epsilon", "rho"):
        raise ConfigError("A ledger adds epsilon or rho.", hint="adds = epsilon or rho")
    if adds == "rho" and delta == 0:
        raise ConfigError("A ledger that adds rho needs a delta above 0.", hint="for example --delta 1e-9")
    if not dataset.strip() or not unit.strip():
        raise ConfigError("A ledger needs the name of its dataset and its unit.", hint="--dataset NAME --unit row")


def _entry(
    account: Account, charge: Charge, cost: Mapping[str, float], state: str, rows_per_unit: int | None
) -> dict[str, Any]:
    return {
        "entry": len(account.entries) + 1,
        # An entry that is written again after a restored copy has another hash, even in the same second.
        "id": secrets.token_hex(8),
        "time": clock.stamp(),
        "state": state,
        "unit": account.unit,
        "rows_per_unit": rows_per_unit,
        "queries": [part.content() for part in charge.parts],
        **cost,
        "versions": _versions(),
    }


def _refuse(account: Account, cost: Mapping[str, float], is_written: bool) -> NoReturn:
    over = account.exceeded(cost)[0]
    raise BudgetExceeded(
        f"The plan costs {over} {cost[over]:.4g}; {float(account.left(over)):.4g} of {float(account.budget(over)):.4g} "
        f"is left. The refusal was {'' if is_written else 'not '}written into the ledger"
        f"{'' if is_written else ', which has too many'}.",
        hint="reduce the plan: privaudit ledger show prints what is left",
    )


def _versions() -> dict[str, str]:
    import numpy as np

    return {"privaudit": __version__, "python": platform.python_version(), "numpy": np.__version__}
