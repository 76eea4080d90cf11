"""Partial knowledge: an attacker knows some of the quasi-identifiers of a person in the table.

Question: how many people are singled out when 1, 2, 3, ... facts about them are known?
Method: for each number m of known columns, over all sets of m columns: the mean over sets, the worst set, and the
people who are unique on some set. In a table with several rows per person a fact is a row
(`privaudit.risk.measures.histories`). Sets are visited depth first, each from the classes of the set before it. A
distinct row that is alone in its class stays alone on every larger set: it leaves the visit and counts for all sets
that follow. The mean of 1/f over records is the number of classes over the number of records.
Limits: the attacker knows that the person is in the table, and knows exact values. The mean understates: the attacker
may know the facts that matter. All sets are visited up to `MOST_EXACT` columns, and of more columns for every m with at
most `MOST_VISITS` rows times sets. For a larger m sets are drawn at random, and means carry an interval; the worst set
and the people unique on some set are then those of the visited sets, among them all sets of the columns with most
values: lower bounds.

References
----------
.. [1] Y.-A. de Montjoye et al., Unique in the crowd, Scientific Reports 3, 2013.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations, pairwise
from typing import Any, NamedTuple

import numpy as np

from privaudit.attacks.inputs import AttackInputs, AttackResults
from privaudit.base.arrays import Codes, Ints
from privaudit.base.records import dataclass
from privaudit.model import Attack, CountedUnit, Curve, MeasuredDetail, limit
from privaudit.model.advantage import advantage
from privaudit.model.stats import Estimate, exact, student
from privaudit.model.wording import Columns, Count, Listing, Number, Share, Threshold, Value, fact
from privaudit.risk.codes.coded import CodedTable, encode
from privaudit.risk.codes.markers import markers_as_missing
from privaudit.risk.codes.row_keys import dense_keys
from privaudit.risk.kernel.subsets import n_sets
from privaudit.risk.search.work import bounded

HEADLINE = 3
"""The number of known columns of the headline, and the largest that a scan counts."""
MOST_ROWS_KNOWN = 4


def simulate_partial_knowledge(inputs: AttackInputs) -> AttackResults:
    """Count for each number of known quasi-identifiers how many people they single out."""
    quasi = tuple(name for name in inputs.named("quasi") if name != inputs.settings.subject)
    if not quasi or not inputs.release.n_rows:
        return AttackResults((), () if inputs.is_headline else (limit("attacks.no_quasi_identifier"),))
    coded = _coded(inputs, quasi)
    if coded.people is not None and coded.people.n < coded.n_rows:
        return AttackResults((_by_rows(inputs, coded),))
    sizes = range(1, min(HEADLINE, len(quasi)) + 1) if inputs.is_headline else range(1, len(quasi) + 1)
    known = count_known(
        coded.codes,
        [coded.cardinality(i) for i in range(len(quasi))],
        coded.weights,
        sizes=sizes,
        seed=inputs.settings.seed,
        progress=lambda share: inputs.progress("counting sets of known columns", share),
    )
    drawn_from = min((one.m for one in known if not one.is_exact), default=None)
    drawn = () if drawn_from is None else (limit("attacks.sets_drawn", least=Threshold(drawn_from)),)
    return AttackResults((_by_columns(inputs, quasi, coded.n_rows, known),), drawn)


def _coded(inputs: AttackInputs, quasi: tuple[str, ...]) -> CodedTable:
    """Return the quasi-identifiers as codes, suppression markers as missing cells."""
    if inputs.coded is not None and inputs.coded.names == quasi:
        return inputs.coded
    return markers_as_missing(encode(inputs.release, quasi, subject=inputs.settings.subject), quasi=quasi)[0]


def _by_columns(inputs: AttackInputs, quasi: tuple[str, ...], n: int, known: tuple[Known, ...]) -> Attack:
    head = known[min(HEADLINE, len(known)) - 1]
    worst = tuple(quasi[i] for i in head.worst)
    m = Number(head.m)
    unit = inputs.counted
    outcome = "partial_knowledge_outcome" if unit == "person" else "partial_knowledge_outcome_records"
    if head.m == len(quasi) and unit == "person":
        outcome = "partial_knowledge_outcome_all"  # all columns are known: none of several sets is the worst
    success = exact(head.n_unique_some / n, n)
    if not head.is_exact:  # on a set that was not visited, all others may be unique
        success = replace(success, high=1.0, method="visited sets")
    return _attack(
        inputs,
        n,
        success,
        knowledge=quasi,
        attacker=fact("attacks.partial_knowledge_attacker", m=m, total=Number(len(quasi))),
        outcome=fact(
            f"attacks.{outcome}",
            m=m,
            mean=Share(head.unique.value, of=n),
            worst=Count(head.n_unique_worst, of=n, unit=unit),
            columns=Columns(worst),
            some=Count(head.n_unique_some, of=n, unit=unit),
        ),
        detail=MeasuredDetail(
            method="columns",
            measures={
                **_measures(head, n, unit),
                "worst_sets": Listing(tuple(Columns(tuple(quasi[i] for i in one.worst)) for one in known)),
            },
            curves=(
                _curve("unique_some", known, [one.n_unique_some / n for one in known]),
                _curve("unique_worst", known, [one.n_unique_worst / n for one in known]),
                _curve("unique_mean", known, [one.unique.value for one in known]),
                _curve("success_mean", known, [one.success.value for one in known]),
                _curve("success_best", known, [one.success_best for one in known]),
            ),
            picture="known",
        ),
    )


def _measures(known: Known, n: int, unit: CountedUnit) -> dict[str, Value]:
    return {
        "known": Number(known.m),
        "unique_mean": known.unique,
        "unique_worst": Count(known.n_unique_worst, of=n, unit=unit),
        "unique_some": Count(known.n_unique_some, of=n, unit=unit),
        "success_mean": known.success,
    }


def _curve(key: str, known: tuple[Known, ...], values: list[float]) -> Curve:
    return Curve(key=key, x=tuple(float(one.m) for one in known), y=tuple(values))


def _by_rows(inputs: AttackInputs, coded: CodedTable) -> Attack:
    """Return the attack by someone who knows some rows of a person: a place and a time, a purchase."""
    from privaudit.risk.measures.histories import Histories, unicity

    assert coded.people is not None
    histories = Histories.of(coded.people.person, coded.people.row)
    found = [unicity(histories, p, seed=inputs.settings.seed) for p in range(1, MOST_ROWS_KNOWN + 1)]
    n, success = histories.n_people, found[HEADLINE - 1]
    return _attack(
        inputs,
        n,
        success,
        knowledge=coded.names,
        attacker=fact("attacks.known_rows_attacker", m=Number(HEADLINE)),
        outcome=fact(
            "attacks.known_rows_outcome",
            m=Number(HEADLINE),
            share=Share(success.value, of=n),
            first=Share(found[0].value, of=n),
        ),
        detail=MeasuredDetail(
            method="rows",
            measures={"unique_by_one_row": found[0], "known": Number(HEADLINE), "unique_mean": success},
            curves=(
                Curve(
                    key="unique_mean",
                    x=tuple(float(p) for p in range(1, MOST_ROWS_KNOWN + 1)),
                    y=tuple(one.value for one in found),
                ),
            ),
            picture="known",
        ),
    )


def _attack(inputs: AttackInputs, n: int, success: Estimate, **own: Any) -> Attack:
    """Return the attack on n people or records, of whom one is guessed without knowledge."""
    return Attack(
        kind="partial_knowledge",
        n_targets=n,
        success=success,
        baseline=1 / n,
        advantage=advantage(success, 1 / n) if n > 1 else exact(0.0, n),
        assumptions=(fact("attacks.knows_membership"), fact("attacks.exact_values")),
        is_headline=inputs.is_headline,
        **own,
    )


MOST_EXACT = 15
"""Columns up to which all sets are visited."""
MOST_VISITS = 200_000_000
"""Rows times sets up to which all sets of a size are visited in wider tables."""
SETS_DRAWN = 200
"""Sets drawn for each m beyond."""

ColumnSet = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Known:
    """What an attacker achieves who knows m columns.

    Attributes
    ----------
    m : int
    unique, success : Estimate
        Share of records that are unique, and mean of 1/f: the mean over sets.
    worst : tuple of int
        The set with most unique records.
    n_unique_worst : int
    n_unique_some : int
        Records that are unique on some set of at most m columns.
    success_best : float
        The mean over records of the highest 1/f over the sets.
    is_exact : bool
        Whether all sets of at most m columns were visited.
    """

    m: int
    unique: Estimate
    success: Estimate
    worst: ColumnSet
    n_unique_worst: int
    n_unique_some: int
    success_best: float
    is_exact: bool


class _Level(NamedTuple):
    """The sets of one size: unique records, classes and columns of each, and the smallest class of each row.

    ``widest`` are sets that were not drawn: all sets of the columns with most values.
    """

    smallest: Ints
    sets: list[tuple[int, int, ColumnSet]]
    widest: list[tuple[int, int, ColumnSet]]


def count_known(
    codes: Sequence[Codes],
    cardinalities: Sequence[int],
    weights: Ints,
    *,
    sizes: Sequence[int] | None = None,
    seed: int = 0,
    progress: Callable[[float], None] = lambda share: None,
) -> tuple[Known, ...]:
    """Return what an attacker achieves for each number of known columns.

    Parameters
    ----------
    codes : sequence of d int32 arrays of shape (r,)
        The distinct rows, no two equal.
    cardinalities : sequence of int
        Codes of each column are below.
    weights : int64 array of shape (r,)
        Records of each row.
    sizes : sequence of int, optional
        The values of m; all from 1 to d if not given.
    seed : int
        Decides which sets are drawn beyond `MOST_EXACT` columns.
    """
    d, n = len(codes), int(weights.sum())
    wanted = list(range(1, d + 1)) if sizes is None else [m for m in sizes if m <= d]
    levels = {m: _Level(np.full(len(weights), n, dtype=np.int64), [], []) for m in wanted}
    if not wanted or not n:
        return ()
    most = max(wanted)
    work = bounded(cardinalities, most, len(weights), None if d <= MOST_EXACT else MOST_VISITS)
    visit = _Visit(codes, cardinalities, weights, levels)
    visit.all_sets(work.largest, range(d), progress)
    if work.columns and work.largest + 1 in levels:
        visit.widest_sets(work.largest + 1, work.columns)
    visit.drawn_sets(range(work.largest + 1, most + 1), work.columns, seed, progress)
    for before, after in pairwise(wanted):  # who is unique for someone who knows less is so for those who know more
        np.minimum(levels[before].smallest, levels[after].smallest, out=levels[after].smallest)
    return tuple(_known(m, levels[m], math.comb(d, m), n, weights, is_exact=m <= work.largest) for m in wanted)


def _known(m: int, level: _Level, n_all: int, n: int, weights: Ints, *, is_exact: bool) -> Known:
    uniques, classes, _ = zip(*level.sets, strict=True)
    sure = sum(one[0] for one in level.widest), sum(one[1] for one in level.widest)
    # Of equally bad sets the first by number: the result does not depend on the order of the visit.
    n_unique, _, worst = min(level.sets + level.widest, key=lambda one: (-one[0], one[2]))
    return Known(
        m=m,
        unique=_mean(uniques, n, n_all, sure[0], len(level.widest)),
        success=_mean(classes, n, n_all, sure[1], len(level.widest)),
        worst=worst,
        n_unique_worst=n_unique,
        n_unique_some=int((level.smallest == 1).sum()),
        success_best=float((weights / level.smallest).sum() / n),
        is_exact=is_exact,
    )


def _mean(counts: Sequence[int], n: int, n_all: int, sure: int = 0, n_sure: int = 0) -> Estimate:
    """Return the mean over `n_all` sets of a share of `n` records.

    Of `n_sure` sets the sum of the counts is known, and the others were drawn without replacement.
    """
    n_sets, n_open = len(counts), n_all - n_sure
    drawn = sum(counts) / n_sets / n
    mean = (sure / n + n_open * drawn) / n_all
    if n_sets >= n_open:
        return exact(mean, n)
    # The factor 1 - n_sets / n_open is that of draws without replacement: all sets together leave no error.
    squares = sum(count**2 for count in counts) / n_sets / n**2
    spread = max(0.0, squares - drawn**2) * n_sets / max(1, n_sets - 1)
    half = student(n_sets - 1) * math.sqrt(spread / n_sets * (1 - n_sets / n_open)) * n_open / n_all
    return Estimate(value=mean, low=max(0.0, mean - half), high=min(1.0, mean + half), n=n_sets, method="mean of sets")


@dataclass(frozen=True, slots=True)
class _Node:
    """One set: the rows that share their class with others, their classes, and what has left the visit.

    ``alone`` are rows that were alone when they left, ``alone_unique`` those of them with one record.
    """

    chosen: ColumnSet
    rows: Ints
    labels: Ints
    n_labels: int
    alone: int = 0
    alone_unique: int = 0


class _Visit:
    def __init__(
        self, codes: Sequence[Codes], cardinalities: Sequence[int], weights: Ints, levels: dict[int, _Level]
    ) -> None:
        self.codes, self.cardinalities, self.weights, self.levels = codes, cardinalities, weights, levels
        self.d = len(codes)

    def all_sets(self, most: int, columns: Sequence[int], progress: Callable[[float], None]) -> None:
        """Visit every set of up to `most` columns; a column with few values first, so that few classes are carried."""
        stack = [self._root()]
        order = sorted(columns, key=lambda c: -self.cardinalities[c])
        total, done = n_sets(len(order), most), 0
        while stack:
            node = stack.pop()
            first = order.index(node.chosen[-1]) + 1 if node.chosen else 0
            for place in range(first, len(order)):
                child = self._child(node, order[place])
                done += 1
                if len(child.chosen) < most and place + 1 < len(order):
                    stack.append(child)
            if not node.chosen or len(node.chosen) == 1:
                progress(done / total)

    def widest_sets(self, m: int, columns: Sequence[int]) -> None:
        """Visit every set of m of the columns with most values."""
        among = _Visit(self.codes, self.cardinalities, self.weights, {m: self.levels[m]._replace(sets=[])})
        among.all_sets(m, columns, lambda share: None)
        self.levels[m].widest.extend(among.levels[m].sets)

    def drawn_sets(self, sizes: range, widest: Sequence[int], seed: int, progress: Callable[[float], None]) -> None:
        """Visit sets drawn at random, different ones for each size, and all where there are few.

        Of the first size, those of the `widest` columns are visited already.
        """
        random = np.random.default_rng(seed)
        for m in sizes:
            if m not in self.levels:
                continue
            progress((m - sizes.start) / len(sizes))
            for chosen in _draw(self.d, m, random, frozenset(widest if m == sizes.start else ())):
                node = self._root()
                for place, column in enumerate(sorted(chosen, key=lambda c: -self.cardinalities[c])):
                    node = self._child(node, column, counted=place == m - 1)

    def _root(self) -> _Node:
        n = len(self.weights)
        return _Node((), np.arange(n), np.zeros(n, dtype=np.int64), 1)

    def _child(self, node: _Node, column: int, *, counted: bool = True) -> _Node:
        """Return the classes after one more column, and count them."""
        cardinality = self.cardinalities[column]
        key = node.labels * cardinality + self.codes[column][node.rows]
        labels, n_labels = dense_keys(key, node.n_labels * cardinality)
        weights = self.weights[node.rows]
        members = np.bincount(labels, minlength=n_labels)
        size = np.bincount(labels, weights=weights, minlength=n_labels).astype(np.int64)
        chosen = (*node.chosen, column)
        level = self.levels.get(len(chosen))
        if counted and level is not None:
            n_unique = node.alone_unique + int((size == 1).sum())
            level.sets.append((n_unique, node.alone + n_labels, tuple(sorted(chosen))))
            level.smallest[node.rows] = np.minimum(level.smallest[node.rows], size[labels])
        # A distinct row that is alone stays alone on every larger set: it is counted there without being carried.
        lonely = members == 1
        stays = ~lonely[labels]
        kept = np.cumsum(~lonely) - 1
        leaving = node.rows[~stays]
        for m, larger in self.levels.items():
            if m >= len(chosen):
                larger.smallest[leaving] = self.weights[leaving]
        return _Node(
            chosen,
            node.rows[stays],
            kept[labels[stays]],
            n_labels - int(lonely.sum()),
            node.alone + len(leaving),
            node.alone_unique + int((self.weights[leaving] == 1).sum()),
        )


def _draw(d: int, m: int, random: np.random.Generator, omitted: frozenset[int]) -> list[ColumnSet]:
    """Return different sets of m of d columns, none with columns of `omitted` alone."""
    if math.comb(d, m) - math.comb(len(omitted), m) <= SETS_DRAWN:
        return [chosen for chosen in combinations(range(d), m) if not omitted.issuperset(chosen)]
    found: dict[ColumnSet, None] = {}
    while len(found) < SETS_DRAWN:
        chosen = tuple(sorted(random.choice(d, m, replace=False).tolist()))
        if not omitted.issuperset(chosen):
            found[chosen] = None
    return list(found)
