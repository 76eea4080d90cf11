"""Re-identification risk over quasi-identifiers, alone and in combination."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from privaudit.base.records import dataclass
from privaudit.base.wire import Wire
from privaudit.model.diversity import Diversity
from privaudit.model.population import Population
from privaudit.model.stats import Estimate
from privaudit.model.uniques import Marginal, SpecialUniques
from privaudit.model.vocabulary.statements import MissingSemantics

CountedUnit = Literal["record", "person"]
"""What class sizes count: records, or the people of the data subject column."""


def _bounded(counted: Mapping[str, int], k_min: int | None, n_unique: int | None, k: int) -> int | None:
    """Return the records in classes smaller than `k` from the counts at other thresholds; None where they differ.

    The number grows with the threshold, so the nearest thresholds on both sides bound it: it is known where the two
    agree. No record is below the smallest class. The public edition removes `k_min` and `n_unique`.
    """
    if k_min is not None and k <= k_min:
        return 0
    if str(k) in counted:
        return counted[str(k)]
    stated = {1: 0, 2: n_unique, k_min or 1: 0}
    known = {threshold: n for threshold, n in stated.items() if n is not None}
    known |= {int(threshold): n for threshold, n in counted.items()}
    least = max(n for threshold, n in known.items() if threshold <= k)
    most = min((n for threshold, n in known.items() if threshold >= k), default=None)
    return least if least == most else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Combination(Wire):
    """Equivalence classes of one set of quasi-identifiers.

    ``k_min``, ``n_unique``, ``share_unique``, ``n_below``, ``share_below_k`` and ``mean_class_size`` count what
    `Risk.unit` states: records, or people, where a person is in the smallest class of any of their records.
    ``n_classes``, ``distinction`` and ``separation`` are always those of records.

    ``n_below`` maps a threshold k to the number of *records* (or people) in classes smaller than k; ``share_below_k``
    is that number at the policy's k over all of them. ``minimal`` is true when some class is below the policy's k and
    no proper subset of the columns has such a class. ``minimal_to`` states the same for any k at once: the set is
    minimal for each k above ``k_min`` up to it (null where not all sets with one column less were searched).
    """

    columns: tuple[str, ...]
    n_classes: int
    k_min: int
    n_unique: int
    share_unique: float
    n_below: Mapping[str, int]
    share_below_k: float | None = None
    mean_class_size: float
    distinction: float
    separation: float | None
    minimal: bool | None = None
    minimal_to: int | None = None

    def n_below_k(self, k: int) -> int | None:
        """Return the records (or people) in classes smaller than `k`; None where the counted thresholds leave it open.

        The number grows with k, so it is also known where the nearest counted thresholds agree.
        """
        return _bounded(self.n_below, self.k_min, self.n_unique, k)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassSizeTable(Wire):
    """Histogram of class sizes: ``count[i]`` classes contain ``size[i]`` records (or people); sizes ascend."""

    size: tuple[int, ...]
    count: tuple[int, ...]

    def n_below(self, k: int) -> int:
        """Return the records in classes smaller than `k`: the sum of ``size * count`` over ``size < k``."""
        return sum(size * count for size, count in zip(self.size, self.count, strict=True) if size < k)


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchTable(Wire):
    """Histogram of exposure: ``count[i]`` records (or people) match ``size[i]``, themselves included; sizes ascend.

    A person matches the people of the smallest class that one of their records is in.
    """

    size: tuple[int, ...]
    count: tuple[int, ...]

    def n_below(self, k: int) -> int:
        """Return the records (or people) with fewer than `k` matches."""
        return sum(count for size, count in zip(self.size, self.count, strict=True) if size < k)


@dataclass(frozen=True, slots=True, kw_only=True)
class SubjectRisk(Wire):
    """Risk counted in people, where several rows belong to one data subject.

    Attributes
    ----------
    column : str
        The column that identifies the data subject.
    n_people, n_records, n_without : int
        People; records; records without a value in the column, each counted as a person.
    records_max : int
        Most records of one person.
    items_mean, items_max : float, int
        Distinct items (classes over the quasi-identifiers) per person.
    n_classes : int
        Classes over the quasi-identifiers.
    class_sizes : ClassSizeTable
        Histogram of *people* per class. A person is in every class of their records, so the sizes sum to more than
        the number of people.
    k_min : int
        Fewest people in a class.
    n_exposed : int
        People with a record in a class that contains nobody else.
    n_below : mapping of k to int
        People with a record in a class of fewer than k people.
    n_unique_histories : int
        People whose set of items is unique.
    history_sizes : ClassSizeTable
        Histogram of the groups of people with the same set of items; the sizes sum to the number of people.
    unicity : mapping of known items to Estimate
        Share of people whom so many of their items single out, drawn at random.
    items_sufficient : mapping of share to int or None
        Fewest known items that single out at least each share of people; None if more are needed than tried.
    """

    column: str
    n_people: int
    n_records: int
    n_without: int
    records_max: int
    items_mean: float
    items_max: int
    n_classes: int
    class_sizes: ClassSizeTable
    k_min: int
    n_exposed: int
    n_below: Mapping[str, int]
    n_unique_histories: int
    history_sizes: ClassSizeTable
    unicity: Mapping[str, Estimate]
    items_sufficient: Mapping[str, int | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightedRisk(Wire):
    """Risk of a sample with sampling weights; means and sums are over records.

    Attributes
    ----------
    n_records : int
        Records of the release.
    people : float
        Estimated size of the population, the sum of the weights.
    global_risk : float
        Mean individual risk, 0 to 1.
    expected : float
        Sum of the individual risks: the expected number of correct links when every record is attacked.
    expected_approximate : float
        The same with the approximation that sdcMicro uses by default for classes of three records or more.
    risk_max : float
        Highest individual risk.
    risk_median : float
        Median individual risk over records, the lower of two middle ones.
    fewest_people : float
        Smallest estimated number of people in a class.
    n_below_one : int
        Classes whose weights sum to less than their records; F = f is used for them.
    """

    n_records: int
    people: float
    global_risk: float
    expected: float
    expected_approximate: float
    risk_max: float
    risk_median: float
    fewest_people: float
    n_below_one: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordRisk(Wire):
    """Class sizes in records, where the risk counts people.

    Attributes
    ----------
    k_min, n_unique : int
        Records in the smallest class; classes of one record.
    n_below : mapping of k to int
        Records in classes of fewer than k records.
    prosecutor_mean : float
        Mean of 1/f over records, f the records of a class.
    class_sizes : ClassSizeTable
        Histogram of records per class.
    """

    k_min: int
    n_unique: int
    n_below: Mapping[str, int]
    prosecutor_mean: float
    class_sizes: ClassSizeTable


@dataclass(frozen=True, slots=True, kw_only=True)
class Risk(Wire):
    """Re-identification risk over all quasi-identifiers together; docs/report.md describes each number.

    ``diversity`` is keyed by sensitive column and ``marginal`` by quasi-identifier. A part that does not apply is null,
    with a limit that states why.

    ``unit`` states what is counted. Where it is "person", a data subject column was named: the size of a class is its
    number of distinct people, a person is as exposed as the smallest class that one of their records is in, and
    ``n_people`` is the total that counts and shares refer to; ``records`` has the class sizes in records. ``matches``
    is the histogram of exposure where it does not follow from ``class_sizes``: in people, and where missing cells match
    anything.
    """

    unit: CountedUnit = "record"
    n_people: int | None = None

    quasi_identifiers: tuple[str, ...]
    sensitive: tuple[str, ...]
    missing: MissingSemantics
    n_classes: int
    k_min: int
    n_unique: int
    n_below: Mapping[str, int]
    share_below_k: float | None = None
    prosecutor_max: float
    prosecutor_mean: float
    journalist_max: float | None = None
    marketer: float
    share_at_risk: Mapping[str, float]
    class_sizes: ClassSizeTable
    matches: MatchTable | None = None
    records: RecordRisk | None = None
    population: Population | None = None
    diversity: Mapping[str, Diversity] = field(default_factory=dict)
    special_uniques: SpecialUniques | None = None
    marginal: Mapping[str, Marginal] = field(default_factory=dict)
    subject: SubjectRisk | None = None
    weighted: WeightedRisk | None = None

    def n_units(self, n_rows: int) -> int:
        """Return the total that counts and shares refer to: people where they are counted, otherwise `n_rows`."""
        return n_rows if self.n_people is None else self.n_people

    def n_below_k(self, k: int) -> int | None:
        """Return the records (or people) that match fewer than `k`, themselves included.

        As counted where this threshold was counted. For other thresholds the histogram of exposure answers, or that of
        class sizes where records are counted and missing cells are a category. A report without the histogram leaves
        some thresholds open: None means not measured.
        """
        if str(k) in self.n_below:
            return self.n_below[str(k)]
        if self.matches is not None:
            return self.matches.n_below(k)
        if self.missing == "category" and self.unit == "record" and self.class_sizes.size:
            return self.class_sizes.n_below(k)
        return _bounded(self.n_below, self.k_min, self.n_unique, k)
