"""The queries whose answers are models: a classifier and the centres of clusters.

Question: which noisy numbers are a naive Bayes classifier, and which are cluster centres?
Method: a classifier is one table of counts of target by column for each column, each with an equal part of epsilon, as
in `models.tables`. Centres come from k-means on a noisy grid of counts over the bounds, as in `models.clusters`.
Limits: features of a classifier are independent within a class. The centres have no interval: their error depends on
how far the clusters are from each other.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from privaudit.base.extras import LEARN, needing
from privaudit.model.answers import Answer, Cell
from privaudit.releases.answers import mechanisms
from privaudit.releases.answers.asked import Asked, answer_of, cell, width
from privaudit.releases.answers.rows import Rows, cells_of
from privaudit.releases.domains.columns import Column, Numbers
from privaudit.releases.privacy import noise
from privaudit.releases.privacy.ledger import Part

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
