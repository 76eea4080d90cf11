"""Share of the whole cells that each detector accepts.

Question: which share of the cells does each detector accept?
Method: a sample of the distinct values shows which detectors may match; these run on all distinct values. Detectors
that count single cells (`contains`) run on every distinct value, after RE2 alternations of their expressions. A list is
evidence only if its specific values ("married") occur, not its common ones ("single").
Limits: values inside longer text are the subject of text/embedded.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from privaudit import parallel
from privaudit.detect import wordlists
from privaudit.detect.column import MOST, Column
from privaudit.detect.ledger import Claim, Entry, Ledger, against, claim_for
from privaudit.detect.packs import boundaries, validators
from privaudit.detect.packs.detector import Detector
from privaudit.detect.possible_matches import MANY, can_match
from privaudit.model import Clue, Contained, Estimate
from privaudit.stats import wilson_bounds
from privaudit.vocabulary import with_trait
from privaudit.wording import Name, fact

if TYPE_CHECKING:
    import pyarrow as pa

Mask = npt.NDArray[np.bool_]

ENOUGH = 0.5
_SCREEN = 400
_TOGETHER = 8  # expressions in one alternation
_PORTION = 50_000  # values of samples that are read at once
_WHOLE = "detect.whole_cells"


class Screened(NamedTuple):
    """Share of the sampled values that match a detector before its validator runs, and share of their cells."""

    detector: Detector
    of_values: float
    of_cells: float


def screen(
    columns: Sequence[Column], detectors: Sequence[Detector], threads: int = 1
) -> list[list[Screened]]:
    """Return for each column the detectors that may match any value, with the matching share of its sample.

    A detector reads the samples of all columns at once: an expression is compiled once per table instead of once per
    column, which is most of the work for small columns.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    texts = [pa.array(column.chosen(_SCREEN)[0], type=pa.large_string()) for column in columns]
    folded = [column.fold(text).cast(text.type) for column, text in zip(columns, texts, strict=True)]
    counts = [column.chosen(_SCREEN)[1] for column in columns]
    lengths = [np.asarray(pc.utf8_length(text), dtype=np.int32) for text in texts]

    def shares(detector: Detector) -> Iterator[tuple[int, Screened]]:
        for some in _portions([i for i, column in enumerate(columns) if applies(column, detector)], texts):
            shaped = detector.shaped(
                pa.concat_arrays([texts[i] for i in some]),
                pa.concat_arrays([folded[i] for i in some]) if detector.folds else None,
                np.concatenate([lengths[i] for i in some]),
            )
            weights = np.concatenate([counts[i] for i in some])
            starts = np.cumsum([0, *(len(texts[i]) for i in some[:-1])])
            of_values = np.add.reduceat(shaped, starts, dtype=np.int64) / [len(texts[i]) for i in some]
            of_cells = np.add.reduceat(weights * shaped, starts) / np.add.reduceat(weights, starts)
            for i, value_share, cell_share in zip(some, of_values.tolist(), of_cells.tolist(), strict=True):
                if (
                    value_share or columns[i].n_distinct > _SCREEN
                ):  # a larger column may match outside of its sample
                    yield i, Screened(detector, value_share, cell_share)

    screened: list[list[Screened]] = [[] for _ in columns]
    for found in parallel.each(lambda detector: list(shares(detector)), detectors, threads):
        for i, one in found:
            screened[i].append(one)
    return screened


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


def run(column: Column, screened: Sequence[Screened]) -> Iterator[Entry]:
    """Yield the claims on `column` and what its cells contain; `screened` is the result of `screen` for it."""
    if column.n_distinct == 0:
        return
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
    """Count the cells of detectors that are rare in the column; a few RE2 passes select what any of them may accept."""
    import pyarrow as pa

    # These are selective by themselves, have no expression, or compare with folded cells.
    alone = [d.requires or d.user or d.folds or not d.regex for d in detectors]
    narrow = [d for d, by_itself in zip(detectors, alone, strict=True) if by_itself]
    narrow = [d for d in narrow if not d.regex or _can_match(column, d)]
    wide = [d for d, by_itself in zip(detectors, alone, strict=True) if not by_itself]
    groups = [(narrow, np.ones(column.n_distinct, dtype=np.bool_))]
    if wide:
        groups.append((wide, _any_of(column, wide)))
    counted: dict[int, int] = {}
    for group, possible in groups:
        if group and possible.any():
            values = column.values if possible.all() else column.values.filter(pa.array(possible))
            counts = column.counts[possible]
            folded = wordlists.fold_all(values) if any(one.folds for one in group) else None
            counted |= {id(one): int(counts[one.accepts(values, folded)].sum()) for one in group}
    for detector in detectors:
        if counted.get(id(detector)):
            yield contained(column, detector, counted[id(detector)])


def _any_of(column: Column, detectors: Sequence[Detector]) -> Mask:
    """Return which values any of the detectors may match.

    RE2 runs an alternation of a few expressions as fast as a single one; very many exceed its fast automaton.
    """
    matched = np.zeros(column.n_distinct, dtype=np.bool_)
    possible = [detector for detector in detectors if _can_match(column, detector)]
    for first in range(0, len(possible), _TOGETHER):
        some = possible[first : first + _TOGETHER]
        either = "|".join(f"(?:(?i){pattern})" for detector in some for pattern in detector.regex)
        matched |= column.matches(f"^(?:{either})$")
    return matched


def _can_match(column: Column, detector: Detector) -> bool:
    """Whether any expression of a detector that has expressions may match any value."""
    texts = column.texts
    if detector.folds:
        if column.foreign or detector.values or detector.list:
            return True
        texts = texts.lowered()
    return column.n_distinct < MANY or any(
        can_match(f"(?i){boundaries.whole(pattern)}", texts) for pattern in detector.regex
    )


def applies(column: Column, detector: Detector) -> bool:
    """Whether a detector may accept any value of such a column."""
    if (
        column.n_distinct == 0
        or column.shortest > detector.lengths[1]
        or column.longest < detector.lengths[0]
    ):
        return False
    if detector.requires and not column.holds(detector.requires):
        return False
    if not (detector.regex or detector.values or detector.list):
        return False  # a validator alone: checkdigits.py; column names alone: user_detectors.py
    if column.data_type in ("decimal", "date", "timestamp", "time") and not detector.user:
        return detector.entity in with_trait("read_from_decimals") and column.data_type == "decimal"
    listed = bool(detector.list or detector.values)
    return not (
        column.data_type in ("integer", "boolean") and listed and not detector.user and not detector.regex
    ) or (column.data_type == "boolean" and listed)


def _entries(column: Column, detector: Detector) -> Iterator[Entry]:
    accepted, estimate = _accepted(column, detector)
    if estimate is None:
        share, n_cells = column.share(accepted), column.cells(accepted)
    else:
        share, n_cells = estimate.value, round(estimate.value * column.n_present)
    if share < ENOUGH and not _many_listed(column, detector, accepted, share):
        if n_cells and detector.contains:
            yield contained(column, detector, n_cells)
        elif share >= 0.3:
            yield against(detector.entity, fact("detect.too_few_cells", share=column.cell_share(share)))
        return
    strength, kind = detector.strength * min(1.0, 0.55 + share / 2), "pattern"
    if detector.list is not None or detector.values:
        kind = "list"
        strength *= _speciality(column, detector, accepted)
    if detector.validator is not None and validators.has_check_digit(detector.validator):
        kind = "check-digit"
    if detector.headers and any(map(column.header.contains_phrase, detector.headers)):
        strength = max(strength, 0.9 * share)
    because = fact("detect.form", share=column.cell_share(share), title=Name(text=detector.title))
    yield Claim(
        entity=detector.entity,
        detail=detector.detail,
        n_cells=n_cells,
        strength=strength,
        clues=(Clue(kind=kind, because=because),),
        generic=strength < 0.75,
        share=estimate,
        locale=detector.locale if detector.user else (),
    )


def _many_listed(column: Column, detector: Detector, accepted: Mask, share: float) -> bool:
    """Whether so many different specific values of a list occur that chance cannot explain it, if only in few cells."""
    if detector.list is None or share < 0.25 or column.n_distinct < 20:
        return False
    core = wordlists.value_list(detector.list, "core") or wordlists.value_list(detector.list)
    return int((wordlists.members(column.folded, core) & accepted).sum()) >= 10


def _accepted(column: Column, detector: Detector) -> tuple[Mask, Estimate | None]:
    """Return which values are accepted, or only match, with an estimate where the validator read a sample.

    A validator that reads one value at a time reads a sample if very many values match. If fewer than half of them
    pass and single cells count, it reads every value.
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
    """Return `share` times the share of the sampled rows that pass, with its Wilson interval.

    Rows of the same value pass or fail together, so the interval rests on the effective sample size, the square of the
    sum of their rows over the sum of the squares (Kish 1965).
    """
    weights = rows.astype(np.float64)
    effective = float(weights.sum() ** 2 / (weights**2).sum())
    value = float(weights[passed].sum() / weights.sum())
    low, high = wilson_bounds(value * effective, effective)
    return Estimate(value=share * value, low=share * low, high=share * high, level=0.95, n=n, method="wilson")


def versions(column: Column, ledger: Ledger) -> Iterator[Entry]:
    """Yield the claim on versions of a program, not IP addresses, if their first numbers are small or count up."""
    ip = [c for c in ledger.standing() if c.entity == "IP_ADDRESS" and c.detail == "ipv4"]
    if not ip or column.header.strength("IP_ADDRESS"):
        return
    import pyarrow as pa
    import pyarrow.compute as pc

    four = column.values.filter(pa.array(column.matches(r"^[0-9]+\.[0-9]+\.[0-9]+\.[0-9]+")))
    parts = pc.extract_regex(four, r"^(?P<a>[0-9]+)\.(?P<b>[0-9]+)")
    first, second = (np.asarray(pc.struct_field(parts, part).cast(pa.int64())) for part in ("a", "b"))
    small = int(first.max(initial=0)) <= 40 and not (first == 10).all()
    # Networks that differ in the first number differ in the second, too; releases count 98.0, 99.0, 100.0.
    counted = len(np.unique(first)) >= 8 and len(np.unique(second)) == 1
    if column.header.has_word("version", "ver", "build", "release", "firmware") or small or counted:
        because = fact("detect.first_numbers_of_versions")
        yield from ledger.answer({"IP_ADDRESS"}, because)
        yield claim_for(column, "VERSION", 0.85, "shape", fact("detect.versions"), n_cells=ip[0].n_cells)


def _speciality(column: Column, detector: Detector, accepted: Mask) -> float:
    """Return how specific the listed values are: 1 if values of this list alone are common, less otherwise."""
    if detector.list is None:
        return 1.0
    core = wordlists.value_list(detector.list, "core")
    if not core:
        return min(1.0, 0.5 + 0.1 * int(accepted.sum()))
    special = wordlists.members(column.folded, core)
    if detector.regex:
        special |= accepted & ~wordlists.members(column.folded, wordlists.value_list(detector.list))
    kinds, share = int(special.sum()), column.share(special)
    if detector.entity == "GENDER":
        return 1.0 if kinds and column.n_distinct >= 2 else 0.5
    enough = min(1.0, 0.62 + 0.19 * min(kinds, 2)) if kinds else 0.3
    return enough if share >= 0.15 or kinds >= 3 else 0.45


def contained(column: Column, detector: Detector, n_cells: int, code: str = _WHOLE) -> Contained:
    """Return `n_cells` cells of `column` that a detector accepts; `code` is the fact that explains it."""
    proven = detector.validator is not None and validators.has_check_digit(detector.validator)
    kind = "check-digit" if proven else "pattern"
    clue = Clue(kind=kind, because=fact(code, title=Name(text=detector.title)))
    return Contained(
        entity=detector.entity,
        detail=detector.detail,
        n_cells=n_cells,
        share=column.exact(n_cells),
        evidence=(clue,),
    )
