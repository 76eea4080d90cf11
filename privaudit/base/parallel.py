"""The columns of a large table are measured side by side.

Question: how are all cores used for one table?
Method: one thread takes one column; Arrow and NumPy release the lock of the interpreter while they work. Results are in
the order of the columns, so the number of threads changes no result.
`in_background` runs a task while the stages that do not need its result run; `interruptible` runs a task of a library
that does not check for signals.
Limits: a small table is measured by one thread, because starting threads takes longer.
"""

from __future__ import annotations

import _thread
import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator, MutableMapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

Spent = MutableMapping[str, float]
"""Seconds of processor time by column."""
LANGUAGE_MODEL = "(language model)"
"""What the language model took in all columns, apart from the time of each."""

MANY_ROWS = 50_000
HUGE_ROWS = 4_000_000
"""Rows from which two measures of all rows at the same time would take a gigabyte more than one after the other."""
MOST_THREADS = 8
WAIT_SECONDS = 0.1
"""Time after which a thread that waits for another looks whether the result is still needed."""


def threads_for(n_rows: int, threads: int | None) -> int:
    """Return the threads for a table of `n_rows`; `threads` is the setting."""
    return 1 if n_rows < MANY_ROWS else all_threads(threads)


def threads_for_measures(n_rows: int, threads: int | None) -> int:
    """Return the threads for measures of all rows, which use several threads themselves where the table is huge."""
    return 1 if n_rows >= HUGE_ROWS else threads_for(n_rows, threads)


def all_threads(threads: int | None) -> int:
    """Return the threads for work that is large whatever the table; `threads` is the setting."""
    return threads or min(os.cpu_count() or 1, MOST_THREADS)


def each(
    measure: Callable[[Item], Result],
    items: Sequence[Item],
    threads: int,
    *,
    started: Callable[[int], None] = lambda i: None,
    size: Callable[[Item], float] = lambda item: 0,
) -> list[Result]:
    """Return ``measure(item)`` of each item, in their order; `started` is called with each number, in ascending order.

    Items of the largest `size` are taken first, so that no thread begins a large one when the others are done. An
    error of one item ends the rest.

    Raises
    ------
    MemoryError
        If the system does not give a thread.
    """
    if threads == 1 or len(items) < 2:
        return list(_one_by_one(measure, items, started))
    from concurrent.futures import ThreadPoolExecutor

    group = _Group(_this_thread.group)
    with ThreadPoolExecutor(threads) as pool:
        taken = sorted(range(len(items)), key=lambda i: -size(items[i]))
        try:
            submitted = {i: pool.submit(_with_time, measure, items[i], group) for i in taken}
        except RuntimeError:  # the memory, or the number of threads, does not allow another thread
            raise MemoryError from None
        waiting = [submitted[i] for i in range(len(items))]
        try:
            return list(_one_by_one(lambda future: _credit(*future.result()), waiting, started))
        finally:
            group.has_ended = True
            pool.shutdown(cancel_futures=True)


def together(threads: int, *tasks: Callable[[], Any]) -> list[Any]:
    """Return what each of `tasks` returns; they run side by side where there are several threads."""
    return each(lambda task: task(), tasks, threads)


def in_background(task: Callable[[], Result], threads: int, resources: ExitStack) -> Callable[[], Result]:
    """Start `task` in a new thread and return a function that waits for its result, or raises its error.

    With ``threads == 1`` the task runs at once, in this thread. `resources` waits for the thread when it is closed.

    Raises
    ------
    MemoryError
        If the system does not give a thread.
    """
    if threads == 1:
        result = task()
        return lambda: result
    from concurrent.futures import ThreadPoolExecutor

    try:
        return resources.enter_context(ThreadPoolExecutor(1)).submit(task).result
    except RuntimeError:
        raise MemoryError from None


def interruptible(task: Callable[[], Result], stop: Callable[[], None]) -> Result:
    """Return the result of `task`, which runs in a new thread; where this one is interrupted, `stop` ends it.

    `stop` is also called where this thread measures one of several items and another of them failed. It must make the
    task return or raise, and may be called before the task begins and several times.

    Raises
    ------
    MemoryError
        If the system does not give a thread.
    """
    group, ended = _this_thread.group, _Ended()
    results: list[tuple[Result, float]] = []

    def run() -> None:
        with ended:
            results.append(_with_time(lambda _: task(), None, group))

    try:
        try:
            _thread.start_new_thread(run, ())
        except RuntimeError:
            with ended:
                raise MemoryError from None
        while not ended.is_done:
            if not ended.wait() and group is not None and not group.is_needed:
                stop()
    finally:
        while not ended.is_done:
            stop()
            ended.wait()
    if ended.error is not None:
        raise ended.error
    return _credit(*results[0])


class _Ended:
    """Whether a block of another thread has ended, and its error, which is raised in the thread that waits.

    An interrupt that arrives while a condition of `threading`, or a future, is entered leaves it locked: the other
    thread would wait for it without end. A lock of the interpreter is either taken or not.
    """

    def __init__(self) -> None:
        self.is_done = False
        self.error: BaseException | None = None
        self._runs = _thread.allocate_lock()
        self._runs.acquire()

    def __enter__(self) -> None:
        pass

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> bool:
        self.error, self.is_done = error, True
        self._runs.release()
        return True

    def wait(self) -> bool:
        """Return whether the block ended within WAIT_SECONDS."""
        return self._runs.acquire(timeout=WAIT_SECONDS)


class _Group:
    """Items that are measured side by side: when one fails or the run is interrupted, the others are not needed."""

    def __init__(self, parent: _Group | None) -> None:
        self._parent, self.has_ended = parent, False

    @property
    def is_needed(self) -> bool:
        return not self.has_ended and (self._parent is None or self._parent.is_needed)


class _Thread(threading.local):
    """What a thread works for.

    Attributes
    ----------
    helped_seconds : float
        Processor time that other threads spent for this one.
    group : _Group or None
        The items of which it measures one.
    """

    helped_seconds = 0.0
    group: _Group | None = None


_this_thread = _Thread()


def _with_time(measure: Callable[[Item], Result], item: Item, group: _Group | None) -> tuple[Result, float]:
    """Return a result, and the processor time that this thread and those that helped it spent on it."""
    _this_thread.group = group
    before = time.thread_time() + _this_thread.helped_seconds
    result = measure(item)
    return result, time.thread_time() + _this_thread.helped_seconds - before


def _credit(result: Result, seconds: float) -> Result:
    """Return the result of another thread, whose time counts as spent for this one."""
    _this_thread.helped_seconds += seconds
    return result


@contextmanager
def timed(spent: Spent | None, column: str, *, apart_from: str | None = None) -> Iterator[None]:
    """Add the processor time that the block takes, in this thread and those that it starts, to what `column` took.

    It is not counted for the column `apart_from`, in whose block this one is.
    """
    before = time.thread_time() + _this_thread.helped_seconds
    try:
        yield
    finally:
        if spent is not None:
            took = time.thread_time() + _this_thread.helped_seconds - before
            spent[column] = spent.get(column, 0.0) + took
            if apart_from is not None:
                spent[apart_from] = spent.get(apart_from, 0.0) - took


def _one_by_one(
    measure: Callable[[Item], Result], items: Sequence[Item], started: Callable[[int], None]
) -> Iterable[Result]:
    for number, item in enumerate(items):
        started(number)
        yield measure(item)
