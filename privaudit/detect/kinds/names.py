"""Names of persons, and what is mistaken for them.

Question: do these cells name people?
Method: cells of one to five words, letters alone, are cut into words and held against lists of given and family
names of many cultures; casing and script say whether the words are written as names. Company suffixes, words of
prose, enumerations, towns and products veto. Han names are told by their length and first character.
Limits: the lists know a part of the world's names; a column counts as names from a share of known words on that
ordinary words don't reach. Undecided columns go to the language model (gating is in `detect`).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from privaudit.detect import words
from privaudit.detect.column import Column
from privaudit.detect.evidence import Candidate, Findings, percent
from privaudit.detect.kinds import scripts
from privaudit.model import Clue

_MOST = 3000
NAME_SHAPE = r"^\p{L}[\p{L}\p{M}'’´`.\-]*(?:,? +\p{L}[\p{L}\p{M}'’´`.\-]*){0,4}$"
_CJK = r"[\p{Han}々\p{Hangul}\p{Hiragana}\p{Katakana}ー]{1,6}"
_HAN = rf"^\p{{Han}}{{1,5}}$|^\p{{Hangul}}{{1,5}}$|^{_CJK}[ ・·,]+{_CJK}$"
_TITLE = r"^\p{Lu}"
_NOTHING = frozenset("na n/a nan null none nil unknown missing".split())  # what stands where nothing is known
PARTICLES = frozenset(
    words.fold(word)
    for word in "de da do dos das del della di van von der den la le el al bin ibn ben mac mc st san santa y e of du "
    "des ten ter te op af av bint abu um ní ó de' zu zum zur los las آل بن بنت ابن أبو ابو".split()
)
_TITLES = frozenset(
    words.fold(word)
    for word in "mr mrs ms miss dr prof sir rev jr sr ii iii md phd herr frau dipl ing mag m mme mlle sra srta dona "
    "don sig dott pan pani bay bayan dhr mevr г-н г-жа др проф श्री श्रीमती सुश्री डॉ السيد السيدة الدكتور دكتور "
    "นาย นาง นางสาว คุณ 先生 女士".split()
)


@dataclass(frozen=True, slots=True)
class NameReading:
    """Shares of the cells of a column, by what their words are."""

    shaped: float
    cased: float
    given: float
    family: float
    known: float
    towns: float
    organisations: float
    prose: float
    jobs: float
    words: float


def read(column: Column) -> NameReading | None:
    """Read the words of a column; None where its cells have not the shape of names at all."""
    if column.data_type not in ("text",) or column.n_distinct == 0:
        return None
    if not column.has_letters:
        return None
    shaped = column.matches(NAME_SHAPE)
    shaped = shaped | column.matches(_HAN) if column.foreign else shaped
    if column.share(shaped) < 0.3:
        return None
    empty = words.members(column.folded, _NOTHING)
    held = column.n_present - column.cells(empty)
    shape = column.cells(shaped & ~empty) / held if held else 0.0
    if shape < 0.3:
        return None
    pairs = [
        (text, n) for text, n in zip(*column.chosen(_MOST), strict=True) if words.fold(text) not in _NOTHING
    ]
    total = float(sum(int(n) for _, n in pairs)) or 1.0
    tally: Counter[str] = Counter()
    n_words = 0.0
    for text, count in pairs:
        tokens = _tokens(words.fold(text[:200]))
        n_words += len(tokens) * int(count)
        for what in _kinds(text, tokens):
            tally[what] += int(count)
    share = {what: tally[what] / total for what in tally}
    return NameReading(
        shape, share.get("cased", 0.0), share.get("given", 0.0), share.get("family", 0.0), share.get("known", 0.0),
        share.get("town", 0.0), share.get("organisation", 0.0), share.get("prose", 0.0), share.get("job", 0.0),
        n_words / max(1.0, total),
    )  # fmt: skip


def is_known(folded: str) -> bool:
    """Return whether folded words begin with a known given name or end in a known family name."""
    return bool({"given", "family"} & _kinds(folded, _tokens(folded)))


def _tokens(folded: str) -> list[str]:
    cleaned = folded.replace("’", "'").replace("´", "'").replace("`", "'").replace(",", " ").replace("/", " ")
    return [token.strip(".'\"()&") for token in cleaned.split() if token.strip(".'\"()&-")]


def _kinds(text: str, tokens: list[str]) -> set[str]:
    found: set[str] = set()
    if not tokens:
        return found
    if not text.isascii() and (parts := scripts.unspaced(text)):
        found |= {"known", *parts}
    given, family = words.names("given_names"), words.names("surnames")
    content = [t for t in tokens if t not in PARTICLES and t not in _TITLES and len(t) > 1] or tokens
    if _is_given(content[0], given) or (len(content) > 1 and any(_is_given(t, given) for t in content)):
        found.add("given")
    if content[-1] in family or content[-1].replace("'", "") in family or _has_suffix(content, text):
        found.add("family")
    if "given" in found or "family" in found or any(t in family for t in content):
        found.add("known")
    if words.fold(text) in words.towns():
        found.add("town")
    _other_kinds(text, tokens, found)
    return found


def _other_kinds(text: str, tokens: list[str], found: set[str]) -> None:
    bare = set(tokens)
    suffixes, company = words.word_list("organisation", "suffixes"), words.word_list("organisation")
    if len(tokens) > 1 and (tokens[-1] in suffixes or set(tokens[1:]) & company or "&" in text):
        found.add("organisation")
    if len(tokens) > 1 and (bare & words.word_list("stop") or _sentence(text)):
        found.add("prose")
    if bare & words.word_list("occupation") or any(
        t.strip("s") in words.word_list("occupation") for t in tokens[-1:]
    ):
        found.add("job")
    if text[:1].isupper() or not text[:1].isascii():
        found.add("cased")


def _sentence(text: str) -> bool:
    """Return whether a capital begins the cell and small letters its other words, as names of dishes are written."""
    first, *others = [word for word in text.split() if word[:1].isalpha()] or [""]
    small = [word for word in others if len(word) > 2 and words.fold(word) not in PARTICLES]
    return first[:1].isupper() and len(small) > 0 and all(word.islower() for word in small)


def _is_given(token: str, given: frozenset[str]) -> bool:
    return token in given or ("-" in token and token.split("-")[0] in given)


def _has_suffix(content: list[str], text: str) -> bool:
    """Return whether a name ends, or before a comma begins, as family names are made."""
    if "," in text and scripts.made_as_family_name(content[0], text.split(",")[0]):
        return True
    return scripts.made_as_family_name(content[-1], text.rstrip(". "))


def run(column: Column, reading: NameReading | None, found: Findings) -> None:
    """Add the reading as names of persons, or why it is none."""
    if reading is None:
        return
    veto = _veto(column, reading)
    if veto is not None:
        found.reject("PERSON_NAME", veto)
        return
    if reading.words < 1.35:
        _single(column, reading, found)
    else:
        _full(column, reading, found)


def _veto(column: Column, reading: NameReading) -> str | None:
    if column.n_distinct < 3 and column.n_present > 20:
        return "too few different values for names of people"
    if column.n_distinct <= 25 and column.n_present >= 20 * column.n_distinct and column.n_present > 100:
        return "a short list of values repeated: an enumeration"
    if reading.organisations > 0.3:
        return f"{percent(reading.organisations)} of the cells hold a word of companies"
    if reading.prose > 0.35:
        return f"{percent(reading.prose)} of the cells hold words of prose"
    if reading.jobs > 0.5:
        return f"{percent(reading.jobs)} of the cells hold a word for a job"
    if reading.towns > 0.5 and reading.towns > reading.known:
        return f"{percent(reading.towns)} of the cells are names of towns"
    return None


def _single(column: Column, reading: NameReading, found: Findings) -> None:
    """One word a cell: given or family names. Towns and colours hold such words too, so the share must be clear."""
    entity = "FIRST_NAME" if reading.given >= reading.family else "LAST_NAME"
    if min(reading.given, reading.family) > 0.6:
        entity = "PERSON_NAME"  # both in one word, as Chinese names are written
    share = max(reading.given, reading.family)
    if _all_different(column, reading):
        clue = Clue(kind="list", because=f"single words, all different, {percent(reading.known)} known names")
        found.add(_candidate(column, reading, "UNRESOLVED_ID", 0.52, clue))
    if reading.known < 0.15:
        return
    strength = (
        min(0.93, 0.25 + 0.85 * reading.known) if reading.cased > 0.6 else min(0.7, 0.1 + 0.7 * reading.known)
    )
    strength *= _rivals(column, reading)
    what = "given" if entity == "FIRST_NAME" else "family"
    clue = Clue(kind="list", because=f"{percent(share)} of a sample of the cells are known {what} names")
    found.add(_candidate(column, reading, entity, strength, clue))


def _all_different(column: Column, reading: NameReading) -> bool:
    """Return whether written words that never recur may be names that the lists know too few of."""
    unique = column.header.opaque and column.n_present >= 100 and column.uniqueness >= 0.98
    foreign = reading.towns + reading.prose + reading.jobs + reading.organisations
    return unique and reading.cased >= 0.95 and reading.known >= 0.1 and foreign < 0.5 * reading.known


def _rivals(column: Column, reading: NameReading) -> float:
    """Weigh down where the same words are towns, colours or months, or where few values repeat much."""
    factor = 1.0
    if reading.towns > 0.3:
        factor *= min(1.0, 0.35 + reading.known - 0.5 * reading.towns + 0.3)
    plain = sum(
        words.members(column.folded, words.value_list(n)).sum()
        for n in ("COLOUR", "MONTH", "WEEKDAY", "LEVEL")
    )
    if plain > 0.3 * column.n_distinct:
        factor *= 0.4
    if column.n_distinct < 8 and column.uniqueness < 0.5:
        factor *= 0.6
    return max(0.0, factor)


def _full(column: Column, reading: NameReading, found: Findings) -> None:
    if reading.shaped < 0.5 or reading.known < 0.3:
        return
    both = min(reading.given, max(reading.family, 0.5 * reading.given))
    strength = min(0.96, 0.3 + 0.45 * reading.known + 0.3 * both) * min(1.0, 0.5 + reading.shaped / 2)
    strength *= (
        1.0
        - reading.organisations
        - 0.6 * reading.prose
        - 0.6 * reading.jobs
        - 0.5 * max(0.0, reading.towns - 0.1)
    )
    because = (
        f"{percent(reading.given)} of a sample of the cells hold a known given name, "
        f"{percent(reading.family)} end in a family name"
    )
    found.add(
        _candidate(column, reading, "PERSON_NAME", max(0.0, strength), Clue(kind="list", because=because))
    )


def _candidate(column: Column, reading: NameReading, entity: str, strength: float, clue: Clue) -> Candidate:
    casing = Clue(
        kind="shape", because=f"{percent(reading.shaped)} of the cells are one to five words of letters"
    )
    n_cells = column.cells(column.matches(NAME_SHAPE) | column.matches(_HAN))
    return Candidate(
        entity=entity, n_cells=n_cells, strength=strength, clues=(clue, casing), generic=strength < 0.7
    )


def jobs(column: Column, reading: NameReading | None, found: Findings) -> None:
    """Add the reading as occupations or as organisations."""
    if reading is None:
        return
    n_cells = column.n_present
    many = column.n_distinct >= 25 and reading.jobs >= 0.2 and reading.known < 0.15 and reading.prose < 0.2
    if (reading.jobs >= 0.4 or many) and column.n_distinct >= 2:
        clue = Clue(
            kind="list", because=f"{percent(reading.jobs)} of a sample of the cells hold a word for a job"
        )
        strength = max(0.56 if many else 0.0, min(0.9, 0.35 + 0.6 * reading.jobs))
        found.add(
            Candidate(
                entity="OCCUPATION",
                n_cells=n_cells,
                strength=strength,
                clues=(clue,),
                generic=strength < 0.75,
            )
        )
    repeated = column.n_distinct <= 12 and column.n_present >= 10 * column.n_distinct
    if reading.organisations >= 0.4 and not repeated:
        clue = Clue(
            kind="list",
            because=f"{percent(reading.organisations)} of a sample of the cells hold a word of companies",
        )
        found.add(
            Candidate(
                entity="ORGANISATION",
                n_cells=n_cells,
                strength=0.4 + 0.4 * reading.organisations,
                clues=(clue,),
            )
        )


def medical(column: Column, found: Findings) -> None:
    """Add the reading as words of health."""
    if column.data_type != "text" or column.n_distinct == 0 or column.letters < 0.5:
        return
    known = words.word_list("medical")
    values, counts = column.chosen(_MOST)
    hits = np.fromiter(
        (bool(known.intersection(_tokens(words.fold(v[:200])))) for v in values),
        dtype=np.bool_,
        count=len(values),
    )
    share = float(counts[hits].sum() / counts.sum())
    if share < 0.25 or hits.sum() < 2:
        return
    clue = Clue(
        kind="list",
        because=f"{percent(share)} of a sample of the cells hold a word for a disease or its treatment",
    )
    strength = min(0.9, 0.4 + 0.6 * share)
    found.add(
        Candidate(
            entity="MEDICAL",
            n_cells=round(share * column.n_present),
            strength=strength,
            clues=(clue,),
            generic=share < 0.4,
        )
    )
