"""Personal data in the text that a file holds besides the table.

Question: does a line above the table, a comment or the metadata contain personal data?
Method: the texts of one place are read like the cells of a text column, by patterns and by the language model. Two
or three capitalised words in a row that are all listed as given names and surnames are the name of a person.
Limits: without a language model, other names are not found.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow as pa

from privaudit.base.patterns import Expression
from privaudit.model.headers import is_person
from privaudit.model.wording import EntityType, Listing
from privaudit.settings.config import Progress, Settings, silent
from privaudit.source.input.table import PLACES, Outside

_CAPITALISED = Expression(r"(?=\b([^\W\d_a-z][\w'’-]+(?:\s[^\W\d_a-z][\w'’-]+){1,2})\b)")


def read_outside(
    texts: Sequence[Outside], settings: Settings, progress: Progress = silent
) -> Iterator[tuple[str, Listing]]:
    """Yield each place whose texts contain personal data, with the entity types found, sorted."""
    for place in PLACES:
        cells = sorted({one.text for one in texts if one.place == place})
        found = _entities(cells, settings, progress) if cells else []
        if found:
            yield place, Listing(tuple(EntityType(entity) for entity in found))


def _entities(cells: list[str], settings: Settings, progress: Progress) -> list[str]:
    from privaudit.detect.text.embedded import find_embedded
    from privaudit.detect.text.language_model import read_text

    values, counts = pa.array(cells, pa.large_string()), np.ones(len(cells), dtype=np.int64)
    found = list(find_embedded(values, counts, progress=progress))
    if settings.ner:
        reading = read_text(values, counts, settings=settings, n_present=len(cells), progress=progress)
        found += [one for one in reading.entities if one.entity == "PERSON_NAME"]
    names = {"PERSON_NAME"} if any(map(_names_a_person, cells)) else set()
    return sorted({one.entity for one in found} | names)


def _names_a_person(text: str) -> bool:
    words = (match[1].split() for match in _CAPITALISED.finditer(text))
    return any(is_person(" ".join(run[:n])) for run in words for n in (2, len(run)))
