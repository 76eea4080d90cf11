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

import numpy as np

from privaudit.attacks.inputs import AttackInputs, AttackResults
from privaudit.attacks.links.record_matches import Counts, match_records, read_pairs
from privaudit.base.arrays import Codes
from privaudit.base.records import dataclass
from privaudit.model import Attack, MeasuredDetail, limit
from privaudit.model.advantage import against_control
from privaudit.model.stats import exact
from privaudit.model.wording import Columns, Count, fact
from privaudit.risk.codes.row_keys import dense_labels

LEAST_SHARED = 0.05
"""A column connects the releases where at least this share of the IDs of the later one occurs in the earlier one."""
NEAR_UNIQUE = 0.5


@dataclass(frozen=True, slots=True)
class _Joined:
    """The people of both releases: the row of each in the later and in the earlier release."""

    later: Counts
    earlier: Counts
    n_reused: int
    n_ids: int


def simulate_releases(inputs: AttackInputs) -> AttackResults:
    """Intersect the classes of people who are in both releases."""
    release, earlier = inputs.release, inputs.earlier
    assert earlier is not None, "the registry runs this attack only with an earlier release"
    quasi = [name for name in inputs.named("quasi") if name != inputs.settings.subject]
    found = _connecting(inputs)
    if found is None or not quasi:
        why = "no_common_id" if quasi else "no_quasi_identifier"
        return AttackResults((), (limit(f"attacks.{why}", incomplete=found is None),))
    name, joined = found
    old = [column for column in earlier.columns if column in quasi]
    added = [column for column in earlier.columns if column not in release.columns and _is_class(inputs, column)]
    return AttackResults((_attack(inputs, name, joined, quasi, old + added),))


def _connecting(inputs: AttackInputs) -> tuple[str, _Joined] | None:
    """Return the column whose IDs occur in both releases, and the people found by it."""
    release, earlier = inputs.release, inputs.earlier
    assert earlier is not None
    pairs = dict(inputs.settings.truth) or {
        name: name for name in release.columns if name in earlier.columns and _is_id(inputs, name)
    }
    best: tuple[str, _Joined] | None = None
    for ours, theirs in pairs.items():
        codes = read_pairs(release, earlier, {ours: theirs}, exact=True)
        joined = _join(codes[0][0], codes[1][0])
        enough = len(joined.later) and joined.n_reused >= LEAST_SHARED * joined.n_ids
        if enough and (best is None or len(joined.later) > len(best[1].later)):
            best = ours, joined
    return best


def _is_id(inputs: AttackInputs, name: str) -> bool:
    if name == inputs.settings.subject:
        return True
    return len(inputs.release.frequencies(name).values) > NEAR_UNIQUE * inputs.release.n_rows


def _is_class(inputs: AttackInputs, name: str) -> bool:
    """Return whether a column of the earlier release alone may be known: most of its values occur more than once."""
    assert inputs.earlier is not None
    return len(inputs.earlier.frequencies(name).values) <= NEAR_UNIQUE * inputs.earlier.n_rows


def _join(ours: Codes, theirs: Codes) -> _Joined:
    mine, first = np.unique(ours, return_index=True)
    other, first_other = np.unique(theirs, return_index=True)
    shared, a, b = np.intersect1d(mine, other, return_indices=True)
    known = shared >= 0
    return _Joined(first[a[known]], first_other[b[known]], int(known.sum()), int((mine >= 0).sum()))


def _attack(inputs: AttackInputs, name: str, joined: _Joined, quasi: list[str], old: list[str]) -> Attack:
    later = _classes(inputs.release, quasi)
    earlier = _classes(inputs.earlier, old)
    n = len(joined.later)
    alone = np.bincount(later)[later[joined.later]]
    both, n_both = dense_labels(
        [side[rows].astype(np.int32) for side, rows in ((later, joined.later), (earlier, joined.earlier))], length=n
    )
    together = np.bincount(both, minlength=n_both)[both]
    success, control = exact(float((together == 1).mean()), n), exact(float((alone == 1).mean()), n)
    changed = _changed(inputs, joined, [column for column in old if column in quasi])
    return Attack(
        kind="releases",
        knowledge=tuple(dict.fromkeys([*quasi, *old])),
        attacker=fact("attacks.releases_attacker", column=Columns((name,))),
        outcome=fact(
            "attacks.releases_outcome",
            people=Count(int((together == 1).sum()), of=n, unit="person"),
            alone=Count(int((alone == 1).sum()), of=n, unit="person"),
            reused=Count(joined.n_reused, of=joined.n_ids, unit="value"),
        ),
        baseline=1 / n,
        **against_control(success, control),
        assumptions=(fact("attacks.later_alone_is_control"), fact("attacks.exact_values")),
        detail=MeasuredDetail(
            method="intersection",
            measures={
                "ids_reused": Count(joined.n_reused, of=joined.n_ids, unit="value"),
                "smallest_intersection": Count(int(together.min()), unit="person"),
                "rows_changed": Count(changed, of=n, unit="person"),
            },
        ),
    )


def _classes(table: object, columns: list[str]) -> Counts:
    from privaudit.risk.codes.coded import encode_column
    from privaudit.source.dataset import Dataset

    assert isinstance(table, Dataset)
    codes = [encode_column(table.rows([column])[column])[0] for column in columns]
    return dense_labels(codes, length=table.n_rows)[0]


def _changed(inputs: AttackInputs, joined: _Joined, columns: list[str]) -> int:
    """Return the people whose values of the common columns differ between the releases."""
    assert inputs.earlier is not None
    if not columns:
        return 0
    ours, theirs = read_pairs(inputs.release, inputs.earlier, {name: name for name in columns})
    # A missing cell is a value here: it may have been filled in between the releases.
    classes = match_records([c + 1 for c in ours], [c + 1 for c in theirs])
    return int((classes.release[joined.later] != classes.auxiliary[joined.earlier]).sum())
