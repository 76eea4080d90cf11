"""Values of which a part is masked.

Question: are characters of the values replaced by asterisks, dots or the letter X?
Method: nearly all cells have three such characters in a row, and another letter or digit besides. What the values were
is decided as for other columns; their detail is "masked".
Limits: what remains may still distinguish people, so masked identifiers are quasi-identifiers.
"""

from __future__ import annotations

from collections.abc import Iterator

from privaudit.detect.column import NEARLY_ALL, Column, form
from privaudit.detect.ledger import MASKED, Entry, Measured, claim_for
from privaudit.model.wording import fact

_MOST_WORDS = 4  # of a masked card number; stars in longer texts are emphasis


def run(column: Column) -> Iterator[Entry]:
    """Yield that the values are masked, and that they are identifiers of some kind."""
    if column.data_type != "text" or not column.at_least(form("masked", "cell"), NEARLY_ALL):
        return
    if column.at_least(form("masked", "whole"), 0.1) or column.words_per_cell.mean() > _MOST_WORDS:
        return
    yield Measured(MASKED, 1.0)
    yield claim_for(column, "UNRESOLVED_ID", 0.6, "shape", fact("detect.masked"), generic=False)
