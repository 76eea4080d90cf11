"""Personal values inside the cells of a text column, found by patterns.

Question: in how many rows does a note, a comment or a log line contain an e-mail address, a card or a tax number?
Method: every distinct cell is normalised. Cells that one RE2 expression finds suspicious get a second reading appended,
after blank lines: HTML entities, percent and backslash escapes and quoted-printable are decoded, "at" and "dot" in
brackets or between words are replaced, separated characters and numbers around a line break are joined. Cells pass the
prefilters of the catalogue of detectors, vectorised in Arrow; the few candidates are checked exactly in Python, with
check digits, numbering plans and the words around them (`detect.catalogue.forms` does both). A label such as "order"
makes a number a reference, unless many different numbers after such labels are valid. Of overlapping readings, the
stronger is kept, then the one of higher precedence; identifiers of machines (UUID, digest, time stamp) exclude what
lies inside them. Readings whose only evidence is one check digit count only where the column has more valid check
digits than chance gives.
Limits: names and places need the language model (language_model.py). A number without check digit, form or a word
next to it is not reported here, nor are spelled-out digits ("four one one"), words for at and dot in other languages,
and base64. Counts are of rows, exact over all non-missing cells.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import NamedTuple, TypeAlias
from urllib.parse import unquote
from zlib import crc32

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from privaudit.base.arrays import Ints
from privaudit.base.group_labels import SEPARATOR
from privaudit.base.parallel import each
from privaudit.base.patterns import Expression
from privaudit.base.records import dataclass
from privaudit.detect.catalogue import forms as catalogue
from privaudit.detect.catalogue.forms import Reading, Spec, digits_of
from privaudit.detect.catalogue.normalise import normalise, plain_text
from privaudit.detect.chance import FEWEST, is_by_chance, rate_by_chance
from privaudit.model import Contained, vocabulary
from privaudit.model.stats import exact
from privaudit.settings.config import Progress, silent

CHUNK = 1 << 16
SHORTEST = 6  # bytes: no form is shorter
_KEPT = 400  # invalid candidates, from which is estimated how many chance makes valid
# Different numbers after a label, and the share of valid ones, that no running number reaches: of random numbers, 1 in
# 10 passes the check digit of a card, and 8 in 9 obey the rules of social security numbers.
_MANY, _NEARLY_ALL = 60, 0.97

_MACHINE = Expression(
    r"(?<![0-9A-Za-z])(?:[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"
    r"|(?=[0-9]{0,39}[a-fA-F])[0-9a-fA-F]{24,128}"
    r"|[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,9})?)?(?:Z|[+-][0-9]{2}:?[0-9]{2})?"
    r"|97[89](?:(?:-[0-9]{1,7}){3}-[0-9]|[0-9]{10}))(?![0-9A-Za-z])"
)
_AT = r"(?:at|arroba|ät|a|@)"
_DOT = r"(?:dot|punto|punkt|ponto|point|\.)"
# One pass finds the cells that need a second reading.
SUSPECT = (
    r"(?i)&(?:#x?[0-9a-f]{1,6}|[a-z]{2,8});|%[2-5][0-9a-f]|\\(?:u00|x)[2-7][0-9a-f]|=40|=\r?\n"
    rf"|[\[({{<]\s?{_AT}\s?[\])}}>]|[\[({{<]\s?{_DOT}\s?[\])}}>]|\s(?:at|arroba)\s[^\n]+\s(?:dot|punto|ponto)\s"
    r"|(?:[0-9][ ._-]{1,3}){6}[0-9]|(?:^|\s)(?:\S {1,3}){8}\S(?:\s|$)|[0-9]-?[ \t]*\r?\n[ \t]*[0-9]"
)
_ESCAPED = Expression(r"\\(?:u00|x)([2-7][0-9a-fA-F])")
_QUOTED = Expression(r"=(40|2E|2B)|=\r?\n", re.IGNORECASE)
_BRACKETED_AT = Expression(rf"\s?[\[({{<]\s?{_AT}\s?[\])}}>]\s?", re.IGNORECASE)
_BRACKETED_DOT = Expression(rf"\s?[\[({{<]\s?{_DOT}\s?[\])}}>]\s?", re.IGNORECASE)
_SPOKEN = Expression(
    r"(?<![\w.])([a-z0-9][a-z0-9._%+-]{0,40})\s{1,2}(?:at|arroba)\s{1,2}"
    r"([a-z0-9-]{2,40}(?:\s{1,2}(?:dot|punto|ponto)\s{1,2}[a-z0-9-]{2,24}){1,3})(?![\w])",
    re.IGNORECASE,
)
_SPOKEN_DOT = Expression(r"\s{1,2}(?:dot|punto|ponto)\s{1,2}", re.IGNORECASE)
_APART = Expression(r"(?<![0-9A-Za-z.,])\+?[0-9](?:[ ._-]{1,3}[0-9](?![0-9])){6,24}(?![0-9A-Za-z])")
_SPREAD = Expression(r"(?<!\S)(?:\S {1,3}){8,64}\S(?!\S)")
_BROKEN = Expression(r"(?<=[0-9])(-?)[ \t]*\r?\n[ \t]*(?=[0-9])")


class _Hit(NamedTuple):
    spec: Spec
    start: int
    end: int
    reading: Reading


_Cells: TypeAlias = dict[int, tuple[str, list[_Hit]]]
"""The texts of cells and their readings, by number."""


class _Evidence(NamedTuple):
    """What a cell contains, wherever in it: cells that contain the same are counted together."""

    spec: Spec
    reading: Reading

    @property
    def key(self) -> tuple[str, str | None]:
        """Entity type and detail."""
        return self.spec.entity, self.reading.detail


@dataclass(slots=True)
class _Tally:
    """What one form has found in a column: candidates that only a check digit supports, and numbers after a label.

    Of the invalid candidates, those with the lowest hashes are kept: the same ones in any order of the cells.
    """

    n_weak: int = 0
    n_weak_valid: int = 0
    invalid: dict[int, str] = field(default_factory=dict)
    labelled: dict[int, bool] = field(default_factory=dict)  # hash of the digits -> valid

    def add_weak(self, text: str, *, is_valid: bool) -> None:
        self.n_weak += 1
        self.n_weak_valid += is_valid
        if not is_valid:
            self.invalid[crc32(text.encode())] = text
        if len(self.invalid) > 2 * _KEPT:
            self._keep()

    def _keep(self) -> None:
        self.invalid = dict(sorted(self.invalid.items())[:_KEPT])

    def is_like_chance(self, spec: Spec) -> bool:
        """Whether as many candidates are valid as random numbers are."""
        if self.n_weak < FEWEST or not self.n_weak_valid or not self.invalid:
            return False
        self._keep()
        rate = rate_by_chance([*self.invalid.values()], lambda made: np.array(list(map(spec.passes, made.to_pylist()))))
        return is_by_chance(self.n_weak, self.n_weak_valid, rate)

    @property
    def outvotes_labels(self) -> bool:
        n_valid = sum(self.labelled.values())
        return n_valid >= _MANY and n_valid >= _NEARLY_ALL * len(self.labelled)


def find_embedded(
    values: pa.Array,
    counts: Ints,
    *,
    n_present: int | None = None,
    strict: bool = False,
    forms: tuple[Spec, ...] = (),
    threads: int = 1,
    progress: Progress = silent,
) -> tuple[Contained, ...]:
    """Count the rows whose cell contains a personal value, by entity type.

    Parameters
    ----------
    values : pyarrow.StringArray or LargeStringArray of length d
        The distinct non-missing cells, in any order.
    counts : int64 array of length d
        Rows that hold each.
    n_present : int, optional
        Rows that shares refer to, where `values` are only part of a column; the sum of `counts` by default.
    strict : bool
        Do not count readings whose only evidence is one check digit.
    forms : tuple of Spec, optional
        Search for these only; for all forms of the shipped detectors by default.
    threads : int
        Parts of the column that are searched side by side.
    progress : callable, optional
        Called with the share of cells read.

    Returns
    -------
    tuple of Contained
        One for each entity type that occurs, sorted. ``n_cells`` counts the rows with any value of it; ``share`` is
        ``n_cells / n_present``, exact. ``detail`` is None where values have different details.
    """
    forms = forms or catalogue.specs()
    tallies: defaultdict[Spec, _Tally] = defaultdict(_Tally)
    rows: Counter[frozenset[_Evidence]] = Counter()  # cells with the same evidence

    def search(start: int) -> _Cells:
        return _candidates(second_reading(normalise(_members_apart(values.slice(start, CHUNK)))), forms)

    starts = range(0, len(values), CHUNK)
    for first in range(0, len(starts), threads):
        progress("Searching cells for personal values", first / len(starts))
        together = starts[first : first + threads]
        for start, found in zip(together, each(search, together, threads), strict=True):
            for cell, (text, hits) in found.items():
                _count(text, hits, int(counts[start + cell]), tallies, rows)
    n_present = int(counts.sum()) if n_present is None else n_present
    counted = _counted(frozenset().union(*rows), tallies, strict)
    return tuple(
        _contained(entity, [one for one in counted if one.key[0] == entity], rows, n_present, forms)
        for entity in sorted({one.key[0] for one in counted})
    )


def _members_apart(values: pa.Array) -> pa.Array:
    """Return the cells with each member of a group as if it were a cell: the blanks between them are part of none."""
    return pc.replace_substring(values, SEPARATOR, SEPARATOR.strip())


def _counted(found: frozenset[_Evidence], tallies: Mapping[Spec, _Tally], strict: bool) -> list[_Evidence]:
    """Return the evidence that the column as a whole does not make a coincidence or a reference."""
    weak = {one.spec for one in found if not one.reading.labelled}
    like_chance = {spec for spec in weak if tallies[spec].is_like_chance(spec)}
    by_chance = {one.key for one in found if one.spec in like_chance}

    def counts(one: _Evidence) -> bool:
        if one.reading.labelled:
            return tallies[one.spec].outvotes_labels
        return one.reading.strong or not (strict or one.key in by_chance)

    return [one for one in found if counts(one)]


def _contained(
    entity: str,
    evidence: Sequence[_Evidence],
    rows: Counter[frozenset[_Evidence]],
    n_present: int,
    forms: tuple[Spec, ...],
) -> Contained:
    details, used = {one.key[1] for one in evidence}, {one.spec for one in evidence}
    n_cells = sum(n for cell, n in rows.items() if not cell.isdisjoint(evidence))
    return Contained(
        entity=entity,
        detail=details.pop() if len(details) == 1 else None,
        n_cells=n_cells,
        share=exact(n_cells / n_present, n_present),
        evidence=tuple(spec.clue for spec in forms if spec in used),
    )


def find_spans(text: str) -> tuple[tuple[int, int, str, str | None], ...]:
    """Return the accepted readings of one normalised text as (start, end, entity, detail)."""
    hits = [_Hit(spec, *found) for spec in catalogue.specs() for found in spec.readings(text)]
    hits = [hit for hit in hits if not hit.reading.labelled]
    return tuple((hit.start, hit.end, hit.spec.entity, hit.reading.detail) for hit in _without_overlaps(text, hits))


def _count(
    text: str, hits: list[_Hit], n_rows: int, tallies: defaultdict[Spec, _Tally], rows: Counter[frozenset[_Evidence]]
) -> None:
    """Add the readings of one cell, which `n_rows` rows hold."""
    for hit in hits:
        tally, reading = tallies[hit.spec], hit.reading
        if reading.labelled:
            tally.labelled[hash(digits_of(text[hit.start : hit.end]))] = reading.valid
        elif not reading.strong:
            tally.add_weak(text[hit.start : hit.end], is_valid=reading.valid)
    found = frozenset(
        _Evidence(hit.spec, hit.reading)
        for labelled in (False, True)
        for hit in _without_overlaps(text, [hit for hit in hits if hit.reading.labelled is labelled])
    )
    if found:
        rows[found] += n_rows


def _candidates(texts: pa.Array, forms: tuple[Spec, ...]) -> _Cells:
    """Return the cells in which an exact expression finds something."""
    every = np.flatnonzero(np.asarray(pc.greater_equal(pc.binary_length(texts), SHORTEST)))
    cells: _Cells = {}
    for spec, chosen in catalogue.candidates(texts, every, forms):
        for cell, text in zip(chosen.tolist(), texts.take(pa.array(chosen)).to_pylist(), strict=True):
            hits = [_Hit(spec, *found) for found in spec.readings(text)]
            if hits:
                cells.setdefault(cell, (text, []))[1].extend(hits)
    return cells


def _without_overlaps(text: str, hits: list[_Hit]) -> list[_Hit]:
    """Keep valid readings that do not overlap: strong before weak, then by rank, then the longer, then the earlier."""
    valid = [hit for hit in hits if hit.reading.valid]
    if not valid:
        return []
    taken = [match.span() for match in _MACHINE.finditer(text)]
    kept = []
    for hit in sorted(valid, key=lambda h: (not h.reading.strong, h.spec.rank, h.start - h.end, h.start)):
        place = bisect_left(taken, (hit.start, hit.end))
        free_right = place == len(taken) or taken[place][0] >= hit.end
        free_left = place == 0 or taken[place - 1][1] <= hit.start
        if hit.spec.entity in vocabulary.with_trait("may_overlap") or (free_left and free_right):
            taken.insert(place, (hit.start, hit.end))
            kept.append(hit)
    return kept


def second_reading(values: pa.Array) -> pa.Array:
    """Return `values`, normalised and without missing cells; a decoded text that differs follows after blank lines."""
    suspect = pc.match_substring_regex(values, SUSPECT)
    if not pc.any(suspect).as_py():
        return values
    texts = values.filter(suspect).to_pylist()
    both = [text if (plain := undisguised(text)) == text else f"{text}\n\n\n{plain}" for text in texts]
    return pc.replace_with_mask(values, suspect, pa.array(both, type=values.type))


def undisguised(text: str) -> str:
    """Return `text` with escapes decoded, spelled-out symbols replaced and separated digits joined."""
    if "&" in text:
        import html  # with its table of 2,200 characters

        text = html.unescape(html.unescape(text))
    if "%" in text:
        text = unquote(text, errors="replace")
    text = _ESCAPED.sub(lambda match: chr(int(match[1], 16)), text)
    text = _QUOTED.sub(lambda match: chr(int(match[1], 16)) if match[1] else "", text)
    text = _BRACKETED_DOT.sub(".", _BRACKETED_AT.sub("@", text))
    text = _SPOKEN.sub(lambda match: f"{match[1]}@{_SPOKEN_DOT.sub('.', match[2])}", text)
    text = _SPREAD.sub(lambda match: match[0].replace(" ", ""), text)
    text = _APART.sub(_together, text)
    return plain_text(_BROKEN.sub(lambda match: match[1] or " ", text))


def _together(match: re.Match[str]) -> str:
    """Join separated digits; symbols that group them (``5 3 6 - 2 2 - 1 2 3 4``) are kept."""
    text = match[0]
    gaps = re.findall(r"[ ._-]+", text)
    marked = {gap.strip() for gap in gaps}
    if marked == {""} or len(set(gaps)) == 1:
        return re.sub(r"[ ._-]", "", text)
    return text.replace(" ", "")
