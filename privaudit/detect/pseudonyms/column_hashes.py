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
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, permutations

from privaudit.base.arrow import pa, pc
from privaudit.base.records import dataclass
from privaudit.base.sampling import keyed_hashes, lowest
from privaudit.detect.column_evidence import ColumnEvidence, remark
from privaudit.detect.ledger import Claim
from privaudit.detect.pseudonyms import digests
from privaudit.detect.pseudonyms.digests import Encoding
from privaudit.model import Clue, vocabulary
from privaudit.model.headers import read_header
from privaudit.model.wording import Columns, Fact, Name, fact
from privaudit.source.dataset import Dataset

RATE = 1e7
"""Digests per second on one core: what `openssl speed` measures for SHA-256 of short inputs on processors with SHA
instructions. One graphics card computes 2*10^10 (hashcat 6.2.6, RTX 4090)."""

_BUDGET = 50_000  # values times functions tried for one column of digests, each in every form: a quarter of a second
_MOST = 300  # values of another column that are tried; at least a fifth in wide tables
_MOST_AUXILIARY = 2000  # values of a column of the auxiliary table, which may contain many more people
_LEAST_MATCHES = 3
_LEAST_EXPLAINED = 0.5  # of the digests: hashes of small numbers match many columns of small numbers
_LONG = 6  # characters from which matched values are proof, whatever share of the digests they explain
_ROWS = 10  # rows on which joined columns are tried: three matches are proof
_MOST_PARTS = 6  # columns that are joined: 30 pairs and 20 triples
_SEPARATORS = ("", " ", "|", "-", "_", ",", ":", ";", "#", "/", ", ")


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


FORMS: dict[str, Callable[[str], bytes]] = {
    "as_is": _bytes,
    "trimmed": lambda text: _bytes(text.strip()),
    "lower_case": lambda text: _bytes(text.strip().lower()),
    "upper_case": lambda text: _bytes(text.strip().upper()),
    "digits": lambda text: _bytes(re.sub("[^0-9]", "", text)),
    "line_end": lambda text: _bytes(text + "\n"),
    "utf16": lambda text: text.encode("utf-16-le", "surrogatepass"),
}
"""How values are written before hashing: the end of a code ``detect.pseudonyms_input_...``, and the function."""


@dataclass(slots=True)
class Digests:
    """A column of digests: how they are encoded, and its values in canonical encoding."""

    item: ColumnEvidence
    encoding: Encoding
    values: pa.Array


@dataclass(frozen=True, slots=True)
class _Source:
    """What is tried: values of a column, or of columns joined by a separator, and whether they identify people."""

    columns: tuple[str, ...]
    texts: list[str]
    n_distinct: int
    people: bool
    separator: str | None = None

    @property
    def long(self) -> bool:
        """Whether a match is proof by itself."""
        return self.separator is not None or sorted(map(len, self.texts))[len(self.texts) // 2] >= _LONG


def find_digests(table: Sequence[ColumnEvidence]) -> Iterator[Digests]:
    """Yield the columns of `table` that may hold digests."""
    for item in table:
        key_like = item.entity is None and item.ledger.measurements.get("key_like")
        if item.entity in _may_be_digests() or key_like:
            encoding = digests.guess_encoding(item.column)
            if encoding is not None:
                yield Digests(item, encoding, encoding.canonical(item.column.values))


def is_explained(
    one: Digests, table: Sequence[ColumnEvidence], dataset: Dataset, auxiliary: Dataset | None, seed: int
) -> bool:
    """Report the columns of which `one` is a hash; return whether there are any."""
    return (
        _hashes_values(one, list(_of_table(one, table)), "column", "hash_of_sibling")
        or _hashes_values(one, list(_of_auxiliary(one, auxiliary, seed)), "auxiliary", "hash_of_auxiliary")
        or _hashes_values(one, list(_of_rows(one, table, dataset)), "rows", "hash_of_sibling")
    )


def _of_table(one: Digests, table: Sequence[ColumnEvidence]) -> Iterator[_Source]:
    others = [
        item
        for item in table
        if item is not one.item and item.column.n_distinct >= 2 and item.column.data_type not in ("boolean", "nested")
    ]
    most = _most(one, len(others), _MOST)
    for column, entity in ((item.column, item.entity) for item in others):
        texts = column.raw.take(column.drawn[:most]).to_pylist()
        yield _Source((column.name,), texts, column.n_distinct, _is_direct(entity))


def _of_auxiliary(one: Digests, auxiliary: Dataset | None, seed: int) -> Iterator[_Source]:
    if auxiliary is None:
        return
    for name in auxiliary.columns:
        cells = auxiliary.frequencies(name).values
        if len(cells) >= 2:
            most = _most(one, len(auxiliary.columns), _MOST_AUXILIARY)
            texts = cells.take(lowest(keyed_hashes(cells, seed), most)).to_pylist()
            people = any(_is_direct(hint.entity) for hint in read_header(name).hints)
            yield _Source((name,), texts, len(cells), people)


def _most(one: Digests, n_columns: int, most: int) -> int:
    """Return how many values of each of `n_columns` are tried, so that wide tables take no longer than narrow ones."""
    return max(most // 5, min(most, _BUDGET // max(1, n_columns * len(one.encoding.functions))))


def _hashes_values(one: Digests, sources: Sequence[_Source], code: str, measurement: str) -> bool:
    """Hash the values of `sources` in every form by every function; report the first that explains the digests."""
    tried: dict[tuple[int, str, str], int] = {}
    made: dict[str, list[tuple[int, str, str]]] = {}
    for place, source in enumerate(sources):
        seen: set[tuple[bytes, ...]] = set()
        forms = FORMS if source.separator is None else {form: FORMS[form] for form in ("as_is", "lower_case")}
        for form, write in forms.items():
            inputs = tuple(map(write, source.texts))
            if inputs in seen or sum(map(bool, inputs)) < 2:
                continue
            seen.add(inputs)
            for name in one.encoding.functions:
                make, trial = digests.function(name), (place, form, name)
                hashed = {one.encoding.encode(make(text)) for text in inputs if text}
                tried[trial] = len(hashed)
                for digest in hashed:
                    made.setdefault(digest, []).append(trial)
    known = pc.unique(one.values.filter(pc.is_in(one.values, value_set=pa.array(list(made), type=one.values.type))))
    matches = Counter(trial for digest in known.to_pylist() for trial in made[digest])
    n_digests = one.item.column.n_distinct
    for trial, n_tried in tried.items():
        source, n_matches = sources[trial[0]], matches[trial]
        chance = n_tried * n_digests * 2.0**-one.encoding.bits
        explained = n_matches / n_tried * source.n_distinct / n_digests
        enough = n_matches >= min(_LEAST_MATCHES, n_tried) + 5 * chance
        if enough and (source.long or explained >= _LEAST_EXPLAINED):
            because = _because(source, code, trial[1], trial[2])
            report_hash(one.item, because, math.log2(source.n_distinct), people=source.people)
            one.item.ledger.measurements[measurement] = 1.0
            return True
    return False


def _because(source: _Source, code: str, form: str, function: str) -> Fact:
    columns, name = Columns(source.columns), Name(function)
    if source.separator is None:
        written = fact(f"detect.pseudonyms_input_{form}")
        return fact(f"detect.pseudonyms_hash_of_{code}", function=name, column=columns, form=written)
    if not source.separator:
        return fact("detect.pseudonyms_hash_concatenated", function=name, columns=columns)
    separator = Name(source.separator)
    return fact("detect.pseudonyms_hash_joined", function=name, columns=columns, separator=separator)


def _of_rows(one: Digests, table: Sequence[ColumnEvidence], dataset: Dataset) -> Iterator[_Source]:
    """Yield two or three columns of the same row, joined; a column named salt may be one of them."""
    others = [item for item in table if item is not one.item and (_rank(item) is not None or _is_salt(item))]
    best = sorted(others, key=lambda item: (not _is_salt(item), _rank(item) or math.inf))[:_MOST_PARTS]
    parts = [item for item in table if item in best]
    names = [item.column.name for item in parts]
    if len(parts) < 2:
        return
    column = one.item.column
    wanted = column.raw.take(column.drawn[: 2 * _ROWS]).to_pylist()
    found = dataset.rows_holding([column.name, *names], column.name, wanted).drop_null()
    cells = [[str(text).strip() for text in found[name].to_pylist()] for name in names]
    rows = sorted(set(zip(*cells, strict=True)))[:_ROWS]
    for chosen in (*permutations(range(len(parts)), 2), *combinations(range(len(parts)), 3)) if rows else ():
        columns = [parts[place].column for place in chosen]
        people = any(_is_direct(parts[place].entity) for place in chosen)
        for separator in _SEPARATORS:
            texts = [separator.join(row[place] for place in chosen) for row in rows]
            n_joined = max(column.n_distinct for column in columns)
            yield _Source(tuple(column.name for column in columns), texts, n_joined, people, separator)


def _may_be_digests() -> frozenset[str]:
    keys = vocabulary.in_group("key") - {"ROW_NUMBER", "SESSION_ID"}
    return keys | vocabulary.with_trait("opaque_code") | vocabulary.in_group("secret")


def _is_salt(item: ColumnEvidence) -> bool:
    return bool({"salt", "nonce", "pepper"} & set(item.column.header.words))


def _rank(item: ColumnEvidence) -> int | None:
    return None if item.entity is None else vocabulary.entity_type(item.entity).linkage_rank


def _is_direct(entity: str | None) -> bool:
    return entity is not None and vocabulary.entity_type(entity).role == "direct"


def report_hash(item: ColumnEvidence, because: Fact, bits: float, *, people: bool) -> None:
    """Add to a column of digests what was hashed, the size of the input space in `bits` and the hours to try it.

    With `people`, the inputs identify people and the column becomes a pseudonym.
    """
    item.ledger.measurements |= {
        "hash_like": 1.0,
        "hash_preimage_bits": round(bits, 1),
        "hash_hours": 2.0 ** round(bits, 1) / RATE / 3600,
    }
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
