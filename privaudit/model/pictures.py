"""Pictures of a table without people in it: points for categories, tiles for groups of records."""

from __future__ import annotations

from privaudit.base.records import dataclass
from privaudit.base.wire import Wire


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryPoint(Wire):
    """One value, or band of values, of a column, with at least 11 records.

    Attributes
    ----------
    column : str
    number : int
        Its position among the values of the column: by frequency, for bands in ascending order.
    value : str or None
        The value, where it is in the public vocabulary of the entity type; null otherwise.
    x, y : float
        First two axes of the correspondence analysis.
    near_x, near_y : float or None
        Coordinates by t-SNE of the first ten axes; null where there are too few points.
    """

    column: str
    number: int
    value: str | None = None
    x: float
    y: float
    near_x: float | None = None
    near_y: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryMap(Wire):
    """Correspondence analysis of the two-way tables of all pairs of columns, cells below 11 removed.

    Attributes
    ----------
    points : tuple of CategoryPoint
    n_values : int
        Values and bands of the columns; those without a point are too rare.
    inertia : tuple of float
        Shares of the inertia that the first two axes hold: of the association between different columns.
    plain_inertia : float
        Share on the first two axes of the analysis of the stacked tables as they are, which counts what no other column
        shares as well.
    perplexity : float or None
        Of t-SNE; null where it was not computed.
    """

    points: tuple[CategoryPoint, ...]
    n_values: int
    inertia: tuple[float, ...]
    plain_inertia: float = 0.0
    perplexity: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Region(Wire):
    """A group of at least 11 people with similar quasi-identifiers, as a tile of the unit square.

    Attributes
    ----------
    x, y, width, height : float
        The tile: every split at a median halves it, so that no coordinate of a record follows.
    share_below_k : float
        Share of its records in classes below k, rounded to a tenth.
    """

    x: float
    y: float
    width: float
    height: float
    share_below_k: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Pictures(Wire):
    """The pictures of a table; a part is null or empty where the table has too few records or columns."""

    categories: CategoryMap | None
    regions: tuple[Region, ...] = ()
