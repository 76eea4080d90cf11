"""Telephone numbers.

Question: are these digits telephone numbers, and of which region?
Method: the shape first (7 to 15 digits, the punctuation of telephone numbers); then phonenumbers reads a sample
under the regions that sibling columns, the name and common sense suggest, and the region with the most valid numbers
wins. Bare digits are believed only with a column name; numbers with a plus sign, brackets or a trunk prefix by
themselves.
Limits: numbers reserved for fiction (555) are possible but not valid; the shape speaks for them.
"""

from __future__ import annotations

import contextlib
from collections import Counter

import numpy as np

from privaudit.detect.column import Column
from privaudit.detect.evidence import Candidate, Findings, percent
from privaudit.model import Clue

SHAPE = r"^(?:tel:)?[+(]?[0-9][0-9() .\-/\x{2013}]{4,22}[0-9](?:\s?(?:x|ext\.?|#)\s?[0-9]{1,6})?$"
_DIGITS = r"(?:[^0-9]*[0-9]){6,15}[^0-9]*(?:(?:x|ext)[^0-9]*[0-9]+)?$"
_BARE = r"^[1-9][0-9]{9,14}$"
_PLUS = r"^(?:tel:)?(?:\+|00)[1-9]"
_FORMATTED = (
    r"^(?:\+?[0-9]{1,3}[ .-]?)?\([0-9]{1,5}\)[ .-]?[0-9]|^\+?1?[ .-]?[0-9]{3}[ .-][0-9]{3}[ .-][0-9]{4}"
    r"|^[0-9]{3} [0-9]{3}-[0-9]{4}"
    r"|^0[0-9]{1,5}[ /-][0-9 /-]{4,14}$|^0[0-9]{2} [0-9]{3} [0-9]{4}$"
)
_NANP = r"^(?:\+?1[ .-]?)?(?:\([2-9][0-9]{2}\) ?|[2-9][0-9]{2}[ .-])[0-9]{3}[ .-][0-9]{4}"
_NOT = (
    r"^[0-9]{4}[-/. ][0-9]{1,2}[-/. ][0-9]{1,2}$|^[0-9]{1,2}[-/. ][0-9]{1,2}[-/. ][0-9]{2,4}$"
    r"|^(?:0[1-9]|[12][0-9]|3[01])(?:0[1-9]|1[0-2])[0-9]{2}-[0-9]{4}$|^[0-9]{3}-[0-9]{2}-[0-9]{4}$|^[0-9]+\.[0-9]+$|^[0-9]{5}-[0-9]{4}$|^[0-9]{5}-[0-9]{3}$"
    r"|^(?:[0-9]{1,3}\.){3}[0-9]{1,3}$|^[0-9]{4}[ -][0-9]{4}[ -][0-9]{4}[ -][0-9]{4}$"
)
REGIONS = (
    "US",
    "GB",
    "DE",
    "FR",
    "ES",
    "IT",
    "BR",
    "KE",
    "IN",
    "NG",
    "ZA",
    "NL",
    "SE",
    "PL",
    "MX",
    "JP",
    "CN",
    "AU",
    "ID",
    "TR",
)
_SAMPLE = 300


def run(column: Column, found: Findings, locale: frozenset[str]) -> None:
    """Add the telephone reading of `column`, or why it is none."""
    if column.data_type in ("decimal", "boolean", "date", "timestamp", "time") or column.n_distinct == 0:
        return
    if not column.has_digits or column.matching(SHAPE) < 0.4:
        return
    shaped = column.matches(SHAPE) & column.matches(_DIGITS) & ~column.matches(_NOT)
    share, named = column.share(shaped), column.header.strength("PHONE")
    if share < 0.4:
        return
    plus = column.share(shaped & column.matches(_PLUS))
    formatted = column.share(shaped & column.matches(_FORMATTED))
    if named < 0.3 and plus < 0.3 and formatted < 0.3 and not _national(column):
        _bare(column, column.cells(shaped), found)
        return
    region, valid = _best_region(column, locale, named > 0 or plus > 0.3 or formatted > 0.3)
    strength = _strength(column, plus, formatted, valid)
    if named < 0.3 and plus < 0.3 and valid < 0.7 and column.header.strength("RECORD_ID") >= 0.5:
        found.reject(
            "PHONE", f"its name numbers records, and only {percent(valid)} of a sample are valid numbers"
        )
        return
    clues = [Clue(kind="shape", because=f"{percent(share)} of the cells are written like telephone numbers")]
    if valid > 0:
        because = f"{percent(valid)} of a sample are valid numbers under the plan of {region}"
        clues.append(Clue(kind="pattern", because=because))
    found.add(
        Candidate(
            entity="PHONE",
            detail=region.lower() if _settled(region, valid, locale) else None,
            n_cells=column.cells(shaped),
            strength=strength,
            clues=tuple(clues),
            generic=strength < 0.7,
        )
    )


def _settled(region: str, valid: float, locale: frozenset[str]) -> bool:
    """Return whether the plan is told: some plans take nearly any number, so a guessed one has to fit nearly all."""
    expected = region in locale or region == "US"
    return region != "ZZ" and valid >= (0.5 if expected else 0.9)


def _bare(column: Column, n_cells: int, found: Findings) -> None:
    if not _with_country_code(column):
        because = "bare digits without the punctuation of telephone numbers or a name that speaks for them"
        found.reject("PHONE", because)
        return
    because = "the digits begin with one country code and are valid numbers behind a plus sign"
    clue = Clue(kind="pattern", because=because)
    found.add(Candidate(entity="PHONE", n_cells=n_cells, strength=0.67, clues=(clue,), generic=True))


def at_home(column: Column, found: Findings, home: frozenset[str]) -> None:
    """Add national numbers, written in groups, that are valid in the country a column beside them names."""
    if column.data_type != "text" or column.n_distinct < 20 or any(c.entity == "PHONE" for c in found.candidates):
        return
    shaped = column.matches(SHAPE) & column.matches(_DIGITS) & ~column.matches(_NOT)
    if column.share(shaped) < 0.9 or column.matching(r"[0-9][() .\-/]{1,2}[0-9]|^0") < 0.5:
        return
    valid, region = max((_valid_share(column.chosen(_SAMPLE)[0], region), region) for region in sorted(home))
    if valid < 0.9:
        return
    because = f"{percent(valid)} of a sample are valid under the plan of {region}, the country a column beside it names"
    clue = Clue(kind="pattern", because=because)
    n_cells = column.cells(shaped)
    found.add(
        Candidate(
            entity="PHONE", detail=region.lower(), n_cells=n_cells, strength=0.72, clues=(clue,), generic=True
        )
    )


def _strength(column: Column, plus: float, formatted: float, valid: float) -> float:
    strength = max(0.93 * plus * max(valid, 0.5), 0.85 * min(1.0, formatted + plus * 0.9))
    if valid >= 0.7:
        strength = max(strength, 0.95 if plus + formatted > 0.3 else 0.67 if valid >= 0.9 else 0.55)
    return strength * (0.9 if column.n_distinct < 3 else 1.0)


def _national(column: Column) -> bool:
    """Return whether bare digits look like the mobile numbers of one plan: a leading zero and one length."""
    return (
        column.matching(r"^0[1-9][0-9]{8,9}$") >= 0.95 and column.data_type == "text" and column.n_distinct >= 20
    )


def _with_country_code(column: Column) -> bool:
    """Return whether bare digits of one length share a beginning and are valid international numbers."""
    if column.n_distinct < 20 or column.matching(r"^[1-9][0-9]{9,13}$") < 0.98 or np.ptp(column.lengths) > 1:
        return False
    texts = column.chosen(_SAMPLE)[0]
    heads = Counter(text[:2] for text in texts)
    if heads.most_common(1)[0][1] < 0.95 * len(texts):
        return False
    return _valid_share([f"+{text}" for text in texts], "ZZ") >= 0.9


def _best_region(column: Column, locale: frozenset[str], worth: bool) -> tuple[str, float]:
    if not worth and not _national(column):
        return "ZZ", 0.0
    if column.matching(_NANP) >= 0.8:
        return "US", max(0.5, _valid_share(column.chosen(_SAMPLE)[0], "US"))
    texts = column.chosen(_SAMPLE)[0]
    abroad = [f"+{text}" for text in texts] if column.matching(_BARE) >= 0.9 else texts
    valid = _valid_share(abroad, "ZZ")
    if valid > 0.9:
        return _home(abroad), valid
    regions = ["ZZ", *sorted(locale), *(r for r in REGIONS if r not in locale)]
    best = ("ZZ", 0.0)
    for region in regions:
        valid = _valid_share(texts, region)
        if valid > best[1] + 0.02:
            best = (region, valid)
        if best[1] > 0.95:
            break
    return best


def _home(texts: list[str]) -> str:
    """Return the region most international numbers belong to, "ZZ" where there is none."""
    import phonenumbers

    found: Counter[str] = Counter()
    for text in texts:
        with contextlib.suppress(phonenumbers.NumberParseException):
            found[phonenumbers.region_code_for_number(phonenumbers.parse(text, None)) or "ZZ"] += 1
    region, n = max(found.items(), key=lambda item: (item[1], item[0]), default=("ZZ", 0))
    return region if n >= 0.7 * len(texts) else "ZZ"


def _valid_share(texts: list[str], region: str) -> float:
    import phonenumbers

    hits = 0
    for number, text in enumerate(texts):
        try:
            parsed = phonenumbers.parse(text, None if region == "ZZ" else region)
        except phonenumbers.NumberParseException:
            pass
        else:
            hits += phonenumbers.is_valid_number(parsed)
        if number == 40 and hits < 4:
            return hits / 41
    return hits / max(1, len(texts))
