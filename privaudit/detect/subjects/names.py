"""Person names, and what is mistaken for them: companies, jobs, towns, health terms.

Question: are these cells names of people?
Method: cells of one to five words of letters are split into words and compared with lists of given and family names of
many cultures; casing and script are further evidence. Company suffixes, words of prose, enumerations, towns and jobs
are evidence against names. Han names are recognised by length and first character. Names with a number at the end, as
generators of test data write them, and single words in a table about people are recognised in addition.
Limits: the lists contain a part of the world's names; a column counts as names only above a share of listed words that
ordinary words do not reach. Undecided columns go to the language model (text/language_model.py).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from privaudit.detect import wordlists
from privaudit.detect.column import Column
from privaudit.detect.ledger import Claim, Entry, against, claim_for
from privaudit.detect.subjects import scripts
from privaudit.detect.subjects.context import Posting, Table, describes_people, suggest
from privaudit.model import Clue
from privaudit.vocabulary import with_trait
from privaudit.wording import Fact, Term, fact

_MOST = 3000
NAME_SHAPE = r"^\p{L}[\p{L}\p{M}'’´`.\-]*(?:,? +\p{L}[\p{L}\p{M}'’´`.\-]*){0,4}$"
_CJK = r"[\p{Han}々\p{Hangul}\p{Hiragana}\p{Katakana}ー]{1,6}"
_HAN = rf"^\p{{Han}}{{1,5}}$|^\p{{Hangul}}{{1,5}}$|^{_CJK}[ ・·,]+{_CJK}$"
_SINGLE = r"^\p{L}[\p{L}'’ .-]{1,30}$"
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
    """Classify the words of a column, once; None if its cells do not have the form of names."""
    reading: NameReading | None = column.once("names", _read)
    return reading


def _read(column: Column) -> NameReading | None:
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
        tokens = words_of(wordlists.fold(text[:200]))
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
    return {"given", "family"} & _kinds(folded, words_of(folded))


def words_of(folded: str) -> list[str]:
    """Return the words of a folded text without punctuation."""
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
    if len(tokens) > 1 and bare & wordlists.word_list("stop"):
        kinds.add("prose")
    if bare & wordlists.word_list("occupation") or any(
        t.strip("s") in wordlists.word_list("occupation") for t in tokens[-1:]
    ):
        kinds.add("job")
    if text[:1].isupper() or not text[:1].isascii():
        kinds.add("cased")


def _is_given(token: str, given: frozenset[str]) -> bool:
    return token in given or ("-" in token and token.split("-")[0] in given)


def _has_suffix(content: list[str], text: str) -> bool:
    """Whether the last word, or the word before a comma, has the ending of a family name."""
    if "," in text and scripts.has_family_name_ending(content[0], text.split(",")[0]):
        return True
    return scripts.has_family_name_ending(content[-1], text.rstrip(". "))


def run(column: Column) -> Iterator[Entry]:
    """Yield the claim on person names, or the reason why the cells are not names."""
    reading = read(column)
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
    if reading.known < 0.15:
        return
    strength = (
        min(0.93, 0.25 + 0.85 * reading.known) if reading.cased > 0.6 else min(0.7, 0.1 + 0.7 * reading.known)
    )
    what = "given" if entity == "FIRST_NAME" else "family"
    yield _claim(
        column, reading, entity, strength, fact(f"detect.{what}_names", share=column.cell_share(share))
    )


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


def jobs(column: Column) -> Iterator[Entry]:
    """Yield the claims on occupations and organisations."""
    reading = read(column)
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


_NUMBERED = r"^\p{Lu}[\p{L}.'’, \-]*\p{L}_?[0-9]{1,4}(?: [\p{L}.'’, \-]*\p{L}_?[0-9]{1,4})*$"
_FEWEST, _FEWEST_WORDS = 10, 3  # one word with many numbers, such as "Paris12", is a place or a series
_LEAST_LISTED, _LEAST_NAMED = (
    0.4,
    0.15,
)  # a column name that suggests names makes up for names that no list contains


def numbered(column: Column) -> Iterator[Entry]:
    """Yield the claim that `column` holds given or family names that carry a number."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if column.data_type != "text" or column.n_distinct < _FEWEST or column.matching(_NUMBERED) < 0.9:
        return
    texts, counts = column.chosen(_MOST)
    bare = pc.replace_substring_regex(pa.array(texts, pa.string()), "_?[0-9]+", "").to_pylist()
    if len(set(bare)) < _FEWEST_WORDS:
        return
    found = [listed(wordlists.fold(text)) for text in bare]
    total = float(counts.sum())
    given, family = (
        sum(int(n) for kinds, n in zip(found, counts, strict=True) if kind in kinds) / total
        for kind in ("given", "family")
    )
    named = next((h.entity for h in column.header.hints if h.entity in with_trait("person_name")), None)
    if max(given, family) < (_LEAST_NAMED if named else _LEAST_LISTED):
        return
    several = sum(" " in text for text in bare) > 0.5 * len(bare)
    entity = named or ("PERSON_NAME" if several else "FIRST_NAME" if given >= family else "LAST_NAME")
    share = column.cell_share(max(given, family))
    yield claim_for(column, entity, 0.86, "list", fact("detect.names_with_number", share=share))


def suggest_single_words(table: Table) -> Iterator[Posting]:
    """Yield the claim on names for single words of which lists contain some and nearly all differ, among people."""
    for item in table if describes_people(table) else ():
        column = item.column
        if item.verdict is not None or not column.header.is_opaque or column.data_type != "text":
            continue
        known = [
            c for c in item.ledger.standing() if c.entity in with_trait("person_name") and c.strength >= 0.1
        ]
        various = column.n_distinct >= 20 and (column.uniqueness >= 0.5 or column.n_distinct >= 1000)
        single = column.matching(_SINGLE) >= 0.9 and float(column.words_per_cell.mean()) < 1.4
        if known and various and single:
            best = max(known, key=lambda c: c.strength)
            because = fact("detect.siblings_single_words")
            yield suggest(item, best.entity, 0.55, because, n_cells=best.n_cells, earlier=best.clues)
