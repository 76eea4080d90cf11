"""The pictures of a table: a map of its categories, and regions of its records.

Question: what does the table look like, without people in it?
Method: categories of the quasi-identifiers and sensitive attributes; regions of the quasi-identifiers alone, which do
not disclose a sensitive attribute. Of several records of a person one is drawn, so that every count is one of people.
Limits: tables of more than a million records, of fewer than 22 or of one column have no pictures. The map shows at
most 16 columns.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from privaudit.base.arrow import pa
from privaudit.base.blas_threads import one_blas_thread
from privaudit.base.parallel import threads_for
from privaudit.model import ColumnReport
from privaudit.model.pictures import Pictures
from privaudit.model.wording.rounding import SMALL_CELL
from privaudit.risk.pictures.categories import EMPTY, coded_columns, one_of_each, people_of, records_of
from privaudit.risk.pictures.category_map import axes_of, category_map, coordinates_of
from privaudit.risk.pictures.guessing import attributes
from privaudit.risk.pictures.regions import at_risk, distinct_records, places_of, regions

if TYPE_CHECKING:
    from privaudit.source import Dataset

MOST_ROWS = 1_000_000
MOST_COLUMNS = 16


def prepare_pictures(
    dataset: Dataset,
    columns: Sequence[ColumnReport],
    quasi: Sequence[str],
    k: int,
    subject: str | None = None,
    levels: Mapping[str, Collection[str]] = EMPTY,
    threads: int | None = None,
) -> Callable[[], Pictures | None] | None:
    """Read what the pictures of a table need, and return the function that draws them.

    None if the table is too small or too large, or has fewer than two columns to show.

    Parameters
    ----------
    columns : sequence of ColumnReport
        Of the table; those that are quasi-identifiers or sensitive are shown.
    quasi : sequence of str
        The quasi-identifiers, over which classes are formed.
    k : int
        Records in classes below k are at risk.
    subject : str, optional
        The column of the data subject, where a person may have several records.
    levels : mapping of column to texts, optional
        Names of levels of stated hierarchies: they are public, so that points may show them.
    threads : int, optional
        Threads that code the columns; those that the size of the table suggests where not given.
    """
    if not 2 * SMALL_CELL <= dataset.n_rows <= MOST_ROWS:
        return None
    shown = [column for column in columns if column.name in quasi or column.role == "sensitive"]
    if len(shown) < 2:
        return None
    names = (*(column.name for column in shown), *(() if subject is None else (subject,)))
    records = records_of(dataset, tuple(dict.fromkeys(names)))
    of_columns = threads_for(dataset.n_rows, threads)
    return lambda: _draw(records, shown, quasi, k, subject, levels, of_columns)


@one_blas_thread()
def _draw(
    records: pa.Table,
    shown: Sequence[ColumnReport],
    quasi: Sequence[str],
    k: int,
    subject: str | None,
    levels: Mapping[str, Collection[str]],
    threads: int,
) -> Pictures:
    coded = coded_columns(shown, records, levels, is_ordered=subject is not None, threads=threads)
    person = None if subject is None else people_of(subject, records)
    risky = at_risk([column for column in coded if column.name in quasi], k, person)
    if person is not None:
        drawn = one_of_each(coded, person)
        coded, risky = [column.rows(drawn) for column in coded], risky[drawn]
    mapped = coded[:MOST_COLUMNS]
    axes = axes_of(mapped)
    found = category_map(mapped, axes)
    own = [column for column in coded if column.name in quasi][:MOST_COLUMNS]
    if not own:
        return Pictures(categories=found)
    is_all = [column.name for column in own] == [column.name for column in mapped]
    coordinates = coordinates_of(own, axes if is_all else axes_of(own))
    secrets = attributes(column for column in coded if column.name not in quasi)
    chosen, n_records = distinct_records(own, secrets, risky)
    places = places_of([column.rows(chosen) for column in own], coordinates)
    of_chosen = [secret.rows(chosen) for secret in secrets]
    return Pictures(categories=found, regions=regions(places, risky[chosen], of_chosen, n_records))
