"""How well a model predicts after the remedy.

Question: is a model that was trained on the remedied table as good as one trained on the source?
Method: records are split 80 to 20 at random, 20 times. The same model (logistic regression for categories, ridge
regression for numbers) is trained on the training records of the source and of the remedied table, and both are tested
on the records of the source held out. Bands count by their middle; a category that always became the same value is
tested as that value. Columns without meaning after the remedy, such as principal components, are tested as they were
released. The interval is that of the mean difference over the splits (Nadeau and Bengio's correction for overlapping
splits).
Limits: one model. Columns that the plan drops are missing after the remedy; suppressed records are not trained on.

References
----------
.. [1] C. Nadeau, Y. Bengio, Inference for the generalization error, Machine Learning 52, 2003.
"""

from __future__ import annotations

import warnings
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from privaudit.base.arrays import Floats, Ints
from privaudit.base.arrow import pa
from privaudit.base.errors import ColumnNotFound, ConfigError
from privaudit.base.extras import LEARN, POPULATION, needing
from privaudit.base.records import dataclass
from privaudit.model.remedied import TaskUtility
from privaudit.model.stats import Estimate
from privaudit.releases.remedy.middles import middles
from privaudit.releases.remedy.utility import mapping_of, unit_of
from privaudit.risk.codes.coded import encode_column
from privaudit.risk.codes.random_rows import rows_by_content

Rows = Ints
SPLITS = 20
HELD_OUT = 0.2
MOST_CLASSES = 20
MOST_CATEGORIES = 50
LEAST_RECORDS = 50


@dataclass(frozen=True, slots=True)
class _Features:
    """What a model reads: for training, and for the records held out; each has one row for each row of the source."""

    train: Floats
    test: Floats


def task_utility(
    original: pa.Table, remedied: pa.Table, rows: Rows, target: str, *, replaced: Collection[str], seed: int
) -> TaskUtility:
    """Return how well `target` is predicted before and after.

    Parameters
    ----------
    original, remedied : pyarrow.Table of texts
    rows : int64 array
        The row of `original` that each row of `remedied` was made of.
    replaced : collection of str
        Columns whose values no longer have their meaning; they are tested as they were released.

    Raises
    ------
    ColumnNotFound, ConfigError
        If a table lacks the target, or there are too few records for splits.
    """
    for table, what in ((original, "the table"), (remedied, "the remedied table")):
        ColumnNotFound.check((target,), what, table.column_names)
    if original.num_rows < LEAST_RECORDS or len(rows) < LEAST_RECORDS / 2:
        raise ConfigError(f"A comparison of models needs {LEAST_RECORDS} records.", hint="omit --target")
    truth, labels, is_number = _target(original, remedied, target, rows)
    names = [name for name in original.column_names if name != target]
    before = _side(original.num_rows, [_before(original, name) for name in names])
    after = _side(
        original.num_rows,
        [
            _after(original, remedied, name, rows, as_released=name in replaced)
            for name in names
            if name in remedied.column_names
        ],
    )
    scores = np.array(
        [
            [_score(before, truth, truth, *split, is_number), _score(after, labels, truth, *split, is_number)]
            for split in _splits(original, truth, is_number, seed)
        ]
    )
    return TaskUtility(
        target=target,
        model="ridge regression" if is_number else "logistic regression",
        score="R squared" if is_number else "accuracy",
        n_splits=SPLITS,
        before=float(scores[:, 0].mean()),
        after=float(scores[:, 1].mean()),
        difference=_difference(scores[:, 1] - scores[:, 0]),
        without=0.0 if is_number else _majority(truth),
    )


def _majority(truth: Any) -> float:
    """Return the share of the most frequent category among the records that have one."""
    known = truth[truth != ""]
    return float(np.unique(known, return_counts=True)[1].max() / len(known)) if len(known) else 0.0


def _difference(found: Floats) -> Estimate:
    with needing(POPULATION, "Comparing models"):
        from scipy import stats

    mean, spread = float(found.mean()), float(found.std(ddof=1))
    # The splits share records, so their differences are not independent (Nadeau and Bengio 2003).
    factor = 1 / len(found) + HELD_OUT / (1 - HELD_OUT)
    half = float(stats.t.ppf(0.975, len(found) - 1)) * spread * np.sqrt(factor)
    return Estimate(value=mean, low=mean - half, high=mean + half, n=len(found), method="corrected resampled t")


def _target(original: pa.Table, remedied: pa.Table, target: str, rows: Rows) -> tuple[Any, Any, bool]:
    """Return the target of each row of the source before and after, and whether it is a number."""
    old, words = encode_column(original[target])
    new, names = encode_column(remedied[target])
    numbers, later = middles(old, words), middles(new, names)
    n = original.num_rows
    if len(words) > MOST_CLASSES:
        if numbers is None or later is None:
            raise ConfigError(f"A model of {MOST_CLASSES} or fewer categories, or of numbers, is compared.")
        released = np.full(n, np.nan)
        released[rows] = later
        return numbers, released, True
    known = np.array([*words.to_pylist(), ""], dtype=object)[old]
    changed = np.full(n, "", dtype=object)
    changed[rows] = np.array([*names.to_pylist(), ""], dtype=object)[new]
    return known, changed, False


def _splits(original: pa.Table, truth: Any, is_number: bool, seed: int) -> list[tuple[Rows, Rows]]:
    random = np.random.default_rng(seed)
    in_order = rows_by_content(original)
    usable = in_order[(np.isfinite(truth) if is_number else truth != "")[in_order]]
    found = []
    for _ in range(SPLITS):
        # The same splits before and after: the difference of two scores is measured pair by pair.
        order = random.permutation(usable)
        held = max(1, round(HELD_OUT * len(order)))
        found.append((order[held:], order[:held]))
    return found


def _score(features: _Features, labels: Any, truth: Any, train: Rows, test: Rows, is_number: bool) -> float:
    """Train on `labels` of the rows of `train` that were released, and score on the truth of `test`."""
    with needing(LEARN, "Comparing models"):
        from sklearn.dummy import DummyClassifier, DummyRegressor
        from sklearn.linear_model import LogisticRegression, Ridge

    has = np.isfinite(labels[train]) if is_number else labels[train] != ""
    has &= ~np.isnan(features.train[train]).any(axis=1) if features.train.shape[1] else has
    rows = train[has]
    usable = ~np.isnan(features.test[test]).any(axis=1)
    test = test[usable]
    if not len(rows) or not len(test):
        return 0.0
    # Scaled by the training records alone: nothing of the test records enters the model.
    x, y = features.train[rows], labels[rows]
    middle, spread = x.mean(axis=0), x.std(axis=0)
    spread = np.where(spread > 0, spread, 1.0)
    model: Any = Ridge() if is_number else LogisticRegression(max_iter=200)
    if not x.shape[1]:  # the target is the only column: its mean, or its most frequent category
        model = DummyRegressor() if is_number else DummyClassifier()
    elif not is_number and len(np.unique(y)) < 2:
        model = DummyClassifier()
    with warnings.catch_warnings():
        # A fit that did not converge is a score like others; a warning would name a library, not a problem.
        warnings.simplefilter("ignore")
        model.fit((x - middle) / spread, y)
        return float(model.score((features.test[test] - middle) / spread, truth[test]))


def _side(n_rows: int, parts: Sequence[tuple[Floats, Floats]]) -> _Features:
    if not parts:
        return _Features(np.empty((n_rows, 0)), np.empty((n_rows, 0)))
    units = [unit_of(np.concatenate(part)) for part in parts]
    return _Features(
        *(np.column_stack([np.ldexp(part[i], -unit) for part, unit in zip(parts, units, strict=True)]) for i in (0, 1))
    )


def _before(original: pa.Table, name: str) -> tuple[Floats, Floats]:
    codes, words = encode_column(original[name])
    made = _filled(middles(codes, words))
    if made is None:
        made = _one_hot(codes, len(words) + 1)
    return made, made


def _after(
    original: pa.Table, remedied: pa.Table, name: str, rows: Rows, *, as_released: bool
) -> tuple[Floats, Floats]:
    """Return the features of one column after the remedy; suppressed records are NaN in training."""
    n = original.num_rows
    old, words = encode_column(original[name])
    new, labels = encode_column(remedied[name])
    mapping = mapping_of(old[rows], new, len(words) + 1)
    source, released = _filled(middles(old, words)), _filled(middles(new, labels))
    if source is not None and released is not None:
        train = np.full((n, 1), np.nan)
        train[rows] = released
        return train, (train if as_released else source)
    codes = np.full(n, -1, dtype=np.int64)
    codes[rows] = new
    if mapping is not None:
        later = np.where(mapping[old] >= 0, mapping[old], codes)
    else:
        position = {text: i for i, text in enumerate(labels.to_pylist())}
        later = np.array([*(position.get(text, -1) for text in words.to_pylist()), len(labels)])[old]
    train = _one_hot(codes, len(labels) + 1)
    train[codes < 0] = np.nan
    return train, _one_hot(later, len(labels) + 1)


def _filled(numbers: Floats | None) -> Floats | None:
    """Return numbers as one feature, missing ones as the mean."""
    if numbers is None:
        return None
    known = np.isfinite(numbers)
    return np.where(known, numbers, numbers[known].mean() if known.any() else 0.0)[:, None]


def _one_hot(codes: npt.NDArray[Any], size: int) -> Floats:
    """Return one feature for each of the most frequent categories; a code of -1 has none."""
    counts = np.bincount(codes[codes >= 0], minlength=size)
    frequent = np.sort(np.argsort(-counts, kind="stable")[:MOST_CATEGORIES])
    return np.asarray(codes[:, None] == frequent[None, :], dtype=np.float64)
