"""Across releases: two releases of one table, which together single out more people than each alone.

Question: how many people are unique to someone who holds both releases?
Method: a column with the same ID of a person in both releases connects their rows (a pseudonym that was used again, the
data subject column, or the columns of the truth). The candidates for a person are those in the same class of both
releases: the intersection of the two classes over the quasi-identifiers. People who are unique in the later release
alone are the control: what the earlier release adds is the advantage.
Limits: people with several rows are represented by their first. Without a common ID the classes cannot be intersected.

References
----------
.. [1] S. Ganta, S. Kasiviswanathan, A. Smith, Composition attacks and auxiliary information in data privacy, KDD 2008.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from privaudit.attacks.inputs import AttackInputs, AttackResults
from privaudit.attacks.links.record_matches import Counts, match_records, read_pairs
from privaudit.base.arrays import Codes
from privaudit.model import Attack, MeasuredDetail, limit
from privaudit.model.advantage import against_control
from privaudit.model.stats import exact
from privaudit.model.wording import Columns, Count, fact
from privaudit.risk.codes.coded import encode_column
from privaudit.risk.codes.row_keys import dense_labels
from privaudit.source.dataset import Dataset

LEAST_SHARED = 0.05
"""A column connects the releases where at least this share of the IDs of the later one occurs in the earlier one."""
NEAR_UNIQUE = 0.5


class _Joined(NamedTuple):
    """The people of both releases, the row of each in the later and in the earlier one, and all IDs of the later."""

    later: Counts
    earlier: Counts
    n_ids: int


def simulate_releases(inputs: AttackInputs) -> AttackResults:
    """Intersect the classes of people who are in both releases."""
    release, earlier = inputs.release, inputs.earlier
    assert earlier is not None, "the registry runs this attack only with an earlier release"
    quasi = [name for name in inputs.named("quasi") if name != inputs.settings.subject]
    found = _connecting(inputs, earlier)
    if found is None or not quasi:
        why = "no_common_id" if quasi else "no_quasi_identifier"
        return AttackResults((), (limit(f"attacks.{why}", incomplete=found is None),))
    name, joined = found
    old = [column for column in earlier.columns if column in quasi]
    added = [column for column in earlier.columns if column not in release.columns and _is_class(earlier, column)]
    return AttackResults((_attack(release, earlier, name, joined, quasi, old + added),))


def _connecting(inputs: AttackInputs, earlier: Dataset) -> tuple[str, _Joined] | None:
    """Return the column whose IDs occur in both releases, and the people found by it."""
    release = inputs.release
    pairs = dict(inputs.settings.truth) or {
        name: name for name in release.columns if name in earlier.columns and _is_id(inputs, name)
    }
    best: tuple[str, _Joined] | None = None
    for ours, theirs in pairs.items():
        codes = read_pairs(release, earlier, {ours: theirs}, exact=True)
        joined = _join(codes[0][0], codes[1][0])
        enough = len(joined.later) >= max(1, LEAST_SHARED * joined.n_ids)
        if enough and (best is None or len(joined.later) > len(best[1].later)):
            best = ours, joined
    return best


def _is_id(inputs: AttackInputs, name: str) -> bool:
    is_subject = name == inputs.settings.subject
    return is_subject or len(inputs.release.frequencies(name).values) > NEAR_UNIQUE * inputs.release.n_rows


def _is_class(earlier: Dataset, name: str) -> bool:
    """Return whether a column of the earlier release alone may be known: most of its values occur more than once."""
    return len(earlier.frequencies(name).values) <= NEAR_UNIQUE * earlier.n_rows


def _join(ours: Codes, theirs: Codes) -> _Joined:
    shared, later, earlier = np.intersect1d(ours, theirs, return_indices=True)
    known = shared >= 0
    return _Joined(later[known], earlier[known], len(np.unique(ours[ours >= 0])))


def _attack(release: Dataset, earlier: Dataset, name: str, joined: _Joined, quasi: list[str], old: list[str]) -> Attack:
    n, later = len(joined.later), _classes(release, quasi)
    alone = np.bincount(later)[later[joined.later]]
    sides = later[joined.later], _classes(earlier, old)[joined.earlier]
    both, n_both = dense_labels([side.astype(np.int32) for side in sides], length=n)
    together = np.bincount(both, minlength=n_both)[both]
    success, control = exact(float((together == 1).mean()), n), exact(float((alone == 1).mean()), n)
    changed = _changed(release, earlier, joined, [column for column in old if column in quasi])
    reused = Count(n, of=joined.n_ids, unit="value")
    return Attack(
        kind="releases",
        knowledge=tuple(dict.fromkeys([*quasi, *old])),
        attacker=fact("attacks.releases_attacker", column=Columns((name,))),
        outcome=fact(
            "attacks.releases_outcome",
            people=Count(int((together == 1).sum()), of=n, unit="person"),
            alone=Count(int((alone == 1).sum()), of=n, unit="person"),
            reused=reused,
        ),
        baseline=1 / n,
        **against_control(success, control),
        assumptions=(fact("attacks.later_alone_is_control"), fact("attacks.exact_values")),
        detail=MeasuredDetail(
            method="intersection",
            measures={
                "ids_reused": reused,
                "smallest_intersection": Count(int(together.min()), unit="person"),
                "rows_changed": Count(changed, of=n, unit="person"),
            },
        ),
    )


def _classes(table: Dataset, columns: list[str]) -> Counts:
    codes = [encode_column(table.rows([column])[column])[0] for column in columns]
    return dense_labels(codes, length=table.n_rows)[0]


def _changed(release: Dataset, earlier: Dataset, joined: _Joined, columns: list[str]) -> int:
    """Return the people whose values of the common columns differ between the releases."""
    if not columns:
        return 0
    ours, theirs = read_pairs(release, earlier, {name: name for name in columns})
    # A missing cell is a value here: it may have been filled in between the releases.
    classes = match_records([c + 1 for c in ours], [c + 1 for c in theirs])
    return int((classes.release[joined.later] != classes.auxiliary[joined.earlier]).sum())
