"""Phone numbers.

Question: are these digits phone numbers, and of which region?
Method: the form first (7 to 15 digits, the punctuation of phone numbers); then the phonenumbers package parses a sample
under the regions that sibling columns and the column name suggest and under common ones; the region with the most valid
numbers wins. Bare digits need a column name; numbers with a plus sign, brackets or a trunk prefix do not, nor does
a mixture of notations, with a country code in some cells and with separators.
Limits: numbers reserved for fiction (555) are possible but not valid; only their form is evidence.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from privaudit.detect.column import NEARLY_ALL, VARIOUS, Column, form
from privaudit.detect.ledger import Entry, against, claim_for
from privaudit.model import Clue
from privaudit.model.wording import Name, fact

if TYPE_CHECKING:
    from phonenumbers import PhoneNumber

_SOME = 0.1  # numbers of any other kind have no plus sign and separators in some of their cells
REGIONS = "US GB DE FR ES IT BR KE IN NG ZA NL SE PL MX JP CN AU ID TR".split()
"""The regions that are tried: the most populous ones and those of the labelled tables."""
_SAMPLE = 300
_NO_REGION = "ZZ"
_FIRST = 40  # numbers after which a region is given up
_AS_GOOD = 0.1  # by hand: four of these numbers, by which two regions may differ by chance


def run(column: Column) -> Iterator[Entry]:
    """Yield the claim on phone numbers of `column`, or the reason why its numbers are not phone numbers."""
    written = {name: form("phone", name) for name in ("shape", "digits", "other", "plus", "formatted")}
    if not column.may_be_codes or not column.has_digits or not column.at_least(written["shape"], 0.4):
        return
    shaped = column.matches(written["shape"]) & column.matches(written["digits"]) & ~column.matches(written["other"])
    share, named = column.share(shaped), column.header.strength("PHONE")
    if share < 0.4:
        return
    plus = column.share(shaped & column.matches(written["plus"]))
    mixed = share >= NEARLY_ALL and plus >= _SOME and column.at_least(form("phone", "separated"), _SOME)
    formatted = share if mixed else column.share(shaped & column.matches(written["formatted"]))
    national = _is_national(column)
    if max(named, plus, formatted) < 0.3 and not national:
        yield against("PHONE", fact("detect.bare_digits"))
        return
    region, valid = _best_region(column)
    of_people, of_records = (column.header.strength(entity) >= 0.5 for entity in ("PERSON_ID", "RECORD_ID"))
    # Of the plans that are tried after the strict one of the USA, some accept nearly all numbers of some lengths.
    weak = valid < 0.7 or (of_people and region != "US")
    if max(named, plus) < 0.3 and (of_people or of_records) and weak:
        yield against("PHONE", fact("detect.record_numbers", valid=column.cell_share(valid)))
        return
    by_plan = fact("detect.phones_valid", share=column.cell_share(valid), region=Name(region))
    anywhere = fact("detect.phones_valid_anywhere", share=column.cell_share(valid))
    because = anywhere if region == _NO_REGION else by_plan
    written_as = fact("detect.phone_form", share=column.cell_share(share))
    later = (Clue(kind="pattern", because=because),) if valid > 0 else ()
    # Some numbering plans accept nearly any number, so a guess must fit nearly all.
    certain = region != _NO_REGION and valid >= (0.5 if region == "US" else NEARLY_ALL)
    detail, strength = region.lower() if certain else None, _strength(plus, formatted, valid)
    yield claim_for(column, "PHONE", strength, "shape", written_as, later=later, cells=shaped, detail=detail)


def _strength(plus: float, formatted: float, valid: float) -> float:
    strength = max(0.93 * plus * max(valid, 0.5), 0.85 * min(1.0, formatted + plus * 0.9))
    if valid >= 0.7:
        strength = max(strength, 0.95 if plus + formatted > 0.3 else 0.67 if valid >= NEARLY_ALL else 0.55)
    return strength


def _is_national(column: Column) -> bool:
    """Whether bare digits look like mobile numbers of one numbering plan: a leading zero and one length."""
    text = column.data_type == "text" and column.n_distinct >= VARIOUS
    return text and column.matching(form("phone", "national")) >= 0.95


def _best_region(column: Column) -> tuple[str, float]:
    """Return the region in which most numbers of a sample are valid, and their share; no region if it is not clear."""
    texts = column.chosen(_SAMPLE)[0]
    if column.matching(form("phone", "north_america")) >= 0.8:
        return "US", max(0.5, _valid_share(texts, "US"))
    abroad = [f"+{text}" for text in texts] if column.at_least(form("phone", "bare")) else texts
    valid = _valid_share(abroad, _NO_REGION)
    if valid > NEARLY_ALL:
        return _most_common_region(abroad), valid
    stated = _most_common_region([text for text in texts if text.startswith("+")])
    if stated != _NO_REGION and (valid := _valid_share(texts, stated)) >= NEARLY_ALL:
        return stated, valid
    best = (_NO_REGION, 0.0)
    for region in (_NO_REGION, *REGIONS):
        valid = _valid_share(texts, region)
        if valid > best[1] + 0.02:
            best = (region, valid)
        if best[1] > 0.95:
            break
    least = best[1] - _AS_GOOD
    others = (region for region in REGIONS if region != best[0])
    as_good = best[1] > least > 0 and any(_valid_share(texts[:_FIRST], region) >= least for region in others)
    return (_NO_REGION if as_good else best[0]), best[1]


def _most_common_region(texts: list[str]) -> str:
    """Return the region of most international numbers, if they have one."""
    import phonenumbers

    numbers = (number for text in texts if (number := _parse(text, _NO_REGION)) is not None)
    regions = Counter(phonenumbers.region_code_for_number(number) or _NO_REGION for number in numbers)
    region, n = max(regions.items(), key=lambda item: (item[1], item[0]), default=(_NO_REGION, 0))
    return region if n >= 0.7 * len(texts) else _NO_REGION


def _valid_share(texts: list[str], region: str) -> float:
    """Return the share of valid numbers; that of the first ones where hardly any of them is valid."""
    import phonenumbers

    hits = 0
    for number, text in enumerate(texts):
        parsed = _parse(text, region)
        hits += parsed is not None and phonenumbers.is_valid_number(parsed)
        if number == _FIRST and hits < 0.1 * _FIRST:
            return hits / (_FIRST + 1)
    return hits / max(1, len(texts))


def _parse(text: str, region: str) -> PhoneNumber | None:
    """Return a number as the package parses it; None where it cannot."""
    import phonenumbers

    with contextlib.suppress(phonenumbers.NumberParseException):
        return phonenumbers.parse(text, None if region == _NO_REGION else region)
    return None
