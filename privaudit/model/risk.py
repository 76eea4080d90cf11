"""Re-identification risk over quasi-identifiers, alone and in combination, and the counted cells of an aggregate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from privaudit.base.records import dataclass
from privaudit.base.wire import Wire
from privaudit.model.stats import Estimate
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


Exclusion = Literal["direct", "key", "free_text", "measurement", "no_information", "declared"]
"""Why a column is not a potential quasi-identifier: it is a direct identifier, a key of records, free text or a
measurement, it has one value or none, or its role was declared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PotentialRisk(Wire):
    """Equivalence classes over all potential quasi-identifiers: an upper bound on what the columns can single out.

    Attributes
    ----------
    columns : tuple of str
        The quasi-identifiers and every column that could be one.
    excluded : mapping of column to reason
        Every other column of the table.
    n_records, n_classes : int
        Records of the table, and classes over the columns; a missing cell is a category.
    k_min, n_unique : int
        Records in the smallest class; classes of one record.
    n_below : mapping of k to int
        Records in classes smaller than k.
    """

    columns: tuple[str, ...]
    excluded: Mapping[str, Exclusion] = field(default_factory=dict)
    n_records: int
    n_classes: int
    k_min: int
    n_unique: int
    n_below: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class UniqueCounts(Wire):
    """Records that match fewer than k records on some set of columns, and such pairs of record and set by size."""

    msu_by_size: tuple[int, ...]
    n_records: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ExposedValues(Wire):
    """Records with a minimal unique set that contains a column, counted by their value of that column.

    Attributes
    ----------
    n_records : int
        Records with a minimal unique set that contains the column.
    n_values : int
        Distinct values among these records.
    n_values_all : int
        Distinct values of the column in all records.
    n_values_common : int
        Values that 11 or more of these records have.
    largest : tuple of int
        Records with each of these values, most first, 20 at most.
    """

    n_records: int
    n_values: int
    n_values_all: int
    n_values_common: int
    largest: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SpecialUniques(Wire):
    """Minimal sample uniques (MSU): smallest sets of columns on which records are unique, and the scores on them.

    Attributes
    ----------
    max_size : int
        Largest set searched.
    k : int
        A record is unique on a set if fewer than ``k`` records match it there; 2 throughout.
    msu_by_size : tuple of int
        Pairs of a record and one of its minimal sets, for sets of 1, 2, ... ``max_size`` columns.
    n_records : int
        Records with a minimal set of the sizes searched.
    score_sum, score_max : int or float
        Sum and maximum of the SUDA scores; floats where they exceed 64 bits (more than 18 columns).
    dis : float or None
        Probability that a sample unique is unique in the population, at the sampling fraction ``dis_fraction``.
    dis_max : float or None
        Highest DIS-SUDA score of a record.
    dis_fraction : float
        Sampling fraction, from the population given, or assumed.
    contribution : mapping of column to float or None
        Percentage of the score sum from minimal sets with the column; None without any set.
    by_value : mapping of column to ExposedValues
    fewer_than : mapping of k to UniqueCounts
        The same counts for records that match fewer than k records, for the values of k of the policy.
    """

    max_size: int
    k: int = 2
    msu_by_size: tuple[int, ...] = ()
    n_records: int
    score_sum: int | float
    score_max: int | float
    dis: float | None = None
    dis_max: float | None = None
    dis_fraction: float
    contribution: Mapping[str, float | None] = field(default_factory=dict)
    by_value: Mapping[str, ExposedValues] = field(default_factory=dict)
    fewer_than: Mapping[str, UniqueCounts] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Marginal(Wire):
    """What one quasi-identifier adds to the risk of all of them together.

    Attributes
    ----------
    n_unique_without : int
        Sample uniques over all the other columns.
    n_unique_added : int
        Sample uniques over all columns less those over the others; 0 or more.
    n_below_added : mapping of k to int
        Records in classes smaller than k over all columns less those over the others; 0 or more.
    n_classes_added : int
        Classes over all columns less those over the others; 0 or more.
    k_min_without : int or None
        Smallest class over all the other columns: k without this column; None in older reports.
    shapley : float or None
        Shapley value of the column: its part of the sample uniques over all columns; None where not every
        combination was counted.
    """

    n_unique_without: int
    n_unique_added: int
    n_below_added: Mapping[str, int]
    n_classes_added: int
    shapley: float | None = None
    k_min_without: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecursiveL(Wire):
    """Recursive (c', l)-diversity holds for every c' above ``c``; with l = 1 the condition is void and c is null.

    ``by_l`` has the c of l = 2, 3, ... up to ``l``, at most of l = 20.
    """

    c: float | None
    l: int  # noqa: E741 - the literature's name
    by_l: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TCloseness(Wire):
    """Largest distance between a class and the table: total variation, and over ranks where values have an order."""

    equal: float | None
    ordered: float | None = None

    @property
    def applicable(self) -> float | None:
        """The ordered distance where values have an order, otherwise the equal distance."""
        return self.equal if self.ordered is None else self.ordered


@dataclass(frozen=True, slots=True, kw_only=True)
class Diversity(Wire):
    """Diversity of one sensitive attribute within the classes; every number is that of the worst class.

    With q the share of a value in a class and p its share in the table:

    Attributes
    ----------
    l_distinct : int
        Fewest distinct values in a class, 1 or more (Machanavajjhala et al. 2007).
    l_entropy : float
        exp of the smallest entropy of a class, 1 or more (ibid.).
    l_recursive : RecursiveL
        l = ``l_distinct`` and c = max over classes of ``r_1 / (r_l + ... + r_m)``, where ``r_1 >= ... >= r_m`` are
        the counts of a class's values (ibid.).
    t_closeness : TCloseness
        ``equal`` is the max over classes of ``sum max(q - p, 0)``, 0 to 1; ``ordered`` the max of the earth mover's
        distance over normalised ranks, ``sum_i |Q_i - P_i| / (m - 1)`` with the cumulated shares Q and P; None where
        values have no order (Li, Li, Venkatasubramanian 2007).
    alpha : float
        Largest q of any class and value, 0 to 1 (Wong, Li, Fu, Wang 2006).
    beta_basic : float
        max of (q - p) / p over classes and values, 0 or more (Cao, Karras 2012).
    beta_enhanced : float
        max over values of min(``beta_basic``, -ln p) (ibid., in the form pycanon computes it).
    delta_disclosure : float or None
        max of |ln(q / p)| over classes and all values of the attribute (Brickell, Shmatikov 2008); None where it is
        unbounded.
    delta_disclosure_unbounded : bool
        Whether some class lacks a value of the table: then q = 0 and |ln(q / p)| is infinite, beyond every limit.
    delta_disclosure_present : float
        The same max over the values that occur in each class only (the number that pycanon reports); always finite.
    homogeneous_classes, homogeneous_records : int
        Classes in which all records have the same value, and the records in them.
    n_values : int
        Distinct values of the attribute; missing cells count as one value.
    n_ordered : int or None
        Records in the ordered distance: those whose value has a position in the order.
    """

    l_distinct: int | None = None
    l_entropy: float | None = None
    l_recursive: RecursiveL | None = None
    t_closeness: TCloseness | None = None
    alpha: float | None = None
    beta_basic: float | None = None
    beta_enhanced: float | None = None
    delta_disclosure: float | None = None
    delta_disclosure_unbounded: bool | None = None
    delta_disclosure_present: float | None = None
    homogeneous_classes: int | None = None
    homogeneous_records: int | None = None
    n_values: int | None = None
    n_ordered: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CellCounts(Wire):
    """The cells of an aggregate by one column of counts.

    Attributes
    ----------
    column : str
    n_cells, n_zero : int
        Cells with a count, and those whose count is 0.
    smallest : int or None
        Smallest count above 0; None where every count is 0.
    n_below : mapping of threshold to int
        Cells with a count from 1 to below the threshold.
    n_disclosing : int or None
        Groups of cells, equal in all keys but one, in which a single cell has a count above 0 and at least one other is
        listed with 0: everyone in the group has the same value of that key. None where it was not counted.
    dominant : float or None
        Largest share of a cell's total that one contributor has; None where the table has no contributions.
    n_hidden : int or None
        Cells whose count is suppressed; None in reports of earlier versions.
    n_derivable : int or None
        Suppressed counts that have one value only, given all other cells and totals; None where that was not computed.
    """

    column: str
    n_cells: int
    n_zero: int
    smallest: int | None
    n_below: Mapping[str, int]
    n_disclosing: int | None = None
    dominant: float | None = None
    n_hidden: int | None = None
    n_derivable: int | None = None
