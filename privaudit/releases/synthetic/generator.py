"""A fitted generator of synthetic tables: domain, method, model; it draws tables and is saved as JSON.

Question: what is kept after the table was read, and how are more records drawn from it?
Method: the table is coded by the domain and one method fits its model within the budget. A second table, of children,
has a model of its own over its columns and those of the parent; the records of a child are drawn for each parent from
synthetic records that agree with it.
Limits: a saved model is as public as the tables that are drawn from it, if it was fitted with privacy, and as
confidential as the original otherwise.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from privaudit._version import __version__
from privaudit.base.errors import ConfigError, UnreadableSource
from privaudit.base.records import dataclass
from privaudit.model.headers import shown_file
from privaudit.releases.synthetic.budget import Budget
from privaudit.releases.synthetic.children import ChildModel
from privaudit.releases.synthetic.domain import Domain
from privaudit.releases.synthetic.domain_file import parse_domain
from privaudit.releases.synthetic.engine.margins import CodedTable
from privaudit.releases.synthetic.methods.registry import METHODS, Bounds, Method, Model
from privaudit.releases.synthetic.writing import Written, written
from privaudit.report import files

SCHEMA = "privaudit synthesizer 1"
MOST_BYTES = 512 * 1024 * 1024
MOST_ROWS = 100_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Generator:
    """A fitted generator.

    Attributes
    ----------
    domain : Domain
    method : str
    model : Model
    total : float
        Estimated number of records of the original.
    children : ChildModel, optional
    privacy : mapping or None
        Epsilon, delta, rho and unit; None without privacy.
    margins : tuple of tuple of str
        The sets of columns that were measured together.
    n_cut : int
        The sets of columns that the bound of cells excluded.
    """

    domain: Domain
    method: str
    model: Model
    total: float
    children: ChildModel | None = None
    privacy: Mapping[str, Any] | None = None
    margins: tuple[tuple[str, ...], ...] = ()
    n_cut: int = 0

    def draw(self, n: int | None = None, seed: int | None = None) -> tuple[Written, ...]:
        """Draw a table, and that of the children where there is one.

        Parameters
        ----------
        n : int, optional
            Number of records (default: the estimated number of the original).
        seed : int, optional
            Of the draw; it decides nothing about privacy.
        """
        wanted = max(1, round(self.total)) if n is None else n
        if not 0 < wanted <= MOST_ROWS:
            raise ConfigError(f"Between 1 and {MOST_ROWS:,} records can be drawn.")
        random = np.random.default_rng(seed)
        if self.children is None:
            return (written(self.domain, lambda m: self.model.sample(m, random), wanted, random),)
        return self.children.draw(self.domain, self.model, wanted, random)

    def save(self, path: str | Path) -> None:
        """Write the generator as JSON.

        Raises
        ------
        ConfigError
            If the file cannot be written.
        """
        files.check(Path(path))
        files.replace(Path(path), json.dumps(self.content(), ensure_ascii=False, allow_nan=False) + "\n")

    def content(self) -> dict[str, Any]:
        """Return the generator as values of JSON."""
        return {
            "schema": SCHEMA,
            "tool": {"name": "privaudit", "version": __version__},
            "method": self.method,
            "privacy": None if self.privacy is None else dict(self.privacy),
            "total": self.total,
            "domain": self.domain.stated,
            "model": self.model.content(),
            "children": None if self.children is None else self.children.content(),
            "margins": [list(names) for names in self.margins],
            "n_cut": self.n_cut,
        }

    @classmethod
    def load(cls, path: str | Path) -> Generator:
        """Read a generator.

        Raises
        ------
        UnreadableSource
            If the file is not one.
        """
        file = Path(path)
        refusal = UnreadableSource(f"{shown_file(file)} is not a synthesizer of privaudit.")
        return files.read_json(file, lambda content: cls._of(content, shown_file(file)), refusal, most_bytes=MOST_BYTES)

    @classmethod
    def _of(cls, content: Mapping[str, Any], name: str) -> Generator:
        if content["schema"] != SCHEMA:
            raise ValueError("another kind of file")
        domain = parse_domain(content["domain"], name)
        method = METHODS[content["method"]]
        model = method.load(content["model"])
        children = content["children"]
        made = None if children is None else ChildModel.of(children, method, domain)
        # A file that was edited must fail here, not draw records of another domain.
        if model.sizes != (domain.sizes if made is None else made.parent_sizes):
            raise ValueError("the model does not fit its domain")
        return cls(
            domain=domain,
            method=method.name,
            model=model,
            total=float(content["total"]),
            children=made,
            privacy=content["privacy"],
            margins=tuple(map(tuple, content["margins"])),
            n_cut=int(content["n_cut"]),
        )


def fit(
    method: Method,
    domain: Domain,
    tables: Sequence[CodedTable],
    budgets: Sequence[Budget],
    bounds: Bounds,
    *,
    privacy: Mapping[str, Any] | None,
) -> Generator:
    """Fit a generator to one coded table, or to parents, the last column of which counts children, and children."""
    fitted, *of_children = (method.fit(*each, bounds) for each in zip(tables, budgets, strict=True))
    names = (*domain.names, "")
    return Generator(
        domain=domain,
        method=method.name,
        model=fitted.model,
        total=fitted.total,
        children=ChildModel(of_children[0].model, domain.children) if domain.children is not None else None,
        privacy=privacy,
        # The number of children is a column of the model only; what is published names declared columns.
        margins=tuple(tuple(names[c] for c in columns if c < len(domain.names)) for columns in fitted.margins),
        n_cut=fitted.n_cut,
    )
