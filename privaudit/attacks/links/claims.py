"""Whom does the attacker claim to recognise, and how many people share the matching rows?

Question: to how many people do the rows belong that match a target, and whom is the target claimed to be?
Method: the target's row is looked up in the other table. The matching rows are a claim if all belong to one person,
however many rows there are. A target with several rows is one person, claimed if all claims of its rows agree.
Limits: a searched row whose person is unknown counts as a person of its own.
"""

from __future__ import annotations

import numpy as np

from privaudit.attacks.links.record_matches import Counts
from privaudit.base.arrays import Flags
from privaudit.base.distinct_numbers import distinct
from privaudit.base.records import dataclass

UNKNOWN_PERSON = -1


@dataclass(frozen=True, slots=True)
class Side:
    """The rows of one table: the class and the person of each row, -1 where a cell is missing or the person unknown."""

    labels: Counts
    people: Counts


@dataclass(frozen=True, slots=True)
class Crowd:
    """The people in each class of one table.

    Attributes
    ----------
    known, unknown : int64 arrays, one entry per class
        Distinct known people, and rows whose person is unknown.
    sole : int64 array, one entry per class
        A known person of the class, the only one where `known` is 1; -1 where there is none.
    """

    known: Counts
    unknown: Counts
    sole: Counts

    @property
    def size(self) -> Counts:
        """People per class."""
        return self.known + self.unknown


def count_crowd(side: Side, n_classes: int) -> Crowd:
    """Count the people in each class."""
    placed = side.labels >= 0
    known = placed & (side.people >= 0)
    width = int(side.people.max(initial=0)) + 1
    pairs = side.labels[known] * width + side.people[known]
    # Only where a person has several rows can a pair occur twice; the sort is saved otherwise.
    if len(pairs) and np.bincount(side.people[known]).max() > 1:
        pairs = distinct(pairs)
    sole = np.full(n_classes, -1, dtype=np.int64)
    sole[pairs // width] = pairs % width
    # Nothing shows that two rows of unknown people are of one person, so each counts as one.
    unknown = np.bincount(side.labels[placed & (side.people < 0)], minlength=n_classes)
    return Crowd(np.bincount(pairs // width, minlength=n_classes), unknown, sole)


@dataclass(frozen=True, slots=True)
class Claims:
    """What looking up each target row gives.

    Attributes
    ----------
    size : int64 array, one entry per target row
        People of the searched table whose rows match; 0 where nothing matches or a cell is missing.
    peers : int64 array, one entry per target row
        Target people in the same class.
    claimed : int64 array, one entry per target row
        The person claimed where `size` is 1, -1 where that person is unknown; -2 where there is no claim.
    may_be : int64 array, one entry per target row
        The only known person among the matching rows where a row of an unknown person matches as well; -1 where only
        rows of unknown people match, -2 elsewhere.
    """

    size: Counts
    peers: Counts
    claimed: Counts
    may_be: Counts

    @property
    def is_claim(self) -> Flags:
        """Whether all matching rows belong to one person."""
        return self.size == 1


def look_up(targets: Side, crowd: Crowd, searched: Crowd) -> Claims:
    """Look up each row of `targets`, whose people per class are `crowd`, in the table with the people `searched`."""
    size, peers, claimed, may_be = (
        # The label -1 of a row with a missing cell reads the appended entry: it matches nothing.
        np.append(each, nothing)[targets.labels]
        for each, nothing in (
            (searched.size, 0),
            (crowd.size, 0),
            (np.where(searched.size == 1, searched.sole, -2), -2),
            (np.where((searched.known <= 1) & (searched.unknown > 0), searched.sole, -2), -2),
        )
    )
    return Claims(size, peers, claimed, may_be)


@dataclass(frozen=True, slots=True)
class PersonClaims:
    """Claims about each target person, who may have several rows.

    Attributes
    ----------
    person : int64 array
        The people with at least one target row, ascending.
    is_claimed : bool array
        Whether at least one row leads to a claim, and all claims name the same person.
    is_correct : bool array
        Whether that is the person.
    may_be_correct : bool array
        Whether the claim is correct if the unknown rows that match belong to the person; false where it is correct.
    """

    person: Counts
    is_claimed: Flags
    is_correct: Flags
    may_be_correct: Flags


def claims_by_person(targets: Side, claims: Claims) -> PersonClaims:
    """Join the claims about the rows of each known target person."""
    rows = np.flatnonzero(targets.people >= 0)
    person, index = np.unique(targets.people[rows], return_inverse=True)
    n = len(person)

    def count(flags: Flags) -> Counts:
        return np.bincount(index[flags[rows]], minlength=n)

    is_own = claims.claimed == targets.people
    n_claims, n_correct = count(claims.is_claim), count(claims.is_claim & is_own)
    # One wrong claim among the rows of a person spoils the claim about the person.
    is_correct = (n_claims > 0) & (n_claims == n_correct)
    may_row = (claims.may_be == UNKNOWN_PERSON) | ((claims.may_be >= 0) & (claims.may_be == targets.people))
    n_false = count(claims.is_claim & (claims.claimed >= 0) & ~is_own)
    may_be_correct = ~is_correct & (n_false == 0) & (count(may_row) > 0)
    return PersonClaims(person, _is_unanimous(index, claims.claimed[rows], n), is_correct, may_be_correct)


def _is_unanimous(index: Counts, claimed: Counts, n: int) -> Flags:
    """Return whether the claims about each of n people name one person; two unknown people may differ."""
    made = claimed > -2
    low = np.full(n, np.iinfo(np.int64).max)
    high = np.full(n, -2, dtype=np.int64)
    np.minimum.at(low, index[made], claimed[made])
    np.maximum.at(high, index[made], claimed[made])
    n_unknown = np.bincount(index[claimed == UNKNOWN_PERSON], minlength=n)
    return (high > -2) & (low == high) & ~((high == UNKNOWN_PERSON) & (n_unknown > 1))
