"""Share of the whole cells that each detector accepts.

Question: which share of the cells does each detector accept?
Method: a sample of the distinct values shows which detectors may match; these run on all distinct values. Detectors
that count single cells (`contains`) run on every distinct value, after RE2 alternations of their expressions. A list is
evidence only if its specific values ("married") occur, not its common ones ("single").
Limits: values inside longer text are the subject of text/embedded.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from privaudit.base import parallel
from privaudit.base.arrays import Flags
from privaudit.base.sampling import drawn_by_rows, keyed_hashes, lowest
from privaudit.detect import chance
from privaudit.detect.catalogue import boundaries, wordlists
from privaudit.detect.catalogue.detector import Detector
from privaudit.detect.catalogue.matching import matching
from privaudit.detect.catalogue.possible_matches import Requirements, packed_of_cells
from privaudit.detect.column import MOST, VARIOUS, Column
from privaudit.detect.ledger import Entry, Ledger, against, claim_for, contains
from privaudit.model import Contained, Estimate
from privaudit.model.stats import share_of_rows
from privaudit.model.vocabulary import with_trait
from privaudit.model.wording import Name, fact
from privaudit.source.profile.digit_shapes import LEAST_VALUES, treats_digits_alike

ENOUGH = 0.5
_SPECIFIC_FORM = 0.75  # by hand: as `SPECIFIC`, for forms, of which codes of other things have more by chance
_SCREEN = 400
_TOGETHER = 8  # expressions in one alternation
_TOGETHER_COLUMNS = 128  # whose samples are read at once: 50,000 values take a few megabytes
_READ_AGAIN = 8  # such samples are kept for the next detectors, which often read the same columns


class Screened(NamedTuple):
    """Share of the sampled values that match a detector before its validator runs, and share of their cells."""

    detector: Detector
    of_values: float
    of_cells: float


def screen(columns: Sequence[Column], detectors: Sequence[Detector], threads: int = 1) -> list[list[Screened]]:
    """Return for each column the detectors that may match any value, with the matching share of its sample.

    A detector reads the samples of all columns at once: an expression is compiled once per table instead of once per
    column, which is most of the work for small columns. Columns alike in form are read once.
    """
    forms = _forms(columns)
    alike = [columns[places[0]] for places in forms]
    texts = [column.values.take(column.drawn[:_SCREEN]).cast(pa.string()) for column in alike]
    folded = [column.fold(text).cast(text.type) for column, text in zip(alike, texts, strict=True)]

    @lru_cache(maxsize=_READ_AGAIN)
    def joined(some: tuple[int, ...], *, are_folded: bool) -> pa.Array:
        return pa.concat_arrays([(folded if are_folded else texts)[i] for i in some])

    counts = [column.counts[column.drawn[:_SCREEN]] for column in columns]
    testable = _testable(tuple(detectors))
    possible = np.array([testable.possible(column) for column in alike])

    def shares(number: int) -> list[tuple[int, Screened]]:
        detector = testable.detectors[number]
        every = [i for i in np.flatnonzero(possible[:, number]).tolist() if _may_accept(alike[i], detector)]
        found = []
        for first in range(0, len(every), _TOGETHER_COLUMNS):
            some = tuple(every[first : first + _TOGETHER_COLUMNS])
            of_folded = joined(some, are_folded=True) if detector.folds else None
            shaped = detector.shaped(joined(some, are_folded=False), of_folded)
            ends = accumulate(len(texts[i]) for i in some)
            for form, end in zip(some, ends, strict=True):
                matched = shaped[end - len(texts[form]) : end]
                # A larger column may match outside of its sample.
                if n := np.count_nonzero(matched):
                    cells = ((i, int(counts[i] @ matched) / int(counts[i].sum())) for i in forms[form])
                    found += [(i, Screened(detector, n / len(matched), of_cells)) for i, of_cells in cells]
                elif alike[form].n_distinct > _SCREEN:
                    found += [(i, Screened(detector, 0.0, 0.0)) for i in forms[form]]
        return found

    screened: list[list[Screened]] = [[] for _ in columns]
    for found in parallel.each(shares, np.flatnonzero(possible.any(axis=0)).tolist(), threads):
        for i, one in found:
            screened[i].append(one)
    return screened


def _forms(columns: Sequence[Column]) -> list[list[int]]:
    """Return the numbers of the columns, together where no detector can distinguish their values.

    One-hot flags, items of a survey and cells of a matrix have the same few values in many columns. The values of a
    column that is larger than its sample are compared with none.
    """
    forms: dict[object, list[int]] = {}
    for i, column in enumerate(columns):
        is_whole = column.n_distinct <= _SCREEN
        form = (column.data_type, column.numbered, *column.chosen(_SCREEN)[0]) if is_whole else i
        forms.setdefault(form, []).append(i)
    return list(forms.values())


class _Testable:
    """The detectors that read values, and what is known of all of them at once before a table is."""

    def __init__(self, detectors: Sequence[Detector]) -> None:
        self.detectors = detectors
        self._shortest, self._longest = np.array([one.lengths for one in detectors], dtype=np.int64).reshape(-1, 2).T
        # Folded values have other characters than the values of the column.
        unknown = [detector.folds or not detector.regex for detector in detectors]
        self._requirements = Requirements(
            [None if each else packed_of_cells(one.regex) for one, each in zip(detectors, unknown, strict=True)]
        )
        self._applies: dict[str, Flags] = {}

    def possible(self, column: Column) -> Flags:
        """Return which detectors may accept a value of a column by its data type, its lengths and its characters."""
        if not column.n_distinct:
            return np.zeros(len(self.detectors), dtype=np.bool_)
        kind = column.data_type
        if kind not in self._applies:
            self._applies[kind] = np.array([_applies(detector, kind) for detector in self.detectors], dtype=np.bool_)
        fits = (column.shortest <= self._longest) & (column.longest >= self._shortest)
        return self._applies[kind] & fits & self._requirements.met_by(column.texts)


@lru_cache(maxsize=4)
def _testable(detectors: tuple[Detector, ...]) -> _Testable:
    # A validator alone: checkdigits.py; column names alone: user_detectors.py.
    return _Testable([detector for detector in detectors if detector.regex or detector.listed])


def run(column: Column, screened: Sequence[Screened]) -> Iterator[Entry]:
    """Yield the claims on `column` and what its cells contain; `screened` is the result of `screen` for it."""
    counted: list[Detector] = []
    machine, opaque = False, with_trait("opaque_code")
    for detector, of_values, of_cells in screened:
        if of_values >= 0.3 or of_cells >= 0.3:
            yield from _entries(column, detector)
            machine |= detector.entity in opaque and of_values > 0.98
        elif detector.contains and (of_values > 0 or column.n_distinct > _SCREEN):
            counted.append(detector)
    if counted and not machine:
        yield from _count_all(column, counted)


def _count_all(column: Column, detectors: Sequence[Detector]) -> Iterator[Contained]:
    """Count the cells of detectors that are rare in the column; a few RE2 passes select the cells of most of them."""
    # The others are selective by themselves, have no expression, or compare with folded cells.
    wide = [d for d in detectors if d.regex and not (d.requires or d.folds)]
    some = _any_of(column, wide)
    few = column.values.filter(pa.array(some))
    for detector in detectors:
        if detector in wide and len(few):
            accepted = some.copy()
            accepted[some] = detector.accepts(few)
            yield from _single(column, detector, accepted)
        elif detector not in wide and _can_match(column, detector):
            yield from _single(column, detector, detector.accepts(column.values))


def _single(column: Column, detector: Detector, accepted: Flags) -> Iterator[Contained]:
    """Yield what single cells contain, unless codes of other things have the form as often."""
    if accepted.any() and not _has_by_chance(column, detector, accepted):
        yield contained(column, detector, column.cells(accepted))


def _has_by_chance(column: Column, detector: Detector, accepted: Flags) -> bool:
    """Whether the other values of the lengths of the `accepted` ones, with characters exchanged, pass as often."""
    alike = np.isin(column.lengths, np.unique(column.lengths[accepted]))
    others = alike & ~accepted
    if alike.sum() < chance.FEWEST or not others.any():
        return False
    codes = column.values.filter(pa.array(others))
    some = codes.take(pa.array(lowest(keyed_hashes(codes, column.seed), MOST))).to_pylist()
    rate = chance.rate_by_chance(some, detector.accepts, column.seed)
    return chance.is_by_chance(int(alike.sum()), int(accepted.sum()), rate)


def _any_of(column: Column, detectors: Sequence[Detector]) -> Flags:
    """Return which values any of the detectors may match.

    RE2 runs an alternation of a few expressions as fast as a single one; very many exceed its fast automaton.
    """
    matched = np.zeros(column.n_distinct, dtype=np.bool_)
    possible = [detector for detector in detectors if _can_match(column, detector)]
    if column.n_distinct >= LEAST_VALUES:  # those that treat digits alike are matched with few shapes of values
        possible.sort(key=lambda detector: all(map(treats_digits_alike, detector.regex)))
    for first in range(0, len(possible), _TOGETHER):
        some = possible[first : first + _TOGETHER]
        each = [pattern for detector in some for pattern in map(boundaries.whole, detector.regex)]
        each = list(filter(column.can_match, each))
        try:
            matched |= matching(column.values, "|".join(each), column.threads)
        except pa.ArrowInvalid:  # together they are too large for RE2
            for expression in each:
                matched |= matching(column.values, expression, column.threads)
    return matched


def _can_match(column: Column, detector: Detector) -> bool:
    """Whether a detector may accept any value, judged by its expressions."""
    if not detector.regex or detector.folds:
        return True
    return any(column.can_match(boundaries.whole(pattern)) for pattern in detector.regex)


def _may_accept(column: Column, detector: Detector) -> bool:
    """Whether a column has the text that a detector requires, and expressions of the user may match its values."""
    has_required = not detector.requires or column.holds(detector.requires)
    return has_required and (not detector.user or _can_match(column, detector))


def _applies(detector: Detector, data_type: str) -> bool:
    """Whether a detector may accept any value of this data type."""
    if detector.user:  # for which kinds of data is not known
        return data_type != "boolean" or not detector.listed
    if data_type in ("decimal", "date", "timestamp", "time"):
        return detector.entity in with_trait("read_from_decimals") and data_type == "decimal"
    no_words = data_type == "boolean" or (data_type == "integer" and not detector.regex)
    return not (no_words and detector.listed)


def _entries(column: Column, detector: Detector) -> Iterator[Entry]:
    accepted, estimate = _accepted(column, detector)
    share = column.share(accepted) if estimate is None else estimate.value
    n_cells = round(share * column.n_present)
    if share < ENOUGH and not _many_listed(column, detector, accepted, share):
        if n_cells and detector.contains:
            yield from _single(column, detector, accepted)
        elif share >= 0.3:
            yield against(detector.entity, fact("detect.too_few_cells", share=column.cell_share(share)))
        return
    strength = detector.strength * min(1.0, 0.55 + share / 2)
    kind = "check-digit" if detector.proves else "list" if detector.listed else "pattern"
    if detector.listed:
        strength *= _speciality(column, detector, accepted)
    if detector.headers and any(map(column.header.contains_phrase, detector.headers)):
        strength = max(strength, 0.9 * share)
    because = fact("detect.form", share=column.cell_share(share), title=Name(detector.title))
    yield claim_for(
        column,
        detector.entity,
        strength,
        kind,
        because,
        cells=n_cells,
        detail=detector.detail,
        generic=strength < _SPECIFIC_FORM,
        share=estimate,
        locale=detector.locale,
    )


def _many_listed(column: Column, detector: Detector, accepted: Flags, share: float) -> bool:
    """Whether so many different specific values of a list occur that chance cannot explain it, if only in few cells."""
    if detector.list is None or share < 0.25 or column.n_distinct < VARIOUS:
        return False
    core = wordlists.value_list(detector.list, "core") or wordlists.value_list(detector.list)
    return int((wordlists.members(column.folded, core) & accepted).sum()) >= 10


def _accepted(column: Column, detector: Detector) -> tuple[Flags, Estimate | None]:
    """Return which values are accepted, or only match, with an estimate where the validator read a sample.

    A validator that reads one value at a time reads a sample if very many values match. If fewer than half of them
    pass and single cells count, it reads every value.
    """
    shaped = detector.shaped(column.values, column.folded if detector.folds else None, column.threads)
    if detector.validator is None:
        return shaped, None
    n_shaped = int(shaped.sum())
    if n_shaped > MOST:
        kept, rows = column.values.filter(pa.array(shaped)), column.counts[shaped]
        drawn, rates = drawn_by_rows(kept, rows, MOST, column.seed)
        passed = detector.passes(kept.take(pa.array(drawn)))
        scale = column.share(shaped)
        estimate = share_of_rows(passed, rows[drawn], rate=rates[-1], of=int(rows.sum()), scale=scale)
        if estimate.value >= ENOUGH or not detector.contains:
            return shaped, estimate
    if n_shaped:
        kept = column.values.filter(pa.array(shaped))
        shaped[shaped] = detector.passes(kept)
    return shaped, None


def versions(column: Column, ledger: Ledger) -> Iterator[Entry]:
    """Yield the claim on versions of a program, not IP addresses, if their first numbers are small or count up."""
    ip = ledger.strongest("IP_ADDRESS")
    if ip is None or ip.detail != "ipv4" or column.header.strength("IP_ADDRESS"):
        return
    four = column.values.filter(pa.array(column.matches(r"^[0-9]+\.[0-9]+\.[0-9]+\.[0-9]+")))
    parts = pc.extract_regex(four, r"^(?P<a>[0-9]+)\.(?P<b>[0-9]+)")
    first, second = (np.asarray(pc.struct_field(parts, part).cast(pa.int64())) for part in ("a", "b"))
    small = int(first.max(initial=0)) <= 40 and not (first == 10).all()
    # Networks that differ in the first number differ in the second, too; releases count 98.0, 99.0, 100.0.
    counted = len(np.unique(first)) >= 8 and len(np.unique(second)) == 1
    if column.header.has_word("version", "ver", "build", "release", "firmware") or small or counted:
        yield from ledger.answer("IP_ADDRESS", fact("detect.first_numbers_of_versions"))
        yield claim_for(column, "VERSION", 0.85, "shape", fact("detect.versions"), cells=ip.n_cells)


def _speciality(column: Column, detector: Detector, accepted: Flags) -> float:
    """Return how specific the listed values are: 1 if values of this list alone are common, less otherwise."""
    if detector.list is None:
        return 1.0
    core = wordlists.value_list(detector.list, "core")
    if not core:
        return min(1.0, 0.5 + 0.1 * int(accepted.sum()))
    special = wordlists.levels(column.folded, core)
    if detector.regex:
        special |= accepted & ~wordlists.members(column.folded, wordlists.value_list(detector.list))
    kinds, share = int(special.sum()), column.share(special)
    if detector.entity == "GENDER":
        return 1.0 if kinds and column.n_distinct >= 2 else 0.5
    enough = min(1.0, 0.62 + 0.19 * min(kinds, 2)) if kinds else 0.3
    return enough if share >= 0.15 or kinds >= 3 else 0.45


def contained(column: Column, detector: Detector, n_cells: int, code: str = "detect.whole_cells") -> Contained:
    """Return `n_cells` cells of `column` that a detector accepts; `code` is the fact that explains it."""
    kind, because = "check-digit" if detector.proves else "pattern", fact(code, title=Name(detector.title))
    return contains(column, detector.entity, n_cells, kind, because, detector.detail)
