"""What keys reveal: when a record was created, on which machine, and which records of another table are the same.

Question: do keys follow a column of dates, contain a time stamp or a network address, repeat, or occur in the auxiliary
table more often than consecutive numbers would?
Method: keys are ranked by length and text without a common prefix; Spearman's rank correlation with each column of
dates of the same rows, over at most `_MOST` keys drawn by seeded hash, with the lower bound of Bonett and Wright
(2000). Version 1, 6 and 7 UUIDs, ULIDs and ObjectIds contain a time stamp; every cell must show a plausible time. Every
distinct key is looked up in each column of the auxiliary table; the column with the most matches is named. Numbers that
fill their range match by counting: for them, the share is compared with how densely the other column fills the range,
or both columns must have the same name of more than one word.
Limits: an order in only part of the rows appears as a weaker correlation. Pseudonyms of the same people made with two
keys have nothing in common, as intended.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import numpy as np

from privaudit.base.arrays import Flags, Floats
from privaudit.base.arrow import pa, pc
from privaudit.detect.column_evidence import ColumnEvidence, remark
from privaudit.detect.subjects import hashes
from privaudit.model import Clue, Contained, vocabulary
from privaudit.model.headers import read_header
from privaudit.model.wording import Columns, Count, Fact, Name, Number, fact
from privaudit.settings.config import Settings
from privaudit.source.dataset import Dataset

_MOST = 5000  # keys: the interval of the correlation is then at most 0.03 wide
_LEAST_ROWS = 30  # fewer are in order by chance too often
_LEAST_DATES = 10
_LEAST_CORRELATION = 0.5  # lower bound from which it is reported
_MOST_DATES = 4  # columns; each costs a query
_EARLIEST, _LATEST = 946_684_800.0, 2_208_988_800.0  # 2000 and 2040, in seconds since 1970
_GREGORIAN = 12_219_292_800.0  # seconds from 15 October 1582, the epoch of versions 1 and 6
_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_LEAST_DISTINCT = 10  # fewer are a category, not keys
_LEAST_SHARED = 3  # two may be a coincidence
_SHORTEST = 4  # characters: shorter keys match by chance
_CLEARLY_MORE = 5  # factor on the matches that counting explains
_PROBED = 5000  # keys of which at least one must match before all are compared


def is_key(item: ColumnEvidence) -> bool:
    """Whether a column distinguishes people or records and holds nothing else."""
    if item.entity is None:
        return bool(item.ledger.measurements.get("key_like"))
    # A token is a credential or a pseudonym: one that differs for many people is a pseudonym.
    if item.entity == "SECRET":
        return item.column.uniqueness >= 0.3
    keys = vocabulary.in_group("key") | vocabulary.with_trait("opaque_code")
    return item.entity in keys - {"RECORD_ID", "ROW_NUMBER"}


def add_clue(item: ColumnEvidence, because: Fact, kind: str = "shape") -> None:
    """Add an observation to the verdict on a column, if there is one."""
    if item.verdict is not None:
        item.post([remark(item.verdict.entity, Clue(kind=kind, because=because))])


def report_key_order(table: Sequence[ColumnEvidence], dataset: Dataset) -> None:
    """Report keys that follow a column of dates of the table or contain a time stamp."""
    dated = [i for i in table if i.calendar.share >= 0.5 and i.column.n_distinct >= _LEAST_DATES][:_MOST_DATES]
    for item in table:
        if is_key(item) and item.column.n_distinct >= _LEAST_ROWS:
            _report_time_stamps(item)
            if item.column.uniqueness >= 0.5:
                any(_report_correlation(item, other, dataset) for other in dated if other is not item)


def _report_correlation(item: ColumnEvidence, other: ColumnEvidence, dataset: Dataset) -> bool:
    """Report a correlation of the keys of `item` with the dates of another column; return whether there is one."""
    column, dates = item.column, other.column.name
    wanted = column.raw.take(column.drawn[:_MOST]).to_pylist()
    rows = dataset.rows_holding([column.name, dates], column.name, wanted).drop_null()
    if rows.num_rows < _LEAST_ROWS:
        return False
    years = _years_of(rows[dates].combine_chunks(), other)
    valid = ~np.isnan(years)
    n = int(valid.sum())
    if n < _LEAST_ROWS or len(np.unique(years[valid])) < _LEAST_DATES:
        return False
    rho = spearman(ranks(rows[column.name].combine_chunks())[valid], years[valid])
    low = lower_bound(rho, n)
    if low < _LEAST_CORRELATION:
        return False
    item.ledger.measurements["key_time_correlation"] = round(low, 3)
    because = fact(
        "detect.pseudonyms_keys_rise" if rho > 0 else "detect.pseudonyms_keys_fall",
        column=Columns((dates,)),
        correlation=Number(rho),
        low=Number(low),
        rows=Count(n, unit="row"),
    )
    add_clue(item, because)
    return True


def _years_of(cells: pa.Array, dated: ColumnEvidence) -> Floats:
    """Return the decimal years of some cells of a column of dates, NaN where they are not dates."""
    raw = dated.column.raw
    cells = cells.cast(raw.type)
    held = pc.is_in(raw, value_set=cells)
    place = pc.fill_null(pc.index_in(cells, value_set=raw.filter(held)), -1)
    return np.append(dated.calendar.years[np.asarray(held)], np.nan)[np.asarray(place)]


def ranks(keys: pa.Array) -> Floats:
    """Return the rank of each key: numbers by value, also after a common prefix, otherwise by text."""
    texts = pc.utf8_lower(pc.utf8_trim_whitespace(keys))
    if len(pc.unique(pc.replace_substring_regex(texts, "[0-9]+$", ""))) == 1:
        texts = pc.replace_substring_regex(texts, "^.*?0*([0-9]*)$", r"\1")
    table = pa.table({"n": pc.utf8_length(texts), "t": texts})
    order = pc.sort_indices(table, sort_keys=[("n", "ascending"), ("t", "ascending")])
    found = np.empty(len(keys))
    found[np.asarray(order)] = np.arange(len(keys))
    return found


def spearman(one: Floats, other: Floats) -> float:
    """Return Spearman's rank correlation of two arrays of shape (n,), ties sharing their mean rank; 0 if constant."""
    first, second = _mean_ranks(one), _mean_ranks(other)
    constant = np.ptp(first) == 0 or np.ptp(second) == 0
    return 0.0 if constant else float(np.corrcoef(first, second)[0, 1])


def _mean_ranks(values: Floats) -> Floats:
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(counts) - (counts - 1) / 2.0)[inverse]


def lower_bound(rho: float, n: int) -> float:
    """Return the lower bound of the 95 % interval of ``|rho|`` over `n` pairs (Bonett and Wright 2000), at least 0."""
    rho = min(abs(rho), 1 - 1e-12)
    half = 1.96 * np.sqrt((1 + rho**2 / 2) / (n - 3))
    return max(0.0, float(np.tanh(np.arctanh(rho) - half)))


def _report_time_stamps(item: ColumnEvidence) -> None:
    """Report keys all of which contain a plausible time."""
    column = item.column
    version = hashes.version(column)
    name = f"Version {version} UUIDs"
    if version not in _TIMES:
        ulids = column.longest == 26 and column.matching(rf"(?i)^[0-7][{_CROCKFORD}]{{25}}$") == 1
        objects = column.shortest == 24 and column.matching(r"^[0-9a-fA-F]{24}$") == 1
        if version is not None or not (ulids or objects):
            return
        version = name = "ULIDs" if ulids else "ObjectIds"
    times = np.array([_TIMES[version](re.sub("[{}-]", "", text)) for text in column.chosen(1000)[0]])
    if not ((times >= _EARLIEST) & (times <= _LATEST)).all():
        return
    item.ledger.measurements["key_holds_time"] = 1.0
    add_clue(item, fact("detect.pseudonyms_time_stamp", format=Name(name)))
    # The end of a version 1 UUID is a network address where the multicast bit is off (RFC 9562, 6.10).
    n_cells = column.cells(column.matches(r"[0-9a-fA-F][02468aceACE][0-9a-fA-F]{10}\}?$")) if version == "1" else 0
    if n_cells:
        clues, share = (Clue(kind="shape", because=fact("detect.pseudonyms_network_address")),), column.exact(n_cells)
        found = Contained(entity="MAC_ADDRESS", detail="in a UUID", n_cells=n_cells, share=share, evidence=clues)
        item.ledger.contained.append(found)


def _of_ulid(text: str) -> float:
    return sum(_CROCKFORD.index(c) << 5 * (9 - i) for i, c in enumerate(text[:10].upper())) / 1e3


_TIMES: dict[str | None, Callable[[str], float]] = {
    "1": lambda h: int(h[13:16] + h[8:12] + h[:8], 16) / 1e7 - _GREGORIAN,
    "6": lambda h: int(h[:12] + h[13:16], 16) / 1e7 - _GREGORIAN,
    "7": lambda h: int(h[:12], 16) / 1e3,
    "ULIDs": _of_ulid,
    "ObjectIds": lambda h: float(int(h[:8], 16)),
}
"""How the seconds since 1970 are read from a key without hyphens."""


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
            keys = Count(int(found[best].sum()), of=column.n_distinct, unit="value")
            add_clue(item, fact("detect.pseudonyms_shared_keys", keys=keys, column=Columns((best,))), "list")


def _shared(item: ColumnEvidence, auxiliary: Dataset, name: str) -> Flags | None:
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


def _are_in(keys: pa.Array, others: pa.Array) -> Flags:
    return np.asarray(pc.is_in(keys, value_set=others.cast(keys.type)), dtype=np.bool_)


def _density(keys: pa.Array, others: pa.Array) -> float:
    """Return the share of the range of `keys` that `others` fill; 0 where they are not numbers after a prefix."""
    one, other = _numbers(keys), _numbers(others)
    if one is None or other is None:
        return 0.0
    low, high = float(one.min()), float(one.max())
    return min(1.0, float(((other >= low) & (other <= high)).sum()) / (high - low + 1))


def _numbers(values: pa.Array) -> Floats | None:
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
            add_clue(item, fact("detect.pseudonyms_repeated_digests", rows=Count(rows, unit="row")))
