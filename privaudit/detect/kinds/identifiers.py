"""Numbers and codes: rows counted, keys, pseudonyms, ages, years of birth.

Question: what is a number or a code that no pattern names?
Method: a column that counts without gap from 0 or 1 numbers its rows; unique codes of one form are keys; digests in
place of a name or number are pseudonyms, and how large the space behind them is says how long they hold; whole
numbers from childhood to old age, thinning out towards the end, read as ages where the name says nothing.
Limits: whose key it is follows from the name and the table (verdict.py). An unnamed unique code is an identifier
that could not be resolved, never clean.
"""

from __future__ import annotations

import numpy as np

from privaudit.detect.column import Column
from privaudit.detect.evidence import Candidate, Findings, decades, percent
from privaudit.model import Clue

# Logarithm to base 2 of how many people-identifying values there are to try, by what was hashed.
PREIMAGE_BITS = {
    "PHONE": 33.2, "SSN": 29.9, "NATIONAL_ID": 33.2, "TAX_ID": 33.2, "DATE_OF_BIRTH": 15.5, "POSTAL_CODE": 16.6,
    "IP_ADDRESS": 32.0,
    "CREDIT_CARD": 49.8, "EMAIL": 40.0, "PERSON_NAME": 30.0, "FIRST_NAME": 17.0, "LAST_NAME": 20.0, "MAC_ADDRESS": 48.0,
    "DEVICE_ID": 46.5, "PASSPORT": 33.2, "HEALTH_ID": 33.2, "PERSON_ID": 33.2, "USERNAME": 40.0, "DRIVER_LICENSE": 33.2,
    "VOTER_ID": 33.2, "BANK_ACCOUNT": 40.0, "IBAN": 60.0, "STREET_ADDRESS": 30.0, "VEHICLE_ID": 33.2, "BIRTH_YEAR": 6.9,
}  # fmt: skip
KEY_ROWS = 50


def run(column: Column, found: Findings) -> None:
    """Add the readings of `column` as a number of rows, a key or an unresolved code."""
    if column.n_distinct == 0 or column.data_type in ("boolean", "date", "timestamp", "time"):
        return
    unique = column.uniqueness >= 0.99 and column.n_present >= KEY_ROWS
    found.facts["key_like"] = float(unique and column.data_type in ("integer", "text"))
    whole = column.share(column.integral)
    if column.data_type in ("integer", "decimal") and whole >= 0.9:
        _age(column, found)
    if column.data_type == "integer" or (column.data_type == "decimal" and whole == 1):
        _rows(column, found)
        _birth_year(column, found)
    _code(column, found)


def _rows(column: Column, found: Findings) -> None:
    numbers = column.numbers[np.isfinite(column.numbers)]
    if len(numbers) < 2 or column.n_distinct < column.n_present:
        return
    low, high = float(numbers.min()), float(numbers.max())
    if low in (0.0, 1.0) and high - low == column.n_present - 1:
        clue = Clue(kind="shape", because=f"counts without gap from {low:.0f}")
        found.facts["counts_rows"] = 1.0
        found.add(
            Candidate(
                entity="ROW_NUMBER",
                n_cells=column.n_present,
                strength=0.66 if low == 0 else 0.6,
                clues=(clue,),
                generic=True,
            )
        )


def _age(column: Column, found: Findings) -> None:
    why_not = _no_age(column)
    if why_not is None:
        clue = Clue(kind="shape", because="whole numbers from youth to old age that thin out towards the end")
        found.add(
            Candidate(entity="AGE", n_cells=column.n_present, strength=0.56, clues=(clue,), generic=True)
        )
    elif why_not:
        found.reject("AGE", why_not)


def _no_age(column: Column) -> str | None:
    """Return None where the numbers are spread as ages are, else why not ('' where not worth saying)."""
    valid = column.integral
    numbers, weights = column.numbers[valid], column.counts[valid]
    if len(numbers) < 12 or column.n_present < 20:
        return ""
    if column.n_distinct >= 0.95 * column.n_present:
        return "every row has its own number"
    if (
        weights.max() <= 1.6 * weights.min()
        and weights.min() >= 3
        and numbers.max() - numbers.min() < len(numbers)
    ):
        return "numbers without gap, about equally often: keys"
    order = np.argsort(numbers)
    numbers, reached = numbers[order], np.cumsum(weights[order]) / weights.sum()
    low, high, middle = numbers[0], numbers[-1], numbers[int(np.searchsorted(reached, 0.5))]
    if high > 120 or high < 50 or low < 0 or high - low < 30:
        return ""
    if not (low <= 4 or 12 <= low <= (40 if high <= 95 else 30)):
        return "the lowest number is no usual lowest age"
    if not 18 <= middle <= 62 or len(numbers) < 0.35 * (high - low):
        return "the numbers do not spread as ages do"
    old = 1.0 - reached[np.searchsorted(numbers, 90) - 1] if high >= 90 else 0.0
    older = 1.0 - reached[np.searchsorted(numbers, 80) - 1] if high >= 80 else 0.0
    if old > 0.03 or older > 0.12:
        return "too many of the numbers are above 80 for ages"
    return _crowded(numbers, reached)


def _crowded(
    numbers: np.ndarray[tuple[int], np.dtype[np.float64]],
    reached: np.ndarray[tuple[int], np.dtype[np.float64]],
) -> str | None:
    shares = np.diff(np.concatenate([[0.0], reached]))
    if shares.max() > 0.25:
        return "one number holds more cells than one age would"
    young = float(reached[np.searchsorted(numbers, 4, side="right") - 1]) if numbers[0] <= 4 else 0.0
    return "too many of the numbers are small for ages" if young > 0.2 else None


def _birth_year(column: Column, found: Findings) -> None:
    numbers = column.numbers[np.isfinite(column.numbers)]
    if len(numbers) < 15 or numbers.min() < 1890 or numbers.max() > 2030:
        return
    span = float(numbers.max() - numbers.min())
    if span >= 35 and numbers.min() < 1975 and np.median(numbers) < 2006:
        clue = Clue(kind="shape", because=f"years that spread over {decades(span)}, as births do")
        found.add(
            Candidate(
                entity="BIRTH_YEAR", n_cells=column.n_present, strength=0.55, clues=(clue,), generic=True
            )
        )
    else:
        clue = Clue(kind="shape", because="years")
        found.add(
            Candidate(
                entity="DATE_EVENT",
                detail="yyyy",
                n_cells=column.n_present,
                strength=0.3,
                clues=(clue,),
                generic=True,
            )
        )


_CODE = r"^[A-Za-z0-9][A-Za-z0-9._:/#\-]{3,39}$"
_GROUPED = r"^[A-Z0-9./\-]{1,12}(?: [A-Z0-9./\-]{1,12}){1,4}$"
_TOKEN = r"^[A-Za-z0-9+/][A-Za-z0-9._:/#+=|~\-]{23,399}$"
_MIXED = r"[0-9].*[A-Za-z].*[0-9]|[A-Z].*[0-9].*[a-z]|[a-z].*[0-9].*[A-Z]"


def _form(column: Column) -> str:
    """Return which form of codes the cells may have: short ones, such in groups, or long runs without meaning."""
    if column.shortest < 24 and column.matching(_CODE) >= 0.9 and np.ptp(column.lengths) <= 8:
        return _CODE
    grouped = np.ptp(column.lengths) <= 1 and column.matching(r"(?:[0-9].*){5}") > 0.9
    if grouped and column.holds(" "):
        return _GROUPED
    path = np.ptp(column.lengths) > 0 and column.matching(r"://|/.*/|\.[a-z]{2,4}$") >= 0.1
    return _TOKEN if column.shortest >= 24 and not path else _CODE


# Times of day, laps and spans; quarters, months and weeks of years.
_TIMES = (
    r"^[0-9]{1,3}(?::[0-5][0-9]){1,2}(?:[.,:][0-9]{1,6})?(?: ?[AaPp]\.?[Mm]\.?)?$",
    r"^(?:1[6-9]|20)[0-9]{2}[-:/ ]?(?:[qQmMwWsS][0-9]{1,2}|[-:/ ][0-9]{1,2})$|^[qQ][1-4][-:/ ]?(?:1[6-9]|20)[0-9]{2}$",
    r"^(?:0?[1-9]|1[0-2])/[0-9]{2}$|^(?i:[a-z]{3})[-/ ][0-9]{1,2}[-/ ][0-9]{2,4}$",
    r"^(?:[01]?[0-9]|2[0-3])[0-5][0-9][0-5][0-9]$",
)
_DECIMALS = r"^[+-]?[0-9]*\.[0-9]+(?:[ ,;]+[+-]?[0-9]*\.[0-9]+)*$"


def _clock(column: Column) -> bool:
    """Return whether the cells are decimals, times or periods: six digits that never pass 235959 are times, too."""
    return column.matching(_DECIMALS) >= 0.5 or any(column.matching(pattern) >= 0.98 for pattern in _TIMES)


def _code(column: Column, found: Findings) -> None:
    """An identifier nothing explains: many different codes of one form, most of them with digits."""
    if column.data_type == "decimal" or column.n_distinct < KEY_ROWS or column.uniqueness < 0.05:
        return
    form = _form(column)
    if column.matching(form) < 0.9 or _clock(column):
        return
    coded = column.matches(form) & (column.matches(r"[0-9]{2}") if form != _TOKEN else column.matches(_MIXED))
    if column.share(coded) < 0.9:
        return
    spread = float(np.ptp(column.lengths))
    if column.data_type == "integer":
        numbers = column.numbers[np.isfinite(column.numbers)]
        dense = len(numbers) and (numbers.max() - numbers.min()) < 20 * column.n_distinct
        short = column.lengths.min() < 6 or (spread > 0 and column.lengths.min() < 8)
        if (
            column.uniqueness < 0.98
            or short
            or (dense and column.lengths.max() < 7)
            or column.matching("00$") > 0.2
        ):
            return
    elif spread > 8 and form != _TOKEN:
        return
    words_ = "every row has its own" if column.uniqueness >= 0.99 else f"{column.n_distinct:,} different"
    clue = Clue(
        kind="shape", because=f"{percent(column.share(coded))} of the cells are codes of one form, {words_}"
    )
    long = column.data_type == "text" or int(column.lengths.min()) >= 8
    strength = (0.64 if long else 0.6) if column.uniqueness >= 0.98 else 0.52
    found.add(
        Candidate(
            entity="UNRESOLVED_ID",
            n_cells=column.cells(coded),
            strength=strength,
            clues=(clue,),
            generic=True,
        )
    )


def hashes(column: Column, entity: str, found: Findings) -> None:
    """Say how large the space behind a column of digests is, from what its name says was hashed."""
    bits = max(
        (PREIMAGE_BITS[hint.entity] for hint in column.header.hints if hint.entity in PREIMAGE_BITS),
        default=0.0,
    )
    found.facts["hash_like"] = 1.0
    known = found.facts.get("hash_preimage_bits")  # of a sibling that was hashed
    if known is not None:
        bits = known
    if bits:
        found.facts["hash_preimage_bits"] = bits
        found.facts["hash_hours"] = 2.0**bits / 1e7 / 3600  # ten million digests a second on one core
