"""How many links are correct, and how many can be, where the truth is not known?

Question: what share of the targets is re-identified, and how often is somebody claimed who is not in the other table?
Method: targets are the people who are in both tables, and success is the share of them that is claimed correctly
(`attacks.links.claims`). People who are in one table only are the control: every claim about them is false. Guessing
means naming a person of the searched table at random. All three are proportions of people, with Wilson intervals for
further people drawn like these. Without truth and without a population, as many targets as possible are taken to be in
the searched table. A class with A target people and S searched people has at most ``min(S, A)`` of them, and a link
drawn at random is correct in 1 of S cases: success is at most ``sum min(S, A) / S`` over ``sum min(S, A)``, and at
least allows for the mean of 1/S over the searched people of classes with a target, which is the success for one of them
drawn at random. With a population of N people of which the target people are a random sample, each is in the searched
table with probability ``n / N``, n its people, so that success is ``n / N`` times the mean of 1/S over all searched
people.
Limits: where IDs are missing, some people may or may not be in the other table. They are neither targets nor control;
intervals are widened by what they may change, and are then wider than stated. Without truth the numbers are bounds, not
estimates: targets whose values are outdated are linked less often. The population is not used where more rows match
than a random sample of it would.

References
----------
.. [1] F. K. Dankar, K. El Emam, A method for evaluating marketer re-identification risk, PAIS 2010.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from privaudit.attacks.links.claims import Claims, Crowd, PersonClaims, Side, claims_by_person, count_crowd, look_up
from privaudit.attacks.links.record_matches import Classes, Counts, People, count_people, has_several_rows, may_match
from privaudit.base.arrays import Codes, Flags
from privaudit.base.records import dataclass
from privaudit.model import LinkageDirection
from privaudit.model.attacks import EXPECTED
from privaudit.model.stats import PARTIAL, Estimate, at_most, wilson_bounds

TO_RELEASE: LinkageDirection = "auxiliary_to_release"
TO_AUXILIARY: LinkageDirection = "release_to_auxiliary"


@dataclass(frozen=True, slots=True)
class LinkedTable(Side):
    """One of the two tables: its rows, with what is known of them.

    Attributes
    ----------
    crowd : Crowd
        The people per class.
    codes : sequence of int32 arrays
        The compared cells.
    is_identified : bool array, one entry per row, or None
        Whether the truth connects the person of the row with the other table; None without a truth.
    """

    crowd: Crowd
    codes: Sequence[Codes]
    is_identified: Flags | None


@dataclass(frozen=True, slots=True)
class LookUp:
    """One direction of an attack: the rows of one table, each looked up in the other."""

    direction: LinkageDirection
    targets: LinkedTable
    searched: LinkedTable
    claims: Claims

    @property
    def guess(self) -> float:
        """The success of guessing: one in the people of the searched table."""
        return 1 / count_people(self.searched.people)

    @property
    def n_mutual(self) -> int:
        """Rows that match one person whose rows match no other target person."""
        return int((self.claims.is_claim & (self.claims.peers == 1)).sum())

    @property
    def expected_correct(self) -> float:
        """Correct links expected if as many people as possible are in both tables, each match drawn at random.

        At most ``min(S, A)`` of the A target people of a class are among its S searched people, each linked correctly
        in 1 of S cases. Summed by class size, so that the order of rows does not change a digit.
        """
        both = self._in_both
        total = np.bincount(self.searched.crowd.size, weights=both) if len(both) else np.zeros(0)
        return float(sum(count / size for size, count in enumerate(total.tolist()) if count))

    @property
    def most_in_both(self) -> int:
        """The largest possible number of people in both tables: ``sum over classes of min(S, A)``."""
        n_people = min(count_people(side.people) for side in (self.targets, self.searched))
        return min(n_people, int(self._in_both.sum()))

    @property
    def _in_both(self) -> Counts:
        return np.minimum(self.searched.crowd.size, self.targets.crowd.size)


def look_up_both(
    classes: Classes, people: People, ours: Sequence[Codes], theirs: Sequence[Codes]
) -> tuple[LookUp, LookUp]:
    """Return both directions: auxiliary rows looked up in the release, and released records in the auxiliary table."""
    has_id = None if people.identified is None else people.auxiliary >= 0
    release, auxiliary = (
        LinkedTable(labels, each, count_crowd(Side(labels, each), classes.n), codes, is_identified)
        for labels, each, codes, is_identified in (
            (classes.release, people.release, ours, people.identified),
            (classes.auxiliary, people.auxiliary, theirs, has_id),
        )
    )
    return _looked_up(TO_RELEASE, auxiliary, release), _looked_up(TO_AUXILIARY, release, auxiliary)


def _looked_up(direction: LinkageDirection, targets: LinkedTable, searched: LinkedTable) -> LookUp:
    return LookUp(direction, targets, searched, look_up(targets, targets.crowd, searched.crowd))


@dataclass(frozen=True, slots=True)
class LinkRates:
    """The rates of correct and of false links.

    Attributes
    ----------
    n_targets : int
        People attacked.
    n_correct : int or None
        Correct links; None where they are expected only.
    success : Estimate
        Correct links over targets.
    claimed : Estimate or None
        Targets about whom a claim is made, correct or not, over targets; None where the truth is not known.
    control : Estimate or None
        The same as `claimed` for people who are not in the searched table; None where there are none.
    n_excluded : int
        People who may or may not be in the searched table, because IDs are missing.
    precision : Estimate or None
        The correct share of claims; None without a claim.
    """

    n_targets: int
    n_correct: int | None
    success: Estimate
    claimed: Estimate | None = None
    control: Estimate | None = None
    n_excluded: int = 0
    precision: Estimate | None = None


@dataclass(frozen=True, slots=True)
class _Groups:
    """The people with target rows, by whether they are in the searched table; what is left has no ID."""

    inside: Flags
    outside: Flags
    open_: Flags
    without_id: Flags


def count_rates(found: LookUp) -> LinkRates | None:
    """Count correct and false claims; None where no target is known to be in the searched table.

    Parameters
    ----------
    found : LookUp
        With a truth.
    """
    persons = claims_by_person(found.targets, found.claims)
    groups = _group(found, persons)
    n = int(groups.inside.sum())
    if not n:
        return None
    n_correct = int((persons.is_correct & groups.inside).sum())
    # A record without an ID can only belong to a target if people may have several records.
    several = has_several_rows(found.searched.people)
    n_may_be = int((persons.may_be_correct & groups.inside).sum()) if several else 0
    n_claimed = int((persons.is_claimed & groups.inside).sum())
    no_person = int((found.targets.people < 0).sum())
    return LinkRates(
        n_targets=n,
        n_correct=n_correct,
        success=_between(n_correct, n, more=n_may_be),
        claimed=_between(n_claimed, n),
        control=_control(persons, groups),
        n_excluded=int((groups.open_ | groups.without_id).sum()) + no_person,
        precision=_precision(found, persons, groups, n_correct, n_may_be),
    )


def _group(found: LookUp, persons: PersonClaims) -> _Groups:
    assert found.targets.is_identified is not None and found.searched.is_identified is not None
    n = int(max(found.targets.people.max(initial=0), found.searched.people.max(initial=0))) + 1
    is_present, has_id, may_be_present = (
        _marked(side.people[flags & (side.people >= 0)], n)
        for side, flags in (
            (found.searched, found.searched.is_identified),
            (found.targets, found.targets.is_identified),
            (found.targets, _may_be_present(found)),
        )
    )
    inside = (is_present & has_id)[persons.person]
    rest = ~inside & has_id[persons.person]
    open_ = rest & may_be_present[persons.person]
    return _Groups(inside, rest & ~open_, open_, ~has_id[persons.person])


def _may_be_present(found: LookUp) -> Flags:
    """Return whether a searched row without an ID may belong to the person of each target row."""
    assert found.searched.is_identified is not None
    nameless = ~found.searched.is_identified
    if not nameless.any():
        return np.zeros(len(found.targets.people), dtype=bool)
    return may_match(found.targets.codes, [code[nameless] for code in found.searched.codes])


def _marked(numbers: Counts, n: int) -> Flags:
    flags = np.zeros(n, dtype=bool)
    flags[numbers] = True
    return flags


def _control(persons: PersonClaims, groups: _Groups) -> Estimate | None:
    """Return the share of people outside who are claimed; the interval includes what the excluded may change.

    Those who may be in the table are excluded, and they match something more often than others. Its bounds are those
    of the two extremes: only those without a claim are outside, or only those with one.
    """
    n, n_claimed = int(groups.outside.sum()), int((persons.is_claimed & groups.outside).sum())
    if not n:
        return None
    n_open = int(groups.open_.sum())
    n_open_claimed = int((persons.is_claimed & groups.open_).sum())
    low = wilson_bounds(n_claimed, n + n_open - n_open_claimed)[0]
    high = wilson_bounds(n_claimed + n_open_claimed, n + n_open_claimed)[1]
    method = f"wilson-{PARTIAL}" if n_open else "wilson"
    return Estimate(value=n_claimed / n, low=low, high=high, n=n, method=method)


def _precision(found: LookUp, persons: PersonClaims, groups: _Groups, n_correct: int, n_may_be: int) -> Estimate | None:
    """Return the share of claims that are known to be correct; the upper end includes those that may be."""
    nameless = found.claims.is_claim & (found.targets.people < 0)
    n_claims = int(persons.is_claimed.sum()) + int(nameless.sum())
    if not n_claims:
        return None
    is_taken = _marked(persons.person[groups.inside], int(found.searched.people.max(initial=0)) + 2)
    if has_several_rows(found.targets.people):
        is_taken[:] = False
    # Claims about people who may be in the table, unless the claimed person is known by another row.
    maybe = int((nameless & ~is_taken[np.maximum(found.claims.claimed, -1)]).sum()) if nameless.any() else 0
    maybe += int((persons.is_claimed & groups.without_id).sum())
    maybe += int((persons.is_claimed & persons.may_be_correct & groups.open_).sum())
    return _between(n_correct, n_claims, more=min(maybe + n_may_be, n_claims - n_correct))


def _between(successes: int, n: int, *, more: int = 0) -> Estimate:
    """Return the proportion with its Wilson interval; `more` successes are possible, which the upper end includes."""
    low, high = wilson_bounds(successes, n)[0], wilson_bounds(successes + more, n)[1]
    method = f"wilson-{PARTIAL}" if more else "wilson"
    return Estimate(value=successes / n, low=low, high=high, n=n, method=method)


STANDARD_ERRORS = 3
"""Standard errors above the expected share of matches from which the population is taken not to fit."""


def bound_rates(found: LookUp) -> LinkRates:
    """Return the success to be expected at most if as many targets as possible are in the searched table."""
    n, expected = found.most_in_both, found.expected_correct
    if not n:  # nobody can be in both tables
        n_people = count_people(found.targets.people)
        return LinkRates(n_people, None, at_most(0.0, n_people, method=EXPECTED))
    success = at_most(min(1.0, expected / n), n, least=mean_chance(found, met=True), method=EXPECTED)
    return LinkRates(n, None, success)


def expect_rates(found: LookUp) -> LinkRates:
    """Return the success to be expected if each record were a person, where several may belong to one.

    The records of a class may all belong to one person, so that each target that matches can be linked: the interval
    ends at 1 where a target matches, and at 0 otherwise.
    """
    n, expected = found.most_in_both, found.expected_correct
    if not n:
        n_people = count_people(found.targets.people)
        return LinkRates(n_people, None, Estimate(value=0.0, low=0.0, high=0.0, n=n_people, method=EXPECTED))
    return LinkRates(n, None, Estimate(value=min(1.0, expected / n), low=0.0, high=1.0, n=n, method=EXPECTED))


def bound_by_population(found: LookUp, n_population: int) -> LinkRates:
    """Return the success to be expected at most if the targets are a random sample of a population.

    Parameters
    ----------
    n_population : int
        People in the population that the searched table was drawn from.
    """
    n = count_people(found.targets.people)
    share = min(1.0, count_people(found.searched.people) / n_population)
    success = min(share * mean_chance(found), found.expected_correct / n)
    return LinkRates(n, None, at_most(success, n, method=f"{EXPECTED}-population"))


def mean_chance(found: LookUp, *, met: bool = False) -> float:
    """Return the mean over searched people of 1/S: the chance to draw them from the S people with equal values.

    A person with several rows has the mean chance of the rows; a row with a missing cell has none. With `met`,
    people whose values no target has do not count: they are in no link.
    """
    side = found.searched
    placed = side.labels >= 0
    chance = np.zeros(len(side.labels))
    chance[placed] = 1 / found.searched.crowd.size[side.labels[placed]]
    is_met = np.append((found.targets.crowd.size > 0) | (not met), True)[side.labels]
    known = (side.people >= 0) & is_met
    rows = np.bincount(side.people[known])
    total = np.bincount(side.people[known], weights=chance[known])
    present = rows > 0
    values = np.concatenate([total[present] / rows[present], chance[(side.people < 0) & is_met]])
    return math.fsum(values.tolist()) / max(1, len(values))


def fits_population(found: LookUp, n_population: int) -> bool:
    """Return whether no more target rows match than those of a random sample of the population would.

    A person of the searched table matches at least the own record. Everybody else matches with the probability q that
    a searched person shares the values with another one, so that a share of ``p + (1 - p) q`` is expected to match,
    ``p = n / N``. More than three standard errors above that, the targets are more often in the table than assumed.
    """
    side = found.searched
    n_searched, n_targets = count_people(side.people), len(found.targets.labels)
    p = min(1.0, n_searched / n_population)
    size = np.append(found.searched.crowd.size, 0)[side.labels]
    q = float((size > 1).mean())
    expected = p + (1 - p) * q
    variance = expected * (1 - expected) / n_targets + (1 - p) ** 2 * q * (1 - q) / len(size)
    matched = float((found.claims.size > 0).mean())
    return matched <= expected + STANDARD_ERRORS * math.sqrt(variance)
