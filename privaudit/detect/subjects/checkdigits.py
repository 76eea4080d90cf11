"""Official numbers by their check digits, compared with the same values with one digit changed.

Question: are these digits identity or tax numbers of some country, or do they only have the form?
Method: the validators of python-stdnum run on a sample of distinct values, then on the same values with one digit
changed. A true check digit passes nearly always at first and about one time in ten afterwards; a format passes both
times and is not evidence by itself. Validators that pass together are distinguished by the column name, the country of
sibling columns and how rarely the changed values pass.
Limits: numbers without a check digit stay unresolved unless the column name suggests a meaning. At least `FEWEST`
distinct values are needed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from random import Random
from string import ascii_uppercase, digits

import numpy as np

from privaudit.base.arrow import pa
from privaudit.base.records import dataclass
from privaudit.base.sampling import drawn_by_rows
from privaudit.detect.catalogue import check_systems, validators
from privaudit.detect.catalogue.detector import Detector
from privaudit.detect.column import MOST, SAMPLED, Column, are_digits
from privaudit.detect.ledger import Claim, against
from privaudit.detect.subjects.context import Posting, Table
from privaudit.detect.subjects.countries import countries_of_table
from privaudit.model import Clue
from privaudit.model.headers import tokenise
from privaudit.model.stats import share_of_rows
from privaudit.model.vocabulary import entity_type
from privaudit.model.wording import Fact, Listing, Name, Share, fact

FEWEST = 5
PASSES, FALLS = 0.8, 0.5  # share of the values that pass, and of these the most that pass after a change
_SHAPE = r"^(?:[A-Za-z]{0,6}[ .\-/]?){1,2}[0-9](?:[ .\-/+()]{0,2}[0-9A-Za-z]){4,27}[)]?$"
_DIGITS = 6  # the fewest of a value, on average
_SCREEN, _SAMPLE = 40, 400
_HOPELESS = 8  # failures in a row at the start; if four in five pass, one column in 400,000 begins like that
_ALL, _SOME = 0.995, 0.02  # one check passes everywhere, the other fails in more than this share
_WRITTEN = 0.5  # by hand: one in ten numbers loses a leading zero in a spreadsheet, and one in a hundred two
_SERIES = 20  # a counter with a check digit uses one number in ten of its range; a half are missing here
_UNSUPPORTED = 0.3  # by hand: below even odds next to any column name, as a form without a check digit
_SURE = 0.97  # probability from which a column needs no check digit, unless its name suggests one


@dataclass(frozen=True, slots=True)
class _Tested:
    detector: Detector
    real: float
    changed: float
    chance: float
    elsewhere: float
    n: int

    @property
    def proven(self) -> bool:
        return self.real >= PASSES and self.changed <= FALLS * self.real

    @property
    def name(self) -> Name:
        return Name(str(self.detector.detail))

    @property
    def explained(self) -> bool:
        """Whether codes that do not come from the issuer pass as often."""
        return self.elsewhere >= PASSES

    def fact(self, code: str) -> Fact:
        real, changed = Share(self.real, of=self.n), Share(self.changed, of=self.n)
        return fact(code, real=real, changed=changed, number=self.name)


def prove_numbers(table: Table, detectors: Sequence[Detector]) -> Iterator[Posting]:
    """Yield the claims on numbers whose check digit or form the countries of the table distinguish."""
    countries = countries_of_table(table)
    by_digit, words = _by_digit(tuple(detectors))
    for item in (one for one in table if not one.has_groups):
        sure = item.reading is not None and item.reading.probability >= _SURE
        may_be_named = not words.isdisjoint(item.column.header.words)
        named = [detector for detector in by_digit if may_be_named and _named(item.column, detector)]
        if not sure or named:
            for claim in _prove(item.column, by_digit, named, countries):
                yield item, claim


@lru_cache(maxsize=4)
def _by_digit(detectors: tuple[Detector, ...]) -> tuple[tuple[Detector, ...], frozenset[str]]:
    """Return the detectors of numbers that have no expression, and the words of the column names that mean any."""
    chosen = tuple(detector for detector in detectors if detector.validator is not None and not detector.regex)
    return chosen, frozenset().union(*(_words_of(detector.headers) for detector in chosen))


def _prove(
    column: Column, detectors: Sequence[Detector], named: Sequence[Detector], locale: frozenset[str]
) -> Iterator[Claim]:
    """Yield claims on the numbers that a check digit proves, and against those that only have the form.

    `named` are those of the `detectors` whose numbers the column name means.
    """
    if not column.may_be_codes or column.n_distinct < FEWEST or column.name == "":
        return
    # A series numbers people only where the name of the column means such a number.
    tested = _test_all(column, named if _is_series(column) else detectors, named)
    proven = [t for t in tested if t.proven]
    formed = [t for t in tested if not t.proven and _named(column, t.detector)]
    if proven:
        yield from _best(column, proven, locale)
    if formed and not any(_named(column, t.detector) for t in proven):
        best = min(formed, key=lambda t: (not locale.intersection(t.detector.locale), t.name.text))
        yield _claim(column, best, 0.96, Clue(kind="pattern", because=best.fact("detect.form_of_name")))
    for form in tested if not proven and not formed else ():
        yield against(form.detector.entity, form.fact("detect.form_without_check_digit"))


def _test_all(column: Column, detectors: Sequence[Detector], named: Sequence[Detector]) -> list[_Tested]:
    """Return the validators that most values pass, each with the share that passes after a digit is changed."""
    shaped = column.n_digits[column.drawn[:SAMPLED]].mean() >= _DIGITS and column.at_least(_SHAPE, 0.6)
    return [t for d in (detectors if shaped else named) if (t := _test(d, column)) is not None]


def _named(column: Column, detector: Detector) -> bool:
    if _words_of(detector.headers).isdisjoint(column.header.words):
        return False
    return any(map(column.header.contains_phrase, detector.headers))


@cache
def _words_of(phrases: tuple[str, ...]) -> frozenset[str]:
    """Return the words of which a name has at least one where it contains one of `phrases`."""
    split = [words for phrase in phrases if (words := tokenise(phrase))]
    return frozenset(word for words in split for word in (words[0], "".join(words)))


def _test(detector: Detector, column: Column) -> _Tested | None:
    check = validators.get(str(detector.validator))
    values = column.chosen(_SAMPLE)[0]
    real = _passing(check, values[:_SCREEN], 0.7) and _passing(check, values, PASSES)
    if not real:
        return None
    changed = [change_digit(text, number) for number, text in enumerate(values)]
    random = [_random(text, number) for number, text in enumerate(values)]
    n = len(values)
    of_changed, of_random = sum(map(check, changed)) / n, (sum(map(check, random)) + 0.5) / (n + 1)
    if (
        of_changed <= FALLS * real
        and not _named(column, detector)
        and _share_written(str(detector.validator), values) < _WRITTEN
    ):
        return None
    lengths = {len(text) for text in values if text.isdigit()}
    elsewhere = max((check_systems.highest_rate(str(detector.validator), n) for n in lengths), default=0.0)
    return _Tested(detector, real, of_changed, of_random, elsewhere, n)


def _share_written(validator: str, values: Sequence[str]) -> float:
    """Return the share of values that are as long as the validator completes or cuts them to be."""
    return sum(len(text) == validators.written_length(validator, text) for text in map(validators.bare, values)) / len(
        values
    )


def _is_series(column: Column) -> bool:
    """Whether whole numbers, with a check digit or not, are so close together that they count something."""
    values = column.chosen(_SAMPLE)[0]
    if not are_digits(values):
        return False
    numbers = [int(text) for text in values]
    return max(numbers) - min(numbers) < _SERIES * column.n_distinct


def _passing(check: validators.Check, values: Sequence[str], least: float) -> float:
    """Return the share of `values` that pass; 0 as soon as it cannot reach `least`: most checks fail at once."""
    failed = 0
    for number, text in enumerate(values, start=1):
        failed += not check(text)
        if len(values) - failed < least * len(values) or failed == number == _HOPELESS:
            return 0.0
    return (len(values) - failed) / len(values)


def change_digit(text: str, number: int) -> str:
    """Return `text` with one of its digits changed; `number` determines which one and how.

    Examples
    --------
    >>> change_digit("100", 0), change_digit("A1", 3)
    ('200', 'A5')
    """
    places = [place for place, char in enumerate(text) if char.isdigit() and char.isascii()]
    if not places:
        return text
    place = places[(number * 7) % len(places)]
    digit = (int(text[place]) + 1 + number % 9) % 10
    return text[:place] + str(digit) + text[place + 1 :]


def _random(text: str, number: int) -> str:
    """Return `text` with all digits and letters replaced at random; `number` is the seed."""
    draw = Random(number).choice
    return "".join(draw(digits if char.isdigit() else ascii_uppercase if char.isalpha() else char) for char in text)


def _best(column: Column, proven: list[_Tested], locale: frozenset[str]) -> Iterator[Claim]:
    most = max(tested.real for tested in proven)

    def rank(tested: _Tested) -> tuple[bool, bool, bool, bool, int, bool, float, str]:
        detector = tested.detector
        return (
            not _named(column, detector),
            column.header.strength(detector.entity) <= 0,
            not locale.intersection(detector.locale),
            most >= _ALL and tested.real < most - _SOME,  # another check passes in every cell
            round(2 * math.log10(tested.chance)),
            detector.severity not in ("critical", "high"),
            tested.changed,
            tested.name.text,
        )

    best, *rest = sorted(proven, key=rank)
    others = [t for t in rest if t.detector.detail != best.detector.detail]
    distinguished = not others or rank(best)[:5] != rank(others[0])[:5]
    for other in others:
        yield against(other.detector.entity, fact("detect.same_check", number=other.name, better=best.name))
    strength = 0.95 if distinguished else 0.85
    clues = [Clue(kind="check-digit", because=best.fact("detect.check_digit"))]
    if not distinguished:
        clues.append(Clue(kind="check-digit", because=fact("detect.shared_check", numbers=_names(others))))
    supported = _named(column, best.detector) or bool(locale.intersection(best.detector.locale))
    of_people = entity_type(best.detector.entity).role == "direct"
    equal = [other for other in others if rank(other)[:5] == rank(best)[:5]]
    is_open = of_people and not supported and _is_of_another_country(best.detector, [one.detector for one in equal])
    if is_open and not any(one.explained or _is_of_things(one.detector) for one in (best, *equal)):
        because = fact("detect.official_number", numbers=_names([best, *equal]))
        yield replace(_claim(column, best, strength, *clues, Clue(kind="check-digit", because=because)), detail=None)
        return
    if is_open or (of_people and not supported and best.explained):
        strength = _UNSUPPORTED
        clues.append(Clue(kind="check-digit", because=best.fact("detect.check_of_other_codes")))
    yield _claim(column, best, strength, *clues)


def _names(tested: Sequence[_Tested]) -> Listing:
    """Return up to four numbers whose checks the values pass."""
    return Listing(tuple(Name(text) for text in sorted({one.name.text for one in tested})[:4]))


def _is_of_things(detector: Detector) -> bool:
    return entity_type(detector.entity).role != "direct"


def _is_of_another_country(detector: Detector, others: Sequence[Detector]) -> bool:
    """Whether a number has the form and the check of another country, too."""
    countries = set(detector.locale)
    return any(other.locale and countries.isdisjoint(other.locale) for other in others)


def _claim(column: Column, tested: _Tested, strength: float, *clues: Clue) -> Claim:
    """Return the claim on a number; its cells are exact up to `MOST` distinct values, otherwise estimated."""
    detector, check = tested.detector, validators.get(str(tested.detector.validator))
    drawn, rates = drawn_by_rows(column.values, column.counts, MOST, column.seed)
    passed = np.fromiter(map(check, column.values.take(pa.array(drawn)).to_pylist()), np.bool_, len(drawn))
    counts, share = column.counts[drawn], None
    n_cells = int(counts[passed].sum())
    if column.n_distinct > MOST:
        share = share_of_rows(passed, counts, rate=float(rates[-1]), of=column.n_present)
        n_cells = round(share.value * column.n_present)
    return Claim(
        entity=detector.entity, detail=detector.detail, strength=strength, clues=clues, n_cells=n_cells, share=share
    )  # fmt: skip
