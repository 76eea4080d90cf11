"""Train on synthetic, test on real.

Question: how well does a model that was trained on the synthetic table predict original records?
Method: logistic regression, a decision tree and naive Bayes predict a column from all others, as one-hot codes; each is
trained on the synthetic table and on the synthesised records, and tested on original records: the held-out ones where
there are some. AUC for two categories, accuracy otherwise. Intervals: Wilson for accuracy, Hanley and McNeil for AUC.
Limits: where no records are held out, the models of the original are tested on the records they were trained on, and
are too good.

References
----------
.. [1] J. Hanley, B. McNeil, The meaning and use of the area under a ROC curve, Radiology 143, 1982.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from privaudit.base.arrays import Floats
from privaudit.base.extras import LEARN, needing
from privaudit.model.stats import Estimate, wilson
from privaudit.model.synthesis import ModelComparison
from privaudit.releases.synthetic.domain import Domain
from privaudit.releases.synthetic.engine.margins import CodedTable

MOST_ROWS = 50_000
MOST_LABELS = 20
MODELS = ("logistic regression", "decision tree", "naive Bayes")
Z = 1.959963984540054


def predictions(
    domain: Domain, before: CodedTable, after: CodedTable, held_out: CodedTable | None, target: str
) -> tuple[ModelComparison, ...]:
    """Return the comparison of every model; nothing where the target has too many or too few labels."""
    column = domain.position(target)
    tested = before if held_out is None or not held_out.n_rows else held_out
    before, after, tested = (_part(table) for table in (before, after, tested))
    labels = np.unique(tested.codes[column])
    if not 2 <= len(labels) <= MOST_LABELS:
        return ()
    found = []
    for name in MODELS:
        scores = [_score(name, table, tested, column, labels) for table in (before, after)]
        found.append(
            ModelComparison(
                target=target,
                model=name,
                score="AUC" if len(labels) == 2 else "accuracy",
                before=scores[0],
                after=scores[1],
                n_test=tested.n_rows,
                held_out=held_out is not None and held_out.n_rows > 0,
            )
        )
    return tuple(found)


def _part(table: CodedTable) -> CodedTable:
    if table.n_rows <= MOST_ROWS:
        return table
    # The same part of the original for every synthetic table that is compared with it.
    drawn = np.random.default_rng(0).choice(table.n_rows, MOST_ROWS, replace=False)
    return table.take(np.lexsort(table.codes)[drawn])


def _score(name: str, trained: CodedTable, tested: CodedTable, column: int, labels: Any) -> Estimate:
    """Return the score of a model that was trained on one table and tested on another."""
    y, truth = trained.codes[column], tested.codes[column]
    known = np.unique(y)
    # A table with one label teaches nothing: every record gets the same score.
    if len(known) < 2:
        return (
            _auc(np.zeros(len(truth)), truth == labels[1])
            if len(labels) == 2
            else wilson(int(np.isin(truth, y[:1]).sum()), len(truth))
        )
    model = _model(name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(_one_hot(trained, column), y)
        features = _one_hot(tested, column)
        if len(labels) == 2:
            return _auc(_probability(model, features, labels[1]), truth == labels[1])
        return wilson(int((model.predict(features) == truth).sum()), len(truth))


def _probability(model: Any, features: Floats, label: int) -> Floats:
    shares = np.asarray(model.predict_proba(features))
    found = np.flatnonzero(model.classes_ == label)
    return np.asarray(shares[:, found[0]] if len(found) else np.zeros(len(features)), dtype=np.float64)


def _auc(scores: Floats, positive: Any) -> Estimate:
    """Return the area under the ROC curve with the interval of Hanley and McNeil."""
    n1, n0 = int(positive.sum()), int((~positive).sum())
    order = np.unique(scores, return_inverse=True, return_counts=True)
    ends = np.cumsum(order[2])
    middle = ends - (order[2] - 1) / 2
    # Equal scores share the mean of their ranks, which counts a tie as half a success.
    ranks = middle[order[1]]
    auc = float((ranks[positive].sum() - n1 * (n1 + 1) / 2) / max(1, n1 * n0))
    first, second = auc / (2 - auc), 2 * auc**2 / (1 + auc)
    variance = (auc * (1 - auc) + (n1 - 1) * (first - auc**2) + (n0 - 1) * (second - auc**2)) / max(1, n1 * n0)
    half = Z * max(0.0, variance) ** 0.5
    return Estimate(value=auc, low=max(0.0, auc - half), high=min(1.0, auc + half), n=n1 + n0, method="Hanley-McNeil")


def _model(name: str) -> Any:
    with needing(LEARN, "Comparing models"):
        from sklearn.linear_model import LogisticRegression
        from sklearn.naive_bayes import BernoulliNB
        from sklearn.tree import DecisionTreeClassifier

    if name == "logistic regression":
        return LogisticRegression(max_iter=200)
    return DecisionTreeClassifier(min_samples_leaf=20, random_state=0) if name == "decision tree" else BernoulliNB()


def _one_hot(table: CodedTable, target: int) -> Floats:
    parts = [(table.codes[i][:, None] == np.arange(size)[None, :]) for i, size in enumerate(table.sizes) if i != target]
    return np.concatenate(parts, axis=1).astype(np.float32) if parts else np.zeros((table.n_rows, 1), np.float32)
