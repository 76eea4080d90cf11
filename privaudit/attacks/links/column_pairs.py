"""Which columns of the two tables describe the same attribute?

Question: on which columns can an attacker link the auxiliary table to the release?
Method: the pairs that the user names; otherwise every pair with related names (`model.headers.relate`) and shared
values, and pairs of text columns that share so many values that names are not needed. Best pairs first, each column at
most once, each pair with its reason.
Limits: columns that use the same codes for different attributes look alike without names, so numbers are never paired
by value alone. Row numbers are excluded: they are equal because rows are counted, not because of the person.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np

from privaudit.attacks.values.comparable_values import Canonical, Comparison, canonical, plain
from privaudit.base.arrow import pa, pc
from privaudit.base.records import dataclass
from privaudit.model import ColumnReport, Limit, limit
from privaudit.model.headers import Relation, relate_tokens, tokenise
from privaudit.model.wording import Columns, Fact, Share, fact
from privaudit.settings.config import Settings
from privaudit.source.dataset import Dataset, Frequencies

FEW_VALUES = 50
LEAST_VALUES = 3
"""Different texts below which columns are not paired by their values."""


@dataclass(frozen=True, slots=True)
class ColumnPair:
    """Two columns that are compared, why and how."""

    release: str
    auxiliary: str
    because: Fact
    comparison: Comparison

    @property
    def reason(self) -> Fact:
        """Why the columns are compared, and how."""
        comparison = fact(f"attacks.compared_as_{self.comparison}")
        return fact("attacks.compared_column", because=self.because, comparison=comparison)


@dataclass(frozen=True, slots=True)
class _Candidate:
    pair: ColumnPair
    score: tuple[float, float]


def named_pairs(release: Dataset, auxiliary: Dataset, on: Mapping[str, str]) -> tuple[ColumnPair, ...]:
    """Return the pairs that the user names, ``{release column: auxiliary column}``.

    Raises
    ------
    ColumnNotFound
        If one of the two tables lacks a column.
    """
    pairs = []
    for ours, theirs in on.items():
        values = canonical(release.frequencies(ours).values, auxiliary.frequencies(theirs).values)
        pairs.append(ColumnPair(ours, theirs, fact("attacks.named_by_user"), values.comparison))
    return tuple(pairs)


def compared_pairs(
    release: Dataset, auxiliary: Dataset, columns: Sequence[ColumnReport], settings: Settings
) -> tuple[tuple[ColumnPair, ...], tuple[Limit, ...]]:
    """Return the pairs that the settings name; where they name none, those that `find_pairs` returns."""
    if settings.on:
        return named_pairs(release, auxiliary, settings.on), ()
    return find_pairs(release, auxiliary, columns, skip=settings.truth)


def find_pairs(
    release: Dataset, auxiliary: Dataset, columns: Sequence[ColumnReport], *, skip: Mapping[str, str]
) -> tuple[tuple[ColumnPair, ...], tuple[Limit, ...]]:
    """Pair the columns of the two tables by name, data type and overlap of values.

    Parameters
    ----------
    columns : sequence of ColumnReport
        The columns of the release as the scan describes them.
    skip : mapping of release column to auxiliary column
        Columns that hold the truth and are not knowledge of the attacker.

    Returns
    -------
    pairs : tuple of ColumnPair, in the order of the columns of the release
    limits : tuple of Limit
        Columns of the same name that are not compared, and why.
    """
    reports = {report.name: report for report in columns}
    ours_all = [name for name in release.columns if name not in skip]
    theirs_all = [name for name in auxiliary.columns if name not in skip.values()]
    counters = {name for name in ours_all if name in reports and is_row_counter(reports[name])}
    limits = [
        limit("attacks.row_number_not_compared", column=Columns((name,))) for name in sorted(counters & set(theirs_all))
    ]
    found, without_overlap = _by_name(release, auxiliary, [n for n in ours_all if n not in counters], theirs_all)
    limits += [limit("attacks.too_few_shared_values", column=Columns((name,))) for name in without_overlap]
    chosen = _one_to_one(found)
    free = [
        name
        for name in ours_all
        if name not in chosen and name not in counters and _may_match_by_value(reports.get(name))
    ]
    used = {pair.auxiliary for pair in chosen.values()}
    chosen |= _one_to_one(_by_value(release, auxiliary, free, [name for name in theirs_all if name not in used]))
    return tuple(chosen[name] for name in release.columns if name in chosen), tuple(limits)


def is_row_counter(report: ColumnReport) -> bool:
    """Return whether a column of the release only numbers its rows."""
    if report.is_ is not None:
        return report.is_.entity == "ROW_NUMBER"
    return report.monotonic and report.data_type == "integer" and report.uniqueness == 1.0 and report.n_rows > 1


def _may_match_by_value(report: ColumnReport | None) -> bool:
    return report is not None and report.data_type == "text" and report.n_distinct >= LEAST_VALUES


def _by_name(
    release: Dataset, auxiliary: Dataset, ours_all: Sequence[str], theirs_all: Sequence[str]
) -> tuple[list[_Candidate], list[str]]:
    """Return the pairs with related names, and the columns whose namesakes share too few values."""
    words = {name: tokenise(name) for name in (*ours_all, *theirs_all)}
    found: list[_Candidate] = []
    without_overlap: list[str] = []
    for ours in ours_all:
        for theirs in theirs_all:
            relation = relate_tokens(words[ours], words[theirs])
            if relation is None:
                continue
            candidate = _related(release, auxiliary, ours, theirs, relation)
            if candidate is not None:
                found.append(candidate)
            elif relation.kind == "same_name":
                without_overlap.append(ours)
    return found, without_overlap


def _related(release: Dataset, auxiliary: Dataset, ours: str, theirs: str, relation: Relation) -> _Candidate | None:
    """Return a pair with related names as a candidate, if enough of the auxiliary cells occur in the release."""
    left, right = release.frequencies(ours), auxiliary.frequencies(theirs)
    if not len(left.values) or not len(right.values):
        return None
    values = canonical(left.values, right.values)
    share, _ = _containment(values.release, values.auxiliary, right)
    if share == 0 or share < _least_share(relation.strength, values, len(right.values)):
        return None
    because = _because(relation.kind, share, right)
    return _Candidate(ColumnPair(ours, theirs, because, values.comparison), (relation.strength, share))


def _least_share(strength: float, values: Canonical, n_values: int) -> float:
    """Return the share of auxiliary cells that must occur in the release: the weaker the relation, the more."""
    if strength < 1.0:
        # Numbers of the same range are equal by chance.
        return 0.9 if strength < 0.8 and values.comparison == "numbers" else 0.3
    return 0.1 if n_values <= FEW_VALUES else 0.0


def _by_value(release: Dataset, auxiliary: Dataset, free: Sequence[str], unused: Sequence[str]) -> list[_Candidate]:
    """Pair text columns whose values overlap so far that names are not needed."""
    held = {theirs: auxiliary.frequencies(theirs) for theirs in (unused if free else ())}
    rights = {theirs: right for theirs, right in held.items() if len(right.values) >= LEAST_VALUES}
    form = cache(lambda table, name: plain(table.frequencies(name).values))  # of columns of like size alone
    found = []
    for ours in free:
        n = len(release.frequencies(ours).values)
        for theirs, right in rights.items():
            least = max(LEAST_VALUES, 0.3 * max(n, len(right.values)))
            if min(n, len(right.values)) < least:
                continue
            share, n_shared = _containment(form(release, ours), form(auxiliary, theirs), right)
            if share >= 0.9 and n_shared >= least:
                because = _because("same_values", share, right)
                found.append(_Candidate(ColumnPair(ours, theirs, because, "text"), (0.3, share)))
    return found


def _because(relation: str, share: float, auxiliary: Frequencies) -> Fact:
    shared = Share(share, of=int(auxiliary.n_present))
    return fact("attacks.related_columns", relation=fact(f"attacks.{relation}"), shared=shared)


def _containment(left: pa.Array, right: pa.Array, auxiliary: Frequencies) -> tuple[float, int]:
    """Return the share of auxiliary cells whose value occurs in the release, and the number of shared values."""
    inside = pc.fill_null(pc.is_in(right, value_set=left.drop_null()), False)
    is_shared = np.asarray(inside.to_numpy(zero_copy_only=False), dtype=bool)
    share = float(auxiliary.counts[is_shared].sum() / auxiliary.n_present)
    return share, len(right.filter(inside).unique())


def _one_to_one(candidates: list[_Candidate]) -> dict[str, ColumnPair]:
    """Take the best pairs first; ties are broken by name, so that the order of columns does not matter."""
    candidates.sort(key=lambda c: (-c.score[0], -c.score[1], c.pair.release, c.pair.auxiliary))
    chosen: dict[str, ColumnPair] = {}
    used: set[str] = set()
    for candidate in candidates:
        pair = candidate.pair
        if pair.release not in chosen and pair.auxiliary not in used:
            chosen[pair.release] = pair
            used.add(pair.auxiliary)
    return chosen
