"""One canonical text per value, so that equal values of two tables are equal texts.

Question: is "29" in one table "29.0" in the other, "03/04/1990" the day "1990-04-03", "Male" the same as " male"?
Method: the distinct values of a pair of columns decide how the pair is compared (numbers, dates, bands, text, ...), and
every distinct value is rewritten to the canonical text of that comparison, vectorised in Arrow. Values that are neither
numbers nor dates are compared as text, without differences in case, unless a release kept those of its original.
Limits: spelling errors and rounding are differences. Two-digit years pivot at 69. An ambiguous order of day and month
is resolved to the order under which more values of the two tables are equal.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Literal, NamedTuple, cast

import pyarrow as pa
import pyarrow.compute as pc

from privaudit.attacks.values.coarsened_values import MOSTLY, by_precision, by_prefix, in_bands, mostly
from privaudit.base import unicode_form
from privaudit.base.arrays import Floats
from privaudit.source.profile.alphabet import alphabet

Comparison = Literal[
    "numbers", "dates", "days", "years", "quarters", "months", "bands", "prefixes", "first_letters", "text"
]

SCIENTIFIC = r"^[+-]?[0-9]{1,15}(?:\.[0-9]*)?e(?:[+-]?[0-9]{1,2}|-[0-9]{3})$"
NUMBER = (
    r"^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+|[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]*)?)$"
    rf"|{SCIENTIFIC}"
)
CLOCK = r"(?:[Tt ]+(?P<clock>[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?)(?:\.[0-9]+)?(?:[Zz]|[+-][0-9]{2}:?[0-9]{2})?)?"
YEAR_FIRST = rf"^(?P<y>[0-9]{{4}})[-/.](?P<a>[0-9]{{1,2}})[-/.](?P<b>[0-9]{{1,2}}){CLOCK}$"
YEAR_LAST = rf"^(?P<a>[0-9]{{1,2}})[-/.](?P<b>[0-9]{{1,2}})[-/.](?P<y>[0-9]{{4}}|[0-9]{{2}}){CLOCK}$"
_DAY = "[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])"
ISO_DATE = rf"^{_DAY}$"
ISO_TIME = rf"^{_DAY}(?:[Tt ][0-9]{{2}}:[0-9]{{2}}(?::[0-9]{{2}})?(?:\.[0-9]+)?)?$"
SUPPRESSED = r"^(?:\*+|x{3,}|\[?(?:suppressed|redacted|masked|removed|hidden)\]?)$"
_OF_DIGITS = [*range(ord("0"), ord("9") + 1), *range(128, 256)]
"""Bytes of digits, and of characters outside ASCII, of which some become digits where texts are made plain."""
PIVOT = 69


class Canonical(NamedTuple):
    """Canonical texts of the distinct values of two columns, null where a cell cannot link."""

    release: pa.Array
    auxiliary: pa.Array
    comparison: Comparison


def canonical(release: pa.Array, auxiliary: pa.Array, *, is_origin: bool = False) -> Canonical:
    """Rewrite the distinct values of two columns so that equal texts have the same meaning.

    Parameters
    ----------
    release, auxiliary : pyarrow.StringArray
        Distinct values, none missing.
    is_origin : bool
        Whether the release was made from values like those of the other column. A release that has several spellings
        of a value, and no other ones than its original, kept the case of its letters: copies have it, too. Two lists
        of people were written by different hands, and their cases differ by chance.

    Returns
    -------
    Canonical
        Arrays of the same lengths; suppression markers become null.
    """
    left, right = plain(release), plain(auxiliary)
    if mostly(left, NUMBER) and mostly(right, NUMBER):
        # Where one table alone has leading zeros, the other one was read as numbers and has lost them.
        zeros = _leading_zeros(left) and _leading_zeros(right)
        return Canonical(_numbers(left, keep_zeros=zeros), _numbers(right, keep_zeros=zeros), "numbers")
    if mostly(left, f"{YEAR_FIRST}|{_unnamed(YEAR_LAST)}") and mostly(right, f"{YEAR_FIRST}|{_unnamed(YEAR_LAST)}"):
        return _dates(left, right)
    mixed = _coarse(left, right)
    if mixed is not None:
        return mixed
    shorter = _first_letters(left, right)
    if shorter is not None:
        return shorter
    if is_origin and _kept_case(spelt(release), left, spelt(auxiliary), right):
        left, right = (_where_known(spelt(each), plain(each)) for each in (release, auxiliary))
    return Canonical(left, right, "text")


def plain(values: pa.Array) -> pa.Array:
    """Return texts without differences in case, character width and spacing; suppression markers become null."""
    text = pc.utf8_lower(spelt(values))
    gone = pc.or_(pc.match_substring_regex(text, SUPPRESSED), pc.equal(pc.utf8_length(text), 0))
    return pc.if_else(gone, pa.scalar(None, pa.string()), text)


def spelt(values: pa.Array) -> pa.Array:
    """Return texts without differences in character width and spacing."""
    text = pc.utf8_trim_whitespace(unicode_form.composed(values.cast(pa.string())))
    return pc.replace_substring_regex(text, r"\s+", " ")


def _where_known(values: pa.Array, known: pa.Array) -> pa.Array:
    return pc.if_else(pc.is_valid(known), values, pa.scalar(None, pa.string()))


def _kept_case(release: pa.Array, folded: pa.Array, original: pa.Array, folded_original: pa.Array) -> bool:
    """Return whether a release has several spellings of a value, and of such values those of the original only.

    Which spelling a person has takes no part, so that the choice between two comparisons costs no significance.
    """
    spellings: dict[str, set[str]] = {}
    for text, value in zip(original.to_pylist(), folded_original.to_pylist(), strict=True):
        if value is not None:
            spellings.setdefault(value, set()).add(text)
    released: dict[str, set[str]] = {}
    for text, value in zip(release.to_pylist(), folded.to_pylist(), strict=True):
        if value is not None and len(spellings.get(value, ())) > 1:
            released.setdefault(value, set()).add(text)
    has_several = any(len(texts) > 1 for texts in released.values())
    return has_several and all(texts <= spellings[value] for value, texts in released.items())


def overlap(left: pa.Array, right: pa.Array) -> int:
    """Return how many distinct canonical texts both sides have."""
    shared = pc.is_in(pc.unique(left.drop_null()), value_set=pc.unique(right.drop_null()))
    return int(pc.sum(shared).as_py() or 0)


def iso_dates(values: pa.Array) -> tuple[pa.Array, bool]:
    """Return dates as year-month-day, null for other values, and whether the order of day and month is certain."""
    if not alphabet(values.cast(pa.string()))[_OF_DIGITS].any():
        return pa.nulls(len(values), pa.string()), True
    if pc.all(pc.match_substring_regex(values, ISO_TIME)).as_py():
        return pc.utf8_slice_codeunits(values.cast(pa.string()), 0, 10), True
    text = plain(values)
    orders = _orders(text)
    days = _day(_date(text, day_first=orders[0]))
    shaped = pc.match_substring_regex(days, ISO_DATE)
    return pc.if_else(pc.fill_null(shaped, False), days, pa.scalar(None, pa.string())), len(orders) == 1


def days_of(values: pa.Array) -> Floats | None:
    """Return dates as days since 1970, NaN for other cells; None where fewer than `MOSTLY` of the values are dates."""
    dates = iso_dates(values)[0]
    # Not by a cast, which fails for 2023-02-30: it has the form of a date. It would be read as 2 March.
    read = pc.strptime(dates, "%Y-%m-%d", "s", error_is_null=True)
    read = pc.if_else(pc.equal(pc.strftime(read, "%Y-%m-%d"), dates), read, pa.scalar(None, read.type))
    present = len(values) - values.null_count
    if not present or len(read) - read.null_count < MOSTLY * present:
        return None
    seconds = read.cast(pa.int64()).cast(pa.float64())
    return pc.fill_null(seconds, float("nan")).to_numpy(zero_copy_only=False) / 86_400


def _coarse(left: pa.Array, right: pa.Array) -> Canonical | None:
    """Compare bands with numbers, masked prefixes with codes, years, quarters or months with days."""
    for coarse, fine, turned in ((left, right, False), (right, left, True)):
        pair = in_bands(coarse, fine)
        how = "bands"
        if pair is None:
            pair, how = by_prefix(coarse, fine), "prefixes"
        if pair is None:
            dates = by_precision(coarse, fine, lambda values: iso_dates(values)[0])
            if dates is not None:
                pair, how = dates[:2], dates[2]
        if pair is not None:
            ours, theirs = reversed(pair) if turned else pair
            return Canonical(ours, theirs, cast(Comparison, how))
    return None


def _unnamed(pattern: str) -> str:
    for name in ("y", "a", "b", "clock"):
        pattern = pattern.replace(f"?P<{name}>", "?:")
    return pattern


def _leading_zeros(values: pa.Array) -> bool:
    return bool(pc.any(pc.match_substring_regex(values, r"^0[0-9]")).as_py())


def _numbers(values: pa.Array, *, keep_zeros: bool) -> pa.Array:
    """Rewrite numbers; leading zeros are kept only where both tables have them: one table may have lost them."""
    steps = [(",", ""), (r"^\+", ""), (r"^(-?)\.", r"\g<1>0."), (r"(\.[0-9]*?)0+$", r"\1"), (r"\.$", "")]
    if not keep_zeros:
        steps.append((r"^(-?)0+([0-9])", r"\1\2"))
    steps.append((r"^-(0+)$", r"\1"))
    values = _positional(values)
    numeric = pc.match_substring_regex(values, NUMBER)
    out = values
    for pattern, into in steps:
        out = pc.replace_substring_regex(out, pattern, into.replace(r"\g<1>", r"\1"))
    return pc.if_else(numeric, out, values)


def _positional(values: pa.Array) -> pa.Array:
    """Return numbers with an exponent, such as 2.51e-7, as plain digits; other texts as they are."""
    # As decimals, because a float would change the last digits.
    has_exponent = pc.fill_null(pc.match_substring_regex(values, SCIENTIFIC), False)
    if not pc.any(has_exponent).as_py():
        return values
    plain_digits = [format(Decimal(text), "f") for text in values.filter(has_exponent).to_pylist()]
    return pc.replace_with_mask(values, has_exponent, pa.array(plain_digits, values.type))


def _dates(left: pa.Array, right: pa.Array) -> Canonical:
    """Rewrite dates to year-month-day, with the time of day only where both tables have one."""
    best: tuple[int, pa.Array, pa.Array] | None = None
    for first in _orders(left):
        for second in _orders(right):
            a, b = _date(left, day_first=first), _date(right, day_first=second)
            # By days: the time of day may be missing in one of the tables.
            score = overlap(_day(a), _day(b))
            if best is None or score > best[0]:
                best = (score, a, b)
    assert best is not None
    _, a, b = best
    clocks = [bool(pc.any(pc.match_substring_regex(x, r"^[0-9-]{10} ")).as_py()) for x in (a, b)]
    if all(clocks):
        return Canonical(a, b, "dates")
    return Canonical(_day(a), _day(b), "days" if any(clocks) else "dates")


def _day(values: pa.Array) -> pa.Array:
    return pc.replace_substring_regex(values, r"^([0-9]{4}-[0-9]{2}-[0-9]{2}) .*$", r"\1")


def _orders(values: pa.Array) -> tuple[bool, ...]:
    """Return the possible orders: day first (True), month first (False), or both."""
    parts = pc.extract_regex(values, YEAR_LAST).drop_null()
    if not len(parts):
        return (True,)
    a, b = (pc.max(pc.cast(pc.struct_field(parts, name), pa.int32())).as_py() for name in ("a", "b"))
    if a > 12:
        return (True,)
    return (False,) if b > 12 else (True, False)


def _date(values: pa.Array, *, day_first: bool) -> pa.Array:
    day, month = ("a", "b") if day_first else ("b", "a")
    first, last = (pc.extract_regex(values, form) for form in (YEAR_FIRST, YEAR_LAST))
    read = [
        _iso(parts, month=month, day=day)
        for parts, month, day in ((first, "a", "b"), (last, month, day))
        if parts.null_count < len(parts)
    ]
    return pc.coalesce(*read, values)


def _iso(parts: pa.Array, *, month: str, day: str) -> pa.Array:
    def field(name: str) -> pa.Array:
        return pc.struct_field(parts, name)

    year = field("y")
    short = pc.equal(pc.utf8_length(year), 2)
    century = pc.if_else(pc.less(year, f"{PIVOT:02d}"), "20", "19")
    year = pc.if_else(short, pc.binary_join_element_wise(century, year, ""), year)
    days = pc.binary_join_element_wise(year, pc.utf8_lpad(field(month), 2, "0"), pc.utf8_lpad(field(day), 2, "0"), "-")
    clock = field("clock")
    clock = pc.utf8_lpad(clock, 5, "0")
    clock = pc.replace_substring_regex(clock, r"^([0-9]:)", r"0\1")
    clock = pc.replace_substring_regex(clock, r"^([0-9]{2}:[0-9]{2}):00$", r"\1")
    timed = pc.binary_join_element_wise(days, clock, " ")
    has_clock = pc.greater(pc.fill_null(pc.utf8_length(field("clock")), 0), 0)
    # Midnight is what a program writes for a day without a time.
    midnight = pc.fill_null(pc.equal(clock, "00:00"), True)
    out = pc.if_else(pc.and_(has_clock, pc.invert(midnight)), timed, days)
    return pc.if_else(pc.is_valid(parts), out, pa.scalar(None, pa.string()))


def _first_letters(left: pa.Array, right: pa.Array) -> Canonical | None:
    """Shorten to first letters where one table does so ("M" for "male") and no two values become equal."""
    short_left, short_right = (pc.utf8_slice_codeunits(x, 0, 1) for x in (left, right))
    for values, short, other, other_short in (
        (left, short_left, right, short_right),
        (right, short_right, left, short_left),
    ):
        abbreviated = len(values) > values.null_count and bool(pc.all(pc.equal(values, short)).as_py())
        longer = not pc.all(pc.equal(other, other_short)).as_py()
        injective = len(pc.unique(other_short.drop_null())) == len(pc.unique(other.drop_null()))
        if abbreviated and longer and injective:
            return Canonical(short_left, short_right, "first_letters")
    return None
