"""Official numbers by their check digits, held against a null: the same values with one digit changed.

Question: are these digits the identity or tax numbers of some country, or do they merely have the form?
Method: python-stdnum's validators run on a sample of distinct values, then on the same values with one digit
changed. A true check digit passes about always and then about one time in ten; a mere format passes both times and
is no evidence alone. Validators that pass together (alias groups) are told apart by the column name, by the
country of sibling columns, and by how seldom the changed values pass.
Limits: numbers without check digit stay unresolved without a name. At least `FEWEST` distinct values are needed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from privaudit.detect.column import Column
from privaudit.detect.evidence import Candidate, Findings, percent
from privaudit.detect.packs import validators
from privaudit.detect.packs.detectors import Detector
from privaudit.detect.sampling import wilson
from privaudit.model import Clue, Estimate

FEWEST = 5
PASSES, FALLS = 0.8, 0.5
MOST = 20_000
_SHAPE = r"^(?:[A-Za-z]{0,6}[ .\-/]?){1,2}[0-9](?:[ .\-/+()]{0,2}[0-9A-Za-z]){4,27}[)]?$"
_SCREEN, _SAMPLE = 40, 400
_HOPELESS = 8  # values that all fail: where four in five pass that happens once in 400,000 columns
_ALL, _SOME = 0.995, 0.02  # a check that holds everywhere beside one that fails in more than these
_NEVER = ("decimal", "boolean", "date", "timestamp", "time")


@dataclass(frozen=True, slots=True)
class _Tested:
    detector: Detector
    real: float
    changed: float
    chance: float

    @property
    def proven(self) -> bool:
        return self.real >= PASSES and self.changed <= FALLS * self.real


def run(column: Column, detectors: Sequence[Detector], found: Findings, locale: frozenset[str]) -> None:
    """Add the numbers proven by check digit to `found`, and the mere formats to what was rejected."""
    if column.data_type in _NEVER or column.n_distinct < FEWEST or column.name == "":
        return
    shaped = column.matching(_SHAPE) >= 0.6 and _digits_per_cell(column) >= 6
    chosen = [d for d in detectors if _by_digit(d) and (shaped or _named(column, d))]
    tested = [t for d in chosen if (t := _test(d, column)) is not None]
    proven = [t for t in tested if t.proven]
    formed = [t for t in tested if not t.proven and _named(column, t.detector)]
    if proven:
        found.add(_best(column, proven, found, locale))
        _no_phone(column, found)
    if formed and not any(_named(column, t.detector) for t in proven):
        found.add(_by_name(column, formed, locale))
    for mere in tested if not proven and not formed else ():
        found.reject(
            mere.detector.entity,
            f"{percent(mere.real)} of the distinct values have the form of {mere.detector.detail}, and "
            f"{percent(mere.changed)} still have it with one digit changed: no check digit speaks for it",
        )


def named(column: Column, detectors: Sequence[Detector]) -> bool:
    """Return whether the column's name is that of a number with a check of its own."""
    return any(_by_digit(d) and _named(column, d) for d in detectors)


def _by_digit(detector: Detector) -> bool:
    return detector.validator is not None and not detector.regex


def _named(column: Column, detector: Detector) -> bool:
    return any(map(column.header.holds, detector.headers))


def _by_name(column: Column, formed: list[_Tested], locale: frozenset[str]) -> Candidate:
    """Return the number that the name says and whose form the values have, without a check digit to prove it."""
    best = min(formed, key=lambda t: (not locale.intersection(t.detector.locale), str(t.detector.detail)))
    n_cells, share = _share(column, best.detector)
    because = (
        f"{percent(best.real)} of the distinct values have the form of {best.detector.detail}, "
        "as the name says"
    )
    return Candidate(
        entity=best.detector.entity,
        detail=best.detector.detail,
        n_cells=n_cells,
        strength=0.96,
        clues=(Clue(kind="pattern", because=because),),
        share=share,
    )


def _no_phone(column: Column, found: Findings) -> None:
    """Digits whose check digit is proven are no telephone numbers, however they are grouped."""
    if any(c.entity == "PHONE" for c in found.candidates) and column.matching(r"^[+(]") < 0.3:
        found.candidates[:] = [c for c in found.candidates if c.entity != "PHONE"]
        found.reject("PHONE", "the digits hold a check digit, which telephone numbers don't have")


def _digits_per_cell(column: Column) -> float:
    texts = column.sample
    return sum(sum(c.isdigit() for c in text) for text in texts) / max(1, len(texts))


def _test(detector: Detector, column: Column) -> _Tested | None:
    check = validators.get(str(detector.validator))
    values = column.chosen(_SAMPLE)[0]
    real = _passing(check, values[:_SCREEN], 0.7) and _passing(check, values, PASSES)
    if not real:
        return None
    changed = [change_digit(text, number) for number, text in enumerate(values)]
    random = [_random(text, number) for number, text in enumerate(values)]
    n = len(values)
    return _Tested(detector, real, sum(map(check, changed)) / n, (sum(map(check, random)) + 0.5) / (n + 1))


def _passing(check: validators.Check, values: Sequence[str], least: float) -> float:
    """Return the share of `values` that pass, or 0 as soon as it cannot reach `least`: most checks fail at once."""
    failed = 0
    for number, text in enumerate(values, start=1):
        failed += not check(text)
        if len(values) - failed < least * len(values) or failed == number == _HOPELESS:
            return 0.0
    return (len(values) - failed) / len(values)


def change_digit(text: str, number: int) -> str:
    """Return `text` with one of its digits changed, which one and how following from `number`.

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
    """Return `text` with all its digits and letters drawn anew, which ones following from `number` alone."""
    state, drawn = number * 2 + 1, []
    for char in text:
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        kind = "0123456789" if char.isdigit() else "ABCDEFGHIJKLMNOPQRSTUVWXYZ" if char.isalpha() else char
        drawn.append(kind[(state >> 33) % len(kind)])
    return "".join(drawn)


def _best(column: Column, proven: list[_Tested], found: Findings, locale: frozenset[str]) -> Candidate:
    most = max(tested.real for tested in proven)

    def rank(tested: _Tested) -> tuple[bool, bool, bool, bool, int, bool, float, str]:
        detector = tested.detector
        entity = column.header.strength(detector.entity) > 0
        near = bool(locale.intersection(detector.locale))
        chance = round(2 * math.log10(tested.chance))
        personal = detector.severity in ("critical", "high")
        called = _named(column, detector)
        fails = most >= _ALL and tested.real < most - _SOME  # where another check holds in every cell
        return (
            not called,
            not entity,
            not near,
            fails,
            chance,
            not personal,
            tested.changed,
            str(detector.detail),
        )

    proven = sorted(proven, key=rank)
    best = proven[0]
    others = [t for t in proven[1:] if t.detector.detail != best.detector.detail]
    told_apart = not others or rank(best)[:5] != rank(others[0])[:5]
    _less_likely(best, others, found)
    n_cells, share = _share(column, best.detector)
    small = column.n_distinct < 10
    strength = (0.8 if small else 0.95) if told_apart else (0.6 if small else 0.85)
    return Candidate(
        entity=best.detector.entity,
        detail=best.detector.detail,
        n_cells=n_cells,
        strength=strength,
        clues=_proof(best, [] if told_apart else others),
        share=share,
    )


def _less_likely(best: _Tested, others: Sequence[_Tested], found: Findings) -> None:
    for other in others:
        found.reject(
            other.detector.entity,
            f"{other.detector.detail} passes the same check; "
            f"name, country and form speak more for {best.detector.detail}",
        )


def _proof(best: _Tested, alike: Sequence[_Tested]) -> tuple[Clue, ...]:
    """Say how the check digit was proven, and which other numbers have the same."""
    name = best.detector.detail
    because = (
        f"the check digit of {name} holds in {percent(best.real)} of the distinct values "
        f"and in {percent(best.changed)} with one digit changed"
    )
    proof = Clue(kind="check-digit", because=because)
    if not alike:
        return (proof,)
    names = ", ".join(sorted(str(t.detector.detail) for t in alike)[:4])
    return proof, Clue(kind="check-digit", because=f"these share the check and cannot be told apart: {names}")


def _share(column: Column, detector: Detector) -> tuple[int, Estimate | None]:
    """Return the cells that pass: exact up to `MOST` distinct values, else from a sample with its interval."""
    check = validators.get(str(detector.validator))
    values, counts = column.chosen(MOST)
    passed = [check(text) for text in values]
    n_cells = int(sum(int(count) for count, ok in zip(counts, passed, strict=True) if ok))
    if column.n_distinct <= MOST:
        return n_cells, None
    value, low, high = wilson(sum(passed), len(passed))
    share = Estimate(value=value, low=low, high=high, level=0.95, n=len(passed), method="wilson")
    return round(share.value * column.n_present), share
