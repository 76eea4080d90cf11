"""Distinct values of a column that are too many for the memory: a part of them, exact totals, and values of rare forms.

Question: what does detection read of a column with 100 million different values?
Method: the engine reads every value. It hands over the values that many rows have, the values whose hash is below a
threshold, and every value of a form of `FORMS` that few values of the column have, so that one card number among a
million names is read. The forms are expressions that DuckDB, PostgreSQL and Spark read in the same way, without
``\\b``. The values together are a table of 1 / `scale` of the rows: the rows of frequent values are divided by
`scale`, and of the other values one in `scale` was chosen, with all its rows. Its shares estimate those of the column.
Limits: a rare entity type among many values of the same form is found only if the hash chose it. Times and binary
cells are read whole, because their text depends on all cells of the column.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from privaudit.base.arrays import Ints
from privaudit.base.arrow import pa, pc
from privaudit.base.records import dataclass
from privaudit.settings.config import Settings
from privaudit.source.input.allowed_size import room_of

FORMS = (
    "[A-Za-z0-9]@[A-Za-z0-9]",
    "[0-9]{1,3}[.][0-9]{1,3}[.][0-9]{1,3}[.][0-9]{1,3}",
    "[0-9A-Fa-f]{2,4}([:-][0-9A-Fa-f]{0,4}){4,7}",
    "[0-9]([ ./-]?[0-9]){12}",
    "(^|[^0-9])[0-9]([ ./-]?[0-9]){9,11}($|[^0-9])",
    "(^|[^0-9])[0-9]([ ./-]?[0-9]){6,8}($|[^0-9])",
    "[A-Za-z][ -]?[0-9]([ ./-]?[0-9A-Za-z]){5}",
    "[A-Za-z][ -]?[0-9]([ ./-]?[0-9A-Za-z]){3}",
    "[0-9]([ ./-]?[0-9A-Za-z]){4,}[ -]?[A-Za-z]",
    "(eyJ|AKIA|ghp_|sk[_-]|xox|-----BEGIN|://)",
)
"""Forms of values with check digits, addresses and secrets. Every engine reads these expressions in the same way."""
FREQUENT = 10_000
"""A value that one row in so many has is read whatever its hash."""
SHARE_OF_FORM = 64
"""Of the values that are read at most, one in so many may have a form for all values of the form to be read."""
EXPRESSIONS = 16
"""Expressions that a statement compares with every row. PostgreSQL keeps 32 compiled."""
SHARE_OF_VALUES = 0.125
"""Share of the memory of a run that the distinct values of all columns may take."""
VALUE_BYTES = 64
FEWEST_READ = 50_000


@dataclass(frozen=True, slots=True)
class Totals:
    """What is exact about a column of which some values were read.

    Attributes
    ----------
    n_present, n_distinct, n_held_once : int
        Cells with a value, distinct values, and values of one row.
    weighted_logs : float
        ``sum_i c_i log2 c_i`` over the counts of all values.
    scale : int
        One in so many values was read.
    n_effective : int
        Rows of a simple random sample whose shares would be as precise as those of the values read.
    sought : pyarrow.StringArray
        Every value of a form that few values have, with the rows of each in ``sought_rows``.
    n_common_forms : int
        Forms of which values were read in the sample only, because many values have them.
    """

    n_present: int
    n_distinct: int
    n_held_once: int
    weighted_logs: float
    scale: int
    n_effective: int
    sought: pa.Array
    sought_rows: Ints
    n_common_forms: int

    @property
    def entropy_bits(self) -> float:
        """Shannon entropy of the column."""
        return max(math.log2(self.n_present) - self.weighted_logs / self.n_present, 0.0) if self.n_present else 0.0


def most_values(settings: Settings, n_columns: int) -> int:
    """Return how many distinct values of a column are read at most, where those of `n_columns` are held together."""
    return max(FEWEST_READ, int(room_of(settings) * SHARE_OF_VALUES / VALUE_BYTES / max(1, n_columns)))


def scale_of(n_values: int, most: int) -> int:
    """Return the power of two by which `n_values` must be divided to be at most `most`.

    >>> scale_of(100, 100), scale_of(101, 100), scale_of(401, 100)
    (1, 2, 8)
    """
    return 1 if n_values <= most else 1 << math.ceil(math.log2(n_values / most))


def found_by(answer: pa.Table, n_asked: int) -> Iterator[tuple[pa.Array, pa.Array] | None]:
    """Yield the values that match each expression with their rows, from the answer to ``queries.matching``.

    None stands for more values than are read.
    """
    for i in range(n_asked):
        own = answer.filter(pc.equal(answer["part"], i))
        found = own.filter(pc.is_valid(own[f"p{i}"]))
        yield (found[f"p{i}"].combine_chunks(), found["weight"].combine_chunks()) if own.num_rows else None


def part_of(own: pa.Table, text: pa.Array, *, n_merged: int, scale: int) -> tuple[Totals, pa.Table]:
    """Return the totals of a column and the part of its values that detection reads.

    Parameters
    ----------
    own : pyarrow.Table
        The rows of the column in the answer to `privaudit.source.engine.queries`.
    text : pyarrow.StringArray
        The text of the cells, null where they are missing.
    n_merged : int
        Cells whose text another cell has.
    scale : int

    Returns
    -------
    (Totals, pyarrow.Table with columns ``text`` and ``weight``)
    """
    keys = ("n_values", "n_cells", "n_once", "common")
    n_values, n_cells, n_once, common = (int(own[key][0].as_py()) for key in keys)
    rows = own["weight"].to_numpy().astype(np.int64)
    is_missing = np.asarray(text.is_null())
    is_drawn, is_sought = (own[key].to_numpy().astype(bool) & ~is_missing for key in ("drawn", "sought"))
    is_frequent = (rows * FREQUENT >= n_cells) & ~is_missing
    missing = rows[is_missing]
    # Values of a sought form are in the totals whole; in the sample as well, they would count twice.
    is_chosen = is_drawn & ~is_sought & ~is_frequent
    # A frequent value was read with certainty: divided by the scale, it weighs in the sample what it weighs in the
    # column.
    weights = np.where(is_frequent, np.maximum(1, (rows + scale // 2) // scale), rows)
    totals = Totals(
        n_present=n_cells - int(missing.sum()),
        n_distinct=n_values - n_merged - bool(len(missing)),
        n_held_once=n_once - int((missing == 1).sum()),
        # Engines agree on the natural logarithm alone; LOG has another base on each.
        weighted_logs=own["logs"][0].as_py() / math.log(2) - float((missing * np.log2(missing)).sum()),
        scale=scale,
        n_effective=_n_effective(weights[is_frequent | is_chosen], rows[is_chosen], scale),
        sought=text.filter(pa.array(is_sought)),
        sought_rows=rows[is_sought],
        n_common_forms=common,
    )
    kept = is_frequent | is_chosen | is_missing
    return totals, pa.table({"text": text.filter(pa.array(kept)), "weight": weights[kept]})


def _n_effective(weights: Ints, chosen: Ints, scale: int) -> int:
    """Return ``(sum w)^2 / ((1 - 1/scale) sum c^2)``, w the weights of all values read, c those of the values chosen.

    A value chosen with probability 1/scale, with all its rows, has the variance of a cluster (Kish 1965); what is read
    with certainty has none.
    """
    of_chosen = (1 - 1 / scale) * float((chosen.astype(np.float64) ** 2).sum())
    return max(1, int(float(weights.sum()) ** 2 / max(of_chosen, 1.0)))
