"""Combinations and minimal sample uniques counted in people, where a person has several rows.

Question: which combinations of quasi-identifiers single people out, and on how few columns?
Method: for every set of columns the size of a class is its number of distinct people, and a person is as exposed as
the smallest class that one of their rows is in; `risk.search.set_walk` visits the sets. The minimal sets of a person
are those on which one of the person's rows is alone, and no row of that person is on a subset.
Limits: missing cells are a category. Distinction and separation describe the columns and stay in records.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

import numpy as np

from privaudit.base.arrays import Flags, Ints
from privaudit.base.records import dataclass
from privaudit.model import Combination, ExposedValues
from privaudit.risk.codes.class_sizes import ClassSizes, separation
from privaudit.risk.codes.coded import CodedTable, class_labels, people_of
from privaudit.risk.codes.missing import Matches
from privaudit.risk.codes.people import People, distinct
from privaudit.risk.codes.row_keys import dense_labels, sums
from privaudit.risk.kernel.subsets import ColumnSet
from privaudit.risk.search.combinations import SearchResult, exposed_combination
from privaudit.risk.search.exposed_values import counts_by_value
from privaudit.risk.search.set_walk import Counted, walk_sets
from privaudit.risk.search.special_uniques import MinimalUniques
from privaudit.risk.search.work import MOST_VISITS as MOST_VISITS_OF_SETS
from privaudit.settings.config import Progress, silent

MOST_VISITS = 1_000_000_000
"""Pairs of row and person times sets; some minutes."""


def exposure(coded: CodedTable, columns: Sequence[str] | None = None) -> tuple[Ints, Matches]:
    """Return the people of each class over `columns` (all by default), and the histogram of exposure of the people.

    Returns
    -------
    sizes : int64 array of shape (J,)
        People of each class.
    matches : Matches
        ``records[i]`` people are in a class of ``size[i]`` people and in no smaller one.
    """
    people = people_of(coded)
    labels, rows = class_labels(coded, columns)
    sizes = people.per_class(labels, len(rows))
    return sizes, Matches.of(people.fewest(sizes[labels]), np.ones(people.n, np.int64))


def people_combination(coded: CodedTable, columns: Sequence[str], thresholds: Sequence[int]) -> Combination:
    """Return the record of one set of columns, counted in people."""
    _, rows = class_labels(coded, columns)
    sizes, matches = exposure(coded, columns)
    records = ClassSizes.of(rows, n_rows=coded.n_rows)
    mean = int(sizes.sum()) / len(sizes)
    return exposed_combination(
        tuple(columns), matches, thresholds, coded.n_rows, records.n_classes, mean, records.separation
    )


@dataclass(frozen=True, slots=True)
class PeopleCounter:
    """Counts the people of each class.

    Parameters
    ----------
    coded : CodedTable
        With people.
    by_row : bool
        Whether the units are distinct rows instead of people: a row is then as exposed as its class.
    """

    coded: CodedTable
    by_row: bool = False
    most_visits: int = MOST_VISITS
    people: People = field(init=False)

    def __post_init__(self) -> None:
        """Take the people from the table."""
        object.__setattr__(self, "people", people_of(self.coded))

    @property
    def unit_weights(self) -> Ints:
        """1 for each person, or the records of each distinct row."""
        return self.coded.weights if self.by_row else np.ones(self.people.n, np.int64)

    @property
    def rows_read(self) -> int:
        """Pairs of a distinct row and a person."""
        return len(self.people.row)

    def count(self, chosen: ColumnSet) -> Counted:
        """Count the people of each class over `chosen`."""
        labels, n_classes = dense_labels([self.coded.codes[c] for c in chosen], length=self.coded.n_distinct)
        sizes = self.people.per_class(labels, n_classes)
        records = sums(labels, self.coded.weights, n_classes)
        of_row = sizes[labels]
        of_unit = of_row if self.by_row else self.people.fewest(of_row)
        return Counted(
            matches=Matches.of(of_unit, self.unit_weights),
            of_unit=of_unit,
            of_row=of_row,
            n_classes=n_classes,
            mean_class_size=int(sizes.sum()) / n_classes,
            separation=separation(self.coded.n_rows, int(np.dot(records, records))),
        )

    def exposing(self, counted: Counted, fresh: Flags) -> Flags:
        """Return which pairs of row and person are unique for the people in `fresh`."""
        alone: Flags = (counted.of_row == 1)[self.people.row]
        alone &= fresh[self.people.row if self.by_row else self.people.person]
        return alone

    def by_value(self, exposed: Mapping[int, Flags]) -> dict[str, ExposedValues]:
        """Count the exposed people of each column by the values that single them out."""
        return {name: self._values(i, exposed.get(i)) for i, name in enumerate(self.coded.names)}

    def _values(self, column: int, marks: Flags | None) -> ExposedValues:
        hit = np.zeros(0, np.intp) if marks is None else np.flatnonzero(marks)
        code, person = self.coded.codes[column][self.people.row[hit]].astype(np.int64), self.people.person[hit]
        pairs = distinct(code * self.people.n + person)
        held = np.bincount(pairs // self.people.n, minlength=1).astype(np.int64)
        return counts_by_value(held, self.coded.cardinality(column), n=len(distinct(person)))


def search_people(
    coded: CodedTable,
    *,
    max_size: int,
    thresholds: Sequence[int],
    budget: float | None = None,
    most_visits: int | None = MOST_VISITS_OF_SETS,
    policy_ks: Sequence[int] = (),
    by_row: bool = False,
    progress: Progress = silent,
) -> tuple[SearchResult, dict[int, MinimalUniques]]:
    """Count the people on every set of up to `max_size` columns, and on all columns.

    Parameters
    ----------
    coded : CodedTable
        With people.
    max_size, thresholds, budget, most_visits, policy_ks, progress
        As for `privaudit.risk.search.set_walk.walk_sets`.
    by_row : bool
        Whether minimal uniques are those of distinct rows instead of people.
    """
    return walk_sets(
        PeopleCounter(coded, by_row),
        max_size=max_size,
        thresholds=thresholds,
        budget=budget,
        most_visits=most_visits,
        policy_ks=policy_ks,
        progress=progress,
    )
