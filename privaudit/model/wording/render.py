"""Turn coded facts into sentences, for one edition of a report.

Question: how does a fact read, and what of it does this edition show?
Method: the sentence of the fact's code is filled with its values. The type of each value decides how it is written
and whether the public edition withholds it: counts below 11 read "<11" and larger ones are rounded
(`privaudit.model.wording.numbers`), shares likewise; thresholds, column names and terms are shown as they are. A
placeholder may ask for a form (``{cells:share}``), choose a word by number (``{cells:is|are}``) or be optional
(``{more?}``). Options of the command line are in brackets after what they set (``State what a row is [--unit].``):
where commands are typed they are shown in parentheses, and pages omit them.
Limits: nothing is measured here, and no sentence is parsed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any, Literal, Protocol

from privaudit.base.patterns import Expression
from privaudit.base.records import dataclass
from privaudit.model import vocabulary
from privaudit.model.stats import Estimate
from privaudit.model.wording import catalogue, filling
from privaudit.model.wording.facts import (
    Columns,
    Count,
    Duration,
    EntityType,
    Fact,
    Listing,
    Name,
    Number,
    Share,
    Term,
    Threshold,
    Value,
)
from privaudit.model.wording.filling import MISSING
from privaudit.model.wording.numbers import decimal, duration, in_full, listing, of_hundred, one_in, percent, plural
from privaudit.model.wording.rounding import SMALL_CELL, rounded

Edition = Literal["full", "public"]

MOST_COLUMNS = 8
"""Column names listed in one sentence; the rest is counted."""

FREE_TEXT = "text.free"
"""The code of a fact that is a sentence, for the cases of packs: it has no typed values to withhold."""

WITHHELD = "(not shown)"
"""What replaces a number that the public edition withholds."""

_OPTIONS = Expression(r" \[((?:[^\[\]]|\[[^\]]*\])+)\]")
"""The options of the command line in a sentence of the catalogue."""
_NUMBER_FORM = Expression(r"\+?,?(\.\d{1,2})?[dfg%]?")


class Coded(Protocol):
    """What has a code and typed values: a fact, a limit."""

    @property
    def code(self) -> str:
        """The code of the sentence."""

    @property
    def values(self) -> Mapping[str, Value]:
        """The values by placeholder."""


@dataclass(frozen=True, slots=True)
class Wording:
    """How facts and numbers are written in one edition.

    Attributes
    ----------
    n_rows : int
        Rows of the table; shares of rows are compared with the smallest count by it.
    edition : {"full", "public"}
        The public edition withholds counts below 11 and rounds larger ones.
    unit : {"person", "record"}
        What a row counts as; sentences name it by the placeholder `units`.
    sentences : mapping of str to str
        Sentences by code that take precedence over the catalogue: those of the checks.
    has_options : bool, default True
        Whether sentences name options of the command line; those of pages do not.
    """

    n_rows: int = 0
    edition: Edition = "full"
    unit: Literal["person", "record"] = "person"
    sentences: Mapping[str, str] = field(default_factory=dict)
    has_options: bool = True

    @property
    def public(self) -> bool:
        """Whether small counts are withheld."""
        return self.edition == "public"

    def text(self, fact: Fact) -> str:
        """Return the sentence that `fact` states, with a capital where it begins with a value."""
        return self._stated(fact, capital=True)

    def part(self, fact: Fact) -> str:
        """Return what `fact` states as a part of another sentence."""
        return self._stated(fact, capital=False)

    def _stated(self, fact: Fact, capital: bool) -> str:
        if fact.code == FREE_TEXT:
            return self._free_text(fact)
        sentence = self.sentences.get(fact.code) or self._of_catalogue(catalogue.sentence(fact.code))
        return self.fill(fact.code if sentence is None else sentence, fact.values, capital=capital)

    def _of_catalogue(self, sentence: str | None) -> str | None:
        """Return a sentence of the catalogue with its options as this medium shows them."""
        return sentence and _OPTIONS.sub(r" (\1)" if self.has_options else "", sentence)

    def what(self, limit: Coded) -> str:
        """Return what a limit is about."""
        return self._limit(limit, "what")

    def why(self, limit: Coded) -> str:
        """Return the reason for a limit."""
        return self._limit(limit, "why")

    def _limit(self, limit: Coded, part: catalogue.Part) -> str:
        if limit.code == FREE_TEXT:
            return self._free_text(limit, part)
        sentence = self._of_catalogue(catalogue.limit_sentence(limit.code, part))
        return self.fill(limit.code if sentence is None else sentence, limit.values)

    def options(self, limit: Coded) -> list[str]:
        """Return the options of the command line that resolve a limit."""
        found = _OPTIONS.findall(catalogue.limit_sentence(limit.code, "why") or "")
        return [self.fill(option, limit.values) for option in found]

    def fill(self, sentence: str, values: Mapping[str, Value], *, capital: bool = False) -> str:
        """Return `sentence` with its placeholders filled by `values` and runs of blanks made one.

        A value after a full stop begins with a capital, and with `capital` also one at the beginning; names of the
        table and of packs are never changed.

        Raises
        ------
        ValueError
            If the braces of the sentence do not match, or a value has not the requested form.
        """
        return filling.fill(sentence, values, self.value, capital=capital)

    def value(self, value: Value, form: str = "") -> str:
        """Return a typed value in one of its forms.

        Raises
        ------
        ValueError
            For a form that the type does not have.
        """
        if "|" in form:
            one, _, many = form.partition("|")
            return one if _quantity(value) == 1 and not self._withholds(value) else many
        return _WRITERS[type(value)](self, value, form)

    def _withholds(self, value: Value) -> bool:
        return isinstance(value, Count) and self.hidden(value.n, value.of)

    def _free_text(self, fact: Coded, key: str = "text") -> str:
        if self.public:
            return WITHHELD
        return self.value(fact.values[key])

    def hidden(self, n: int | float, total: int | None = None) -> bool:
        """Whether `n`, or the difference of `n` and `total`, is a count that this edition withholds."""
        if not self.public:
            return False
        rest = 0 if total is None else total - n
        return 0 < n < SMALL_CELL - 0.5 or 0 < rest < SMALL_CELL - 0.5

    def count(self, n: int | None, total: int | None = None) -> str:
        """Return a count with thousands separators; a dash where it was not measured or is withheld.

        0 and all are shown in the public edition too: `privaudit.report.public` replaces those that must not be.
        """
        if n is None:
            return MISSING
        if not self.public or n == 0 or n == total:
            return f"{n:,}"
        found = rounded(n, total)
        if found is None:
            return WITHHELD
        if found.is_small:
            return f"<{SMALL_CELL}"
        if total is not None and found.high == total:
            return f">{total - SMALL_CELL:,}"
        return f"about {found.representative:,}"

    def counted(self, n: int, noun: str) -> str:
        """Return the count with its noun, ``1 class``, ``12 classes``."""
        return f"{self.count(n)} {plural(SMALL_CELL if self.hidden(n) else n, noun)}"

    def people(self, n: int, total: int, noun: str = "person") -> str:
        """Return "412 of 10,000 people (4.1 %)", and "all 10,000 people" for all of them."""
        if n == total > 1:
            return f"all {total:,} {plural(total, noun)}"
        text = f"{self.count(n, total)} of {total:,} {plural(total, noun)}"
        share = self._share_next_to(n, total)
        return text if share is None else f"{text} ({percent(share)})"

    def _share_next_to(self, n: int, total: int) -> float | None:
        """Return the share that is shown next to a count; None for 0 and where the count is withheld."""
        if n == 0 or self.hidden(n, total):
            return None
        if not self.public:
            return n / total
        found = rounded(n, total)
        return None if found is None else found.representative / total

    def share(self, share: float | None, total: int | None = None) -> str:
        """Return a share as a percentage; in the public edition that of the rounded count of `total` (rows by default).

        It is bounded where it stands for a small count.
        """
        if share is None:
            return MISSING
        whole = self.n_rows if total is None else total
        if self.public and 0 < share < 1 and whole:
            found = rounded(round(share * whole), whole)
            if found is None:
                return WITHHELD
            share = found.representative / whole
        if self.hidden(share * whole, whole):
            low = share * whole < SMALL_CELL
            edge = percent(min(1.0, SMALL_CELL / whole if low else 1 - SMALL_CELL / whole))
            return f"{'<' if low else '>'} {edge.lstrip('<> ')}"
        return percent(share)

    def probability(self, value: float | None) -> str:
        """Return a probability 1/k as a decimal and as odds; "> 0.09" where k would be a small count."""
        if value is None:
            return MISSING
        if self.public and value > 1 / SMALL_CELL:
            return "> 0.09 (more than 1 in 11)"
        return f"{decimal(value)} ({one_in(value)})"


POWER_OF_TEN_FROM = 10**15
"""Larger numbers are shown as a power of ten, for example the states of a lattice over a hundred columns."""


def _quantity(value: Value) -> float:
    if isinstance(value, Count):
        return value.n
    if isinstance(value, Columns):
        return len(value.names)
    if isinstance(value, Listing):
        return len(value.items)
    if isinstance(value, Number | Threshold) and isinstance(value.value, int):
        return value.value
    if isinstance(value, Fact):
        # Items that are chained are a list.
        return 1 + _quantity(value.values["rest"]) if "rest" in value.values else 1
    return 2


def _unknown(value: Value, form: str) -> ValueError:
    return ValueError(f"a {type(value).__name__} has no form {form!r}")


def _count(wording: Wording, value: Count, form: str) -> str:
    if form == "n":
        return wording.count(value.n, value.of)
    if form == "one_in":
        shown = wording.count(value.n, value.of)
        return "1 (certain)" if shown == "1" else f"1 in {shown}"
    if form == "share" and value.of:
        return wording.share(value.n / value.of, value.of)
    if form == "of":
        return f"{wording.count(value.n, value.of)} of {value.of:,}"
    if form == "":
        if value.of is None:
            return wording.counted(value.n, value.unit)
        return wording.people(value.n, value.of, value.unit)
    raise _unknown(value, form)


def _share(wording: Wording, value: Share, form: str) -> str:
    if form == "hundred" and not wording.public:
        return of_hundred(100 * value.value)
    if form and form != "hundred":
        raise _unknown(value, form)
    return wording.share(value.value, value.of)


def _estimate(wording: Wording, value: Estimate, form: str) -> str:
    if value.is_upper_bound and not form:
        return f"at most {wording.share(value.high, value.n)}"
    low, middle, high = (wording.share(x, value.n) for x in (value.low, value.value, value.high))
    if form == "value" or low == high:
        return middle
    if form == "":
        return f"{middle} ({low} to {high})"
    raise _unknown(value, form)


def _threshold(wording: Wording, value: Threshold, form: str) -> str:
    if isinstance(value.value, str):
        return catalogue.term(value.value)
    if form == "percent":
        return percent(value.value)
    if form == "one_in":
        return one_in(value.value)
    return _plain_number(value.value, form)


def _number(wording: Wording, value: Number, form: str) -> str:
    return _plain_number(value.value, form)


def _plain_number(number: float, form: str) -> str:
    if form:
        if not _NUMBER_FORM.fullmatch(form):
            raise ValueError(f"a number has no form {form!r}")
        return in_full(number) if form == "g" else format(number, form)
    if not isinstance(number, int):
        return decimal(number)
    return f"{number:,}" if number < POWER_OF_TEN_FROM else f"at least 10^{len(str(number)) - 1}"


def _columns(wording: Wording, value: Columns, form: str) -> str:
    if not value.names:
        return "the table"
    quoted = [f'"{name}"' for name in value.names]
    if form == "plus":
        rest = len(quoted) - MOST_COLUMNS
        text = " + ".join(quoted[:MOST_COLUMNS])
        return f"{text} and {rest:,} more" if rest > 0 else text
    if form == "":
        return listing(quoted, MOST_COLUMNS)
    if form == "n":
        return f"{len(quoted):,} {plural(len(quoted), 'column')}"
    raise _unknown(value, form)


def _name(value: Name, form: str) -> str:
    if form in ("n", "one_in"):  # the public edition replaced a count, of which the sentence wants the number alone
        return "withheld"
    return f'"{value.text}"' if form == "quoted" else value.text


def _entity_type(wording: Wording, value: EntityType, form: str) -> str:
    record = vocabulary.entity_type(value.code)
    if form in ("", "plural"):
        return record.plural
    if form == "singular":
        return record.singular
    if form == "title":
        return record.title
    raise _unknown(value, form)


def _listing(wording: Wording, value: Listing, form: str) -> str:
    return listing([wording.value(item, form) for item in value.items])


_WRITERS: dict[type, Callable[[Wording, Any, str], str]] = {
    Count: _count,
    Share: _share,
    Estimate: _estimate,
    Threshold: _threshold,
    Number: _number,
    Columns: _columns,
    EntityType: _entity_type,
    Term: lambda wording, value, form: catalogue.term(value.code),
    Name: lambda wording, value, form: _name(value, form),
    Duration: lambda wording, value, form: duration(value.seconds),
    Listing: _listing,
    Fact: lambda wording, value, form: wording.part(value),
}

FULL = Wording()
"""The full edition without a table: for messages of a program, where nothing is withheld."""
