"""Multilayer perceptrons in NumPy: forward, backward, and the gradient of each example.

Question: how does the loss change with each weight, for all examples together or one by one?
Method: dense layers with leaky rectifiers. The gradient of one example in a layer is the outer product of its input and
its delta. Weights are updated by Adam.
Limits: no convolution, no dropout; float64.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from itertools import pairwise

import numpy as np

from privaudit.base.arrays import Floats
from privaudit.base.records import dataclass

SLOPE = 0.2
"""Slope of a rectifier below 0."""


@dataclass
class Perceptron:
    """Weights of dense layers; the last row of each matrix is the bias.

    Attributes
    ----------
    weights : list of float arrays, shape (n_inputs + 1, n_outputs)
    """

    weights: list[Floats]

    @classmethod
    def random(cls, widths: Sequence[int], random: np.random.Generator) -> Perceptron:
        """Return random weights for layers of these widths."""
        pairs = pairwise(widths)
        return cls([np.vstack([random.normal(0, (2 / a) ** 0.5, (a, b)), np.zeros(b)]) for a, b in pairs])

    def forward(self, inputs: Floats) -> list[Floats]:
        """Return the inputs of every layer, and the output of the last one."""
        passed = [inputs]
        for i, weight in enumerate(self.weights):
            out = passed[-1] @ weight[:-1] + weight[-1]
            if i < len(self.weights) - 1:
                out = np.where(out > 0, out, SLOPE * out)
            passed.append(out)
        return passed

    def deltas(self, passed: Sequence[Floats], delta: Floats) -> tuple[list[Floats], Floats]:
        """Return the delta of each layer, and of the inputs, for the delta of the output."""
        found = [delta]
        for i in range(len(self.weights) - 1, 0, -1):
            delta = delta @ self.weights[i][:-1].T
            delta = np.where(passed[i] > 0, delta, SLOPE * delta)
            found.append(delta)
        return found[::-1], delta @ self.weights[0][:-1].T

    def gradient(self, passed: Sequence[Floats], deltas: Sequence[Floats]) -> list[Floats]:
        """Return the sum of the gradients of all examples."""
        return [
            np.vstack([inputs.T @ delta, delta.sum(axis=0)]) for inputs, delta in zip(passed[:-1], deltas, strict=True)
        ]

    def norms(self, passed: Sequence[Floats], deltas: Sequence[Floats]) -> Floats:
        """Return the L2 norm of the gradient of each example, without building it."""
        squares = [
            ((inputs**2).sum(axis=1) + 1) * (delta**2).sum(axis=1)
            for inputs, delta in zip(passed[:-1], deltas, strict=True)
        ]
        return np.asarray(np.sqrt(sum(squares)), dtype=np.float64)

    def gradients(self, passed: Sequence[Floats], deltas: Sequence[Floats]) -> Floats:
        """Return the gradient of each example, all weights in one row."""
        parts = []
        for inputs, delta in zip(passed[:-1], deltas, strict=True):
            # The width is stated, because it does not follow from a batch without examples.
            each = inputs[:, :, None] * delta[:, None, :]
            parts.append(each.reshape(len(inputs), inputs.shape[1] * delta.shape[1]))
            parts.append(delta)
        return np.concatenate(parts, axis=1)

    def split(self, flat: Floats) -> list[Floats]:
        """Return a row of `gradients` as one array for each layer."""
        parts = np.split(flat, np.cumsum([weight.size for weight in self.weights])[:-1])
        return [part.reshape(weight.shape) for part, weight in zip(parts, self.weights, strict=True)]

    @property
    def size(self) -> int:
        """Number of weights."""
        return sum(weight.size for weight in self.weights)


@dataclass
class Adam:
    """The optimiser of Kingma and Ba (2015), with the momentum that suits adversarial training."""

    rate: float
    decay: tuple[float, float] = (0.5, 0.99)
    step: int = 0
    moments: list[tuple[Floats, Floats]] = field(default_factory=list)

    def update(self, weights: list[Floats], gradient: Sequence[Floats]) -> None:
        """Move the weights against the gradient."""
        if not self.moments:
            self.moments = [(np.zeros_like(each), np.zeros_like(each)) for each in weights]
        self.step += 1
        first, second = self.decay
        for weight, change, (mean, square) in zip(weights, gradient, self.moments, strict=True):
            mean += (1 - first) * (change - mean)
            square += (1 - second) * (change**2 - square)
            corrected = mean / (1 - first**self.step)
            weight -= self.rate * corrected / (np.sqrt(square / (1 - second**self.step)) + 1e-8)
