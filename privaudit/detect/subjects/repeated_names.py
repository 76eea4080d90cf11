"""Names of people that are not written alone: repeated in links, keys and logins, or with a number.

Question: can the words of a person's name be read in another column of the same row?
Method: both cells are written in lower case without accents. A cell repeats a name where it contains every word of it:
a word of few letters as a word of its own, a longer one anywhere. The share of the rows that repeat the name is
compared with the share that would if the rows of one column were shifted against the other.
Limits: the first `_MOST` distinct names in seeded order are compared. Columns that repeat only some of the names, such
as free text, are read by the search inside of texts.

Names of people with a number, as generators of test data write them: "Mary17 Smith204".

Question: are words with a number the names of people?
Method: the numbers are taken away, and the words are read as other names are. A column name that suggests names makes
up for words that no list contains.
Limits: one word with many numbers, such as "Paris12", is a place or a series.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pyarrow as pa
import pyarrow.compute as pc

from privaudit.detect.catalogue import wordlists
from privaudit.detect.column import NEARLY_ALL, SAMPLE, VARIOUS, Column
from privaudit.detect.column_evidence import ColumnEvidence
from privaudit.detect.ledger import Entry, claim_for
from privaudit.detect.resolver import LEAST
from privaudit.detect.subjects import names
from privaudit.detect.subjects.context import Posting, Table, suggest
from privaudit.model import vocabulary
from privaudit.model.vocabulary import entity_type, with_trait
from privaudit.model.wording import Columns, Share, fact
from privaudit.source.dataset import Dataset

_MOST, _LEAST_ROWS = 500, VARIOUS
_REPEATED = 0.5
"""Share of the rows, beyond chance, from which the column is one of names."""
_SHORT = 3
"""Letters of words that other words contain by chance."""
_WORD = re.compile(r"[^\W\d_]+")


def find_repeated_names(table: Table, dataset: Dataset) -> Iterator[Posting]:
    """Yield the claim on names for columns in which the name of the person of the row can be read."""
    names = [item for item in table if item.entity in vocabulary.with_trait("person_name") and item.column.is_varied]
    others = [item for item in table if _may_repeat(item)] if names else []
    for source in names:
        compared = [item for item in others if item is not source]
        if compared:
            yield from _repeated(source, compared, dataset)


def _may_repeat(item: ColumnEvidence) -> bool:
    """Whether a column has texts with letters that are not known to be something that identifies people directly."""
    column = item.column
    known = item.entity is not None and entity_type(item.entity).role == "direct"
    is_key = item.entity in vocabulary.with_trait("links_records")
    return (not known or is_key) and column.n_distinct >= _LEAST_ROWS and column.has_letters_in(NEARLY_ALL)


def _repeated(source: ColumnEvidence, others: list[ColumnEvidence], dataset: Dataset) -> Iterator[Posting]:
    column = source.column
    wanted = column.raw.take(column.drawn[:_MOST]).to_pylist()
    rows = dataset.rows_holding([column.name, *(item.column.name for item in others)], column.name, wanted)
    words = [_words(cell) for cell in rows[column.name].to_pylist()]
    for item in others:
        cells = [wordlists.fold(cell or "") for cell in rows[item.column.name].to_pylist()]
        n = sum(bool(cell) for cell in cells)
        share = _share(words, cells)
        shifted = _share([*words[1:], *words[:1]], cells) if n else 0.0
        if n >= _LEAST_ROWS and share - shifted >= _REPEATED:
            names, stated = Columns(names=(column.name,)), Share(value=share, of=n)
            because = fact("detect.siblings_repeated_name", column=names, share=stated)
            yield suggest(item, str(source.entity), 0.99, because, detail="repeated", generic=False)


def _words(cell: str | None) -> tuple[str, ...]:
    return tuple(_WORD.findall(wordlists.fold(cell or "")))


def _share(names: list[tuple[str, ...]], cells: list[str]) -> float:
    """Return the share of the cells with a text that contain every word of the name of their row."""
    texts = [(name, cell) for name, cell in zip(names, cells, strict=True) if cell]
    return sum(_contains(cell, name) for name, cell in texts) / max(1, len(texts))


def _contains(cell: str, name: tuple[str, ...]) -> bool:
    own = set(_WORD.findall(cell))
    return bool(name) and all(word in own or (len(word) > _SHORT and word in cell) for word in name)


_NUMBER = "_?[0-9]{1,4}"
_NUMBERED = rf"^\p{{L}}[\p{{L}}.'’, \-]*\p{{L}}{_NUMBER}(?: [\p{{L}}.'’, \-]*\p{{L}}{_NUMBER})*$"
_NUMBERED_APART = r"^\p{L}[\p{L}.'’, \-]*\p{L} [0-9]{1,4}$"
_FEWEST, _FEWEST_WORDS = 10, 3
_LEAST_LISTED = 0.4
_LEAST_NAMED = 0.15


def find_numbered_names(column: Column) -> Iterator[Entry]:
    """Yield the claim that `column` holds given or family names that carry a number."""
    hint = next((one for one in column.header.hints if one.entity in with_trait("person_name")), None)
    named = hint.entity if hint else None
    # Things have a "name" as well, but not a last name; streets end with a number after a blank.
    of_people = hint is not None and (hint.entity != "PERSON_NAME" or hint.strength > LEAST)
    forms = (_NUMBERED, _NUMBERED_APART) if of_people else (_NUMBERED,)
    if column.data_type != "text" or column.n_distinct < _FEWEST or not any(map(column.at_least, forms)):
        return
    texts, counts = column.chosen(SAMPLE)
    bare = pc.replace_substring_regex(pa.array(texts, pa.string()), "[_ ]?[0-9]+", "").to_pylist()
    n_words = len(set(bare))
    if n_words < _FEWEST_WORDS or not (named or column.at_least(names.CAPITAL)):
        return
    reading = names.classify(bare, counts, 1.0)
    share = max(reading.given, reading.family)
    if share >= (_LEAST_NAMED if named else _LEAST_LISTED) or (of_people and n_words >= VARIOUS):
        part = "FIRST_NAME" if share == reading.given else "LAST_NAME"
        entity = named or ("PERSON_NAME" if reading.words > 1.5 else part)
        because = fact("detect.names_with_number", share=column.cell_share(share))
        yield claim_for(column, entity, 0.86, "list", because)
