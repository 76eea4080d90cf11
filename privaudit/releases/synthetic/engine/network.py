"""Networks of conditional tables: the form in which every fitted distribution is stored, queried and sampled.

Question: what is the probability of a combination of values, and how is a table drawn?
Method: each step draws some columns given columns that were drawn before. A record set is drawn by conditional shares:
the records that agree in the given columns are divided among the values in proportion to their probabilities, and only
the remainder is random (systematic sampling), so that a sample has the margins of the distribution up to rounding.
Limits: a combination of given columns that never occurs still has a row in the table.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from privaudit.base.arrays import Floats
from privaudit.base.records import dataclass
from privaudit.releases.synthetic.engine.margins import CodedTable, Codes, Columns, Counts, cells_of


@dataclass(frozen=True, slots=True)
class Step:
    """The distribution of the columns `drawn` given the columns `given`.

    Attributes
    ----------
    table : float array, shape (cells of given, cells of drawn)
        Rows sum to 1.
    """

    given: Columns
    drawn: Columns
    table: Floats


@dataclass(frozen=True, slots=True)
class Network:
    """A distribution over all columns: the product of the tables of its steps."""

    sizes: tuple[int, ...]
    steps: tuple[Step, ...]

    def marginal(self, columns: Columns) -> Floats:
        """Return the exact probabilities of all combinations of values of `columns`.

        Only the steps that `columns` depend on are multiplied; the others sum to 1.

        Returns
        -------
        float array with one axis for each column, in the order of `columns`.
        """
        needed, steps = set(columns), []
        for step in reversed(self.steps):
            if needed & set(step.drawn):
                steps.append(step)
                needed |= set(step.given)
        operands: list[Any] = []
        for step in steps:
            axes = step.given + step.drawn
            operands += [step.table.reshape([self.sizes[axis] for axis in axes]), list(axes)]
        path = "greedy" if len(steps) > 2 else False
        return np.asarray(np.einsum(*operands, list(columns), optimize=path), dtype=np.float64)

    def sample(self, n_rows: int, random: np.random.Generator) -> CodedTable:
        """Draw a table of `n_rows` records by conditional shares."""
        codes = np.zeros((len(self.sizes), n_rows), dtype=_smallest_type(max(self.sizes, default=1)))
        for step in self.steps:
            groups = CodedTable(codes, self.sizes).cell_numbers(step.given)
            drawn = draw_by_shares(step.table, groups, random)
            for column in reversed(step.drawn):
                drawn, codes[column] = np.divmod(drawn, self.sizes[column])
        return CodedTable(codes, self.sizes)

    @property
    def n_cells(self) -> int:
        """Number of cells of all tables."""
        return sum(cells_of(step.given + step.drawn, self.sizes) for step in self.steps)

    def content(self) -> dict[str, Any]:
        """Return the network as values of JSON."""
        return {
            "sizes": list(self.sizes),
            "steps": [
                {"given": list(step.given), "drawn": list(step.drawn), "table": packed(step.table)}
                for step in self.steps
            ],
        }

    @classmethod
    def of(cls, content: Mapping[str, Any]) -> Network:
        """Return the network of `content`.

        Raises
        ------
        ValueError
            If the steps do not draw every column once, from columns that were drawn before.
        """
        sizes = tuple(int(size) for size in content["sizes"])
        steps, known = [], set[int]()
        for each in content["steps"]:
            given, drawn = tuple(map(int, each["given"])), tuple(map(int, each["drawn"]))
            table = unpacked(each["table"])
            shape = tuple(int(np.prod([sizes[c] for c in columns], dtype=int)) for columns in (given, drawn))
            if table.shape != shape or not known >= set(given) or known & set(drawn) or (table < 0).any():
                raise ValueError("the steps of a network do not fit together")
            known |= set(drawn)
            steps.append(Step(given, drawn, conditional(table, 1)))
        if known != set(range(len(sizes))):
            raise ValueError("a network does not draw every column")
        return cls(sizes, tuple(steps))


def draw_by_shares(table: Floats, groups: Counts, random: np.random.Generator) -> Counts:
    """Draw one value for each record, so that each group of records has the shares of its row of `table`.

    Parameters
    ----------
    table : float array, shape (n_groups, n_values)
        Rows sum to 1.
    groups : int64 array, shape (n_records,)
        The row of `table` of each record.

    Returns
    -------
    int64 array, shape (n_records,)
        In a group of m records, value v occurs ``floor(m p_v)`` or ``floor(m p_v) + 1`` times, with mean ``m p_v``.
    """
    n_values = table.shape[1]
    order = random.permutation(len(groups))
    order = order[np.argsort(groups[order], kind="stable")]
    present, start, size = np.unique(groups[order], return_index=True, return_counts=True)
    # One uniform offset for each group: its records take equally spaced quantiles of the distribution.
    group = np.repeat(np.arange(len(present)), size)
    place = (np.arange(len(groups)) - start[group] + random.random(len(present))[group]) / size[group]
    ends = np.cumsum(table[present], axis=1)
    ends /= ends[:, -1:]
    ends += np.arange(len(present))[:, None]
    found = np.searchsorted(ends.ravel(), place + group, side="right") - group * n_values
    drawn = np.empty(len(groups), dtype=np.int64)
    drawn[order] = np.clip(found, 0, n_values - 1)
    return drawn


def conditional(table: npt.NDArray[Any], n_given: int, fallback: Floats | None = None) -> Floats:
    """Return counts, the given columns first, as the distribution of the others given each of their combinations.

    Parameters
    ----------
    table : array
        Counts or noisy counts; negative ones are set to 0.
    n_given : int
        Number of leading axes that are given.
    fallback : float array, optional
        The distribution where nothing was counted (default: uniform).

    Returns
    -------
    float array, shape (cells of given, cells of drawn)
    """
    rows = np.prod(table.shape[:n_given], dtype=int)
    shares = np.maximum(np.asarray(table, dtype=np.float64).reshape(rows, -1), 0.0)
    total = shares.sum(axis=1, keepdims=True)
    default = np.full(shares.shape[1], 1 / shares.shape[1]) if fallback is None else fallback
    return np.where(total > 0, shares / np.where(total > 0, total, 1.0), default)


def independent(margins: Sequence[Floats]) -> Network:
    """Return the network of independent columns with the given shares of values."""
    sizes = tuple(len(margin) for margin in margins)
    steps = tuple(Step((), (i,), margin.reshape(1, -1)) for i, margin in enumerate(margins))
    return Network(sizes, steps)


def _smallest_type(n_codes: int) -> type[np.integer[Any]]:
    return np.uint8 if n_codes <= 1 << 8 else np.uint16 if n_codes <= 1 << 16 else np.uint32


def as_codes(codes: Sequence[npt.NDArray[Any]], sizes: Sequence[int]) -> Codes:
    """Return columns of codes as one array of the smallest type."""
    made = np.asarray(codes)
    return made.astype(_smallest_type(max(sizes, default=1)), copy=False)


def packed(values: npt.NDArray[Any]) -> dict[str, Any]:
    """Return an array as values of JSON: little-endian float32 in base 64."""
    plain = np.ascontiguousarray(values, dtype="<f4")
    return {"shape": list(plain.shape), "float32": base64.b64encode(plain.tobytes()).decode("ascii")}


def unpacked(content: Mapping[str, Any]) -> Floats:
    """Return the array of `packed`.

    Raises
    ------
    ValueError
        If the bytes do not have the stated shape, or hold infinite values.
    """
    shape: Sequence[int] = content["shape"]
    values = np.frombuffer(base64.b64decode(content["float32"], validate=True), dtype="<f4")
    values = values.reshape(shape).astype(np.float64)
    if not np.isfinite(values).all():
        raise ValueError("a table holds values that are not finite")
    return values
