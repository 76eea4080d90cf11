"""Health data: words for diseases and treatments, abbreviations of measures, and the weight of a body.

Question: do the cells mention diseases or treatments; is ``sbp`` a clinical measure, ``weight`` that of a person?
Method: words of a list. Numbers and levels under short unexplained names are health data where the table describes
people and has two other columns of health data, or where a quarter of its columns is clinical data; where no other
column is the age or the sex, the one that is most like it is. In a table that describes people, ``weight`` means body
weight, and next to health data ``temperature`` means that of the body (`body_measures.toml`).
Limits: words of common diseases, in some twenty languages; an administrative flag among clinical measures is taken for
one of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from privaudit.detect.catalogue import wordlists
from privaudit.detect.column import FEW, SAMPLE, Column
from privaudit.detect.column_evidence import ColumnEvidence
from privaudit.detect.ledger import Entry, claim_for
from privaudit.detect.subjects import ages, names, sexes
from privaudit.detect.subjects.context import Posting, Table, describes_people, has, name
from privaudit.detect.subjects.keys import never_repeats
from privaudit.detect.subjects.words_of_names import words_of
from privaudit.model import vocabulary
from privaudit.model.wording import Term, fact

_LONGEST = 8  # characters of an abbreviation
_LENGTH_OF_IDS = 4
_OTHER_ENDINGS = ("seq", "num", "id", "price", "tax", "cost", "dt", "dtc", "dy", "yr", "cd")


def mentioned(column: Column) -> Iterator[Entry]:
    """Yield the claim on health data, by words for diseases and treatments."""
    if column.data_type != "text" or not column.has_letters_in(0.5):
        return
    known = wordlists.word_list("medical")
    values, counts = column.chosen(SAMPLE)
    if known.isdisjoint(words_of(wordlists.fold(" ".join(text[:200] for text in values)))):
        return  # most columns: their words are cut and compared all at once
    hits = np.array([not known.isdisjoint(words_of(wordlists.fold(text[:200]))) for text in values])
    share = float(counts[hits].sum() / counts.sum())
    if share < 0.25 or hits.sum() < 2:
        return
    because = fact("detect.words_of_topic", share=column.cell_share(share), topic=Term("health"))
    cells = round(share * column.n_present)
    strength, generic = min(0.9, 0.4 + 0.6 * share), share < 0.4
    yield claim_for(column, "MEDICAL", strength, "list", because, cells=cells, generic=generic)


def name_body_measures(table: Table) -> Iterator[Posting]:
    """Yield the claims on measures of the body in a table that describes people."""
    clinical = has(table, vocabulary.with_trait("clinical"))
    for item in table if describes_people(table) else ():
        for measure in wordlists.toml("body_measures").values():
            if item.verdict is None and (clinical or "among" not in measure) and _is_of_body(item.column, measure):
                yield name(item, measure["entity"], 0.7, fact("detect.siblings_body_measure"))


def _is_of_body(column: Column, measure: Mapping[str, Any]) -> bool:
    """Whether the column name is that of a measure, and the median of the values is one of people."""
    numbers = column.known_numbers
    if not len(numbers) or not column.header.has_word(*measure["words"].split()):
        return False
    return any(low <= np.median(numbers) <= high for low, high in measure["medians"])


def name_clinical_measures(table: Table) -> Iterator[Posting]:
    """Yield claims on numbers and levels under short unexplained names in a table of clinical data."""
    found = [item for item in table if _is_measured(item) and _is_abbreviation(item)] if _is_clinical(table) else []
    # Such a table describes people, whose age and sex are columns like the others.
    yield from ages.choose_abbreviated(table, found)
    yield from sexes.suggest_code(table, found)
    for item in found:
        if item.entity in (None, "CATEGORY"):
            yield name(item, "MEDICAL", 0.6, fact("detect.siblings_clinical_code"))


def _is_clinical(table: Table) -> bool:
    """Whether a table is about the health of people, or a quarter of its columns is clinical data."""
    clinical = sum(item.entity in vocabulary.with_trait("clinical") for item in table)
    of_health = sum(item.entity == "MEDICAL" for item in table)
    # One word may mean something else, and one diagnosis does not make the other columns health data.
    return (of_health >= 2 and describes_people(table)) or clinical >= max(3, 0.25 * len(table))


def _is_measured(item: ColumnEvidence) -> bool:
    """Whether values are numbers or levels, and neither count the rows nor differ in all of them."""
    column = item.column
    few = column.data_type == "text" and column.n_distinct <= FEW and not column.is_varied
    levels = few and not names.are_known(column)
    # IDs of patients have one length, and measures of four digits or more do not.
    coded = column.data_type == "integer" and column.shortest == column.longest >= _LENGTH_OF_IDS
    numbers = column.data_type in ("integer", "decimal", "boolean") and not coded
    return (numbers or levels) and "counts_rows" not in item.ledger.measurements and not never_repeats(column)


def _is_abbreviation(item: ColumnEvidence) -> bool:
    header, administration = item.column.header, wordlists.word_list("study_administration")
    if header.is_ordinary or header.is_opaque or item.ledger.named or set(header.words) & administration:
        return False
    administrative = any(word.endswith(_OTHER_ENDINGS) and len(word) > 3 for word in header.words)
    return sum(map(len, header.words)) <= _LONGEST and not administrative
