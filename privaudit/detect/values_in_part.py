"""Verdicts on a column of which detection read a part of the values.

Question: what do shares and counts of a part of the values show about all cells?
Method: a share of the cells read is an estimate, and a count of them is that share of all cells. Every value of a form
that few values of the column have was read, with its rows, and what these contain is counted exactly. For entity types
found inside values that were read, the engine then compares all rows with the expressions that found them; where few
values match, all of these are read and counted exactly. An expression that the engine cannot run leaves the
estimate, and a limit.
Limits: `source.engine.bounded_values` chooses the values; the interval counts them as clusters of rows.
An entity type that many values contain, or that the language model found, stays an estimate.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from privaudit.base.arrays import Ints
from privaudit.base.arrow import pa
from privaudit.detect.catalogue import detectors
from privaudit.detect.catalogue.expressions import portable
from privaudit.detect.column import Column
from privaudit.model import ColumnProfile, Contained, Detection, Estimate, Limit, limit
from privaudit.model.stats import exact, wilson
from privaudit.model.wording import Columns, Count, EntityType, Name, Number
from privaudit.settings.config import Settings
from privaudit.source.dataset import Dataset
from privaudit.source.engine.bounded_values import FORMS, Totals
from privaudit.source.engine.pushed_down import REFUSED

if TYPE_CHECKING:
    from privaudit.detect.catalogue.forms import Spec


def contents(column: Column, totals: Totals, found: Sequence[Contained]) -> Iterator[Contained]:
    """Yield what all cells contain: estimates from the values read, exact counts of rare forms."""
    for one in found:
        share = estimated(one.share, totals)
        yield replace(one, share=share, n_cells=max(one.n_cells, round(share.value * totals.n_present)))
    if len(totals.sought) and column.data_type in ("text", "nested", "integer"):
        from privaudit.detect.text.embedded import find_embedded  # its many expressions take long to compile

        strict = column.data_type == "integer"
        yield from find_embedded(totals.sought, totals.sought_rows, n_present=totals.n_present, strict=strict)


def counted_on_engine(
    dataset: Dataset, profiles: Sequence[ColumnProfile], detections: Sequence[Detection], settings: Settings
) -> tuple[Detection, ...]:
    """Return `detections` with exact counts in place of estimates where few values have the forms that were found.

    The `profiles` are in the order of `detections`, whose rules are those of `settings`.
    """
    if not dataset.in_part:
        return tuple(detections)
    from privaudit.detect.catalogue.forms import specs_of  # its many expressions take long to compile

    specs = specs_of(detectors.load(settings.rules))
    asked = [
        (at, one, form)
        for at, (profile, found) in enumerate(zip(profiles, detections, strict=True))
        if profile.name in dataset.in_part and profile.data_type in ("text", "nested")
        for one in found.contains
        if _may_be_few(one, *dataset.in_part[profile.name]) and (form := _form_of(one, specs)) is not None
    ]
    answers = dataset.matching([(detections[at].column, form) for at, _, form in asked])
    counted = list(detections)
    for (at, found, _), values in zip(asked, answers, strict=True):
        if values == REFUSED:
            dataset.not_counted.add((counted[at].column, found.entity))
        elif values is not None and (n_cells := _counted(found, *values, specs)) is not None:
            n_present = dataset.in_part[counted[at].column][0].n_present
            count = replace(found, n_cells=n_cells, share=exact(n_cells / n_present, n_present))
            contains = tuple(count if one == found else one for one in counted[at].contains)
            counted[at] = replace(counted[at], contains=contains)
    return tuple(counted)


def _may_be_few(found: Contained, totals: Totals, n_read: int) -> bool:
    """Whether an estimate may be of so few values that the engine hands over all of them."""
    return found.share.method != "exact" and found.share.low * totals.n_distinct <= n_read


def _form_of(found: Contained, specs: Sequence[Spec]) -> str | None:
    """Return an expression of the forms that found an entity type; None if something else found it."""
    used = [spec for spec in specs if spec.entity == found.entity and spec.clue in found.evidence]
    if any(clue not in [spec.clue for spec in used] for clue in found.evidence):
        return None
    return portable([spec.narrow for spec in used])


def _counted(found: Contained, values: pa.Array, rows: Ints, specs: tuple[Spec, ...]) -> int | None:
    """Return how many cells contain an entity type, counted in all values of its forms.

    Cells that lack the form until normalisation changes them are not among `values`: None for fewer than were read.
    """
    from privaudit.detect.text.embedded import find_embedded

    n_read = round(found.share.value * found.share.n)
    counts = [
        one.n_cells
        for one in find_embedded(values, rows, forms=specs)
        if (one.entity, one.detail) == (found.entity, found.detail)
    ]
    return next((n for n in counts if n >= n_read), None)


def estimated(share: Estimate, totals: Totals) -> Estimate:
    """Return a share that was counted over the cells read as an estimate for all cells."""
    return wilson(share.value * totals.n_effective, totals.n_effective) if share.method == "exact" else share


def values_read(dataset: Dataset, seed: int) -> tuple[Limit, ...]:
    """Return what detection read of a table on an engine: number of rows and values, method and seed."""
    if dataset.in_memory:
        return ()
    rows, engine = Count(dataset.n_rows, unit="row"), Name(dataset.engine)
    if not dataset.in_part:
        return (limit("pipeline.values_of_engine", engine=engine, rows=rows, seed=Number(seed)),)
    columns = Columns(tuple(sorted(dataset.in_part)))
    parts = (
        limit(
            "pipeline.values_in_part",
            column=Columns((name,)),
            read=Number(read),
            distinct=Number(totals.n_distinct),
            seed=Number(seed),
            common=Number(totals.n_common_forms),
            forms=Number(len(FORMS)),
        )
        for name, (totals, read) in sorted(dataset.in_part.items())
    )
    refused = (
        limit("pipeline.not_counted_on_engine", column=Columns((x,)), entity=EntityType(code), engine=engine)
        for x, code in sorted(dataset.not_counted)
    )
    return (limit("pipeline.values_of_engine_in_part", engine=engine, rows=rows, columns=columns), *parts, *refused)
