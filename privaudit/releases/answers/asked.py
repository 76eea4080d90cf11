"""A question with all that is needed to answer it, and how an answer is stated.

Question: which domains, which sensitivity and which cost belong to a query, and what does its answer state?
Method: one record for each query of a plan, made before any data is read; the answers of all kinds are built here.
Limits: the mechanisms are in `queries`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from fractions import Fraction
from typing import Any

from privaudit.base.records import dataclass
from privaudit.model.answers import Answer, Cell
from privaudit.releases.answers import mechanisms
from privaudit.releases.answers.plan_file import AnswerPlan, Query
from privaudit.releases.domains.columns import Column, Numbers
from privaudit.releases.privacy import noise
from privaudit.releases.privacy.accounting import rho_of, rounded_up
from privaudit.releases.privacy.ledger import Part

LAPLACE, GAUSSIAN, EXPONENTIAL = "discrete Laplace", "discrete Gaussian", "exponential"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A query with what it needs to be answered.

    Attributes
    ----------
    query : Query
    domains : tuple of Column
        Of its columns, in their order.
    most : int
        The most rows of one unit: 1 where the unit is a row.
    where : Column, optional
    target : Column, optional
        Of the column that a classifier predicts.
    rho : Fraction
        Of a query with Gaussian noise.
    by_person : bool
    """

    query: Query
    domains: tuple[Column, ...]
    most: int = 1
    where: Column | None = None
    target: Column | None = None
    rho: Fraction = Fraction(0)
    by_person: bool = False
    declared: Mapping[str, Any] = field(default_factory=dict)
    """What the plan states of its columns and of the target."""
    exact: list[float] = field(default_factory=list)
    """Exact answers in the order of the cells, for the internal report only."""

    @property
    def domain(self) -> Numbers:
        """The domain of the only column, whose numbers are added up or ranked."""
        (found,) = self.domains
        assert isinstance(found, Numbers), "the plan was checked"
        return found

    def part(self, what: str, sensitivity: int, epsilon: Fraction | None = None, **cost: Any) -> Part:
        """Return one mechanism of this query."""
        where = self.query.where
        named = f"{self.query.name}{what}"
        if epsilon is not None:
            cost["epsilon"] = epsilon
        rows = None if self.by_person else where
        return Part(query=named, sensitivity=Fraction(sensitivity), rows=rows, **{"mechanism": LAPLACE, **cost})


def asked(plan: AnswerPlan, query: Query, *, most: int, by_person: bool, delta: Fraction) -> Asked:
    """Return a query with its domains, and its rho where it has Gaussian noise."""
    rho = Fraction(rho_of(float(query.epsilon), float(delta))) if query.gaussian else Fraction(0)
    named = (*query.columns, *([] if query.target is None else [query.target]))
    return Asked(
        query=query,
        domains=tuple(plan.domains[name] for name in query.columns),
        most=most,
        where=None if query.where is None else plan.domains[query.where[0]],
        target=None if query.target is None else plan.domains[query.target],
        rho=rho,
        by_person=by_person,
        declared={name: plan.stated["column"][name] for name in named},
    )


def width(scale: Fraction) -> int:
    """Return the distance that discrete Laplace noise of this scale does not exceed in 95 of 100 draws."""
    return noise.laplace_tail(scale, mechanisms.CONFIDENCE)


def cell(labels: Sequence[str], value: float, distance: float) -> Cell:
    """Return a number of an answer with its interval."""
    return Cell(labels=tuple(labels), value=value, low=value - distance, high=value + distance)


def answer_of(ask: Asked, sensitivity: int, cells: Sequence[Cell], **stated: Any) -> Answer:
    """Return the answer to a query; `stated` are further fields of the record."""
    query = ask.query
    return Answer(
        name=query.name,
        kind=query.kind,
        columns=query.columns,
        target=query.target,
        of="people" if query.of_people else "rows",
        rows="" if query.where is None else " = ".join(query.where),
        sensitivity=float(sensitivity),
        declared=ask.declared,
        cells=tuple(cells),
        epsilon=None if query.gaussian else rounded_up(query.epsilon),
        rho=rounded_up(ask.rho) if query.gaussian else None,
        **{"mechanism": GAUSSIAN if query.gaussian else LAPLACE, **stated},
    )
