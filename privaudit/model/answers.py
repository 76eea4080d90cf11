"""What a release of differentially private answers states: each answer with its mechanism, error and interval."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from privaudit.base.records import dataclass
from privaudit.base.wire import Wire


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell(Wire):
    """One number of an answer: its labels, its noisy value and the interval of 95 in 100 releases.

    ``consistent`` is the value after post-processing: margins add up and no count is negative. ``low`` and ``high``
    are null where the noise has no interval in the units of the column.
    """

    labels: tuple[str, ...]
    value: float
    low: float | None
    high: float | None
    consistent: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer(Wire):
    """The answer to one query.

    Attributes
    ----------
    name, kind : str
    columns : tuple of str
    rows : str
        The row set, as a declared rule; "" for all rows.
    mechanism : str
    epsilon, rho : float, optional
        What the query costs.
    sensitivity : float
        In steps of the grid.
    sd : float, optional
        The standard deviation of the error; null for a choice among candidates.
    rank_error : int, optional
        For a quantile: the largest error of the rank in 95 of 100 releases.
    order : float, optional
        Of a quantile: the wanted share.
    target : str, optional
        Of a classifier: the column that it predicts.
    of : {"rows", "people"}
        What a count counts.
    declared : mapping
        By column: bounds, step, bands, categories.
    cells : tuple of Cell
    """

    name: str
    kind: str
    columns: tuple[str, ...]
    rows: str
    mechanism: str
    sensitivity: float
    declared: Mapping[str, Any]
    cells: tuple[Cell, ...]
    epsilon: float | None = None
    rho: float | None = None
    sd: float | None = None
    rank_error: int | None = None
    order: float | None = None
    target: str | None = None
    of: Literal["rows", "people"] = "rows"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers(Wire):
    """A release of answers: all that the file holds.

    ``rule`` is how the total was composed: "sum", "curve" or "optimal". ``receipt`` names the entry of the ledger.
    """

    schema: str
    tool: Mapping[str, str]
    created_at: str
    dataset: str
    unit: str
    rows_per_person: int | None
    neighbours: str
    answers: tuple[Answer, ...]
    epsilon: float
    delta: float
    rho: float
    rule: str
    receipt: Mapping[str, Any]
    consistency: str
