"""Numbers as people read them: counts, shares and people in plain English, and the shareable edition of them.

Question: how does a measured number appear in a report?
Method: `Numbers` knows the number of rows and the edition. In the edition ``full`` every number is told as it is.
In the edition ``public`` a count of 1 to 10, and any number from which such a count follows (a share, the
complement of a total), appears as "<11". Sentences of other stages keep the constants they name (the policy's k, the
width of a band); every other whole number of 1 to 10 in them is taken for a count.
Limits: wording only; nothing is computed here that is not already in the report.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Edition = Literal["full", "public"]

SMALL_CELL = 11
"""The first count that the shareable edition tells (the floor of the CMS cell size policy)."""

_IRREGULAR = {"person": "people", "class": "classes", "is": "are", "has": "have"}
_WHOLE_NUMBER = re.compile(r"(?<![\w.,/-])(?:[1-9]|10)(?![\w/]|[.,]\d|\s?%|-\w)")
# Numbers that were chosen, not counted, by the words around them; whatever is not listed here is withheld.
_CHOSEN = (
    r"bands of \d+",
    r"first \d+ of \d+ characters",
    r"level \d+ of \d+ of its hierarchy",
    r"under \d+ as one",
    r"\d+ and (?:over|under) as one",
    r"held by fewer than \d+ records merged",
    r"with l = \d+ no c",
    r"where \d+ are asked",
    r"coordinates have \d+ decimals",
    r"have \d+ exact dates",
    r"at worst with 1 in",  # the odds' own one; what follows is a count
)
_PERCENT = re.compile(r"(?<![\w.,])(\d+(?:\.\d+)?)\s?%")


def plural(n: int, noun: str) -> str:
    """Return the form of `noun` that goes with `n`, without the number.

    >>> plural(1, "person"), plural(2, "person"), plural(0, "column")
    ('person', 'people', 'columns')
    """
    return noun if n == 1 else _IRREGULAR.get(noun, noun + "s")


def percent(share: float) -> str:
    """Return a share in 0..1 as a percentage with sensible digits.

    Less than everything never reads "100 %" and more than nothing never reads "0 %".

    >>> percent(0.0412), percent(0.913), percent(0.99999), percent(0.00001), percent(1.0)
    ('4.1 %', '91 %', '> 99.9 %', '< 0.01 %', '100 %')
    """
    if share in (0, 1):
        return f"{share:.0%}".replace("%", " %")
    points = 100 * share
    if points < 0.01:
        return "< 0.01 %"
    if points > 99.9:
        return "> 99.9 %"
    if points < 1:
        return f"{_significant(points)} %"
    if points < 10:
        return f"{points:.1f} %"
    # Towards 100 the digits matter again; cut, so that 98.99 does not become 99 nor 99.89 become 99.9.
    return f"{points:.0f} %" if points < 98.5 else f"{math.floor(points * 10) / 10:.1f} %"


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


def one_in(probability: float) -> str:
    """Return a probability as odds people picture, ``1 in 12``; "certain" for 1."""
    if probability >= 1:
        return "certain"
    return "none" if probability <= 0 else f"1 in {decimal(1 / probability)}"


def listing(items: Iterable[str], most: int = 6) -> str:
    """Return names as a sentence part, "a, b and c"; what is beyond `most` is counted, never dropped silently."""
    names = list(items)
    if len(names) > most:
        rest = len(names) - most
        return f"{', '.join(names[:most])} and {rest:,} more"
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _significant(points: float) -> str:
    # Two significant digits without an exponent, for 0.01 <= points < 1; never up to 1.
    text = f"{min(points, 0.99):.2f}" if points >= 0.1 else f"{min(points, 0.099):.3f}"
    return text.rstrip("0")


@dataclass(frozen=True, slots=True)
class Numbers:
    """How the numbers of one report are told.

    Attributes
    ----------
    n_rows : int
        Rows of the table; shares of rows are turned back into counts with it.
    edition : {"full", "public"}
        In the public edition counts of 1..10 and what is derived from them read "<11".
    k : int or None
        The policy's: a constant, told in sentences as it is.
    """

    n_rows: int
    edition: Edition = "full"
    k: int | None = None

    @property
    def public(self) -> bool:
        """Whether small counts are withheld."""
        return self.edition == "public"

    def hidden(self, n: int | float, total: int | None = None) -> bool:
        """Whether `n`, or what is missing from `n` to `total`, is a count that this edition withholds."""
        if not self.public:
            return False
        rest = 0 if total is None else total - n
        return 0 < n < SMALL_CELL - 0.5 or 0 < rest < SMALL_CELL - 0.5

    def count(self, n: int | None, total: int | None = None) -> str:
        """Return a count with thousands separators; a dash where it was not measured."""
        if n is None:
            return "–"
        if not self.hidden(n, total):
            return f"{n:,}"
        if total is None or n < SMALL_CELL:
            return f"<{SMALL_CELL}"
        return f">{total - SMALL_CELL:,}"

    def counted(self, n: int, noun: str) -> str:
        """Return the count with its noun, ``1 class``, ``12 classes``."""
        return f"{self.count(n)} {plural(SMALL_CELL if self.hidden(n) else n, noun)}"

    def people(self, n: int, total: int, noun: str = "person") -> str:
        """Return "412 of 10,000 people (4.1 %)", and "all 10,000 people" for all of them."""
        if n == total > 1:
            return f"all {total:,} {plural(total, noun)}"
        text = f"{self.count(n, total)} of {total:,} {plural(total, noun)}"
        if total == 0 or self.hidden(n, total):
            return text
        return f"{text} ({percent(n / total)})"

    def share(self, share: float | None, total: int | None = None) -> str:
        """Return a share as a percentage; withheld where it stands for a small count of `total` (rows by default)."""
        if share is None:
            return "–"
        whole = self.n_rows if total is None else total
        if self.hidden(share * whole, whole):
            low = share * whole < SMALL_CELL
            edge = percent(min(1.0, SMALL_CELL / whole if low else 1 - SMALL_CELL / whole))
            return f"{'<' if low else '>'} {edge.lstrip('<> ')}"
        return percent(share)

    def probability(self, value: float | None) -> str:
        """Return a probability 1/k as a decimal and as odds; "> 0.09" where k would be a small count."""
        if value is None:
            return "–"
        if self.public and value > 1 / SMALL_CELL:
            return "> 0.09 (more than 1 in 11)"
        return f"{decimal(value)} ({one_in(value)})"

    def text(self, text: str) -> str:
        """Return a sentence of another stage, with its small counts and shares withheld where the edition asks.

        >>> told = Numbers(1_000, "public", k=5)
        >>> told.text("3 people share it with fewer than 5; at worst with 1 in 5")
        '<11 people share it with fewer than 5; at worst with 1 in <11'
        """
        if not self.public:
            return text
        told, end = [], 0
        for constant in self._constants().finditer(text):
            told += [self._withheld(text[end : constant.start()]), constant[0]]
            end = constant.end()
        return "".join([*told, self._withheld(text[end:])])

    def _constants(self) -> re.Pattern[str]:
        of_policy = (
            rf"(?:fewer than|in classes below|k =) {self.k}(?![\d.,]*\d)",
            rf"(?:better odds than 1 in {self.k} \(spoken|1 in {self.k} is the limit)",
        )
        return re.compile("|".join(rf"(?<!\w)(?:{form})" for form in (*_CHOSEN, *of_policy)))

    def _withheld(self, text: str) -> str:
        return _WHOLE_NUMBER.sub(f"<{SMALL_CELL}", _PERCENT.sub(self._percent, text))

    def _percent(self, found: re.Match[str]) -> str:
        return self.share(float(found[1]) / 100) if float(found[1]) <= 100 else found[0]
