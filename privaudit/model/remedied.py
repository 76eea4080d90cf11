"""What a remedy run states: the steps, and what two scans measured."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, Literal

from privaudit.base.records import dataclass
from privaudit.base.wire import Wire
from privaudit.model.attacks import Attack
from privaudit.model.judgement import CheckOutcome
from privaudit.model.lattice_search import Alternative, LatticeSearch
from privaudit.model.report import Limit
from privaudit.model.stats import Estimate
from privaudit.model.wording import Fact


@dataclass(frozen=True, slots=True, kw_only=True)
class AppliedStep(Wire):
    """One step of a plan as it was applied."""

    technique: str
    columns: tuple[str, ...]
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured(Wire):
    """The numbers of one scan that a comparison shows; null where they were not measured.

    ``findings`` counts open findings by severity. ``k_map`` is the fewest people of the population table in a class of
    the table.
    """

    passed: bool
    exit_code: int
    n_rows: int
    n_columns: int
    quasi_identifiers: tuple[str, ...]
    k_min: int | None
    n_unique: int | None
    n_below_k: int | None
    share_below_k: float | None
    findings: Mapping[str, int]
    n_incomplete: int
    k_map: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Distribution(Wire):
    """The distribution of a column before and after, without its values.

    Attributes
    ----------
    by : {"interval", "value"}
        Intervals of equal width over the middle 98 % of the numbers of the source, ends included in the first and the
        last; or the most frequent values in the terms of the remedied table, all others last.
    before, after : tuple of float
        Share of the cells with a value, for each interval or value.
    """

    by: Literal["interval", "value"]
    before: tuple[float, ...]
    after: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnUtility(Wire):
    """What is left of one column.

    Attributes
    ----------
    column : str
    kept : float
        Share of the source's cells with a value that have the same value in the remedied table; suppressed records
        count as not kept.
    n_distinct_before, n_distinct_after : int
    distance : float
        Total variation distance between the distributions of the source and of the remedied table: a band is another
        value than its numbers. 0 is equal, 1 is disjoint.
    suppression_distance : float
        The same between the remedied values and those that all records of the source would have: what suppression did.
    mean_change, median_change : float or None
        In standard deviations of the source, bands counted by their middle; null for a column that is not numeric.
    distribution : Distribution or None
        None where either side has no value.
    """

    column: str
    kept: float
    n_distinct_before: int
    n_distinct_after: int
    distance: float
    suppression_distance: float = 0.0
    mean_change: float | None = None
    median_change: float | None = None
    distribution: Distribution | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskUtility(Wire):
    """How well a model predicts after the remedy, trained on remedied records and tested on others.

    ``before`` and ``after`` are mean scores over the splits; ``difference`` has the interval of the mean difference.
    ``without`` is the score without any other column: the rate of the most frequent category, or 0 for numbers.
    """

    target: str
    model: str
    score: str
    n_splits: int
    before: float
    after: float
    difference: Estimate
    without: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Utility(Wire):
    """What is left of the table.

    Attributes
    ----------
    records_kept : float
    columns : tuple of ColumnUtility
        Those that the plan does not drop.
    pair_distance : float or None
        Total variation distance of two-way margins from those of the source, mean over the pairs of its columns, 1 for
        a pair with a dropped column; null without a pair.
    n_pairs : int
    suppression_distance : float or None
        The same in the terms of the remedied table, for the columns in which each value became one value: what
        suppression alone changed.
    dropped : tuple of str
        Columns that are not in the remedied table.
    correlation_change : float or None
        Largest change of the correlation of two numeric columns; null without two.
    task : TaskUtility or None
    """

    records_kept: float
    columns: tuple[ColumnUtility, ...]
    pair_distance: float | None
    n_pairs: int
    correlation_change: float | None
    suppression_distance: float | None = None
    dropped: tuple[str, ...] = ()
    task: TaskUtility | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PerturbationAttack(Wire):
    """An attack on columns that were perturbed, by someone who knows their original values.

    Attributes
    ----------
    kind : {"distance_linkage", "known_pairs"}
        The first links each known record to the nearest released one. The second solves for the rotation of PCA masking
        with the records of `n_known` people and returns the cells of all others.
    columns : tuple of str
        What the attacker knows.
    n_known : int
        People whose values are known.
    success : Estimate
        Share of records linked correctly, or of cells returned exactly.
    baseline : float
        The share by guessing.
    """

    kind: Literal["distance_linkage", "known_pairs"]
    columns: tuple[str, ...]
    n_known: int
    success: Estimate
    baseline: float


@dataclass(frozen=True, slots=True, kw_only=True)
class DictionaryState(Wire):
    """The data dictionary that is next to a remedied table: its digest, the columns it describes, and their levels."""

    sha256: str
    n_columns: int
    n_levels: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DescribedColumn(Wire):
    """What the data dictionary describes of one column, without a value of the table.

    Attributes
    ----------
    column, technique : str
    n_levels : int
        Different values or groups that the remedied column has.
    bounds : tuple of AppliedStep
        The recodings of the plan that state the bounds of the levels, such as the width of bands.
    hierarchy : str
        The title of the public hierarchy; empty where the groups are none of a public hierarchy.
    groups : mapping of str to tuple of str
        All groups of the public hierarchy at the level of the plan, with their members, whether the table has them or
        not.
    """

    column: str
    technique: str
    n_levels: int
    bounds: tuple[AppliedStep, ...] = ()
    hierarchy: str = ""
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class RemedyRun(Wire):
    """A remedied table: what was done, and the table before and after.

    ``promised`` is what the plan leads to as measured on the coded table before it was applied, and ``search`` how its
    recodings were found; empty and null for a plan that was not measured. ``alternatives`` compares methods, of which
    the plan used ``method``. ``after`` was measured on the written file.
    ``release_attacks`` compare the remedied table, or where ``is_trial`` a trial release of nine tenths of the people,
    with people of the source and others; ``release_checks`` state whether they are within the limits of the policy.
    ``question`` asks whether a requirement is worth what it costs, ``not_tried`` names methods that were not tried,
    ``under_wildcard`` those that reach k only where a suppressed cell matches every value, and ``excess`` states why k
    is far above the policy. ``described`` is what the data dictionary describes, as the plan and public hierarchies
    state it.
    ``fits`` is what the techniques noted: how well a fitted distribution describes a column drawn from it, what was
    masked in texts and what was not, and steps that changed no value of a column; ``notes`` are further statements of
    the techniques: records removed, cells coded, epsilon. ``release`` is the random ID in the
    certificate of the written file, and ``source`` the fingerprint of the table that it was made from: only this record
    connects them. Both are empty where no file was written.
    """

    schema: str = "privaudit remedy 1"
    policy: str
    k: int
    steps: tuple[AppliedStep, ...]
    order: str
    before: Measured
    after: Measured
    promised: Mapping[str, float | int] = field(default_factory=dict)
    search: LatticeSearch | None = None
    method: str = "full-domain"
    alternatives: tuple[Alternative, ...] = ()
    utility: Utility | None = None
    attacks: tuple[PerturbationAttack, ...] = ()
    release_attacks: tuple[Attack, ...] = ()
    release_checks: tuple[CheckOutcome, ...] = ()
    release_limits: tuple[Limit, ...] = ()
    is_trial: bool = False
    fits: tuple[Mapping[str, Any], ...] = ()
    notes: tuple[Fact, ...] = ()
    dictionary: DictionaryState | None = None
    described: tuple[DescribedColumn, ...] = ()
    question: Fact | None = None
    not_tried: tuple[Fact, ...] = ()
    under_wildcard: tuple[Alternative, ...] = ()
    excess: Fact | None = None
    release: str = ""
    source: str = ""
