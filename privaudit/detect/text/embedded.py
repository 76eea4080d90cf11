"""Personal values inside the cells of a text column, found by patterns.

Question: in how many rows does a note, a comment or a log line contain an e-mail address, a card or a tax number?
Method: every distinct cell is normalised and passes the prefilters of the catalogue of detectors, vectorised in Arrow
(catalogue.py); the few candidates are checked exactly in Python, with check digits, numbering plans and the words
around them (readings.py). A label such as "order" makes a number a reference, unless many different numbers after such
labels are valid. Of overlapping readings, the stronger is kept, then the one of higher precedence; identifiers of
machines (UUID, digest, time stamp) exclude what lies inside them. Readings whose only evidence is one check digit count
only where the column has more valid check digits than chance gives.
Limits: names and places need the language model (language_model.py). A number without check digit, form or a word
next to it is not reported here. Counts are of rows, exact over all non-missing cells.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from privaudit import vocabulary
from privaudit.config import Progress, silent
from privaudit.detect.normalise import normalise
from privaudit.detect.text import catalogue
from privaudit.detect.text.disguise import second_reading
from privaudit.detect.text.readings import Reading, Spec, digits_of
from privaudit.model import Contained
from privaudit.stats import exact

if TYPE_CHECKING:
    import pyarrow as pa

CHUNK = 1 << 16
SHORTEST = 6
# With so many candidates, a share of valid check digits this low is what chance and a few true values give.
_ENOUGH, _BETTER_THAN_CHANCE = 20, 0.5
# Different numbers after a label, and the share of valid ones, that no running number reaches: of random numbers, 1 in
# 10 passes the check digit of a card, and 8 in 9 obey the rules of social security numbers.
_MANY, _NEARLY_ALL = 60, 0.97

_MACHINE = re.compile(
    r"(?<![0-9A-Za-z])(?:[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"
    r"|(?=[0-9]{0,39}[a-fA-F])[0-9a-fA-F]{24,128}"
    r"|[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,9})?)?(?:Z|[+-][0-9]{2}:?[0-9]{2})?"
    r"|97[89](?:(?:-[0-9]{1,7}){3}-[0-9]|[0-9]{10}))(?![0-9A-Za-z])"
)


class _Hit(NamedTuple):
    start: int
    end: int
    rank: int
    spec: Spec
    reading: Reading


@dataclass(slots=True)
class _Tally:
    """Rows and patterns of one entity type and detail while the column is read."""

    rows_strong: int = 0
    rows_any: int = 0
    specs: set[int] = field(default_factory=set)


@dataclass(slots=True)
class _Labelled:
    """Numbers of one pattern after a label such as "order": hashes of the different ones, and the rows they are in."""

    valid: set[int] = field(default_factory=set)
    invalid: set[int] = field(default_factory=set)
    rows: dict[tuple[str, str | None], int] = field(default_factory=dict)


def find_embedded(
    values: pa.Array,
    counts: npt.NDArray[np.int64],
    *,
    n_present: int | None = None,
    strict: bool = False,
    forms: tuple[Spec, ...] = (),
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
    progress : callable, optional
        Called with the share of cells read.

    Returns
    -------
    tuple of Contained
        One for each entity type and detail that occurs, sorted by both. ``n_cells`` counts rows; ``share`` is
        ``n_cells / n_present``, exact.
    """
    reader = _Reader(forms)
    for start in range(0, len(values), CHUNK):
        progress("Searching cells for personal values", start / len(values))
        reader.read(values.slice(start, CHUNK), counts[start : start + CHUNK])
    return reader.contained(int(counts.sum()) if n_present is None else n_present, strict=strict)


def find_spans(text: str) -> tuple[tuple[int, int, str, str | None], ...]:
    """Return the accepted readings of one normalised text as (start, end, entity, detail); for tests and reveal."""
    hits: list[_Hit] = []
    for spec in catalogue.specs():
        hits.extend(hit for hit in _read_by(text, spec) if hit.reading.valid and not hit.reading.labelled)
    return tuple(
        (hit.start, hit.end, hit.spec.entity, hit.reading.detail) for hit in _without_overlaps(text, hits)
    )


class _Reader:
    """Running totals over the chunks of one column."""

    def __init__(self, forms: tuple[Spec, ...]) -> None:
        self.forms = forms or catalogue.specs()
        self.tallies: dict[tuple[str, str | None], _Tally] = {}
        self.shapes: dict[
            int, list[int]
        ] = {}  # spec -> [weak candidates, valid among them], in distinct cells
        self.labelled: dict[int, _Labelled] = {}

    def read(self, values: pa.Array, counts: npt.NDArray[np.int64]) -> None:
        texts = second_reading(normalise(values))
        for cell, text, hits in _candidates(texts, self.forms):
            plain = [hit for hit in hits if not hit.reading.labelled]
            self._note_labelled(text, [hit for hit in hits if hit.reading.labelled], int(counts[cell]))
            for hit in plain:
                if not hit.reading.strong:
                    shape = self.shapes.setdefault(id(hit.spec), [0, 0])
                    shape[0] += 1
                    shape[1] += hit.reading.valid
            self._count(
                _without_overlaps(text, [hit for hit in plain if hit.reading.valid]), int(counts[cell])
            )

    def _count(self, hits: Iterable[_Hit], rows: int) -> None:
        seen: dict[tuple[str, str | None], bool] = {}
        for hit in hits:
            key = (hit.spec.entity, hit.reading.detail)
            seen[key] = seen.get(key, False) or hit.reading.strong
            self.tallies.setdefault(key, _Tally()).specs.add(id(hit.spec))
        for key, strong in seen.items():
            self.tallies[key].rows_any += rows
            self.tallies[key].rows_strong += rows if strong else 0

    def _note_labelled(self, text: str, hits: Sequence[_Hit], rows: int) -> None:
        """Keep the digits of numbers after a label apart; how many different ones are valid decides at the end."""
        for hit in hits:
            noted = self.labelled.setdefault(id(hit.spec), _Labelled())
            (noted.valid if hit.reading.valid else noted.invalid).add(hash(digits_of(text[hit.start : hit.end])))
        for hit in _without_overlaps(text, [hit for hit in hits if hit.reading.valid]):
            rows_of = self.labelled[id(hit.spec)].rows
            rows_of[hit.spec.entity, hit.reading.detail] = rows_of.get((hit.spec.entity, hit.reading.detail), 0) + rows

    def _outvote_labels(self) -> None:
        """Count the numbers after labels of every pattern that has many different ones, nearly all of them valid."""
        for spec, noted in self.labelled.items():
            if len(noted.valid) < _MANY or len(noted.valid) < _NEARLY_ALL * (len(noted.valid) + len(noted.invalid)):
                continue
            for key, rows in noted.rows.items():
                tally = self.tallies.setdefault(key, _Tally())
                tally.specs.add(spec)
                tally.rows_any += rows
                tally.rows_strong += rows

    def contained(self, n_present: int, *, strict: bool = False) -> tuple[Contained, ...]:
        self._outvote_labels()
        found = []
        for (entity, detail), tally in sorted(
            self.tallies.items(), key=lambda item: (item[0][0], item[0][1] or "")
        ):
            chance = strict or any(self._like_chance(spec) for spec in tally.specs)
            n_cells = tally.rows_strong if chance else tally.rows_any
            if n_cells:
                share = exact(n_cells / n_present, n_present)
                clues = tuple(spec.clue for spec in self.forms if id(spec) in tally.specs)
                found.append(
                    Contained(entity=entity, detail=detail, n_cells=n_cells, share=share, evidence=clues)
                )
        return tuple(found)

    def _like_chance(self, spec: int) -> bool:
        shaped, valid = self.shapes.get(spec, (0, 0))
        return shaped >= _ENOUGH and valid < _BETTER_THAN_CHANCE * shaped


def _candidates(texts: pa.Array, forms: tuple[Spec, ...]) -> Iterable[tuple[int, str, list[_Hit]]]:
    """Yield (cell, text, readings) of the cells in which a family's exact expressions find something."""
    import pyarrow as pa
    import pyarrow.compute as pc

    every = np.flatnonzero(np.asarray(pc.greater_equal(pc.binary_length(texts), SHORTEST)))
    cells: dict[int, list[_Hit]] = {}
    read: dict[int, str] = {}
    for spec, chosen in catalogue.candidates(texts, every, forms):
        for cell, text in zip(chosen.tolist(), texts.take(pa.array(chosen)).to_pylist(), strict=True):
            hits = list(_read_by(text, spec))
            if hits:
                cells.setdefault(cell, []).extend(hits)
                read[cell] = text
    for cell, hits in cells.items():
        yield cell, read[cell], hits


def _read_by(text: str, spec: Spec) -> Iterable[_Hit]:
    for start, end, reading in spec.readings(text):
        yield _Hit(start, end, spec.rank, spec, reading)


def _without_overlaps(text: str, hits: list[_Hit]) -> list[_Hit]:
    """Keep readings that do not overlap: strong before weak, then by family, then the longer, then the earlier."""
    if not hits:
        return []
    taken: list[tuple[int, int]] = []
    for match in _MACHINE.finditer(text):
        taken.append(match.span())
    kept = []
    for hit in sorted(hits, key=lambda h: (not h.reading.strong, h.rank, h.start - h.end, h.start)):
        place = bisect_left(taken, (hit.start, hit.end))
        free_right = place == len(taken) or taken[place][0] >= hit.end
        free_left = place == 0 or taken[place - 1][1] <= hit.start
        if hit.spec.entity in vocabulary.with_trait("may_overlap") or (free_left and free_right):
            taken.insert(place, (hit.start, hit.end))
            kept.append(hit)
    return kept
