"""Hashes of what stands beside them: pseudonyms that anybody can undo.

Question: is a column of digests the plain hash of another column, of this table or of the one an adversary holds?
Method: length and alphabet name the functions (digests.py). A seeded sample of the values of each other column is
hashed as it stands, stripped, in lower and upper case, as digits alone, with a line end and in UTF-16, and looked
up among all digests. What no column explains is tried against two and three columns of the same row, joined by the
usual marks. A hit is no accident: it proves that neither salt nor key was used.
Limits: a digest of values that stand nowhere beside it is left to small.py; no hit proves nothing.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, permutations
from typing import TYPE_CHECKING

from privaudit.detect import words
from privaudit.detect.header import read_header
from privaudit.detect.pseudonyms import digests
from privaudit.detect.pseudonyms.digests import Writing
from privaudit.detect.sampling import keyed_hashes, lowest
from privaudit.detect.siblings.context import Examined
from privaudit.model import Clue

if TYPE_CHECKING:
    import pyarrow as pa

    from privaudit.source.dataset import Dataset

RATE = 1e7
"""Digests a second on one core: what `openssl speed` gives for SHA-256 of short inputs on processors with SHA
instructions. One graphics card does 2*10^10 (hashcat 6.2.6, RTX 4090)."""

_BUDGET = 50_000  # values times functions that are tried for one column of digests, each in every form
_MOST = 300  # values of a sibling that are tried, 60 at the least
_MOST_OUTSIDE = 2000  # values of a column of the auxiliary table, which may hold many people more
_HITS = 0.2  # of the values tried; siblings may be misprinted, or hold more people than the digests
_EXPLAINED = 0.5  # of the digests: hashes of small numbers meet many a column of small numbers
_TELLING = 6  # characters from which on three values found among the digests are proof whatever they explain
_ROWS = 40  # rows on which joined columns are tried
_ENTITIES = frozenset("HASH PSEUDONYM BASE64 UUID UNRESOLVED_ID PERSON_ID RECORD_ID PASSWORD SECRET".split())
_JOINED = (
    "EMAIL FIRST_NAME LAST_NAME PERSON_NAME MIDDLE_NAME DATE_OF_BIRTH SSN NATIONAL_ID TAX_ID PHONE PERSON_ID "
    "POSTAL_CODE GENDER BIRTH_YEAR USERNAME PASSPORT HEALTH_ID"
).split()
_MARKS = ("", " ", "|", "-", "_", ",", ":", ";", "#", "/", ", ")
Form = Callable[[str], bytes]


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


FORMS: tuple[tuple[str, Form], ...] = (
    ("as it stands", _bytes),
    ("without blanks at its ends", lambda text: _bytes(text.strip())),
    ("in lower case", lambda text: _bytes(text.strip().lower())),
    ("in upper case", lambda text: _bytes(text.strip().upper())),
    ("its digits alone", lambda text: _bytes(re.sub("[^0-9]", "", text))),
    ("with a line end", lambda text: _bytes(text + "\n")),
    ("in UTF-16", lambda text: text.encode("utf-16-le", "surrogatepass")),
)


@dataclass(slots=True)
class Digests:
    """A column of digests under trial: how it is written and its values in canonical writing."""

    item: Examined
    writing: Writing
    values: pa.Array

    @property
    def n(self) -> int:
        """Distinct digests."""
        return self.item.column.n_distinct


_Trial = tuple[str, str, str]  # column, form, function


class _Trials:
    """All that was hashed for one column of digests, looked up in a single pass over it."""

    def __init__(self, one: Digests) -> None:
        self.one = one
        self.tried: dict[_Trial, int] = {}
        self._made: dict[str, list[_Trial]] = {}

    def add(self, source: str, texts: Sequence[str]) -> None:
        """Hash `texts` of the column `source` in every form that differs and by every function."""
        seen: set[tuple[bytes, ...]] = set()
        for form, written in FORMS:
            data = tuple(written(text) for text in texts)
            if data in seen or sum(map(bool, data)) < 2:
                continue
            seen.add(data)
            for name in self.one.writing.functions:
                make = digests.function(name)
                hashed = {self.one.writing.encode(make(one)) for one in data if one}
                self.tried[source, form, name] = len(hashed)
                for text in hashed:
                    self._made.setdefault(text, []).append((source, form, name))

    def hits(self) -> Counter[_Trial]:
        """Return how many of the texts hashed in each trial stand among the digests."""
        met = digests.known(self.one.values, self._made)
        return Counter(trial for text in met for trial in self._made[text])


def candidates(table: Sequence[Examined]) -> list[Digests]:
    """Return the columns of `table` that may hold digests."""
    found = []
    for item in table:
        if item.entity in _ENTITIES or (item.entity is None and item.found.facts.get("key_like")):
            written = digests.writing(item.column)
            if written is not None:
                found.append(Digests(item, written, digests.canonical(item.column.values, written.alphabet)))
    return found


def unsalted(
    tried: Sequence[Digests],
    table: Sequence[Examined],
    dataset: Dataset,
    auxiliary: Dataset | None,
    seed: int,
) -> list[Digests]:
    """Tell of every column of digests that hashes another one, or several joined; return those left unexplained."""
    left = []
    for one in tried:
        if not (_sibling(one, table) or _outside(one, auxiliary, seed) or _together(one, table, dataset)):
            left.append(one)
    return left


def _sibling(one: Digests, table: Sequence[Examined]) -> bool:
    trials = _Trials(one)
    others = {
        item.column.name: item
        for item in table
        if item is not one.item
        and item.column.n_distinct >= 2
        and item.column.data_type not in ("boolean", "nested")
    }
    most = _most(one, len(others), _MOST)
    for name, item in others.items():
        trials.add(name, item.column.raw.take(item.column.drawn[:most]).to_pylist())
    hits = trials.hits()
    for (name, form, function), n_tried in trials.tried.items():
        n_hits, n_distinct = hits[name, form, function], others[name].column.n_distinct
        share = n_hits / n_tried
        enough = n_hits >= 2 + 5 * _chance(one, n_tried) and share >= _HITS
        if enough and share * n_distinct / one.n >= _EXPLAINED:
            because = f'unsalted {function} hash of column "{name}" ({form})'
            tell(one.item, because, math.log2(n_distinct), people=_direct(others[name].entity))
            one.item.found.facts["hash_of_sibling"] = 1.0
            return True
    return False


def _most(one: Digests, n_columns: int, most: int) -> int:
    """Return how many values of each of `n_columns` are tried, so that wide tables take no longer than narrow ones."""
    return max(most // 5, min(most, _BUDGET // max(1, n_columns * len(one.writing.functions))))


def _chance(one: Digests, n_tried: int) -> float:
    """Return how many of `n_tried` unrelated inputs are expected among the digests."""
    return n_tried * one.n * float(2.0**-one.writing.bits)


def _outside(one: Digests, auxiliary: Dataset | None, seed: int) -> bool:
    """Try the values of the table that an adversary holds; the two tables may share few people."""
    if auxiliary is None:
        return False
    trials = _Trials(one)
    sizes: dict[str, tuple[int, bool]] = {}
    most = _most(one, len(auxiliary.columns), _MOST_OUTSIDE)
    for name in auxiliary.columns:
        cells = auxiliary.frequencies(name).values
        if len(cells) >= 2:
            texts = cells.take(lowest(keyed_hashes(cells, seed), most)).to_pylist()
            sizes[name] = len(cells), sorted(map(len, texts))[len(texts) // 2] >= _TELLING
            trials.add(name, texts)
    hits = trials.hits()
    for (name, form, function), n_tried in trials.tried.items():
        n_hits, (n_distinct, long) = hits[name, form, function], sizes[name]
        explained = n_hits / n_tried * n_distinct / one.n
        if n_hits >= 3 + 5 * _chance(one, n_tried) and (long or explained >= _EXPLAINED):
            because = f'unsalted {function} hash of column "{name}" of the auxiliary table ({form})'
            people = any(_direct(hint.entity) for hint in read_header(name).hints)
            tell(one.item, because, math.log2(n_distinct), people=people)
            one.item.found.facts["hash_of_auxiliary"] = 1.0
            return True
    return False


def _together(one: Digests, table: Sequence[Examined], dataset: Dataset) -> bool:
    """Try columns of the same row, two or three joined; a column called salt is one of them."""
    parts = [item for item in table if item is not one.item and (_part(item) or _salt(item))]
    parts = sorted(parts, key=lambda item: (not _salt(item), _rank(item)))[:6]
    parts = [item for item in table if item in parts]
    if len(parts) < 2:
        return False
    column = one.item.column
    names = [item.column.name for item in parts]
    wanted = column.raw.take(column.drawn[: 2 * _ROWS]).to_pylist()
    rows = dataset.rows_holding([column.name, *names], column.name, wanted).drop_null()
    rows = rows.take(lowest(keyed_hashes(_row_keys(rows), column.seed), _ROWS))
    if rows.num_rows < 4:
        return False
    goal = digests.canonical(rows[column.name].combine_chunks(), one.writing.alphabet).to_pylist()
    cells = {name: [str(text).strip() for text in rows[name].to_pylist()] for name in names}
    found = _joint(one.writing, goal, cells)
    if found is None:
        return False
    chosen, function, mark = found
    listed = " and ".join(f'"{name}"' for name in chosen)
    joined = f"joined by {mark!r}" if mark else "joined without a mark"
    people = any(_direct(item.entity) for item in parts if item.column.name in chosen)
    n_joined = max(item.column.n_distinct for item in parts if item.column.name in chosen)
    tell(
        one.item,
        f"{function} hash of columns {listed} of the same row ({joined})",
        math.log2(n_joined),
        people=people,
    )
    one.item.found.facts["hash_of_sibling"] = 1.0
    return True


def _joint(
    written: Writing, goal: Sequence[str], cells: dict[str, list[str]]
) -> tuple[tuple[str, ...], str, str] | None:
    """Return columns, function and mark whose joined cells hash to `goal` in half of the rows or more."""
    lowered = {name: [text.lower() for text in texts] for name, texts in cells.items()}
    made = [(name, digests.function(name)) for name in written.functions]
    for chosen in (*permutations(cells, 2), *combinations(cells, 3)):
        for source in (cells, lowered):
            for mark in _MARKS:
                data = [_bytes(mark.join(row)) for row in zip(*(source[n] for n in chosen), strict=True)]
                for name, make in made:
                    # Four rows tell; only then the others are hashed too.
                    if any(
                        written.encode(make(one)) == want for one, want in zip(data[:4], goal, strict=False)
                    ):
                        hits = sum(
                            written.encode(make(one)) == want for one, want in zip(data, goal, strict=True)
                        )
                        if 2 * hits >= len(goal):
                            return chosen, name, mark
    return None


def _row_keys(rows: pa.Table) -> pa.Array:
    import pyarrow as pa

    columns = (rows[name].to_pylist() for name in rows.column_names)
    return pa.array(["\x1f".join(map(str, row)) for row in zip(*columns, strict=True)], pa.string())


def _part(item: Examined) -> bool:
    return item.entity in _JOINED


def _salt(item: Examined) -> bool:
    return bool({"salt", "nonce", "pepper"} & set(item.column.header.words))


def _rank(item: Examined) -> int:
    return _JOINED.index(str(item.entity)) if item.entity in _JOINED else len(_JOINED)


def _direct(entity: str | None) -> bool:
    role = words.toml("entities").get(entity or "", {}).get("role")
    return bool(role == "direct")


def tell(item: Examined, because: str, bits: float, *, people: bool, entity: str = "PSEUDONYM") -> None:
    """Add to a column of digests what was hashed: a clue, the space of inputs, the hours to try them all."""
    facts = item.found.facts
    facts["hash_like"] = 1.0
    facts["hash_preimage_bits"] = round(bits, 1)
    facts["hash_hours"] = 2.0 ** round(bits, 1) / RATE / 3600
    verdict = item.verdict
    if verdict is None:
        return
    clue = Clue(kind="check-digit", because=because)
    verdict = replace(verdict, evidence=(*verdict.evidence, clue))
    if people and verdict.entity in ("HASH", "BASE64", "UUID", "UNRESOLVED_ID", "PERSON_ID", "RECORD_ID"):
        verdict = replace(verdict, entity=entity, detail=verdict.entity.lower(), confidence=0.99)
    item.verdict = verdict
