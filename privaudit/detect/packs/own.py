"""What the user's own detectors say beyond whole cells: column names, values inside text, countries.

Question: does a name speak for an entity of the user's, do cells of text hold one, does it belong to this country?
Method: a header of a pack is a phrase that stands in the name; it counts where the cells could be the entity: where
the same pack accepts many of them, or, for a detector without anything to accept, where lengths and vetoes leave most.
Inside text an expression has to stand between characters that are no letters or digits. A detector bound to countries
gives way where the other columns speak of other countries.
Limits: in a cell that holds several matches the first `MOST_IN_CELL` are read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from privaudit.detect import words
from privaudit.detect.column import Column
from privaudit.detect.evidence import Findings
from privaudit.detect.normalise import normalise
from privaudit.detect.packs.detectors import Detector
from privaudit.detect.packs.patterns import ENOUGH, contained
from privaudit.detect.siblings import countries
from privaudit.detect.siblings.context import Examined
from privaudit.detect.verdict import Named
from privaudit.model import Clue

if TYPE_CHECKING:
    import pyarrow as pa

Mask = npt.NDArray[np.bool_]
MOST_IN_CELL = 20
ELSEWHERE = 0.5  # factor on the strength of a detector whose country the table's other columns do not share
_EDGES = r"(?:^|[^\p{L}\p{N}_])", r"(?:$|[^\p{L}\p{N}_])"


def named(column: Column, detectors: Sequence[Detector], found: Findings) -> Named:
    """Return what the name of `column` says by the headers of the user's packs; rejections go to `found`."""
    kept: Named = {}
    for detector in detectors:
        if not detector.user or column.n_distinct == 0:
            continue
        clear = max(map(column.header.clarity, detector.headers), default=0.0)
        if clear <= kept.get(detector.entity, (0.0, None, None))[0]:
            continue
        if _possible(column, detector, found):
            clue = Clue(kind="header", because=f"the column's name says so (pack {detector.pack})")
            kept[detector.entity] = (clear, detector.detail, clue)
        else:
            found.reject(detector.entity, "its name suggests it, but most cells do not have its form")
    return kept


def _possible(column: Column, detector: Detector, found: Findings) -> bool:
    if detector.by_name:
        return (
            column.share(detector.shaped(column.values, column.folded if detector.folds else None)) >= ENOUGH
        )
    return any(c.entity == detector.entity for c in found.candidates) or bool(
        detector.validator and not detector.regex  # read in the second round
    )


def inside(column: Column, detectors: Sequence[Detector], found: Findings) -> None:
    """Count the cells of text that hold what the user's detectors accept, whole or inside longer text."""
    if column.data_type not in ("text", "nested"):
        return
    for detector in detectors:
        if detector.user and detector.contains and detector.regex:
            n_cells = column.cells(holding(column.raw, detector))
            if n_cells:
                found.contained.append(contained(column, detector, n_cells, "cells hold the form of"))


def holding(values: pa.Array, detector: Detector) -> Mask:
    """Return which `values`, a string array of length n, hold a text that `detector` accepts; bool of length n."""

    texts = normalise(values)
    if detector.fold:
        texts = words.fold_all(texts)
    found = np.zeros(len(texts), dtype=np.bool_)
    for pattern in detector.regex:
        found |= _holding(texts, pattern, detector, ~found)
    return found


def _holding(texts: pa.Array, pattern: str, detector: Detector, asked: Mask) -> Mask:
    import pyarrow as pa
    import pyarrow.compute as pc

    bounded = f"{_EDGES[0]}({pattern}){_EDGES[1]}"
    found = np.zeros(len(texts), dtype=np.bool_)
    left = np.flatnonzero(np.asarray(pc.match_substring_regex(texts, bounded)) & asked)
    part = texts.take(pa.array(left))
    for _ in range(MOST_IN_CELL):
        if not len(left):
            break
        # The first match alone, held to lengths, vetoes and check; then the text behind it.
        first = pc.replace_substring_regex(part, f"(?s)^.*?{bounded}.*$", r"\1")
        accepted = detector.accepts(first)
        found[left[accepted]] = True
        once = f"({_EDGES[0]})(?:{pattern})(?:{_EDGES[1]})"
        part = pc.replace_substring_regex(part, once, r"\1 ", max_replacements=1)
        more = ~accepted & np.asarray(pc.match_substring_regex(part, bounded), dtype=np.bool_)
        left, part = left[more], part.filter(pa.array(more))
    return found


def elsewhere(table: Sequence[Examined]) -> None:
    """Weaken the candidates bound to countries of which no other column speaks, where others speak of any."""
    for item in table:
        if not any(c.locale for c in item.found.candidates):
            continue
        others = countries.locales([other for other in table if other is not item])
        for place, one in enumerate(item.found.candidates):
            if one.locale and others and not others.intersection(one.locale):
                because = f"bound to {', '.join(one.locale)}, while other columns speak of {', '.join(sorted(others))}"
                clue = Clue(kind="shape", because=because)
                item.found.candidates[place] = replace(
                    one, strength=ELSEWHERE * one.strength, generic=True, clues=(*one.clues, clue)
                )
