"""What a table of people says of its columns that they don't say alone.

Question: is a column of two values called ``female`` a sex, are unnamed numbers ages, whose letters are these?
Method: the first round of verdicts tells whether people are described. Beside that, columns of two values are what
their names say is true of somebody; one column of whole numbers, the one most like ages, is the age; a lone code 1/2
or 0/1 beside the age is the sex, with little confidence; letters are a sex only where both letters of one pair occur.
Limits: coded origin, marital state and schooling without a name stay plain: nothing tells them from any other code.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from privaudit.detect import words
from privaudit.detect.evidence import Candidate
from privaudit.detect.kinds import levels, suffixed, tokens
from privaudit.model import Clue

if TYPE_CHECKING:
    from privaudit.detect.column import Column
    from privaudit.detect.siblings.context import Examined

_SAME_TABLE = "a column of the table that describes people"
_NAMES = frozenset("PERSON_NAME FIRST_NAME LAST_NAME MIDDLE_NAME MAIDEN_NAME".split())
_PLACES = frozenset("ADDRESS_PART CITY COUNTY_REGION GEO_CODE STATE COUNTRY".split())
_PAIRS = ("mf", "mw", "hf", "km", "ke", "lp", "мж", "vm")
_LONE = frozenset("uxondi")  # unknown, other, neither, divers, not stated
_MARITAL = frozenset("msdwucpxon")
_ORIGIN = frozenset("wbhaoniumplcx")
_TWO = (frozenset("01"), frozenset("12"), frozenset("yn"), frozenset("tf"))
_TWO_WORDS = (frozenset({"yes", "no"}), frozenset({"true", "false"}))
GUESS = 0.53  # what siblings suggest and the values don't contradict


def described(entities: Iterable[str | None]) -> bool:
    """Return whether one of the verdicts is a property that only people have."""
    return any(entity in ("AGE", "GENDER", "DATE_OF_BIRTH", "RACE_ETHNICITY") for entity in entities)


def mend(item: Examined) -> bool:
    """Put right what the first round takes for people's; return whether the evidence changed."""
    before = len(item.found.candidates), len(item.found.rejected)
    if item.verdict is None or item.verdict.entity in ("CATEGORY", "OCCUPATION", "UNRESOLVED_ID"):
        levels.run(item.column, item.found)
        suffixed.run(item.column, item.found)
        tokens.run(item.column, item.found)
    _letters(item)
    _streets(item)
    _masked(item)
    return before != (len(item.found.candidates), len(item.found.rejected))


def drop(item: Examined, entities: frozenset[str], because: str) -> None:
    """Turn down the readings of a column as one of `entities`."""
    """Take readings off the evidence of a column, saying why."""
    kept = [c for c in item.found.candidates if c.entity not in entities]
    if len(kept) < len(item.found.candidates):
        gone = sorted({c.entity for c in item.found.candidates} & entities)
        item.found.candidates[:] = kept
        item.found.reject(gone[0], because)


def _alphabet(column: Column) -> frozenset[str]:
    """Return the letters a column of single letters holds, nothing where it holds anything else."""
    if column.data_type not in ("text", "boolean") or not 2 <= column.n_distinct <= 12 or column.longest > 4:
        return frozenset()
    values = {text.strip(" .") for text in column.folded.to_pylist()} - {""}
    return frozenset(values) if values and all(len(text) == 1 for text in values) else frozenset()


def _letters(item: Examined) -> None:
    """Letters are a sex where one pair of them occurs and nothing but "unknown" besides."""
    letters = _alphabet(item.column)
    if not letters or not letters & frozenset("mfw"):
        return
    paired = any(frozenset(pair) <= letters and letters - frozenset(pair) <= _LONE for pair in _PAIRS)
    if not paired:
        drop(item, frozenset({"GENDER"}), "the letters are not those of two sexes")
        if item.column.header.strength("GENDER") < 0.6:
            item.named.pop("GENDER", None)


def _streets(item: Examined) -> None:
    """Where the name speaks of a place, single words that are family names too are the place's."""
    said = max((s for entity, (s, _, _) in item.named.items() if entity in _PLACES), default=0.0)
    if said >= 0.6 and not _NAMES & set(item.named):
        drop(item, _NAMES, "the column's name speaks of a place, and places bear names of people")


def _masked(item: Examined) -> None:
    """``045XX N STATE ST`` is a block, no house."""
    if item.entity != "STREET_ADDRESS":
        return
    hidden = item.column.matches(r"(?i)^[0-9]*x{1,4} |^[0-9]+00 block|(?i)\bblock of\b|^[0-9]*\*{2,} ")
    if item.column.share(hidden) >= 0.8:
        drop(item, frozenset({"STREET_ADDRESS"}), "the numbers of the houses are masked")
        item.named.pop("STREET_ADDRESS", None)
        clue = Clue(kind="pattern", because="streets with the number of the house masked")
        item.found.add(
            Candidate(
                entity="ADDRESS_PART",
                detail="block",
                n_cells=item.column.cells(hidden),
                strength=0.9,
                clues=(clue,),
            )
        )


def two_valued(column: Column) -> bool:
    """Return whether a column holds yes and no, 0 and 1 or 1 and 2, and nothing else."""
    if not 1 <= column.n_distinct <= 2:
        return False
    values = frozenset(text.removesuffix(".0") for text in column.folded.to_pylist())
    return any(values <= pair for pair in (*_TWO, *_TWO_WORDS))


@cache
def _flags() -> dict[str, str]:
    listed = words.toml("flags")["words"]
    return {word: entity for entity, spoken in reversed(listed.items()) for word in spoken.split()}


def flagged(column: Column) -> str | None:
    """Return what a column of two values tells by a name such as ``female`` or ``is_black``."""
    filler = frozenset(words.toml("flags")["filler"].split())
    spoken = [word for word in column.header.words if word not in filler and not word.isdigit()]
    joined = "".join(spoken)
    spoken = [joined] if joined in _flags() else spoken
    if not spoken or any(word not in _flags() for word in spoken) or not two_valued(column):
        return None
    told = {_flags()[word] for word in spoken}
    return next(str(entity) for entity in words.toml("flags")["words"] if entity in told)


def flags(table: Sequence[Examined], people: bool) -> bool:
    """Read columns of two values by their names; return whether any is a sex, which makes the table one of people."""
    told = {id(item): entity for item in table if (entity := flagged(item.column))}
    alone = frozenset(words.toml("flags")["alone"]["entities"].split())
    people = people or any(entity in alone for entity in told.values())
    for item in table:
        entity = told.get(id(item))
        if entity is None or not (people or entity in alone):
            continue
        clue = Clue(kind="header", because="two values, and a name that says whom one of them is true of")
        if item.named.get(entity, (0.0,))[0] < 0.75:
            item.named[entity] = (0.75, "flag", clue)
    return people


def generic(item: Examined, entity: str) -> bool:
    """Return whether an unnamed column reads as `entity` by its shape alone."""
    read = [c for c in item.found.candidates if c.entity == entity]
    return item.column.header.opaque and all(c.generic and c.detail != "band" for c in read)


def say(item: Examined, entity: str, strength: float, because: str) -> None:
    """Add a reading that the siblings of a column suggest."""
    clue = Clue(kind="shape", because=because)
    item.found.add(
        Candidate(
            entity=entity, n_cells=item.column.n_present, strength=strength, clues=(clue,), generic=True
        )
    )


def births(table: Sequence[Examined], people: bool) -> None:
    """Keep one birth among unnamed dates, the earliest; spans that end with the table's present are of events."""
    held = [item for item in table if item.entity == "DATE_OF_BIRTH" and generic(item, "DATE_OF_BIRTH")]
    ends = [float(np.nanmax(i.calendar.years)) for i in table if i.calendar.share > 0.5]
    for item in held:
        years = item.calendar.years[~np.isnan(item.calendar.years)]
        recent = max(ends) - float(years.max()) < 3 and float(years.min()) > max(ends) - 56
        later = any(_middle(other) + 8 < _middle(item) for other in held)
        if later or (recent and _middle(item) > max(ends) - 35):
            drop(
                item,
                frozenset({"DATE_OF_BIRTH"}),
                "the dates go on to the present of the table, as events do",
            )
    if not people:
        for item in table:
            if item.entity == "BIRTH_YEAR" and generic(item, "BIRTH_YEAR"):
                drop(item, frozenset({"BIRTH_YEAR"}), "years in a table that tells of nobody")


def _middle(item: Examined) -> float:
    return float(np.nanmedian(item.calendar.years))


def codes(table: Sequence[Examined]) -> None:
    """Letters of marital states or of origins, in a table that describes people."""
    for item in table:
        letters = (
            _alphabet(item.column) if item.verdict is None and item.column.header.opaque else frozenset()
        )
        if letters >= frozenset("ms") and letters <= _MARITAL:
            say(
                item,
                "MARITAL_STATUS",
                0.56,
                "letters as of married and single, in a table that describes people",
            )
        elif letters >= frozenset("wb") and letters <= _ORIGIN:
            say(
                item,
                "RACE_ETHNICITY",
                0.56,
                "letters as of white and black, in a table that describes people",
            )


def weights(table: Sequence[Examined]) -> None:
    """The weight in a table that describes people is theirs."""
    for item in table:
        numbers = item.column.numbers
        known = item.verdict is None and set(item.column.header.words) & {"weight", "weights"}
        if known and np.isfinite(numbers).any() and 2 <= float(np.nanmedian(numbers)) <= 400:
            clue = Clue(kind="header", because="a weight, in a table that describes people")
            item.named["BIOMETRIC"] = (0.7, None, clue)


def initials(table: Sequence[Examined]) -> None:
    """Single letters of most of the alphabet beside names are initials."""
    if not any(item.entity in _NAMES for item in table):
        return
    for item in table:
        column = item.column
        if (
            item.verdict is None
            and column.header.opaque
            and column.data_type == "text"
            and column.n_distinct >= 10
            and column.longest <= 5
            and column.matching(r"^\p{Lu}\.?(?: ?\p{Lu}\.?)?$") >= 0.95
        ):
            say(item, "MIDDLE_NAME", 0.58, "letters beside names: initials")


def sexes(table: Sequence[Examined]) -> None:
    """One code of two values next to the age, split as sexes are, reads as the sex where no other column does."""
    if any(item.entity == "GENDER" for item in table):
        return
    aged = [i for i, item in enumerate(table) if item.entity in ("AGE", "DATE_OF_BIRTH", "BIRTH_YEAR")]
    coded = [
        i
        for i, item in enumerate(table)
        if item.verdict is None and item.column.header.opaque and _halves(item.column)
    ]
    near = [i for i in coded if any(abs(i - j) <= 2 for j in aged)]
    chosen = coded if len(coded) == 1 and aged else near
    if chosen:
        best = min(chosen, key=lambda i: (min(abs(i - j) for j in aged), i))
        say(table[best], "GENDER", GUESS, "a code 1 or 2 beside the age, split as sexes are")


def _codes(column: Column) -> frozenset[str]:
    return frozenset(text.removesuffix(".0") for text in column.folded.to_pylist())


def _halves(column: Column) -> bool:
    if column.n_distinct != 2 or column.n_present < 30 or _codes(column) != frozenset("12"):
        return False
    return bool(column.counts.min() / column.counts.sum() >= 0.25)
