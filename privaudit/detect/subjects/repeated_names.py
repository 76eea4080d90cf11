"""Names of people that are repeated in other columns: in links, keys and logins.

Question: can the words of a person's name be read in another column of the same row?
Method: both cells are written in lower case without accents. A cell repeats a name where it contains every word of it:
a word of few letters as a word of its own, a longer one anywhere. The share of the rows that repeat the name is
compared with the share that would if the rows of one column were shifted against the other.
Limits: the first `_MOST` distinct names in seeded order are compared. Columns that repeat only some of the names, such
as free text, are read by the search inside of texts.
"""

from __future__ import annotations

from collections.abc import Iterator

from privaudit.base.patterns import Expression
from privaudit.detect.catalogue import wordlists
from privaudit.detect.column import NEARLY_ALL, VARIOUS
from privaudit.detect.column_evidence import ColumnEvidence
from privaudit.detect.subjects.context import Posting, Table, suggest
from privaudit.model import vocabulary
from privaudit.model.vocabulary import entity_type
from privaudit.model.wording import Columns, Share, fact
from privaudit.source.dataset import Dataset

_MOST, _LEAST_ROWS = 500, VARIOUS
_REPEATED = 0.5
"""Share of the rows, beyond chance, from which the column is one of names."""
_SHORT = 3
"""Letters of words that other words contain by chance."""
_WORD = Expression(r"[^\W\d_]+")


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
            names, stated = Columns((column.name,)), Share(share, of=n)
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
