"""Which classes a policy does not allow: too small, too few sensitive values, or too far from the table.

Question: which classes would have to be suppressed after a recoding?
Method: a class fails where it has fewer than k records (or people, where a data subject column was named), where fewer
than `k_map` people of the population are in it, where a sensitive attribute is not diverse in it (distinct, entropy or
recursive l-diversity), or where the distribution of an attribute in it is further than t from the reference: the
records kept, or the whole table. Suppressing classes changes what is kept, so t is compared again until no further
class fails.
Limits: every l is capped at the distinct values of the attribute in the table, as the checks do. Distances treat
all values as equally far apart, which is never smaller than the distance between ordered values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, replace
from functools import cached_property
from math import log
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from privaudit.base.arrays import Codes, Flags, Ints
from privaudit.base.records import dataclass
from privaudit.risk.codes.coded import CodedTable, number_classes
from privaudit.risk.codes.merging import values_of_classes
from privaudit.risk.codes.people import People
from privaudit.risk.codes.row_keys import sums
from privaudit.risk.codes.sorted_keys import sum_by_key

Labels = Ints
Reference = Literal["kept", "table"]
_ROUNDING = 1e-9
MOST_MARKS = 63
"""Values of an attribute up to which each is a bit of a word."""
FEW_VALUES = 64
"""Values of an attribute up to which those without records are counted, too, rather than sought."""


@dataclass(frozen=True)
class Attribute:
    """A sensitive attribute: ``count[i]`` records have the row (or class) ``row[i]`` and the value ``value[i]``.

    ``whole`` is the number of records of each value in the whole table, where the rows are a part of it.
    """

    name: str
    row: Labels
    value: Labels
    count: Labels
    whole: Labels | None = None

    @cached_property
    def n_values(self) -> int:
        """Codes of the attribute, with and without records."""
        return int(self.value.max(initial=-1)) + 1 if self.whole is None else len(self.whole)

    @cached_property
    def n_present(self) -> int:
        """Distinct values of the attribute in the whole table; missing cells count as one."""
        return int(np.count_nonzero(self.by_value))

    @cached_property
    def by_value(self) -> Labels:
        """The records of each value in the whole table."""
        if self.whole is not None:
            return self.whole
        return sums(self.value, self.count, self.n_values)

    def merged(
        self, labels: npt.NDArray[np.integer], among: Flags | None = None, *, is_compiled: bool = False
    ) -> Attribute:
        """Return the attribute by class; ``labels[i]`` is the class of row i.

        Only the classes in `among` are read where it is given; `is_compiled` states that compiled loops may read them.
        """
        if among is not None and not among.any():
            nothing = np.zeros(0, dtype=np.int64)
            return Attribute(self.name, nothing, nothing, nothing, self.by_value)
        if is_compiled and among is not None:
            counted = values_of_classes(labels, among, self.row, self.value, self.count, self.n_values)
            if counted is not None:
                return Attribute(self.name, *counted, self.by_value)
        row, value, count = labels[self.row].astype(np.int64), self.value, self.count
        if among is not None and not among.all():
            here = among[row]
            row, value, count = row[here], value[here], count[here]
        bits = max(1, self.n_values - 1).bit_length()
        space = (int(row.max(initial=0)) + 1) << bits
        row <<= bits
        row |= value
        keys, count = sum_by_key(row, count.astype(np.int64), space)
        value = keys & ((1 << bits) - 1)
        keys >>= bits
        return Attribute(self.name, keys, value, count, self.whole if among is None else self.by_value)

    def among(self, classes: Flags) -> Attribute:
        """Return the attribute over some classes; their numbers stay."""
        if classes.all():
            return self
        here = classes[self.row]
        return replace(self, row=self.row[here], value=self.value[here], count=self.count[here], whole=self.by_value)

    def part(self, rows: Labels) -> Attribute:
        """Return the attribute over some rows, numbered in their order."""
        at = np.full(int(self.row.max(initial=-1)) + 1, -1, dtype=self.row.dtype)
        inside = rows[rows < len(at)]
        at[inside] = np.flatnonzero(rows < len(at))
        here = at[self.row] >= 0
        return Attribute(self.name, at[self.row[here]], self.value[here], self.count[here], self.by_value)


@dataclass(eq=False)
class Protection:
    """What a policy requires of every class.

    Parameters
    ----------
    k : int
    attributes : sequence of Attribute
        The sensitive attributes whose diversity the policy limits.
    l : int or None
        Fewest distinct values in a class.
    t : float or None
        Largest distance between a class and the reference.
    people : People or None
        The people of the rows of the trial table, where classes count people.
    l_entropy : float or None
        Smallest exp of the entropy of a class.
    recursive : (c, l) or None
        In every class, ``r_1 < c (r_l + ... + r_m)`` for the counts ``r_1 >= ... >= r_m`` of its values.
    t_reference : {"kept", "table"}
        What t is measured from: the records that are not suppressed, as a scan of the result does, or the whole table
        as ARX does.
    k_map : int or None
        Fewest people of the population in a class.
    population : int64 array of shape (d,) or None
        People of the population with each row of the trial table; needed for `k_map`.
    persons : People or None
        The people of the population by row of the trial table, where several of its rows may belong to one.

    Attributes
    ----------
    fewest_values : list of int
        Distinct values that every class needs at least of each attribute, whatever else is required.
    """

    k: int
    attributes: Sequence[Attribute] = ()
    _: KW_ONLY
    l: int | None = None  # noqa: E741 - the name in the literature
    t: float | None = None
    people: People | None = None
    l_entropy: float | None = None
    recursive: tuple[float, int] | None = None
    t_reference: Reference = "kept"
    k_map: int | None = None
    population: Labels | None = None
    persons: People | None = None

    def __post_init__(self) -> None:
        limited = (self.l, self.t, self.l_entropy, self.recursive) != (None, None, None, None)
        self.attributes = tuple(self.attributes) if limited else ()
        self.fewest_values = [min(self.l or 1, attribute.n_present) for attribute in self.attributes]

    @cached_property
    def held(self) -> tuple[Attribute, ...]:
        """What must be known of each class besides its records: attributes, people, people of the population."""
        counted = [who for who in (self.people, self.persons) if who is not None]
        return (*self.attributes, *(Attribute(who.column, who.row, who.person, who.records) for who in counted))

    def marks(self, n_rows: int) -> Labels | None:
        """Return the values of each attribute in each row of the trial table, one bit for each value.

        None where more than the number of distinct values must be known of a class, or where the values are too many.
        """
        counted = self.people is not None or self.persons is not None
        if counted or not self.attributes or not self.is_monotone:
            return None
        if any(attribute.n_values > MOST_MARKS for attribute in self.attributes):
            return None
        made = np.zeros((n_rows, len(self.attributes)), dtype=np.int64)
        for i, attribute in enumerate(self.attributes):
            np.bitwise_or.at(made[:, i], attribute.row, np.int64(1) << attribute.value.astype(np.int64))
        return made

    @property
    def is_k_alone(self) -> bool:
        """Whether classes of at least k records are all that is required."""
        return not self.attributes and self.people is None and self.population is None

    @property
    def is_monotone(self) -> bool:
        """Whether a class that fails contains only classes that fail.

        Records, people, people of the population and distinct values of a class are at least those of each class in
        it: true of k, k-map and distinct l. A large class without diversity may contain a small one with it, so it is
        not true of the entropy, the shares and the distribution of a class.
        """
        return not self.attributes or (self.l_entropy, self.recursive, self.t) == (None, None, None)

    @property
    def most_classes(self) -> tuple[str, int] | None:
        """The attribute that allows the fewest classes, and their number; None where no distinct l is required.

        A class of l distinct values has a record whose value is not among the l - 1 most frequent of the table.
        """
        bounds = [
            (int(np.sort(attribute.by_value)[::-1][least - 1 :].sum()), attribute.name)
            for attribute, least in zip(self.attributes, self.fewest_values, strict=True)
            if least > 1
        ]
        return next(((name, n) for n, name in sorted(bounds)), None)

    @cached_property
    def monotone_part(self) -> Protection:
        """The requirements that are monotone; every class that fails them fails."""
        if self.is_monotone:
            return self
        return replace(self, t=None, l_entropy=None, recursive=None)

    def part(self, rows: Labels) -> Protection:
        """Return the same requirements for some rows of the trial table; t is measured from the whole table."""
        return replace(
            self,
            attributes=[attribute.part(rows) for attribute in self.attributes],
            people=_changed(self.people, lambda held: held.part(rows)),
            t_reference="table",
            population=None if self.population is None else self.population[rows],
            persons=_changed(self.persons, lambda held: held.part(rows)),
        )

    def merged(self, labels: Labels, n: int) -> Protection:
        """Return the same requirements for n other rows of the trial table: row i is now part of row ``labels[i]``."""
        return replace(
            self,
            attributes=[attribute.merged(labels) for attribute in self.attributes],
            people=_changed(self.people, lambda held: held.merged(labels)),
            population=None if self.population is None else sums(labels, self.population, n),
            persons=_changed(self.persons, lambda held: held.merged(labels)),
        )

    def failing(self, sizes: Labels, members: Labels | None, among: Flags | None = None) -> Flags:
        """Return the classes that fail.

        Parameters
        ----------
        sizes : int64 array of shape (J,)
        members : int64 array of shape (d,) or None
            The class of each row of the trial table; None where the records of the classes suffice.
        among : bool array of shape (J,), optional
            The classes to test, all by default. The result for the other classes is undefined.
        """
        if members is None:
            return self.failing_classes(sizes, ())
        people = None
        if self.population is not None:
            people = sums(members, self.population, len(sizes))
        return self.failing_classes(sizes, [each.merged(members, among) for each in self.held], people)

    def failing_classes(self, sizes: Labels, held: Sequence[Attribute], population: Labels | None = None) -> Flags:
        """Return the classes that fail.

        Parameters
        ----------
        sizes : int64 array of shape (J,)
        held : sequence of Attribute
            `held` by class.
        population : int64 array of shape (J,) or None
            People of the population in each class.
        """
        out = sizes < self.k
        n, limited = len(sizes), held[: len(self.attributes)]
        # `held` may have attributes that only other requirements limit, so people are taken from its end.
        last = list(held)
        if self.persons is not None and last:
            population = np.bincount(last.pop().row, minlength=n)
        if self.people is not None and last:
            out |= np.bincount(last.pop().row, minlength=n) < self.k
        if self.k_map is not None and population is not None:
            out |= population < self.k_map
        for attribute, least in zip(limited, self.fewest_values, strict=True):
            out |= self._not_diverse(attribute, least, n)
        while self.t is not None and limited:
            further = out.copy()
            for attribute in limited:
                further |= self._too_far(attribute, out)
            if self.t_reference == "table" or (further == out).all():
                return further
            out = further
        return out

    def failing_by_number(self, sizes: Labels, n_values: Labels, population: Labels | None = None) -> Flags:
        """Return the classes that fail requirements that are monotone, people not being counted.

        Parameters
        ----------
        sizes : int64 array of shape (J,)
        n_values : int array of shape (J, attributes)
            Distinct values of the attributes in each class.
        population : int64 array of shape (J,) or None
            People of the population in each class.
        """
        out = sizes < self.k
        if self.k_map is not None and population is not None:
            out |= population < self.k_map
        for n_distinct, least in zip(n_values.T, self.fewest_values, strict=False):
            out |= n_distinct < least
        return out

    def _not_diverse(self, attribute: Attribute, least: int, n_classes: int) -> Flags:
        row, count = attribute.row, attribute.count
        out = np.bincount(row, minlength=n_classes) < least
        if self.l_entropy is not None and attribute.n_present:
            # With f records of which r have a value: H = ln f - (sum of r ln r) / f.
            f = np.maximum(1.0, np.bincount(row, weights=count, minlength=n_classes))
            entropy = np.log(f) - np.bincount(row, weights=count * np.log(count), minlength=n_classes) / f
            out |= entropy < log(min(self.l_entropy, attribute.n_present)) - _ROUNDING
        if self.recursive is not None:
            c, wanted = self.recursive
            values = min(wanted, attribute.n_present)
            order = np.lexsort((-count, row))
            ranked, counts = row[order], count[order]
            first = np.searchsorted(ranked, np.arange(n_classes))
            rank = np.arange(len(ranked)) - first[ranked]
            largest = np.bincount(ranked, weights=counts * (rank == 0), minlength=n_classes)
            rest = np.bincount(ranked, weights=counts * (rank >= values - 1), minlength=n_classes)
            if values > 1:
                out |= largest >= c * rest
        return out

    def _too_far(self, attribute: Attribute, out: Flags) -> Flags:
        """Return the classes not in `out` whose distance to the reference exceeds t."""
        assert self.t is not None
        row, value, count = attribute.row, attribute.value, attribute.count
        counted = np.ones(len(row), dtype=bool) if self.t_reference == "table" else ~out[row]
        total = np.bincount(value[counted], weights=count[counted], minlength=attribute.n_values)
        if self.t_reference == "table" and attribute.whole is not None:
            total = attribute.whole.astype(np.float64)
        sizes = np.bincount(row, weights=count, minlength=len(out))
        beyond = np.maximum(count / sizes[row] - (total / max(1.0, total.sum()))[value], 0)
        distance = np.bincount(row, weights=beyond, minlength=len(out))
        return np.asarray(~out & (distance > self.t * (1 + _ROUNDING) + _ROUNDING))


def _changed(people: People | None, change: Callable[[Attribute], Attribute]) -> People | None:
    """Return the people over other rows."""
    if people is None:
        return None
    made = change(Attribute(people.column, people.row, people.person, people.records))
    return replace(people, row=made.row, person=made.value, records=made.count)


def up_to(attribute: Attribute, at: Labels) -> Attribute:
    """Return an attribute by nested classes: class i has the rows whose position ``at`` is i or less."""
    n, n_values = int(at.max(initial=-1)) + 1, attribute.n_values
    if n_values > FEW_VALUES:
        present, value = np.unique(attribute.value, return_inverse=True)
    else:
        present, value = np.arange(n_values), attribute.value
    keys = at[attribute.row] * len(present) + value
    counted = np.bincount(keys, weights=attribute.count, minlength=n * len(present)).astype(np.int64)
    row, column = np.nonzero(counts := np.cumsum(counted.reshape(n, len(present)), axis=0))
    return Attribute(attribute.name, row, present[column], counts[row, column], attribute.by_value)


def attributes(
    quasi: Sequence[str],
    everything: CodedTable | None,
    names: Sequence[str],
    lookups: Mapping[str, Codes] | None = None,
    row_of: Labels | None = None,
) -> tuple[Attribute, ...]:
    """Return the sensitive attributes `names` of `everything`, by distinct row over the quasi-identifiers.

    Parameters
    ----------
    quasi : sequence of str
    lookups : mapping of column to int32 array, optional
        Recodings of sensitive attributes.
    row_of : int64 array, optional
        The row that each distinct row over the quasi-identifiers has in a table with further rows.
    """
    if everything is None or not names:
        return ()
    rows, n_rows = number_classes(everything, quasi)
    if row_of is not None:
        rows, n_rows = row_of[rows], int(row_of.max(initial=-1)) + 1
    made = []
    for name in names:
        values = everything.codes[everything.index(name)]
        if lookups and name in lookups:
            values = lookups[name][values]
        width = int(values.max(initial=0)) + 1
        key, count = sum_by_key(rows * width + values, everything.weights, width * n_rows)
        row = key // width
        key -= row * width
        made.append(Attribute(name, _narrow(row), _narrow(key), _narrow(count)))
    return tuple(made)


def _narrow(numbers: Labels) -> Any:
    """Return numbers in 32 bits where they fit: the attributes of a large table are held while plans are searched."""
    return numbers.astype(np.int32) if int(numbers.max(initial=0)) <= np.iinfo(np.int32).max else numbers
