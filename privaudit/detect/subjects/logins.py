"""User names that are made of the names of people: ``jsmith``, ``anna.miller``, ``millera2``.

Question: do the cells of a column name people, although they are codes in small letters?
Method: a login is a listed surname with a listed given name or an initial (`is_login`). Of common words, towns and
pairs of words at most 1 in 40 is; a column is one of user names if at least a quarter of its cells are.
Limits: names on no list are not found, so that fewer logins are found in some languages than in others. A given name
alone is a word like any other.
"""

from __future__ import annotations

from collections.abc import Iterator

from privaudit.detect.column import SAMPLE, VARIOUS, Column
from privaudit.detect.ledger import Entry, claim_for
from privaudit.detect.names_in_cells import is_login
from privaudit.model.wording import fact

_FORM = r"^[a-z][a-z0-9]*(?:[._\-][a-z0-9]+){0,2}$"
_SHARE = 0.25  # ten times that of words and towns (measured on 10,000 words and 35,000 towns)
_STRENGTH = 0.72  # by hand: just more than a generic claim has


def run(column: Column) -> Iterator[Entry]:
    """Yield the claim on user names."""
    if column.data_type != "text" or column.n_distinct < VARIOUS or not column.at_least(_FORM):
        return
    texts, counts = column.chosen(SAMPLE)
    named = [is_login(text) for text in texts]
    share = sum(n for n, one in zip(counts.tolist(), named, strict=True) if one) / int(counts.sum())
    if share >= _SHARE and sum(named) >= _SHARE * len(texts):
        because = fact("detect.logins", share=column.cell_share(share))
        yield claim_for(column, "USERNAME", _STRENGTH, "list", because, cells=column.matches(_FORM))
