"""Which combinations of quasi-identifiers single people out? Every combination up to a size, counted exactly.

Question: classes, k, uniques and records below each threshold for every set of quasi-identifiers.
Method: a kernel counts class sizes for all sets (`risk.kernel.partition`, or `risk.kernel.partition_arrays`
for little work); a set is *minimal* for k if some class is below k and no proper subset has such a class.
Limits: sets larger than `max_size` are not searched, except the set of all columns. A time budget, or a default
bound on work (`risk.search.work`), may exclude further sets; a limit states what was not searched.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from privaudit.base.records import dataclass
from privaudit.model import Combination, Limit
from privaudit.model.minimal import mark_minimal
from privaudit.risk.codes.class_sizes import ClassSizes, Exposure, separation
from privaudit.risk.codes.coded import CodedTable
from privaudit.risk.codes.compiler import worth_loading
from privaudit.risk.kernel.subsets import OutOfTime, Prepared, SetCounts, n_sets, prepare
from privaudit.risk.search.work import MOST_VISITS, Work, beyond_bound, bounded, out_of_time
from privaudit.settings.config import Progress, silent

LARGEST_WEIGHT = (1 << 31) - 1


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Every set that was counted, in no particular order of risk, and what was not searched.

    All sets of up to `largest` columns are among them, and maybe some of those of the next size.
    """

    combinations: tuple[Combination, ...]
    limits: tuple[Limit, ...]
    largest: int


def search(
    coded: CodedTable,
    *,
    max_size: int,
    thresholds: Sequence[int],
    k: int | None = None,
    budget: float | None = None,
    most_visits: int | None = MOST_VISITS,
    threads: int = 2,
    progress: Progress = silent,
) -> SearchResult:
    """Count the equivalence classes of every set of up to `max_size` columns, and of all columns together.

    Parameters
    ----------
    coded : CodedTable
        One column or more, one record or more.
    max_size : int
        Largest set searched.
    thresholds : sequence of int
        For each, the records in classes smaller than it are counted.
    k : int, optional
        Marks the minimal sets for this k; None leaves `minimal` null.
    budget : float, optional
        Seconds after which no larger size is started; a size that does not finish in time is omitted entirely.
    most_visits : int, optional
        Bound on the rows read, rows times sets; None for no bound.
    threads : int
        Threads of the kernel. No number depends on it.

    Returns
    -------
    SearchResult
    """
    table = prepare(coded)
    work = bounded([coded.cardinality(i) for i in range(len(coded.names))], max_size, coded.n_distinct, most_visits)
    wanted = tuple(sorted({2, *thresholds, *(() if k is None else (k,))}))
    deadline = None if budget is None else time.monotonic() + budget
    count = partial(_in_time, n_rows=coded.n_rows, top=max(wanted), threads=threads, deadline=deadline)
    counted, limits = _count(table, coded.names, work, budget, count, progress)
    smallest = {
        frozenset(coded.names[of.order[c]] for c in columns): k_min
        for of, part in counted
        for columns, k_min in zip(part.sets, part.smallest.tolist(), strict=True)
    }
    span = partial(_span, {frozenset(): coded.n_rows, **smallest})
    spanned = tuple(
        c for of, part in counted for c in combinations_of(coded.names, coded.n_rows, of.order, part, wanted, span)
    )
    if frozenset(coded.names) not in smallest:
        whole = full_set(coded, wanted)
        spanned = (*spanned, replace(whole, minimal_to=span(whole.columns)))
    done = max((len(part.sets[-1]) for of, part in counted if of is table), default=0)
    return SearchResult(spanned if k is None else mark_minimal(spanned, k), tuple(limits), done)


def _count(
    table: Prepared,
    names: Sequence[str],
    work: Work,
    budget: float | None,
    count: Callable[[Prepared, range], SetCounts | None],
    progress: Progress,
) -> tuple[list[tuple[Prepared, SetCounts]], list[Limit]]:
    """Run a kernel over all sizes at once, or size by size until the budget ends; each part with its columns."""
    limits = beyond_bound(names, work, len(table.weights))
    whole = range(1, work.largest + 1)
    steps = [(table, whole)] if budget is None else [(table, range(size, size + 1)) for size in whole]
    if work.columns:
        steps.append((table.among(work.columns), range(work.largest + 1, work.largest + 2)))
    total = sum(n_sets(of.n_columns, sizes[-1]) for of, sizes in steps)
    parts: list[tuple[Prepared, SetCounts]] = []
    for of, sizes in steps:
        progress("counting the classes of combinations", sum(len(part.sets) for _, part in parts) / total)
        counted = count(of, sizes)
        if counted is None:
            return parts, [out_of_time(names, sizes[0], work.requested, budget)]
        parts.append((of, counted))
    progress("counting the classes of combinations", 1.0)
    return parts, limits


def _in_time(
    table: Prepared, sizes: range, *, n_rows: int, top: int, threads: int, deadline: float | None
) -> SetCounts | None:
    """Return the counts; None where the deadline passed before they were complete."""
    try:
        return count_sets(table, n_rows, sizes, top, threads, deadline)
    except OutOfTime:
        return None


def count_sets(
    table: Prepared,
    n_rows: int,
    sizes: range,
    top: int,
    threads: int,
    deadline: float | None,
    *,
    with_last: bool = False,
) -> SetCounts:
    """Count with the kernel that is faster on this table, including the time to load the compiler."""
    visits = n_sets(table.n_columns, sizes[-1]) * len(table.weights)
    if n_rows > LARGEST_WEIGHT or not worth_loading(visits):
        from privaudit.risk.kernel import partition_arrays

        return partition_arrays.count_sets(table, sizes=sizes, top=top, deadline=deadline, with_last=with_last)
    from privaudit.risk.kernel import partition

    return partition.count_sets(table, sizes=sizes, top=top, threads=threads, deadline=deadline, with_last=with_last)


def combinations_of(
    names: Sequence[str],
    n: int,
    order: Sequence[int],
    part: SetCounts,
    thresholds: Sequence[int],
    span: Callable[[tuple[str, ...]], int | None] = lambda columns: None,
) -> list[Combination]:
    """Return the record of every set in `part`, over `n` records; column i of the kernel is ``names[order[i]]``.

    `span` returns `minimal_to` of a set of columns.
    """
    below = [part.below(k).tolist() for k in thresholds]
    keys = [str(k) for k in thresholds]
    classes = part.histogram.sum(axis=1).tolist()
    unique = part.histogram[:, 1].tolist()
    made = []
    for i, (found, squares, smallest) in enumerate(
        zip(part.sets, part.squares.tolist(), part.smallest.tolist(), strict=True)
    ):
        columns = tuple(names[j] for j in sorted(order[c] for c in found))
        made.append(
            Combination(
                columns=columns,
                n_classes=classes[i],
                k_min=smallest,
                n_unique=unique[i],
                share_unique=unique[i] / n,
                n_below=dict(zip(keys, [line[i] for line in below], strict=True)),
                mean_class_size=n / classes[i],
                distinction=classes[i] / n,
                separation=separation(n, squares),
                minimal_to=span(columns),
            )
        )
    return made


def full_set(coded: CodedTable, thresholds: Sequence[int]) -> Combination:
    """Return the counts of all columns together: every distinct row is a class."""
    return combination_of(coded.names, ClassSizes.of(coded.weights, n_rows=coded.n_rows), thresholds)


def combination_of(columns: tuple[str, ...], sizes: ClassSizes, thresholds: Sequence[int]) -> Combination:
    """Return the record of one set of columns from its class sizes."""
    return exposed_combination(
        columns, sizes, thresholds, sizes.n_rows, sizes.n_classes, sizes.mean_size, sizes.separation
    )


def exposed_combination(
    columns: tuple[str, ...],
    exposure: Exposure,
    thresholds: Iterable[int],
    n_records: int,
    n_classes: int,
    mean_class_size: float,
    separation: float | None,
) -> Combination:
    """Return the record of one set of columns whose classes do not show how exposed the records or people are."""
    return Combination(
        columns=columns,
        n_classes=n_classes,
        k_min=exposure.k_min,
        n_unique=exposure.n_unique,
        share_unique=exposure.n_unique / exposure.n_rows,
        n_below=exposure.below_each(thresholds),
        mean_class_size=mean_class_size,
        distinction=n_classes / n_records,
        separation=separation,
    )


def minimal_spans(combinations: Iterable[Combination], n_rows: int) -> tuple[Combination, ...]:
    """Set `minimal_to` of each combination: it is minimal for every k above its smallest class, up to `minimal_to`.

    Removing a column never makes the smallest class smaller. A set is minimal for k if its own smallest class
    is below k and those of all sets with one column less are not: ``k_min < k <= minimal_to``, which is the
    smallest k_min among these (n for a single column: without columns all records are in one class).

    Returns
    -------
    tuple of Combination, in the order given; `minimal_to` is null where a set with one column less is not known
    """
    known = list(combinations)
    smallest: dict[frozenset[str], int] = {frozenset(): n_rows}
    smallest.update((frozenset(c.columns), c.k_min) for c in known)
    return tuple(replace(c, minimal_to=_span(smallest, c.columns)) for c in known)


def _span(smallest: Mapping[frozenset[str], int], columns: tuple[str, ...]) -> int | None:
    """Return the smallest k_min of the sets with one column less; None where one of them is not known."""
    whole, least = frozenset(columns), smallest[frozenset()]
    for name in columns:
        size = smallest.get(whole - {name})
        if size is None:
            return None
        least = min(least, size)
    return least
