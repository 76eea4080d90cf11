"""Recognise rows that may be several of each person, although no column is known to identify the person.

Question: does a code repeat, with the same attributes of a person in each of its rows, as in a study with visits?
Method: every sex, birth date and ethnicity of the table, and half of the quasi-identifiers that describe people, but
two or more, have one value in nine of ten rows that repeat the code, which chance explains in fewer than one column of
10**9. Ages and occupations may change.
Limits: the code may be that of a group whose members are alike, so that it is not taken for the key of the people: the
rows are events of people whose subject is unknown, which is not assessed until someone states it. A code that
determines a single attribute may be that of a product or a team, and one that determines few a sampling weight.
"""

from __future__ import annotations

from collections.abc import Sequence

from privaudit.detect.column import VARIOUS
from privaudit.detect.subjects.person_keys import determines
from privaudit.detect.unit.columns import NEARLY_UNIQUE, UnitColumn, names
from privaudit.model import vocabulary
from privaudit.model.wording import Fact, fact
from privaudit.source.dataset import Dataset

_LEAST = 2
_MOSTLY = 0.5
"""Columns about people that a code determines, and their share, from which it may be a person's (product defaults)."""


def find_repeated_code(
    dataset: Dataset, table: Sequence[UnitColumn], about_people: Sequence[UnitColumn]
) -> Fact | None:
    """Return the reason why rows of a table about people may be several of each person, or None.

    Parameters
    ----------
    dataset : Dataset
    table : sequence of UnitColumn
    about_people : sequence of UnitColumn
        The columns of `table` that describe people.
    """
    demographic, quasi = vocabulary.with_trait("demographic"), vocabulary.with_role("quasi")
    described = [c for c in table if c.entity in demographic or (c.entity in quasi and c in about_people)]
    various = [c for c in described if c.profile.n_distinct > 1]
    if len(various) < _LEAST:
        return None
    lasting = [c for c in various if c.entity in demographic - {"AGE"}]
    # Those that must be determined first: most codes determine none of them, and nothing else is read then.
    ordered = [*lasting, *(c for c in various if c not in lasting)]
    for code in filter(_may_be_code, table):
        constant = _determined(dataset, code, ordered, len(lasting))
        if len(constant) >= max(_LEAST, _MOSTLY * len(various)):
            return fact("unit.repeated_code", columns=names([code]), attributes=names(constant))
    return None


def _may_be_code(column: UnitColumn) -> bool:
    """Whether a column without a clear meaning has codes that repeat."""
    is_unclear = column.entity in {None, "RECORD_ID", "UNRESOLVED_ID"} | vocabulary.with_trait("opaque_code")
    has_codes = column.profile.data_type in ("text", "integer")
    return is_unclear and has_codes and column.profile.n_distinct >= VARIOUS and column.uniqueness < NEARLY_UNIQUE


def _determined(dataset: Dataset, code: UnitColumn, ordered: Sequence[UnitColumn], n_lasting: int) -> list[UnitColumn]:
    """Return the columns that a code determines; none where it does not determine the first `n_lasting`."""
    found = []
    for i, column in enumerate(ordered):
        if determines(code.name, column.name, dataset):
            found.append(column)
        elif i < n_lasting:
            return []
    return found
