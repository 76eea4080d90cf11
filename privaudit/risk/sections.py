"""The parts of the risk record that only some tables have.

Question: what do a population, sensitive columns, sampling weights or an entity column add?
Method: each function takes the subject of the assessment and returns what report.json holds under one key.
Limits: what does not apply is absent, with a line in `limits`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from privaudit.config import Progress, Settings
from privaudit.errors import ColumnNotFound, ConfigError
from privaudit.model import ColumnReport, Combination, Limit, untyped_limit
from privaudit.risk.class_sizes import ClassSizes
from privaudit.risk.coded import CodedTable, class_labels

if TYPE_CHECKING:
    from privaudit.risk.special_uniques import SpecialUniques
    from privaudit.source.dataset import Dataset

MODELS = ("zayatz", "pitman", "snb", "dankar")
MOST_PEOPLE = 10**11
"""More people than ever lived: a larger number is a slip of the hand, and past what the models can compute."""
MORE_VISITS = 300_000_000
"""Distinct rows times sets up to which minimal sets of fewer than k matches are looked for as well."""
ORDERED = {"integer", "decimal", "date", "timestamp", "time"}


@dataclass(frozen=True, slots=True)
class Subject:
    """What is being assessed.

    Attributes
    ----------
    everything : CodedTable
        Quasi-identifiers, then sensitive columns.
    coded : CodedTable
        Quasi-identifiers alone.
    fewer_than : tuple of int
        Values of k, of the policy, for which minimal sets of fewer than k matches are looked for besides 2.
    """

    dataset: Dataset
    settings: Settings
    quasi: Sequence[ColumnReport]
    sensitive: Sequence[ColumnReport]
    everything: CodedTable
    coded: CodedTable
    progress: Progress
    fewer_than: tuple[int, ...] = ()

    @property
    def class_sizes(self) -> ClassSizes:
        """Classes over all quasi-identifiers, a missing cell being a category."""
        return ClassSizes.of(self.coded.weights, n_rows=self.coded.n_rows)

    @property
    def has_missing(self) -> bool:
        """Whether a quasi-identifier has a missing cell."""
        return any(self.coded.has_missing(i) for i in range(len(self.coded.names)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Population:
    """What is known of the people behind the release."""

    wire: dict[str, Any] | None = None
    size: int | None = None
    journalist_max: float | None = None
    marketer: float | None = None


@dataclass(frozen=True, slots=True)
class Special:
    """Minimal sample uniques of every record, and the counts for the k of the policy."""

    uniques: SpecialUniques
    fewer_than: Mapping[str, Mapping[str, Any]]

    @classmethod
    def of(cls, by_k: Mapping[int, SpecialUniques]) -> Special | None:
        """Sort what was found by k: 2, and the others."""
        more = {str(k): found.counts() for k, found in by_k.items() if k > 2}
        return cls(by_k[2], more) if by_k else None


def diversity(subject: Subject, limits: list[Limit]) -> dict[str, Mapping[str, Any]]:
    """Return the diversity of every sensitive column within the classes over all quasi-identifiers."""
    from privaudit.risk.diversity import diversity as measure

    if not subject.sensitive:
        return {}
    table = subject.everything
    labels, sizes = class_labels(table, subject.coded.names)
    found: dict[str, Mapping[str, Any]] = {}
    for column in subject.sensitive:
        subject.progress(f"diversity of {column.name}", None)
        i = table.index(column.name)
        order = _order(table, i, column)
        n_values = len(table.dictionaries[i])
        measured = measure(labels, sizes, table.weights, table.codes[i], n_values, order=order)
        found[column.name] = measured.wire()
        if measured.t_ordered is None:
            what = f"t-closeness of {column.name} with ordered distance"
            limits.append(untyped_limit(what=what, why="its values have no order, or none of them is present"))
        if measured.l_distinct == 1:
            what = f"recursive (c,l)-diversity of {column.name}"
            limits.append(
                untyped_limit(what=what, why="some class holds one value only; with l = 1 no c says anything")
            )
    return found


def _order(table: CodedTable, i: int, column: ColumnReport) -> npt.NDArray[np.int64] | None:
    """Codes ascend with their values, so a code is its own place in the order, where values have one."""
    return np.arange(len(table.dictionaries[i])) if column.data_type in ORDERED else None


def special(subject: Subject, searched: int, limits: list[Limit]) -> Special | None:
    """Find the minimal sample uniques, up to the size that was searched for combinations and is affordable.

    Besides those of single records, those of records that match fewer than the policy's k, as far as that is
    affordable.
    """
    from privaudit.risk.special_uniques import affordable_size, special_uniques

    asked = min(subject.settings.max_size, len(subject.coded.names))
    size = affordable_size(subject.coded, min(asked, searched))
    if size < asked:
        what = f"minimal sample uniques of {_sizes(size + 1, asked)} columns"
        why = "larger sets are more work than the default bound, or the time budget, allows on this table"
        limits.append(untyped_limit(what=what, why=why))
    if not size:
        return None
    further = min(size, affordable_size(subject.coded, size, most=MORE_VISITS))
    if further < size and subject.fewer_than:
        what = f"minimal sets of {_sizes(further + 1, size)} columns on which records match fewer than k"
        why = "beyond those of fewer than two they are more work than the default bound allows on this table"
        limits.append(untyped_limit(what=what, why=why))
    upto = {2: size, **({k: further for k in subject.fewer_than if k > 2} if further else {})}
    counts = {}
    for k, most in sorted(upto.items(), reverse=True):  # of the others, counts alone are kept meanwhile
        found = special_uniques(subject.coded, max_size=most, k=k, progress=subject.progress)
        if k > 2:
            counts[str(k)] = found.counts()
    return Special(found, counts)


def _sizes(first: int, last: int) -> str:
    return f"{first}" if first == last else f"{first} to {last}"


def special_wire(
    subject: Subject, found: Special | None, people: int | None, limits: list[Limit]
) -> dict[str, Any] | None:
    """Return the scores at the sampling fraction, or at an assumed one where the population is not known."""
    from privaudit.risk.special_uniques import ASSUMED_FRACTION

    if found is None:
        return None
    if people is None:
        why = f"no population was given, so a sampling fraction of {ASSUMED_FRACTION:g} is assumed"
        limits.append(untyped_limit(what="DIS-SUDA", why=why))
    wire = found.uniques.wire(None if people is None else min(1.0, subject.coded.n_rows / people))
    return {**wire, "fewer_than": dict(sorted(found.fewer_than.items()))}


def marginal(
    subject: Subject, combinations: Sequence[Combination], thresholds: Sequence[int]
) -> dict[str, Any]:
    """Return what each quasi-identifier adds to the risk of all together."""
    from privaudit.risk.marginal import marginal as measure

    uniques = {frozenset(c.columns): c.n_unique for c in combinations}
    found = measure(subject.coded, thresholds=thresholds, uniques=uniques)
    return {column: part.wire() for column, part in found.items()}


def weighted(subject: Subject, limits: list[Limit]) -> dict[str, Any] | None:
    """Return the risk of a sample whose records carry weights."""
    from privaudit.risk.weights import weighted_section

    if subject.settings.weight is None:
        return None
    subject.progress("weighing records", None)
    found, said = weighted_section(subject.dataset, subject.coded.names, subject.settings.weight)
    limits.extend(said)
    return None if found is None else found.wire()


def entity(subject: Subject, thresholds: Sequence[int], limits: list[Limit]) -> dict[str, Any] | None:
    """Return the risk counted in people where a person has several rows."""
    from privaudit.risk.entity import entity_section

    settings = subject.settings
    if settings.subject is None:
        return None
    subject.progress("counting people", None)
    found, said = entity_section(
        subject.dataset, subject.coded.names, settings.subject, thresholds=thresholds, seed=settings.seed
    )
    limits.extend(said)
    if found.n_records > found.n_people:
        what = "risk, combinations, special uniques and diversity outside the part on people"
        why = (
            f"they count rows, of which a person has up to {found.records_max:,}: a class may hold many rows and "
            "few people; the part on people counts people"
        )
        limits.append(untyped_limit(what=what, why=why))
    return {"column": settings.subject, **found.wire()}


def population(subject: Subject, limits: list[Limit]) -> Population:
    """Measure against the population the settings name: a number of people, or a table of them."""
    given = subject.settings.population
    if given is None or _is_number(given):
        why = (
            "no population table was given; marketer risk takes this table for the whole population, and "
            "journalist risk can only be lower than prosecutor risk"
        )
        limits.append(untyped_limit(what="journalist risk, k-map and delta-presence", why=why))
    if given is None:
        return Population()
    subject.progress("measuring against the population", None)
    sizes = subject.class_sizes
    if _is_number(given):
        size = int(given.replace(",", "").replace("_", ""))
        if size > MOST_PEOPLE:
            raise ConfigError(f"A population has at most {MOST_PEOPLE:,} people.")
        return Population(wire={"size": size, "source": "number", **_models(sizes, size, limits)}, size=size)
    return _population_table(subject, sizes, given, limits)


def _is_number(given: str) -> bool:
    return given.replace(",", "").replace("_", "").strip().isdecimal()


def _population_table(subject: Subject, sizes: ClassSizes, given: str, limits: list[Limit]) -> Population:
    from privaudit.risk.reidentification import population_sizes, reidentification
    from privaudit.source import open_dataset

    with open_dataset(given, subject.settings) as people:
        match = population_sizes(subject.dataset, people, subject.coded.names)
        limits.extend(limit for limit in people.limits if limit.incomplete)
    wire: dict[str, Any] = {"size": match.n_people, "source": "table"}
    wire.update(_models(sizes, match.n_people, limits))
    if match.limit is not None:
        limits.append(match.limit)
    if match.sizes is None:
        wire.update(k_map=None, delta_presence=None)
        return Population(wire=wire, size=match.n_people)
    risk = reidentification(match.sizes)
    wire.update(risk.population_wire())
    return Population(
        wire=wire, size=match.n_people, journalist_max=risk.journalist_max, marketer=risk.marketer
    )


def _models(sizes: ClassSizes, people: int, limits: list[Limit]) -> dict[str, Any]:
    """Estimate the population uniques by every model, and say which do not apply and why."""
    from privaudit.risk.population import population_uniques

    if people < sizes.n_rows:
        raise ConfigError(
            f"A population of {people:,} people is smaller than the table of {sizes.n_rows:,} rows.",
            hint="give the number of people the table was drawn from",
        )
    found = population_uniques(sizes.size, sizes.count, people)
    wire: dict[str, Any] = {}
    for model in MODELS:
        fit = getattr(found, model)
        wire[model] = fit.value
        what = f"population uniques by the {model} estimate"
        if fit.value is None:
            limits.append(untyped_limit(what=what, why=fit.why or "the model does not apply"))
        elif fit.caution is not None:
            limits.append(untyped_limit(what=what, why=fit.caution))
    return {**wire, "dankar_model": found.dankar_model}


def unmeasured(dataset: Dataset, settings: Settings) -> list[Limit]:
    """Return what was asked for and needs quasi-identifiers, of which there are none.

    Raises
    ------
    ColumnNotFound
        For a column the table does not have.
    """
    asked = {
        "risk under sampling weights": settings.weight,
        "risk by person": settings.subject,
        "risk against the population": settings.population,
    }
    for column in (settings.weight, settings.subject):
        if column is not None and column not in dataset.columns:
            raise ColumnNotFound.among(column, "the table", dataset.columns)
    why = "it was asked for, and no column was taken for a quasi-identifier; name them with --quasi"
    return [untyped_limit(what=what, why=why, incomplete=True) for what, given in asked.items() if given is not None]
