"""Attacks on perturbed columns, by someone who knows their original values.

Question: what does noise, swapping, randomisation, sampling or PCA masking protect?
Method: distance-based record linkage: of up to 2,000 records of the source, each is linked to the released record at
the smallest distance over the perturbed columns (numbers scaled by the spread of the source, categories equal or not),
and the link is correct where that record was made of it; of equally near records each counts by its share. Known
pairs, for PCA masking of n columns: with the original values of n + 1 random people an orthogonal map (Procrustes) or
an affine map (least squares), whichever returns more, returns the cells of all others, compared at the decimals of the
source; the mean of 20 draws.
Limits: the attacker knows the values exactly and knows that the person is in the source. Records that were suppressed
or not sampled count as links that fail.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from privaudit.advice.technique import technique
from privaudit.advice.technique.columns import decimals_of, matrix_of
from privaudit.advice.technique.perturbed_numbers import features
from privaudit.base.arrays import Flags, Floats, Ints
from privaudit.base.arrow import pa
from privaudit.base.records import dataclass
from privaudit.model.remedied import PerturbationAttack
from privaudit.model.stats import Estimate, student, wilson
from privaudit.releases.remedy.middles import middles
from privaudit.releases.remedy.plan import Plan, Step
from privaudit.risk.codes.coded import encode_column
from privaudit.risk.codes.random_rows import random_rows

Rows = Ints
Recover = Callable[[Floats, Floats, Floats, Floats], Floats]
MOST_TARGETS = 2_000
BLOCK_CELLS = 8_000_000
DRAWS = 20
_TIE = 1e-9


def attacks(
    original: pa.Table, remedied: pa.Table, rows: Rows, plan: Plan, seed: int
) -> tuple[PerturbationAttack, ...]:
    """Return the attacks on the columns that the plan perturbs; nothing where it perturbs none.

    Parameters
    ----------
    original, remedied : pyarrow.Table of texts
    rows : int64 array
        The row of `original` that each row of `remedied` was made of.
    """
    random = np.random.default_rng(seed)
    left = set(remedied.column_names)
    steps = [step for step in plan.steps if technique(step.technique).is_perturbation]
    names = [name for step in steps if step.technique != "pca_mask" for name in step.columns if name in left]
    if not names and any(step.technique == "sample_records" for step in plan.steps):
        names = remedied.column_names
    found = [distance_linkage(original, remedied, rows, list(dict.fromkeys(names)), random)] if names else []
    found += [
        known_pairs(original, remedied, rows, step, random)
        for step in plan.steps
        if step.technique == "pca_mask" and set(step.made or step.columns) <= left
    ]
    return tuple(found)


def distance_linkage(
    original: pa.Table, remedied: pa.Table, rows: Rows, names: Sequence[str], random: np.random.Generator
) -> PerturbationAttack:
    """Link records of the source to the nearest released record over `names`."""
    targets = random_rows(original.select(names), random)[:MOST_TARGETS]
    sides = [_coordinates(original[name], remedied[name], targets) for name in names]
    correct = 0.0
    step = max(1, BLOCK_CELLS // max(1, len(rows)))
    for start in range(0, len(targets), step):
        block = slice(start, start + step)
        distance = np.zeros((len(targets[block]), len(rows)))
        for known, released, is_number in sides:
            difference = known[block, None] - released[None, :]
            distance += np.where(np.isnan(difference), 1.0, difference) ** 2 if is_number else difference != 0
        near = distance <= distance.min(axis=1, keepdims=True) + _TIE
        right = near & (rows[None, :] == targets[block, None])
        # Among several nearest records the attacker chooses one at random.
        correct += float((right.sum(axis=1) / near.sum(axis=1)).sum())
    return PerturbationAttack(
        kind="distance_linkage",
        columns=tuple(names),
        n_known=len(targets),
        success=wilson(min(correct, len(targets)), len(targets), method="expected wilson"),
        baseline=1 / max(1, len(rows)),
    )


def _coordinates(original: pa.ChunkedArray, remedied: pa.ChunkedArray, targets: Rows) -> tuple[Floats, Floats, bool]:
    """Return one coordinate of the targets and of the released records, and whether it is a number."""
    old, words = encode_column(original)
    new, labels = encode_column(remedied)
    first, second = middles(old, words), middles(new, labels)
    if first is not None and second is not None:
        # In standard deviations of the source, so that no column counts more because of its unit.
        spread = float(np.nanstd(first)) or 1.0
        return first[targets] / spread, second / spread, True
    position = {text: i for i, text in enumerate(words.to_pylist())}
    codes = np.array([position.get(text, -1) for text in labels.to_pylist()] + [len(words)], dtype=np.float64)
    return old[targets].astype(np.float64), codes[new], False


def known_pairs(
    original: pa.Table, remedied: pa.Table, rows: Rows, step: Step, random: np.random.Generator
) -> PerturbationAttack:
    """Solve for the rotation with the values of n + 1 people, n the number of columns, categories one-hot coded."""
    names, one_hot = step.columns, step.parameters.get("one_hot", ())
    blocks = [features(original, [name], one_hot)[rows] for name in names]
    values = np.hstack(blocks)
    released = matrix_of(remedied, step.made or names, "pca_mask")
    decimals = [0 if name in one_hot else decimals_of(original, name) for name in names]
    cells = Cells([block.shape[1] for block in blocks], decimals)
    n_known = min(values.shape[1] + 1, len(rows))
    by_values = np.lexsort(values.T)
    draws = [by_values[random.choice(len(values), n_known, replace=False)] for _ in range(DRAWS)]
    shares = [
        [returned_share(values, released, cells, known, method) for known in draws]
        for method in (by_procrustes, by_least_squares)
    ]
    best = max(shares, key=lambda found: float(np.mean(found)))
    mean, half = float(np.mean(best)), student(DRAWS - 1) * float(np.std(best, ddof=1)) / DRAWS**0.5
    success = Estimate(value=mean, low=max(0.0, mean - half), high=min(1.0, mean + half), n=DRAWS, method="student")
    counts = [np.unique(block, axis=0, return_counts=True)[1].max() for block in blocks]
    return PerturbationAttack(
        kind="known_pairs",
        columns=tuple(names),
        n_known=n_known,
        success=success,
        baseline=float(np.mean(counts) / len(values)),
    )


@dataclass(frozen=True, slots=True)
class Cells:
    """The cells of a table in its matrix: how many columns of the matrix each takes, and its decimals."""

    widths: Sequence[int]
    decimals: Sequence[int]

    @property
    def steps(self) -> Floats:
        """The distance of neighbouring numbers; float64 array, one for each column of the matrix."""
        return np.repeat(10.0 ** -np.asarray(self.decimals, dtype=np.float64), self.widths)

    def equal(self, found: Floats, values: Floats) -> Flags:
        """Return which cells are found: rounded to the decimals, or the category with the largest number."""
        right, ends = [], np.cumsum(self.widths)
        for width, end, decimals in zip(self.widths, ends, self.decimals, strict=True):
            one, other = found[:, end - width : end], values[:, end - width : end]
            near = np.abs(one - other)[:, 0] < 0.5 * 10.0**-decimals
            right.append(near if width == 1 else one.argmax(axis=1) == other.argmax(axis=1))
        return np.column_stack(right)


def returned_share(values: Floats, released: Floats, cells: Cells, known: Rows, recover: Recover) -> float:
    """Return the share of cells that the records of the `known` people return exactly."""
    return float(cells.equal(recover(values[known], released[known], released, cells.steps), values).mean())


def by_procrustes(known: Floats, released: Floats, whole: Floats, step: Floats) -> Floats:
    """Return all cells by the orthogonal map that fits the known people best.

    The means of m people leave m - 1 differences, so that of n dimensions one may be free, up to its sign: of both maps
    the one is taken whose cells are nearer to numbers with the decimals of the source, which are known of any column.

    Parameters
    ----------
    known : float64 array of shape (m, n)
    released : float64 array of shape (m, q)
        The components of the known people.
    whole : float64 array of shape (N, q)
    step : float64 array of shape (n,)
        The distance of neighbouring numbers of each column.
    """
    centre, means = released.mean(axis=0), known.mean(axis=0)
    left, _, right = np.linalg.svd((released - centre).T @ (known - means), full_matrices=False)
    found = []
    # A rotation and a reflection may fit the known rows alike; cells are multiples of their step under the right one.
    for sign in (1.0, -1.0):
        signs = np.ones(left.shape[1])
        signs[-1] = sign
        found.append((whole - centre) @ (left * signs) @ right + means)
    return min(found, key=lambda cells: float(np.abs(cells / step - np.round(cells / step)).mean()))


def by_least_squares(known: Floats, released: Floats, whole: Floats, step: Floats) -> Floats:
    """Return all cells by the affine map that fits the known people best; columns may have been scaled."""
    solution, *_ = np.linalg.lstsq(np.column_stack([released, np.ones(len(released))]), known, rcond=None)
    return np.asarray(np.column_stack([whole, np.ones(len(whole))]) @ solution)
