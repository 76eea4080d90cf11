"""The queries: what each costs, and how it is answered.

Question: which mechanisms answer a count, a histogram, a margin, a sum, a mean, a variance and a quantile?
Method: two functions for each kind. The first states, before any data is read, the integers that get noise, and by how
much one unit that is added or removed changes each; they cost equal parts of epsilon. The second computes these
integers exactly and adds the noise. A person with at most m rows changes an integer m times as much as a row. A
classifier is one table of counts of target by column for each column, as in `models.tables`. Centres come from k-means
on a noisy grid of counts over the bounds, as in `models.clusters`.
Limits: the sensitivity is that of adding or removing one unit. Replacing one is both, so it may cost twice as much.
Features of a classifier are independent within a class. The centres have no interval: their error depends on how far
the clusters are from each other.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from fractions import Fraction
from typing import Any

import numpy as np

from privaudit.base.extras import LEARN, needing
from privaudit.base.records import dataclass
from privaudit.model.answers import Answer, Cell
from privaudit.releases.answers import mechanisms
from privaudit.releases.answers.plan_file import AnswerPlan, Query
from privaudit.releases.answers.rows import Rows, cells_of
from privaudit.releases.domains.columns import Column, Numbers
from privaudit.releases.privacy import noise
from privaudit.releases.privacy.accounting import rho_of, rounded_up, sigma2_of
from privaudit.releases.privacy.charges import Part
from privaudit.releases.privacy.noise import permute_and_flip

GRID = 100
"""About how many cells the grid of clusters has."""


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

    @property
    def sensitivities(self) -> Mapping[str, int]:
        """By how much one unit changes each integer, or all integers of a table together, by what is counted."""
        return _KINDS[self.query.kind][0](self)

    @property
    def share(self) -> Fraction:
        """The epsilon of each mechanism."""
        return self.query.epsilon / len(self.sensitivities)

    @property
    def mechanism(self) -> str:
        """What adds the noise."""
        if self.query.kind == "quantile":
            return "permute and flip"
        return "discrete Gaussian" if self.query.gaussian else "discrete Laplace"


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


def parts_of(ask: Asked) -> tuple[Part, ...]:
    """Return the mechanisms of a query, before any data is read."""
    query, rows = ask.query, None if ask.by_person else ask.query.where
    # All m rows of a person may be in one cell of a table, so its L2 sensitivity is m as well.
    cost = {"rho": ask.rho} if query.gaussian else {"epsilon": ask.share}
    return tuple(
        Part(query=f"{query.name}{what}", mechanism=ask.mechanism, sensitivity=Fraction(most), rows=rows, **cost)
        for what, most in ask.sensitivities.items()
    )


def answer(ask: Asked, rows: Rows) -> Answer:
    """Return the noisy answer to a query."""
    chosen = None if ask.where is None or ask.query.where is None else rows.holding(ask.where, ask.query.where[1])
    return _KINDS[ask.query.kind][1](ask, rows, chosen)


def _answer(ask: Asked, cells: Sequence[Cell], **stated: Any) -> Answer:
    """Return the record of an answer; `stated` are further fields."""
    query = ask.query
    return Answer(
        name=query.name,
        kind=query.kind,
        columns=query.columns,
        target=query.target,
        of="people" if query.of_people else "rows",
        rows="" if query.where is None else " = ".join(query.where),
        sensitivity=float([*ask.sensitivities.values()][-1]),
        declared=ask.declared,
        cells=tuple(cells),
        epsilon=None if query.gaussian else rounded_up(query.epsilon),
        rho=rounded_up(ask.rho) if query.gaussian else None,
        mechanism=ask.mechanism,
        **stated,
    )


def _cell(labels: Sequence[str], value: float, distance: float) -> Cell:
    """Return a number of an answer with its interval."""
    return Cell(labels=tuple(labels), value=value, low=value - distance, high=value + distance)


def _width(scale: Fraction) -> int:
    """Return the distance that discrete Laplace noise of this scale does not exceed in 95 of 100 draws."""
    return noise.laplace_tail(scale, mechanisms.CONFIDENCE)


def _of_count(ask: Asked) -> dict[str, int]:
    return {"": 1 if ask.query.of_people else ask.most}


def _count(ask: Asked, rows: Rows, chosen: Any) -> Answer:
    if ask.query.of_people and ask.by_person:
        return _added_up(ask, np.array([rows.n_people(chosen)]), 1)
    return _added_up(ask, np.array([rows.n if chosen is None else int(chosen.sum())]), 1)


def _of_sum(ask: Asked) -> dict[str, int]:
    # In steps: m times the bound with the larger magnitude.
    return {"": ask.most * max(map(abs, ask.domain.bounds))}


def _sum(ask: Asked, rows: Rows, chosen: Any) -> Answer:
    return _added_up(ask, rows.numbers(ask.domain, chosen), float(ask.domain.step))


def _added_up(ask: Asked, numbers: Any, step: float) -> Answer:
    """Answer with the sum of numbers of steps."""
    found = mechanisms.noisy_sum(numbers, ask.sensitivities[""], ask.share)
    ask.exact.append(mechanisms.exact_sum(numbers) * step)
    total = _cell((), found.value * step, _width(found.scale) * step)
    return _answer(ask, [total], sd=noise.laplace_sd(found.scale) * step)


def _of_table(ask: Asked) -> dict[str, int]:
    cells_of(ask.domains)
    return {"": ask.most}


def _table(ask: Asked, rows: Rows, chosen: Any) -> Answer:
    labels = itertools.product(*(domain.cell_labels for domain in ask.domains))
    cells, sd = _counted(ask, rows.cells(ask.domains, chosen), labels)
    return _answer(ask, cells, sd=sd)


def _of_classifier(ask: Asked) -> dict[str, int]:
    """One table of counts for each column."""
    for domain in ask.domains:
        cells_of((_target(ask), domain))
    return {f": {domain.name}": ask.most for domain in ask.domains}


def _classifier(ask: Asked, rows: Rows, chosen: Any) -> Answer:
    """Answer with the counts of each class in the bands or categories of each column."""
    target, cells, sd = _target(ask), list[Cell](), 0.0
    for domain in ask.domains:
        labels = ((label, domain.name, band) for label in target.cell_labels for band in domain.cell_labels)
        found, sd = _counted(ask, rows.cells((target, domain), chosen), labels)
        cells += found
    return _answer(ask, cells, sd=sd)


def _target(ask: Asked) -> Column:
    assert ask.target is not None, "the plan was checked"
    return ask.target


def _counted(ask: Asked, counts: Any, labels: Iterable[Sequence[str]]) -> tuple[list[Cell], float]:
    """Return the noisy counts of a table as cells, and the standard deviation of the noise."""
    if ask.query.gaussian:
        sigma2 = sigma2_of(ask.rho, ask.most**2)
        noisy = counts + noise.discrete_gaussian(sigma2, len(counts))
        sd = float(sigma2) ** 0.5
        distance = int(np.ceil(1.959964 * sd + 0.5))
    else:
        scale = Fraction(ask.most) / ask.share
        noisy = mechanisms.noisy_counts(counts, ask.most, ask.share)
        sd, distance = noise.laplace_sd(scale), _width(scale)
    ask.exact.extend(counts.tolist())
    return [_cell(label, value, distance) for label, value in zip(labels, noisy.tolist(), strict=True)], sd


def _of_mean(ask: Asked) -> dict[str, int]:
    low, high = ask.domain.bounds
    # In half steps the differences are integers, and one row changes their sum by at most the range.
    return {": rows": ask.most, ": differences from the middle": ask.most * (high - low)}


def _mean(ask: Asked, rows: Rows, chosen: Any) -> Answer:
    low, high = ask.domain.bounds

    def mean(n: Any, total: Any) -> Any:
        ratio = np.clip(total / np.maximum(n, 1), low - high, high - low)
        return (ratio + low + high) / 2 * float(ask.domain.step)

    return _calculated(ask, rows, chosen, mean)


def _of_variance(ask: Asked) -> dict[str, int]:
    low, high = ask.domain.bounds
    # The squares, in half steps, are between 0 and the squared range; twice a square minus the squared range is an
    # integer of at most the squared range on both sides of 0, which halves the noise.
    return {**_of_mean(ask), ": squared differences": ask.most * (high - low) ** 2}


def _variance(ask: Asked, rows: Rows, chosen: Any) -> Answer:
    low, high = ask.domain.bounds

    def variance(n: Any, total: Any, around: Any) -> Any:
        n = np.maximum(n, 1)
        middle = (around / n + (high - low) ** 2) / 2 - (total / n) ** 2
        return np.clip(middle, 0, (high - low) ** 2) / 4 * float(ask.domain.step) ** 2

    return _calculated(ask, rows, chosen, variance)


def _calculated(ask: Asked, rows: Rows, chosen: Any, function: Callable[..., Any]) -> Answer:
    """Answer with what follows from noisy sums over the rows: of ones, of differences from the middle, of squares."""
    low, high = ask.domain.bounds
    numbers, counts = np.unique(rows.numbers(ask.domain, chosen), return_counts=True)
    doubled = 2 * numbers - (low + high)
    values = [np.ones_like(numbers), doubled]
    if len(ask.sensitivities) > len(values):
        values.append(2 * doubled.astype(object) ** 2 - (high - low) ** 2)
    added = zip(values, ask.sensitivities.values(), strict=True)
    noisy = [mechanisms.noisy_sum(each, most, ask.share, counts) for each, most in added]
    ask.exact.append(float(function(*(float(mechanisms.exact_sum(each, counts)) for each in values))))
    value, spread = float(function(*(float(each.value) for each in noisy))), mechanisms.simulated(function, *noisy)
    single = Cell(labels=(), value=value, low=min(value, spread.low), high=max(value, spread.high))
    return _answer(ask, [single], sd=spread.sd)


def _of_quantile(ask: Asked) -> dict[str, int]:
    """By how much one unit changes the utility of a candidate, in parts of the denominator of the quantile."""
    share = ask.query.quantile
    return {"": ask.most * max(share.numerator, share.denominator - share.numerator)}


def _quantile(ask: Asked, rows: Rows, chosen: Any) -> Answer:
    """Choose among the steps of the bounds; the utility is minus the distance of the rank from the wanted one.

    With q = a/b it is ``-|(b - a) #(x < c) - a #(x > c)|``, and 0 where the rows equal to c make up the difference.
    """
    low, high = ask.domain.bounds
    share = ask.query.quantile
    a, rest = share.numerator, share.denominator - share.numerator
    counts = np.bincount(rows.numbers(ask.domain, chosen) - low, minlength=high - low + 1)
    # A quantile with many decimals has a large denominator; a product that wrapped around would not have the
    # sensitivity that the noise hides.
    if share.denominator * int(counts.sum()) >= noise.LARGEST:
        counts = counts.astype(object)
    up_to = np.cumsum(counts)
    below, above = up_to - counts, up_to[-1] - up_to
    # The rows equal to c count as below or above, whichever brings the rank closer.
    worst = np.maximum(rest * below - a * (above + counts), a * above - rest * (below + counts))
    utilities = -np.maximum(worst, 0)
    most = ask.sensitivities[""]
    at = permute_and_flip(utilities, ask.share, most)
    ask.exact.append(float((low + int(np.argmax(utilities))) * ask.domain.step))
    value = Cell(labels=(), value=float((low + at) * ask.domain.step), low=None, high=None)
    error = mechanisms.rank_error(len(counts), Fraction(most, share.denominator), ask.share)
    return _answer(ask, [value], rank_error=error, order=float(share))


def _of_clusters(ask: Asked) -> dict[str, int]:
    """The grid of counts; scikit-learn must be there before anything is spent."""
    with needing(LEARN, "Clusters"):
        import sklearn.cluster  # noqa: F401
    return {": grid": ask.most}


def _clusters(ask: Asked, rows: Rows, chosen: Any) -> Answer:
    """Answer with the coordinates of the centres, in the order of the first column."""
    from privaudit.releases.answers.models.clusters import centres_of

    n_bands = max(2, round(GRID ** (1 / len(ask.domains))))
    grid = [_banded(domain, n_bands) for domain in ask.domains]
    middles = [_middles(domain) for domain in grid]
    counts = rows.cells(grid, chosen).reshape([n_bands] * len(grid))
    noisy = mechanisms.noisy_counts(counts, ask.most, ask.share)
    found, exact = (_sorted(centres_of(middles, each, ask.query.clusters)) for each in (noisy, counts))
    ask.exact.extend(exact.ravel().tolist())
    cells = [
        Cell(labels=(f"centre {i}", domain.name), value=float(value), low=None, high=None)
        for i, centre in enumerate(found, 1)
        for domain, value in zip(grid, centre, strict=True)
    ]
    return _answer(ask, cells)


def _banded(domain: Column, n_bands: int) -> Numbers:
    assert isinstance(domain, Numbers), "the plan was checked"
    # In finer steps, of which every band has whole ones.
    low, high = (bound * n_bands for bound in domain.bounds)
    edges = tuple(low + (high - low) // n_bands * i for i in range(n_bands + 1))
    return replace(domain, step=domain.step / n_bands, bounds=(low, high), edges=edges, missing=False)


def _middles(domain: Numbers) -> Any:
    edges = np.array([float(edge * domain.step) for edge in domain.edges])
    return (edges[1:] + edges[:-1]) / 2


def _sorted(centres: Any) -> Any:
    return centres[np.lexsort(centres.T[::-1])]


_KINDS: dict[str, tuple[Callable[[Asked], dict[str, int]], Callable[[Asked, Rows, Any], Answer]]] = {
    "count": (_of_count, _count),
    "histogram": (_of_table, _table),
    "margin": (_of_table, _table),
    "sum": (_of_sum, _sum),
    "mean": (_of_mean, _mean),
    "variance": (_of_variance, _variance),
    "quantile": (_of_quantile, _quantile),
    "classifier": (_of_classifier, _classifier),
    "clusters": (_of_clusters, _clusters),
}
