"""Risk of a sample with sampling weights: each record represents a number of people.

Question: how likely is each record linked to the right person, when sampling weights estimate how many people of
the population are in its class?
Method: Benedetti and Franconi (1998). The people of class j are estimated by F_j, the sum of its weights;
given f_j records the unknown number of people follows a negative binomial law with p = f/F, and the risk is
the expectation of 1/F. It is computed exactly by recursion or by a series of positive terms, whichever is
stable.
Limits: the weights are taken as correct. The risk of a record is that of someone who knows the class but not whether
the person is in the sample. Classes whose weights sum to fewer people than records are counted and taken as complete.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from privaudit.base.arrays import Flags, Floats
from privaudit.base.arrow import pa, pc
from privaudit.model import Limit, WeightedRisk, limit
from privaudit.model.wording import Columns, Count

if TYPE_CHECKING:
    from privaudit.source.dataset import Dataset

Ints = npt.NDArray[np.integer[Any]]

NUMBER = r"^\+?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?$"
SHORT = 20
"""Classes below this size use the recursion, whose cost grows with the size; the series needs it this large."""
TERMS = 90
"""Terms of the series, enough for a double: the last is below 1e-18 of the first in every case it is used for."""


def published(measured: WeightedRisk) -> WeightedRisk:
    """Return `measured` as report.json states it: sums and the smallest class are rounded.

    The people of a class of one record are the weight of that record, which is a cell of the table.
    """
    return replace(
        measured,
        people=_significant(measured.people, 3),
        fewest_people=_significant(measured.fewest_people, 2),
        risk_max=_significant(measured.risk_max, 3),
    )


def _significant(number: float, digits: int) -> float:
    """Round to `digits` significant digits: 135,481,535 to 2 gives 140,000,000."""
    return float(f"{number:.{digits - 1}e}")


def individual_risk(records: Ints, people: Floats, *, method: Literal["exact", "approximate"] = "exact") -> Floats:
    """Return the individual risk of the records of each class.

    With ``p = f/F`` and ``q = 1 - p`` the risk is ``(p/f) 2F1(1, 1; f+1; q)``, which is ``(p/q) log(1/p)``
    for f = 1 and ``p/q - (p/q)^2 log(1/p)`` for f = 2; approximate is ``p / (f - q)`` for f of 3 or more.

    Parameters
    ----------
    records : int array of shape (J,)
        f, records of each class, 1 or more.
    people : float array of shape (J,)
        F, estimated people of each class; where it is below f the class is taken as complete.
    method : {"exact", "approximate"}

    Returns
    -------
    float array of shape (J,), in (0, 1]

    Notes
    -----
    Benedetti, Franconi (1998), "Statistical and technological solutions for controlled data dissemination";
    Franconi, Polettini (2004), "Individual risk estimation in mu-Argus".
    """
    f = np.asarray(records, np.float64)
    p = np.minimum(f / np.asarray(people, np.float64), 1.0)
    q = 1 - p
    if method == "approximate":
        risk: Floats = p / np.maximum(f - q, 1)  # right where f is 3 or more
        few = f < 3
        risk[few] = _exact(f[few], p[few])
        return risk
    return _exact(f, p)


def _exact(f: Floats, p: Floats) -> Floats:
    """Return the risk by the recursion where it is short and stable, else by the series."""
    # From p = 0.5 on, p/q is 1 or more: each step of the recursion would enlarge the error of the one before.
    by_recursion = (f < SHORT) & (p < 0.5)
    risk = np.empty_like(f)
    risk[by_recursion] = _recursion(f[by_recursion], p[by_recursion])
    risk[~by_recursion] = _series(f[~by_recursion], p[~by_recursion])
    return risk


def _recursion(f: Floats, p: Floats) -> Floats:
    """``r_1 = (p/q) log(1/p)`` and ``r_f = (p/q) (1/(f-1) - r_{f-1})``, where errors shrink by p/q < 1."""
    odds = p / (1 - p)
    risk = odds * -np.log(p)
    found = risk
    for size in range(2, int(f.max(initial=1)) + 1):
        risk = odds * (1 / (size - 1) - risk)
        found = np.where(f == size, risk, found)
    return found


def _series(f: Floats, p: Floats) -> Floats:
    """``(p/f) sum_n n! f! / (f+n)! q^n``, all terms positive."""
    term = np.ones_like(f)
    total = np.ones_like(f)
    for n in range(1, TERMS):
        term = term * (n * (1 - p) / (f + n))
        # Smaller terms do not change a double any more.
        if not (term > total * 1e-17).any():
            break
        total += term
    return p / f * total


def weighted_risk(records: Ints, people: Floats) -> WeightedRisk:
    """Measure the risk of a weighted sample from its classes.

    Parameters
    ----------
    records : int array of shape (J,)
        f, records of each class, 1 or more.
    people : float array of shape (J,)
        F, the sum of the weights of each class, above 0.

    Raises
    ------
    ValueError
        If there is no class, or a class without records or people.
    """
    f, total = np.asarray(records, np.int64), np.asarray(people, np.float64)
    if not len(f) or len(f) != len(total) or (f < 1).any() or not (total > 0).all():
        raise ValueError("every class needs records and a positive sum of weights")
    by_size = np.lexsort((total, f))  # sums in one order: equal tables give equal bytes
    f, total = f[by_size], total[by_size]
    risk = individual_risk(f, total)
    n = int(f.sum())
    expected = math.fsum((f * risk).tolist())
    ascending = np.argsort(risk, kind="stable")
    # The median over records, not over classes: each class counts as often as it has records.
    middle = np.searchsorted(np.cumsum(f[ascending]), (n + 1) // 2)
    return WeightedRisk(
        n_records=n,
        people=math.fsum(total.tolist()),
        global_risk=expected / n,
        expected=expected,
        expected_approximate=math.fsum((f * individual_risk(f, total, method="approximate")).tolist()),
        risk_max=float(risk.max()),
        risk_median=float(risk[ascending[middle]]),
        fewest_people=float(total.min()),
        n_below_one=int((total < f).sum()),
    )


def parse_weights(values: pa.Array) -> tuple[Floats, Flags]:
    """Parse numbers from text; a weight is a finite number above 0.

    Returns
    -------
    weights : float array, 1.0 where the text is not a weight
    good : bool array, where the text is a weight
    """
    number = pc.fill_null(pc.match_substring_regex(values, NUMBER), False)
    text = pc.if_else(number, pc.replace_substring_regex(values, r"^\+", ""), "1")
    weights = pc.cast(text, pa.float64()).to_numpy(zero_copy_only=False)
    good = number.to_numpy(zero_copy_only=False) & np.isfinite(weights) & (weights > 0)
    return np.where(good, weights, 1.0), good


def risk_with_weights(
    dataset: Dataset, columns: Sequence[str], weight: str
) -> tuple[WeightedRisk | None, tuple[Limit, ...]]:
    """Measure the risk of `dataset` over `columns` with the sampling weights in column `weight`.

    Returns
    -------
    measured : WeightedRisk, or None where a record has no usable weight
    limits : tuple of Limit

    Raises
    ------
    ColumnNotFound
        If the column does not exist.
    """
    from privaudit.risk.codes.coded import class_labels, encode

    names = [name for name in columns if name != weight]
    coded = encode(dataset, [*names, weight])
    values, good = parse_weights(coded.dictionaries[-1])
    code = coded.codes[-1]
    # The code one past the dictionary is a missing cell, which is not a weight.
    usable = np.append(good, False)[code]
    if not usable.all():
        return None, (_unusable(weight, int(coded.weights[~usable].sum()), coded.n_rows),)
    labels, sizes = class_labels(coded, names)
    stands_for = values[code] * coded.weights
    people = np.bincount(labels, weights=stands_for, minlength=len(sizes)).astype(np.float64)
    measured = weighted_risk(sizes, people)
    return measured, _below_one(weight, measured)


def _unusable(weight: str, n: int, n_rows: int) -> Limit:
    column = Columns((weight,))
    return limit("risk.weights_unusable", incomplete=True, column=column, records=Count(n, of=n_rows))


def _below_one(weight: str, measured: WeightedRisk) -> tuple[Limit, ...]:
    if not measured.n_below_one:
        return ()
    classes = Count(measured.n_below_one, unit="class")
    return (limit("risk.weights_below_one", column=Columns((weight,)), classes=classes),)
