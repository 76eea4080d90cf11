"""Public edition: small counts that follow from what the public edition of a report shows.

Question: which counts of 1 to 10, which the public edition withholds, can be computed from it?
Method: for each set of columns that the public edition lists, the number of classes of each size below k, the number of
larger classes and the records in them are unknown whole numbers. Every number that is shown is a range
(`privaudit.model.wording.numbers`). The smallest and the largest value of each withheld count follow by linear and
integer programmes (`attacks.published.cell_ranges`), set by set; then the sets narrow each other, because a further
column never leaves fewer records in small classes, nor fewer classes, until nothing changes.
Limits: the ranges are exact for one set; several sets that bound a count only all together are not solved together.
Counts of missing cells and of cells in texts are ranges that nothing else narrows. Neither the remedied table nor its
certificate is used. Where people have several records, or a missing cell matches anything, the records of a size need
not be a multiple of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from privaudit.attacks.inputs import AttackResults, EditionInputs
from privaudit.attacks.published.cell_ranges import Cells, Infeasible
from privaudit.base.extras import can_import
from privaudit.base.records import dataclass
from privaudit.model import Attack, MeasuredDetail, Report, limit
from privaudit.model.advantage import advantage
from privaudit.model.stats import exact
from privaudit.model.wording import Columns, Count, Threshold, fact
from privaudit.model.wording.rounding import SMALL_CELL, rounded

UNIQUE, FEW = 2, 5
"""Thresholds below which records are sought, next to that of the public edition: alone, and in classes below 5."""
SMALLEST = 0
"""Stands for the size of the smallest class among the thresholds."""
CLASSES = 1
"""Stands for the number of classes among the thresholds."""

Range = tuple[int, int | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """What is known of the classes over one set of columns.

    Attributes
    ----------
    of : mapping of int to (int, int or None)
        The range of each count: the records in classes smaller than a threshold, and the number of `CLASSES`.
    least : int
        A size that every class is known to reach.
    """

    of: Mapping[int, Range]
    least: int = 1


def simulate_public_edition(inputs: EditionInputs) -> AttackResults:
    """Compute the withheld counts of the public edition of a report, and compare them with the full one."""
    report, published = inputs.report, inputs.published
    shown = shown_classes(published, inputs.k)
    if not shown:
        return AttackResults((), (limit("attacks.no_classes_shown", incomplete=True),))
    if not can_import("scipy"):
        return AttackResults((), (limit("attacks.no_solver", incomplete=True),))
    sizes = ClassSizes(_total_range(published), inputs.k, report.risk is None or report.risk.matches is None)
    try:
        found = propagate(shown, sizes)
        withheld = [
            sizes.smallest(known) if sought == SMALLEST else known.of[sought]
            for columns, known in found.items()
            for sought in _withheld(report, columns, inputs.k)
        ]
    except Infeasible:
        return AttackResults((), (limit("attacks.edition_contradicts", incomplete=True),))
    ranges = [(low, published.n_units if high is None else high) for low, high in withheld]
    return AttackResults((_attack(report, ranges, len(shown)),))


def shown_classes(published: Report, k: int) -> dict[frozenset[str], Bounds]:
    """Return what the public edition shows of the classes over each set of columns.

    Parameters
    ----------
    published : Report
        What the public edition of a report is written from.
    k : int
        The class size that it counts records below.
    """
    n, risk = published.n_units, published.risk
    shown = {frozenset(one.columns): _below(one.n_below, n) for one in published.combinations}
    every, least = frozenset[str](), 1
    if risk is not None:
        every, least = frozenset(risk.quasi_identifiers), risk.k_min or 1
        known = shown.setdefault(every, {})
        for threshold, records in _below(risk.n_below, n).items():
            _narrow(known, threshold, records)
        for found in published.findings:
            if found.measure in ("class.k_min", "class.share_below") and found.n_people is not None:
                _narrow(known, published.policy.k, _range(found.n_people, found.n_total or n))
        if risk.unit == "record":
            for one in risk.diversity.values():  # a record that is alone shares its value with all of its class
                if one.homogeneous_records is not None:
                    _narrow(known, UNIQUE, (0, _range(one.homogeneous_records, n)[1]))
    start: dict[int, Range] = dict.fromkeys((UNIQUE, FEW, k, CLASSES), (0, None))
    return {
        columns: Bounds(of=start | known, least=least if columns == every else 1)
        for columns, known in shown.items()
        if known
    }


def _below(n_below: Mapping[str, int], n: int) -> dict[int, Range]:
    return {int(threshold): _range(count, n) for threshold, count in n_below.items()}


def _range(shown: int, total: int) -> Range:
    """Return the counts that a shown one represents; 0 is shown only where it is certain."""
    found = rounded(shown, total)
    if shown == 0 or found is None:
        return 0, 0 if shown == 0 else None
    return found.low, None if found.high == total else found.high


def _narrow(known: dict[int, Range], threshold: int, shown: Range) -> None:
    low, high = known.get(threshold, (0, None))
    highest = [end for end in (high, shown[1]) if end is not None]
    known[threshold] = max(low, shown[0]), min(highest, default=None)


def _total_range(published: Report) -> tuple[int, int]:
    """Return how many records there are or, rounded where they are fewer than the rows, people."""
    n_rows, n = published.dataset.n_rows, published.n_units
    if published.risk is None or published.risk.n_people is None:
        return n, n
    low, high = _range(n, n_rows)
    return low, n_rows if high is None else high


def _withheld(report: Report, columns: frozenset[str], k: int) -> tuple[int, ...]:
    """Return which counts of a set of columns are from 1 to 10 by the full report: thresholds, or `SMALLEST`."""
    risk = report.risk
    source = risk if risk is not None and frozenset(risk.quasi_identifiers) == columns else None
    found = source or next((one for one in report.combinations if frozenset(one.columns) == columns), None)
    if found is None:
        return ()
    counts = {threshold: found.n_below_k(threshold) for threshold in (UNIQUE, FEW, k)} | {SMALLEST: found.k_min}
    return tuple(sought for sought, count in counts.items() if count is not None and 1 <= count < SMALL_CELL)


def _attack(report: Report, withheld: Sequence[tuple[int, int]], n_sets: int) -> Attack:
    n = len(withheld)
    computed = sum(low == high for low, high in withheld)
    narrowed = sum(high - low < SMALL_CELL - 1 for low, high in withheld)
    success = exact(computed / max(1, n), n)
    names = report.risk.quasi_identifiers if report.risk is not None else report.combinations[0].columns
    return Attack(
        kind="public_edition",
        knowledge=names,
        attacker=fact("attacks.public_edition_attacker"),
        outcome=fact(
            "attacks.public_edition_outcome",
            computed=Count(computed, of=n, unit="value"),
            narrowed=Count(narrowed, of=n, unit="value"),
            sets=Threshold(n_sets),
        ),
        n_targets=n,
        success=success,
        baseline=0.0,
        advantage=advantage(success, 0.0),
        assumptions=(fact("attacks.edition_alone", columns=Columns(names)),),
        detail=MeasuredDetail(
            method="programmes",
            measures={
                "counts_withheld": Count(n, unit="value"),
                "counts_computed": Count(computed, of=n, unit="value"),
                "counts_narrowed": Count(narrowed, of=n, unit="value"),
            },
        ),
    )


@dataclass(frozen=True, slots=True)
class ClassSizes:
    """Which class sizes agree with what is shown of one set of columns.

    The unknowns are the classes of each size below k, the larger ones and the records in them: b classes of at least k
    records hold t records where ``b k <= t <= b n``, so nothing that is shown or sought depends on more.

    Attributes
    ----------
    total : (int, int)
        The least and largest number of records (or people) of the table.
    k : int
        The class size that the public edition counts records below.
    are_multiples : bool
        Whether the records in classes of size s are a multiple of s.
    """

    total: tuple[int, int]
    k: int
    are_multiples: bool = True

    def narrowed(self, known: Bounds) -> Bounds:
        """Return the exact range of every count, given the ranges of all of them.

        Raises
        ------
        Infeasible
            If no class sizes agree with them.
        """
        cells = self._cells(known)
        first = len(cells.low) - len(known.of)
        low, high = cells.ranges(range(first, len(cells.low)))
        ranges = zip(low.tolist(), high.tolist(), strict=True)
        return replace(known, of={key: (int(a), int(b)) for key, (a, b) in zip(known.of, ranges, strict=True)})

    def smallest(self, known: Bounds) -> tuple[int, int]:
        """Return the least and largest size of the smallest class; k stands for that size and all larger ones."""
        cells, sizes = self._cells(known), range(1, self.k + 1)
        low, high = (
            next(size for size in order if self._can_be_smallest(cells, size)) for order in (sizes, reversed(sizes))
        )
        return low, high

    def _can_be_smallest(self, cells: Cells, size: int) -> bool:
        low, high = cells.low.copy(), cells.high.copy()
        high[: size - 1] = 0
        if size < self.k:
            low[size - 1] = max(low[size - 1], 1)
        if (low > high).any():
            return False
        try:
            replace(cells, low=low, high=high, seen=[]).ranges([])
        except Infeasible:
            return False
        return True

    def _cells(self, known: Bounds) -> Cells:
        """Return the unknowns: classes by size, larger ones, their records, the total, two slacks, then the counts."""
        n_sizes = self.k - 1
        n_large, in_large, total, over, under = range(n_sizes, n_sizes + 5)
        first = n_sizes + 5
        low, high = np.zeros(first + len(known.of)), np.full(first + len(known.of), np.inf)
        high[: known.least - 1] = 0
        low[total], high[total] = self.total
        records = np.zeros(len(low))
        records[:n_sizes] = np.arange(1, self.k) if self.are_multiples else 1
        sums = np.zeros((3 + len(known.of), len(low)))
        sums[0] = records
        sums[0, [in_large, total]] = 1, -1
        sums[1, [in_large, n_large, over]] = 1, -self.k, -1
        sums[2, [n_large, in_large, under]] = self.total[1], -1, -1
        for i, (key, (least, most)) in enumerate(known.of.items()):
            low[first + i], high[first + i] = least, self.total[1] if most is None else most
            row = sums[3 + i]
            row[first + i] = -1
            if key == CLASSES:
                row[: n_sizes + 1] = 1
            else:
                row[: key - 1] = records[: key - 1]
        return Cells(low, high, sums, np.zeros(len(sums)))


def propagate(sets: Mapping[frozenset[str], Bounds], sizes: ClassSizes) -> dict[frozenset[str], Bounds]:
    """Return the ranges of all counts of all sets of columns, narrowed by each other until nothing changes.

    Raises
    ------
    Infeasible
        If what is shown contradicts itself.
    """
    solved: dict[str, Bounds] = {}

    def narrowed(known: Bounds) -> Bounds:
        key = repr(known)
        if key not in solved:
            solved[key] = sizes.narrowed(known)
        return solved[key]

    found, before = dict(sets), dict[frozenset[str], Bounds]()
    pairs = [(few, more) for few in sets for more in sets if few < more]
    while found != before:
        before = found
        found = {columns: narrowed(known) for columns, known in found.items()}
        for few, more in pairs:
            found[few], found[more] = _ordered(found[few], found[more], sizes.are_multiples)
    return found


def _ordered(few: Bounds, more: Bounds, are_multiples: bool) -> tuple[Bounds, Bounds]:
    """State that a further column leaves no fewer records in small classes, and no fewer classes."""
    lower, upper = dict(few.of), dict(more.of)
    for key in lower.keys() & upper.keys():
        if key == CLASSES and not are_multiples:
            continue
        (a, b), (c, d) = lower[key], upper[key]
        ends = [end for end in (b, d) if end is not None]
        lower[key], upper[key] = (a, min(ends, default=None)), (max(a, c), d)
    return replace(few, of=lower), replace(more, of=upper)
