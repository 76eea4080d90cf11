"""The queries: what each costs, and how it is answered.

Question: which mechanisms answer a count, a histogram, a margin, a sum, a mean, a variance and a quantile?
Method: two functions for each kind. `parts_of` states the mechanisms before any data is read, with the sensitivity that
one unit has when it is added or removed; `answer` computes exact integers and adds the noise. A person with at most m
rows changes an integer m times as much as a row. A classifier is one table of counts of target by column for each
column, each with an equal part of epsilon, as in `models.tables`. Centres come from k-means on a noisy grid of counts
over the bounds, as in `models.clusters`.
Limits: the sensitivity is that of adding or removing one unit. Replacing one is both, so it may cost twice as much.
Features of a classifier are independent within a class. The centres have no interval: their error depends on how far
the clusters are from each other.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from privaudit.base.extras import LEARN, needing
from privaudit.model.answers import Answer, Cell
from privaudit.releases.answers import mechanisms
from privaudit.releases.answers.asked import EXPONENTIAL, GAUSSIAN, Asked, answer_of, asked, cell, width
from privaudit.releases.answers.mechanisms import Spread
from privaudit.releases.answers.rows import Rows, cells_of
from privaudit.releases.domains.columns import Column, Numbers
from privaudit.releases.privacy import noise
from privaudit.releases.privacy.accounting import sigma2_of
from privaudit.releases.privacy.ledger import Part
from privaudit.releases.privacy.noise import choose

__all__ = ["Asked", "answer", "asked", "parts_of"]


def parts_of(ask: Asked) -> tuple[Part, ...]:
    """Return the mechanisms of a query, before any data is read."""
    return _KINDS[ask.query.kind][0](ask)


def answer(ask: Asked, rows: Rows) -> Answer:
    """Return the noisy answer to a query."""
    chosen = None if ask.where is None or ask.query.where is None else rows.holding(ask.where, ask.query.where[1])
    return _KINDS[ask.query.kind][1](ask, rows, chosen)


def _count_parts(ask: Asked) -> tuple[Part, ...]:
    return (ask.part("", 1 if ask.query.of_people else ask.most, ask.query.epsilon),)


def _count(ask: Asked, rows: Rows, chosen: Any) -> Answer:
    n = rows.n if chosen is None else int(chosen.sum())
    if ask.query.of_people and ask.by_person:
        n = rows.n_people(chosen)
    sensitivity = 1 if ask.query.of_people else ask.most
    found = mechanisms.noisy_sum(np.array([n]), sensitivity, ask.query.epsilon)
    ask.exact.append(n)
    return answer_of(ask, sensitivity, [cell((), found.value, width(found.scale))], sd=noise.laplace_sd(found.scale))


def _table_parts(ask: Asked) -> tuple[Part, ...]:
    cells_of(ask.domains)
    if ask.query.gaussian:
        # All m rows of a person may be in one cell, so the L2 sensitivity is m as well.
        return (ask.part("", ask.most, mechanism=GAUSSIAN, rho=ask.rho),)
    return (ask.part("", ask.most, ask.query.epsilon),)


def _table(ask: Asked, rows: Rows, chosen: Any) -> Answer:
    counts = rows.cells(ask.domains, chosen)
    if ask.query.gaussian:
        sigma2 = sigma2_of(ask.rho, ask.most**2)
        noisy = counts + noise.discrete_gaussian(sigma2, len(counts))
        sd = float(sigma2) ** 0.5
        distance = int(np.ceil(1.959964 * sd + 0.5))
    else:
        scale = Fraction(ask.most) / ask.query.epsilon
        noisy = mechanisms.noisy_counts(counts, ask.most, ask.query.epsilon)
        sd, distance = noise.laplace_sd(scale), width(scale)
    ask.exact.extend(counts.tolist())
    labels = itertools.product(*(domain.cell_labels for domain in ask.domains))
    cells = [cell(label, value, distance) for label, value in zip(labels, noisy.tolist(), strict=True)]
    return answer_of(ask, ask.most, cells, sd=sd)


def _sum_parts(ask: Asked) -> tuple[Part, ...]:
    return (ask.part("", _largest(ask), ask.query.epsilon),)


def _sum(ask: Asked, rows: Rows, chosen: Any) -> Answer:
    numbers, step = rows.numbers(ask.domain, chosen), float(ask.domain.step)
    found = mechanisms.noisy_sum(numbers, _largest(ask), ask.query.epsilon)
    ask.exact.append(mechanisms.exact_sum(numbers) * step)
    total = cell((), found.value * step, width(found.scale) * step)
    return answer_of(ask, _largest(ask), [total], sd=noise.laplace_sd(found.scale) * step)


def _largest(ask: Asked) -> int:
    """Return by how many steps one unit changes the sum: m times the bound with the larger magnitude."""
    return ask.most * max(map(abs, ask.domain.bounds))


def _mean_parts(ask: Asked) -> tuple[Part, ...]:
    half = ask.query.epsilon / 2
    return ask.part(": rows", ask.most, half), ask.part(": differences from the middle", _range(ask), half)


def _mean(ask: Asked, rows: Rows, chosen: Any) -> Answer:
    """Answer with half of epsilon for the count, and half for the sum of the differences from the middle.

    In half steps the differences are integers, and one row changes their sum by at most the range.
    """
    half, (low, high) = ask.query.epsilon / 2, ask.domain.bounds
    doubled = 2 * rows.numbers(ask.domain, chosen) - (low + high)
    n = mechanisms.noisy_sum(np.ones(len(doubled), dtype=np.int64), ask.most, half)
    total = mechanisms.noisy_sum(doubled, _range(ask), half)

    def mean(n: Any, total: Any) -> Any:
        ratio = np.clip(total / np.maximum(n, 1), low - high, high - low)
        return (ratio + low + high) / 2 * float(ask.domain.step)

    ask.exact.append(float(mean(len(doubled), mechanisms.exact_sum(doubled))))
    return _calculated(ask, _range(ask), float(mean(n.value, total.value)), mechanisms.simulated(mean, n, total))


def _range(ask: Asked) -> int:
    low, high = ask.domain.bounds
    return ask.most * (high - low)


def _variance_parts(ask: Asked) -> tuple[Part, ...]:
    third = ask.query.epsilon / 3
    return (
        ask.part(": rows", ask.most, third),
        ask.part(": differences from the middle", _range(ask), third),
        ask.part(": squared differences", _squared_range(ask), third),
    )


def _squared_range(ask: Asked) -> int:
    low, high = ask.domain.bounds
    return ask.most * (high - low) ** 2


def _variance(ask: Asked, rows: Rows, chosen: Any) -> Answer:
    """Answer with a third of epsilon each for the count, the sum, and the sum of squares around the middle.

    The squares, in half steps, are between 0 and the squared range; twice a square minus the squared range is an
    integer of at most the squared range on both sides of 0, which halves the noise.
    """
    third, (low, high) = ask.query.epsilon / 3, ask.domain.bounds
    numbers, counts = np.unique(rows.numbers(ask.domain, chosen), return_counts=True)
    doubled = 2 * numbers - (low + high)
    squares = 2 * doubled.astype(object) ** 2 - (high - low) ** 2
    n = mechanisms.noisy_sum(np.ones_like(numbers), ask.most, third, counts)
    total = mechanisms.noisy_sum(doubled, _range(ask), third, counts)
    around = mechanisms.noisy_sum(squares, _squared_range(ask), third, counts)

    def variance(n: Any, total: Any, around: Any) -> Any:
        n = np.maximum(n, 1)
        middle = (around / n + (high - low) ** 2) / 2 - (total / n) ** 2
        return np.clip(middle, 0, (high - low) ** 2) / 4 * float(ask.domain.step) ** 2

    exact = [float(mechanisms.exact_sum(each, counts)) for each in (np.ones_like(numbers), doubled, squares)]
    ask.exact.append(float(variance(*exact)))
    value = float(variance(n.value, float(total.value), float(around.value)))
    return _calculated(ask, _squared_range(ask), value, mechanisms.simulated(variance, n, total, around))


def _quantile_parts(ask: Asked) -> tuple[Part, ...]:
    return (ask.part("", _rank_sensitivity(ask), ask.query.epsilon, mechanism=EXPONENTIAL),)


def _rank_sensitivity(ask: Asked) -> int:
    """Return by how much one unit changes the utility of a candidate, in parts of the denominator of the quantile."""
    share = ask.query.quantile
    return ask.most * max(share.numerator, share.denominator - share.numerator)


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
    at = choose(utilities, ask.query.epsilon, _rank_sensitivity(ask))
    ask.exact.append(float((low + int(np.argmax(utilities))) * ask.domain.step))
    value = Cell(labels=(), value=float((low + at) * ask.domain.step), low=None, high=None)
    sensitivity = Fraction(_rank_sensitivity(ask), share.denominator)
    error = mechanisms.rank_error(len(counts), sensitivity, ask.query.epsilon)
    return answer_of(ask, _rank_sensitivity(ask), [value], mechanism=EXPONENTIAL, rank_error=error, order=float(share))


def _calculated(ask: Asked, sensitivity: int, value: float, spread: Spread) -> Answer:
    single = Cell(labels=(), value=value, low=min(value, spread.low), high=max(value, spread.high))
    return answer_of(ask, sensitivity, [single], sd=spread.sd)


Parts = Callable[[Asked], tuple[Part, ...]]


GRID = 100
"""About how many cells the grid of clusters has."""


def classifier_parts(ask: Asked) -> tuple[Part, ...]:
    """Return one table of counts for each column, each with an equal part of epsilon."""
    for domain in ask.domains:
        cells_of((_target(ask), domain))
    return tuple(ask.part(f": {domain.name}", ask.most, _share(ask)) for domain in ask.domains)


def classifier(ask: Asked, rows: Rows, chosen: Any) -> Answer:
    """Return the noisy counts of each class in the bands or categories of each column."""
    scale, cells = Fraction(ask.most) / _share(ask), []
    target = _target(ask)
    for domain in ask.domains:
        counts = rows.cells((target, domain), chosen)
        noisy = mechanisms.noisy_counts(counts, ask.most, _share(ask))
        ask.exact.extend(counts.tolist())
        labels = [(label, domain.name, band) for label in target.cell_labels for band in domain.cell_labels]
        cells += [cell(label, value, width(scale)) for label, value in zip(labels, noisy.tolist(), strict=True)]
    return answer_of(ask, ask.most, cells, sd=noise.laplace_sd(scale))


def _target(ask: Asked) -> Column:
    assert ask.target is not None, "the plan was checked"
    return ask.target


def _share(ask: Asked) -> Fraction:
    return ask.query.epsilon / len(ask.domains)


def clusters_parts(ask: Asked) -> tuple[Part, ...]:
    """Return the grid of counts; scikit-learn must be there before anything is spent."""
    with needing(LEARN, "Clusters"):
        import sklearn.cluster  # noqa: F401
    return (ask.part(": grid", ask.most, ask.query.epsilon),)


def clusters(ask: Asked, rows: Rows, chosen: Any) -> Answer:
    """Return the coordinates of the centres, in the order of the first column."""
    from privaudit.releases.answers.models.clusters import centres_of

    n_bands = max(2, round(GRID ** (1 / len(ask.domains))))
    grid = [_banded(domain, n_bands) for domain in ask.domains]
    middles = [_middles(domain) for domain in grid]
    counts = rows.cells(grid, chosen).reshape([n_bands] * len(grid))
    noisy = mechanisms.noisy_counts(counts, ask.most, ask.query.epsilon)
    found, exact = (_sorted(centres_of(middles, each, ask.query.clusters)) for each in (noisy, counts))
    ask.exact.extend(exact.ravel().tolist())
    cells = [
        Cell(labels=(f"centre {i}", domain.name), value=float(value), low=None, high=None)
        for i, centre in enumerate(found, 1)
        for domain, value in zip(grid, centre, strict=True)
    ]
    return answer_of(ask, ask.most, cells)


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


_KINDS: dict[str, tuple[Parts, Callable[[Asked, Rows, Any], Answer]]] = {
    "count": (_count_parts, _count),
    "histogram": (_table_parts, _table),
    "margin": (_table_parts, _table),
    "sum": (_sum_parts, _sum),
    "mean": (_mean_parts, _mean),
    "variance": (_variance_parts, _variance),
    "quantile": (_quantile_parts, _quantile),
    "classifier": (classifier_parts, classifier),
    "clusters": (clusters_parts, clusters),
}
