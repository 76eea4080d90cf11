"""Risk against a population: journalist risk, k-map, and estimated population uniques."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from privaudit.base.records import dataclass
from privaudit.base.wire import Wire


@dataclass(frozen=True, slots=True, kw_only=True)
class DeltaPresence(Wire):
    """Smallest and largest share of a population class that is in the release (delta-presence)."""

    min: float
    max: float


@dataclass(frozen=True, slots=True, kw_only=True)
class UniquesInterval(Wire):
    """Numbers of population uniques that are compatible with the release as a simple random sample.

    The true number lies between ``low`` and ``high`` with probability ``level`` or more, whatever the distribution of
    class sizes in the population: no model of it is assumed.
    """

    low: float
    high: float
    level: float = 0.95


@dataclass(frozen=True, slots=True, kw_only=True)
class Population(Wire):
    """The release compared with the population it was drawn from.

    Attributes
    ----------
    size : int
        People in the population.
    source : {"number", "table"}
        Whether a number of people or a table of the population was given.
    zayatz, pitman, snb : float or None
        Estimated population uniques by each model; None where the model does not apply, with a limit.
    dankar : float or None
        The estimate that the decision rule of Dankar et al. selects, from the model named in ``dankar_model``.
    interval : UniquesInterval or None
        The numbers of population uniques that the release is compatible with; None where no population is compatible
        with it.
    k_map : int or None
        Fewest people of the population in a class of the release; needs a population table, as do all below.
    delta_presence : DeltaPresence or None
    unique_in_both : int or None
        Records that are unique in the release and in the population.
    population_uniques : int or None
        People who are unique in the population, whether they are in the release or not.
    journalist_mean : float or None
        Mean of 1/F over records, F the people of the population in the record's class.
    share_at_risk : mapping of threshold to float
        Share of records with 1/F above each threshold; empty without a population table.
    """

    size: int
    source: Literal["number", "table"]
    zayatz: float | None = None
    pitman: float | None = None
    snb: float | None = None
    dankar: float | None = None
    dankar_model: str | None = None
    interval: UniquesInterval | None = None
    k_map: int | None = None
    delta_presence: DeltaPresence | None = None
    unique_in_both: int | None = None
    population_uniques: int | None = None
    journalist_mean: float | None = None
    share_at_risk: Mapping[str, float] = field(default_factory=dict)
