"""A scan lets the garbage collector wait, and leaves its thresholds as the program had them."""

import gc
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pandas as pd
import pytest

import privaudit
from privaudit.base.garbage import MANY, rarely_collected


@pytest.fixture(autouse=True)
def restored():
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)


@pytest.mark.parametrize("stated", [(700, 10, 10), (0, 10, 10), (300_000, 5, 5)])
def test_thresholds_are_raised_only_while_something_runs(stated):
    gc.set_threshold(*stated)
    with rarely_collected():
        assert gc.get_threshold() == (MANY if stated[0] == 700 else stated)
    assert gc.get_threshold() == stated


def test_the_last_of_several_threads_restores_them():
    gc.set_threshold(700, 10, 10)
    both = Barrier(2, timeout=60)

    def run(stays: bool) -> tuple[int, int, int]:
        with rarely_collected():
            both.wait()
            if stays:
                both.wait()
                return gc.get_threshold()
        both.wait()
        return MANY

    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(run, (True, False))) == [MANY, MANY]
    assert gc.get_threshold() == (700, 10, 10)


def test_what_the_program_sets_meanwhile_stays():
    gc.set_threshold(700, 10, 10)
    with rarely_collected():
        gc.set_threshold(900, 9, 9)
    assert gc.get_threshold() == (900, 9, 9)


def test_a_scan_restores_them_also_where_it_fails():
    gc.set_threshold(700, 10, 10)
    privaudit.scan(pd.DataFrame({"age": [30, 40]}))
    with pytest.raises(privaudit.PrivauditError):
        privaudit.scan(pd.DataFrame())
    assert gc.get_threshold() == (700, 10, 10)


def test_a_choice_of_the_program_between_two_calls_stays():
    gc.set_threshold(700, 10, 10)
    with rarely_collected():
        gc.set_threshold(900, 9, 9)
        with rarely_collected():
            assert gc.get_threshold() == (900, 9, 9)
    assert gc.get_threshold() == (900, 9, 9)
