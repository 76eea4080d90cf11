"""How a plan was searched: whether it is optimal, and which other recodings there are to choose from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from privaudit.base.records import dataclass
from privaudit.base.wire import Wire


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontierPoint(Wire):
    """One recoding that meets what the plan requires, and that no recoding of less loss undercuts in risk.

    Attributes
    ----------
    number : int
        What ``--choose`` names; 1 is the recoding of least loss.
    steps : tuple of mapping
        The technique, column and parameters of each column that is changed.
    k_min, n_classes : int
        Of the records that are kept; k counts people where a data subject column was named.
    n_suppressed : int
        Records in classes that fail, which are suppressed.
    risk : float
        Mean re-identification risk of the records kept (prosecutor): classes over records.
    loss : float
        Share of information lost, by the cost measure of the remedy.
    """

    number: int
    steps: tuple[Mapping[str, Any], ...]
    k_min: int
    n_classes: int
    n_suppressed: int
    risk: float
    loss: float


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredStates(Wire):
    """Risk and loss of recodings that meet what the plan requires, as the picture shows them, in no stated order."""

    risk: tuple[float, ...]
    loss: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Alternative(Wire):
    """What one method reaches on the same quasi-identifiers, measured on the coded table.

    Attributes
    ----------
    method : {"full-domain", "local", "mondrian", "cells"}
        One recoding of each column for the whole table; a recoding for each part of it; ranges for each region;
        suppressed cells alone.
    loss : float
        Mean share of the domain that a cell may mean, 0 to 1: the measure ``loss``, for all methods alike.
    k_min, n_classes : int
        Of the records kept, suppressed cells as a value of their own.
    n_suppressed, n_cells : int
        Records and cells that are suppressed.
    step : mapping
        The technique, columns and parameters with which a plan applies the method; empty for the recoding of the plan.
    passes : bool
        Whether the gate would pass, judged on codes; where the table was made, whether its scan and the attacks passed.
    drops : bool
        Whether a quasi-identifier is dropped.
    matches : {"value", "wildcard"}
        Whether a suppressed cell is a value of its own, as a reader of the file counts, or matches every value.
    k_by_value : int or None
        Where it matches every value: the smallest class as a reader of the file counts.
    """

    method: Literal["full-domain", "local", "mondrian", "cells"]
    loss: float
    k_min: int
    n_classes: int
    n_suppressed: int
    n_cells: int
    step: Mapping[str, Any]
    passes: bool = False
    drops: bool = False
    matches: Literal["value", "wildcard"] = "value"
    k_by_value: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LatticeSearch(Wire):
    """The search for the recoding of least loss over all combinations of generalisation steps.

    Attributes
    ----------
    is_optimal : bool
        Whether no combination of the steps loses less than point 1.
    bound : float
        No combination loses less than this; the loss of point 1 where that is optimal.
    n_states, n_measured : int
        Combinations, and those whose classes were counted; bounds exclude the others.
    max_suppressed : float
        Share of the records that may be suppressed.
    chosen : int
        The point of the frontier that the plan takes; 0 where the remedied table was made by another method.
    frontier : tuple of FrontierPoint
        By ascending loss and falling risk; evenly spaced where there are many.
    is_whole : bool
        Whether every combination that meets the requirements was compared for the frontier.
    states : MeasuredStates
    """

    is_optimal: bool
    bound: float
    n_states: int
    n_measured: int
    max_suppressed: float
    chosen: int
    frontier: tuple[FrontierPoint, ...]
    is_whole: bool
    states: MeasuredStates
