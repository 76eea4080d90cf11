"""Diversity of a sensitive attribute within classes, counted in people who have several rows and several values.

Question: as in `privaudit.risk.measures.diversity`; what does an attacker learn who finds the class of a person?
Method: each person counts once for each value that they have in a class. Distinct l is the fewest values of which
everybody in the class has at least one: with one value per person these are the distinct values, and it is 1 where
everybody has one value in common, as in a class of one person. It is a smallest hitting set, by exhaustive search.
Limits: t-closeness, entropy and the other distributions are those of pairs of person and value. Where the search for l
takes too long, people without a common value are counted instead, which is never more than l.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from privaudit.base.arrays import Ints
from privaudit.model import Diversity, RecursiveL
from privaudit.risk.codes.coded import CodedTable, class_labels, people_of
from privaudit.risk.codes.people import distinct
from privaudit.risk.measures.diversity import diversity

ValueSet = frozenset[int]

MOST_STEPS = 20_000
"""Steps of the search for a smallest hitting set of one class."""


def diversity_of(
    table: CodedTable, quasi: Sequence[str], column: str, *, order: npt.NDArray[np.integer[Any]] | None = None
) -> Diversity:
    """Measure how diverse the sensitive attribute `column` is within the classes over `quasi`, in the table's unit."""
    labels, _ = class_labels(table, quasi)
    if table.people is not None:
        return diversity_of_people(table, labels, column, order=order)
    i = table.index(column)
    return diversity(labels, table.weights, table.codes[i], len(table.dictionaries[i]), order=order)


def diversity_of_people(
    table: CodedTable, labels: Ints, column: str, *, order: npt.NDArray[np.integer[Any]] | None = None
) -> Diversity:
    """Measure how diverse the sensitive attribute `column` is within the classes.

    Parameters
    ----------
    table : CodedTable
        With people; the quasi-identifiers and the sensitive attribute.
    labels : int64 array of shape (d,)
        Class of each distinct row over the quasi-identifiers, 0 to J - 1.
    column : str
    order : int array, optional
        As for `privaudit.risk.measures.diversity.diversity`.

    Returns
    -------
    Diversity
        ``homogeneous_records`` counts the people with a row in a class where everybody has one value in common.
    """
    people, i = people_of(table), table.index(column)
    n_values = len(table.dictionaries[i])
    width = n_values + 1
    keys = (labels[people.row] * width + table.codes[i][people.row]) * people.n + people.person
    # A person counts once for each value of a class, however many rows repeat it.
    triples = distinct(keys)
    pair, person = np.divmod(triples, people.n)
    held, count = np.unique(pair, return_counts=True)
    label, code = np.divmod(held, width)
    n_classes = int(label.max()) + 1
    found = diversity(label, count, code, n_values, order=order)
    members = people.per_class(labels, n_classes)
    revealing = np.zeros(n_classes, dtype=bool)
    # A value that everyone of the class has is certain for everyone, even where people have further values.
    revealing[label[count == members[label]]] = True
    least = 1 if revealing.any() else _fewest_values(pair // width, pair % width, person, members)
    return replace(
        found,
        l_distinct=least,
        l_entropy=1.0 if least == 1 else found.l_entropy,
        l_recursive=_recursive(found, least),
        alpha=float((count / members[label]).max()),
        homogeneous_classes=int(revealing.sum()),
        homogeneous_records=int((people.fewest(np.where(revealing, 0, 1)[labels]) == 0).sum()),
    )


def _recursive(found: Diversity, least: int) -> RecursiveL | None:
    if least == 1:
        return RecursiveL(c=None, l=1)
    return found.l_recursive if found.l_recursive is not None and found.l_recursive.l == least else None


def _fewest_values(label: Ints, code: Ints, person: Ints, members: Ints) -> int:
    """Return the smallest distinct l of any class, where no class reveals a value of everybody.

    Parameters
    ----------
    label, code, person : int64 arrays of shape (t,)
        Each class, value and person that occur together, ascending.
    members : int64 array of shape (J,)
        People of each class.
    """
    start = np.flatnonzero(np.append(True, label[1:] != label[:-1]))
    end = np.append(start[1:], len(label))
    n_distinct = np.array([len(distinct(code[a:b])) for a, b in zip(start, end, strict=True)])
    bound = np.minimum(n_distinct, members)
    simple = end - start == members  # everybody has one value
    least = int(n_distinct[simple].min()) if simple.any() else int(bound.min())
    several = np.flatnonzero(~simple)
    # Classes that can have the fewest values first, so that `least` is small early and ends the searches of the
    # others.
    for c in several[np.argsort(bound[several], kind="stable")].tolist():
        # No class reveals a value of everyone, so that none needs fewer than two values.
        if least == 2:
            break
        least = min(least, hitting_number(_sets(code[start[c] : end[c]], person[start[c] : end[c]]), least))
    return least


def _sets(code: Ints, person: Ints) -> list[ValueSet]:
    held: dict[int, set[int]] = {}
    for value, who in zip(code.tolist(), person.tolist(), strict=True):
        held.setdefault(who, set()).add(value)
    return [frozenset(values) for values in held.values()]


def hitting_number(sets: Iterable[ValueSet], most: int) -> int:
    """Return the fewest values of which every set contains at least one, or `most` if that is not fewer.

    Parameters
    ----------
    sets : iterable of frozenset of int
        Not empty, and none of them empty.
    most : int

    Returns
    -------
    int
        Where the search takes more than `MOST_STEPS`, a number of sets without a common value: never too large.
    """
    # A value that hits a set hits every superset of it: those add no requirement.
    smallest = _without_supersets(sets)
    apart = _disjoint(smallest)
    steps = [MOST_STEPS]
    for size in range(apart, most):
        hit = _can_hit(smallest, size, steps)
        if steps[0] < 0:
            # The search is out of steps: sets without a common value are a lower bound of l, so that risk is never
            # understated.
            return min(apart, most)
        if hit:
            return size
    return most


def _without_supersets(sets: Iterable[ValueSet]) -> list[ValueSet]:
    kept: list[ValueSet] = []
    for one in sorted(set(sets), key=lambda s: (len(s), sorted(s))):
        if not any(other <= one for other in kept):
            kept.append(one)
    return kept


def _disjoint(sets: Sequence[ValueSet]) -> int:
    """Return a number of sets, smallest first, no two of which share a value: each needs a value of its own."""
    used: set[int] = set()
    n = 0
    for one in sets:
        if not used & one:
            used |= one
            n += 1
    return n


def _can_hit(sets: Sequence[ValueSet], size: int, steps: list[int]) -> bool:
    """Return whether `size` values are enough; `steps` counts down, and a negative number ends the search."""
    steps[0] -= 1
    if not sets:
        return True
    if size == 0 or steps[0] < 0:
        return False
    return any(_can_hit([other for other in sets if value not in other], size - 1, steps) for value in sorted(sets[0]))
