"""The forms of all detectors inside text: in which cells they may be, and which parts of a text they accept.

Question: is this part of a sentence a value of this detector, and how certain is that?
Method: digits are counted: forms with at least five are sought only where so many are, and forms that need a word only
where one is. The words share one RE2 expression. Then a few forms at a time are compiled together; RE2 runs an
alternation of a few expressions as fast as a single one, and very many exceed its fast automaton. In the cells that
remain, a form finds candidates with a bounded expression; vetoes, the words of its sentence (sentences.py) and the
validator decide. Where a form has any number of groups, a candidate that its validator rejects is tried again without
the groups at its end, because a date or an amount that follows a number resembles more groups of it.
Limits: a value without a check digit is named by a word next to it only.
"""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache, cached_property, lru_cache
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from privaudit.base.arrays import Codes, Ints
from privaudit.base.patterns import Expression
from privaudit.base.records import dataclass
from privaudit.detect.catalogue import boundaries, detectors, validators
from privaudit.detect.catalogue.boundaries import compiled
from privaudit.detect.catalogue.detector import NEEDS, Detector, TextForm
from privaudit.detect.catalogue.matching import matching
from privaudit.detect.catalogue.possible_matches import MANY, Requirements, Texts, can_match, characters_of, packed
from privaudit.detect.catalogue.sentences import is_linked, is_named
from privaudit.detect.catalogue.wordlists import fold, word_list
from privaudit.model import Clue
from privaudit.model.headers import tokenise
from privaudit.model.wording import Name, fact
from privaudit.source.profile.alphabet import alphabet, digit_counts
from privaudit.source.profile.digit_shapes import by_shape, shapes_of

_LINK = r"[ _-]?(?:card)?[ ]?(?:no|nr|num|number|nummer|code|#|id|numéro|número)?[ .:#-]{0,4}(?:is |was )?"
ENDING = r"(?:no|nr|num|number|nummer|id|s)?"  # "NHSNO 943 476 5919", "accounts"
_WORDS = Expression(r"[a-zà-ÿ/]+|[^a-zà-ÿ/\s.:#=№(\"'\[-]+")
_LINKING = frozenset(["is", "was"])
# "no. 5" continues a sentence, "in the log. 5" does not.
_SENTENCE_END = Expression(r"(?<!no)(?<!nr)(?<!num)(?<!ref)(?<!inv)[.!?;,]\s")
_LAST_GROUP = Expression(r"[ .\-/()]+[0-9A-Za-z]+$")
_MOST_GROUPS = 8
_NOT_DIGITS = Expression("[^0-9]+")
Places = Ints
_TOGETHER = 8  # forms in one alternation: RE2 is as fast as for one
_MANY_DIGITS = 5
_ALONE = r"(?<![A-Za-z])(?:{})" + ENDING + "(?![A-Za-z])"
_WORD = r"(?i)(?:^|[^a-z])(?:{})" + ENDING + "(?:$|[^a-z])"


class Reading(NamedTuple):
    """The result of a check of one candidate.

    ``strong`` is false where the check digit is the only evidence: then the column as a whole must have more valid
    check digits than chance gives. ``valid`` is false for a candidate of the right shape that fails its check digit; it
    is counted, not reported. ``labelled`` is true after a word such as "order": such a reading counts only where the
    column has many different valid numbers.
    """

    detail: str | None
    strong: bool = True
    valid: bool = True
    labelled: bool = False


@dataclass(frozen=True, eq=False)
class Spec:
    """One form of a detector inside text, compiled when first used."""

    detector: Detector
    text: TextForm

    @property
    def entity(self) -> str:
        """The entity type of its values."""
        return self.detector.entity

    @cached_property
    def rank(self) -> int:
        """Precedence over overlapping readings; the lowest is first."""
        rank = 2 * NEEDS.index(self.text.needs) + (not self.proves)
        return rank if self.text.rank is None else self.text.rank

    @property
    def worded(self) -> bool:
        """Whether a value needs a word that names it."""
        return self.text.needs == "word"

    @cached_property
    def forms(self) -> tuple[str, ...]:
        """The RE2 expressions of its values."""
        return self.text.form or self.detector.regex

    @cached_property
    def words(self) -> str:
        """An RE2 expression of the words that name its values; empty if there are none."""
        return "|".join(self.phrases)

    @cached_property
    def phrases(self) -> tuple[str, ...]:
        """The RE2 expressions of single words that name its values."""
        return self.text.words or (tuple(map(_phrase, self.detector.headers)) if self.worded else ())

    @cached_property
    def validator(self) -> str:
        """The name of its validator; empty if it has none."""
        own = self.text.validator
        return (self.detector.validator or "") if own is None else own

    @cached_property
    def proves(self) -> bool:
        """Whether it has a check digit."""
        return validators.has_check_digit(self.validator)

    @cached_property
    def prefilter(self) -> str:
        """An RE2 expression that matches every text in which it finds anything, fast."""
        return self.text.requires or self.loosely

    @cached_property
    def narrow(self) -> str:
        """An RE2 expression that matches every text in which it finds anything, and few others."""
        if not self.worded:
            return self.loosely
        word, form = rf"(?:{self.words})", rf"(?:{self.loosely})"
        return rf"(?i)(?:^|[^a-z]){word}[^\n]*{form}|{form}[^\n]*[^a-z]{word}"

    @cached_property
    def loosely(self) -> str:
        """An RE2 expression that matches every text in which one of its forms is, whatever precedes it."""
        return self.detector.loosely(self.text)

    @cached_property
    def clue(self) -> Clue:
        """How its values are recognised."""
        code = "word" if self.worded else "form"
        title = Name(self.detector.title)
        if self.proves:
            return Clue(kind="check-digit", because=fact(f"detect.text_{code}_checked", title=title))
        return Clue(kind="pattern", because=fact(f"detect.text_{code}", title=title))

    def readings(self, text: str) -> Iterator[tuple[int, int, Reading]]:
        """Yield start, end and reading of each candidate in `text`."""
        for find in self._finders:
            for match in find.finditer(text):
                reading = self.read(match)
                if reading is not None:
                    yield match.start(), match.end(), reading

    def read(self, match: re.Match[str]) -> Reading | None:
        """Return the reading of a candidate; None if it is not a value of the detector."""
        groups = match.groupdict()
        value = groups.get("value") or match.group()
        worded = self.words != "" and self._is_named(match)
        if not worded and (self.worded or _any_whole(self.text.doubtful, value)):
            return None
        if self._excluded(match, value):
            return None
        if worded and self.text.within is not None and not self.proves and labelled(match):
            return None  # the label between the word and the number names it
        named = not worded and self.text.needs in ("no label", "many") and labelled(match)
        if named and not self.proves:
            return None
        detail = self._detail(value) if self.text.details else (groups.get("detail") or "").lower()
        if detail is None:
            return None
        valid = self.passes(value)
        strong = worded or self.text.needs != "many"
        return Reading(detail or self.detector.detail, strong, valid, named)

    @cached_property
    def _finders(self) -> tuple[re.Pattern[str], ...]:
        return tuple(compiled(boundaries.inside(form, self.text.edges)) for form in self.forms)

    @cached_property
    def _before(self) -> re.Pattern[str]:
        gap = _LINK if self.text.within is None else rf"[^\n]{{0,{self.text.within}}}"
        return re.compile(rf"(?<![A-Za-z])(?:{self.words}){ENDING}(?![A-Za-z]){gap}$", re.IGNORECASE)

    @cached_property
    def _word(self) -> re.Pattern[str]:
        return re.compile(_ALONE.format(self.words), re.IGNORECASE)

    def _is_named(self, match: re.Match[str]) -> bool:
        """Whether a word right before the candidate, or elsewhere in its sentence, names it."""
        if self._before.search(before(match, 64)) is not None:
            return True
        if labelled(match):
            return False
        if self.proves:
            return is_named(match.string, match.start(), match.end(), self._word, _every_word())
        return is_linked(match.string, match.start(), match.end(), self._word)

    def _excluded(self, match: re.Match[str], value: str) -> bool:
        unless = self.text.unless
        if unless and compiled(rf"(?i)(?:{unless})[ /:=-]{{0,3}}$").search(before(match, 24)):
            return True
        return any(compiled(veto).search(value) for veto in (*self.detector.vetoes, *self.text.vetoes))

    def _detail(self, value: str) -> str | None:
        digits = digits_of(value)
        return next((name for name, form in self.text.details.items() if compiled(form).fullmatch(digits)), None)

    def _parts(self, value: str) -> Iterator[str]:
        """Yield what the validator may read: the value, then shorter parts if the form has any number of groups."""
        yield value
        if not self.text.trims:
            return
        for _ in range(_MOST_GROUPS):
            shorter = _LAST_GROUP.sub("", value)
            if shorter == value or not _any_whole(self.forms, shorter):
                return
            value = shorter
            yield value

    def passes(self, value: str) -> bool:
        """Return whether the validator accepts a candidate, or a part of it without the groups at its end."""
        return self.validator == "" or any(map(self._passes, self._parts(value)))

    def _passes(self, value: str) -> bool:
        own = self.text.validator is None and self.detector.checked == "digits"
        return validators.get(self.validator)(digits_of(value) if own else value)


@cache
def _every_word() -> re.Pattern[str]:
    """Return the expression of the words of all shipped detectors; by first letter, which is many times as fast."""
    by_letter: defaultdict[str, set[str]] = defaultdict(set)
    # The words of addresses are prepositions, and those of network addresses name no number.
    naming = (spec for spec in specs() if spec.proves or (spec.worded and spec.text.digits > 0))
    for phrase in itertools.chain.from_iterable(spec.phrases for spec in naming):
        first = re.match(r"\[?([^\W\d_])", phrase)
        by_letter[first[1].lower() if first else ""].add(phrase)
    with_accents = {letter: letter + _accented().get(letter, "") for letter in by_letter}
    parts = (
        (f"(?=[{with_accents[letter]}])" if letter else "") + f"(?:{'|'.join(sorted(phrases))})"
        for letter, phrases in sorted(by_letter.items())
    )
    return re.compile(_ALONE.format("|".join(parts)), re.IGNORECASE)


@cache
def specs() -> tuple[Spec, ...]:
    """Return the forms of the shipped detectors, by precedence."""
    return specs_of(detectors.load())


def specs_of(chosen: Sequence[Detector]) -> tuple[Spec, ...]:
    """Return the forms of the `chosen` detectors, by precedence."""
    every = [Spec(detector, form) for detector in chosen for form in detector.text]
    return tuple(sorted(every, key=lambda spec: spec.rank))


def candidates(texts: pa.Array, every: Places, forms: tuple[Spec, ...]) -> Iterator[tuple[Spec, Places]]:
    """Yield each form that may find anything in the cells `every`, and these cells."""
    digits = by_shape(texts, digit_counts)
    forms = possible(texts, digits, forms)
    for (worded, five), some in zip(_GROUPS, _grouped(forms), strict=True):
        least = _MANY_DIGITS if five else int(worded)
        cells = every[digits[every] >= least]
        if worded and some:
            cells = _where_any(texts, cells, some)
        for first in range(0, len(some) if len(cells) else 0, _TOGETHER):
            run = some[first : first + _TOGETHER]
            near = _where_any(texts, cells, run)
            for spec in run if len(near) else ():
                named = _where_any(texts, near, (spec,)) if worded else near
                found = narrow(texts, named, spec.prefilter)
                if len(found):
                    yield spec, found


def possible(texts: pa.Array, digits: Codes, forms: tuple[Spec, ...]) -> tuple[Spec, ...]:
    """Return those of `forms` that may be in some texts, by their characters, their `digits` and their length."""
    longest = pc.max(pc.utf8_length(texts)).as_py() or 0
    known = Texts(characters_of(alphabet(texts)), int(digits.max(initial=0)), longest=longest)
    of_search, of_form = _requirements(forms)
    forms = tuple(itertools.compress(forms, of_search.met_by(known) & of_form.met_by(known)))
    if len(texts) >= MANY:  # forms of the user, whose expressions are not compiled
        forms = tuple(form for form in forms if can_match(form.prefilter, known))
    return forms


@lru_cache(maxsize=8)
def _requirements(forms: tuple[Spec, ...]) -> tuple[Requirements, Requirements]:
    """Return what a text has in which a form is searched for, and what one has in which it is found."""
    return (
        Requirements([packed((form.prefilter,)) for form in forms]),
        Requirements([packed((form.loosely,)) for form in forms]),
    )


_GROUPS = tuple(itertools.product((False, True), repeat=2))


@lru_cache(maxsize=1024)
def _grouped(forms: tuple[Spec, ...]) -> tuple[tuple[Spec, ...], ...]:
    """Return the forms by whether they need a word and whether they need many digits, in the order of `_GROUPS`."""
    return tuple(
        tuple(spec for spec in forms if spec.worded == worded and (spec.text.digits > 0) == five)
        for worded, five in _GROUPS
    )


@lru_cache(maxsize=1024)
def _any_of(forms: tuple[Spec, ...]) -> str:
    """Return an expression of all texts in which one of `forms` may be: of its words, or of the forms themselves."""
    if forms[0].worded:
        return _WORD.format("|".join(spec.words for spec in forms))
    return "|".join(f"(?:{spec.prefilter})" for spec in forms)


def _where_any(texts: pa.Array, cells: Places, forms: tuple[Spec, ...]) -> Places:
    """Return those of `cells` in which one of `forms` may be; all where together they are too large for RE2."""
    try:
        return narrow(texts, cells, _any_of(forms))
    except pa.ArrowInvalid:
        return cells


def narrow(texts: pa.Array, cells: Places, expression: str) -> Places:
    """Return those of `cells` whose text an RE2 expression matches."""
    if not len(cells):
        return cells
    shapes = shapes_of(texts, (expression,))
    if shapes is not None:
        return cells[matching(shapes.values, expression)[shapes.place[cells]]]
    part = texts if len(cells) == len(texts) else texts.take(pa.array(cells))
    return cells[matching(part, expression)]


def _any_whole(forms: tuple[str, ...], value: str) -> bool:
    return any(compiled(form).fullmatch(value) for form in forms)


def _phrase(header: str) -> str:
    """Return the expression of the words of a column name as a sentence writes them, with accents or without."""
    return "[ _-]?".join("".join(map(_with_accents, word)) for word in tokenise(header))


def _with_accents(letter: str) -> str:
    """Return the class of the letters that are `letter` after folding."""
    return f"[{letter}{_accented()[letter]}]" if letter in _accented() else re.escape(letter)


@cache
def _accented() -> dict[str, str]:
    """Return the small letters of Latin, Greek, Cyrillic and Arabic that folding changes, by the letter it gives."""
    found: defaultdict[str, str] = defaultdict(str)
    for letter in map(chr, (*range(0xE0, 0x180), *range(0x370, 0x460), *range(0x620, 0x6D4))):
        plain = fold(letter)
        if letter == letter.lower() != plain and len(plain) == 1 and plain.isalpha():
            found[plain] += letter
    return dict(found)


def before(match: re.Match[str], n: int) -> str:
    """Return at most `n` characters before the match, within its line."""
    start = match.start()
    return match.string[max(0, start - n) : start].rpartition("\n")[2]


def labelled(match: re.Match[str]) -> bool:
    """Whether a technical label precedes the match: an order, a part, a build."""
    phrase = _SENTENCE_END.split(fold(before(match, 32)))[-1]
    words = [word for word in _WORDS.findall(phrase) if word not in _LINKING]
    labels, numbers = word_list("label"), word_list("label", "numbers")
    if words and words[-1] in labels:
        return True
    return len(words) > 1 and words[-1] in numbers and words[-2] in labels


def digits_of(text: str) -> str:
    """Return only the ASCII digits of `text`."""
    return _NOT_DIGITS.sub("", text)
