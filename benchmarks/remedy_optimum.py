"""How much more Mondrian and cell suppression lose than the optimum, on tables that are small enough to solve.

    python benchmarks/remedy_optimum.py

Tables of 30 to 60 rows and five columns, k 3. Mondrian is compared with the best sequence of cuts, found by
enumeration; cell suppression, where a suppressed cell is a value of its own, with an integer programme.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import lil_matrix

from privaudit.advice.technique.cell_suppression import suppress_cells
from privaudit.advice.technique.protection import Protection
from privaudit.advice.technique.regions import split_regions
from privaudit.risk.codes.coded import CodedTable
from tests.helpers.coded import coded_of

K = 3
ROWS = (30, 40, 50, 60)
VALUES = ((6, 4, 3, 3, 2), (8, 5, 3, 2, 2))
EVENNESS = (5, 1)
"""Concentration of the Dirichlet distribution that the shares of the values are drawn from."""
Row = tuple[int, ...]


def drawn(seed: int) -> list[Row]:
    """Return a table: rows of codes."""
    draw = np.random.default_rng(seed)
    n, values, evenness = ROWS[seed % 4], VALUES[seed // 4 % 2], EVENNESS[seed % 2]
    shares = [draw.dirichlet(np.full(n_values, evenness)) for n_values in values]
    return [tuple(int(draw.choice(len(share), p=share)) for share in shares) for _ in range(n)]


def least_by_cuts(coded: CodedTable) -> float:
    """Return the least loss of regions made by cuts between two values of one column."""
    points = np.stack([np.unique(codes, return_inverse=True)[1] for codes in coded.codes], axis=1)
    widths = np.maximum(1, points.max(axis=0))

    @cache
    def least(chosen: bytes) -> float:
        rows = np.frombuffer(chosen, dtype=np.int64)
        inside, records = points[rows], int(coded.weights[rows].sum())
        found = float(records * np.mean(np.ptp(inside, axis=0) / widths))
        for column in inside.T:
            for value in range(int(column.min()), int(column.max())):
                is_low = column <= value
                n_low = int(coded.weights[rows[is_low]].sum())
                if K <= n_low <= records - K:
                    found = min(found, least(rows[is_low].tobytes()) + least(rows[~is_low].tobytes()))
        return found

    return least(np.arange(len(points), dtype=np.int64).tobytes()) / coded.n_rows


def fewest_cells(rows: list[Row]) -> float:
    """Return the fewest cells after whose suppression every class has k records."""
    records = Counter(rows)
    distinct, m = list(records), len(rows[0])
    sets = [chosen for size in range(m + 1) for chosen in combinations(range(m), size)]
    classes: dict[tuple[Row, Row], int] = {}
    choices = []
    for i, row in enumerate(distinct):
        for chosen in sets:
            kept = tuple(value for j, value in enumerate(row) if j not in chosen)
            choices.append((i, len(chosen), classes.setdefault((chosen, kept), len(classes))))
    n, n_choices, n_classes = len(distinct), len(choices), len(classes)
    matrix = lil_matrix((n + n_classes + n_choices, n_choices + n_classes))
    for x, (i, _, group) in enumerate(choices):
        matrix[i, x] = matrix[n + group, x] = 1
        matrix[n + n_classes + x, x], matrix[n + n_classes + x, n_choices + group] = -1, records[distinct[i]]
    for group in range(n_classes):
        matrix[n + group, n_choices + group] = -K
    all_records = [records[row] for row in distinct]
    low = np.array([*all_records, *[0] * (n_classes + n_choices)])
    high = np.array([*all_records, *[np.inf] * (n_classes + n_choices)])
    upper = np.array([*(records[distinct[i]] for i, _, _ in choices), *[1] * n_classes])
    cost = np.array([*(size for _, size, _ in choices), *[0] * n_classes])
    found = milp(
        cost,
        constraints=LinearConstraint(matrix.tocsr(), low, high),
        integrality=np.ones(len(cost)),
        bounds=Bounds(0, upper),
    )
    return float(found.fun)


def main() -> None:
    """Print the loss of each table and how much more than the least it is."""
    for seed in range(8):
        rows = drawn(seed)
        coded = coded_of(rows)
        regions = split_regions(coded, [Protection(K)])
        cells, least_cells = suppress_cells(coded, K, semantics="value").n_cells, fewest_cells(rows)
        least = least_by_cuts(coded)
        cost = regions.cost if regions is not None else 1.0
        print(
            f"{len(rows)} rows: Mondrian {cost:.3f}, least {least:.3f} (+{cost / least - 1:.0%}); "
            f"cells {cells}, fewest {least_cells:.0f} (+{cells / least_cells - 1:.0%})"
        )


if __name__ == "__main__":
    main()
