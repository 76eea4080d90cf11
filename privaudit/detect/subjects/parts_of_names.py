"""Parts of names that no list contains, by the columns next to them.

Question: does a column of single words without a meaningful name hold given or family names, in whatever language?
Method: in a table that describes people, at least three in ten of the words occur in the full names or e-mail addresses
of another column.
Limits: user names of addresses that are composed of other words are not recognised.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from privaudit.detect import wordlists
from privaudit.detect.subjects.context import Posting, Table, describes_people, suggest
from privaudit.vocabulary import with_trait
from privaudit.wording import fact

_MOST_CELLS = 1000
_SINGLE = r"^\p{L}[\p{L}\p{M}'’ .-]{1,30}$"
_SEPARATORS = re.compile(r"[\s,._\-+0-9]+")


def suggest_parts_of_names(table: Table) -> Iterator[Posting]:
    """Yield the claim on names for single words that occur in the names or e-mail addresses of another column."""
    known = _words_of_names(table) if describes_people(table) else frozenset()
    for item in table if known else ():
        column = item.column
        various = column.n_distinct >= 15 and (column.uniqueness >= 0.3 or column.n_distinct >= 100)
        if item.verdict is not None or not column.header.is_opaque or column.data_type != "text" or not various:
            continue
        if column.matching(_SINGLE) < 0.9 or float(column.words_per_cell.mean()) > 1.6:
            continue
        texts, counts = column.chosen(_MOST_CELLS)
        inside = np.fromiter((wordlists.fold(text) in known for text in texts), np.bool_, len(texts))
        if inside.mean() < 0.3 or inside.sum() < 8:
            continue
        share = float(counts[inside].sum() / counts.sum())
        best = next((c for c in item.ledger.standing() if c.entity in with_trait("person_name")), None)
        entity = best.entity if best is not None else "LAST_NAME"
        because = fact("detect.siblings_parts_of_names")
        yield suggest(item, entity, 0.6, because, cells=round(share * column.n_present))


def _words_of_names(table: Table) -> frozenset[str]:
    """Return the words of the names and e-mail addresses of the table, folded."""
    found: set[str] = set()
    for item in table:
        if item.entity in ("PERSON_NAME", "EMAIL"):
            for text in item.column.chosen(_MOST_CELLS)[0]:
                words = _SEPARATORS.split(wordlists.fold(text.split("@")[0]))
                found.update(word for word in words if len(word) >= 2)
                if item.entity == "EMAIL":  # after the initial of the given name
                    found.update(word[1:] for word in words if len(word) >= 5)
    return frozenset(found)
