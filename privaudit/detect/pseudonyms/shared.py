"""The same pseudonym in two tables: what joins a release to the table an adversary holds, whatever else was coarsened.

Question: do keys of the release stand in the auxiliary table as well, and is that more than counting would give?
Method: every distinct key is looked up among the values of each column of the auxiliary table; the column that
holds most is named. Numbers that fill their range agree by counting: for them the share is compared with how densely
the other column fills the range, and only a common name with more than one word in it lets such numbers count.
Limits: pseudonyms of the same people made with two keys share nothing, as they should.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from privaudit.config import Settings
from privaudit.detect.evidence import percent
from privaudit.detect.header import read_header
from privaudit.detect.pseudonyms.order import is_key
from privaudit.detect.siblings.context import Examined
from privaudit.model import Clue

if TYPE_CHECKING:
    import pyarrow as pa

    from privaudit.source.dataset import Dataset

_LEAST_DISTINCT = 10
_LEAST_SHARED = 3
_SHORTEST = 4
_PROBED = 5000  # keys of which one at least has to meet, before all are compared


@dataclass(frozen=True, slots=True)
class _Overlap:
    """Rows of the release whose key the column `name` of the auxiliary table holds."""

    name: str
    n_rows: int
    n_keys: int


def across(table: Sequence[Examined], auxiliary: Dataset | None, settings: Settings) -> None:
    """Tell of keys of the release that the auxiliary table holds too; the columns of ``--truth`` are left out."""
    if auxiliary is None:
        return
    for item in table:
        if item.column.name in settings.truth or not is_key(item) or item.column.n_distinct < _LEAST_DISTINCT:
            continue
        item.found.facts["key_shared_rows"] = 0.0
        found = [
            overlap
            for name in auxiliary.columns
            if name not in settings.truth.values()
            and (overlap := _overlap(item, auxiliary, name)) is not None
        ]
        if found:
            _tell(item, max(found, key=lambda one: (one.n_rows, one.name)))


def _overlap(item: Examined, auxiliary: Dataset, name: str) -> _Overlap | None:
    column = item.column
    theirs = auxiliary.frequencies(name).values
    if not _held(theirs, column.raw.take(column.drawn[:_PROBED])).any():
        return None
    shared = _held(column.raw, theirs)
    n_keys = int(shared.sum())
    if n_keys < _LEAST_SHARED or float(np.median(column.lengths[shared])) < _SHORTEST:
        return None
    chance = _density(column.raw, theirs)
    if chance is not None:
        common = column.header.words == read_header(name).words and len(column.header.words) > 1
        if not common and n_keys < 5 * chance * column.n_distinct:
            return None
    return _Overlap(name, column.cells(shared), n_keys)


def _held(ours: pa.Array, theirs: pa.Array) -> npt.NDArray[np.bool_]:
    import pyarrow.compute as pc

    return np.asarray(pc.is_in(ours, value_set=theirs.cast(ours.type)), dtype=np.bool_)


def _density(ours: pa.Array, theirs: pa.Array) -> float | None:
    """Return the share of the range of our numbers that theirs fill; None where the keys are no running numbers."""
    if _counted(ours.slice(0, _PROBED)) is None or _counted(theirs.slice(0, _PROBED)) is None:
        return None
    one, other = _counted(ours), _counted(theirs)
    if one is None or other is None:
        return None
    low, high = float(one.min()), float(one.max())
    inside = float(((other >= low) & (other <= high)).sum())
    return min(1.0, inside / (high - low + 1))


def _counted(values: pa.Array) -> npt.NDArray[np.float64] | None:
    """Return the numbers of keys that are digits behind one common beginning, else None."""
    import pyarrow as pa
    import pyarrow.compute as pc

    digits = pc.replace_substring_regex(values, r"^.*?([0-9]*)$", r"\1")
    if pc.any(pc.or_(pc.equal(digits, ""), pc.greater(pc.utf8_length(digits), 15))).as_py():
        return None
    if len(pc.unique(pc.replace_substring_regex(values, "[0-9]+$", ""))) > 1:
        return None
    return np.asarray(digits.cast(pa.float64()), dtype=np.float64)


def _tell(item: Examined, overlap: _Overlap) -> None:
    column = item.column
    item.found.facts["key_shared_rows"] = float(overlap.n_rows)
    if item.verdict is None:
        return
    share = percent(overlap.n_keys / column.n_distinct)
    because = (
        f'{overlap.n_keys:,} of {column.n_distinct:,} keys ({share}) stand in column "{overlap.name}" of the auxiliary '
        f"table too: the two tables share their pseudonyms"
    )
    item.verdict = replace(
        item.verdict, evidence=(*item.verdict.evidence, Clue(kind="list", because=because))
    )


def repeated(table: Sequence[Examined]) -> None:
    """Say of digests that stand in several rows that equal inputs stay equal: how often each occurs shows through."""
    for item in table:
        column = item.column
        if item.verdict is None or item.entity not in ("PSEUDONYM", "HASH", "BASE64"):
            continue
        if 2 <= column.n_distinct < column.n_present:
            rows = int(column.counts[column.counts > 1].sum())
            because = f"{rows:,} rows share their digest with another: equal inputs stay equal"
            clue = Clue(kind="shape", because=because)
            item.verdict = replace(item.verdict, evidence=(*item.verdict.evidence, clue))
