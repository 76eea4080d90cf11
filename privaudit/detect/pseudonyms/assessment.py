"""What pseudonyms reveal: the checks in the order of their cost.

Question: can the keys and digests of a table be reversed, dated, or linked to another table?
Method: hashes of other columns (column_hashes.py), hashes of a small space (brute_force.py), order in time
(key_order.py), and the same pseudonyms in the auxiliary table (shared_keys.py); each adds clues and measurements.
Limits: those of each part. A column is not less personal because no check succeeds.
"""

from __future__ import annotations

from collections.abc import Sequence

from privaudit.config import Progress, Settings
from privaudit.detect.column_evidence import ColumnEvidence
from privaudit.detect.pseudonyms import brute_force, column_hashes, key_order, shared_keys
from privaudit.source.dataset import Dataset


def assess_pseudonyms(
    table: Sequence[ColumnEvidence],
    dataset: Dataset,
    auxiliary: Dataset | None,
    settings: Settings,
    progress: Progress,
) -> None:
    """Add to the evidence on every key of `table` what it reveals; `auxiliary` is the attacker's table."""
    digests = list(column_hashes.find_digests(table))
    if digests:
        progress("Trying to reverse hashes", None)
        explained = [column_hashes.is_explained(one, table, dataset, auxiliary, settings.seed) for one in digests]
        brute_force.explain_by_spaces([one for one, done in zip(digests, explained, strict=True) if not done])
        shared_keys.report_repeated_digests(table)
    key_order.report_key_order(table, dataset)
    shared_keys.report_shared_keys(table, auxiliary, settings)
