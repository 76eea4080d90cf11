"""Which columns are grouped at once, and whether the table is counted in parts.

Question: do the distinct rows of a table fit in memory, over the quasi-identifiers and the sensitive attributes?
Method: the exact numbers of values bound the number of distinct rows; where the bound is too large, a sketch estimates
it. Free text, in which nearly every value is different, is omitted first, because no check judges its diversity.
Limits: a quasi-identifier of which only a part of the values was read cannot be coded in parts. Where its distinct rows
do not fit, the risk is not measured, and the scan is incomplete.
"""

from __future__ import annotations

from collections.abc import Sequence

from privaudit.base.records import dataclass
from privaudit.model import ColumnReport, Limit, limit
from privaudit.model.wording import Columns, Count
from privaudit.risk.search import parts
from privaudit.risk.search.parts import can_be_coded, exceed_memory, rows_at_once, with_subject
from privaudit.settings.config import Settings
from privaudit.source.dataset import Dataset


@dataclass(frozen=True, slots=True, kw_only=True)
class Grouping:
    """How a table is assessed.

    Attributes
    ----------
    sensitive : sequence of ColumnReport
        The sensitive attributes that are grouped with the quasi-identifiers.
    limits : tuple of Limit
        For those that are not.
    rows_of_a_part : int, optional
        Distinct rows that are read at once where the table is counted in parts.
    beyond_memory : Limit, optional
        Why the risk is not measured.
    """

    sensitive: Sequence[ColumnReport]
    limits: tuple[Limit, ...] = ()
    rows_of_a_part: int | None = None
    beyond_memory: Limit | None = None


def is_free_text(column: ColumnReport) -> bool:
    """Whether a column is free text, whose diversity no check judges: distinct cells protect nobody."""
    return column.is_ is not None and column.is_.entity == "FREE_TEXT"


def group_columns(
    dataset: Dataset, quasi: Sequence[ColumnReport], sensitive: Sequence[ColumnReport], settings: Settings
) -> Grouping:
    """Return how the table is assessed within the memory of the run.

    Parameters
    ----------
    dataset : Dataset
        With one record or more.
    quasi, sensitive : sequence of ColumnReport
    settings : Settings
        `memory` and `subject` are read.
    """
    names = [column.name for column in quasi]
    judged = [column for column in sensitive if not is_free_text(column)]

    def fit(columns: Sequence[ColumnReport]) -> bool:
        wanted = with_subject([*names, *(column.name for column in columns)], settings)
        return not exceed_memory(dataset, wanted, settings)

    if not names or fit(sensitive):
        return Grouping(sensitive=sensitive)
    if len(judged) < len(sensitive) and fit(judged):
        texts = [column.name for column in sensitive if column not in judged]
        most = Count(rows_at_once(settings, len(with_subject(names, settings)) + len(sensitive)), unit="row")
        stated = limit("risk.free_text_beyond_memory", columns=Columns(tuple(texts)), most=most)
        return Grouping(sensitive=judged, limits=(stated,))
    n_columns = len(with_subject(names, settings))
    if can_be_coded(dataset, names):
        return Grouping(sensitive=(), rows_of_a_part=parts.most_rows(settings, n_columns))
    in_part = tuple(name for name in names if not can_be_coded(dataset, [name]))
    most = Count(rows_at_once(settings, n_columns), unit="row")
    return Grouping(
        sensitive=(),
        beyond_memory=limit(
            "risk.quasi_identifiers_beyond_memory", incomplete=True, columns=Columns(in_part), most=most
        ),
    )
