"""What pseudonyms give away, asked in the order of cost.

Question: can the keys and digests of a table be undone, dated, or joined with another table?
Method: hashes of what stands beside them (pseudonyms.py), hashes of a small space (small.py), order in time
(order.py), and the same pseudonym in the auxiliary table (shared.py); each adds clues and facts to its column.
Limits: those of each part; nothing here changes which columns are personal for want of a hit.
"""

from __future__ import annotations

from collections.abc import Sequence

from privaudit.config import Progress, Settings
from privaudit.detect.pseudonyms import inputs as pseudonyms
from privaudit.detect.pseudonyms import order, shared, small
from privaudit.detect.siblings.context import Examined
from privaudit.source.dataset import Dataset


def read(
    table: Sequence[Examined],
    dataset: Dataset,
    auxiliary: Dataset | None,
    settings: Settings,
    progress: Progress,
) -> None:
    """Add to the evidence of every key of `table` what can be made of it; `auxiliary` is what an adversary holds."""
    digests = pseudonyms.candidates(table)
    if digests:
        progress("Trying to undo hashes", None)
        small.undone(pseudonyms.unsalted(digests, table, dataset, auxiliary, settings.seed))
        shared.repeated(table)
    order.in_time(table, dataset)
    shared.across(table, auxiliary, settings)
