"""A column during detection: its distinct values with their row counts, and its header.

Question: what does a detector need to know about a column?
Method: distinct values, normalised once; derived properties are computed on first use and cached.
Limits: values that become equal by normalisation stay separate; their row counts still add up.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import field
from functools import cache, cached_property
from typing import Any, TypeVar, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from privaudit.base.arrays import Codes, Flags, Floats, Ints
from privaudit.base.records import dataclass
from privaudit.base.sampling import keyed_hashes, lowest
from privaudit.detect.catalogue import wordlists
from privaudit.detect.catalogue.matching import matching
from privaudit.detect.catalogue.possible_matches import MANY, Texts, can_match, characters_of
from privaudit.model import ColumnProfile, Estimate
from privaudit.model.headers import Header
from privaudit.model.stats import exact
from privaudit.model.wording import Share
from privaudit.source.engine.bounded_values import Totals
from privaudit.source.profile import count_words
from privaudit.source.profile.alphabet import alphabet, digit_counts
from privaudit.source.profile.digit_shapes import by_shape, containing
from privaudit.source.profile.numbers import first_piece

T = TypeVar("T")
_LETTERS = [*range(65, 91), *range(97, 123)]
SAMPLED = 1000
MOST = 20_000  # distinct values above which a slow check reads a sample
_LEVEL = r"^([(\[]?[0-9]{1,2}(?:[)\].:=]+|\s*[-–=]\s+)\s*)([\p{L}<>].*)$"
_TWO_LETTERS = r"\p{L}\p{M}*\p{L}|\p{Han}|\p{Hangul}"
_TRIED = 2000  # distinct values that decide whether an expression matches a share of all
_MARKER = 0.05  # by hand: no age has so many of the cells by chance
_CERTAIN = 12 * math.log(10)
NEARLY_ALL = 0.9
"""Share of the cells from which a column has a form: the others are mistakes and words for missing values."""
FEW, VARIOUS = 12, 20
"""Different values up to which repeated ones are categories, and from which chance does not make all of them alike."""
SAMPLE = 3000  # distinct values whose words are read one by one
LONGEST = 400  # characters above which every detector of whole cells treats a cell as prose


@cache
def form(subject: str, name: str) -> str:
    """Return the RE2 expression of a form of ``rules/reference/forms.toml``, of any of its alternatives."""
    return "|".join(wordlists.toml("forms")[subject][name])


@dataclass
class Column:
    """A column with its d distinct values.

    Attributes
    ----------
    values, raw : pyarrow arrays of length d
        Distinct non-missing values, normalised and trimmed, at most `LONGEST` characters each; and as in the table.
    counts : int64 array of length d
        Rows with each value.
    seed : int
        Seed of every sample taken.
    totals : Totals, optional
        What is exact about the column, where `values` are a part of its values.
    threads : int
        Parts of the values that are matched side by side.
    periods : float64 array of length d, optional
        Days that each value covers, where the values are the first ones of groups; NaN for other values than dates.
    """

    profile: ColumnProfile
    header: Header
    values: pa.Array
    counts: Ints
    seed: int
    raw: pa.Array
    totals: Totals | None = None
    threads: int = 1
    periods: Floats | None = None
    _cache: dict[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Name of the column."""
        return self.profile.name

    @property
    def data_type(self) -> str:
        """Data type by the profile."""
        return self.profile.data_type

    @cached_property
    def n_present(self) -> int:
        """Rows with a value."""
        return int(self.counts.sum())

    @property
    def n_distinct(self) -> int:
        """Distinct values."""
        return len(self.counts)

    @property
    def uniqueness(self) -> float:
        """Distinct values over rows with a value."""
        return self.n_distinct / self.n_present if self.n_present else 0.0

    @property
    def may_be_codes(self) -> bool:
        """Whether the data type is one that codes and numbers of people have: not decimals, dates or truth values."""
        return self.data_type not in ("decimal", "boolean", "date", "timestamp", "time")

    @property
    def is_varied(self) -> bool:
        """Whether a value occurs in two rows or fewer on average."""
        return self.uniqueness >= 0.5

    @property
    def is_unique(self) -> bool:
        """Whether nearly every row has a value of its own, as keys have; some rows are duplicates."""
        return self.uniqueness >= 0.99

    @cached_property
    def lengths(self) -> Codes:
        """Characters of each distinct value."""
        return np.asarray(pc.utf8_length(self.values), dtype=np.int32)

    @cached_property
    def shortest(self) -> int:
        """Characters of the shortest value."""
        return int(self.lengths.min(initial=LONGEST))

    @cached_property
    def longest(self) -> int:
        """Characters of the longest value, `LONGEST` where a cell was cut, whatever is left of it without blanks."""
        was_cut = len(self.raw) > 0 and pc.max(pc.utf8_length(self.raw)).as_py() > LONGEST
        return LONGEST if was_cut else int(self.lengths.max(initial=0))

    @cached_property
    def alphabet(self) -> Flags:
        """Which of the 256 bytes occur in the values."""
        return alphabet(self.values)

    @cached_property
    def has_letters(self) -> bool:
        """Whether any value may contain a letter."""
        return bool(self.alphabet[_LETTERS].any()) or self.foreign

    @cached_property
    def has_digits(self) -> bool:
        """Whether any value contains an ASCII digit."""
        return bool(self.alphabet[48:58].any())

    @cached_property
    def foreign(self) -> bool:
        """Whether any value is not ASCII."""
        return bool(self.alphabet[128:].any())

    def holds(self, text: str) -> bool:
        """Return whether `text` occurs in any value."""
        if not self.alphabet[np.frombuffer(text.encode(), dtype=np.uint8)].all():
            return False
        return self.once(f"holds-{text}", lambda: bool(containing(self.values, text).any()))

    @cached_property
    def folded(self) -> pa.Array:
        """Distinct values in lower case without accents, and without leading numbers of categories."""
        return self.fold(self.values)

    def fold(self, values: pa.Array) -> pa.Array:
        """Return some of the values folded as `folded` is."""
        folded = wordlists.fold_all(values)
        return pc.replace_substring_regex(folded, _LEVEL, r"\2") if self.numbered else folded

    @cached_property
    def numbered(self) -> bool:
        """Whether the values are words after the number of a category: ``1. never``, ``(2) once``."""
        few = self.data_type == "text" and 2 <= self.n_distinct <= 200 and self.has_digits
        return few and self.matching(_LEVEL) >= 0.9

    @cached_property
    def numbers(self) -> Floats:
        """Distinct values as numbers; NaN for other values."""
        plain = self.matches(r"^[+-]?[0-9]{1,15}(?:\.[0-9]{1,17})?$")
        result = np.full(self.n_distinct, np.nan)
        result[plain] = pc.utf8_ltrim(self.values.filter(pa.array(plain)), "+").cast(pa.float64())
        return result

    @property
    def known_numbers(self) -> Floats:
        """Distinct values that are numbers."""
        return self.numbers[np.isfinite(self.numbers)]

    @cached_property
    def integral(self) -> Flags:
        """Which distinct values are whole numbers, ``28.0`` included."""
        with np.errstate(invalid="ignore"):
            whole: Flags = np.isfinite(self.numbers) & (self.numbers == np.round(self.numbers))
        return whole

    @cached_property
    def words_per_cell(self) -> Ints:
        """Blank-separated words of each distinct value."""
        return by_shape(self.values, count_words)

    @cached_property
    def n_digits(self) -> Codes:
        """ASCII digits of each distinct value."""
        return by_shape(self.values, digit_counts)

    @cached_property
    def sample(self) -> Sequence[str]:
        """Up to `SAMPLED` distinct values chosen by seeded hash, for checks that read values one by one."""
        return self.chosen(SAMPLED)[0]

    @cached_property
    def drawn(self) -> Ints:
        """Positions of up to `MOST` distinct values with the lowest seeded hash, sorted by it."""
        return lowest(keyed_hashes(self.values, self.seed), MOST)

    def chosen(self, most: int) -> tuple[list[str], Ints]:
        """Return up to `most`, at most `MOST`, distinct values with their rows, in the order of `drawn`."""
        picked = self.drawn[:most]
        return self.once(f"chosen-{len(picked)}", lambda: (self.values.take(picked).to_pylist(), self.counts[picked]))

    def n_effective(self, n_drawn: int) -> int:
        """Return how many rows drawn at random estimate shares of cells as precisely as `n_drawn` distinct values.

        ``n / d (sum w)^2 / sum w^2`` over the rows w of all d values (Kish 1965).
        """
        rows = self.counts.astype(np.float64)
        return max(1, int(n_drawn / self.n_distinct * rows.sum() ** 2 / (rows**2).sum()))

    @cached_property
    def texts(self) -> Texts:
        """Which characters occur in the values and in all of them, and how many digits and characters a value has."""
        most_digits = int(self.n_digits.max(initial=0))
        seen, common = characters_of(self.alphabet), characters_of(self._signs)
        return Texts(seen, most_digits, int(self.lengths.min(initial=LONGEST)), self.longest, common)

    @property
    def _signs(self) -> Flags:
        """Which ASCII characters other than letters and digits occur in every value; only those of the first can."""
        signs = np.zeros(256, dtype=np.bool_)
        first = self.values[0].as_py() if self.n_distinct else ""
        for sign in {each for each in first if each.isascii() and not each.isalnum()}:
            signs[ord(sign)] = containing(self.values, sign).all()
        return signs

    def can_match(self, pattern: str) -> bool:
        """Return whether an RE2 expression may match any value."""
        return can_match(pattern, self.texts, self.n_distinct)

    def matches(self, pattern: str) -> Flags:
        """Return which distinct values an RE2 expression matches."""
        if pattern not in self._cache and not self.can_match(pattern):
            return np.zeros(self.n_distinct, dtype=np.bool_)
        return self.once(pattern, lambda: matching(self.values, pattern, self.threads))

    def once(self, key: str, compute: Callable[[], T]) -> T:
        """Return ``compute()``, which runs once for each `key`."""
        if key not in self._cache:
            self._cache[key] = compute()
        return cast(T, self._cache[key])

    def release(self) -> None:
        """Free cached arrays that are fast to recompute; samples stay."""
        for key in [key for key, kept in self._cache.items() if isinstance(kept, np.ndarray)]:
            del self._cache[key]
        for key in ("folded", "numbers", "integral", "words_per_cell", "n_digits"):
            self.__dict__.pop(key, None)

    def matching(self, pattern: str) -> float:
        """Return the share of cells that an RE2 expression matches."""
        return self.share(self.matches(pattern))

    def at_least(self, pattern: str, share: float = NEARLY_ALL) -> bool:
        """Return whether an RE2 expression matches at least `share` of the cells.

        Of many values, `_TRIED` are tried first; they decide where chance would give such a sample less than once in
        10^12 columns. Chernoff's bound: ``P <= exp(-n KL(p || q))``, p the share of the sample, q that of all values.
        Of fewer values, the first ones may show that too many do not match.
        """
        if pattern not in self._cache:
            if not self.can_match(pattern):
                return share <= 0
            if self.n_distinct < MANY:
                shown = False if self._is_missed(pattern, share) else None
            else:
                shown = self._shown(matching(self._tried, pattern), share)
            if shown is not None:
                return shown
        return self.matching(pattern) >= share

    def _is_missed(self, pattern: str, share: float) -> bool:
        """Whether so many of the first values do not match that less than `share` of the cells can."""
        first = first_piece(self.n_distinct, share)
        if first == self.n_distinct:
            return False
        values = self.once(f"first-{first}", lambda: self.values[:first])
        missed = int(self.counts[:first][~matching(values, pattern)].sum())
        return (self.n_present - missed) / self.n_present < share

    def is_rare(self, accepted: Callable[[pa.Array], Flags], share: float) -> bool:
        """Return whether a sample shows, as in `at_least`, that less than `share` of the cells are `accepted`."""
        return self.n_distinct >= MANY and self._shown(accepted(self._tried), share) is False

    def _shown(self, tried: Flags, share: float) -> bool | None:
        """Return whether `share` of the cells is reached as far as the values tried show it; None where they do not."""
        of_sample = float(tried.mean())
        repeated = 1 - self.uniqueness  # share of the cells that repeat the value of another one
        low, high = (share - repeated) / self.uniqueness, share / self.uniqueness
        if high < of_sample and _is_certain(of_sample, high):
            return True
        return False if of_sample < low and _is_certain(of_sample, low) else None

    @cached_property
    def _tried(self) -> pa.Array:
        return self.values.take(pa.array(self.drawn[:_TRIED]))

    def cells(self, mask: Flags) -> int:
        """Return the number of rows with a value in `mask`."""
        return int(self.counts[mask].sum())

    def share(self, mask: Flags) -> float:
        """Return the share of non-missing cells whose value is in `mask`."""
        return self.cells(mask) / self.n_present if self.n_present else 0.0

    def share_of_stated(self, mask: Flags) -> float:
        """Return the share of `mask` in the cells but those of markers of missing values, such as "unknown" and 9999.

        A marker is another value with at least 5 % of the cells; `mask` has more values than there are markers.
        """
        marked = ~mask & (self.counts >= _MARKER * self.n_present)
        stated = self.n_present - self.cells(marked)
        return self.cells(mask) / stated if marked.sum() < mask.sum() else self.share(mask)

    def exact(self, n_cells: int) -> Estimate:
        """Return `n_cells` over all non-missing cells as an exact share."""
        return exact(n_cells / self.n_present if self.n_present else 0.0, self.n_present)

    def cell_share(self, share: float) -> Share:
        """Return a share of the non-missing cells as a typed value for a fact."""
        return Share(share, of=self.n_present)

    def has_letters_in(self, share: float = NEARLY_ALL) -> bool:
        """Return whether at least `share` of the cells have two letters in a row."""
        return self.has_letters and self.at_least(_TWO_LETTERS, share)

    def has_digits_in(self, share: float = NEARLY_ALL) -> bool:
        """Return whether at least `share` of the cells have a digit."""
        return self._share_with_digits >= share

    @cached_property
    def _share_with_digits(self) -> float:
        return self.share(self.n_digits > 0) if self.has_digits else 0.0


def are_digits(texts: Sequence[str]) -> bool:
    """Return whether each of some texts is one ASCII digit or more."""
    joined = "".join(texts)
    return joined.isascii() and joined.isdigit() and all(texts)


def once(read: Callable[[Column], T]) -> Callable[[Column], T]:
    """Make `read` run once for each column."""
    return lambda column: column.once(f"{read.__module__}.{read.__name__}", lambda: read(column))


def _is_certain(tried: float, share: float) -> bool:
    """Whether a share of `_TRIED` values shows on which side of `share` that of all values is."""
    if share <= 0 or share >= 1:
        return True  # the sample has a value that matches, or one that does not
    pairs = ((tried, share), (1 - tried, 1 - share))
    divergence = sum(of_sample * math.log(of_sample / of_all) for of_sample, of_all in pairs if of_sample)
    return divergence * _TRIED > _CERTAIN
