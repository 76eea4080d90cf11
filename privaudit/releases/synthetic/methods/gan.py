"""A generative adversarial network: a small one, for comparison.

Question: what does a neural generator make of a table, with and without privacy?
Method: generator and discriminator are multilayer perceptrons; the generator writes every column by a Gumbel softmax
(Jang et al. 2017). Only the discriminator reads records. With privacy it is trained by DP-SGD (Abadi et al. 2016): the
gradient of each record is clipped, rounded to integers, summed over a batch, and gets discrete Gaussian noise. Every
record is assigned to one batch of an epoch by random words of the operating system, so that an epoch costs as much as
one step.
Limits: far behind the margin-based methods at every budget; the documentation has the figures.

References
----------
.. [1] I. Goodfellow et al., Generative adversarial networks, 2014.
.. [2] M. Abadi et al., Deep learning with differential privacy, 2016.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from privaudit.base.arrays import Floats
from privaudit.base.records import dataclass
from privaudit.releases.privacy.post_processing import projected
from privaudit.releases.privacy.units import parts
from privaudit.releases.synthetic.budget import Budget
from privaudit.releases.synthetic.engine.estimation import estimated_total
from privaudit.releases.synthetic.engine.margins import CodedTable
from privaudit.releases.synthetic.engine.network import as_codes, packed, unpacked
from privaudit.releases.synthetic.methods.independent import measured_columns
from privaudit.releases.synthetic.methods.perceptron import Adam, Perceptron
from privaudit.releases.synthetic.methods.registry import Bounds, Fitted

NOISE_WIDTH = 32
HIDDEN = (64, 64)
MADE = 256
"""Rows that the generator makes for each step."""
TEMPERATURE = 0.5
FOR_COLUMNS = 0.3
"""Part of the budget that measures single columns, with which the generator starts."""
LEAST_SHARE = 1e-6
FIRST_WEIGHTS = 0.1
NORM = 400
"""The most that one record changes the sum of gradients (L2), in units of the integer grid."""
SAMPLED_AT_ONCE = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    """How long and how fast is trained: widths of the discriminator, batches, epochs, rate, largest gradient."""

    judge: tuple[int, ...]
    batches: int
    epochs: int
    rate: float
    clip: float


OPEN = _Plan(judge=(64, 32), batches=40, epochs=40, rate=2e-3, clip=100.0)
PRIVATE = _Plan(judge=(32, 16), batches=5, epochs=20, rate=1e-3, clip=1.0)


@dataclass(frozen=True, slots=True)
class GanModel:
    """A trained generator."""

    sizes: tuple[int, ...]
    generator: Perceptron

    def sample(self, n_rows: int, random: np.random.Generator) -> CodedTable:
        """Draw records: every column from the distribution that the generator writes for it."""
        parts = []
        for start in range(0, n_rows, SAMPLED_AT_ONCE):
            n = min(SAMPLED_AT_ONCE, n_rows - start)
            logits = self.generator.forward(random.normal(size=(n, NOISE_WIDTH)))[-1]
            logits = logits + random.gumbel(size=logits.shape)
            parts.append([block.argmax(axis=1) for block in _blocks(logits, self.sizes)])
        codes = [np.concatenate(columns) for columns in zip(*parts, strict=True)]
        return CodedTable(as_codes(codes, self.sizes), self.sizes)

    def content(self) -> dict[str, Any]:
        """Return the weights as values of JSON."""
        return {"sizes": list(self.sizes), "weights": [packed(each) for each in self.generator.weights]}

    @classmethod
    def of(cls, content: Mapping[str, Any]) -> GanModel:
        """Return the generator of `content`.

        Raises
        ------
        ValueError
            If the layers do not fit together.
        """
        sizes = tuple(map(int, content["sizes"]))
        weights = [unpacked(each) for each in content["weights"]]
        widths = [NOISE_WIDTH, *(each.shape[1] for each in weights)]
        fits = all(each.shape[0] == width + 1 for each, width in zip(weights, widths, strict=False))
        if not fits or widths[-1] != sum(sizes):
            raise ValueError("the layers of a generator do not fit together")
        return cls(sizes, Perceptron(weights))


def fit_gan(table: CodedTable, budget: Budget, bounds: Bounds) -> Fitted:
    """Train generator and discriminator in turn."""
    # With privacy, a batch is a random part of the records, so that one record more moves no other one. Without, two
    # runs make the same model: from one seed, and from sorted records.
    random = np.random.default_rng(None if budget.adds_noise else 0)
    if not budget.adds_noise:
        table = table.take(np.lexsort(table.codes[::-1]))
    measured = measured_columns(table, budget, FOR_COLUMNS * budget.total / len(table.sizes))
    total = estimated_total(measured)
    plan = PRIVATE if budget.adds_noise else OPEN
    training = _Training(table, [projected(each.counts, total) / total for each in measured], plan, random)
    training.batch_size = max(1.0, total / plan.batches)
    cost = budget.left / plan.epochs
    for epoch in range(plan.epochs):
        add_noise = budget.disjoint(NORM, cost) if budget.adds_noise else None
        batch = parts(table.n_rows, plan.batches) if add_noise else random.integers(plan.batches, size=table.n_rows)
        for i in range(plan.batches):
            training.judge(np.flatnonzero(batch == i), add_noise)
            training.generate()
        bounds.progress((epoch + 1) / plan.epochs)
    return Fitted(model=GanModel(table.sizes, training.generator), total=total)


class _Training:
    """Generator, discriminator and their optimisers."""

    batch_size: float

    def __init__(self, table: CodedTable, shares: Sequence[Floats], plan: _Plan, random: np.random.Generator) -> None:
        self.table, self.plan, self.random = table, plan, random
        width = sum(table.sizes)
        self.generator = Perceptron.random((NOISE_WIDTH, *HIDDEN, width), random)
        self.discriminator = Perceptron.random((width, *plan.judge, 1), random)
        # The generator starts with independent columns: the last biases are their logarithms.
        output = self.generator.weights[-1]
        output[:-1] *= FIRST_WEIGHTS
        output[-1] = np.log(np.maximum(np.concatenate(shares), LEAST_SHARE))
        self.starts = np.cumsum([0, *table.sizes[:-1]])
        self.of_generator, self.of_discriminator = Adam(plan.rate), Adam(plan.rate)
        # After nearest rounding of every coordinate the norm is at most NORM.
        self.radius = NORM - self.discriminator.size**0.5 / 2

    def judge(self, rows: Any, add_noise: Callable[[Any], Any] | None) -> None:
        """Train the discriminator on a batch of records and on as many made rows.

        Parameters
        ----------
        add_noise : callable or None
            None without privacy.
        """
        real = self._gradient(self._one_hot(rows), 1.0, add_noise)
        fake = self._gradient(self._made()[0], 0.0, None)
        sizes = (self.batch_size, MADE)
        changes = [a / sizes[0] + b / sizes[1] for a, b in zip(real, fake, strict=True)]
        self.of_discriminator.update(self.discriminator.weights, changes)

    def _gradient(self, rows: Floats, label: float, add_noise: Callable[[Any], Any] | None) -> list[Floats]:
        """Return the sum of the gradients of rows, each clipped; with noise, each rounded to integers as well."""
        passed = self.discriminator.forward(rows)
        deltas, _ = self.discriminator.deltas(passed, _sigmoid(passed[-1]) - label)
        scale = np.minimum(1.0, self.plan.clip / np.maximum(self.discriminator.norms(passed, deltas), 1e-12))[:, None]
        clipped = [delta * scale for delta in deltas]
        if add_noise is None:
            return self.discriminator.gradient(passed, clipped)
        each = self.discriminator.gradients(passed, clipped)
        summed = np.rint(each * (self.radius / self.plan.clip)).sum(axis=0).astype(np.int64)
        noisy = np.asarray(add_noise(summed), dtype=np.float64)
        return self.discriminator.split(noisy * (self.plan.clip / self.radius))

    def generate(self) -> None:
        """Train the generator to be judged a record."""
        soft, passed = self._made()
        judged = self.discriminator.forward(soft)
        _, delta = self.discriminator.deltas(judged, (_sigmoid(judged[-1]) - 1) / MADE)
        back = np.empty_like(delta)
        for start, size in zip(self.starts, self.table.sizes, strict=True):
            block = slice(start, start + size)
            inner = (delta[:, block] * soft[:, block]).sum(axis=1, keepdims=True)
            back[:, block] = soft[:, block] * (delta[:, block] - inner) / TEMPERATURE
        deltas, _ = self.generator.deltas(passed, back)
        self.of_generator.update(self.generator.weights, self.generator.gradient(passed, deltas))

    def _made(self) -> tuple[Floats, list[Floats]]:
        """Return made rows as soft categories, and what the layers passed."""
        passed = self.generator.forward(self.random.normal(size=(MADE, NOISE_WIDTH)))
        logits = (passed[-1] + self.random.gumbel(size=passed[-1].shape)) / TEMPERATURE
        return np.concatenate([_softmax(block) for block in _blocks(logits, self.table.sizes)], axis=1), passed

    def _one_hot(self, rows: Any) -> Floats:
        found = np.zeros((len(rows), sum(self.table.sizes)))
        for start, codes in zip(self.starts, self.table.codes, strict=True):
            found[np.arange(len(rows)), start + codes[rows].astype(np.int64)] = 1.0
        return found


def _blocks(logits: Floats, sizes: Sequence[int]) -> list[Floats]:
    return np.split(logits, np.cumsum(sizes)[:-1], axis=1)


def _sigmoid(values: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.clip(values, -30, 30))), dtype=np.float64)


def _softmax(values: Floats) -> Floats:
    shifted = np.exp(values - values.max(axis=1, keepdims=True))
    return np.asarray(shifted / shifted.sum(axis=1, keepdims=True), dtype=np.float64)
