"""Learn from labelled columns how reliable the evidence is.

Question: do the labels of a user improve confidence, or the choice of the reading of a column?
Method: three candidates for confidence (unchanged; a logistic curve over the hand-set weight; logistic regression over
all evidence) are compared by log-loss on columns of sources they were not trained on, and the simplest within a tenth
of the best is taken. The regression that chooses replaces the hand-set weights only if it has the higher F1 there and
a log-loss that is not worse. The winner is fitted again on all columns.
Limits: the choice between the candidates is made on the same held-out columns for which scores are reported.
Coefficients are shrunk (``STRENGTH``) and not selected; training needs scikit-learn, applying does not.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from privaudit.config import Progress, Settings, silent
from privaudit.detect.fusion import FEATURES, VERSION, Fusion, Logistic, Matrix, Vector, choose, load
from privaudit.detect.learning import labels
from privaudit.detect.learning.labels import PLAIN, Case, group_of, scored_groups
from privaudit.errors import ConfigError

LEAST_COLUMNS = 30
FOLDS = 5  # where there is only one source
STRENGTH = 0.3  # C of scikit-learn: the smaller, the closer the coefficients are to 0
CLOSE = 1.1  # times the least log-loss
BOUND = 0.99  # the highest confidence that is reported
BINS = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0)
Labels = npt.NDArray[np.bool_]


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
    n_verdicts: int
    f1: float
    brier: float
    log_loss: float
    bands: tuple[Band, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Trained:
    """What was learned, with held-out scores before and after."""

    fusion: Fusion
    before: Scores
    after: Scores
    confidence: str
    chooses: bool
    compared: Mapping[str, Scores]
    n_sources: int


Fit = Callable[[Sequence[Case]], Fusion]


def train(path: str | Path, settings: Settings, progress: Progress = silent) -> Trained:
    """Learn from a file of labels.

    Raises
    ------
    ConfigError
        For labels that `labels.read` rejects, or fewer than `LEAST_COLUMNS` of them.
    """
    return learn(labels.read(path, settings, progress), load(settings.rules))


def learn(cases: Sequence[Case], before: Fusion) -> Trained:
    """Return the best of the candidates, fitted on all `cases`, with held-out scores.

    Raises
    ------
    ConfigError
        For fewer than `LEAST_COLUMNS` cases, no verdict on any of them, or no reading that is right.
    """
    if len(cases) < LEAST_COLUMNS:
        raise ConfigError(
            f"{len(cases)} labelled columns are too few to learn from.", hint=f"label {LEAST_COLUMNS} or more"
        )
    _check_verdicts(cases, before)
    fits: dict[str, Fit] = {
        "as before": lambda _: before,
        "weight": lambda kept: Fusion(confidence=_curve(kept, before), choice=before.choice),
        "evidence": lambda kept: Fusion(confidence=_regression(kept, before), choice=before.choice),
    }
    compared = {name: held_out(cases, fit) for name, fit in fits.items()}
    least = min(scores.log_loss for scores in compared.values())
    # The simplest that is close to the best: a small gain on these tables may be a loss on others.
    best = next(name for name, scores in compared.items() if scores.log_loss <= CLOSE * least)
    after, chosen, chooses = compared[best], fits[best], before.choice is not None
    compared["evidence chooses"] = held_out(cases, _chooser)
    other = compared["evidence chooses"]
    if other.f1 > after.f1 and other.log_loss <= CLOSE * max(after.log_loss, 1 - BOUND):
        best, chosen, after, chooses = "evidence", _chooser, other, True
    return Trained(
        fusion=chosen(cases),
        before=compared["as before"],
        after=after,
        confidence=best,
        chooses=chooses,
        compared=compared,
        n_sources=len({case.source for case in cases}),
    )


def _check_verdicts(cases: Sequence[Case], before: Fusion) -> None:
    if len(_winners(cases, before).right) == 0:
        raise ConfigError(
            "None of the labelled columns has a verdict to learn from.",
            hint="label columns that hold personal data as well",
        )
    if not any(case.right(reading.entity) for case in cases for reading in case.readings):
        raise ConfigError(
            "No verdict on any column matches its label.",
            hint="check that the labels belong to these columns",
        )


def held_out(cases: Sequence[Case], fit: Fit) -> Scores:
    """Score `fit` on each source after training on the others."""
    sources = sorted({case.source for case in cases})
    folds = list(sources) if len(sources) > 1 else list(range(FOLDS))
    keys = [case.source if len(sources) > 1 else i % FOLDS for i, case in enumerate(cases)]
    judged: list[tuple[Case, str | None, float]] = []
    for fold in folds:
        fusion = fit([case for case, key in zip(cases, keys, strict=True) if key != fold])
        judged += [
            (case, *_verdict(case, fusion)) for case, key in zip(cases, keys, strict=True) if key == fold
        ]
    return score(judged)


def score(judged: Sequence[tuple[Case, str | None, float]]) -> Scores:
    """Score verdicts: cases with the entity type decided on (None: plain data) and its confidence."""
    verdicts = [(case.right(entity), sure) for case, entity, sure in judged if entity is not None]
    right = np.array([r for r, _ in verdicts], dtype=np.float64)
    sure = np.clip(np.array([s for _, s in verdicts]), 1 - BOUND, BOUND)
    return Scores(
        n_columns=len(judged),
        n_verdicts=len(verdicts),
        f1=_f1(judged),
        brier=float(np.mean((sure - right) ** 2)) if verdicts else 0.0,
        log_loss=float(-np.mean(np.log(np.where(right > 0, sure, 1 - sure)))) if verdicts else 0.0,
        bands=tuple(_bands(right, sure)),
    )


def as_toml(trained: Trained) -> str:
    """Return what was learned as the text of ``fusion.toml``: numbers only, nothing of the tables."""
    lines = [
        "# How reliable verdicts are: coefficients of a logistic regression over the evidence.",
        "# Written by `privaudit rules train`; docs/learning.md explains them.",
        f'version = "{VERSION}"',
        "features = [" + ", ".join(f'"{name}"' for name in FEATURES) + "]",
        "",
        "[trained]",
        f"columns = {trained.after.n_columns}",
        f"sources = {trained.n_sources}",
        f"brier = {trained.after.brier:.4f}",
        f"log_loss = {trained.after.log_loss:.4f}",
        f"f1 = {trained.after.f1:.4f}",
    ]
    for name, model in (("confidence", trained.fusion.confidence), ("choice", trained.fusion.choice)):
        if model is not None:
            lines += ["", f"[{name}]", *_model(model)]
    return "\n".join(lines) + "\n"


def summary(trained: Trained) -> str:
    """Return what was learned and its scores before and after, as text."""
    several = trained.n_sources > 1
    units, sources = ("sources", "sources") if several else ("columns", "source")
    rows = [("before", trained.before), ("after", trained.after)]
    lines = [
        f"{trained.after.n_columns} labelled columns of {trained.n_sources} {sources}; scores on held-out {units}:",
        f"{'':8}{'F1':>8}{'Brier':>8}{'log-loss':>10}",
        *(f"{name:8}{one.f1:8.3f}{one.brier:8.3f}{one.log_loss:10.3f}" for name, one in rows),
        "Confidence after: verdicts, mean confidence, share right",
        *(
            f"{b.low:5.2f} to {b.high:.2f}{b.n:7}{b.mean_confidence:8.3f}{b.share_right:8.3f}"
            for b in trained.after.bands
        ),
        f"Confidence: {_WINS[trained.confidence]}.",
        "Readings are chosen by the learned weights."
        if trained.chooses
        else "Readings are chosen by the hand-set weights.",
    ]
    return "\n".join(lines)


_WINS = {
    "as before": "unchanged, because nothing learned was better",
    "weight": "a logistic curve over the hand-set weight",
    "evidence": "a logistic regression over all evidence",
}


def _model(model: Logistic) -> list[str]:
    rows = [(key, getattr(model, key)) for key in ("center", "scale", "weights")]
    listed = [f"{key} = [{', '.join(repr(round(x, 6)) for x in numbers)}]" for key, numbers in rows]
    return [*listed, f"intercept = {round(model.intercept, 6)!r}"]


def _verdict(case: Case, fusion: Fusion) -> tuple[str | None, float]:
    best = choose(case.readings, case.features, fusion) if case.readings else None
    if best is None:
        return None, 0.0
    sure = fusion.confidence.probability(case.features[best : best + 1])
    return case.readings[best].entity, float(sure[0])


@dataclass(frozen=True, slots=True)
class _Lesson:
    """Readings with their evidence, whether each is right, and the source each comes from."""

    features: Matrix
    right: Labels
    sources: tuple[str, ...]

    def balanced(self) -> Vector:
        """Return weights with which every source counts the same, however many columns it has."""
        _, which, counts = np.unique(np.array(self.sources), return_inverse=True, return_counts=True)
        each: Vector = len(self.sources) / (len(counts) * counts[which])
        return each


def _lesson(taught: Sequence[tuple[Case, int]]) -> _Lesson:
    rows = [case.features[i] for case, i in taught]
    right = [case.right(case.readings[i].entity) for case, i in taught]
    return _Lesson(
        np.array(rows).reshape(-1, len(FEATURES)),
        np.array(right, dtype=np.bool_),
        tuple(case.source for case, _ in taught),
    )


def _winners(cases: Sequence[Case], before: Fusion) -> _Lesson:
    chosen = [(case, choose(case.readings, case.features, before)) for case in cases if case.readings]
    return _lesson([(case, best) for case, best in chosen if best is not None])


def _curve(cases: Sequence[Case], before: Fusion) -> Logistic:
    """Fit a logistic curve over the hand-set weight alone, which keeps the order of verdicts."""
    return _fit(_winners(cases, before), columns=(FEATURES.index("weight"),))


def _regression(cases: Sequence[Case], before: Fusion) -> Logistic:
    return _fit(_winners(cases, before))


def _chooser(cases: Sequence[Case]) -> Fusion:
    """Learn from every reading, not only the best, which of them is right."""
    choice = _fit(_lesson([(case, i) for case in cases for i in range(len(case.readings))]))
    return Fusion(confidence=_regression(cases, Fusion(confidence=choice, choice=choice)), choice=choice)


def _fit(lesson: _Lesson, columns: Sequence[int] | None = None) -> Logistic:
    """Fit a regression over some columns of the evidence; the weights of the others are 0."""
    from sklearn.linear_model import LogisticRegression

    n, features, right = len(FEATURES), lesson.features, lesson.right
    used = list(range(n)) if columns is None else list(columns)
    center, scale, weights = np.zeros(n), np.ones(n), np.zeros(n)
    if len(right) == 0 or right.all() or not right.any():  # only one class: Laplace's rule
        odds = (right.sum() + 1) / ((~right).sum() + 1)
        return _logistic(center, scale, weights, float(np.log(odds)))
    center[used] = features[:, used].mean(axis=0)
    spread = features[:, used].std(axis=0)
    scale[used] = np.where(spread > 1e-9, spread, 1.0)
    standard = (features - center) / scale
    model = LogisticRegression(C=STRENGTH, max_iter=2000).fit(
        standard[:, used], right, sample_weight=lesson.balanced()
    )
    weights[used] = model.coef_[0]
    return _logistic(center, scale, weights, float(model.intercept_[0]))


def _logistic(center: Vector, scale: Vector, weights: Vector, intercept: float) -> Logistic:
    return Logistic(
        center=tuple(map(float, center)),
        scale=tuple(map(float, scale)),
        weights=tuple(map(float, weights)),
        intercept=intercept,
    )


def _f1(judged: Sequence[tuple[Case, str | None, float]]) -> float:
    personal = scored_groups()
    hit = false = missed = 0
    for case, entity, _ in judged:
        group = group_of(entity) if entity is not None else PLAIN
        if group in case.accepted:
            hit += group in personal
            continue
        false += group in personal
        missed += bool(case.accepted & personal)
    return 2 * hit / max(1, 2 * hit + false + missed)


def _bands(right: Vector, sure: Vector) -> list[Band]:
    found = []
    for low, high in itertools.pairwise(BINS):
        inside = (sure >= low) & ((sure < high) | (high == BINS[-1]))
        if inside.any():
            found.append(
                Band(
                    low=low,
                    high=high,
                    n=int(inside.sum()),
                    mean_confidence=float(sure[inside].mean()),
                    share_right=float(right[inside].mean()),
                )
            )
    return found
