"""What one risk assessment works on: the coded columns, their roles and the settings.

Question: which table, columns and options do the measures share?
Method: one record, `Scope`, that every measure takes; class sizes over all quasi-identifiers follow from it.
Limits: nothing is measured here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from privaudit.base.records import dataclass
from privaudit.model import ColumnReport
from privaudit.risk.codes.class_sizes import ClassSizes
from privaudit.risk.codes.coded import CodedTable
from privaudit.settings.config import Progress, Settings
from privaudit.source.dataset import Dataset

THRESHOLDS = (2, 3, 5, 10, 11, 15, 20)
"""Values of k for which records below k are counted, whatever the policy."""


def counted_for(policy_ks: Iterable[int]) -> tuple[int, ...]:
    """Return the values of k for which records below k are counted, ascending.

    They are more than the policy asks for, so that a saved report can be judged under another one without the table.
    """
    return tuple(sorted({*THRESHOLDS, *policy_ks}))


@dataclass(frozen=True, slots=True)
class Scope:
    """What is assessed.

    Attributes
    ----------
    dataset : Dataset
    settings : Settings
    quasi, sensitive : sequence of ColumnReport
        Quasi-identifiers; sensitive attributes.
    everything : CodedTable
        Quasi-identifiers, then sensitive attributes.
    coded : CodedTable
        Quasi-identifiers alone.
    progress : callable
    policy_ks : tuple of int
        Values of k of the policy. Minimal sets with fewer than k matches are searched for these and for 2.
    population : str or table, optional
        What the release is a sample of: a number of people as text, the path of a table, or a table.
    """

    dataset: Dataset
    settings: Settings
    quasi: Sequence[ColumnReport]
    sensitive: Sequence[ColumnReport]
    everything: CodedTable
    coded: CodedTable
    progress: Progress
    policy_ks: tuple[int, ...] = ()
    population: Any = None

    @property
    def counted_ks(self) -> tuple[int, ...]:
        """Values of k for which records below k are counted."""
        return counted_for(self.policy_ks)

    @property
    def class_sizes(self) -> ClassSizes:
        """Classes of records over all quasi-identifiers; a missing cell is a category."""
        return ClassSizes.of(self.coded.weights, n_rows=self.coded.n_rows)

    @property
    def has_missing(self) -> bool:
        """Whether a quasi-identifier has a missing cell."""
        return any(self.coded.has_missing(i) for i in range(len(self.coded.names)))
