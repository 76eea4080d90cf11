"""Numbers in plain English: percentages, decimals, odds, durations, lists.

Question: how is a number written?
Method: one function for each kind of number, used by every message, log and report.
Limits: knows neither editions nor sentences; `privaudit.model.wording.render` decides what is withheld.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from decimal import Decimal

_IRREGULAR = {"person": "people", "class": "classes", "remedy": "remedies", "is": "are", "has": "have"}
_TIME_UNITS = ((86400, "day"), (3600, "hour"), (60, "minute"), (1, "second"))


def plural(n: int, noun: str) -> str:
    """Return the form of `noun` that goes with `n`, without the number.

    >>> plural(1, "person"), plural(2, "person"), plural(0, "column")
    ('person', 'people', 'columns')
    """
    return noun if n == 1 else _IRREGULAR.get(noun, noun + "s")


def percent(share: float) -> str:
    """Return a share in [0, 1] as a percentage.

    Less than everything never reads "100 %" and more than nothing never reads "0 %".

    >>> percent(0.0412), percent(0.913), percent(0.99999), percent(0.0003), percent(1.0)
    ('4.1 %', '91 %', '> 99.9 %', '0.03 %', '100 %')
    """
    if share in (0, 1):
        return f"{share:.0%}".replace("%", " %")
    points = 100 * share
    if points < 0.01:
        return "< 0.01 %"
    if points > 99.9:
        return "> 99.9 %"
    if points < 1:
        return f"{_two_digits(points)} %"
    if points < 10:
        return f"{points:.1f} %"
    # Near 100 the decimals matter again.
    return f"{points:.0f} %" if points < 98.5 else f"{points:.1f} %"


def _two_digits(points: float) -> str:
    # Two significant digits without an exponent, for 0.01 <= points < 1; never rounded up to 1.
    text = f"{min(points, 0.99):.2f}" if points >= 0.1 else f"{min(points, 0.099):.3f}"
    return text.rstrip("0")


def decimal(value: float) -> str:
    """Return a real number with three significant digits and no trailing zeros.

    >>> decimal(0.60039), decimal(1234.5), decimal(2.0), decimal(0.05), decimal(0.00001234), decimal(3.66e98)
    ('0.6', '1,234', '2', '0.05', '0.0000123', '3.66 · 10^98')
    """
    if abs(value) >= 1e15:
        return f"{value:.2e}".replace("e+", " · 10^")
    if value == 0 or (value == int(value)):
        return f"{int(value):,}"
    if abs(value) >= 100:
        return f"{value:,.0f}"
    digits = max(0, 2 - math.floor(math.log10(abs(value))))
    text = f"{value:.{min(digits, 8)}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def in_full(value: float) -> str:
    """Return a number with all its digits and no exponent; with thousands separators from 10,000 on.

    >>> in_full(1950), in_full(0.25), in_full(1e6)
    ('1950', '0.25', '1,000,000')
    """
    number = Decimal(repr(int(value) if value == int(value) else value))
    return f"{number:,f}" if abs(number) >= 10_000 else f"{number:f}"


def one_in(probability: float) -> str:
    """Return a probability as odds, ``1 in 12``; "certain" for 1 and "none" for 0."""
    if probability >= 1:
        return "certain"
    return "none" if probability <= 0 else f"1 in {decimal(1 / probability)}"


def duration(seconds: float) -> str:
    """Return a length of time in its largest unit.

    >>> duration(0.2), duration(59), duration(7200), duration(200_000)
    ('less than a second', '59 seconds', '2 hours', '2 days')
    """
    if seconds < 1:
        return "less than a second"
    size, word = next((size, word) for size, word in _TIME_UNITS if seconds >= size)
    n = round(seconds / size)
    return f"{n:,} {plural(n, word)}"


def listing(items: Iterable[str], most: int = 6) -> str:
    """Return names as "a, b and c"; names beyond `most` are counted."""
    names = list(items)
    if len(names) > most:
        rest = len(names) - most
        return f"{', '.join(names[:most])} and {rest:,} more"
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def of_hundred(n: float) -> str:
    """Return "94 of 100", with decimals where a whole number would hide the share: "0.4 of 100", "99.97 of 100"."""
    for digits in (0, 1, 2):
        text = f"{n:.{digits}f}"
        if float(text) not in (0.0, 100.0) or n in (0.0, 100.0):
            return f"{text} of 100"
    return "fewer than 0.01 of 100" if n < 50 else "more than 99.99 of 100"
