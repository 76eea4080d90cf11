"""Names that no list knows, told by how they are put together and by the columns beside them.

Question: is a column of words without a legible name one of people's names, in whatever language?
Method: in a table that describes people, cells of two to four words each of which is written with a capital, or in a
script without capitals, are names if words recur at one end while hardly any cell recurs, and no word of companies,
prose, jobs or towns prevails. "Family name, given name" is a form that little else has. Single words are names
where they are the words of a column of full names or of e-mail addresses beside them.
Limits: titles of books and names of dishes come close; hence the other columns must tell of people.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np

from privaudit.detect import words
from privaudit.detect.evidence import Candidate
from privaudit.detect.kinds import names
from privaudit.detect.siblings.context import Examined
from privaudit.model import Clue

_NAMES = frozenset("PERSON_NAME FIRST_NAME LAST_NAME MIDDLE_NAME MAIDEN_NAME".split())
_INVERTED = r"^\p{L}[\p{L}\p{M}'’. \-]*, ?\p{L}[\p{L}\p{M}'’. \-]*$"
_SINGLE = r"^\p{L}[\p{L}\p{M}'’.\-]*(?: \p{L}[\p{L}\p{M}'’.\-]*)?$"
_CUT = re.compile(r"[\s,._\-+0-9]+")
_MOST = 1000


def names_of_people(table: Sequence[Examined]) -> None:
    """Add names of people that their form or their siblings tell; call it for a table that describes people."""
    for item in table:
        if _undecided(item):
            _composed(item)
    known = _words_of_names(table)
    for item in table:
        if known and _undecided(item) and not item.found.facts.get("composed"):
            _part_of_names(item, known)


def _undecided(item: Examined) -> bool:
    """Return whether nothing explains a column of words, many and different."""
    column = item.column
    various = column.n_distinct >= 15 and (column.uniqueness >= 0.3 or column.n_distinct >= 100)
    return item.verdict is None and column.header.opaque and column.data_type == "text" and various


def _composed(item: Examined) -> None:
    column = item.column
    inverted = column.matching(_INVERTED) >= 0.95
    if column.uniqueness < 0.5 and column.n_distinct < 1000:
        return
    reading = names.read(column)
    if reading is None or reading.shaped < 0.9 or reading.organisations + reading.jobs > 0.1:
        return
    if reading.towns > 0.2 or reading.prose > 0.1 or not (inverted or _recombined(column.chosen(_MOST)[0])):
        return
    because = "family name, comma, given name" if inverted else "words that recur in ever other pairs"
    clue = Clue(kind="shape", because=f"{because}, in a table that describes people")
    item.found.facts["composed"] = 1.0
    item.found.add(
        Candidate(
            entity="PERSON_NAME", n_cells=column.n_present, strength=0.62 if inverted else 0.56, clues=(clue,),
            generic=True,
        )
    )  # fmt: skip


def _recombined(texts: Sequence[str]) -> bool:
    """Return whether cells are pairs of written names: words recur at one end, and seldom change places."""
    cells = [text.split() for text in texts]
    several = [cell for cell in cells if 2 <= len(cell) <= 4]
    if len(several) < 0.85 * len(cells) or len(several) < 20:
        return False
    if sum(all(_capital(word) for word in cell) for cell in several) < 0.9 * len(several):
        return False
    first, last = Counter(cell[0] for cell in several), Counter(cell[-1] for cell in several)
    n = len(several)
    recur = min(len(first), len(last)) < 0.9 * n
    spread = (
        min(len(first), len(last)) >= 12
        and max(first.most_common(1)[0][1], last.most_common(1)[0][1]) <= 0.4 * n
    )
    apart = len(first.keys() & last.keys()) <= 0.25 * min(len(first), len(last))
    return recur and spread and apart


def _capital(word: str) -> bool:
    return word[:1].isupper() or word[:1].lower() == word[:1].upper() or word in names.PARTICLES


def _words_of_names(table: Sequence[Examined]) -> frozenset[str]:
    """Return the words of the names and e-mail addresses of the table, folded."""
    found: set[str] = set()
    for item in table:
        composed = bool(item.found.facts.get("composed"))
        if composed or item.entity in ("PERSON_NAME", "EMAIL"):
            for text in item.column.chosen(_MOST)[0]:
                found |= {w for w in _CUT.split(words.fold(text.split("@")[0])) if len(w) >= 2}
            if item.entity == "EMAIL":
                found |= {w[1:] for w in found if len(w) >= 5}  # behind the initial of the given name
    return frozenset(found)


def _part_of_names(item: Examined, known: frozenset[str]) -> None:
    column = item.column
    if column.matching(_SINGLE) < 0.9 or float(column.words_per_cell.mean()) > 1.6:
        return
    texts, counts = column.chosen(_MOST)
    inside = np.fromiter((words.fold(text) in known for text in texts), dtype=np.bool_, count=len(texts))
    if inside.mean() < 0.3 or inside.sum() < 8:
        return
    clue = Clue(kind="shape", because="words that are part of the names or e-mail addresses beside them")
    share = float(counts[inside].sum() / counts.sum())
    best = next((c for c in item.found.candidates if c.entity in _NAMES), None)
    entity = best.entity if best is not None else "LAST_NAME"
    item.found.add(
        Candidate(
            entity=entity, n_cells=round(share * column.n_present), strength=0.6, clues=(clue,), generic=True
        )
    )
