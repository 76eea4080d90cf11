"""Detectors of the user's packs beyond whole cells: column names, and values inside text.

Question: does a column name suggest an entity type of the user, does a text contain one?
Method: a phrase of a pack matches a column name that contains it; it counts if the cells can be of the entity type: if
the same pack accepts many of them or, for a detector by name only, if lengths and vetoes leave most of them. Inside
text, an expression is bounded as a form of the catalogue with the edges "letter".
Limits: of several matches in a cell, the first `MOST_IN_CELL` are tested.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from privaudit.base.arrays import Flags
from privaudit.base.arrow import pa, pc
from privaudit.detect.catalogue import boundaries, wordlists
from privaudit.detect.catalogue.detector import Detector
from privaudit.detect.catalogue.normalise import normalise
from privaudit.detect.column import Column
from privaudit.detect.ledger import NAME, Entry, Ledger, against, claim_for
from privaudit.detect.patterns import ENOUGH, contained
from privaudit.detect.subjects.column_names import contradicted
from privaudit.model.wording import Name, fact

MOST_IN_CELL = 20


def named(column: Column, detectors: Sequence[Detector], ledger: Ledger) -> Iterator[Entry]:
    """Yield what the column name suggests by the phrases of the user's packs, and claims against what it cannot be.

    Parameters
    ----------
    detectors : sequence of Detector
        Those of the user's packs.
    """
    clearest: dict[str, float] = {}
    for detector in detectors:
        clear = max(map(column.header.match_strength, detector.headers), default=0.0)
        if clear <= clearest.get(detector.entity, 0.0):
            continue
        if _is_possible(column, detector, ledger):
            clearest[detector.entity] = clear
            because = fact("detect.column_name_of_pack", pack=Name(detector.pack))
            yield claim_for(column, detector.entity, clear, "header", because, detail=detector.detail, source=NAME)
        else:
            yield against(detector.entity, contradicted(detector.entity, fact("detect.other_form")))


def _is_possible(column: Column, detector: Detector, ledger: Ledger) -> bool:
    if detector.by_name:
        shaped = detector.shaped(column.values, column.folded if detector.folds else None)
        return column.share(shaped) >= ENOUGH
    later = bool(detector.validator and not detector.regex)  # read by the relation of check digits
    return later or ledger.strongest(detector.entity) is not None


def count_contained(column: Column, detectors: Sequence[Detector]) -> Iterator[Entry]:
    """Count the cells that the detectors of the user's packs accept as a whole or inside longer text."""
    if not detectors or column.data_type not in ("text", "nested"):
        return
    from privaudit.detect.catalogue.forms import specs_of
    from privaudit.detect.text.embedded import find_embedded

    forms = specs_of(detectors)
    if forms:
        yield from find_embedded(column.raw, column.counts, forms=forms)
    for detector in detectors:
        if detector.contains and detector.regex:
            n_cells = column.cells(containing(column.raw, detector))
            if n_cells:
                yield contained(column, detector, n_cells, "detect.cells_contain")


def containing(values: pa.Array, detector: Detector) -> Flags:
    """Return which `values` contain a text that `detector` accepts: a bool array of their length."""
    texts = normalise(values)
    if detector.fold:
        texts = wordlists.fold_all(texts)
    matched = np.zeros(len(texts), dtype=np.bool_)
    before, after = boundaries.around("letter")
    for pattern in detector.regex:
        bounded, once = f"{before}({pattern}){after}", f"({before})(?:{pattern})(?:{after})"
        left = np.flatnonzero(np.asarray(pc.match_substring_regex(texts, bounded)) & ~matched)
        part = texts.take(pa.array(left))
        for _ in range(MOST_IN_CELL if len(left) else 0):
            # The first match alone, tested with lengths, vetoes and validator; then the text after it.
            first = pc.replace_substring_regex(part, f"(?s)^.*?{bounded}.*$", r"\1")
            accepted = detector.accepts(first)
            matched[left[accepted]] = True
            part = pc.replace_substring_regex(part, once, r"\1 ", max_replacements=1)
            more = ~accepted & np.asarray(pc.match_substring_regex(part, bounded), dtype=np.bool_)
            left, part = left[more], part.filter(pa.array(more))
    return matched
