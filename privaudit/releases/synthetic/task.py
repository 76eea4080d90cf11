"""What a synthesis is asked for.

Question: which table, domain, method and budget does a run have?
Method: one record; the ledger, or the statement that there is none, decides about privacy.
Limits: nothing is read here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from fractions import Fraction
from pathlib import Path
from typing import Any

from privaudit.base.errors import ConfigError
from privaudit.base.records import dataclass
from privaudit.releases.privacy.ledger import Ledger
from privaudit.releases.synthetic.domain import Domain
from privaudit.releases.synthetic.generator import Generator
from privaudit.releases.synthetic.methods.registry import DEFAULT, MAX_CELLS, METHODS, Method
from privaudit.settings.config import Progress, Settings, silent


def open_ledger(ledger: str | Path | Ledger | None, epsilon: object, *, no_privacy: bool) -> Ledger | None:
    """Return the opened ledger that is charged, or None for a synthesis without privacy.

    Raises
    ------
    ConfigError
        Unless either epsilon and a ledger are given, or `no_privacy` alone.
    """
    given = (epsilon is not None, ledger is not None)
    if given != ((False, False) if no_privacy else (True, True)):
        raise ConfigError(
            "Use epsilon and a ledger together, or no_privacy alone.", hint="privaudit ledger new creates a ledger"
        )
    return None if ledger is None else Ledger.open(ledger)


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """What is synthesised: the arguments of `privaudit.synthesize`, and what follows from them.

    Attributes
    ----------
    ledger : Ledger, optional
        Opened, by `open_ledger`; None without privacy.
    n_rows : int, optional
        Records that are written (default: the estimated number of the source).
    target : str, optional
        The column that models predict (default: the last modelled column with two to twenty values).
    keep : callable, optional
        Is given the fitted generator before anything is drawn: what follows may fail, and the generator is paid for.
    """

    source: Any
    domain: Domain
    method: str = DEFAULT
    epsilon: float | str | Fraction | None = None
    delta: float | None = None
    ledger: Ledger | None = None
    paid_comparison: float | str | Fraction | None = None
    dataset: str | None = None
    children: Any = None
    hold_out: float = 0.0
    control: Any = None
    n_rows: int | None = None
    max_cells: int = MAX_CELLS
    target: str | None = None
    seed: int | None = None
    keep: Callable[[Generator], None] | None = None
    settings: Settings = field(default_factory=Settings)
    progress: Progress = silent

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise ConfigError(f"Unknown method. Use one of: {', '.join(METHODS)}.")
        if not 0 <= self.hold_out < 1:
            raise ConfigError("The share of records that are held out must be at least 0 and below 1.")
        if (self.children is None) != (self.domain.children is None):
            raise ConfigError(
                "A second table needs [children] in the domain, and the domain a second table.", hint="--children FILE"
            )
        if self.paid_comparison is not None and self.ledger is None:
            raise ConfigError("A comparison that is paid for needs a ledger.", hint="--epsilon E --ledger FILE")
        if self.target is not None and self.target not in self.domain.names:
            raise ConfigError("The target is not a modelled column of the domain.")

    @property
    def found_method(self) -> Method:
        """The record of the method."""
        return METHODS[self.method]
