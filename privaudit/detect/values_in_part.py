"""Verdicts on a column of which detection read a part of the values.

Question: what do shares and counts of a part of the values show about all cells?
Method: a share of the cells read is an estimate, and a count of them is that share of all cells. Every value of a form
that few values of the column have was read, with its rows, and what these contain is counted exactly.
Limits: `privaudit.source.bounded_values` chooses the values; the interval treats the cells read as a sample of rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from privaudit.detect.column import Column
from privaudit.model import Contained, Estimate, Limit, limit
from privaudit.source.bounded_values import FORMS, Totals
from privaudit.source.dataset import Dataset
from privaudit.stats import wilson
from privaudit.wording import Columns, Count, Name, Number


def contents(column: Column, totals: Totals, found: Sequence[Contained]) -> Iterator[Contained]:
    """Yield what all cells contain: estimates from the values read, exact counts of rare forms."""
    for one in found:
        share = estimated(one.share, column.n_present)
        yield replace(one, share=share, n_cells=max(one.n_cells, round(share.value * totals.n_present)))
    if len(totals.sought) and column.data_type in ("text", "nested", "integer"):
        from privaudit.detect.text.embedded import find_embedded  # its many expressions take long to compile

        strict = column.data_type == "integer"
        yield from find_embedded(totals.sought, totals.sought_rows, n_present=totals.n_present, strict=strict)


def estimated(share: Estimate, n_read: int) -> Estimate:
    """Return a share that was counted over the cells read as an estimate for all cells."""
    return wilson(share.value * n_read, n_read) if share.method == "exact" else share


def values_read(dataset: Dataset, seed: int) -> tuple[Limit, ...]:
    """Return what detection read of a table on an engine: number of rows and values, method and seed."""
    if dataset.in_memory:
        return ()
    rows, engine = Count(n=dataset.n_rows, unit="row"), Name(text=dataset.engine)
    if not dataset.in_part:
        return (limit("pipeline.values_of_engine", engine=engine, rows=rows, seed=Number(value=seed)),)
    columns = Columns(names=tuple(sorted(dataset.in_part)))
    parts = (
        limit(
            "pipeline.values_in_part",
            column=Columns(names=(name,)),
            read=Number(value=read),
            distinct=Number(value=totals.n_distinct),
            seed=Number(value=seed),
            common=Number(value=totals.n_common_forms),
            forms=Number(value=len(FORMS)),
        )
        for name, (totals, read) in sorted(dataset.in_part.items())
    )
    return (limit("pipeline.values_of_engine_in_part", engine=engine, rows=rows, columns=columns), *parts)
