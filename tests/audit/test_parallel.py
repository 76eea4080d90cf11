"""Columns that are measured side by side give what columns measured one after the other give."""

from __future__ import annotations

import signal
import sys
import threading
import time
from contextlib import ExitStack

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privaudit.base import parallel
from privaudit.detect.detection import detect
from privaudit.settings.config import Settings
from privaudit.source import from_arrow
from privaudit.source.cells.dictionaries import codes_of, counts_of, encoded
from privaudit.source.profile import profile


@given(st.lists(st.integers(), max_size=20), st.integers(1, 4))
def test_results_are_in_the_order_of_the_items(items, threads):
    started = []
    assert parallel.each(lambda i: -i, items, threads, started=started.append) == [-i for i in items]
    assert started == list(range(len(items)))


def test_the_largest_items_are_taken_first():
    taken, both = [], threading.Barrier(2, timeout=60)

    def measure(item):
        taken.append(item)
        if item > 1:
            both.wait()  # neither goes on to a smaller item before the other was taken
        return item

    assert parallel.each(measure, [0, 3, 1, 2], 2, size=lambda item: item) == [0, 3, 1, 2]
    assert set(taken[:2]) == {2, 3}


@pytest.mark.parametrize("threads", [1, 3])
def test_the_time_of_a_column_includes_the_threads_that_it_starts(threads, monkeypatch):
    clock = threading.local()
    monkeypatch.setattr(parallel.time, "thread_time", lambda: getattr(clock, "seconds", 0))

    def work(seconds):
        clock.seconds = getattr(clock, "seconds", 0) + seconds

    spent = {}
    with parallel.timed(spent, "a"):
        work(1)
        parallel.each(lambda i: parallel.each(work, [10 * i, 100 * i], threads), [1, 2], threads)
    with parallel.timed(spent, "b"):
        work(5)
    assert spent == pytest.approx({"a": 1 + 110 + 220, "b": 5})


@pytest.mark.parametrize("threads", [1, 2])
def test_a_task_that_was_begun_gives_its_result_or_its_error_when_it_is_waited_for(threads):
    with ExitStack() as resources:
        assert parallel.in_background(lambda: 7, threads, resources)() == 7

    def fail():
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), ExitStack() as resources:
        parallel.in_background(fail, threads, resources)()


def test_a_task_that_was_begun_runs_while_others_follow():
    goes_on = threading.Event()
    with ExitStack() as resources:
        wait = parallel.in_background(lambda: goes_on.wait(60), 2, resources)
        goes_on.set()  # a task that ran at once would have waited in vain
        assert wait() is True


def test_a_task_that_nobody_waits_for_has_ended_when_the_run_has():
    ended = []
    with ExitStack() as resources:
        parallel.in_background(lambda: (time.sleep(0.2), ended.append(True)), 2, resources)
    assert ended and not [thread for thread in threading.enumerate() if "ThreadPool" in thread.name]


@given(st.lists(st.integers(), max_size=5), st.integers(1, 3))
def test_tasks_run_together_return_their_results_in_order(items, threads):
    assert parallel.together(threads, *(lambda item=item: item for item in items)) == items


@pytest.mark.parametrize("threads", [1, 2])
def test_the_error_of_an_item_ends_the_run_and_leaves_no_thread(threads):
    with pytest.raises(ZeroDivisionError):
        parallel.each(lambda i: 1 // i, [1, 0, 2], threads)
    assert not [thread for thread in threading.enumerate() if "ThreadPool" in thread.name]


def test_a_thread_that_the_system_does_not_give_is_a_lack_of_memory(monkeypatch):
    def start(_thread):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", start)
    with pytest.raises(MemoryError):
        parallel.each(str, [1, 2], 2)


def test_the_number_of_threads_changes_no_profile_and_no_detection(monkeypatch):
    monkeypatch.setattr(parallel, "MANY_ROWS", 0)
    table = pa.table(
        {
            "name": [["Anna Brown", "Brian Costa", "Chen Diaz", None][i % 4] for i in range(60)],
            "email": [f"user{i}@example.org" for i in range(60)],
            "born": [f"19{40 + i % 50}-0{1 + i % 9}-11" for i in range(60)],
            "note": [f"called +2547{i:08d} on round {i}" for i in range(60)],
        }
    )

    def measured(threads):
        settings, dataset = Settings(ner=False, threads=threads), from_arrow(table)
        spent = {}
        profiles = profile(dataset, threads=threads, spent=spent)
        assert set(spent) == set(table.column_names) and min(spent.values()) >= 0
        return profiles, detect(dataset, profiles, settings)

    assert measured(1) == measured(3)


text = st.lists(st.one_of(st.none(), st.sampled_from(["a", "b", "c", "é"])), max_size=6)


@given(st.lists(text, max_size=5), st.booleans())
def test_codes_give_back_the_cells_whatever_the_chunks(chunks, own_dictionaries):
    arrays = [pa.array(chunk, pa.string()) for chunk in chunks]
    column = pa.chunked_array(arrays, pa.string())
    if own_dictionaries:
        kind = pa.dictionary(pa.int32(), pa.string())
        column = pa.chunked_array([array.dictionary_encode() for array in arrays], kind)
    codes, texts = codes_of(column)
    assert texts.take(codes).to_pylist() == [cell for chunk in chunks for cell in chunk]
    values, counts = counts_of(encoded(column))
    cells = [cell for chunk in chunks for cell in chunk if cell is not None]
    assert {value: n for value, n in zip(values.to_pylist(), counts.tolist(), strict=True) if n} == {
        cell: cells.count(cell) for cell in cells
    }


def test_an_interruptible_task_gives_its_result_or_its_error():
    assert parallel.interruptible(lambda: 3, lambda: None) == 3
    with pytest.raises(ZeroDivisionError):
        parallel.interruptible(lambda: 1 / 0, lambda: None)


@pytest.fixture
def on_interrupt():
    """Raise KeyboardInterrupt on SIGINT, which a shell ignores for what it starts in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def _is_stopped_by_an_interrupt() -> bool:
    stopped = threading.Event()

    def task():
        signal.raise_signal(signal.SIGINT)  # the handler runs in the main thread
        return stopped.wait(60)

    with pytest.raises(KeyboardInterrupt):
        parallel.interruptible(task, stopped.set)
    return stopped.is_set()


@pytest.mark.usefixtures("on_interrupt")
def test_an_interrupted_task_is_stopped_at_once():
    assert _is_stopped_by_an_interrupt()


def test_a_task_is_stopped_when_another_item_fails():
    begun, stopped = threading.Event(), threading.Event()

    def task():
        begun.set()
        return stopped.wait(60)

    def measure(fails):
        if fails:
            begun.wait(60)
            raise ValueError
        # Not only the item itself, but the items that it is measured by, are no longer needed.
        return parallel.each(lambda _: parallel.interruptible(task, stopped.set), [1, 2], 2)

    with pytest.raises(ValueError):  # noqa: PT011 - raised above without a text
        parallel.each(measure, [True, False], 2)
    assert stopped.is_set()


@pytest.mark.usefixtures("on_interrupt")
def test_no_moment_of_an_interrupt_leaves_a_task_that_does_not_end():
    """Threads change at every step of the interpreter, so that the interrupt arrives anywhere in what waits."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        assert all(_is_stopped_by_an_interrupt() for _ in range(30))
    finally:
        sys.setswitchinterval(before)
