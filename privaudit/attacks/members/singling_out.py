"""Singling out: a statement that is true of one person of the original, guessed from the release.

Question: how often does a statement that fits one record of the release fit one person of the original?
Method: as Anonymeter. Univariate: a smallest or largest number, or a value that occurs once in the release.
Multivariate: the values of a random released row in `COLUMNS` random columns; a number counts as at least or at most
that number, by the side of the median it is on. Different statements that fit one released row are tried on the
original and on as many outsiders. Guessing: the same form of statement with values drawn from each column at random.
Intervals count the released rows that are isolated, not the statements, several of which may be about one row.
Limits: a statement that isolates a person does not yet name the person. Values that occur once in the population by
nature make univariate statements true of outsiders, too. A statement that fits two equal released rows is not tried:
a release that repeats every row evades the attack, and its copies are found by `attacks.members.copies`.

References
----------
.. [1] M. Giomi et al., A unified framework for quantifying privacy risk in synthetic data, PoPETs 2023.
.. [2] Article 29 Working Party, Opinion 05/2014 on anonymisation techniques (WP216): singling out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from privaudit.attacks.inputs import AttackInputs, AttackResults
from privaudit.attacks.members.compared_tables import Compared, Exact, Rows, read_compared
from privaudit.base.arrays import Flags, Ints
from privaudit.base.distinct_numbers import distinct
from privaudit.model import Attack, MeasuredDetail
from privaudit.model.advantage import against_control
from privaudit.model.stats import LEVEL, Estimate, wilson_bounds
from privaudit.model.wording import Count, Number, fact

COLUMNS = 4
"""Columns of a multivariate statement."""
MOST_STATEMENTS = 2_000
MOST_TRIES = 10_000
LEAST_STATEMENTS = 10
_BYTES = 1 << 24
"""Of bits, or of comparisons, that are held at once."""
_EQUAL, _AT_MOST, _AT_LEAST = 0, -1, 1
_COMPARE = {_EQUAL: np.equal, _AT_MOST: np.less_equal, _AT_LEAST: np.greater_equal}


Bits = npt.NDArray[np.uint8]
"""Which rows fit, one row of bits for each statement."""


class Statements(NamedTuple):
    """Statements as the conditions of one row each.

    ``columns`` is an int64 array of shape (q, c), ``codes`` and ``numbers`` what the cells are compared with, and
    ``sides`` how: equal, at most, at least.
    """

    columns: Ints
    codes: Ints
    numbers: Exact
    sides: Ints

    def take(self, chosen: Ints | Flags) -> Statements:
        """Return some of the statements."""
        return Statements(self.columns[chosen], self.codes[chosen], self.numbers[chosen], self.sides[chosen])

    def first_of_each(self) -> Ints:
        """Return the first of every group of equal statements: repeated ones would count as independent evidence."""
        order = np.argsort(self.columns, axis=1)
        parts = [self.columns, self.codes, self.sides, np.nan_to_num(self.numbers)]
        same = np.hstack([np.take_along_axis(part, order, axis=1) for part in parts])
        return np.sort(np.unique(same, axis=0, return_index=True)[1])

    def fitting(self, rows: Rows, most: int = 2) -> Ints:
        """Return how many rows each statement fits; numbers above `most` are all called `most`."""
        found = [np.bitwise_count(fits).sum(axis=1, dtype=np.int64) for fits in self._fits(rows)]
        return np.minimum(np.concatenate(found), most) if found else np.zeros(0, dtype=np.int64)

    def n_isolated(self, rows: Rows) -> int:
        """Return how many rows there are among those that the statements fit, each of which fits one."""
        found = [np.unpackbits(fits, axis=1).argmax(axis=1) for fits in self._fits(rows)]
        return len(distinct(np.concatenate(found))) if found else 0

    def _fits(self, rows: Rows) -> Iterator[Bits]:
        """Yield for some statements after the others which rows each of them fits."""
        most = max(1, _BYTES * 8 // max(1, rows.n))
        for start in range(0, len(self.columns), most):
            part = self.take(np.arange(start, min(start + most, len(self.columns))))
            fits = np.tile(np.packbits(np.ones(rows.n, dtype=bool)), (len(part.columns), 1))
            for statement, condition in part._conditions(rows):
                fits[statement] &= condition
            yield fits

    def _conditions(self, rows: Rows) -> Iterator[tuple[Ints, Bits]]:
        """Yield the statements with conditions of one form on one column, and which rows fulfil each."""
        forms = self.columns * 3 + self.sides + 1
        for form in distinct(forms).tolist():
            column, side = form // 3, form % 3 - 1
            statement, j = np.nonzero(forms == form)
            held, stated = (rows.codes, self.codes) if side == _EQUAL else (rows.values, self.numbers)
            # A value that many statements have is compared with the rows once.
            values, number = np.unique(stated[statement, j], return_inverse=True)
            yield statement, _packed(_COMPARE[side], held[:, column], values)[number]


def _packed(compare: np.ufunc, held: Ints | Exact, values: npt.NDArray[Any]) -> Bits:
    """Return one row of bits for each of `values`: the cells that compare with it."""
    most = max(1, _BYTES // max(1, len(held)))
    parts = (values[start : start + most, None] for start in range(0, len(values), most))
    return np.concatenate([np.packbits(compare(held, part), axis=1) for part in parts])


def simulate_singling_out(inputs: AttackInputs) -> AttackResults:
    """Try statements about the release on the original and on outsiders."""
    compared, _ = read_compared(inputs)
    if compared is None or compared.outsiders is None:
        return AttackResults()
    inputs.progress("singling out", None)
    random = np.random.default_rng(inputs.settings.seed)
    members, outsiders = equal_numbers(compared, random)
    attacks = []
    for method, statements, guesses in (
        ("univariate", univariate(compared, random), None),
        ("multivariate", *multivariate(compared, random)),
    ):
        if len(statements.columns) >= LEAST_STATEMENTS:
            guesses = shuffled(compared, statements, random) if guesses is None else guesses
            attacks.append(isolate(compared, statements, guesses, members, outsiders, method))
    return AttackResults(tuple(attacks))


def equal_numbers(compared: Compared, random: np.random.Generator) -> tuple[Rows, Rows]:
    """Return members and outsiders in equal numbers: a statement fits one of few people more easily."""
    assert compared.outsiders is not None
    sides = compared.members, compared.outsiders
    n = min(rows.n for rows in sides)
    members, outsiders = (rows.take(random.permutation(rows.n)[:n]) for rows in sides)
    return members, outsiders


def univariate(compared: Compared, random: np.random.Generator) -> Statements:
    """Return the statements about one column that fit one released row, up to `MOST_STATEMENTS` in random order."""
    found: list[tuple[int, int, float, int]] = []
    for i, is_number in enumerate(compared.is_number):
        codes, values = compared.release.codes[:, i], compared.release.values[:, i]
        known, counts = np.unique(codes, return_counts=True)
        found += [(i, code, np.nan, _EQUAL) for code in known[counts == 1].tolist()]
        if is_number and not np.isnan(values).all():
            for extreme, side in ((np.nanmin(values), _AT_MOST), (np.nanmax(values), _AT_LEAST)):
                if int((values == extreme).sum()) == 1:
                    found.append((i, 0, float(extreme), side))
    order = random.permutation(len(found))[:MOST_STATEMENTS]
    columns, codes, numbers, sides = np.hsplit(np.array(found, dtype=float).reshape(-1, 4)[order], 4)
    return Statements(columns.astype(np.int64), codes.astype(np.int64), numbers, sides.astype(np.int64))


def multivariate(compared: Compared, random: np.random.Generator) -> tuple[Statements, Statements]:
    """Return statements about random columns of random released rows that fit one row, and guesses of their form."""
    tried = _about_rows(compared, compared.release, MOST_TRIES, random)
    tried = tried.take(tried.first_of_each())
    unique = tried.fitting(compared.release) == 1
    statements = tried.take(np.flatnonzero(unique)[:MOST_STATEMENTS])
    return statements, shuffled(compared, statements, random)


def _about_rows(compared: Compared, rows: Rows, n: int, random: np.random.Generator) -> Statements:
    width = min(COLUMNS, len(compared.columns))
    columns = np.argsort(random.random((n, len(compared.columns))), axis=1)[:, :width]
    at = random.integers(rows.n, size=n)[:, None]
    numbers = rows.values[at, columns]
    medians = np.array([np.nanmedian(v) if not np.isnan(v).all() else 0.0 for v in compared.release.values.T])
    sides = np.where(np.isnan(numbers), _EQUAL, np.where(numbers > medians[columns], _AT_LEAST, _AT_MOST))
    return Statements(columns, rows.codes[at, columns], numbers, sides)


def shuffled(compared: Compared, statements: Statements, random: np.random.Generator) -> Statements:
    """Return statements of the same form, each value drawn from the distinct values of its column.

    "At least" and "at most" compare numbers: a missing one, which fits nobody, is not drawn for them.
    """
    codes, numbers = statements.codes.copy(), statements.numbers.copy()
    for i in np.unique(statements.columns):
        _, first = np.unique(compared.release.codes[:, i], return_index=True)
        known = first[~np.isnan(compared.release.values[first, i])]
        is_equal = statements.sides == _EQUAL
        for choices, chosen in ((first, is_equal), (known, ~is_equal)):
            here = chosen & (statements.columns == i)
            drawn = choices[random.integers(max(1, len(choices)), size=int(here.sum()))]
            codes[here], numbers[here] = compared.release.codes[drawn, i], compared.release.values[drawn, i]
    numbers = np.where(statements.sides == _EQUAL, statements.numbers, numbers)
    return statements._replace(codes=codes, numbers=numbers)


def _share(n_true: int, n: int, n_rows: int) -> Estimate:
    """Return the share of the statements that are true, with the Wilson interval of one statement for each row."""
    share = n_true / n
    low, high = wilson_bounds(share * n_rows, n_rows)
    return Estimate(value=share, low=low, high=high, level=LEVEL, n=n, method="wilson by row")


def isolate(
    compared: Compared, statements: Statements, guesses: Statements, members: Rows, outsiders: Rows, method: str
) -> Attack:
    """Return how many `statements`, and `guesses` of their form, fit one of the members, and one of the outsiders."""
    n = len(statements.columns)
    # Statements about one row are true together, so the evidence is that of as many trials as there are rows.
    n_rows = statements.n_isolated(compared.release)
    success, control = (_share(int((statements.fitting(rows) == 1).sum()), n, n_rows) for rows in (members, outsiders))
    baseline = float((guesses.fitting(members) == 1).mean())
    return Attack(
        kind="singling_out",
        knowledge=compared.columns,
        attacker=fact(f"attacks.singling_out_{method}_attacker", columns=Number(statements.columns.shape[1])),
        outcome=fact(
            "attacks.singling_out_outcome",
            members=Count(round(success.value * n), of=n, unit="item"),
            outsiders=Count(round(control.value * n), of=n, unit="item"),
        ),
        baseline=baseline,
        **against_control(success, control),
        assumptions=(fact("attacks.outsiders_by_control"), fact("attacks.equal_numbers")),
        detail=MeasuredDetail(method=method, measures={"people_searched": Count(members.n, unit="person")}),
    )
