"""Whole cells against the detectors of the packs.

Question: which share of the cells does each detector accept?
Method: a sample of the distinct values says which detectors are worth running on all of them; detectors that are
counted cell by cell (`contains`) run on every distinct value, behind RE2 alternations of their shapes. A list
speaks only as far as its special values ("married") are among the cells, not its common ones ("single").
Limits: values inside longer text are found by embedded.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from privaudit.detect import words
from privaudit.detect.column import MOST, Column
from privaudit.detect.evidence import Candidate, Findings, percent
from privaudit.detect.packs import validators
from privaudit.detect.packs.detectors import Detector
from privaudit.detect.sampling import wilson
from privaudit.model import Clue, Contained, Estimate

if TYPE_CHECKING:
    import pyarrow as pa

Mask = npt.NDArray[np.bool_]

ENOUGH = 0.5
_SCREEN = 400
_TOGETHER = 8  # expressions in one alternation
_PORTION = 50_000  # values of samples that are read at once
_WHOLE = "whole cells have the form of"
_NUMERIC = ("integer", "decimal", "boolean")
# Validators whose check a digit column could pass by chance are left to checkdigits.py.
_PROVEN_ELSEWHERE = ("NATIONAL_ID", "TAX_ID", "SSN", "ORGANISATION", "HEALTH_ID", "BANK_ACCOUNT", "BANK_CODE")


class Screened(NamedTuple):
    """What of a column's sample has the shape a detector asks for: share of values, and of the cells they stand for."""

    detector: Detector
    of_values: float
    of_cells: float


def screen(columns: Sequence[Column], detectors: Sequence[Detector]) -> list[list[Screened]]:
    """Return for each column the detectors that could apply, and how much of its sample has their shape.

    A detector reads the samples of all columns in one go: an expression is compiled once for a table, not once for
    a column, which is most of the work on small ones.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    asked: list[list[Screened]] = [[] for _ in columns]
    texts = [pa.array(column.chosen(_SCREEN)[0], type=pa.large_string()) for column in columns]
    folded = [column.fold(text).cast(text.type) for column, text in zip(columns, texts, strict=True)]
    counts = [column.chosen(_SCREEN)[1] for column in columns]
    lengths = [np.asarray(pc.utf8_length(text), dtype=np.int32) for text in texts]
    for detector in detectors:
        for some in _portions([i for i, column in enumerate(columns) if applies(column, detector)], texts):
            shaped = detector.shaped(
                pa.concat_arrays([texts[i] for i in some]),
                pa.concat_arrays([folded[i] for i in some]) if detector.folds else None,
                np.concatenate([lengths[i] for i in some]),
            )
            ends = np.cumsum([len(texts[i]) for i in some])
            for i, mask in zip(some, np.split(shaped, ends[:-1]), strict=True):
                cells = float(counts[i][mask].sum() / counts[i].sum())
                asked[i].append(Screened(detector, float(mask.mean()), cells))
    return asked


def _portions(places: Sequence[int], texts: Sequence[pa.Array]) -> Iterator[list[int]]:
    """Yield `places` in portions of up to `_PORTION` values."""
    some: list[int] = []
    size = 0
    for place in places:
        some.append(place)
        size += len(texts[place])
        if size > _PORTION:
            yield some
            some, size = [], 0
    if some:
        yield some


def run(column: Column, asked: Sequence[Screened], found: Findings) -> None:
    """Add what the packs' detectors say of `column` to `found`; `asked` is what `screen` gave for it."""
    if column.n_distinct == 0:
        return
    counted: list[Detector] = []
    machine = False
    for detector, of_values, of_cells in asked:
        if of_values >= 0.3 or of_cells >= 0.3:
            found.add(_candidate(column, detector, found))
            machine |= detector.entity in _MACHINE and of_values > 0.98
        elif detector.contains and (of_values > 0 or column.n_distinct > _SCREEN):
            counted.append(detector)
    if counted and not machine:
        _count_all(column, counted, found)


# A column of these holds nothing else worth looking for cell by cell.
_MACHINE = frozenset({"UUID", "HASH", "BASE64"})


def _count_all(column: Column, detectors: Sequence[Detector], found: Findings) -> None:
    """Count cells of detectors that are rare in the column: a few RE2 passes find what any of them could accept."""
    import pyarrow as pa

    # These find their few cells by themselves, have no expression, or compare with folded cells.
    alone = [d.requires or d.user or d.folds or not d.regex for d in detectors]
    narrow = [d for d, by_itself in zip(detectors, alone, strict=True) if by_itself]
    wide = [d for d, by_itself in zip(detectors, alone, strict=True) if not by_itself]
    groups = [(narrow, np.ones(column.n_distinct, dtype=np.bool_))]
    if wide:
        groups.append((wide, _any_of(column, wide)))
    counted: dict[int, int] = {}
    for group, possible in groups:
        if group and possible.any():
            values = column.values if possible.all() else column.values.filter(pa.array(possible))
            counts = column.counts[possible]
            counted |= {id(one): int(counts[one.accepts(values)].sum()) for one in group}
    for detector in detectors:
        if counted.get(id(detector)):
            found.contained.append(contained(column, detector, counted[id(detector)]))


def _any_of(column: Column, detectors: Sequence[Detector]) -> Mask:
    """Return which values have the shape any of the detectors asks for, or may have it.

    RE2 reads an alternation of a few expressions at the pace of one; one of very many leaves its fast automaton.
    """
    found = np.zeros(column.n_distinct, dtype=np.bool_)
    for first in range(0, len(detectors), _TOGETHER):
        some = detectors[first : first + _TOGETHER]
        either = "|".join(f"(?:(?i){pattern})" for detector in some for pattern in detector.regex)
        found |= column.matches(f"^(?:{either})$")
    return found


def applies(column: Column, detector: Detector) -> bool:
    """Return whether a detector could accept anything in such a column."""
    if (
        column.n_distinct == 0
        or column.shortest > detector.lengths[1]
        or column.longest < detector.lengths[0]
    ):
        return False
    if detector.requires and not column.holds(detector.requires):
        return False
    if not (detector.regex or detector.values or detector.list):
        return False  # a number that has nothing but its check: checkdigits.py; or a name: own.py
    if column.data_type in ("decimal", "date", "timestamp", "time") and not detector.user:
        return detector.entity in ("POSTAL_CODE", "DATE_OF_BIRTH") and column.data_type == "decimal"
    listed = bool(detector.list or detector.values)
    return not (
        column.data_type in ("integer", "boolean") and listed and not detector.user and not detector.regex
    ) or (column.data_type == "boolean" and listed)


def _candidate(column: Column, detector: Detector, found: Findings) -> Candidate | None:
    accepted, estimate = _accepted(column, detector)
    if estimate is None:
        share, n_cells = column.share(accepted), column.cells(accepted)
    else:
        share, n_cells = estimate.value, round(estimate.value * column.n_present)
    if share < ENOUGH and not _many_listed(column, detector, accepted, share):
        if n_cells and detector.contains:
            found.contained.append(contained(column, detector, n_cells))
        elif share >= 0.3:
            found.reject(detector.entity, f"only {percent(share)} of the cells have its form")
        return None
    strength, kind = detector.strength * min(1.0, 0.55 + share / 2), "pattern"
    if detector.list is not None or detector.values:
        kind = "list"
        strength *= _speciality(column, detector, accepted)
    if detector.validator is not None and validators.has_check_digit(detector.validator):
        kind = "check-digit"
    if detector.entity in _ISSUED and strength < 0.95 and _one_series(column):
        strength *= 0.5
    if detector.headers and any(map(column.header.holds, detector.headers)):
        strength = max(strength, 0.9 * share)
    because = f"{percent(share)} of the cells have the form of: {detector.title}"
    return Candidate(
        entity=detector.entity,
        detail=detector.detail,
        n_cells=n_cells,
        strength=strength,
        clues=(Clue(kind=kind, because=because),),
        generic=strength < 0.75 or _ambiguous(column, detector),
        share=estimate,
        locale=detector.locale if detector.user else (),
    )


# Numbers of many issuers and series: the letters in a column of them differ from cell to cell.
_ISSUED = frozenset("VEHICLE_ID PASSPORT DRIVER_LICENSE NATIONAL_ID VOTER_ID HEALTH_ID TAX_ID".split())


def _one_series(column: Column) -> bool:
    """Return whether all cells of a column have the same letters, as the numbers that one system counts have."""
    import pyarrow.compute as pc

    if column.n_distinct < 20 or not column.has_letters:
        return False
    letters = pc.replace_substring_regex(column.values, r"[^\pL]", "")
    return len(letters.unique()) == 1 and letters[0].as_py() != ""


def _many_listed(column: Column, detector: Detector, accepted: Mask, share: float) -> bool:
    """Return whether so many different special values of a list occur that chance is no reason, if in few cells."""
    if detector.list is None or share < 0.25 or column.n_distinct < 20:
        return False
    core = words.value_list(detector.list, "core") or words.value_list(detector.list)
    return int((words.members(column.folded, core) & accepted).sum()) >= 10


def _accepted(column: Column, detector: Detector) -> tuple[Mask, Estimate | None]:
    """Return which values are accepted, or have the form, and in how many cells a sample passes the check.

    Checks that read one value after the other read a sample where very many have the form and most of those pass.
    Where fewer pass and single cells count, every one is read.
    """
    import pyarrow as pa

    shaped = detector.shaped(column.values, column.folded if detector.folds else None)
    if detector.validator is None:
        return shaped, None
    n_shaped = int(shaped.sum())
    if n_shaped > MOST and not validators.is_quick(detector.validator):
        drawn = column.drawn[shaped[column.drawn]]
        passed = detector.passes(column.values.take(pa.array(drawn)))
        estimate = _estimate(column.counts[drawn], passed, column.share(shaped), len(drawn))
        if estimate.value >= ENOUGH or not detector.contains:
            return shaped, estimate
    if n_shaped:
        kept = column.values.filter(pa.array(shaped))
        shaped[shaped] = detector.passes(kept)
    return shaped, None


def _estimate(rows: npt.NDArray[np.int64], passed: Mask, share: float, n: int) -> Estimate:
    """Return `share` times the share of the sampled rows that pass, with its interval.

    Rows of one value pass or fail together, so the interval rests on the effective number of values, the square of
    the sum of their rows over the sum of the squares (Kish 1965).
    """
    weights = rows.astype(np.float64)
    effective = float(weights.sum() ** 2 / (weights**2).sum())
    value, low, high = wilson(float(weights[passed].sum() / weights.sum()) * effective, effective)
    return Estimate(value=share * value, low=share * low, high=share * high, level=0.95, n=n, method="wilson")


def _ambiguous(column: Column, detector: Detector) -> bool:
    """Return whether only single letters speak: F and M are codes of many things."""
    return detector.list == "GENDER" and int(column.lengths.max(initial=0)) == 1 and column.data_type == "text"


def versions(column: Column, found: Findings) -> None:
    """Turn addresses that are versions of a program into what they are: their first numbers are small and various."""
    ip = [c for c in found.candidates if c.entity == "IP_ADDRESS" and c.detail == "ipv4"]
    if not ip or column.header.strength("IP_ADDRESS"):
        return
    import pyarrow as pa
    import pyarrow.compute as pc

    four = column.values.filter(pa.array(column.matches(r"^[0-9]+\.[0-9]+\.[0-9]+\.[0-9]+")))
    parts = pc.extract_regex(four, r"^(?P<a>[0-9]+)\.(?P<b>[0-9]+)")
    first, second = (np.asarray(pc.struct_field(parts, part).cast(pa.int64())) for part in ("a", "b"))
    small = int(first.max(initial=0)) <= 40 and not (first == 10).all()
    # Networks that differ at their first number differ at the second as well; releases count 98.0, 99.0, 100.0.
    counted = len(np.unique(first)) >= 8 and len(np.unique(second)) == 1
    if column.header.says("version", "ver", "build", "release", "firmware") or small or counted:
        found.candidates[:] = [c for c in found.candidates if c.entity != "IP_ADDRESS"]
        found.contained[:] = [c for c in found.contained if c.entity != "IP_ADDRESS"]
        found.reject("IP_ADDRESS", "the first numbers are those of versions")
        clue = Clue(
            kind="shape", because="four numbers that count up from small ones, as versions are written"
        )
        found.add(Candidate(entity="VERSION", n_cells=ip[0].n_cells, strength=0.85, clues=(clue,)))


def _speciality(column: Column, detector: Detector, accepted: Mask) -> float:
    """Return how special the listed values are: 1 where values only this list has are common, less otherwise."""
    if detector.list is None:
        return 1.0
    core = words.value_list(detector.list, "core")
    if not core:
        return min(1.0, 0.5 + 0.1 * int(accepted.sum()))
    special = words.members(column.folded, core)
    if detector.regex:
        special |= accepted & ~words.members(column.folded, words.value_list(detector.list))
    kinds, share = int(special.sum()), column.share(special)
    if detector.entity == "GENDER":
        return 1.0 if kinds and column.n_distinct >= 2 else 0.5
    enough = min(1.0, 0.62 + 0.19 * min(kinds, 2)) if kinds else 0.3
    return enough if share >= 0.15 or kinds >= 3 else 0.45


def contained(column: Column, detector: Detector, n_cells: int, how: str = _WHOLE) -> Contained:
    """Return `n_cells` cells of `column` that a detector accepts, and `how`."""
    proven = detector.validator is not None and validators.has_check_digit(detector.validator)
    kind = "check-digit" if proven else "pattern"
    clue = Clue(kind=kind, because=f"{how}: {detector.title}")
    return Contained(
        entity=detector.entity,
        detail=detector.detail,
        n_cells=n_cells,
        share=column.exact(n_cells),
        evidence=(clue,),
    )
