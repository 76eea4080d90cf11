"""Diversity of sensitive attributes in a table whose distinct rows do not fit in memory.

Question: how diverse are the classes over all quasi-identifiers where nearly all rows are distinct?
Method: rows are divided by their value in the quasi-identifier with most values, so that each class lies in one part
(`risk.search.parts`). Each part is measured by itself with the counts of the values in the whole table; the worst
class of the table is the worst of a part.
Limits: as those of `risk.search.parts`. An attribute of which only a part of the values was read is not measured.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from privaudit.base.arrays import Ints
from privaudit.base.distinct_numbers import distinct
from privaudit.model import ColumnReport, Diversity
from privaudit.risk.codes.coded_rows import CodedRows, Coding
from privaudit.risk.codes.row_keys import dense_labels
from privaudit.risk.measures.diversity import MOST_L, diversity, of_all_parts
from privaudit.risk.search import parts
from privaudit.settings.config import Settings
from privaudit.source.dataset import Dataset
from privaudit.source.engine.queries import about_distinct
from privaudit.source.profile.value_order import ValueOrder, order_values


def measurable(dataset: Dataset, sensitive: Sequence[ColumnReport]) -> list[ColumnReport]:
    """Return the sensitive attributes all of whose values are known."""
    return [column for column in sensitive if dataset.frequencies(column.name).totals is None]


def diversity_in_parts(
    dataset: Dataset, quasi: Mapping[str, Coding], column: ColumnReport, coding: Coding, settings: Settings
) -> tuple[Diversity, ValueOrder]:
    """Measure how diverse a sensitive attribute is within the classes over the quasi-identifiers.

    Parameters
    ----------
    dataset : Dataset
    quasi : mapping of column to Coding
    column : ColumnReport
        One of `measurable`.
    coding : Coding
        Of this column.
    settings : Settings
        `memory` is read.

    Returns
    -------
    Diversity
        As `privaudit.risk.measures.diversity.diversity` measures it on all rows at once.
    ValueOrder
    """
    is_canonical = dataset.declared.get(column.name) in ("integer", "decimal")
    order = order_values(coding.values, column.data_type, is_canonical=is_canonical)
    ranks = None if order.ranks is None else np.asarray(order.ranks)
    if any(one.n_codes == dataset.n_rows for one in quasi.values()):
        return _of_single_records(coding, ranks), order
    return _Parts(dataset, quasi, column.name, coding, ranks, settings).measured(), order


def _of_single_records(coding: Coding, ranks: Ints | None) -> Diversity:
    """Return the diversity where every class has one record: those with the same value are equally diverse."""
    held = np.flatnonzero(coding.totals)
    ones = np.ones(len(held), dtype=np.int64)
    found = diversity(np.arange(len(held)), ones, held, len(coding.values), order=ranks, totals=coding.totals)
    n = int(coding.totals.sum())
    return replace(found, homogeneous_classes=n, homogeneous_records=n)


class _Parts:
    """The rows over the quasi-identifiers and one sensitive attribute, divided by the widest quasi-identifier."""

    def __init__(
        self,
        dataset: Dataset,
        quasi: Mapping[str, Coding],
        column: str,
        coding: Coding,
        ranks: Ints | None,
        settings: Settings,
    ) -> None:
        codings = {column: coding, **dict(sorted(quasi.items(), key=lambda item: item[1].n_codes))}
        self._coding, self._ranks = coding, ranks
        self._names, widths = list(codings), [max(1, one.n_codes) for one in codings.values()]
        self._most = parts.most_rows(settings, len(codings))
        self._rows = CodedRows(dataset, codings, self._most * len(codings) * parts.BYTES_PER_CELL)
        n_parts = -(-about_distinct(self._rows.blocks(self._names), widths, dataset.n_rows) // self._most)
        self._part_of = codings[self._names[-1]].parts(n_parts)

    def measured(self) -> Diversity:
        measured = self._each(None)
        least = min(part.l_distinct or 1 for part in measured)
        if least > MOST_L and any(part.l_distinct != least for part in measured):
            measured = self._each(least)
        return of_all_parts(measured)

    def _each(self, least: int | None) -> list[Diversity]:
        return [self._part(part, least) for part in distinct(self._part_of)]

    def _part(self, part: int, least: int | None) -> Diversity:
        codes, weights = self._rows.distinct(self._names, self._part_of, part, self._most)
        labels, _ = dense_labels(codes[1:])
        n_values, totals = len(self._coding.values), self._coding.totals
        return diversity(labels, weights, codes[0], n_values, order=self._ranks, totals=totals, least=least)
