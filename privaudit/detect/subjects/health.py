"""Health data: words for diseases and treatments, and the weight of a body.

Question: do the cells mention diseases or treatments; is ``weight`` the weight of a person?
Method: words of a list; in a table that describes people, ``weight`` means body weight.
Limits: the words are English.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from privaudit.detect import wordlists
from privaudit.detect.column import Column
from privaudit.detect.ledger import Entry, claim_for
from privaudit.detect.subjects.context import Posting, Table, describes_people, name
from privaudit.detect.subjects.names import words_of
from privaudit.wording import Term, fact

_MOST = 3000


def mentioned(column: Column) -> Iterator[Entry]:
    """Yield the claim on health data, by words for diseases and treatments."""
    if column.data_type != "text" or column.n_distinct == 0 or column.letters < 0.5:
        return
    known = wordlists.word_list("medical")
    values, counts = column.chosen(_MOST)
    hits = np.fromiter(
        (bool(known.intersection(words_of(wordlists.fold(v[:200])))) for v in values),
        dtype=np.bool_,
        count=len(values),
    )
    share = float(counts[hits].sum() / counts.sum())
    if share < 0.25 or hits.sum() < 2:
        return
    strength = min(0.9, 0.4 + 0.6 * share)
    yield claim_for(
        column,
        "MEDICAL",
        strength,
        "list",
        fact("detect.words_of_topic", share=column.cell_share(share), topic=Term(code="health")),
        n_cells=round(share * column.n_present),
        generic=share < 0.4,
    )


def name_body_weights(table: Table) -> Iterator[Posting]:
    """Yield the claim on body weights in a table that describes people."""
    for item in table if describes_people(table) else ():
        if item.verdict is not None or not set(item.column.header.words) & {"weight", "weights"}:
            continue
        numbers = item.column.numbers
        if np.isfinite(numbers).any() and 2 <= float(np.nanmedian(numbers)) <= 400:
            yield name(item, "BIOMETRIC", 0.7, fact("detect.siblings_body_weight"))
