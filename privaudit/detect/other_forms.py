"""Personal numbers and dates that are stored in another form than people write them in.

Question: may a column of plain numbers be taken as clean although it could be social security numbers without hyphens,
dates of birth as counts of days or seconds, parts of a number that is split over columns, or text as character codes?
Method: the numbering rules of social security numbers are tested against chance: nine digits, leading zeros included,
of which every distinct value is valid and some begin with zero, are not assessed, because uniform numbers would break a
rule (1 in 9 of them does). A column that is named as a date of birth and holds counts of days or seconds is not
assessed; nor are three neighbouring columns of fixed width whose digits together obey the same rules. Lists of
character codes are decoded and searched as text.
Limits: a column of counts without a telling name is not taken for dates.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from privaudit.detect.column_evidence import ColumnEvidence
from privaudit.vocabulary import entity_type
from privaudit.wording import Columns, Count, EntityType, Fact, fact

FEWEST = 60
"""Distinct values that exclude chance: 60 random numbers of nine digits obey all rules once in 1,000 times."""
_LATEST_YEAR = 2103
_SPANS = ((-27_000, 60_000), *((-2.3e9 * part, 4.2e9 * part) for part in (1, 1e3, 1e6, 1e9)))
"""Days since 1970 or, as spreadsheets count, since 1900; seconds since 1970 and their fractions: 1897 to 2103."""
_CODES = r"^[\[({]?\s*(?:[0-9]{2,6}\s*[,; ]\s*){4,}[0-9]{2,6}\s*[\])}]?$"
_NUMBER = re.compile(r"[0-9]+")
_PARTS = (3, 2, 4)


def why_unassessed(item: ColumnEvidence, split: frozenset[str]) -> Fact | None:
    """Return why a column that was taken as harmless may be personal data in another form; None if not.

    Parameters
    ----------
    split : frozenset of str
        The columns that `split_numbers` returned.
    """
    if item.entity is not None and entity_type(item.entity).role != "none":
        return None
    column = item.column
    if column.name in split:
        return fact("detect.split_number", columns=Columns(names=tuple(sorted(split))))
    if _are_social_security_numbers(item):
        return fact("detect.like_ssn", values=Count(n=column.n_distinct, unit="value"))
    if _counts_births(item):
        return fact("detect.birth_as_number", entity=EntityType(code="DATE_OF_BIRTH"))
    return None


def _are_social_security_numbers(item: ColumnEvidence) -> bool:
    column = item.column
    if column.n_distinct < FEWEST or column.data_type not in ("integer", "text"):
        return False
    if column.matching(r"^[0-9]{6,9}$") < 1:
        return False
    return _obey_the_rules(np.asarray(column.numbers, dtype=np.int64))


def _obey_the_rules(numbers: npt.NDArray[np.int64]) -> bool:
    """Whether numbers of nine digits are all valid, spread over the areas, and some begin with a zero."""
    area, group, serial = numbers // 1_000_000, numbers // 10_000 % 100, numbers % 10_000
    valid = (area > 0) & (area != 666) & (area < 900) & (group > 0) & (serial > 0)
    low = float((area < 100).mean())
    return bool(valid.all()) and 0.01 < low < 0.4 and len(np.unique(area)) >= min(40, len(numbers) // 2)


def _counts_births(item: ColumnEvidence) -> bool:
    """Whether a column that is named as a date of birth counts days, seconds or fractions of seconds."""
    column = item.column
    if column.header.strength("DATE_OF_BIRTH") <= 0 or column.data_type not in ("integer", "decimal"):
        return False
    numbers = column.numbers
    if not len(numbers) or not np.isfinite(numbers).all() or np.ptp(numbers) == 0:
        return False
    return any(low < numbers.min() and numbers.max() < high for low, high in _SPANS) and numbers.max() > _LATEST_YEAR


def split_numbers(table: Sequence[ColumnEvidence]) -> frozenset[str]:
    """Return the columns that three by three, side by side, hold the parts of social security numbers."""
    found: set[str] = set()
    for triple in zip(table, table[1:], table[2:], strict=False):
        columns = [item.column for item in triple]
        fixed = (
            column.n_distinct > 1 and column.matching(rf"^[0-9]{{{width}}}$") == 1
            for column, width in zip(columns, _PARTS, strict=True)
        )
        if all(fixed) and columns[2].n_distinct >= FEWEST and _parts_obey(*(c.numbers for c in columns)):
            found.update(column.name for column in columns)
    return frozenset(found)


def _parts_obey(
    area: npt.NDArray[np.float64], group: npt.NDArray[np.float64], serial: npt.NDArray[np.float64]
) -> bool:
    valid = (area > 0).all() and (area != 666).all() and (area < 900).all() and (group > 0).all()
    return bool(valid and (serial > 0).all() and (serial < 1000).any() and len(area) >= 20)


def search_character_codes(item: ColumnEvidence) -> None:
    """Decode cells that list character codes and add what their text contains to the evidence."""
    column = item.column
    if column.data_type not in ("text", "nested") or column.letters > 0 or not column.has_digits:
        return
    listed = column.matches(_CODES)
    if not listed.any():
        return
    import pyarrow as pa

    from privaudit.detect.text.embedded import find_embedded

    places = np.flatnonzero(listed)
    texts = [_decoded(cell) for cell in column.raw.take(pa.array(places)).to_pylist()]
    read = [i for i, text in enumerate(texts) if text is not None]
    if not read:
        return
    values = pa.array([texts[i] for i in read], pa.string())
    found = find_embedded(values, column.counts[places[read]], n_present=column.n_present)
    item.evidence.contained.extend(found)
    cells = Count(n=int(column.counts[places[read]].sum()), unit="cell")
    item.evidence.notes.append(fact("detect.character_codes", cells=cells))


def _decoded(cell: str) -> str | None:
    """Return the text that a list of character codes stands for, None where it is not printable."""
    codes = [int(number) for number in _NUMBER.findall(cell)]
    if not all(code < 0x110000 and not 0xD800 <= code < 0xE000 for code in codes):
        return None
    text = "".join(map(chr, codes))
    return text if text.isprintable() else None
