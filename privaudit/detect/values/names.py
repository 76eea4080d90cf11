"""Person names, and what is mistaken for them: companies, jobs, towns, health terms.

Question: are these cells names of people?
Method: cells of one to five words of letters are split into words and compared with lists of given and family names of
many cultures; casing and script are further evidence. Company suffixes, words of prose, enumerations, towns and jobs
are evidence against names. Han names are recognised by length and first character.
Limits: the lists contain a part of the world's names; a column counts as names only above a share of listed words that
ordinary words do not reach. Undecided columns go to the language model (text/language_model.py).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from privaudit.detect import wordlists
from privaudit.detect.column import Column
from privaudit.detect.ledger import Claim, Entry, against, claim_for
from privaudit.detect.values import scripts
from privaudit.model import Clue
from privaudit.wording import Fact, Term, fact

_MOST = 3000
NAME_SHAPE = r"^\p{L}[\p{L}\p{M}'’´`.\-]*(?:,? +\p{L}[\p{L}\p{M}'’´`.\-]*){0,4}$"
_CJK = r"[\p{Han}々\p{Hangul}\p{Hiragana}\p{Katakana}ー]{1,6}"
_HAN = rf"^\p{{Han}}{{1,5}}$|^\p{{Hangul}}{{1,5}}$|^{_CJK}[ ・·,]+{_CJK}$"
_TITLE = r"^\p{Lu}"
_NOTHING = frozenset("na n/a nan null none nil unknown missing".split())  # placeholders for an unknown value
PARTICLES = frozenset(
    wordlists.fold(word)
    for word in "de da do dos das del della di van von der den la le el al bin ibn ben mac mc st san santa y e of du "
    "des ten ter te op af av bint abu um ní ó de' zu zum zur los las آل بن بنت ابن أبو ابو".split()
)
_TITLES = frozenset(
    wordlists.fold(word)
    for word in "mr mrs ms miss dr prof sir rev jr sr ii iii md phd herr frau dipl ing mag m mme mlle sra srta dona "
    "don sig dott pan pani bay bayan dhr mevr г-н г-жа др проф श्री श्रीमती सुश्री डॉ السيد السيدة الدكتور دكتور "
    "นาย นาง นางสาว คุณ 先生 女士".split()
)


@dataclass(frozen=True, slots=True)
class NameReading:
    """Share of the cells of a column by the kind of word they contain."""

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
    """Classify the words of a column; None if its cells do not have the form of names."""
    if column.data_type not in ("text",) or column.n_distinct == 0:
        return None
    if not column.has_letters:
        return None
    shaped = column.matches(NAME_SHAPE)
    shaped = shaped | column.matches(_HAN) if column.foreign else shaped
    if column.share(shaped) < 0.3:
        return None
    empty = wordlists.members(column.folded, _NOTHING)
    held = column.n_present - column.cells(empty)
    shape = column.cells(shaped & ~empty) / held if held else 0.0
    if shape < 0.3:
        return None
    pairs = [
        (text, n)
        for text, n in zip(*column.chosen(_MOST), strict=True)
        if wordlists.fold(text) not in _NOTHING
    ]
    total = float(sum(int(n) for _, n in pairs)) or 1.0
    tally: Counter[str] = Counter()
    n_words = 0.0
    for text, count in pairs:
        tokens = _tokens(wordlists.fold(text[:200]))
        n_words += len(tokens) * int(count)
        for what in _kinds(text, tokens):
            tally[what] += int(count)
    share = {what: tally[what] / total for what in tally}
    return NameReading(
        shape, share.get("cased", 0.0), share.get("given", 0.0), share.get("family", 0.0), share.get("known", 0.0),
        share.get("town", 0.0), share.get("organisation", 0.0), share.get("prose", 0.0), share.get("job", 0.0),
        n_words / max(1.0, total),
    )  # fmt: skip


def listed(folded: str) -> set[str]:
    """Return "given" where folded words begin with a listed given name, "family" where they end with a family name."""
    return {"given", "family"} & _kinds(folded, _tokens(folded))


def is_known(folded: str) -> bool:
    """Whether folded words begin with a listed given name or end with a listed family name."""
    return bool(listed(folded))


def _tokens(folded: str) -> list[str]:
    cleaned = folded.replace("’", "'").replace("´", "'").replace("`", "'").replace(",", " ").replace("/", " ")
    return [token.strip(".'\"()&") for token in cleaned.split() if token.strip(".'\"()&-")]


def _kinds(text: str, tokens: list[str]) -> set[str]:
    kinds: set[str] = set()
    if not tokens:
        return kinds
    if not text.isascii() and (parts := scripts.unspaced(text)):
        kinds |= {"known", *parts}
    given, family = wordlists.names("given_names"), wordlists.names("surnames")
    content = [t for t in tokens if t not in PARTICLES and t not in _TITLES and len(t) > 1] or tokens
    if _is_given(content[0], given) or (len(content) > 1 and any(_is_given(t, given) for t in content)):
        kinds.add("given")
    if content[-1] in family or content[-1].replace("'", "") in family or _has_suffix(content, text):
        kinds.add("family")
    if "given" in kinds or "family" in kinds or any(t in family for t in content):
        kinds.add("known")
    if wordlists.fold(text) in wordlists.towns():
        kinds.add("town")
    _other_kinds(text, tokens, kinds)
    return kinds


def _other_kinds(text: str, tokens: list[str], kinds: set[str]) -> None:
    bare = set(tokens)
    suffixes, company = wordlists.word_list("organisation", "suffixes"), wordlists.word_list("organisation")
    if len(tokens) > 1 and (tokens[-1] in suffixes or set(tokens[1:]) & company or "&" in text):
        kinds.add("organisation")
    if len(tokens) > 1 and (bare & wordlists.word_list("stop") or _sentence(text)):
        kinds.add("prose")
    if bare & wordlists.word_list("occupation") or any(
        t.strip("s") in wordlists.word_list("occupation") for t in tokens[-1:]
    ):
        kinds.add("job")
    if text[:1].isupper() or not text[:1].isascii():
        kinds.add("cased")


def _sentence(text: str) -> bool:
    """Whether only the first word is capitalised, as in a sentence or the name of a dish."""
    first, *others = [word for word in text.split() if word[:1].isalpha()] or [""]
    small = [word for word in others if len(word) > 2 and wordlists.fold(word) not in PARTICLES]
    return first[:1].isupper() and len(small) > 0 and all(word.islower() for word in small)


def _is_given(token: str, given: frozenset[str]) -> bool:
    return token in given or ("-" in token and token.split("-")[0] in given)


def _has_suffix(content: list[str], text: str) -> bool:
    """Whether the last word, or the word before a comma, has the ending of a family name."""
    if "," in text and scripts.has_family_name_ending(content[0], text.split(",")[0]):
        return True
    return scripts.has_family_name_ending(content[-1], text.rstrip(". "))


def run(column: Column, reading: NameReading | None) -> Iterator[Entry]:
    """Yield the claim on person names, or the reason why the cells are not names."""
    if reading is None:
        return
    reason = _why_not_names(column, reading)
    if reason is not None:
        yield against("PERSON_NAME", reason)
        return
    if reading.words < 1.35:
        yield from _single(column, reading)
    else:
        yield from _full(column, reading)


def _why_not_names(column: Column, reading: NameReading) -> Fact | None:
    if column.n_distinct < 3 and column.n_present > 20:
        return fact("detect.too_few_names")
    if column.n_distinct <= 25 and column.n_present >= 20 * column.n_distinct and column.n_present > 100:
        return fact("detect.enumeration")
    if reading.organisations > 0.3:
        return _words_of(column, "company", reading.organisations)
    if reading.prose > 0.35:
        return _words_of(column, "prose", reading.prose)
    if reading.jobs > 0.5:
        return _words_of(column, "job", reading.jobs)
    if reading.towns > 0.5 and reading.towns > reading.known:
        return fact("detect.towns", share=column.cell_share(reading.towns))
    return None


def _words_of(column: Column, topic: str, share: float) -> Fact:
    return fact("detect.words_of_topic", share=column.cell_share(share), topic=Term(code=topic))


def _single(column: Column, reading: NameReading) -> Iterator[Entry]:
    """Yield the claim on given or family names, one word per cell; the share decides, as towns are such words, too."""
    entity = "FIRST_NAME" if reading.given >= reading.family else "LAST_NAME"
    if min(reading.given, reading.family) > 0.6:
        entity = "PERSON_NAME"  # both in one word, as Chinese names are written
    share = max(reading.given, reading.family)
    if _all_different(column, reading):
        because = fact("detect.unique_words", share=column.cell_share(reading.known))
        yield _claim(column, reading, "UNRESOLVED_ID", 0.52, because)
    if reading.known < 0.15:
        return
    strength = (
        min(0.93, 0.25 + 0.85 * reading.known) if reading.cased > 0.6 else min(0.7, 0.1 + 0.7 * reading.known)
    )
    strength *= _rivals(column, reading)
    what = "given" if entity == "FIRST_NAME" else "family"
    yield _claim(
        column, reading, entity, strength, fact(f"detect.{what}_names", share=column.cell_share(share))
    )


def _all_different(column: Column, reading: NameReading) -> bool:
    """Whether capitalised words that never recur may be names although few of them are listed."""
    unique = column.header.is_opaque and column.n_present >= 100 and column.uniqueness >= 0.98
    foreign = reading.towns + reading.prose + reading.jobs + reading.organisations
    return unique and reading.cased >= 0.95 and reading.known >= 0.1 and foreign < 0.5 * reading.known


def _rivals(column: Column, reading: NameReading) -> float:
    """Return a factor below 1 if the words are also towns, colours or months, or if few values recur often."""
    factor = 1.0
    if reading.towns > 0.3:
        factor *= min(1.0, 0.35 + reading.known - 0.5 * reading.towns + 0.3)
    plain = sum(
        wordlists.members(column.folded, wordlists.value_list(n)).sum()
        for n in ("COLOUR", "MONTH", "WEEKDAY", "LEVEL")
    )
    if plain > 0.3 * column.n_distinct:
        factor *= 0.4
    if column.n_distinct < 8 and column.uniqueness < 0.5:
        factor *= 0.6
    return max(0.0, factor)


def _full(column: Column, reading: NameReading) -> Iterator[Entry]:
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
    given, family = column.cell_share(reading.given), column.cell_share(reading.family)
    because = fact("detect.full_names", given=given, family=family)
    yield _claim(column, reading, "PERSON_NAME", max(0.01, strength), because)


def _claim(column: Column, reading: NameReading, entity: str, strength: float, because: Fact) -> Claim:
    casing = fact("detect.words_of_letters", share=column.cell_share(reading.shaped))
    return claim_for(
        column,
        entity,
        strength,
        "list",
        because,
        later=(Clue(kind="shape", because=casing),),
        n_cells=column.cells(column.matches(NAME_SHAPE) | column.matches(_HAN)),
        generic=strength < 0.7,
    )


def jobs(column: Column, reading: NameReading | None) -> Iterator[Entry]:
    """Yield the claims on occupations and organisations."""
    if reading is None:
        return
    n_cells = column.n_present
    many = column.n_distinct >= 25 and reading.jobs >= 0.2 and reading.known < 0.15 and reading.prose < 0.2
    if (reading.jobs >= 0.4 or many) and column.n_distinct >= 2:
        strength = max(0.56 if many else 0.0, min(0.9, 0.35 + 0.6 * reading.jobs))
        yield claim_for(
            column,
            "OCCUPATION",
            strength,
            "list",
            _words_of(column, "job", reading.jobs),
            n_cells=n_cells,
            generic=strength < 0.75,
        )
    repeated = column.n_distinct <= 12 and column.n_present >= 10 * column.n_distinct
    if reading.organisations >= 0.4 and not repeated:
        yield claim_for(
            column,
            "ORGANISATION",
            0.4 + 0.4 * reading.organisations,
            "list",
            _words_of(column, "company", reading.organisations),
            n_cells=n_cells,
        )


def medical(column: Column) -> Iterator[Entry]:
    """Yield the claim on health data, by words for diseases and treatments."""
    if column.data_type != "text" or column.n_distinct == 0 or column.letters < 0.5:
        return
    known = wordlists.word_list("medical")
    values, counts = column.chosen(_MOST)
    hits = np.fromiter(
        (bool(known.intersection(_tokens(wordlists.fold(v[:200])))) for v in values),
        dtype=np.bool_,
        count=len(values),
    )
    share = float(counts[hits].sum() / counts.sum())
    if share < 0.25 or hits.sum() < 2:
        return
    strength = min(0.9, 0.4 + 0.6 * share)
    yield claim_for(
        column,
        "MEDICAL",
        strength,
        "list",
        _words_of(column, "health", share),
        n_cells=round(share * column.n_present),
        generic=share < 0.4,
    )
