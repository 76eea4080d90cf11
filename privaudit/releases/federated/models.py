"""The models that are averaged: an array of weights, one round on the rows of a party, a score.

Question: how does a party improve the common model on its own rows, and how good is a model?
Method: linear and logistic regression by stochastic gradient descent of scikit-learn, started from the common weights.
The word model is a sum of one weight for each word of a text, through a sigmoid, improved batch by batch.
Limits: the score of a linear model is R^2, that of the others is accuracy. The vocabulary, the bounds of features and
the classes are declared, because those of a party disclose its rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from privaudit.base.arrays import Floats
from privaudit.base.errors import ConfigError
from privaudit.base.extras import LEARN, needing

BATCH = 500
EPOCHS = 5


class SgdModel:
    """Linear or logistic regression: coefficients, then the intercept.

    Parameters
    ----------
    n_features : int
    classes : sequence, optional
        The two classes of a logistic regression; none for a linear regression.
    """

    def __init__(self, n_features: int, classes: Sequence[Any] | None, *, rate: float = 0.1, seed: int = 0) -> None:
        if classes is not None and len(classes) != 2:
            raise ConfigError("A federated logistic model has two classes.", hint="declare classes=(no, yes)")
        self.n_weights = n_features + 1
        self.classes = None if classes is None else np.asarray(classes)
        self.rate, self.seed = rate, seed

    def _estimator(self, weights: Floats) -> Any:
        with needing(LEARN, "Federated learning"):
            from sklearn.linear_model import SGDClassifier, SGDRegressor
        common = {"learning_rate": "constant", "eta0": self.rate, "random_state": self.seed, "alpha": 0.0}
        if self.classes is None:
            made = SGDRegressor(**common)
            made.coef_ = weights[:-1].copy()
        else:
            made = SGDClassifier(loss="log_loss", **common)
            made.coef_ = weights[None, :-1].copy()
            made.classes_ = self.classes
        made.intercept_ = weights[-1:].copy()
        made.n_features_in_ = len(weights) - 1
        return made

    def fit(self, weights: Floats, inputs: Any, outputs: Any) -> Floats:
        """Return the weights after `EPOCHS` passes over the rows of a party."""
        made = self._estimator(weights)
        more = {} if self.classes is None else {"classes": self.classes}
        for _ in range(EPOCHS):
            made.partial_fit(inputs, outputs, **more)
        return np.append(made.coef_.ravel(), made.intercept_)

    def score(self, weights: Floats, inputs: Any, outputs: Any) -> float:
        """Return the accuracy, or R^2 of a linear regression."""
        return float(self._estimator(weights).score(inputs, outputs))

    def gradients(self, weights: Floats, inputs: Any, outputs: Any) -> Floats:
        """Return the negative gradient of the loss of each row."""
        margins = inputs @ weights[:-1] + weights[-1]
        if self.classes is None:
            errors = np.asarray(outputs) - margins
        else:
            errors = (np.asarray(outputs) == self.classes[1]) - _sigmoid(margins)
        return errors[:, None] * np.hstack([inputs, np.ones((len(inputs), 1))])


class WordModel:
    """A weight for each word of a declared vocabulary; the sum over the words of a text goes through a sigmoid.

    Parameters
    ----------
    vocabulary : sequence of str
        Other words are ignored.
    classes : sequence
        Two classes; the sigmoid is the probability of the second.
    """

    def __init__(self, vocabulary: Sequence[str], classes: Sequence[Any], *, rate: float = 0.01) -> None:
        if len(classes) != 2:
            raise ConfigError("The word model has two classes.", hint="declare classes=(no, yes)")
        self.places = {word: i for i, word in enumerate(dict.fromkeys(vocabulary))}
        self.n_weights = len(self.places)
        self.classes, self.rate = tuple(classes), rate

    def words(self, texts: Sequence[str]) -> list[npt.NDArray[np.intp]]:
        """Return the places of the distinct words of each text."""
        return [
            np.array(sorted({self.places[word] for word in text.split() if word in self.places}), dtype=np.intp)
            for text in texts
        ]

    def fit(self, weights: Floats, inputs: Sequence[str], outputs: Sequence[Any]) -> Floats:
        """Return the weights after one pass over the texts of a party, in batches of `BATCH` texts."""
        now, words, target = weights.copy(), self.words(inputs), self._target(outputs)
        for start in range(0, len(words), BATCH):
            batch = words[start : start + BATCH]
            errors = target[start : start + BATCH] - _sigmoid(_sums(now, batch))
            change = np.zeros_like(now)
            for error, places in zip(errors, batch, strict=True):
                change[places] += error
            now += self.rate * change
        return now

    def score(self, weights: Floats, inputs: Sequence[str], outputs: Sequence[Any]) -> float:
        """Return the accuracy."""
        return float(((_sums(weights, self.words(inputs)) > 0) == self._target(outputs)).mean())

    def gradients(self, weights: Floats, inputs: Sequence[str], outputs: Sequence[Any]) -> Floats:
        """Return the negative gradient of the loss of each text."""
        words = self.words(inputs)
        errors = self._target(outputs) - _sigmoid(_sums(weights, words))
        found = np.zeros((len(words), self.n_weights))
        for line, error, places in zip(found, errors, words, strict=True):
            line[places] = error
        return found

    def _target(self, outputs: Sequence[Any]) -> Floats:
        return np.array([value == self.classes[1] for value in outputs], dtype=np.float64)


Model = SgdModel | WordModel
"""A model that parties can average: a round on the rows of a party, how good it is (1 is best), the direction in which
each row improves it."""


def _sums(weights: Floats, words: Sequence[npt.NDArray[np.intp]]) -> Floats:
    return np.array([weights[places].sum() for places in words])


def _sigmoid(margins: Floats) -> Floats:
    return 1 / (1 + np.exp(-np.clip(margins, -60, 60)))
