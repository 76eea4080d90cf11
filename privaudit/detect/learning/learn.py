"""Fit the numbers of the resolver to labelled columns.

Question: which prior decides best on the labels of a user, and which share of decisions with such a sum is right?
Method: on columns of sources they were not fitted on, the current numbers are compared with fitted ones: the prior with
the highest F1, unless the current one is as good within `EQUAL`, and a logistic curve over the log-odds of decisions.
They are taken only if they lower the log-loss by more than a tenth, or raise F1. The winner is fitted again on all
columns.
Limits: the comparison is made on the same held-out columns for which scores are reported. Coefficients are shrunk
(``STRENGTH``); training needs scikit-learn, applying does not.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from privaudit.base import clock
from privaudit.base.arrays import Floats
from privaudit.base.errors import ConfigError
from privaudit.base.extras import LEARN
from privaudit.base.records import dataclass
from privaudit.detect import resolver
from privaudit.detect.learning import labels
from privaudit.detect.learning.labels import PLAIN, Case, group_of, groups_with
from privaudit.detect.resolver import Reading, Weights, best_of, combine, order
from privaudit.settings.config import Progress, Settings, silent

LEAST_COLUMNS = 30  # of fewer, the share that is right has an interval of 0.3
FOLDS = 5  # where there is only one source; the usual number
STRENGTH = 0.3  # C of scikit-learn: the smaller, the closer the coefficients are to 0
CLOSE = 1.1  # times the least log-loss: a smaller gain on these tables may be a loss on others
EQUAL = 0.005  # F1: about one standard error over the 2,144 columns of the shipped fit
BOUND = 0.99  # the highest confidence that is reported
BINS = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0)
PRIORS = tuple(float(p) for p in np.round(np.arange(0.1, resolver.PRIOR_RANGE[1], 0.05), 2))


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """Verdicts whose confidence is in one band: their number, mean confidence and share that is right."""

    low: float
    high: float
    n: int
    mean_confidence: float
    share_right: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """Scores of verdicts and their confidence on labelled columns.

    ``brier`` is the mean squared difference of confidence and truth (0 or 1), ``log_loss`` the mean of
    ``-ln(probability given to the truth)``, ``f1`` that of personal entity types by column.
    """

    n_columns: int
    f1: float
    brier: float
    log_loss: float
    bands: tuple[Band, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Trained:
    """What was fitted, with held-out scores before and after; ``is_new`` is False where the current numbers stay."""

    weights: Weights
    before: Scores
    fitted: Scores
    is_new: bool
    n_sources: int

    @property
    def after(self) -> Scores:
        """Scores of the numbers that were taken."""
        return self.fitted if self.is_new else self.before


Judged = tuple[Case, str | None, float]
"""A case, the entity type decided on (None: plain data) and its confidence."""


def train(path: str | Path, settings: Settings, progress: Progress = silent) -> Trained:
    """Learn from a file of labels.

    Raises
    ------
    ConfigError
        For labels that `labels.read` rejects, or fewer than `LEAST_COLUMNS` of them.
    """
    return learn(labels.read(path, settings, progress), resolver.load_weights(settings.rules))


def learn(cases: Sequence[Case], before: Weights) -> Trained:
    """Return the better of the current and the fitted numbers, fitted on all `cases`, with held-out scores.

    Raises
    ------
    ConfigError
        For fewer than `LEAST_COLUMNS` cases, no verdict on any of them, or no reading that is right.
    """
    if len(cases) < LEAST_COLUMNS:
        raise ConfigError(
            f"Too few columns are labelled to learn from them: {len(cases)}.", hint=f"label {LEAST_COLUMNS} or more"
        )
    if not any(_winner(case, before.prior) for case in cases):
        raise ConfigError(
            "None of the labelled columns has a verdict to learn from.",
            hint="label columns that hold personal data as well",
        )
    if not any(case.right(reading.entity) for case in cases for reading in case.readings):
        raise ConfigError(
            "No verdict on any column matches its label.", hint="check that the labels belong to these columns"
        )
    old, new = held_out(cases, lambda _: before), held_out(cases, lambda kept: fitted(kept, before))
    is_new = new.f1 > old.f1 or (new.f1 == old.f1 and old.log_loss > CLOSE * new.log_loss)
    weights, n_sources = fitted(cases, before) if is_new else before, len({case.source for case in cases})
    return Trained(weights=weights, before=old, fitted=new, is_new=is_new, n_sources=n_sources)


def held_out(cases: Sequence[Case], fit: Callable[[Sequence[Case]], Weights]) -> Scores:
    """Score `fit` on each source after training on the others."""
    several = len({case.source for case in cases}) > 1
    keys = [case.source if several else str(i % FOLDS) for i, case in enumerate(cases)]
    judged: list[Judged] = []
    for fold in sorted(set(keys)):
        weights = fit([case for case, key in zip(cases, keys, strict=True) if key != fold])
        judged += (judge(case, weights) for case, key in zip(cases, keys, strict=True) if key == fold)
    return score(judged)


def score(judged: Sequence[Judged]) -> Scores:
    """Score verdicts: cases with the entity type decided on (None: plain data) and its confidence."""
    verdicts = [(case.right(entity), sure) for case, entity, sure in judged if entity is not None]
    right, sure = np.array(verdicts, dtype=np.float64).reshape(-1, 2).T
    sure = np.clip(sure, 1 - BOUND, BOUND)
    return Scores(
        n_columns=len(judged),
        f1=_f1(judged),
        brier=float(np.mean((sure - right) ** 2)) if verdicts else 0.0,
        log_loss=float(-np.mean(np.log(np.where(right > 0, sure, 1 - sure)))) if verdicts else 0.0,
        bands=tuple(_bands(right, sure)),
    )


def as_toml(trained: Trained, corpus: str = "labels given to privaudit rules train") -> str:
    """Return what was fitted as the text of ``fusion.toml``: numbers only, nothing of the tables."""
    weights, scores = trained.weights, trained.after
    lines = [
        "# The fitted numbers of the resolver: the prior of an entity type, and confidence as a curve over the sum.",
        "# Written by `privaudit rules train`; docs/detection.md and docs/learning.md explain them.",
        f'version = "{resolver.VERSION}"',
        f"prior = {weights.prior}",
        "",
        "[confidence]",
        f"slope = {round(weights.slope, 6)!r}",
        f"intercept = {round(weights.intercept, 6)!r}",
        "",
        # Numbers that are kept were fitted to other labels; their scores on these are stated.
        "[trained]" if trained.is_new else "[scored]",
        f'corpus = "{corpus}"',
        f"date = {clock.today()}",
        f"columns = {scores.n_columns}",
        f"sources = {trained.n_sources}",
        f"brier = {scores.brier:.4f}",
        f"log_loss = {scores.log_loss:.4f}",
        f"f1 = {scores.f1:.4f}",
    ]
    return "\n".join(lines) + "\n"


def summary(trained: Trained) -> str:
    """Return what was fitted and its scores before and after, as text."""
    several = trained.n_sources > 1
    units, sources = ("sources", "sources") if several else ("columns", "source")
    rows = [("before", trained.before), ("after", trained.after)]
    columns = f"{trained.after.n_columns} labelled columns of {trained.n_sources} {sources}"
    lines = [
        f"{columns}; scores on held-out {units}:",
        f"{'':8}{'F1':>8}{'Brier':>8}{'log-loss':>10}",
        *(f"{name:8}{one.f1:8.3f}{one.brier:8.3f}{one.log_loss:10.3f}" for name, one in rows),
        "Confidence after: verdicts, mean confidence, share correct",
        *(
            f"{b.low:5.2f} to {b.high:.2f}{b.n:7}{b.mean_confidence:8.3f}{b.share_right:8.3f}"
            for b in trained.after.bands
        ),
        f"Prior: {trained.weights.prior}.",
        "Prior and confidence are fitted."
        if trained.is_new
        else "Prior and confidence are unchanged, because fitted ones were not better.",
    ]
    return "\n".join(lines)


def _winner(case: Case, prior: float) -> Reading | None:
    """Return the reading that is decided on with another prior."""
    return best_of(order(replace(r, log_odds=combine(prior, r.from_values, r.from_name)) for r in case.readings))


def judge(case: Case, weights: Weights) -> Judged:
    """Return a case with its decision by `weights`."""
    best = _winner(case, weights.prior)
    return (case, None, 0.0) if best is None else (case, best.entity, weights.confidence(best.log_odds))


def fitted(cases: Sequence[Case], before: Weights) -> Weights:
    """Return the prior with the highest F1, unless the current one is as good within `EQUAL`, and the curve for it."""

    def f1(weights: Weights) -> float:
        return _f1([judge(case, weights) for case in cases])

    best = max((replace(before, prior=prior) for prior in (before.prior, *PRIORS)), key=f1)
    return _curve(cases, best if f1(best) > f1(before) + EQUAL else before)


def _curve(cases: Sequence[Case], weights: Weights) -> Weights:
    """Fit the curve over the log-odds of decisions; every source counts the same, however many columns it has."""
    try:
        from sklearn.linear_model import LogisticRegression
        from sklearn.preprocessing import StandardScaler
        from sklearn.utils.class_weight import compute_sample_weight
    except ImportError:
        raise ConfigError("Learning needs an extra that is not installed.", hint=LEARN.install) from None

    decided = [(case, best) for case in cases if (best := _winner(case, weights.prior)) is not None]
    right = np.array([case.right(best.entity) for case, best in decided], dtype=np.bool_)
    if len(set(right.tolist())) < 2:  # only one class: Laplace's rule
        odds = (right.sum() + 1) / ((~right).sum() + 1)
        return replace(weights, slope=0.0, intercept=float(np.log(odds)))
    log_odds = np.array([[best.log_odds] for _, best in decided])
    scaler = StandardScaler().fit(log_odds)
    balanced = compute_sample_weight("balanced", [case.source for case, _ in decided])
    model = LogisticRegression(C=STRENGTH, max_iter=2000)
    model.fit(scaler.transform(log_odds), right, sample_weight=balanced)
    slope = float(model.coef_[0][0] / scaler.scale_[0])
    return replace(weights, slope=slope, intercept=float(model.intercept_[0] - slope * scaler.mean_[0]))


def _f1(judged: Sequence[Judged]) -> float:
    personal = groups_with("scored")  # of which F1 is computed
    hit = false = missed = 0
    for case, entity, _ in judged:
        group = group_of(entity) if entity is not None else PLAIN
        if group in case.accepted:
            hit += group in personal
        else:
            false += group in personal
            missed += bool(case.accepted & personal)
    return 2 * hit / max(1, 2 * hit + false + missed)


def _bands(right: Floats, sure: Floats) -> Iterator[Band]:
    for low, high in itertools.pairwise(BINS):
        inside = (sure >= low) & ((sure < high) | (high == BINS[-1]))
        if inside.any():
            mean_confidence, share_right = float(sure[inside].mean()), float(right[inside].mean())
            n = int(inside.sum())
            yield Band(low=low, high=high, n=n, mean_confidence=mean_confidence, share_right=share_right)
