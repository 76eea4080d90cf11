"""What a synthesis states: how it was made, and how the made table compares with the original.

The comparison is internal: its numbers come from private rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from privaudit.base.records import dataclass
from privaudit.base.wire import Wire, assembled
from privaudit.model.stats import Estimate

Matrix = tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnComparison(Wire):
    """One column before and after.

    Attributes
    ----------
    labels : tuple of str
        Declared categories or bands, and "missing" where it is one.
    before, after : tuple of float
        Shares of the labels.
    distance : float
        Total variation distance of both: half the sum of differences.
    mean, spread : tuple of float, optional
        Mean and standard deviation before and after, of numbers and dates, in units of codes.
    cumulative : tuple of (float, float)
        For an order: shares up to the end of each group of neighbouring bands with at least 11 records before.
    cumulative_to : tuple of str
        The label of the last band of each of these groups.
    """

    column: str
    labels: tuple[str, ...]
    before: tuple[float, ...]
    after: tuple[float, ...]
    distance: float
    mean: tuple[float, float] | None = None
    spread: tuple[float, float] | None = None
    cumulative: tuple[tuple[float, float], ...] = ()
    cumulative_to: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelComparison(Wire):
    """A model that was trained on the original and on the synthetic table, tested on original records.

    Attributes
    ----------
    target, model : str
    score : str
        "AUC" or "accuracy".
    before, after : Estimate
        With the interval of the test records.
    n_test : int
    held_out : bool
        Whether the test records were not synthesised.
    """

    target: str
    model: str
    score: str
    before: Estimate
    after: Estimate
    n_test: int
    held_out: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SynthesisComparison(Wire):
    """The synthetic table next to the original.

    Attributes
    ----------
    pairs : matrix
        Total variation distance of each pair of columns.
    tv1, tv2, tv3 : float
        Mean distance of all columns, pairs and sets of three columns.
    baselines : mapping
        tv2 and tv3 of independent columns, and of the held-out records where there are some.
    correlations : (matrix, matrix)
        Cramer's V of every pair, before and after.
    worst_columns, worst_pairs : tuple
        Names, most different first.
    """

    n_before: int
    n_after: int
    columns: tuple[ColumnComparison, ...]
    pairs: Matrix
    tv1: float
    tv2: float
    tv3: float
    baselines: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    correlations: tuple[Matrix, Matrix] = ((), ())
    models: tuple[ModelComparison, ...] = ()

    @property
    def worst_columns(self) -> tuple[str, ...]:
        """The columns, the most different first."""
        ranked = sorted(self.columns, key=lambda each: -each.distance)
        return tuple(each.column for each in ranked)

    @property
    def worst_pairs(self) -> tuple[tuple[str, str, float], ...]:
        """The pairs of columns with their distance, the most different first."""
        names = [each.column for each in self.columns]
        found = [(names[i], names[j], self.pairs[i][j]) for i in range(len(names)) for j in range(i + 1, len(names))]
        return tuple(sorted(found, key=lambda each: -each[2]))


@dataclass(frozen=True, slots=True, kw_only=True)
class PaidComparison(Wire):
    """Distances of the synthetic table from the original that were paid for, and may be published.

    Attributes
    ----------
    n : int
        Number of records of the original, with noise.
    columns : mapping of name to Estimate
        Total variation distance of each column, with the interval of its noise.
    pairs : tuple of (name, name, Estimate)
    tv1, tv2 : Estimate
        Their means; ``tv2`` is None where there are no pairs.
    """

    n: int
    columns: Mapping[str, Estimate]
    pairs: tuple[tuple[str, str, Estimate], ...]
    tv1: Estimate
    tv2: Estimate | None = None

    def content(self) -> dict[str, Any]:
        """Return the comparison as the certificate states it."""

        def stated(each: Estimate) -> list[float]:
            return [round(value, 5) for value in (each.value, each.low, each.high)]

        return {
            "n": self.n,
            "tv1": stated(self.tv1),
            "tv2": None if self.tv2 is None else stated(self.tv2),
            "columns": {name: stated(each) for name, each in self.columns.items()},
            "pairs": [[first, second, *stated(each)] for first, second, each in self.pairs],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class ChildrenSynthesis(Wire):
    """How the second table was made.

    Attributes
    ----------
    n_rows, columns, invented, derived, n_drawn, rejected
        As those of `Synthesis`.
    """

    n_rows: int
    columns: tuple[str, ...]
    invented: tuple[str, ...] = ()
    derived: tuple[str, ...] = ()
    n_drawn: int = 0
    rejected: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Synthesis(Wire):
    """How a synthetic table was made: what its certificate and the first lines of its report state.

    Attributes
    ----------
    method : str
    privacy : mapping or None
        Epsilon, delta, rho, unit, records of a unit, mechanism; None without privacy.
    receipt : mapping or None
        The entry of the ledger.
    n_rows : int
    columns : tuple of str
        Written columns, in their order.
    invented, derived : tuple of str
    margins : tuple of tuple of str
        Sets of columns that were measured together.
    n_cut : int
        Sets of columns that the bound of cells excluded.
    max_cells : int
    n_drawn : int
    rejected : mapping
        For each constraint, how many drawn records violated it.
    children : ChildrenSynthesis, optional
        The second table.
    paid : tuple of PaidComparison
        Of each table; empty where no comparison was paid for.
    """

    method: str
    privacy: Mapping[str, Any] | None
    receipt: Mapping[str, Any] | None
    n_rows: int
    columns: tuple[str, ...]
    invented: tuple[str, ...] = ()
    derived: tuple[str, ...] = ()
    margins: tuple[tuple[str, ...], ...] = ()
    n_cut: int = 0
    max_cells: int = 0
    n_drawn: int = 0
    rejected: Mapping[str, int] = field(default_factory=dict)
    children: ChildrenSynthesis | None = None
    paid: tuple[PaidComparison, ...] = ()
    created_at: str = ""

    def of_children(self) -> Synthesis:
        """Return the statement about the second table.

        Raises
        ------
        ValueError
            If there is none.
        """
        made = self.children
        if made is None:
            raise ValueError("there is no second table")
        return assembled(Synthesis, made, self)
