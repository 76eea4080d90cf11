"""Text inside cells: what a column of notes contains, by patterns in every cell and by a model in a sample.

Question: which columns are text, what do their cells hold, and who has to read them?
Method: a column is free text by words per cell and uniqueness. Patterns look into every distinct cell of text
columns that are not something else altogether, and into those cells of columns of numbers, dates and codes that are
unlike the others (strays.py); the language model reads free text and columns of words that lists could not settle.
Limits: without a model, what needed one is named, never passed over.
"""

from __future__ import annotations

import numpy as np

from privaudit.config import Progress, Settings
from privaudit.detect.column import LONGEST, Column
from privaudit.detect.evidence import Candidate, Findings, percent
from privaudit.detect.siblings.context import Examined
from privaudit.model import Clue, Contained, Verdict

_FIELDS = (
    "names and places in its fields were not looked for, only what has a form of its own; fields that are loaded as "
    "columns are judged like any"
)
_READ = frozenset({"text", "nested", "integer", "decimal", "date", "timestamp", "time"})
# Columns of these hold one code a cell: something else hides only in cells unlike the others.
_WHOLE = frozenset(
    "EMAIL UUID HASH BASE64 PSEUDONYM COLOUR MIME_TYPE CURRENCY VERSION GENDER MARITAL_STATUS DATE_EVENT "
    "DATE_OF_BIRTH AGE ROW_NUMBER POSTAL_CODE LATITUDE LONGITUDE EMBEDDING IMAGE PHONE CREDIT_CARD IBAN SSN "
    "NATIONAL_ID TAX_ID PRODUCT_CODE RECORD_ID PERSON_ID UNRESOLVED_ID HEALTH_ID BANK_ACCOUNT "
    "DEVICE_ID VEHICLE_ID MAC_ADDRESS IP_ADDRESS".split()
)


def run(column: Column, found: Findings) -> None:
    """Add the reading of `column` as free text."""
    alone = column.n_distinct == 1 and column.n_present > 1  # one sentence in every row tells of nobody
    if column.data_type != "text" or column.n_distinct == 0 or alone:
        return
    weights = column.counts / max(1, column.n_present)
    words_mean = float((column.words_per_cell * weights).sum())
    length = float((column.lengths * weights).sum())
    found.facts["words_mean"] = round(words_mean, 2)
    prose = (words_mean >= 5 or (words_mean >= 4 and length >= 40)) and column.uniqueness >= 0.5
    long = words_mean >= 12 or length >= 120
    if not (prose or long) or (column.n_distinct <= 12 and column.n_present > 100):
        return
    if column.letters < 0.6 or (words_mean < 1.5 and column.matching(r"^[!-~]{24,}$") > 0.95):
        return  # figures, or one long run of characters: a payload, no prose
    found.facts["free_text"] = 1.0
    clue = Clue(
        kind="shape",
        because=f"{words_mean:.0f} words a cell, {percent(column.uniqueness)} of the cells different",
    )
    strength = 0.85 if long or words_mean >= 7 else 0.68
    found.add(
        Candidate(
            entity="FREE_TEXT", n_cells=column.n_present, strength=strength, clues=(clue,), generic=not long
        )
    )


def read(item: Examined, settings: Settings, progress: Progress) -> str | None:
    """Add what the cells contain to the evidence; return why the column could not be assessed, or None."""
    column = item.column
    if column.data_type not in _READ or column.n_distinct == 0:
        return None
    whole = item.entity in _WHOLE and item.verdict is not None and item.verdict.share.value > 0.98
    if whole or column.data_type not in ("text", "nested"):
        _astray(item)
        return None
    if column.longest >= LONGEST or column.matching(_HOLDS) > 0:
        _embedded(item, progress)
    if item.entity == "STRUCTURED" and column.letters > 0.5:
        item.found.notes.append(_FIELDS)
    if not _needs_model(item):
        return None
    if not settings.ner:
        item.found.notes.append("names and places in its text were not looked for, as asked (--no-ner)")
        return None
    return _model(item, settings, progress)


# Without one of these no cell can hold what patterns look for.
_HOLDS = (
    r"(?i)\p{Nd}|@|://|pass|pwd|contraseña|senha|nywila|secret|token|key|begin|bearer|https?|www"
    r"|[^a-z](?:at|arroba|ät)[^a-z]|&#|&[a-z]{2,8};|%40|=40"
)


def _embedded(item: Examined, progress: Progress) -> None:
    from privaudit.detect.text.embedded import find_embedded

    column = item.column

    progress(f"Looking into every cell of {column.name}", None)
    item.found.contained.extend(find_embedded(column.raw, column.counts, progress=progress))


def _astray(item: Examined) -> None:
    """Look into the few cells of a column of numbers, dates or codes that are not written like the others."""
    from privaudit.detect.text.embedded import find_embedded
    from privaudit.detect.text.strays import strays

    column = item.column
    odd = strays(column)
    if odd.any():
        cells = np.flatnonzero(odd)
        item.found.contained.extend(
            find_embedded(
                column.raw.take(cells), column.counts[cells], n_present=column.n_present, strict=True
            )
        )


def _needs_model(item: Examined) -> bool:
    column = item.column
    if item.found.facts.get("free_text") and item.entity in (None, "FREE_TEXT", "MEDICAL"):
        return True
    if item.entity is not None:
        return item.entity == "FREE_TEXT"
    many = column.n_distinct > 20 or column.uniqueness > 0.5
    words_mean = item.found.facts.get("words_mean", 0.0)
    spoken = column.letters > 0.5 and not column.header.plain
    return many and spoken and (words_mean >= 2 or item.undecided_names) and column.n_distinct >= 3


def _model(item: Examined, settings: Settings, progress: Progress) -> str | None:
    from privaudit.detect.text.reading import read_text

    column = item.column
    reading = read_text(
        column.raw, column.counts, settings=settings, n_present=column.n_present, progress=progress
    )
    if reading.why is not None:
        return reading.why
    item.found.notes += reading.notes
    item.found.notes += [_bound(one, seen=False) for one in reading.absent]
    item.found.notes += [_bound(one, seen=True) for one in reading.doubtful]
    for one in reading.entities:
        item.found.contained.append(one)
    if item.verdict is None:
        _promote(item, reading.entities)
    return None


def _bound(one: Contained, *, seen: bool) -> str:
    """Say what no hits, or few, are worth: a bound where a sample was read, what a model may miss where all was."""
    what = one.entity.replace("_", " ").lower()
    cells = "1 cell" if one.share.n == 1 else f"{one.share.n:,} cells"
    if one.share.method == "exact":
        how = f"seen in {percent(one.share.value)} of" if seen else "none in"
        rest = "no more often than it errs" if seen else "a model can miss some"
        return f"{what}: {how} {cells}, all of which the model read; {rest}"
    how = "seen no more often than the model errs" if seen else "none"
    return f"{what}: {how} in {cells}, a sample, so at most in {percent(one.share.high)} of all (95 %)"


def _promote(item: Examined, entities: tuple[Contained, ...]) -> None:
    """A short-celled column in nearly all of whose cells the model sees a name is a column of names."""
    for one in entities:
        if (
            one.entity in ("PERSON_NAME", "CITY", "STREET_ADDRESS")
            and one.share.low >= 0.6
            and item.column.lengths.mean() < 40
        ):
            clue = Clue(kind="model", because="the language model reads one in most cells of the sample")
            item.verdict = Verdict(
                entity=one.entity,
                detail=one.detail,
                share=one.share,
                confidence=0.6,
                evidence=(*one.evidence, clue),
            )
            return
