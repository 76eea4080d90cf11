"""Free text: which columns are text, and what their cells contain.

Question: which columns are free text, what do the cells of text contain, and which cells need a language model?
Method: a column is free text by words per cell and uniqueness; some sentences may repeat, and what fewer than half of
them contain is not what the column is. Patterns search every distinct cell of text columns that are not entirely of
another type, and the cells of columns of numbers, dates and codes that are unlike the others; the language model reads
free text, sentences that repeat, and columns of words that lists could not decide.
Limits: without a model, everything that needs one is reported as not assessed. Sentences of Thai, Lao, Khmer and
Burmese, which have no blanks either, count as few words.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from privaudit.base import parallel
from privaudit.base.arrays import Flags, Ints
from privaudit.base.group_labels import SEPARATOR
from privaudit.detect.catalogue.full_names import full_names
from privaudit.detect.column import FEW, VARIOUS, Column
from privaudit.detect.column_evidence import ColumnEvidence
from privaudit.detect.composite_cells import is_composite
from privaudit.detect.encoded_text import search_encoded_text
from privaudit.detect.ledger import MODEL, Claim, Entry, Measured, claim_for
from privaudit.detect.names_in_cells import names_people
from privaudit.detect.precedence import is_same
from privaudit.detect.subjects import names
from privaudit.detect.subjects.people_among_others import UNLISTED, count_people, may_name_people
from privaudit.model import Clue, Contained, vocabulary
from privaudit.model.wording import Count, EntityType, Fact, Number, Share, Value, fact
from privaudit.settings.config import Progress, Settings
from privaudit.source.profile.digit_shapes import containing

if TYPE_CHECKING:
    from privaudit.detect.catalogue.forms import Spec

_SEARCHED = frozenset({"text", "nested", "integer", "decimal", "date", "timestamp", "time"})
_PROSE = 4  # words of a cell, on average, from which it may be a sentence
_MOST = 0.5  # by hand: most cells, and most values
_SENTENCE = r"^\s*(?:\S+\s+){4}.*(?:\p{L}{3,}[.!?]\s*$|\p{Ll}{3,}[.!?]\s+\p{Lu})"
_SYMBOL = 3  # letters of the longest symbol; the family names of a table are longer
_SHORT = 40  # characters; the mean of a column of names or places is lower
_MODEL = 0.6  # by hand: no labelled column rests on a model alone (docs/learning.md)
_WORD_AND_NUMBER = r"\p{L}[^0-9\p{L}]*\s[^0-9\p{L}]*[0-9]"
_BY_CHANCE = frozenset({"detect.luhn_as_by_chance", "detect.form_without_check_digit"})
NAMES_BY_CHANCE = ("detect.text_names_by_chance", "detect.text_names_of_things_by_chance")
UNCERTAIN = frozenset({*NAMES_BY_CHANCE, UNLISTED})
"""Why a column is not assessed in which the model sees people no more often than in names of things, or lists may."""
RARE = 0.02  # by hand: of 50 cells, one is unlike the others


def suggest_free_text(item: ColumnEvidence) -> Iterator[Entry]:
    """Yield the claim on free text, and answer claims on what few of its sentences contain."""
    column = item.column
    constant = column.n_distinct == 1 and column.n_present > 1  # the same sentence in every row describes nobody
    if column.data_type != "text" or constant:
        return
    members = _members(column)
    words_mean = float((_words(column) / members * column.counts).sum()) / column.n_present
    length = float((column.lengths / members * column.counts).sum()) / column.n_present
    yield Measured("words_mean", round(words_mean, 2))
    sentences = words_mean >= _PROSE and column.at_least(_SENTENCE, _MOST)
    varied = column.is_varied or (sentences and _is_open(column))
    prose = (words_mean >= 5 or (words_mean >= _PROSE and length >= 40)) and varied
    long = words_mean >= 12 or length >= 120
    if not (prose or long) or (column.n_distinct <= FEW and column.n_present > 100):
        return
    if not column.has_letters_in(0.6) or (words_mean < 1.5 and column.matching(r"^[!-~]{24,}$") > 0.95):
        return  # figures, or one long run of characters: a payload rather than prose
    yield Measured("free_text", 1.0)
    because = fact(
        "detect.text_words_per_cell",
        words=Number(round(words_mean)),
        distinct=Share(column.uniqueness, of=column.n_present),
    )
    strength = 0.85 if long or words_mean >= 7 else 0.68
    yield claim_for(column, "FREE_TEXT", strength, "shape", because, generic=not long)
    if sentences:
        yield from _in_few_sentences(item)


def _is_open(column: Column) -> bool:
    """Whether most distinct values occur once: people write such text, and a program repeats each of its messages."""
    return column.n_distinct >= VARIOUS and float((column.counts == 1).mean()) >= _MOST


def _in_few_sentences(item: ColumnEvidence) -> Iterator[Entry]:
    """Answer the claims that fewer than half of the sentences support; health is what all of a text is about."""
    few = [one for one in item.ledger.standing() if one.n_cells < _MOST * item.column.n_present]
    for one in few:
        if one.entity not in vocabulary.with_trait("clinical"):
            share = item.column.cell_share(one.n_cells / item.column.n_present)
            yield from item.ledger.answer(one.entity, fact("detect.too_few_cells", share=share))


def read_cells(
    item: ColumnEvidence, settings: Settings, progress: Progress, spent: parallel.Spent | None = None
) -> Fact | None:
    """Add what the cells contain to the evidence; return why the column could not be assessed, or None.

    The time of the language model is added to `spent`, apart from that of the column.
    """
    search_encoded_text(item)
    column = item.column
    if column.data_type not in _SEARCHED or column.n_distinct == 0:
        return None
    codes = item.entity in vocabulary.with_trait("one_value_per_cell")
    whole = codes and item.verdict is not None and item.verdict.share.value > 0.98 and not is_composite(item.verdict)
    # "ref 123-45-6781" is more than the code of a record.
    links = whole and item.entity in vocabulary.with_trait("links_records")
    referring = links and column.matching(_WORD_AND_NUMBER) > 0
    if whole or column.data_type not in ("text", "nested"):
        if not referring:
            return _search_unusual(item, settings, progress)
        _search(item, settings, progress)
        return None
    _search(item, settings, progress)
    unlisted = None
    if (item.entity is None or item.entity in vocabulary.with_trait("other_party")) and not _are_enumerated(item):
        item.post(count_people(column))
        unlisted = None if _counts_people(item) else may_name_people(column)
    if not _needs_model(item):
        if item.ledger.strongest("STRUCTURED") and column.has_letters_in(0.5):
            item.ledger.notes.append(fact("detect.text_fields_not_read"))
        return unlisted
    if settings.ner:
        with parallel.timed(spent, parallel.LANGUAGE_MODEL, apart_from=item.column.name):
            why = _read_by_model(item, settings, progress)
        return why or (None if _counts_people(item) else unlisted)
    item.ledger.notes.append(fact("detect.text_names_not_sought"))
    return unlisted


def _are_enumerated(item: ColumnEvidence) -> bool:
    """Whether a few names that repeat are those of things, by the name of the column."""
    return any(claim.because.code == "detect.enumeration" and not claim.is_for for claim in item.ledger.claims)


def _counts_people(item: ColumnEvidence) -> bool:
    return any(one.entity in vocabulary.with_trait("person_name") for one in item.ledger.contained)


def _members(column: Column) -> Ints:
    """Return the members of each value: those of a group of categories where values repeat, else 1."""
    if column.is_varied:
        return np.ones(len(column.values), dtype=np.int64)
    return np.asarray(pc.count_substring(column.values, SEPARATOR), dtype=np.int64) + 1


def _words(column: Column) -> Ints:
    """Return the words of each value; a word of Chinese or Japanese, which have no blanks, has about two characters."""
    words = column.words_per_cell
    if not column.foreign:
        return words
    unspaced = pc.count_substring_regex(column.values, r"[\p{Han}\p{Hiragana}\p{Katakana}]")
    return words + np.asarray(unspaced.fill_null(0), dtype=np.int64) // 2


def _search_unusual(item: ColumnEvidence, settings: Settings, progress: Progress) -> Fact | None:
    """Search cells that are written unlike the others of numbers, dates or codes; return that they are names."""
    column, cells = item.column, _unusual(item.column)
    if not cells.any():
        return None
    _search(item, settings, progress, cells)
    named = column.has_letters and any(map(full_names, column.raw.filter(pa.array(cells)).to_pylist()))
    return fact("detect.names_in_cells") if named else None


def _search(item: ColumnEvidence, settings: Settings, progress: Progress, unusual: Flags | None = None) -> None:
    """Search every cell by patterns, or the `unusual` ones, which have to match more strictly."""
    column = item.column
    cells = np.ones(column.n_distinct, dtype=np.bool_) if unusual is None else unusual
    # Its many expressions take long to compile.
    from privaudit.detect.catalogue.forms import specs
    from privaudit.detect.text.embedded import find_embedded

    if unusual is None:
        progress(f"Searching every cell of {column.name}", None)
    found = find_embedded(
        column.raw.filter(pa.array(cells)),
        column.counts[cells],
        n_present=column.n_present,
        strict=unusual is not None,
        forms=_undecided(item, specs()),
        threads=parallel.threads_for(column.n_distinct, settings.threads),
        progress=progress,
    )
    item.post(found)


def _undecided(item: ColumnEvidence, forms: tuple[Spec, ...]) -> tuple[Spec, ...]:
    """Return the forms of entity types about which whole cells do not decide.

    They decide where all are of the type, or where their check digits are as many as by chance.
    """
    entity = item.entity
    by_chance = {c.entity for c in item.ledger.claims if not c.is_for and c.because.code in _BY_CHANCE}
    if entity is None and not by_chance:
        return forms
    return tuple(
        spec for spec in forms
        if spec.entity not in by_chance and (entity is None or not is_same(spec.entity, entity))
    )  # fmt: skip


def _unusual(column: Column) -> Flags:
    """Return which values have a feature that less than `RARE` of the cells have: a mark, a word, twice the length."""
    seen = column.texts.seen
    marks = [chr(byte) for byte in range(32, 127) if seen >> byte & 1 and not chr(byte).isalnum()]
    features = [containing(column.values, mark) for mark in marks]
    written = ((r"[\x00-\x1f]", column.alphabet[:32].any()), (r"\p{L}\p{L}", column.has_letters))
    may_be_rare = [pattern for pattern, may in written if may and not column.at_least(pattern, RARE)]
    features += [column.matches(pattern) for pattern in may_be_rare]
    rows = np.bincount(column.lengths, weights=column.counts)
    features.append(column.lengths > 2 * np.searchsorted(np.cumsum(rows), column.n_present / 2))  # of the median
    rare = [having for having in features if 0 < column.cells(having) < RARE * column.n_present]
    return np.logical_or.reduce([np.zeros(column.n_distinct, dtype=np.bool_), *rare])


def _needs_model(item: ColumnEvidence) -> bool:
    """Whether a column is free text, or has sentences or many words that no list could decide."""
    column, measured = item.column, item.ledger.measurements
    if item.entity == "FREE_TEXT" or (measured.get("free_text") and item.entity in (None, "MEDICAL")):
        return True
    # The name of a disease explains a word of a cell, not the others: "insulin for Mary Smith".
    if item.entity == "MEDICAL" and column.is_varied and measured.get("words_mean", 0.0) >= 2:
        return True
    sentences = measured.get("words_mean", 0.0) >= _PROSE  # a few that repeat may name people as well
    many = sentences or (column.n_distinct >= 3 and (column.n_distinct > VARIOUS or column.is_varied))
    if item.entity is not None or not many or column.header.is_ordinary or not column.has_letters_in(0.5):
        return False
    if column.longest <= _SYMBOL and column.matching(r"^[A-Za-z]*$") == 1:
        return False  # a model guesses the meaning of symbols
    reading = names.read(column)
    return measured.get("words_mean", 0.0) >= 2 or (reading is not None and reading.shaped > names.MOSTLY)


def _read_by_model(item: ColumnEvidence, settings: Settings, progress: Progress) -> Fact | None:
    from privaudit.detect.text.language_model import read_text

    column = item.column
    reading = read_text(column.raw, column.counts, settings=settings, n_present=column.n_present, progress=progress)
    item.ledger.notes += reading.notes
    item.ledger.notes += map(_bound, reading.unproven)
    item.post(reading.entities)
    if item.verdict is None and column.lengths.mean() < _SHORT:
        item.post(_by_model(column, reading.entities))
    if reading.why or _counts_people(item) or reading.by_chance is None:
        return reading.why
    # As many as in names of things, and written as things are: of an object, no person is named.
    as_things = any(clue.because.code == "detect.text_names_of_things" for clue in reading.by_chance.evidence)
    cells = Count(reading.by_chance.n_cells, of=column.n_present, unit="cell")
    return fact(NAMES_BY_CHANCE[as_things], cells=cells)


def _bound(one: Contained) -> Fact:
    """Return what no matches, or few, mean: an upper bound for a sample, the errors of the model for all cells."""
    n, share = one.share.n, one.share
    code = "detect.text_doubtful" if one.n_cells else "detect.text_absent"
    values: dict[str, Value] = {"entity": EntityType(one.entity), "cells": Count(n, unit="cell")}
    if share.method != "exact":
        return fact(f"{code}_in_sample", **values, high=Share(share.high, of=n))
    return fact(code, **values, **({"share": Share(share.value, of=n)} if one.n_cells else {}))


def _by_model(column: Column, found: tuple[Contained, ...]) -> Iterator[Claim]:
    """Yield the claim on names or places where the model reads one in nearly all of the short cells of a column."""
    clear = (one for one in found if one.entity in vocabulary.with_trait("sought_in_text") and one.share.low >= _MODEL)
    for one in islice(clear, 1):
        because = fact("detect.text_model_in_most_cells")
        listed = one.entity in vocabulary.with_trait("person_name") and names_people(column)
        later = (Clue(kind="list", because=fact("detect.text_model_and_lists")),) if listed else ()
        yield claim_for(
            column, one.entity, _MODEL, "model", because,
            earlier=one.evidence, later=later, cells=one.n_cells, detail=one.detail, share=one.share, generic=False,
            source=MODEL,
        )  # fmt: skip
