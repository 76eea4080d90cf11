"""The rows of a release and of its population as one coded table.

Question: how many people of the population are in each class, whatever the recoding?
Method: both tables are coded over one dictionary for each column. The distinct rows of both then form one table, in
which each row has its records in the release and its people in the population, so both are counted in one pass over
the classes.
Limits: rows of the population alone have no records. Values that only the population has are recoded as well. A row
of the population is a person, unless it has the column of the data subject too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from privaudit.base.arrays import Ints
from privaudit.base.arrow import pa, pc
from privaudit.base.records import dataclass
from privaudit.model import Evidence
from privaudit.risk.codes.coded import CodedTable, encode, merge_equal_rows
from privaudit.risk.codes.people import People
from privaudit.risk.codes.row_keys import dense_labels, sorting_order, sums
from privaudit.settings.config import Settings


@dataclass(frozen=True, slots=True)
class JoinedRows:
    """The distinct rows of a release and of its population.

    Attributes
    ----------
    table : CodedTable
        The weights are records of the release, and its people those of the release.
    population : int64 array of shape (d,)
        Rows of the population with each row of `table`.
    row_of : int64 array
        The row of `table` of each distinct row of the release.
    persons : People or None
        The people of the population by row of `table`, where several rows of the population may belong to one.
    """

    table: CodedTable
    population: Ints
    row_of: Ints
    persons: People | None = None

    def required(self, k_map: int | None) -> dict[str, Any]:
        """Return what a `Protection` takes that requires `k_map` of each class."""
        return {"k_map": k_map, "population": self.population, "persons": self.persons}


def read_population(evidence: Evidence | None, given: Any, settings: Settings) -> CodedTable | None:
    """Return the quasi-identifiers of a population table; None where the release was not compared with one."""
    from privaudit.source import open_dataset

    risk = None if evidence is None else evidence.risk
    if risk is None or risk.population is None or risk.population.k_map is None:
        return None
    with open_dataset(given, settings, whole=True) as people:
        subject = settings.subject if settings.subject in people.columns else None
        return encode(people, risk.quasi_identifiers, subject=subject)


def over_shared_words(release: CodedTable, population: CodedTable) -> tuple[CodedTable, CodedTable]:
    """Return both tables over the same dictionary for each column of the population.

    Parameters
    ----------
    release : CodedTable
        It may have further columns.
    population : CodedTable
    """
    words = {}
    for name in population.names:
        words[name] = _words([each.dictionaries[each.index(name)] for each in (release, population)])
    return _over(release, words), _over(population, words)


def _words(dictionaries: Sequence[pa.Array]) -> pa.Array:
    """Return the values of all `dictionaries`, in the order of a dictionary."""
    words = pa.concat_arrays([each.cast(pa.string()) for each in dictionaries]).unique()
    return words.take(pa.array(sorting_order(words)))


def _over(table: CodedTable, words: dict[str, pa.Array]) -> CodedTable:
    codes, dictionaries = [], []
    for name, code, old in zip(table.names, table.codes, table.dictionaries, strict=True):
        new = words.get(name, old)
        if name in words:
            # Codes are compared as numbers afterwards, which is right only if both tables have one dictionary in one
            # order.
            at = pc.index_in(old.cast(new.type), value_set=new).to_numpy(zero_copy_only=False)
            code = np.append(at, len(new)).astype(np.int32)[code]
        codes.append(code)
        dictionaries.append(new)
    return merge_equal_rows(table.names, codes, dictionaries, table.weights, table.n_rows, table.people)


def _labels(release: CodedTable, population: CodedTable) -> tuple[Ints, int]:
    """Return the class of each distinct row of the release, then of the population."""
    codes = [np.concatenate(both) for both in zip(release.codes, population.codes, strict=True)]
    length = release.n_distinct + population.n_distinct
    return dense_labels(codes, length=length)


def join_population(release: CodedTable, population: CodedTable) -> JoinedRows:
    """Return the rows of both tables.

    Parameters
    ----------
    release, population : CodedTable
        With the same columns.
    """
    release, population = over_shared_words(release, population)
    labels, n = _labels(release, population)
    first = np.empty(n, dtype=np.int64)
    first[labels] = np.arange(len(labels))
    at = release.n_distinct
    codes = [np.concatenate(both)[first] for both in zip(release.codes, population.codes, strict=True)]
    people, persons = release.people, population.people
    table = CodedTable(
        release.names,
        tuple(codes),
        release.dictionaries,
        sums(labels[:at], release.weights, n),
        release.n_rows,
        None if people is None else replace(people, row=labels[:at][people.row]),
    )
    return JoinedRows(
        table,
        sums(labels[at:], population.weights, n),
        labels[:at],
        None if persons is None else replace(persons, row=labels[at:][persons.row]),
    )


def within_population(release: CodedTable, population: CodedTable | None) -> tuple[CodedTable, CodedTable | None]:
    """Return both tables over shared dictionaries; no population where it does not contain the release.

    Parameters
    ----------
    release : CodedTable
        It may have further columns.
    population : CodedTable or None
        Where there is none, the release is returned as it is.
    """
    if population is None:
        return release, None
    release, population = over_shared_words(release, population)
    ours, others, _ = side_by_side(release.select(population.names), population)
    # A population with fewer people in a class than the release has cannot be what the release was drawn from.
    return release, None if (ours > others).any() else population


def side_by_side(release: CodedTable, population: CodedTable) -> tuple[Ints, Ints, Ints]:
    """Return the members of each class in the release and in the population, and the class of each row of the release.

    Missing cells are a category of their own on both sides. Members are people where a table has them, else records.

    Parameters
    ----------
    release, population : CodedTable
        With the same columns over the same dictionaries (`over_shared_words`).
    """
    labels, n = _labels(release, population)
    ours, others = labels[: release.n_distinct], labels[release.n_distinct :]
    return _members(release, ours, n), _members(population, others, n), ours


def _members(table: CodedTable, labels: Ints, n: int) -> Ints:
    return sums(labels, table.weights, n) if table.people is None else table.people.per_class(labels, n)
