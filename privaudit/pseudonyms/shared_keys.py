"""The same pseudonyms in two tables, which link a release to the auxiliary table whatever else was generalised.

Question: do keys of the release occur in the auxiliary table, more often than consecutive numbers would?
Method: every distinct key is looked up in each column of the auxiliary table; the column with the most matches is
named. Numbers that fill their range match by counting: for them, the share is compared with how densely the other
column fills the range, or both columns must have the same name of more than one word.
Limits: pseudonyms of the same people made with two keys have nothing in common, as intended.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from privaudit import vocabulary
from privaudit.config import Settings
from privaudit.detect.column_evidence import ColumnEvidence
from privaudit.headers import read_header
from privaudit.pseudonyms.key_order import add_clue, is_key
from privaudit.source.dataset import Dataset
from privaudit.wording import Columns, Count, fact

_LEAST_DISTINCT = 10  # fewer are a category, not keys
_LEAST_SHARED = 3  # two may be a coincidence
_SHORTEST = 4  # characters: shorter keys match by chance
_CLEARLY_MORE = 5  # factor on the matches that counting explains
_PROBED = 5000  # keys of which at least one must match before all are compared


def report_shared_keys(table: Sequence[ColumnEvidence], auxiliary: Dataset | None, settings: Settings) -> None:
    """Report keys of the release that occur in the auxiliary table; the columns of ``--truth`` are excluded."""
    if auxiliary is None:
        return
    names = [name for name in auxiliary.columns if name not in settings.truth.values()]
    for item in table:
        column = item.column
        if column.name in settings.truth or not is_key(item) or column.n_distinct < _LEAST_DISTINCT:
            continue
        found = {name: shared for name in names if (shared := _shared(item, auxiliary, name)) is not None}
        rows = {name: column.cells(shared) for name, shared in found.items()}
        best = max(rows, key=lambda name: (rows[name], name), default=None)
        item.ledger.measurements["key_shared_rows"] = 0.0 if best is None else float(rows[best])
        if best is not None:
            keys = Count(n=int(found[best].sum()), of=column.n_distinct, unit="value")
            add_clue(item, fact("detect.pseudonyms_shared_keys", keys=keys, column=Columns(names=(best,))), "list")


def _shared(item: ColumnEvidence, auxiliary: Dataset, name: str) -> npt.NDArray[np.bool_] | None:
    """Return which keys occur in a column of the auxiliary table; None where that may be a coincidence."""
    column = item.column
    others = auxiliary.frequencies(name).values
    if not _are_in(column.raw.take(column.drawn[:_PROBED]), others).any():
        return None
    shared = _are_in(column.raw, others)
    n_keys = int(shared.sum())
    if n_keys < _LEAST_SHARED or float(np.median(column.lengths[shared])) < _SHORTEST:
        return None
    common = column.header.words == read_header(name).words and len(column.header.words) > 1
    by_counting = 0.0 if common else _density(column.raw, others) * column.n_distinct
    return shared if n_keys >= _CLEARLY_MORE * by_counting else None


def _are_in(keys: pa.Array, others: pa.Array) -> npt.NDArray[np.bool_]:
    return np.asarray(pc.is_in(keys, value_set=others.cast(keys.type)), dtype=np.bool_)


def _density(keys: pa.Array, others: pa.Array) -> float:
    """Return the share of the range of `keys` that `others` fill; 0 where they are not numbers after a prefix."""
    one, other = _numbers(keys), _numbers(others)
    if one is None or other is None:
        return 0.0
    low, high = float(one.min()), float(one.max())
    return min(1.0, float(((other >= low) & (other <= high)).sum()) / (high - low + 1))


def _numbers(values: pa.Array) -> npt.NDArray[np.float64] | None:
    """Return the numbers of keys that are digits after a common prefix, otherwise None."""
    parts = pc.extract_regex(values, r"^(?P<prefix>.*?)(?P<digits>[0-9]{1,15})$")
    if parts.null_count or len(pc.unique(pc.struct_field(parts, "prefix"))) > 1:
        return None
    return np.asarray(pc.struct_field(parts, "digits").cast(pa.float64()), dtype=np.float64)


def report_repeated_digests(table: Sequence[ColumnEvidence]) -> None:
    """Report digests that several rows share: equal inputs have equal digests, so frequencies are revealed."""
    digests = vocabulary.with_trait("opaque_code") - {"UUID"} | {"PSEUDONYM"}
    for item in table:
        column = item.column
        if item.entity in digests and 2 <= column.n_distinct < column.n_present:
            rows = int(column.counts[column.counts > 1].sum())
            add_clue(item, fact("detect.pseudonyms_repeated_digests", rows=Count(n=rows, unit="row")))
