"""Which columns of the two tables speak of the same thing?

Question: on what can an adversary who holds the auxiliary table link it to the release?
Method: pairs named by the user, or else every pair whose headers say the same (equal tokens, synonyms, one
header within the other) and whose values overlap, and pairs of text columns whose values overlap so far that
headers are not needed. Best pairs first, one-to-one, each with its reason.
Limits: two columns that hold the same codes for different things look alike without headers, so numbers are
never paired by value alone. Row numbers are left out: they agree by counting, not by being about a person.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from privaudit.attacks.headers import relate_words, tokens
from privaudit.attacks.values import Canonical, canonical, plain
from privaudit.model import ColumnReport, Limit, untyped_limit

if TYPE_CHECKING:
    import pyarrow as pa

    from privaudit.source.dataset import Dataset, Frequencies

FEW_VALUES = 50
MANY_VALUES = 20_000
COUNTERS = frozenset({"ROW_NUMBER"})


@dataclass(frozen=True, slots=True)
class Link:
    """Two columns that are compared, how and why."""

    release: str
    auxiliary: str
    because: str
    comparison: str


@dataclass(frozen=True, slots=True)
class _Candidate:
    link: Link
    score: tuple[float, float]


def named_links(release: Dataset, auxiliary: Dataset, on: Mapping[str, str]) -> tuple[Link, ...]:
    """Return the links the user named, ``{release column: auxiliary column}``.

    Raises
    ------
    ColumnNotFound
        If one of the two tables lacks a column.
    """
    links = []
    for ours, theirs in on.items():
        pair = canonical(release.frequencies(ours).values, auxiliary.frequencies(theirs).values)
        links.append(Link(ours, theirs, "named by the user", pair.comparison))
    return tuple(links)


def find_links(
    release: Dataset, auxiliary: Dataset, columns: Sequence[ColumnReport], *, skip: Mapping[str, str]
) -> tuple[tuple[Link, ...], tuple[Limit, ...]]:
    """Pair the columns of the two tables by header, kind and overlap of values.

    Parameters
    ----------
    columns : sequence of ColumnReport
        The release's columns as the scan sees them.
    skip : mapping of release column to auxiliary column
        Columns that hold the truth and are no knowledge of the attacker.

    Returns
    -------
    links : tuple of Link, in the order of the release's columns
    limits : tuple of Limit
        Columns of one name that were not linked on, and why.
    """
    reports = {report.name: report for report in columns}
    limits: list[Limit] = []
    found: list[_Candidate] = []
    ours_all = [name for name in release.columns if name not in skip]
    counters = {name for name in ours_all if name in reports and counts_rows(reports[name])}
    theirs_all = [name for name in auxiliary.columns if name not in skip.values()]
    limits += [
        _not_linked(name, "it numbers the rows of the release") for name in sorted(counters & set(theirs_all))
    ]
    split = {name: tokens(name) for name in (*ours_all, *theirs_all)}
    for ours in (name for name in ours_all if name not in counters):
        for theirs in theirs_all:
            relation = relate_words(split[ours], split[theirs])
            candidate = None if relation is None else _by_header(release, auxiliary, ours, theirs, relation)
            if candidate is not None:
                found.append(candidate)
            elif relation is not None and relation[0] == 1.0:
                limits.append(_not_linked(ours, "too few of its values occur in both tables"))
    taken = _one_to_one(found)
    free = [
        name
        for name in ours_all
        if name not in taken and name not in counters and _may_match_by_value(reports.get(name))
    ]
    used = {link.auxiliary for link in taken.values()}
    taken |= _one_to_one(_by_value(release, auxiliary, free, [t for t in theirs_all if t not in used]))
    return tuple(taken[name] for name in release.columns if name in taken), tuple(limits)


def counts_rows(report: ColumnReport) -> bool:
    """Return whether a column of the release only numbers its rows."""
    if report.is_ is not None:
        return report.is_.entity in COUNTERS
    return report.monotonic and report.data_type == "integer" and report.uniqueness == 1.0 and report.n_rows > 1


def _may_match_by_value(report: ColumnReport | None) -> bool:
    return report is not None and report.data_type == "text" and 3 <= report.n_distinct <= MANY_VALUES


def _by_header(
    release: Dataset, auxiliary: Dataset, ours: str, theirs: str, relation: tuple[float, str]
) -> _Candidate | None:
    """Return a pair whose headers agree as a candidate, if enough of the auxiliary cells occur in the release."""
    left, right = release.frequencies(ours), auxiliary.frequencies(theirs)
    if not len(left.values) or not len(right.values):
        return None
    pair = canonical(left.values, right.values)
    share, _ = _containment(pair.release, pair.auxiliary, right)
    if share == 0 or share < _least(relation[0], pair, len(right.values)):
        return None
    return _Candidate(Link(ours, theirs, _because(relation[1], share), pair.comparison), (relation[0], share))


def _least(relation: float, pair: Canonical, n_values: int) -> float:
    """Return the share of auxiliary cells that must occur in the release: the less headers say, the more."""
    if relation < 1.0:
        # Numbers of the same range agree by chance.
        return 0.9 if relation < 0.8 and pair.comparison == "numbers" else 0.3
    return 0.1 if n_values <= FEW_VALUES else 0.0


def _by_value(
    release: Dataset, auxiliary: Dataset, free: Sequence[str], unused: Sequence[str]
) -> list[_Candidate]:
    """Pair text columns whose values agree so far that headers are not needed."""
    rights: dict[str, tuple[Frequencies, pa.Array]] = {}
    for theirs in unused if free else ():
        right = auxiliary.frequencies(theirs)
        if 3 <= len(right.values) <= MANY_VALUES:
            rights[theirs] = (right, plain(right.values))
    found = []
    for ours in free:
        words = plain(release.frequencies(ours).values)
        for theirs, (right, others) in rights.items():
            share, n_shared = _containment(words, others, right)
            if share >= 0.9 and n_shared >= max(3, 0.3 * max(len(words), len(others))):
                because = _because("values agree though headers differ", share)
                found.append(_Candidate(Link(ours, theirs, because, "text"), (0.3, share)))
    return found


def _because(relation: str, share: float) -> str:
    return f"{relation}; {100 * share:.0f} % of the auxiliary cells hold a value that the release holds"


def _containment(left: pa.Array, right: pa.Array, held: Frequencies) -> tuple[float, int]:
    """Return the share of auxiliary cells whose value the release holds, and how many values are shared."""
    import pyarrow.compute as pc

    inside = pc.fill_null(pc.is_in(right, value_set=left.drop_null()), False)
    hit = np.asarray(inside.to_numpy(zero_copy_only=False), dtype=bool)
    return float(held.counts[hit].sum() / held.n_present), len(right.filter(inside).unique())


def _one_to_one(found: list[_Candidate]) -> dict[str, Link]:
    """Take the best pairs first; ties go by name, so that the order of columns does not matter."""
    found.sort(key=lambda c: (-c.score[0], -c.score[1], c.link.release, c.link.auxiliary))
    taken: dict[str, Link] = {}
    used: set[str] = set()
    for candidate in found:
        link = candidate.link
        if link.release not in taken and link.auxiliary not in used:
            taken[link.release] = link
            used.add(link.auxiliary)
    return taken


def _not_linked(column: str, why: str) -> Limit:
    return untyped_limit(
        what=f'column "{column}" was not linked on',
        why=f"both tables have it, but {why}; --on names columns to link on whatever they hold",
    )
