"""`privaudit.Synthesizer`: fit once, draw as often as needed, save as JSON.

Question: how does a program keep a generator instead of one table?
Method: `fit` reads a table and pays from the ledger, as `privaudit.synthesize` does; `sample` draws records and costs
nothing further, because it reads the fitted distribution only.
Limits: `fit` neither compares nor attacks; `privaudit.synthesize` does.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any, Self

from privaudit.base.arrow import pa
from privaudit.base.errors import ConfigError, guarded
from privaudit.releases.privacy.ledger import Ledger
from privaudit.releases.synthetic.domain import Domain
from privaudit.releases.synthetic.domain_file import domain_of
from privaudit.releases.synthetic.generator import Generator
from privaudit.releases.synthetic.methods.registry import DEFAULT, MAX_CELLS
from privaudit.releases.synthetic.run import fitted
from privaudit.releases.synthetic.task import Task, open_ledger


class Synthesizer:
    """A generator of synthetic tables.

    Parameters
    ----------
    domain : path, mapping or Domain
    method : str
    epsilon, delta : number, optional
    ledger : path or Ledger, optional
        Who pays; without one, ``no_privacy=True`` has to be stated.
    dataset : str, optional
    no_privacy : bool
    max_cells : int

    Examples
    --------
    >>> made = Synthesizer("people.toml", epsilon=1, ledger="people.ledger").fit("people.csv")   # doctest: +SKIP
    >>> made.sample(1_000).num_rows                                                               # doctest: +SKIP
    1000
    """

    def __init__(
        self,
        domain: str | Path | Mapping[str, Any] | Domain,
        *,
        method: str = DEFAULT,
        epsilon: Any = None,
        delta: float | None = None,
        ledger: str | Path | Ledger | None = None,
        dataset: str | None = None,
        no_privacy: bool = False,
        max_cells: int = MAX_CELLS,
    ) -> None:
        self.method = method
        self.generator: Generator | None = None
        opened = open_ledger(ledger, epsilon, no_privacy=no_privacy)
        self.domain = domain if isinstance(domain, Domain) else domain_of(domain)
        budget = {"epsilon": epsilon, "delta": delta, "ledger": opened, "dataset": dataset}
        self._task = partial(Task, domain=self.domain, method=method, max_cells=max_cells, **budget)

    def fit(self, source: Any, children: Any = None) -> Self:
        """Read a table, and pay for it.

        Parameters
        ----------
        source, children : path or table

        Raises
        ------
        PrivauditError
            As `privaudit.synthesize`.
        """
        task = self._task(source=source, children=children)
        with guarded("synthesis"):
            self.generator = fitted(task).generator
        return self

    def sample(self, n: int | None = None, *, seed: int | None = None) -> pa.Table:
        """Draw a table of `n` records (default: the estimated number of the original)."""
        return self._fitted.draw(n, seed)[0].table

    def sample_families(self, n: int | None = None, *, seed: int | None = None) -> tuple[pa.Table, pa.Table]:
        """Draw a table of `n` records, and that of their children.

        Raises
        ------
        ConfigError
            If the domain declares no children.
        """
        drawn = self._fitted.draw(n, seed)
        if len(drawn) == 1:
            raise ConfigError("There is no second table.", hint="declare [children] in the domain")
        return drawn[0].table, drawn[1].table

    def save(self, path: str | Path) -> None:
        """Write the fitted generator as JSON."""
        self._fitted.save(path)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a generator that was saved; it draws records and cannot be fitted again.

        Raises
        ------
        UnreadableSource
            If the file is not one.
        """
        return cls.of(Generator.load(path))

    @classmethod
    def of(cls, generator: Generator) -> Self:
        """Return the synthesizer of a fitted generator."""
        made = cls.__new__(cls)
        made.domain, made.method, made.generator = generator.domain, generator.method, generator
        made._task = partial(Task, domain=made.domain, method=made.method)
        return made

    @property
    def _fitted(self) -> Generator:
        if self.generator is None:
            raise ConfigError("The synthesizer is not fitted.", hint="call fit first")
        return self.generator

    def __repr__(self) -> str:
        return f"Synthesizer(method={self.method!r}, fitted={self.generator is not None})"
