"""Post-randomisation (PRAM): each category is kept with a known probability, and drawn again otherwise.

Question: how do categories become uncertain while their shares stay, in expectation?
Method: the transition matrix is ``P = p I + (1 - p) 1 s``, with p the probability ``keep`` and s the shares of the
values in the table. It is invariant: ``s P = s``. The matrix follows from p and the published shares, so counts can be
estimated by its inverse: ``(count / n - (1 - p) s) / p``.
Limits: PRAM does not bound k. Missing cells are not changed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from privaudit.advice.technique.columns import with_column
from privaudit.advice.technique.record import Context, Parameter, Technique
from privaudit.risk.codes.coded import encode_column

if TYPE_CHECKING:
    import pyarrow as pa


def apply(table: pa.Table, parameters: Mapping[str, Any], context: Context) -> pa.Table:
    """Randomise the columns."""
    import pyarrow as pa

    keep = float(parameters["keep"])
    for name in parameters["columns"]:
        codes, dictionary = encode_column(table[name])
        present = codes < len(dictionary)
        again = present & (context.random.random(len(codes)) >= keep)
        if again.any():
            codes = codes.copy()
            codes[again] = context.random.choice(codes[present], size=int(again.sum()))
        labels = pa.concat_arrays([dictionary, pa.array([None], pa.string())])
        table = with_column(table, name, labels.take(pa.array(codes)))
    return table


def transition_matrix(shares: Sequence[float], keep: float) -> npt.NDArray[np.float64]:
    """Return P; entry (i, j) is the probability that value i becomes value j."""
    s = np.asarray(shares, dtype=np.float64)
    return np.asarray(keep * np.eye(len(s)) + (1 - keep) * s[None, :])


TECHNIQUE = Technique(
    name="pram",
    meaning="Keeps each category with a known probability, and draws it again otherwise.",
    scope="columns",
    is_perturbation=True,
    parameters={
        "keep": Parameter(kind="number", above=0, most=1, meaning="The probability p that a cell is kept.")
    },
    apply=apply,
)
