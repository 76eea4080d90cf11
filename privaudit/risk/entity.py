"""People, not rows: risk where a person has several rows.

Question: in a table of visits, trips or claims, how many people share a class, and how little of a person's
rows suffices to single that person out?
Method: rows that carry the same value in the entity column are one person. A class over the quasi-identifiers
counts distinct people; the set of a person's classes is a fingerprint, measured in
`privaudit.risk.histories`.
Limits: the entity column is believed; two people under one value count as one, one person under two values as
two. A row without a value there counts as a person of its own, and how many there are is said.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from privaudit.model import Estimate, Limit, untyped_limit
from privaudit.risk.histories import Histories, unicity

if TYPE_CHECKING:
    from privaudit.risk.coded import CodedTable
    from privaudit.source.dataset import Dataset

KNOWN_ITEMS = (1, 2, 3, 4)
SHARES = ("0.5", "0.9", "0.95")
"""Shares of people for which the fewest sufficient items are told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityRisk:
    """Risk in people.

    Attributes
    ----------
    n_people, n_records, n_without : int
        People; records; records without a value in the entity column, each counted as a person.
    records_max : int
        Most records of one person.
    items_mean, items_max : float, int
        Distinct items (classes over the quasi-identifiers) of a person.
    n_classes : int
        Classes over the quasi-identifiers.
    class_sizes : (sizes, counts)
        Histogram of *people* per class, ascending. A person is in every class they have a record in, so the
        sizes sum to more than the people.
    k_min : int
        Fewest people in a class.
    n_exposed : int
        People with a record in a class nobody else is in.
    n_below : mapping of k to int
        People with a record in a class of fewer than k people.
    n_unique_histories : int
        People whose set of items nobody else has.
    history_sizes : (sizes, counts)
        Histogram of people who share the same set of items; the sizes sum to the people.
    unicity : mapping of known items to Estimate
        Share of people singled out by so many of their items, drawn evenly.
    """

    n_people: int
    n_records: int
    n_without: int
    records_max: int
    items_mean: float
    items_max: int
    n_classes: int
    class_sizes: tuple[tuple[int, ...], tuple[int, ...]]
    k_min: int
    n_exposed: int
    n_below: Mapping[str, int]
    n_unique_histories: int
    history_sizes: tuple[tuple[int, ...], tuple[int, ...]]
    unicity: Mapping[str, Estimate]

    @property
    def items_sufficient(self) -> dict[str, int | None]:
        """Fewest known items that single out at least each share of people; None if more are needed than tried."""
        enough = {}
        for share in SHARES:
            tried = (int(p) for p, found in self.unicity.items() if found.value >= float(share))
            enough[share] = min(tried, default=None)
        return enough

    def wire(self) -> dict[str, Any]:
        """Return ``risk.entity`` of report.json, without the name of the column."""
        plain = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        for name in ("class_sizes", "history_sizes"):
            size, count = plain[name]
            plain[name] = {"size": list(size), "count": list(count)}
        plain["unicity"] = {p: dataclasses.asdict(found) for p, found in self.unicity.items()}
        return {**plain, "items_sufficient": self.items_sufficient}


def entity_risk(
    people: npt.NDArray[np.integer[Any]],
    items: npt.NDArray[np.integer[Any]],
    records: npt.NDArray[np.integer[Any]],
    *,
    thresholds: Sequence[int] = (2, 3, 5, 10, 11),
    seed: int = 0,
    n_without: int = 0,
) -> EntityRisk:
    """Measure risk in people from pairs of person and item.

    Parameters
    ----------
    people, items : int arrays of shape (p,)
        Person and class over the quasi-identifiers, each numbered from 0 without gaps.
    records : int array of shape (p,)
        Records behind each pair, 1 or more.
    thresholds : sequence of int
        Values of k for `n_below`.
    seed : int
        Of the draws of `unicity`.
    n_without : int
        Records without a person, already numbered as people of their own in `people`.
    """
    histories = Histories.of(people, items)
    sharing = histories.fewest_sharing()
    alike = histories.fingerprint_sizes()
    distinct = histories.items_per_person
    return EntityRisk(
        n_people=histories.n_people,
        n_records=int(np.sum(records)),
        n_without=n_without,
        records_max=int(np.bincount(people, weights=records).max()),
        items_mean=int(distinct.sum()) / histories.n_people,
        items_max=int(distinct.max()),
        n_classes=len(histories.people_per_item),
        class_sizes=_histogram(histories.people_per_item),
        k_min=int(histories.people_per_item.min()),
        n_exposed=int((sharing == 1).sum()),
        n_below={str(k): int((sharing < k).sum()) for k in thresholds},
        n_unique_histories=int((alike == 1).sum()),
        history_sizes=_histogram(alike),
        unicity={str(known): unicity(histories, known, seed=seed) for known in KNOWN_ITEMS},
    )


def _histogram(sizes: npt.NDArray[np.int64]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    size, count = np.unique(sizes, return_counts=True)
    return tuple(size.tolist()), tuple(count.tolist())


def entity_section(
    dataset: Dataset,
    columns: Sequence[str],
    entity: str,
    *,
    thresholds: Sequence[int] = (2, 3, 5, 10, 11),
    seed: int = 0,
) -> tuple[EntityRisk, tuple[Limit, ...]]:
    """Measure risk in people of `dataset` over `columns`, a person being a value of column `entity`.

    Raises
    ------
    ColumnNotFound
        When there is no such column.
    """
    from privaudit.risk.coded import class_labels, encode

    names = [name for name in columns if name != entity]
    coded = encode(dataset, [entity, *names])
    items, _ = class_labels(coded, names)
    people, at, records = _people(coded)
    n_without = int(coded.weights[coded.codes[0] == len(coded.dictionaries[0])].sum())
    risk = entity_risk(people, items[at], records, thresholds=thresholds, seed=seed, n_without=n_without)
    return risk, _limits(entity, risk)


def _people(
    coded: CodedTable,
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Number the people of column 0: those with a value in the order of values, then one for each other
    record.

    Returns person, distinct row and records of each pair.
    """
    code = coded.codes[0].astype(np.int64)
    absent = code == len(coded.dictionaries[0])
    named, alone = np.flatnonzero(~absent), np.flatnonzero(absent)
    held, person = np.unique(code[named], return_inverse=True)
    extra = np.repeat(alone, coded.weights[alone])
    people = np.concatenate([person, len(held) + np.arange(len(extra))])
    records = np.concatenate([coded.weights[named], np.ones(len(extra), np.int64)])
    return people.astype(np.int64), np.concatenate([named, extra]), records


def _limits(entity: str, risk: EntityRisk) -> tuple[Limit, ...]:
    found = []
    if risk.n_without:
        why = (
            f"{risk.n_without:,} of {risk.n_records:,} records have no value in column {entity}; each counts as a "
            "person of its own"
        )
        found.append(untyped_limit(what="people behind the rows", why=why))
    if risk.n_people == risk.n_records and not risk.n_without:
        why = f"every value of column {entity} stands in one row, so people and rows are the same here"
        found.append(untyped_limit(what="people behind the rows", why=why))
    return tuple(found)
