"""What the order of a key and its bits give away: the time somebody was added, and the machine that did it.

Question: do keys follow a column of dates, and is a moment or a network card written inside them?
Method: keys are ranked by length and text once a common beginning is gone; Spearman's rank correlation with each
column of dates of the same rows, over at most `_MOST` keys drawn by seeded hash, its lower end by Bonett and Wright
(2000). Version 1, 6 and 7 UUIDs, ULIDs and ObjectIds carry a clock; every cell has to show a plausible moment.
Limits: an order that runs through part of the rows only shows as a weaker correlation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from privaudit.detect.column import Column
from privaudit.detect.siblings.context import Examined
from privaudit.model import Clue, Contained

if TYPE_CHECKING:
    import pyarrow as pa

    from privaudit.source.dataset import Dataset

Floats = npt.NDArray[np.float64]

KEYS = frozenset("PSEUDONYM HASH UUID BASE64 PERSON_ID UNRESOLVED_ID SESSION_ID".split())
_MOST = 5000
_LEAST_ROWS = 30
_WORTH = 0.5  # correlation from which on it is told
_DATES = 4
_EARLIEST, _LATEST = 946_684_800.0, 2_208_988_800.0  # 2000 and 2040, in seconds since 1970
_GREGORIAN = 12_219_292_800.0  # seconds from 15 October 1582, where the clock of versions 1 and 6 starts
_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_UUID = r"^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[167][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$"


def is_key(item: Examined) -> bool:
    """Return whether a column tells people or records apart and nothing else."""
    if item.entity is None:
        return bool(item.found.facts.get("key_like"))
    # A token may be a credential or a pseudonym: what stands for many people is the latter.
    return item.entity in KEYS or (item.entity == "SECRET" and item.column.uniqueness >= 0.3)


def in_time(table: Sequence[Examined], dataset: Dataset) -> None:
    """Tell of keys that follow a column of dates of the table, or that hold a clock."""
    dated = [item for item in table if item.calendar.share >= 0.5 and item.column.n_distinct >= 10][:_DATES]
    for item in table:
        if not is_key(item) or item.column.n_distinct < _LEAST_ROWS:
            continue
        _clock(item)
        for other in dated:
            if other is not item and _follows(item, other, dataset):
                break


def _follows(item: Examined, dates: Examined, dataset: Dataset) -> bool:
    """Tell whether the keys of `item` run along with the dates of another column."""
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
    low = weakest(rho, n)
    if low < _WORTH:
        return False
    item.found.facts["key_time_correlation"] = round(low, 3)
    how = "rise" if rho > 0 else "fall"
    because = (
        f'its keys {how} with the dates of column "{names[1]}": rank correlation {rho:.3f} over {n:,} rows'
        f" (at least {low:.3f}, 95 %)"
    )
    _add(item, because)
    return True


def ranks(keys: pa.Array) -> Floats:
    """Return the rank of each key: numbers by size, also behind a common beginning, else by text."""
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


def weakest(rho: float, n: int) -> float:
    """Return the lower end of the 95 % interval of ``|rho|`` over `n` pairs (Bonett and Wright 2000), at least 0."""
    rho = min(abs(rho), 1 - 1e-12)
    half = 1.96 * np.sqrt((1 + rho**2 / 2) / (n - 3))
    return max(0.0, float(np.tanh(np.arctanh(rho) - half)))


def _clock(item: Examined) -> None:
    column = item.column
    for read, what in ((_uuid_times, None), (_ulid_times, "ULIDs"), (_object_times, "ObjectIds")):
        found = read(column)
        if found is None:
            continue
        times, title = found
        if len(times) and ((times >= _EARLIEST) & (times <= _LATEST)).all():
            item.found.facts["key_holds_time"] = 1.0
            _add(item, f"{what or title} carry the moment they were made")
            if title.startswith("version 1"):
                _node(item)
        return


def _uuid_times(column: Column) -> tuple[Floats, str] | None:
    if column.longest != 36 or column.matching(_UUID) < 1:
        return None
    texts = column.chosen(1000)[0]
    versions = {text[14] for text in texts}
    if len(versions) > 1:
        return None
    (version,) = versions
    hexed = [text.replace("-", "") for text in texts]
    if version == "7":
        return np.array([int(h[:12], 16) / 1e3 for h in hexed]), "version 7 UUIDs"
    if version == "1":
        ticks = [int(h[13:16] + h[8:12] + h[:8], 16) for h in hexed]
    else:
        ticks = [int(h[:12] + h[13:16], 16) for h in hexed]
    return np.array(ticks) / 1e7 - _GREGORIAN, f"version {version} UUIDs"


def _ulid_times(column: Column) -> tuple[Floats, str] | None:
    if column.longest != 26 or column.matching(rf"(?i)^[0-7][{_CROCKFORD}]{{25}}$") < 1:
        return None
    texts = column.chosen(1000)[0]
    values = [sum(_CROCKFORD.index(c) << 5 * (9 - i) for i, c in enumerate(t[:10].upper())) for t in texts]
    return np.array(values) / 1e3, "ULIDs"


def _object_times(column: Column) -> tuple[Floats, str] | None:
    if column.shortest != 24 or column.matching(r"^[0-9a-fA-F]{24}$") < 1:
        return None
    return np.array([float(int(text[:8], 16)) for text in column.chosen(1000)[0]]), "ObjectIds"


def _node(item: Examined) -> None:
    """Count the cells whose UUID ends in the address of a network card: its multicast bit is off (RFC 9562, 6.10)."""
    column = item.column
    cards = column.matches(r"-[0-9a-fA-F][02468aceACE][0-9a-fA-F]{10}$")
    n_cells = column.cells(cards)
    if n_cells:
        clue = Clue(kind="shape", because="version 1 UUIDs end in the address of the machine that made them")
        share = column.exact(n_cells)
        item.found.contained.append(
            Contained(
                entity="MAC_ADDRESS", detail="in a UUID", n_cells=n_cells, share=share, evidence=(clue,)
            )
        )


def _add(item: Examined, because: str) -> None:
    if item.verdict is not None:
        clue = Clue(kind="shape", because=because)
        item.verdict = replace(item.verdict, evidence=(*item.verdict.evidence, clue))
