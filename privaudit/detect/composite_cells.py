"""Columns whose cells hold several values: "+358 40 123 4567 / a@b.example", "Anna Salo (3.4.1980)", "171 30 Uppsala".

Question: which values share the cells of a column, and of which entity types are they?
Method: cells are divided at separators: commas, semicolons, bars, brackets, and signs between blanks. Where these
divide few cells, the border between a number and words divides them. A part is a number, words, an e-mail address or a
mixture. The first numbers of all cells are a column, the second ones another, and so on for each kind, whatever order
the cells have them in. Cells that a few such patterns describe are composite; others are text. Each column of parts is
read as every column is, without a column name. The composite column contains the entity types of its parts, and is of
the one with the most protected role if most cells contain it.
Limits: `SAMPLE` distinct values are divided. A column that its whole cells explain is not divided, and a name counts
only next to another part that is known, because streets, companies and titles are named after people. A long number
that nothing explains is an identifier next to words ("KCB 3130714217") as it is alone. A place decides
what the column is only where all parts that most cells have are known, and the cells are not text that protects more.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from functools import cache

import numpy as np

from privaudit.base.arrays import Ints
from privaudit.base.arrow import pa
from privaudit.base.patterns import Expression
from privaudit.base.records import dataclass
from privaudit.detect.column import SAMPLE, Column
from privaudit.detect.column_evidence import ColumnEvidence
from privaudit.detect.ledger import Claim, Entry, claim_for
from privaudit.detect.resolver import LEAST, akin
from privaudit.model import Contained, Estimate, Verdict
from privaudit.model.headers import read_header
from privaudit.model.stats import wilson
from privaudit.model.vocabulary import entity_type, with_trait
from privaudit.model.vocabulary.table import identifying_types
from privaudit.model.wording import EntityType, fact
from privaudit.source.profile.data_types import infer_data_type

Counts = Ints
FEWEST = 5
"""Different cells below which chance may make all of them alike."""
_MOST, _DIVIDED = 0.5, 0.1  # by hand: most cells; fewer cells with several values may be mistakes
_SUREST = 0.9  # by hand: of a part that has no column name
_PATTERNS, _DESCRIBED = 6, 0.8  # by hand: patterns of parts that describe the cells; text has a new one in most cells
_LONG = 8  # digits of a number that is not a count, as of a column of such numbers
_LONGEST = 80  # by hand: characters of a cell on average, above which it is text
_SCREENED = 200
_SEPARATOR = Expression(r"\s*(?:[,;|()\[\]\n]+|\s[-–—/·•+]\s|(?<=[^\W\d])/|/(?=[^\W\d]))[\s,;|()\[\]]*")
_BORDER = Expression(r"^(\+?\d[\d .\-/]*(?: ?[A-Z]{2}(?= ))?) +(\D{3,})$|^(\D{3,}?) +(\+?\d[\d .\-/]*)$")
_PART = "detect.part_of_cells"
Divide = Callable[[str], list[str]]
Reader = Callable[[Sequence[Column]], Sequence[ColumnEvidence]]


@dataclass(frozen=True, slots=True)
class Part:
    """A column of parts; `share` is that of the cells with such a part."""

    column: Column
    share: float


def read_parts(item: ColumnEvidence, read: Reader) -> Iterator[Entry]:
    """Yield what the parts of the cells are; `read` returns the evidence on columns of parts."""
    column = item.column
    parts = divide(column) if _may_be_composite(item) else []
    evidence = read([part.column for part in parts]) if parts else []
    found = [(one.verdict, part) for part, one in zip(parts, evidence, strict=True) if one.verdict is not None]
    explained = [(verdict, part) for verdict, part in found if verdict.entity not in _open()]
    known = {verdict.entity for verdict, _ in explained}
    claims = [
        _claim(column, verdict, part) for verdict, part in explained
        if verdict.entity in _reported() and not _may_be_a_thing(verdict, known)
    ]  # fmt: skip
    for claim in claims:
        share = claim.share or column.exact(claim.n_cells)
        yield Contained(
            entity=claim.entity, detail=claim.detail, n_cells=claim.n_cells, share=share, evidence=claim.clues
        )
    # A place next to words that nothing explains does not show what the cells are: they may be an address.
    is_known = _n_usual(parts) == _n_usual([part for _, part in explained])
    # Next to text that may name people, a place protects less than the text does.
    types = _of_whole() if is_known and not _is_sensitive(item) else identifying_types()
    claims += [_claim(column, verdict, part) for verdict, part in found if _is_long_number(verdict, part)]
    types = types | with_trait("provisional")
    whole = [claim for claim in claims if claim.n_cells >= _MOST * column.n_present and claim.entity in types]
    yield from sorted(whole, key=_protection)[-1:]


def _is_long_number(verdict: Verdict, part: Part) -> bool:
    """Whether a part is a number as long as those of accounts, and nothing shows its meaning."""
    integer = part.column.data_type == "integer" and part.column.shortest >= _LONG
    return integer and verdict.entity in with_trait("provisional")


def _is_sensitive(item: ColumnEvidence) -> bool:
    return item.entity is not None and entity_type(item.entity).role == "sensitive"


def _n_usual(parts: Sequence[Part]) -> int:
    return sum(part.share >= _MOST for part in parts)


def is_composite(verdict: Verdict) -> bool:
    """Whether a column is of the entity type of one of the parts of its cells."""
    return any(clue.because.code == _PART for clue in verdict.evidence)


def _claim(column: Column, verdict: Verdict, part: Part) -> Claim:
    """Return the claim that `column` is what one of its parts is."""
    share = _estimate(column, verdict.share.value * part.share)
    because = fact(_PART, entity=EntityType(verdict.entity))
    return claim_for(
        column, verdict.entity, min(verdict.confidence, _SUREST), verdict.evidence[0].kind, because,
        earlier=verdict.evidence, cells=round(share.value * column.n_present), detail=verdict.detail, share=share,
        generic=verdict.entity in with_trait("provisional"),
    )  # fmt: skip


def _may_be_a_thing(verdict: Verdict, known: Collection[str]) -> bool:
    """Whether nothing but the part itself shows a person.

    Streets and companies are named after people, and the numbers of things ("Box 40") have the form of ages.
    """
    others = {other for other in known if other != verdict.entity and not akin(verdict.entity, other)}
    if not others:
        return verdict.entity in with_trait("person_name") or {clue.kind for clue in verdict.evidence} == {"shape"}
    return verdict.entity in with_trait("person_name") and others <= {"STREET_ADDRESS"}


@cache
def _reported() -> frozenset[str]:
    """Return the entity types of a part that are reported; without its column name, a date of an event is any date."""
    return with_trait("implies_person") | _of_whole()


@cache
def _of_whole() -> frozenset[str]:
    """Return the entity types of a part that are those of the column: identifiers of people, and places."""
    return identifying_types() | with_trait("place_name") | {"POSTAL_CODE"}


def _protection(claim: Claim) -> tuple[bool, bool, float, str]:
    known = claim.entity not in with_trait("provisional")
    return entity_type(claim.entity).role == "direct", known, claim.strength, claim.entity


def _estimate(column: Column, share: float) -> Estimate:
    """Return a share of the cells, which is exact where all distinct values were divided."""
    if column.n_distinct > SAMPLE:
        n = column.n_effective(SAMPLE)
        return wilson(share * n, n)
    return column.exact(round(share * column.n_present))


def _may_be_composite(item: ColumnEvidence) -> bool:
    """Whether whole cells do not explain a column of texts."""
    column, reading = item.column, item.reading
    if column.data_type != "text" or column.n_distinct < FEWEST or item.has_groups:
        return False
    explained = reading is not None and reading.from_values >= LEAST and reading.entity not in _open()
    return not explained and float(column.lengths.mean()) <= _LONGEST


@cache
def _open() -> frozenset[str]:
    """Return the entity types that the values of a composite column suggest as a whole."""
    return with_trait("provisional") | with_trait("record_key") | {"FREE_TEXT"}


def divide(column: Column) -> list[Part]:
    """Return the columns of parts that many cells have; none where the cells are not composite."""
    texts, counts = column.chosen(SAMPLE)
    for separate in (_at_separators, _at_border):
        if _are_divided(texts[:_SCREENED], counts[:_SCREENED], separate):
            return list(_columns(column, texts, counts, separate))
    return []


def _at_separators(text: str) -> list[str]:
    return [part for part in _SEPARATOR.split(text.strip(" ,;|()[]")) if part]


def _at_border(text: str) -> list[str]:
    found = _BORDER.match(text)
    return [text] if found is None else [part for part in found.groups() if part]


def _are_divided(texts: Sequence[str], counts: Counts, separate: Divide) -> bool:
    """Whether many cells have several parts, and a few patterns of parts describe most cells."""
    divided = [separate(text) for text in texts]
    total, several = counts.sum(), counts[[len(parts) > 1 for parts in divided]].sum()
    if several < _DIVIDED * total:
        return False
    patterns: Counter[tuple[str, ...]] = Counter()
    for parts, n in zip(divided, counts.tolist(), strict=True):
        patterns[tuple(map(_kind, parts))] += n
    return sum(n for _, n in patterns.most_common(_PATTERNS)) >= float(_DESCRIBED * total)


def _kind(part: str) -> str:
    if "@" in part:
        return "mail"
    if part.isdigit():
        return "number"
    digits = sum(map(str.isdigit, part))
    if not digits:
        return "words"
    return "number" if digits > sum(map(str.isalpha, part)) else "mixed"


def _columns(column: Column, texts: Sequence[str], counts: Counts, separate: Divide) -> Iterator[Part]:
    """Yield a column for the first parts of a kind, one for the second parts, and so on."""
    places: defaultdict[tuple[str, int], Counter[str]] = defaultdict(Counter)
    for text, n in zip(texts, counts.tolist(), strict=True):
        seen: Counter[str] = Counter()
        for part in separate(text):
            kind = _kind(part)
            places[kind, seen[kind]][part] += n
            seen[kind] += 1
    total = int(counts.sum())
    for cells in places.values():
        share = cells.total() / total
        if share >= _DIVIDED:
            yield Part(_column(column, cells), share)


def _column(column: Column, cells: Counter[str]) -> Column:
    """Return parts, with the rows of each, as a column without a column name."""
    values = pa.array(list(cells), pa.large_string())
    counts = np.fromiter(cells.values(), np.int64, len(cells))
    data_type = infer_data_type(values, counts, np.zeros(len(cells), dtype=np.bool_)).data_type
    profile = replace(column.profile, data_type=data_type)
    return Column(profile, read_header(""), values, counts, column.seed, values)
