"""What an equivalence class reveals of a sensitive column."""

from __future__ import annotations

from privaudit.base.records import dataclass
from privaudit.base.wire import Wire


@dataclass(frozen=True, slots=True, kw_only=True)
class RecursiveL(Wire):
    """Recursive (c', l)-diversity holds for every c' above ``c``; with l = 1 the condition is void and c is null.

    ``by_l`` has the c of l = 2, 3, ... up to ``l``, at most of l = 20.
    """

    c: float | None
    l: int  # noqa: E741 - the literature's name
    by_l: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TCloseness(Wire):
    """Largest distance between a class and the table: total variation, and over ranks where values have an order."""

    equal: float | None
    ordered: float | None = None

    @property
    def applicable(self) -> float | None:
        """The ordered distance where values have an order, otherwise the equal distance."""
        return self.equal if self.ordered is None else self.ordered


@dataclass(frozen=True, slots=True, kw_only=True)
class Diversity(Wire):
    """Diversity of one sensitive attribute within the classes; every number is that of the worst class.

    With q the share of a value in a class and p its share in the table:

    Attributes
    ----------
    l_distinct : int
        Fewest distinct values in a class, 1 or more (Machanavajjhala et al. 2007).
    l_entropy : float
        exp of the smallest entropy of a class, 1 or more (ibid.).
    l_recursive : RecursiveL
        l = ``l_distinct`` and c = max over classes of ``r_1 / (r_l + ... + r_m)``, where ``r_1 >= ... >= r_m`` are
        the counts of a class's values (ibid.).
    t_closeness : TCloseness
        ``equal`` is the max over classes of ``sum max(q - p, 0)``, 0 to 1; ``ordered`` the max of the earth mover's
        distance over normalised ranks, ``sum_i |Q_i - P_i| / (m - 1)`` with the cumulated shares Q and P; None where
        values have no order (Li, Li, Venkatasubramanian 2007).
    alpha : float
        Largest q of any class and value, 0 to 1 (Wong, Li, Fu, Wang 2006).
    beta_basic : float
        max of (q - p) / p over classes and values, 0 or more (Cao, Karras 2012).
    beta_enhanced : float
        max over values of min(``beta_basic``, -ln p) (ibid., in the form pycanon computes it).
    delta_disclosure : float or None
        max of |ln(q / p)| over classes and all values of the attribute (Brickell, Shmatikov 2008); None where it is
        unbounded.
    delta_disclosure_unbounded : bool
        Whether some class lacks a value of the table: then q = 0 and |ln(q / p)| is infinite, beyond every limit.
    delta_disclosure_present : float
        The same max over the values that occur in each class only (the number that pycanon reports); always finite.
    homogeneous_classes, homogeneous_records : int
        Classes in which all records have the same value, and the records in them.
    n_values : int
        Distinct values of the attribute; missing cells count as one value.
    n_ordered : int or None
        Records in the ordered distance: those whose value has a position in the order.
    """

    l_distinct: int | None = None
    l_entropy: float | None = None
    l_recursive: RecursiveL | None = None
    t_closeness: TCloseness | None = None
    alpha: float | None = None
    beta_basic: float | None = None
    beta_enhanced: float | None = None
    delta_disclosure: float | None = None
    delta_disclosure_unbounded: bool | None = None
    delta_disclosure_present: float | None = None
    homogeneous_classes: int | None = None
    homogeneous_records: int | None = None
    n_values: int | None = None
    n_ordered: int | None = None
