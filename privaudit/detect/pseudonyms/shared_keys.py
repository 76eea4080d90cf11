"""The same pseudonyms in two tables, which link a release to the auxiliary table whatever else was generalised.

Question: do keys of the release occur in the auxiliary table, more often than consecutive numbers would?
Method: every distinct key is looked up in each column of the auxiliary table; the column with the most matches is
named. Numbers that fill their range match by counting: for them, the share is compared with how densely the other
column fills the range, or both columns must have the same name of more than one word.
Limits: pseudonyms of the same people made with two keys have nothing in common, as intended.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from privaudit import vocabulary
from privaudit.config import Settings
from privaudit.detect.column_evidence import ColumnEvidence, remark
from privaudit.detect.pseudonyms.key_order import is_key
from privaudit.headers import read_header
from privaudit.model import Clue
from privaudit.wording import Columns, Count, fact

if TYPE_CHECKING:
    import pyarrow as pa

    from privaudit.source.dataset import Dataset

_LEAST_DISTINCT = 10
_LEAST_SHARED = 3
_SHORTEST = 4
_PROBED = 5000  # keys of which at least one must match before all are compared


@dataclass(frozen=True, slots=True)
class _Overlap:
    """Rows and keys of the release that occur in the column `name` of the auxiliary table."""

    name: str
    n_rows: int
    n_keys: int


def report_shared_keys(
    table: Sequence[ColumnEvidence], auxiliary: Dataset | None, settings: Settings
) -> None:
    """Report keys of the release that occur in the auxiliary table; the columns of ``--truth`` are excluded."""
    if auxiliary is None:
        return
    for item in table:
        if item.column.name in settings.truth or not is_key(item) or item.column.n_distinct < _LEAST_DISTINCT:
            continue
        item.ledger.measurements["key_shared_rows"] = 0.0
        found = [
            overlap
            for name in auxiliary.columns
            if name not in settings.truth.values()
            and (overlap := _overlap(item, auxiliary, name)) is not None
        ]
        if found:
            _report(item, max(found, key=lambda one: (one.n_rows, one.name)))


def _overlap(item: ColumnEvidence, auxiliary: Dataset, name: str) -> _Overlap | None:
    column = item.column
    others = auxiliary.frequencies(name).values
    if not _contained(others, column.raw.take(column.drawn[:_PROBED])).any():
        return None
    shared = _contained(column.raw, others)
    n_keys = int(shared.sum())
    if n_keys < _LEAST_SHARED or float(np.median(column.lengths[shared])) < _SHORTEST:
        return None
    chance = _density(column.raw, others)
    if chance is not None:
        common = column.header.words == read_header(name).words and len(column.header.words) > 1
        if not common and n_keys < 5 * chance * column.n_distinct:
            return None
    return _Overlap(name, column.cells(shared), n_keys)


def _contained(keys: pa.Array, others: pa.Array) -> npt.NDArray[np.bool_]:
    import pyarrow.compute as pc

    return np.asarray(pc.is_in(keys, value_set=others.cast(keys.type)), dtype=np.bool_)


def _density(keys: pa.Array, others: pa.Array) -> float | None:
    """Return the share of the range of `keys` that `others` fill; None where they are not consecutive numbers."""
    if _numbers(keys.slice(0, _PROBED)) is None or _numbers(others.slice(0, _PROBED)) is None:
        return None
    one, other = _numbers(keys), _numbers(others)
    if one is None or other is None:
        return None
    low, high = float(one.min()), float(one.max())
    inside = float(((other >= low) & (other <= high)).sum())
    return min(1.0, inside / (high - low + 1))


def _numbers(values: pa.Array) -> npt.NDArray[np.float64] | None:
    """Return the numbers of keys that are digits after a common prefix, otherwise None."""
    import pyarrow as pa
    import pyarrow.compute as pc

    digits = pc.replace_substring_regex(values, r"^.*?([0-9]*)$", r"\1")
    if pc.any(pc.or_(pc.equal(digits, ""), pc.greater(pc.utf8_length(digits), 15))).as_py():
        return None
    if len(pc.unique(pc.replace_substring_regex(values, "[0-9]+$", ""))) > 1:
        return None
    return np.asarray(digits.cast(pa.float64()), dtype=np.float64)


def _report(item: ColumnEvidence, overlap: _Overlap) -> None:
    column = item.column
    item.ledger.measurements["key_shared_rows"] = float(overlap.n_rows)
    if item.verdict is None:
        return
    because = fact(
        "detect.pseudonyms_shared_keys",
        keys=Count(n=overlap.n_keys, of=column.n_distinct, unit="value"),
        column=Columns(names=(overlap.name,)),
    )
    _add_clue(item, Clue(kind="list", because=because))


def report_repeated_digests(table: Sequence[ColumnEvidence]) -> None:
    """Report digests that several rows share: equal inputs have equal digests, so frequencies are revealed."""
    for item in table:
        column = item.column
        digests = vocabulary.with_trait("opaque_code") - {"UUID"} | {"PSEUDONYM"}
        if item.entity not in digests:
            continue
        if 2 <= column.n_distinct < column.n_present:
            rows = int(column.counts[column.counts > 1].sum())
            because = fact("detect.pseudonyms_repeated_digests", rows=Count(n=rows, unit="row"))
            _add_clue(item, Clue(kind="shape", because=because))


def _add_clue(item: ColumnEvidence, clue: Clue) -> None:
    if item.verdict is not None:
        item.post([remark(item.verdict.entity, clue)])
