"""Person names, and what is mistaken for them: companies, jobs, towns, health terms.

Question: are these cells names of people?
Method: cells of one to five words of letters are split into words and compared with lists of given and family names of
many cultures; casing and script are further evidence. Company suffixes, words of prose, enumerations, towns and jobs
are evidence against names, and common words of a language are; repetition is not. Cells of companies, and one word in
many rows ("vacant"), are read apart from the others, which may be people. Words of English that are given names as well
("Mercy", "Sunday") count as such in a column of which lists contain most words, with them. Different words that each
have initials are names of people, whether lists have them or not: "Nagys U.". Under a column name that means the name
of a person, capitalised words that are none of these suffice, whether lists have them or not. Han names are recognised
by length and first character. Single words in a table about people are recognised in addition: if lists contain some of
them, or if they occur in the names or e-mail addresses of another column.
Limits: the lists contain a part of the world's names; a column counts as names only above a share of listed words that
ordinary words do not reach. Undecided columns go to the language model (text/language_model.py).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise

import numpy as np

from privaudit.base.arrays import Flags, Ints
from privaudit.base.patterns import Expression
from privaudit.base.records import dataclass
from privaudit.detect.catalogue import wordlists
from privaudit.detect.column import FEW, NEARLY_ALL, SAMPLE, VARIOUS, Column, once
from privaudit.detect.column_evidence import ColumnEvidence
from privaudit.detect.ledger import Claim, Entry, against, claim_for
from privaudit.detect.subjects import scripts
from privaudit.detect.subjects.common_words import are_common
from privaudit.detect.subjects.context import Posting, Table, describes_people, has, next_to, suggest
from privaudit.detect.subjects.words_of_names import content_of, is_company, is_given_name, is_surname, words_of
from privaudit.model import Clue
from privaudit.model.headers import Header, read_header
from privaudit.model.vocabulary import with_trait
from privaudit.model.wording import Fact, Term, fact

FEWEST_WORDS = 10  # fewer different words may be categories
_TWO_WORDS = 1.35  # words of a cell on average, from which most cells have two
_NAMED_SO = 0.45  # by hand: less than even odds, so that the column name decides
_CLEAR = 0.8  # the last word of the column name has this meaning, and no word is left that changes it
_INITIALED = 0.8  # by hand: as a share of listed names that things do not reach
_FEWEST_INITIALED = 5  # different cells below which chance may make all of them alike
_MARKER = 0.05  # by hand: share of the rows from which one value among various ones is a word such as "vacant"
_FULL = 0.8  # share of the cells with a given name that places, products and titles of jobs do not reach
_COMPANIES = 0.3  # share of companies from which a column is not one of people, where fewer cells are
_FEWEST_KNOWN = 0.15  # by hand: few cells of any language contain a listed name by chance
MOSTLY = 0.6  # share of the cells from which a column is one of names, or of capitalised words
_WORDS_OF_NAME = r"\p{L}[\p{L}\p{M}'’´`.\-]*(?:,? +\p{L}[\p{L}\p{M}'’´`.\-]*){0,4}"
NAME_SHAPE = rf"^{_WORDS_OF_NAME}(?: & {_WORDS_OF_NAME})?$"
_CJK = r"[\p{Han}々\p{Hangul}\p{Hiragana}\p{Katakana}ー]{1,6}"
_SIGN, _QUOTED = r"[\^/_&+,;|. ]", r"[\"'“”‘’«»„(\[][\p{L}\p{M} .'-]+[\"'“”‘’«»„)\]]"
_OTHER_FORM = rf"^\p{{L}}[\p{{L}}\p{{M}}'’.\-]*(?:{_SIGN}+\p{{L}}[\p{{L}}\p{{M}}'’.\-]*|{_SIGN}+|[ _]*{_QUOTED})*$"
"""Words of names with a nickname in quotes or brackets, or separated by other signs than blanks."""
_JOINED = r"^\p{L}{2,}\.\p{L}{2,}$"
_NICKNAME = Expression(r"[ _]*[\"“„«(\[][^\"”»)\]]*[\"”“»)\]]|(?<!\w)['‘][^'’]+['’]")
_BETWEEN_WORDS = Expression(r"[\^/_&+,;|]+|(?<=[^\W\d_]{2})\.(?=[^\W\d_]{2})")
_HAN = rf"^\p{{Han}}{{1,5}}$|^\p{{Hangul}}{{1,5}}$|^{_CJK}[ ・·,]+{_CJK}$"
_SINGLE = r"^\p{L}[\p{L}\p{M}'’ .-]{1,30}$"
_PART = r"[\p{Lu}\p{Lt}][\p{L}\p{M}'’.\-]*"
_CAPITALISED = rf"^(?:{_PART}\p{{Ll}}[\p{{L}}\p{{M}}'’.\-]*|\p{{Lu}}\.?)(?:,? (?:\p{{Ll}}{{1,4}} )?{_PART}){{0,3}}$"
"""One to four capitalised words, the first an initial or with a small letter, which abbreviations lack."""
_WITH_POINTS, _WORD_OF_NAME = r"\p{Lu}\.(?:[ -]?\p{Lu}\.){0,2}", r"\p{Lu}[\p{L}\p{M}'’\-]+"
_WITH_INITIALS = (
    rf"^(?:\p{{Lu}}\p{{L}}{{1,4}}\. )*(?:{_WITH_POINTS} ?{_WORD_OF_NAME}|{_WORD_OF_NAME},? {_WITH_POINTS})$"
)
"""A name of which one part is initials, perhaps after a title: "U. Nagys", "Dr. Vera N.", "Гаврилець А.О."."""
_ABBREVIATED = r"^(?:\p{L}\p{L}{1,4}\. ?)+\p{Lu}[\p{L}\p{M}'’\-]+(?: \p{Lu}[\p{L}\p{M}'’\-]+){1,3}$"
"""A full name after an abbreviation, as titles are that no list has: "JUDr. Anna Kov"."""
CAPITAL = r"^[\p{Lu}\p{Lt}\p{Lo}]"  # or a letter of a script without case
_CAPITAL_AFTER_PARTICLES = r"^(?:\p{Ll}{1,4}['’ ]+)*[\p{Lu}\p{Lt}\p{Lo}]"  # "van den Berg"
_SEPARATORS = Expression(r"[\s,._\-+0-9]+")
_MOST_PARTS = 1000  # cells of each column that are compared with other columns


@dataclass(frozen=True, slots=True)
class NameReading:
    """Share of the cells of a column that have the form of names, and by the kind of word they contain.

    `person` is the share with a given name and no word of companies or prose; `read` is the share of the cells that
    were read, of which the others are shares.
    """

    shaped: float
    words: float
    cased: float
    given: float
    family: float
    known: float
    town: float
    organisation: float
    prose: float
    job: float
    person: float
    read: float = 1.0

    @property
    def companies(self) -> float:
        """The share of companies that is evidence against names: none where more cells are people."""
        return self.organisation if self.person <= self.organisation else 0.0


@once
def read(column: Column) -> NameReading | None:
    """Classify the words of a column; None if its cells do not have the form of names."""
    if column.data_type != "text" or not column.has_letters or column.has_digits_in(0.7):
        return None
    shaped = _shaped(column)
    stated = ~wordlists.members(column.folded, wordlists.word_list("no_value"))
    shape = column.cells(shaped & stated) / max(1, column.cells(stated))
    if shape < 0.3 or column.at_least(_JOINED):
        return _read_other_form(column)
    return classify(*column.chosen(SAMPLE), shape)


def _shaped(column: Column) -> Flags:
    shaped = column.matches(NAME_SHAPE)
    return shaped | column.matches(_HAN) if column.foreign else shaped


def _read_other_form(column: Column) -> NameReading | None:
    """Classify names as systems write them: `LEE^ANN^^`, `LEE/ANN MR`, `Ann_Lee`, `Ann "Annie" Lee`, `Lee & Joe Lee`.

    Most cells must contain a listed name, which paths, codes and labels with such separators do not.
    """
    if not column.at_least(_OTHER_FORM):
        return None
    texts, counts = column.chosen(SAMPLE)
    plain = [" ".join(_BETWEEN_WORDS.sub(" ", _NICKNAME.sub(" ", text)).split()) for text in texts]
    reading = classify(plain, counts, column.matching(_OTHER_FORM))
    return reading if reading.given >= MOSTLY and reading.known >= _FULL and reading.prose < 1 - _FULL else None


def classify(texts: Sequence[str], counts: Ints, shaped: float, read: float = 1.0) -> NameReading:
    """Return the share of the cells by the kind of word they contain, and the words of a cell."""
    tally: Counter[str] = Counter()
    total = n_words = 0
    nothing = wordlists.word_list("no_value")
    for text, n in zip(texts, counts.tolist(), strict=True):
        folded = wordlists.fold(text)
        if folded not in nothing:
            tokens = words_of(folded[:200])
            total, n_words = total + n, n_words + n * len(tokens)
            tally.update(dict.fromkeys(_kinds(text, folded, tokens), n))
    total = max(1, total)
    if len(texts) >= FEWEST_WORDS and tally["known"] + tally["word"] >= MOSTLY * total:
        tally.update({"given": tally["word"], "known": tally["word"]})
    return NameReading(shaped, n_words / total, **{kind: tally[kind] / total for kind in _KINDS}, read=read)


def _without_others(column: Column, reading: NameReading) -> NameReading:
    """Return the reading of the cells that may be people, where the others are companies, or one value in many rows.

    Where more cells are companies than people, the column is one of companies.
    """
    if column.n_distinct < VARIOUS or not column.is_varied:
        return reading
    texts, counts = column.chosen(SAMPLE)
    total = int(counts.sum())
    companies = np.zeros(len(texts), dtype=np.bool_)
    if reading.organisation:
        companies[:] = [is_company(text, words_of(wordlists.fold(text)[:200])) for text in texts]
    people = ~companies & (counts <= max(1, _MARKER * total))
    if people.all() or counts[people].sum() <= max(counts[companies].sum(), _FEWEST_KNOWN * total):
        return reading
    kept = [text for text, may_be in zip(texts, people.tolist(), strict=True) if may_be]
    rest = classify(kept, counts[people], reading.shaped, read=float(counts[people].sum() / total))
    return rest if _have_more_given_names(rest, reading) else reading


def _have_more_given_names(rest: NameReading, whole: NameReading) -> bool:
    """Whether given names are twice as frequent in the rest as in the other cells: companies have surnames."""
    others = (whole.given - rest.given * rest.read) / max(1e-9, 1 - rest.read)
    return rest.words >= _TWO_WORDS and rest.given >= max(_FEWEST_KNOWN, 2 * others)


_INVERTED = r"^[\p{L} .'’\-]+, [\p{L} .'’\-]+$"  # "Smith, John"
_KINDS = ("cased", "given", "family", "known", "town", "organisation", "prose", "job", "person")


def are_known(column: Column) -> bool:
    """Whether lists contain most words of a column as names of people."""
    reading = read(column)
    return reading is not None and reading.known >= 0.5 and reading.prose < 0.3


def are_words(column: Column) -> bool:
    """Whether most cells consist of common words; a few words are that, although lists have them as names as well."""
    return are_common(column) and not (column.n_distinct >= FEWEST_WORDS and are_known(column))


def _kinds(text: str, folded: str, tokens: list[str]) -> set[str]:
    kinds: set[str] = set()
    if not tokens:
        return kinds
    if not text.isascii() and (parts := scripts.unspaced(text)):
        kinds |= {"known", *parts}
    given, family = wordlists.listed_words("given_names"), wordlists.listed_words("surnames")
    content = content_of(text, tokens) or tokens
    if any(map(is_given_name, content)):
        kinds |= {"given", "known"}
    if is_surname(content, text):
        kinds |= {"family", "known"}
    if not family.isdisjoint(content):
        kinds.add("known")
    if len(content) > 1 and content[0] in family and content[-1] in given:  # "Smith John"
        kinds.add("family")
    if folded in wordlists.towns():
        kinds.add("town")
    if "known" not in kinds and wordlists.listed_words("word_names").issuperset(content):
        kinds.add("word")
    kinds |= set(_other_kinds(text, tokens))
    return kinds | {"person"} if "given" in kinds and kinds.isdisjoint(("organisation", "prose")) else kinds


def _other_kinds(text: str, tokens: list[str]) -> Iterator[str]:
    rest = set(tokens[1:])
    jobs = wordlists.word_list("occupation")
    if is_company(text, tokens):
        yield "organisation"
    if rest and wordlists.word_list("stop").intersection(tokens):
        yield "prose"
    if jobs.intersection(tokens) or tokens[-1].strip("s") in jobs:
        yield "job"
    if text[:1].isupper() or not text[:1].isascii():
        yield "cased"


def run(column: Column) -> Iterator[Entry]:
    """Yield the claim on person names, or the reason why the cells are not names."""
    reading = read(column)
    if reading is None:
        return
    reading = _without_others(column, reading)
    reason = _why_not_names(column, reading)
    if reason is not None:
        yield against("PERSON_NAME", reason)
    else:
        claims = [*(_single if reading.words < _TWO_WORDS else _full)(column, reading)]
        yield from claims
        if _have_initials(column):
            share = column.cell_share(column.matching(_WITH_INITIALS))
            because = fact("detect.names_with_initials", share=share)
            yield _claim(column, reading, _named_part(column.header), _INITIALED, because)
        elif not any(claim.strength >= _NAMED_SO for claim in claims) and _are_named_so(column):
            share = column.cell_share(column.matching(_CAPITALISED))
            yield _claim(
                column, reading, _named_part(column.header), _NAMED_SO, fact("detect.capitalised_words", share=share)
            )


def are_too_few(column: Column) -> bool:
    """Whether so few words that repeat decide nothing against a column name that suggests something else.

    Colours, plans and products are also towns.
    """
    named = any(hint.entity in with_trait("place_name") for hint in column.header.hints)
    return column.n_distinct < FEWEST_WORDS and not (column.is_varied or column.header.is_opaque or named)


def _why_not_names(column: Column, reading: NameReading) -> Fact | None:
    if column.n_distinct < 3 and column.n_present > 20:
        return fact("detect.too_few_names")
    if _are_levels(column, reading):
        return fact("detect.enumeration")
    topic = _topic(column, reading)
    if topic is not None:
        return topic
    if column.at_least(area_form(), NEARLY_ALL):
        return fact("detect.areas", share=column.cell_share(column.matching(area_form())))
    if reading.town > 0.5 and reading.town > reading.known:
        return fact("detect.towns", share=column.cell_share(reading.town))
    return None


def _topic(column: Column, reading: NameReading) -> Fact | None:
    """Return what the cells are about, if it is companies, prose or jobs; parties of contracts are people as well."""
    topics = (("company", reading.companies, _COMPANIES), ("prose", reading.prose, 0.35), ("job", reading.job, 0.5))
    return next((_words_of(column, topic, share) for topic, share, most in topics if share > most), None)


def why_no_names(column: Column) -> Fact | None:
    """Return why words under a column name that means names are none; None if they can be names."""
    if are_words(column):
        return fact("detect.common_words")
    reading = read(column)
    if reading is None:
        return None
    topic = _topic(column, reading)
    if are_known(column):  # companies have surnames
        return topic if reading.companies > _COMPANIES else None
    return fact("detect.kinds_of_things") if _end_alike(column, reading) else topic


def _end_alike(column: Column, reading: NameReading) -> bool:
    """Whether different cells without given names end with one of a few words, which say what kind of thing each is."""
    if column.n_distinct < VARIOUS or reading.words < _TWO_WORDS or reading.given >= _FEWEST_KNOWN:
        return False
    return len({wordlists.fold(text).split()[-1] for text in column.chosen(SAMPLE)[0]}) < FEWEST_WORDS


@cache
def area_form() -> str:
    """Return the expression of a name that ends with a word for an administrative area: "Adams County"."""
    endings = "|".join(sorted(wordlists.word_list("area", "endings")))
    return rf"(?i)^\p{{L}}.* (?:{endings})$"


def _are_levels(column: Column, reading: NameReading) -> bool:
    """Whether few words that repeat are levels: common words, or names under a column name that means a thing.

    Repeated names of staff are none, whether lists have them or the column name means people.
    """
    single = reading.words < _TWO_WORDS and column.n_distinct < FEWEST_WORDS
    single = single and not (column.is_varied or column.header.is_opaque)
    repeats = column.n_present >= 20 * column.n_distinct and column.n_present > 100 and column.n_distinct <= 25
    if not (single or repeats) or _have_titles(column) or _have_initials(column):
        return False
    if are_words(column):
        return True
    named = any(hint.entity in with_trait("person_name") for hint in column.header.hints)
    of_things = not wordlists.word_list("things").isdisjoint(column.header.words)  # ships are named after people
    other = of_things or (column.header.hints and reading.words < _TWO_WORDS)
    listed = reading.known >= _FULL and reading.known > reading.town
    if reading.words >= _TWO_WORDS:  # campaigns are named after months, which are given names as well
        listed = listed and min(reading.given, reading.family) >= _FULL
    elif column.header.is_opaque:  # storms and ships have given names
        listed = False
    return not named and (bool(other) or not listed)


def _are_named_so(column: Column) -> bool:
    """Whether the column name means names of people, and most cells are capitalised words that are not common."""
    return means_names(column.header) and column.at_least(_CAPITALISED, MOSTLY) and not are_words(column)


def means_names(header: Header) -> bool:
    """Whether a column name means names of people: "coach", "coach name", but not a bare "name", which things have."""
    bare, people = wordlists.word_list("things", "also_of_people"), with_trait("person_name")
    subject = " ".join(word for word in header.words if word not in bare)
    hints = header.hints if subject == " ".join(header.words) else read_header(subject).hints
    return any(hint.entity in people and hint.phrase not in bare for hint in (*header.hints, *hints))


def _named_part(header: Header) -> str:
    """Return the part of a name that the column name suggests, a whole name unless it suggests one."""
    return next((hint.entity for hint in header.hints if hint.entity in with_trait("person_name")), "PERSON_NAME")


def _have_titles(column: Column) -> bool:
    """Whether nearly all cells begin with a title, as staff are named: "Dr. Miller", "JUDr. Anna Kov"."""
    titles = wordlists.word_list("person_name", "titles")
    first = [words_of(wordlists.fold(text))[:1] for text in column.sample]
    titled = sum(titles.issuperset(word) and word != [] for word in first) >= NEARLY_ALL * len(first)
    return bool(first) and (titled or _have_abbreviations(column))


def _have_abbreviations(column: Column) -> bool:
    """Whether nearly all cells are an abbreviation before words of which the last differ; alike, they are kinds."""
    if not column.holds(".") or not column.at_least(_ABBREVIATED, NEARLY_ALL):
        return False
    return len({text.split()[-1] for text in column.sample}) >= MOSTLY * len(column.sample)


def _have_initials(column: Column) -> bool:
    """Whether nearly all cells are initials with different words or with listed surnames; "Part A." is not."""
    if column.n_distinct < _FEWEST_INITIALED or not column.holds(".") or not column.at_least(_WITH_INITIALS):
        return False
    longest = [wordlists.fold(max(text.split(), key=len).strip(",.")) for text in column.sample]
    listed = wordlists.listed_words("surnames")
    return max(len(set(longest)), sum(word in listed for word in longest)) >= MOSTLY * len(column.sample)


def _words_of(column: Column, topic: str, share: float) -> Fact:
    return fact("detect.words_of_topic", share=column.cell_share(share), topic=Term(topic))


def _single(column: Column, reading: NameReading) -> Iterator[Claim]:
    """Yield the claim on given or family names, one word per cell; the share decides, as towns are such words, too."""
    if reading.known < _FEWEST_KNOWN:
        return
    entity = "FIRST_NAME" if reading.given >= reading.family else "LAST_NAME"
    if min(reading.given, reading.family) > MOSTLY:
        entity = "PERSON_NAME"  # both in one word, as Chinese names are written
    share = column.cell_share(max(reading.given, reading.family))
    because = fact("detect.given_names" if entity == "FIRST_NAME" else "detect.family_names", share=share)
    cased = reading.cased > MOSTLY
    strength = min(0.93, 0.25 + 0.85 * reading.known) if cased else min(0.7, 0.1 + 0.7 * reading.known)
    yield _claim(column, reading, entity, strength, because)


def _full(column: Column, reading: NameReading) -> Iterator[Claim]:
    if reading.shaped < 0.5 or reading.known < 0.3:
        return
    both = min(reading.given, max(reading.family, 0.5 * reading.given))
    strength = min(0.96, 0.3 + 0.45 * reading.known + 0.3 * both) * min(1.0, 0.5 + reading.shaped / 2)
    towns = 0.5 * max(0.0, reading.town - 0.1)
    strength *= 1.0 - reading.companies - 0.6 * reading.prose - 0.6 * reading.job - towns
    given, family = column.cell_share(reading.given), column.cell_share(reading.family)
    because = fact("detect.full_names", given=given, family=family)
    yield _claim(column, reading, "PERSON_NAME", max(0.01, strength), because)


def _claim(column: Column, reading: NameReading, entity: str, strength: float, because: Fact) -> Claim:
    casing = fact("detect.words_of_letters", share=column.cell_share(reading.shaped))
    later = (Clue(kind="shape", because=casing),)
    cells = column.cells(_shaped(column) | column.matches(_OTHER_FORM))
    cells = min(cells, round(reading.read * column.n_present))
    both = reading.given >= 0.5 and reading.family >= 0.3
    inverted = reading.given >= _FULL / 2 and column.at_least(_INVERTED, NEARLY_ALL)
    generic = False if inverted else True if not both and _means_a_thing(column) else None
    return claim_for(column, entity, strength, "list", because, later=later, cells=cells, generic=generic)


def _means_a_thing(column: Column) -> bool:
    """Whether the column name clearly means something else than people: storms, ships and streets have their names."""
    hints = column.header.hints
    people = with_trait("implies_person") - with_trait("place_name")
    return bool(hints) and hints[0].strength >= _CLEAR and hints[0].entity not in people


def jobs(column: Column) -> Iterator[Entry]:
    """Yield the claims on occupations and organisations."""
    reading = read(column)
    if reading is None or column.n_distinct < 2:
        return
    many = column.n_distinct >= 25 and reading.job >= 0.2 and reading.known < _FEWEST_KNOWN and reading.prose < 0.2
    if reading.job >= 0.4 or many:
        strength = max(0.56 if many else 0.0, min(0.9, 0.35 + 0.6 * reading.job))
        yield claim_for(column, "OCCUPATION", strength, "list", _words_of(column, "job", reading.job))
    repeated = column.n_distinct <= FEW and column.n_present >= 10 * column.n_distinct
    if reading.organisation >= 0.4 and not repeated:
        strength = 0.4 + 0.4 * reading.organisation
        because = _words_of(column, "company", reading.organisation)
        cells = round(reading.organisation * column.n_present)
        yield claim_for(column, "ORGANISATION", strength, "list", because, cells=cells, generic=False)


def suggest_single_words(table: Table) -> Iterator[Posting]:
    """Yield the claim on names for single words, in a table about people.

    Either the names or e-mail addresses of another column contain three in ten of the words, or lists contain some and
    nearly all differ.
    """
    undecided = [item for item in table if _may_be_names(item)]
    single = [item for item in undecided if _are_various_single_words(item.column)]
    if not undecided or not describes_people(table):
        return
    in_other_columns = _words_of_names(table)
    for item in single:
        column = item.column
        best = item.ledger.strongest(*with_trait("person_name"))
        texts, counts = column.chosen(_MOST_PARTS)
        inside = np.array([wordlists.fold(text) in in_other_columns for text in texts])
        nearly_all_differ = column.n_distinct >= VARIOUS and (column.is_varied or column.n_distinct >= 1000)
        if inside.mean() >= 0.3 and inside.sum() >= 8:
            cells = round(float(counts[inside].sum() / counts.sum()) * column.n_present)
            entity = "LAST_NAME" if best is None else best.entity
            yield suggest(item, entity, 0.6, fact("detect.siblings_parts_of_names"), cells=cells)
        elif best is not None and best.strength >= 0.1 and nearly_all_differ:
            because = fact("detect.siblings_single_words")
            yield suggest(item, best.entity, 0.55, because, cells=best.n_cells, earlier=best.clues)
    yield from _suggest_other_part(table, single + [item for item in undecided if are_known(item.column)])


def suggest_pairs(table: Table) -> Iterator[Posting]:
    """Yield the claims on two neighbouring columns without a telling name: given names, and family names next to them.

    Names that repeat are levels where each column is read alone; ships and storms have no family name.
    """
    for pair in pairwise(table):
        if not all(map(_may_be_part_of_pair, pair)):
            continue
        for given, family in (pair, pair[::-1]):
            if _share_of("given", given) >= _FULL and _share_of("family", family) >= _FULL:
                for item, entity in ((given, "FIRST_NAME"), (family, "LAST_NAME")):
                    yield suggest(item, entity, 0.6, fact("detect.siblings_other_part_of_name"), generic=False)
                break


def _may_be_part_of_pair(item: ColumnEvidence) -> bool:
    """Whether a column without a telling name has ten different single words that are neither common nor towns."""
    column, reading = item.column, read(item.column)
    if reading is None or not item.is_unexplained or column.n_distinct < FEWEST_WORDS:
        return False
    return (
        reading.words < _TWO_WORDS and reading.known > reading.town and not are_common(column) and _could_be_part(item)
    )


def _share_of(kind: str, item: ColumnEvidence) -> float:
    reading = read(item.column)
    return 0.0 if reading is None else float(getattr(reading, kind))


def _may_be_names(item: ColumnEvidence) -> bool:
    """Whether nothing is decided yet, and the column name has no meaning or means a name, of people or things."""
    means_names = bool(item.ledger.named) and set(item.ledger.named) <= with_trait("person_name")
    return item.is_unexplained or (item.verdict is None and means_names)


def _suggest_other_part(table: Table, among: list[ColumnEvidence]) -> Iterator[Posting]:
    """Yield the claim on given names for the one of `among` next to family names, or the other way round."""
    for part, other in (("LAST_NAME", "FIRST_NAME"), ("FIRST_NAME", "LAST_NAME")):
        near = next_to(table, part) if not has(table, {other}) else []
        words = [item for item in near if item in among and item.verdict is None and _could_be_part(item)]
        words = [item for item in words if _listed(item) >= max(map(_listed, words)) / 2]
        if len(words) == 1:
            yield suggest(words[0], other, 0.55, fact("detect.siblings_other_part_of_name"))


def _listed(item: ColumnEvidence) -> float:
    """Return the share of the cells that lists have as names of people."""
    reading = read(item.column)
    return 0.0 if reading is None else reading.known


def _could_be_part(item: ColumnEvidence) -> bool:
    """Whether the words of a column are capitalised and the values do not suggest anything but a name."""
    names = with_trait("person_name")
    others = any(c.entity not in names and c.strength >= 0.3 for c in item.ledger.standing())
    return not others and item.column.at_least(_CAPITAL_AFTER_PARTICLES)


def _are_various_single_words(column: Column) -> bool:
    various = column.n_distinct >= 15 and (column.uniqueness >= 0.3 or column.n_distinct >= 100)
    if column.data_type != "text" or not various or not column.at_least(_SINGLE):
        return False
    return float(column.words_per_cell.mean()) < 1.4


def _words_of_names(table: Table) -> frozenset[str]:
    """Return the words of the names and e-mail addresses of the table, folded."""
    found: set[str] = set()
    for item in table:
        if item.entity in ("PERSON_NAME", "EMAIL"):
            for text in item.column.chosen(_MOST_PARTS)[0]:
                words = _SEPARATORS.split(wordlists.fold(text.split("@")[0]))
                found.update(word for word in words if len(word) >= 2)
                if item.entity == "EMAIL":  # after the initial of the given name
                    found.update(word[1:] for word in words if len(word) >= 5)
    return frozenset(found)
