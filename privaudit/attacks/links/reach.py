"""What a linkage with exact values reaches: which columns carry it, what it discloses, how many share a match.

Question: which few columns link most people, whose sensitive values are read, and how small is the crowd of a match?
Method: the linkage is counted again on subsets of the compared columns, best first, the fewest columns among equals. A
sensitive value is disclosed to whoever is linked correctly. k-map is the fewest people of the auxiliary table who match
one released record.
Limits: up to `MOST_COLUMNS` columns all subsets are counted, beyond single columns, pairs and all columns but one.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from privaudit.attacks.inputs import AttackInputs
from privaudit.attacks.links.claims import Side, claims_by_person, count_crowd, look_up
from privaudit.attacks.links.record_matches import Classes, Counts, People, match_records
from privaudit.base.arrays import Codes
from privaudit.model import ColumnLinks

MOST_COLUMNS = 8
MOST_SHOWN = 10


def links_by_columns(
    names: Sequence[str], ours: Sequence[Codes], theirs: Sequence[Codes], people: People
) -> tuple[ColumnLinks, ...]:
    """Return how many people each subset of the columns links, best first."""
    found = []
    for chosen in subsets(len(names)):
        classes = match_records([ours[i] for i in chosen], [theirs[i] for i in chosen])
        person, correct = linked_people(classes, people)
        n_correct = None if people.identified is None else int(correct.sum())
        found.append(ColumnLinks(columns=tuple(names[i] for i in chosen), n_claimed=len(person), n_correct=n_correct))
    found.sort(key=lambda one: (-one.n_linked, len(one.columns), one.columns))
    return tuple(found[:MOST_SHOWN])


def subsets(d: int) -> list[tuple[int, ...]]:
    """Return the sets of `d` columns that are tried, the smallest first."""
    sizes = range(1, d + 1) if d <= MOST_COLUMNS else (1, 2, d - 1, d)
    return [chosen for size in sizes for chosen in combinations(range(d), size)]


def linked_people(classes: Classes, people: People) -> tuple[Counts, np.ndarray[tuple[int], np.dtype[np.bool_]]]:
    """Return the people of the auxiliary table who are claimed, and whether the claim is correct."""
    targets, searched = Side(classes.auxiliary, people.auxiliary), Side(classes.release, people.release)
    crowds = count_crowd(targets, classes.n), count_crowd(searched, classes.n)
    claims = claims_by_person(targets, look_up(targets, *crowds))
    return claims.person[claims.is_claimed], claims.is_correct[claims.is_claimed]


def k_map(classes: Classes, people: People) -> int | None:
    """Return the fewest people of the auxiliary table in the class of a released record; None without a match."""
    crowd = count_crowd(Side(classes.auxiliary, people.auxiliary), classes.n).size
    sizes = crowd[classes.release[classes.release >= 0]]
    sizes = sizes[sizes > 0]
    return int(sizes.min()) if len(sizes) else None


def disclosed(inputs: AttackInputs, people: People, reached: Counts) -> dict[str, int]:
    """Return for each sensitive column how many of the people who are linked correctly have a value in the release."""
    found = {}
    for name in inputs.named("sensitive"):
        has_value = inputs.release.rows([name])[name].is_valid().to_numpy()
        known = people.release[has_value & (people.release >= 0)]
        found[name] = int(np.isin(reached, known).sum())
    return found
