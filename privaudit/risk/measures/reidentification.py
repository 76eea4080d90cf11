"""Prosecutor, journalist and marketer risk: how likely an attacker re-identifies a record, by attacker knowledge.

Question: given the classes of the release and, where known, of its population, how many records are at risk from
an attacker who knows that the target is in the data (prosecutor), does not know (journalist), or links everybody
(marketer)?
Method: a joint histogram of class sizes, `MatchSizes`: how many classes contain f records of the release and F
people of the population. Every measure is an integer sum over it, divided once.
Limits: the numbers assume that the attacker knows all the quasi-identifiers of the target without error and
guesses evenly within a class. A population table must contain the release; where it does not, nothing is
measured.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from privaudit.base.arrow import pa
from privaudit.base.records import dataclass
from privaudit.model import Limit, limit
from privaudit.model.wording import Count
from privaudit.source.dataset import Dataset

Ints = npt.NDArray[np.integer[Any]]

THRESHOLDS: tuple[float, ...] = (0.05, 0.09, 0.1, 0.2, 0.33, 0.5)
"""Probabilities for which the share of records at risk is measured: 1/F strictly above the threshold."""


@dataclass(frozen=True, slots=True)
class MatchSizes:
    """Joint histogram: ``count[i]`` classes have ``sample[i]`` records and ``population[i]`` people.

    Attributes
    ----------
    count : int64 array of shape (h,), each at least 1
    sample : int64 array of shape (h,)
        f, records of the release in the class; 0 for a class of the population that is absent from the
        release.
    population : int64 array of shape (h,)
        F, people of the population in the class; ``population >= sample`` and ``population >= 1``.

    Raises
    ------
    ValueError
        If the arrays differ in length or a class has more records than people.
    """

    count: npt.NDArray[np.int64]
    sample: npt.NDArray[np.int64]
    population: npt.NDArray[np.int64]

    def __post_init__(self) -> None:
        """Reject arrays that cannot be a release and its population."""
        if not len(self.count) == len(self.sample) == len(self.population):
            raise ValueError("count, sample and population must have the same length")
        if (self.count < 1).any() or (self.sample < 0).any() or (self.population < 1).any():
            raise ValueError("counts and people are 1 or more, records 0 or more")
        if (self.population < self.sample).any():
            raise ValueError("a class cannot have more records of the release than people of the population")

    @classmethod
    def from_classes(cls, sample: Ints, population: Ints) -> MatchSizes:
        """Build the histogram from the two sizes of each class, both of shape (J,), merging equal pairs."""
        records, people = np.asarray(sample, np.int64), np.asarray(population, np.int64)
        base = int(people.max(initial=0)) + 1
        pair, count = np.unique(records * base + people, return_counts=True)
        return cls(count.astype(np.int64), *np.divmod(pair, base))

    @property
    def present(self) -> MatchSizes:
        """The classes that occur in the release."""
        held = self.sample > 0
        return MatchSizes(self.count[held], self.sample[held], self.population[held])

    @property
    def n_records(self) -> int:
        """Records of the release."""
        return int((self.count * self.sample).sum())

    @property
    def n_people(self) -> int:
        """People of the population."""
        return int((self.count * self.population).sum())


@dataclass(frozen=True, slots=True, kw_only=True)
class Reidentification:
    """Risk under the three attackers; shares and means are over records of the release.

    Attributes
    ----------
    journalist_max : float
        ``1 / min F``.
    marketer : float
        ``(1/n) sum f/F``, the expected share of records linked to the right person; also the mean of the journalist
        risk 1/F over records.
    journalist_at_risk : mapping of threshold to float
        Share of records with 1/F strictly above the threshold.
    k_map : int
        min F over the classes of the release.
    delta_presence : (float, float)
        Smallest and largest f/F over all classes of the population.
    unique_in_both : int
        Classes with f = 1 and F = 1.
    population_uniques : int
        Classes of the population with F = 1, in the release or not: what the models of
        `privaudit.risk.population.population` estimate where there is no population table.

    Notes
    -----
    El Emam, Dankar (2008), "Protecting privacy using k-anonymity"; Sweeney (2002) for k-map; Nergiz, Atzori,
    Clifton (2007) for delta-presence.
    """

    journalist_max: float
    marketer: float
    journalist_at_risk: Mapping[str, float]
    k_map: int
    delta_presence: tuple[float, float]
    unique_in_both: int
    population_uniques: int


def reidentification(sizes: MatchSizes) -> Reidentification:
    """Measure journalist and marketer risk, k-map and delta-presence.

    Parameters
    ----------
    sizes : MatchSizes
        With at least one class that occurs in the release.

    Raises
    ------
    ValueError
        If no class occurs in the release.
    """
    held = sizes.present
    if held.n_records == 0:
        raise ValueError("the release has no records")
    low, high = _presence(sizes)
    return Reidentification(
        journalist_max=1 / int(held.population.min()),
        marketer=_exact_mean(held),
        journalist_at_risk={f"{t:g}": _share(held, t) for t in THRESHOLDS},
        k_map=int(held.population.min()),
        delta_presence=(low, high),
        unique_in_both=int(held.count[(held.sample == 1) & (held.population == 1)].sum()),
        population_uniques=int(sizes.count[sizes.population == 1].sum()),
    )


def k_for_risk(threshold: float) -> int:
    """Return the k for which "1/f above `threshold`" means "f below k".

    The threshold is taken as the decimal it was written as, so that 0.1 gives 10 and 0.09 gives 12:
    a class of 11 has 1/11 = 0.0909..., which is above 0.09.
    """
    if not 0 < threshold <= 1:
        raise ValueError("a threshold is a probability above 0")
    # `repr` gives the shortest decimal that means the float: 0.1 is one tenth, not the binary fraction next to it.
    return math.ceil(1 / Fraction(repr(float(threshold))))


def _share(sizes: MatchSizes, threshold: float) -> float:
    exposed = sizes.population < k_for_risk(threshold)
    return int((sizes.count * sizes.sample)[exposed].sum()) / sizes.n_records


def _exact_mean(sizes: MatchSizes) -> float:
    """Mean of 1/F over records, summed for each F first: equal tables give equal bytes."""
    people, where = np.unique(sizes.population, return_inverse=True)
    records = np.zeros(len(people), np.int64)
    np.add.at(records, where, sizes.count * sizes.sample)
    return math.fsum((records / people).tolist()) / sizes.n_records


def _presence(sizes: MatchSizes) -> tuple[float, float]:
    ratio = sizes.sample / sizes.population
    return float(ratio.min()), float(ratio.max())


@dataclass(frozen=True, slots=True, kw_only=True)
class PopulationMatch:
    """Class sizes of release and population, compared.

    Attributes
    ----------
    sizes : MatchSizes or None
        None where the population does not contain the release.
    n_people : int
        Rows of the population table.
    limit : Limit or None
        The reason why there are no sizes.
    """

    sizes: MatchSizes | None
    n_people: int
    limit: Limit | None = None


def population_sizes(release: Dataset, population: Dataset, columns: Sequence[str]) -> PopulationMatch:
    """Count, for every class over `columns`, its records in the release and its people in the population.

    Missing cells are a category of their own on both sides: the release is taken to be drawn from the
    population.

    Raises
    ------
    ColumnNotFound
        If the population lacks one of the columns.
    """
    records, people = _side_by_side(release, population, columns)
    short = records > people
    n_people = int(people.sum())
    # A population that lacks some of the release is not its population: ratios f / F above 1 are not risks.
    if not short.any():
        sizes = MatchSizes.from_classes(records, people)
        return PopulationMatch(sizes=sizes, n_people=n_people)
    classes, exposed = int(short.sum()), int((records - people)[short].sum())
    return PopulationMatch(
        sizes=None,
        n_people=n_people,
        limit=limit(
            "risk.population_does_not_contain_release",
            incomplete=True,
            classes=Count(classes, unit="class"),
            records=Count(exposed),
        ),
    )


def _side_by_side(
    release: Dataset, population: Dataset, columns: Sequence[str]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    names = [f"q{i}" for i in range(len(columns))]
    parts = []
    for own, other, table in (
        ("f", "F", release.distinct_rows(columns)),
        ("F", "f", population.distinct_rows(columns)),
    ):
        keys = {name: table.column(i).cast(pa.large_string()) for i, name in enumerate(names)}
        sizes = {own: table.column(len(columns)).cast(pa.int64()), other: pa.array(np.zeros(table.num_rows, np.int64))}
        parts.append(pa.table({**keys, "f": sizes["f"], "F": sizes["F"]}))
    joined = pa.concat_tables(parts).group_by(names).aggregate([("f", "sum"), ("F", "sum")])
    return joined["f_sum"].to_numpy(), joined["F_sum"].to_numpy()
