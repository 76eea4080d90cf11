"""Person names that no list contains, recognised by their form and by the other columns.

Question: does a column of words without a meaningful name hold person names, in whatever language?
Method: applied only where the table describes people. Cells of two to four capitalised words, or words of a script
without capitals, are names if words recur at one end while few cells recur, and few words are those of companies,
prose, jobs or towns. "Family name, given name" is a form that few other types have. Single words are names where they
occur in the full names or e-mail addresses of another column.
Limits: titles of books and names of dishes have a similar form, which is why the other columns must describe people.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np

from privaudit import vocabulary
from privaudit.detect import wordlists
from privaudit.detect.column_evidence import ColumnEvidence
from privaudit.detect.siblings.candidates import suggest
from privaudit.detect.values import names
from privaudit.wording import fact

_INVERTED = r"^\p{L}[\p{L}\p{M}'’. \-]*, ?\p{L}[\p{L}\p{M}'’. \-]*$"
_SINGLE = r"^\p{L}[\p{L}\p{M}'’.\-]*(?: \p{L}[\p{L}\p{M}'’.\-]*)?$"
_SEPARATORS = re.compile(r"[\s,._\-+0-9]+")
_MOST_CELLS = 1000


def find_person_names(table: Sequence[ColumnEvidence]) -> None:
    """Add candidates for person names by form and by other columns; the table must describe people."""
    for item in table:
        if _is_undecided(item):
            _suggest_full_names(item)
    known = _words_of_names(table)
    for item in table:
        if known and _is_undecided(item) and not item.ledger.measurements.get("composed"):
            _suggest_parts_of_names(item, known)


def _is_undecided(item: ColumnEvidence) -> bool:
    """Whether no entity type explains a column of many different words."""
    column = item.column
    various = column.n_distinct >= 15 and (column.uniqueness >= 0.3 or column.n_distinct >= 100)
    return item.verdict is None and column.header.is_opaque and column.data_type == "text" and various


def _suggest_full_names(item: ColumnEvidence) -> None:
    column = item.column
    inverted = column.matching(_INVERTED) >= 0.95
    if column.uniqueness < 0.5 and column.n_distinct < 1000:
        return
    reading = names.read(column)
    if reading is None or reading.shaped < 0.9 or reading.organisations + reading.jobs > 0.1:
        return
    if (
        reading.towns > 0.2
        or reading.prose > 0.1
        or not (inverted or _is_recombined(column.chosen(_MOST_CELLS)[0]))
    ):
        return
    item.ledger.measurements["composed"] = 1.0
    if inverted:
        suggest(item, "PERSON_NAME", 0.62, fact("detect.siblings_names_inverted"))
    else:
        suggest(item, "PERSON_NAME", 0.56, fact("detect.siblings_names_recombined"))


def _is_recombined(texts: Sequence[str]) -> bool:
    """Whether cells are capitalised words that recur in new combinations, seldom at both ends."""
    cells = [text.split() for text in texts]
    several = [cell for cell in cells if 2 <= len(cell) <= 4]
    if len(several) < 0.85 * len(cells) or len(several) < 20:
        return False
    if sum(all(_is_capitalised(word) for word in cell) for cell in several) < 0.9 * len(several):
        return False
    first, last = Counter(cell[0] for cell in several), Counter(cell[-1] for cell in several)
    n, fewest = len(several), min(len(first), len(last))
    recur = fewest < 0.9 * n
    spread = fewest >= 12 and max(first.most_common(1)[0][1], last.most_common(1)[0][1]) <= 0.4 * n
    apart = len(first.keys() & last.keys()) <= 0.25 * fewest
    return recur and spread and apart


def _is_capitalised(word: str) -> bool:
    return word[:1].isupper() or word[:1].lower() == word[:1].upper() or word in names.PARTICLES


def _words_of_names(table: Sequence[ColumnEvidence]) -> frozenset[str]:
    """Return the words of the names and e-mail addresses of the table, folded."""
    found: set[str] = set()
    for item in table:
        composed = bool(item.ledger.measurements.get("composed"))
        if composed or item.entity in ("PERSON_NAME", "EMAIL"):
            for text in item.column.chosen(_MOST_CELLS)[0]:
                words = _SEPARATORS.split(wordlists.fold(text.split("@")[0]))
                found |= {word for word in words if len(word) >= 2}
            if item.entity == "EMAIL":
                found |= {word[1:] for word in found if len(word) >= 5}  # after the initial of the given name
    return frozenset(found)


def _suggest_parts_of_names(item: ColumnEvidence, known: frozenset[str]) -> None:
    column = item.column
    if column.matching(_SINGLE) < 0.9 or float(column.words_per_cell.mean()) > 1.6:
        return
    texts, counts = column.chosen(_MOST_CELLS)
    inside = np.fromiter((wordlists.fold(text) in known for text in texts), dtype=np.bool_, count=len(texts))
    if inside.mean() < 0.3 or inside.sum() < 8:
        return
    share = float(counts[inside].sum() / counts.sum())
    person_names = vocabulary.with_trait("person_name")
    best = next((c for c in item.ledger.standing() if c.entity in person_names), None)
    entity = best.entity if best is not None else "LAST_NAME"
    because = fact("detect.siblings_parts_of_names")
    suggest(item, entity, 0.6, because, n_cells=round(share * column.n_present))
