"""The pictures of a table: a map of its categories, and regions of its records.

Question: what does the table look like, without people in it?
Method: categories of the quasi-identifiers and sensitive attributes; regions of the quasi-identifiers alone, because a
region of records with the same sensitive value would disclose it.
Limits: tables of more than a million records, of fewer than 22 or of one column have no pictures.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from privaudit.model import ColumnReport
from privaudit.model.pictures import Pictures
from privaudit.model.wording.rounding import SMALL_CELL
from privaudit.risk.pictures.categories import coded_columns
from privaudit.risk.pictures.category_map import category_map
from privaudit.risk.pictures.regions import at_risk, places_of, regions

if TYPE_CHECKING:
    from privaudit.source import Dataset

MOST_ROWS = 1_000_000


def measure_pictures(
    dataset: Dataset, columns: Sequence[ColumnReport], quasi: Sequence[str], k: int
) -> Pictures | None:
    """Return the pictures of a table; None where it is too small or too large.

    Parameters
    ----------
    columns : sequence of ColumnReport
        Of the table; those that are quasi-identifiers or sensitive are shown.
    quasi : sequence of str
        The quasi-identifiers, over which classes are formed.
    k : int
        Records in classes below k are at risk.
    """
    if not 2 * SMALL_CELL <= dataset.n_rows <= MOST_ROWS:
        return None
    shown = [column for column in columns if column.name in quasi or column.role == "sensitive"]
    coded = list(coded_columns(dataset, shown))
    if len(coded) < 2:
        return None
    found, _ = category_map(coded)
    own = [column for column in coded if column.name in quasi]
    if not own:
        return Pictures(categories=found)
    _, coordinates = category_map(own)
    return Pictures(categories=found, regions=regions(places_of(own, coordinates), at_risk(own, k)))
