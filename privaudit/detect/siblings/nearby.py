"""Places that need a place beside them to be told: postal codes and coordinates without a name.

Question: are five digits a postal code, are two columns of decimals a point?
Method: codes of the form and length of postal codes beside columns of places; two neighbouring columns of degrees as
various as each other and away from zero.
Limits: keys of five digits that do not follow each other, in a table with places, look like postal codes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from privaudit.detect.column import Column
from privaudit.detect.evidence import Candidate
from privaudit.model import Clue

if TYPE_CHECKING:
    from privaudit.detect.siblings.context import Examined


def postal(item: Examined, places: int) -> None:
    """Codes of the form of postal codes beside `places` columns of places."""
    column = item.column
    if (
        item.entity not in (None, "UNRESOLVED_ID")
        or column.n_distinct < 5
        or not column.header.opaque
        or places < (1 if _fixed(column) else 2)
    ):
        return
    if column.kind not in ("integer", "text", "decimal") or _dense(column):
        return
    if column.letters < 0.1 and column.n_distinct > 12 and np.ptp(column.lengths) not in (0, 1, 4, 5):
        return  # counts of many lengths
    if column.matching("^(?:1[89]|20)[0-9]{2}$") > 0.95:
        return  # years
    fits = column.matches(_POSTAL)
    if not _fixed(column):
        fits &= ~column.matches(
            r"^[0-9]{9}$|^[0-9]{5}-[0-9]{4}$"
        )  # nine digits count only where all have five or nine
    if (
        _fixed(column)
        and column.matching("^0") < 0.3
        and column.uniqueness >= 0.5
        and len({t[0] for t in column.sample}) < 4
    ):
        return  # keys that follow each other
    if column.share(fits) >= 0.9 and column.share(column.lengths >= 4) >= 0.8 and column.digits > 0.95:
        clue = Clue(
            kind="shape", because="codes of the form and length of postal codes beside columns of places"
        )
        item.found.add(
            Candidate(
                entity="POSTAL_CODE",
                n_cells=column.cells(fits),
                strength=0.67 if _fixed(column) else 0.62,
                clues=(clue,),
            )
        )


# Three to six digits, or letters and digits mixed as postal codes mix them.
_POSTAL = (
    r"^(?:[A-Z]{1,3}-)?[0-9]{3,6}(?:-[0-9]{3,4})?$|^[0-9]{9}$|^[0-9]{2}-[0-9]{3}$"
    r"|^[A-Z]{1,2}[0-9][0-9A-Z]? ?[0-9][A-Z]{2}$|^[0-9]{3} [0-9]{2}$"
    r"|^[A-Z][0-9][A-Z] ?[0-9][A-Z][0-9]$|^[0-9]{4} ?[A-Z]{2}$"
)


def _fixed(column: Column) -> bool:
    """Return whether all cells are five digits, or nine with a hyphen or without."""
    return column.matching(r"^[0-9]{5}(?:-?[0-9]{4})?$") >= 0.98


def _dense(column: Column) -> bool:
    """Return whether numbers follow each other so closely that they count something."""
    numbers = column.numbers[np.isfinite(column.numbers)]
    if len(numbers) < 0.9 * column.n_distinct:
        return False
    return float(numbers.max() - numbers.min()) < 4 * len(numbers)


def pairs(table: Sequence[Examined], position: int) -> None:
    """Two columns of degrees side by side are a latitude and a longitude."""
    if position + 1 >= len(table):
        return
    one, two = table[position], table[position + 1]
    if one.entity is not None or two.entity is not None:
        return
    degrees = [
        next((c for c in item.found.candidates if c.entity in ("LATITUDE", "LONGITUDE")), None)
        for item in (one, two)
    ]
    if (
        degrees[0] is None
        or degrees[1] is None
        or not (one.column.header.opaque and two.column.header.opaque)
    ):
        return
    if not _on_the_map(one.column, two.column):
        return
    first = "LONGITUDE" if degrees[0].entity == "LONGITUDE" else "LATITUDE"
    clue = Clue(kind="shape", because="two columns of degrees with four or more decimals side by side")
    for item, entity in ((one, first), (two, "LATITUDE" if first == "LONGITUDE" else "LONGITUDE")):
        item.found.add(Candidate(entity=entity, n_cells=item.column.n_present, strength=0.75, clues=(clue,)))


def _on_the_map(one: Column, two: Column) -> bool:
    """Return whether two columns of decimals could be points: as various as each other, and not both around zero."""
    if not 0.5 <= one.n_distinct / max(1, two.n_distinct) <= 2:
        return False
    return max(float(np.nanmedian(np.abs(column.numbers))) for column in (one, two)) >= 5 and all(
        float(np.nanmedian(np.abs(column.numbers))) >= 0.2 for column in (one, two)
    )
