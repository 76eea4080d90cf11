"""Copies: rows of the original that a release repeats.

Question: how many people of the original have an identical row in the release, beyond what chance explains?
Method: the share of members with an identical row, compared with the share of people outside the original. Over all
common columns, and again without the columns that distinguish nearly all rows by themselves, where a copy may differ.
Where many rows are equal by chance, copies show among the rows that chance hardly ever repeats: those that occur once
in original and outsiders together, from the rarest on, as far as this makes copies easiest to find. The choice does not
depend on who is a member: if the release does not either, each of these rows is as likely to be a member's (Fisher's
exact test).
Limits: on coarse columns chance copies are normal, and only the advantage over outsiders counts. Copies are counted and
not judged without outsiders, and in a release that keeps the records of people: all of its records are copies.

References
----------
.. [1] M. Giomi et al., A unified framework for quantifying privacy risk in synthetic data, PoPETs 2023.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from privaudit.attacks.inputs import AttackInputs, AttackResults
from privaudit.attacks.members.compared_tables import Compared, Exact, read_compared
from privaudit.base.arrays import Flags, Ints
from privaudit.model import Attack, MeasuredDetail, limit
from privaudit.model.advantage import advantage
from privaudit.model.stats import LEVEL, wilson
from privaudit.model.wording import Columns, Count, Share, fact
from privaudit.risk.codes.row_keys import dense_labels

_EXPECTED = fact("attacks.copies_expected")
NOTICED = 0.05
"""Share of copies that the comparison of rare rows is made to notice."""
LEAST_RARE = 50
"""Rare rows of members, and of outsiders, below which their copies are not compared."""


def simulate_copies(inputs: AttackInputs) -> AttackResults:
    """Count the people whose row the release repeats, among members and among outsiders."""
    inputs.progress("looking for copies", None)
    compared, limits = read_compared(inputs)
    if compared is None:
        return AttackResults((), limits)
    if compared.outsiders is None:
        limits = (*limits, limit("attacks.no_outsiders", incomplete=True))
    attacks = _compare(compared)
    if inputs.labels is not None:
        attacks = tuple(replace(one, is_headline=True, assumptions=(*one.assumptions, _EXPECTED)) for one in attacks)
    return AttackResults(attacks, limits)


def _compare(compared: Compared) -> tuple[Attack, ...]:
    """Return the comparisons, with intervals that all hold together at the level of one."""
    unlike = compared.near_unique()
    rest = [i for i in range(len(compared.columns)) if i not in unlike]
    coarse = compared.select(rest) if rest else compared
    rows = _match_rows(coarse)
    found = {"all_columns": (compared, _match_rows(compared) if unlike else rows)}
    if unlike and rest:
        found["coarse_columns"] = (coarse, rows)
    if compared.outsiders is not None:
        rare = rows.take(_rare_rows(coarse, rows))
        if rare.n_smaller() >= LEAST_RARE:
            found["rare_rows"] = (coarse, rare)
    level = 1 - (1 - LEVEL) / len(found)
    return tuple(count_copies(table, method, matches, level) for method, (table, matches) in found.items())


def count_copies(compared: Compared, method: str, matches: _Matches | None = None, level: float = LEVEL) -> Attack:
    """Return the attack by which members and which outsiders have an equal row in the release.

    Parameters
    ----------
    matches : optional
        Of all rows where absent.
    level : float
        Of the interval of each rate, and so of the advantage.
    """
    inside, outside, _, n_released = matches or _match_rows(compared)
    success = wilson(int(inside.sum()), len(inside), level=level)
    control = None if outside is None else wilson(int(outside.sum()), len(outside), level=level)
    people = Count(int(inside.sum()), of=len(inside), unit="person")
    if control is None:
        outcome = fact("attacks.copies_outcome_alone", people=people)
    else:
        others = Count(round(control.value * control.n), of=control.n, unit="person")
        code = "copies_outcome_rare" if method == "rare_rows" else "copies_outcome"
        outcome = fact(f"attacks.{code}", people=people, others=others)
    return Attack(
        kind="copies",
        knowledge=compared.columns,
        attacker=fact("attacks.copies_attacker", columns=Columns(compared.columns)),
        outcome=outcome,
        n_targets=len(inside),
        success=success,
        baseline=0.0,
        control=None if control is None else control.value,
        control_rate=control,
        advantage=advantage(success, 0.0 if control is None else control),
        against="guessing" if control is None else "control",
        assumptions=(fact("attacks.outsiders_by_control"),) if control is not None else (),
        is_headline=control is None,
        detail=MeasuredDetail(
            method=method,
            measures={
                "release_copies": Count(n_released, of=compared.release.n, unit="record"),
                "share_copied": Share(n_released / compared.release.n, of=compared.release.n),
            },
        ),
    )


class _Matches(NamedTuple):
    """Which members and outsiders have an equal row in the release, and whose row occurs once among both.

    ``once`` is of members, then outsiders; ``n_released`` counts the released rows that are equal to a member.
    """

    inside: Flags
    outside: Flags | None
    once: Flags
    n_released: int

    def n_smaller(self) -> int:
        """Return the smaller number of rows, of members and of outsiders."""
        return 0 if self.outside is None else min(len(self.inside), len(self.outside))

    def everyone(self) -> Flags:
        """Return the flags of members, then outsiders."""
        return self.inside if self.outside is None else np.concatenate([self.inside, self.outside])

    def take(self, rows: Flags) -> _Matches:
        """Return the matches of some rows of members and outsiders."""
        assert self.outside is not None
        n = len(self.inside)
        return self._replace(inside=self.inside[rows[:n]], outside=self.outside[rows[n:]], once=self.once[rows])


def _match_rows(compared: Compared) -> _Matches:
    tables = compared.tables()
    labels, n = _labels(np.vstack([rows.codes for rows in tables]))
    cuts = np.cumsum([rows.n for rows in tables])[:-1]
    release, members, *rest = np.split(labels, cuts)
    outsiders = rest[0] if rest else members[:0]
    released, known = np.zeros(n, dtype=bool), np.zeros(n, dtype=bool)
    released[release], known[members] = True, True
    people = np.concatenate([members, outsiders])
    return _Matches(
        inside=released[members],
        outside=released[outsiders] if rest else None,
        once=(np.bincount(people, minlength=n) == 1)[people],
        n_released=int(known[release].sum()),
    )


def _rare_rows(compared: Compared, matches: _Matches) -> Flags:
    """Return the rows, of members, then outsiders, among which copies are easiest to find.

    Of the rows that occur once, the m rarest are taken for the m with the largest squared signal, in units of its
    noise, of `NOTICED` copies among the members: with the share q of these rows in the release,
    ``m (1 - q) / (q + NOTICED / 2)``.
    """
    once = np.flatnonzero(matches.once)
    chance = _chance_matches(compared)[compared.release.n :][once]
    order = np.argsort(chance, kind="stable")
    n = np.arange(1, len(once) + 1)
    shares = np.cumsum(matches.everyone()[once[order]]) / n
    signal = n * (1 - shares) / (shares + NOTICED / 2)
    is_last = np.diff(chance[order], append=np.inf) > 0  # rows of equal rarity are taken together
    allowed = is_last & (n >= 2 * LEAST_RARE)
    rare = np.zeros(len(matches.once), dtype=bool)
    if allowed.any():
        rare[once[order[: int(np.where(allowed, signal, -1.0).argmax()) + 1]]] = True
    return rare


def _chance_matches(compared: Compared) -> Exact:
    """Return how many rows of all tables chance makes equal to each of them, by the rows that differ in one column.

    For each column, the rows that are equal in all others times the share of the own value; the mean over the columns.
    Equal rows are not counted: a copy must not make its own row common.
    """
    codes = np.vstack([rows.codes for rows in compared.tables()])
    equal = _sizes(codes)
    found = np.zeros(len(codes))
    for i in range(codes.shape[1]):
        found += (_sizes(np.delete(codes, i, axis=1)) - equal) * _sizes(codes[:, [i]])
    return found / (len(codes) * codes.shape[1])


def _sizes(codes: Ints) -> Ints:
    """Return the number of rows that are equal to each row."""
    labels, n = _labels(codes)
    return np.bincount(labels, minlength=n)[labels]


def _labels(codes: Ints) -> tuple[Ints, int]:
    codes = codes + 1  # a missing cell is a value, too
    columns = [codes[:, i].astype(np.int32) for i in range(codes.shape[1])]
    return dense_labels(columns, length=len(codes))
