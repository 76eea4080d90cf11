"""Attacks on perturbed columns, by someone who knows their original values.

Question: what does noise, swapping, randomisation, sampling or PCA masking protect?
Method: distance-based record linkage: of up to 2,000 records of the source, each is linked to the released record at
the smallest distance over the perturbed columns (numbers scaled by the spread of the source, categories equal or not),
and the link is correct where that record was made of it; of equally near records each counts by its share. Known
pairs, for PCA masking of n columns: with the original values of n + 1 random people a least-squares solution returns
the cells of all others, compared at the decimals of the source; the mean of 20 draws.
Limits: the attacker knows the values exactly and knows that the person is in the source. Records that were suppressed
or not sampled count as links that fail.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from privaudit.advice.technique import technique
from privaudit.advice.technique.columns import decimals_of, matrix_of
from privaudit.base.errors import ConfigError
from privaudit.model.remedied import PerturbationAttack
from privaudit.model.stats import Estimate, wilson
from privaudit.releases.remedy.plan import Plan
from privaudit.risk.codes.coded import encode_column

if TYPE_CHECKING:
    import pyarrow as pa

Floats = npt.NDArray[np.float64]
Rows = npt.NDArray[np.int64]
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
    found = []
    rotated = [step.columns for step in plan.steps if step.technique == "pca_mask"]
    left = set(remedied.column_names)
    perturbed = [
        name
        for step in plan.steps
        if technique(step.technique).is_perturbation and step.technique != "pca_mask"
        for name in step.columns
        if name in left
    ]
    if perturbed:
        found.append(distance_linkage(original, remedied, rows, list(dict.fromkeys(perturbed)), random))
    elif any(step.technique == "sample_records" for step in plan.steps):
        found.append(distance_linkage(original, remedied, rows, remedied.column_names, random))
    found += [known_pairs(original, remedied, rows, names, random) for names in rotated if set(names) <= left]
    return tuple(found)


def distance_linkage(
    original: pa.Table, remedied: pa.Table, rows: Rows, names: Sequence[str], random: np.random.Generator
) -> PerturbationAttack:
    """Link records of the source to the nearest released record over `names`."""
    n = original.num_rows
    targets = np.sort(random.choice(n, size=min(n, MOST_TARGETS), replace=False))
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
        correct += float((right.sum(axis=1) / near.sum(axis=1)).sum())
    return PerturbationAttack(
        kind="distance_linkage",
        columns=tuple(names),
        n_known=len(targets),
        success=wilson(min(correct, len(targets)), len(targets), method="expected wilson"),
        baseline=1 / max(1, len(rows)),
    )


def _coordinates(
    original: pa.ChunkedArray, remedied: pa.ChunkedArray, targets: Rows
) -> tuple[Floats, Floats, bool]:
    """Return one coordinate of the targets and of the released records, and whether it is a number."""
    from privaudit.releases.remedy.middles import middles

    old, words = encode_column(original)
    new, labels = encode_column(remedied)
    first, second = middles(old, words), middles(new, labels)
    if first is not None and second is not None:
        spread = float(np.nanstd(first)) or 1.0
        return first[targets] / spread, second / spread, True
    position = {text: i for i, text in enumerate(words.to_pylist())}
    codes = np.array([position.get(text, -1) for text in labels.to_pylist()] + [len(words)], dtype=np.float64)
    return old[targets].astype(np.float64), codes[new], False


def known_pairs(
    original: pa.Table, remedied: pa.Table, rows: Rows, names: Sequence[str], random: np.random.Generator
) -> PerturbationAttack:
    """Solve for the rotation with the values of n + 1 people, n the number of columns."""
    values, released = matrix_of(original, names, "pca_mask")[rows], matrix_of(remedied, names, "pca_mask")
    decimals = [decimals_of(original, name) for name in names]
    n_known = min(len(names) + 1, len(rows))
    shares = [returned_share(values, released, decimals, n_known, random) for _ in range(DRAWS)]
    mean = float(np.mean(shares))
    half = 1.96 * float(np.std(shares, ddof=1)) / np.sqrt(DRAWS)
    success = Estimate(
        value=mean, low=max(0.0, mean - half), high=min(1.0, mean + half), n=DRAWS, method="normal"
    )
    return PerturbationAttack(
        kind="known_pairs", columns=tuple(names), n_known=n_known, success=success, baseline=0.0
    )


def returned_share(
    values: Floats, released: Floats, decimals: Sequence[int], n_known: int, random: np.random.Generator
) -> float:
    """Return the share of cells that the records of `n_known` random people return exactly.

    Raises
    ------
    ConfigError
        If there are fewer records than known people.
    """
    if n_known > len(values):
        raise ConfigError("There are fewer records than known people.")
    known = random.choice(len(values), n_known, replace=False)
    released = np.column_stack([released, np.ones(len(released))])
    solution, *_ = np.linalg.lstsq(released[known], values[known], rcond=None)
    tolerance = 0.5 * 10.0 ** -np.asarray(decimals, dtype=np.float64)
    return float((np.abs(released @ solution - values) < tolerance).mean())
