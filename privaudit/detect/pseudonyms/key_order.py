"""What the order and the bits of a key reveal: when a record was created, and on which machine.

Question: do keys follow a column of dates, and do they contain a time stamp or a network address?
Method: keys are ranked by length and text without a common prefix; Spearman's rank correlation with each column of
dates of the same rows, over at most `_MOST` keys drawn by seeded hash, with the lower bound of Bonett and Wright
(2000). Version 1, 6 and 7 UUIDs, ULIDs and ObjectIds contain a time stamp; every cell must show a plausible time.
Limits: an order in only part of the rows appears as a weaker correlation.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from privaudit import vocabulary
from privaudit.detect.column import Column
from privaudit.detect.column_evidence import ColumnEvidence, remark
from privaudit.detect.subjects import hashes
from privaudit.model import Clue, Contained
from privaudit.wording import Columns, Count, Fact, Name, Number, fact

if TYPE_CHECKING:
    import pyarrow as pa

    from privaudit.source.dataset import Dataset

Floats = npt.NDArray[np.float64]

_MOST = 5000
_LEAST_ROWS = 30
_LEAST_CORRELATION = 0.5  # lower bound from which it is reported
_MOST_DATES = 4
_EARLIEST, _LATEST = 946_684_800.0, 2_208_988_800.0  # 2000 and 2040, in seconds since 1970
_GREGORIAN = 12_219_292_800.0  # seconds from 15 October 1582, the epoch of versions 1 and 6
_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def is_key(item: ColumnEvidence) -> bool:
    """Whether a column distinguishes people or records and holds nothing else."""
    if item.entity is None:
        return bool(item.ledger.measurements.get("key_like"))
    keys = vocabulary.in_group("key") | vocabulary.with_trait("opaque_code")
    # A token is a credential or a pseudonym: one that differs for many people is a pseudonym.
    if item.entity == "SECRET":
        return item.column.uniqueness >= 0.3
    return item.entity in keys - {"RECORD_ID", "ROW_NUMBER"}


def report_key_order(table: Sequence[ColumnEvidence], dataset: Dataset) -> None:
    """Report keys that follow a column of dates of the table or contain a time stamp."""
    dated = [item for item in table if item.calendar.share >= 0.5 and item.column.n_distinct >= 10][
        :_MOST_DATES
    ]
    for item in table:
        if not is_key(item) or item.column.n_distinct < _LEAST_ROWS:
            continue
        _report_time_stamps(item)
        for other in dated:
            if other is not item and _report_correlation(item, other, dataset):
                break


def _report_correlation(item: ColumnEvidence, dates: ColumnEvidence, dataset: Dataset) -> bool:
    """Report a correlation of the keys of `item` with the dates of another column; return whether there is one."""
    from privaudit.profile import parse_dates

    column = item.column
    if column.uniqueness < 0.5:
        return False
    names = [column.name, dates.column.name]
    wanted = column.raw.take(column.drawn[:_MOST]).to_pylist()
    rows = dataset.rows_holding(names, column.name, wanted).drop_null()
    if rows.num_rows < _LEAST_ROWS:
        return False
    days, _, _ = parse_dates(rows[names[1]].combine_chunks())
    valid = ~np.isnan(days)
    keys = ranks(rows[names[0]].combine_chunks())
    if int(valid.sum()) < _LEAST_ROWS or len(np.unique(days[valid])) < 10:
        return False
    rho = spearman(keys[valid], days[valid])
    n = int(valid.sum())
    low = lower_bound(rho, n)
    if low < _LEAST_CORRELATION:
        return False
    item.ledger.measurements["key_time_correlation"] = round(low, 3)
    because = fact(
        "detect.pseudonyms_keys_rise" if rho > 0 else "detect.pseudonyms_keys_fall",
        column=Columns(names=(names[1],)),
        correlation=Number(value=rho),
        low=Number(value=low),
        rows=Count(n=n, unit="row"),
    )
    _add_clue(item, because)
    return True


def ranks(keys: pa.Array) -> Floats:
    """Return the rank of each key: numbers by value, also after a common prefix, otherwise by text."""
    import pyarrow as pa
    import pyarrow.compute as pc

    texts = pc.utf8_lower(pc.utf8_trim_whitespace(keys))
    prefixes = pc.unique(pc.replace_substring_regex(texts, "[0-9]+$", ""))
    if len(prefixes) == 1:
        texts = pc.replace_substring_regex(texts, "^.*?0*([0-9]*)$", r"\1")
    order = pc.sort_indices(
        pa.table({"n": pc.utf8_length(texts), "t": texts}), sort_keys=[("n", "ascending"), ("t", "ascending")]
    )
    found = np.empty(len(keys))
    found[np.asarray(order)] = np.arange(len(keys))
    return found


def spearman(one: Floats, other: Floats) -> float:
    """Return Spearman's rank correlation of two arrays of shape (n,), ties sharing their mean rank; 0 if constant."""
    first, second = _mean_ranks(one), _mean_ranks(other)
    first, second = first - first.mean(), second - second.mean()
    scale = float(np.sqrt((first @ first) * (second @ second)))
    return float(first @ second) / scale if scale > 0 else 0.0


def _mean_ranks(values: Floats) -> Floats:
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    means: Floats = (ends - (counts - 1) / 2.0)[inverse]
    return means


def lower_bound(rho: float, n: int) -> float:
    """Return the lower bound of the 95 % interval of ``|rho|`` over `n` pairs (Bonett and Wright 2000), at least 0."""
    rho = min(abs(rho), 1 - 1e-12)
    half = 1.96 * np.sqrt((1 + rho**2 / 2) / (n - 3))
    return max(0.0, float(np.tanh(np.arctanh(rho) - half)))


@dataclass(frozen=True, slots=True)
class _TimeStamps:
    """The times in seconds since 1970 that keys contain, the name of their format, and whether they name a machine."""

    times: Floats
    format: str
    has_node: bool = False


def _report_time_stamps(item: ColumnEvidence) -> None:
    for read in (_read_uuids, _read_ulids, _read_object_ids):
        found = read(item.column)
        if found is None:
            continue
        if len(found.times) and ((found.times >= _EARLIEST) & (found.times <= _LATEST)).all():
            item.ledger.measurements["key_holds_time"] = 1.0
            _add_clue(item, fact("detect.pseudonyms_time_stamp", format=Name(text=found.format)))
            if found.has_node:
                _count_network_addresses(item)
        return


def _read_uuids(column: Column) -> _TimeStamps | None:
    version = hashes.version(column)
    if version not in ("1", "6", "7"):
        return None
    hexed = [re.sub("[^0-9a-fA-F]", "", text) for text in column.chosen(1000)[0]]
    if version == "7":
        return _TimeStamps(np.array([int(h[:12], 16) / 1e3 for h in hexed]), "Version 7 UUIDs")
    if version == "1":
        ticks = [int(h[13:16] + h[8:12] + h[:8], 16) for h in hexed]
    else:
        ticks = [int(h[:12] + h[13:16], 16) for h in hexed]
    return _TimeStamps(
        np.array(ticks) / 1e7 - _GREGORIAN, f"Version {version} UUIDs", has_node=version == "1"
    )


def _read_ulids(column: Column) -> _TimeStamps | None:
    if column.longest != 26 or column.matching(rf"(?i)^[0-7][{_CROCKFORD}]{{25}}$") < 1:
        return None
    texts = column.chosen(1000)[0]
    values = [sum(_CROCKFORD.index(c) << 5 * (9 - i) for i, c in enumerate(t[:10].upper())) for t in texts]
    return _TimeStamps(np.array(values) / 1e3, "ULIDs")


def _read_object_ids(column: Column) -> _TimeStamps | None:
    if column.shortest != 24 or column.matching(r"^[0-9a-fA-F]{24}$") < 1:
        return None
    times = np.array([float(int(text[:8], 16)) for text in column.chosen(1000)[0]])
    return _TimeStamps(times, "ObjectIds")


def _count_network_addresses(item: ColumnEvidence) -> None:
    """Count the cells whose UUID ends in a network address: the multicast bit is off (RFC 9562, 6.10)."""
    column = item.column
    cards = column.matches(r"[0-9a-fA-F][02468aceACE][0-9a-fA-F]{10}\}?$")
    n_cells = column.cells(cards)
    if n_cells:
        clue = Clue(kind="shape", because=fact("detect.pseudonyms_network_address"))
        share = column.exact(n_cells)
        item.ledger.contained.append(
            Contained(
                entity="MAC_ADDRESS", detail="in a UUID", n_cells=n_cells, share=share, evidence=(clue,)
            )
        )


def _add_clue(item: ColumnEvidence, because: Fact) -> None:
    if item.verdict is not None:
        clue = Clue(kind="shape", because=because)
        item.post([remark(item.verdict.entity, clue)])
