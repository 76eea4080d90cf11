"""Hashes of other columns: pseudonyms that anyone can reverse.

Question: is a column of digests the unsalted hash of another column, of this table or of the auxiliary table?
Method: length and alphabet suggest the functions (digests.py). A seeded sample of the values of each other column is
hashed unchanged, trimmed, in lower and upper case, as digits only, with a line end and in UTF-16, and looked up among
all digests. Digests that no column explains are compared with two and three columns of the same row, joined by the
usual separators. Matches beyond chance prove that neither salt nor key was used.
Limits: hashes of values in no other column are left to brute_force.py; no match proves nothing.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import TYPE_CHECKING

from privaudit import vocabulary
from privaudit.detect.column_evidence import ColumnEvidence, remark
from privaudit.detect.ledger import Claim
from privaudit.detect.pseudonyms import digests
from privaudit.detect.pseudonyms.digests import Encoding
from privaudit.detect.sampling import keyed_hashes, lowest
from privaudit.headers import read_header
from privaudit.model import Clue
from privaudit.wording import Columns, Fact, Name, Value, fact

if TYPE_CHECKING:
    import pyarrow as pa

    from privaudit.source.dataset import Dataset

RATE = 1e7
"""Digests per second on one core: what `openssl speed` measures for SHA-256 of short inputs on processors with SHA
instructions. One graphics card computes 2*10^10 (hashcat 6.2.6, RTX 4090)."""

_BUDGET = 50_000  # values times functions tried for one column of digests, each in every form
_MOST = 300  # values of another column that are tried; at least 60
_MOST_AUXILIARY = 2000  # values of a column of the auxiliary table, which may contain many more people
_LEAST_MATCHED = (
    0.2  # of the values tried; the other column may contain errors or more people than the digests
)
_LEAST_EXPLAINED = 0.5  # of the digests: hashes of small numbers match many columns of small numbers
_LONG = 6  # characters from which three matched values are proof, whatever share of the digests they explain
_ROWS = 40  # rows on which joined columns are tried
_MOST_PARTS = 6  # columns that are joined
_SEPARATORS = ("", " ", "|", "-", "_", ",", ":", ";", "#", "/", ", ")
Form = Callable[[str], bytes]


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


FORMS: tuple[tuple[str, Form], ...] = (
    ("as_is", _bytes),
    ("trimmed", lambda text: _bytes(text.strip())),
    ("lower_case", lambda text: _bytes(text.strip().lower())),
    ("upper_case", lambda text: _bytes(text.strip().upper())),
    ("digits", lambda text: _bytes(re.sub("[^0-9]", "", text))),
    ("line_end", lambda text: _bytes(text + "\n")),
    ("utf16", lambda text: text.encode("utf-16-le", "surrogatepass")),
)
"""How values are written before hashing: the end of a code ``detect.pseudonyms_input_...``, and the function."""


@dataclass(slots=True)
class Digests:
    """A column of digests: how they are encoded, and its values in canonical encoding."""

    item: ColumnEvidence
    encoding: Encoding
    values: pa.Array

    @property
    def n(self) -> int:
        """Distinct digests."""
        return self.item.column.n_distinct


_Trial = tuple[str, str, str]  # column, form, function


class _Trials:
    """All inputs hashed for one column of digests, looked up in a single pass over it."""

    def __init__(self, one: Digests) -> None:
        self.one = one
        self.tried: dict[_Trial, int] = {}
        self._made: dict[str, list[_Trial]] = {}

    def add(self, source: str, texts: Sequence[str]) -> None:
        """Hash `texts` of the column `source` in every distinct form and by every function."""
        seen: set[tuple[bytes, ...]] = set()
        for form, encode in FORMS:
            data = tuple(encode(text) for text in texts)
            if data in seen or sum(map(bool, data)) < 2:
                continue
            seen.add(data)
            for name in self.one.encoding.functions:
                make = digests.function(name)
                hashed = {self.one.encoding.encode(make(one)) for one in data if one}
                self.tried[source, form, name] = len(hashed)
                for text in hashed:
                    self._made.setdefault(text, []).append((source, form, name))

    def matches(self) -> Counter[_Trial]:
        """Return how many inputs of each trial are among the digests."""
        found = digests.known(self.one.values, self._made)
        return Counter(trial for text in found for trial in self._made[text])


def find_digests(table: Sequence[ColumnEvidence]) -> list[Digests]:
    """Return the columns of `table` that may hold digests."""
    found = []
    for item in table:
        key_like = item.entity is None and item.ledger.measurements.get("key_like")
        if item.entity in _may_be_digests() or key_like:
            encoding = digests.guess_encoding(item.column)
            if encoding is not None:
                found.append(
                    Digests(item, encoding, digests.canonical(item.column.values, encoding.alphabet))
                )
    return found


def explain_by_columns(
    tried: Sequence[Digests],
    table: Sequence[ColumnEvidence],
    dataset: Dataset,
    auxiliary: Dataset | None,
    seed: int,
) -> list[Digests]:
    """Report every column of digests that hashes other columns; return the digests that none explains."""
    unexplained = []
    for one in tried:
        if not (
            _matches_column(one, table)
            or _matches_auxiliary(one, auxiliary, seed)
            or _matches_joined(one, table, dataset)
        ):
            unexplained.append(one)
    return unexplained


def _matches_column(one: Digests, table: Sequence[ColumnEvidence]) -> bool:
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
    matches = trials.matches()
    for (name, form, function), n_tried in trials.tried.items():
        n_matches, n_distinct = matches[name, form, function], others[name].column.n_distinct
        share = n_matches / n_tried
        enough = n_matches >= 2 + 5 * _expected(one, n_tried) and share >= _LEAST_MATCHED
        if enough and share * n_distinct / one.n >= _LEAST_EXPLAINED:
            because = _of_column("detect.pseudonyms_hash_of_column", name, form, function)
            report_hash(one.item, because, math.log2(n_distinct), people=_is_direct(others[name].entity))
            one.item.ledger.measurements["hash_of_sibling"] = 1.0
            return True
    return False


def _most(one: Digests, n_columns: int, most: int) -> int:
    """Return how many values of each of `n_columns` are tried, so that wide tables take no longer than narrow ones."""
    return max(most // 5, min(most, _BUDGET // max(1, n_columns * len(one.encoding.functions))))


def _expected(one: Digests, n_tried: int) -> float:
    """Return how many of `n_tried` unrelated inputs are expected among the digests."""
    return n_tried * one.n * float(2.0**-one.encoding.bits)


def _matches_auxiliary(one: Digests, auxiliary: Dataset | None, seed: int) -> bool:
    """Try the values of the auxiliary table; the two tables may have few people in common."""
    if auxiliary is None:
        return False
    trials = _Trials(one)
    sizes: dict[str, tuple[int, bool]] = {}
    most = _most(one, len(auxiliary.columns), _MOST_AUXILIARY)
    for name in auxiliary.columns:
        cells = auxiliary.frequencies(name).values
        if len(cells) >= 2:
            texts = cells.take(lowest(keyed_hashes(cells, seed), most)).to_pylist()
            sizes[name] = len(cells), sorted(map(len, texts))[len(texts) // 2] >= _LONG
            trials.add(name, texts)
    matches = trials.matches()
    for (name, form, function), n_tried in trials.tried.items():
        n_matches, (n_distinct, long) = matches[name, form, function], sizes[name]
        explained = n_matches / n_tried * n_distinct / one.n
        if n_matches >= 3 + 5 * _expected(one, n_tried) and (long or explained >= _LEAST_EXPLAINED):
            because = _of_column("detect.pseudonyms_hash_of_auxiliary", name, form, function)
            people = any(_is_direct(hint.entity) for hint in read_header(name).hints)
            report_hash(one.item, because, math.log2(n_distinct), people=people)
            one.item.ledger.measurements["hash_of_auxiliary"] = 1.0
            return True
    return False


def _matches_joined(one: Digests, table: Sequence[ColumnEvidence], dataset: Dataset) -> bool:
    """Try two or three columns of the same row, joined; a column named salt may be one of them."""
    others = [item for item in table if item is not one.item and (_rank(item) is not None or _is_salt(item))]
    parts = sorted(others, key=lambda item: (not _is_salt(item), _rank(item) or math.inf))[:_MOST_PARTS]
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
    goal = digests.canonical(rows[column.name].combine_chunks(), one.encoding.alphabet).to_pylist()
    cells = {name: [str(text).strip() for text in rows[name].to_pylist()] for name in names}
    found = _find_joined(one.encoding, goal, cells)
    if found is None:
        return False
    chosen, function, separator = found
    people = any(_is_direct(item.entity) for item in parts if item.column.name in chosen)
    n_joined = max(item.column.n_distinct for item in parts if item.column.name in chosen)
    values: dict[str, Value] = {"function": Name(text=function), "columns": Columns(names=chosen)}
    because = (
        fact("detect.pseudonyms_hash_joined", **values, separator=Name(text=separator))
        if separator
        else fact("detect.pseudonyms_hash_concatenated", **values)
    )
    report_hash(one.item, because, math.log2(n_joined), people=people)
    one.item.ledger.measurements["hash_of_sibling"] = 1.0
    return True


def _find_joined(
    encoding: Encoding, goal: Sequence[str], cells: dict[str, list[str]]
) -> tuple[tuple[str, ...], str, str] | None:
    """Return columns, function and separator whose joined cells hash to `goal` in half of the rows or more."""
    lowered = {name: [text.lower() for text in texts] for name, texts in cells.items()}
    made = [(name, digests.function(name)) for name in encoding.functions]
    for chosen in (*permutations(cells, 2), *combinations(cells, 3)):
        for source in (cells, lowered):
            for separator in _SEPARATORS:
                data = [_bytes(separator.join(row)) for row in zip(*(source[n] for n in chosen), strict=True)]
                for name, make in made:
                    # One match in four rows is enough to hash the other rows too.
                    if any(
                        encoding.encode(make(one)) == want for one, want in zip(data[:4], goal, strict=False)
                    ):
                        n_matches = sum(
                            encoding.encode(make(one)) == want for one, want in zip(data, goal, strict=True)
                        )
                        if 2 * n_matches >= len(goal):
                            return chosen, name, separator
    return None


def _row_keys(rows: pa.Table) -> pa.Array:
    import pyarrow as pa

    columns = (rows[name].to_pylist() for name in rows.column_names)
    return pa.array(["\x1f".join(map(str, row)) for row in zip(*columns, strict=True)], pa.string())


def _may_be_digests() -> frozenset[str]:
    keys = vocabulary.in_group("key") - {"ROW_NUMBER", "SESSION_ID"}
    return keys | vocabulary.with_trait("opaque_code") | vocabulary.in_group("secret")


def _is_salt(item: ColumnEvidence) -> bool:
    return bool({"salt", "nonce", "pepper"} & set(item.column.header.words))


def _rank(item: ColumnEvidence) -> int | None:
    return None if item.entity is None else vocabulary.entity_type(item.entity).linkage_rank


def _is_direct(entity: str | None) -> bool:
    return entity is not None and vocabulary.entity_type(entity).role == "direct"


def _of_column(code: str, name: str, form: str, function: str) -> Fact:
    written = fact(f"detect.pseudonyms_input_{form}")
    return fact(code, function=Name(text=function), column=Columns(names=(name,)), form=written)


def report_hash(item: ColumnEvidence, because: Fact, bits: float, *, people: bool) -> None:
    """Add to a column of digests what was hashed, the size of the input space in `bits` and the hours to try it.

    With `people`, the inputs identify people and the column becomes a pseudonym.
    """
    measurements = item.ledger.measurements
    measurements["hash_like"] = 1.0
    measurements["hash_preimage_bits"] = round(bits, 1)
    measurements["hash_hours"] = 2.0 ** round(bits, 1) / RATE / 3600
    verdict = item.verdict
    if verdict is None:
        return
    clue = Clue(kind="check-digit", because=because)
    if people and verdict.entity in _may_be_digests() - vocabulary.in_group("secret") - {"PSEUDONYM"}:
        claim = Claim(
            entity="PSEUDONYM",
            strength=1.0,  # the input of each digest is known
            detail=verdict.entity.lower(),
            n_cells=round(verdict.share.value * item.column.n_present),
            share=verdict.share,
            clues=(*verdict.evidence, clue),
            answers=tuple(claim for claim in item.ledger.claims if claim.is_for),
        )
        item.post([claim])
    else:
        item.post([remark(verdict.entity, clue)])
