"""Loops are called with the types for which the build compiles them, and are compiled where it did not."""

import numpy as np
import pytest

pytest.importorskip("numba")

from privaudit.risk.codes import machine_code, merging, merging_loops, sorted_keys, sorting_loops
from privaudit.risk.codes.packing import Packing
from privaudit.risk.kernel import partition, unique_steps_compiled
from privaudit.risk.kernel.subsets import Prepared
from privaudit.risk.search.special_uniques import _Search


def table(widths, *, weighted):
    rng, n = np.random.default_rng(1), 3000
    codes = tuple(rng.integers(0, width, n).astype(np.int32) for width in widths)
    weights = rng.integers(1, 4, n) if weighted else np.ones(n, np.int64)
    return Prepared(tuple(range(len(widths))), codes, tuple(widths), weights)


def call_every_loop(monkeypatch):
    monkeypatch.setattr("privaudit.risk.codes.compiler.LOAD_FROM_VISITS", 0)
    for widest in (900, 70_000):
        for weighted in (False, True):
            widths = (2, 3, 40, 800, widest)
            partition.count_sets(table(widths, weighted=weighted), sizes=range(1, 5), top=6, threads=1)
    for columns, widest in ((3, 900), (3, 70_000), (14, 900), (14, 70_000)):  # of 14 columns, 364 sets of 3 are counted
        made = table((widest, 50, *[2] * (columns - 2)), weighted=False)
        _Search(made, 3, 2, lambda *_: None).run()
    rng = np.random.default_rng(2)
    for space in (100, 1 << 45, 1 << 62):
        keys = rng.integers(0, space, 2000) & ~6
        sorted_keys.number_keys(keys.copy(), space)
        sorted_keys.sum_by_key(keys.copy(), np.ones(2000, np.int64), space)
        for words in (1, 2):
            word = np.repeat(keys[:, None], words, axis=1)[:, 0]
            sorted_keys.replace_codes(word, 3, 7, np.zeros(8, np.int32))
    rows, ones, packing = np.arange(2000, dtype=np.int32), np.ones((2000, 1), np.int64), Packing([2000])
    made, *_ = merging.merged_classes(rows[:, None].astype(np.int64), ones, packing, {0: rows // 100})
    for labels in (made.astype(kind) for kind in (np.uint8, np.uint16, np.uint32)):
        merging.values_of_classes(labels, np.ones(20, dtype=bool), rows, rows % 2, rows, 2)
    keys, words, bound = np.zeros((4, 1), np.int64), np.zeros(1, np.int64), np.zeros(4)
    merging_loops.raise_bounds(keys, words, words, bound, 0.5, bound.copy(), np.inf, np.ones(4, dtype=bool))
    merging_loops.close_finer(keys, words, words, np.ones(4, dtype=bool))
    merging_loops.smallest_finer(keys, words, words, np.ones(4, np.int64))


@pytest.mark.slow
def test_every_loop_is_called_with_the_types_for_which_the_build_compiles_it(monkeypatch):
    call_every_loop(monkeypatch)
    loops = {loop.py_func: types for loop, types in machine_code.LOOPS}
    for module in (partition.loops, merging_loops, sorting_loops, unique_steps_compiled):
        for loop in (each for each in vars(module).values() if getattr(each, "py_func", None) in loops):
            declared = set(loops[loop.py_func])
            assert set(loop.signatures) == declared or not declared, loop.py_func.__name__


@pytest.mark.parametrize("writable", [True, False])
def test_a_loop_that_the_build_did_not_compile_is_compiled_when_it_is_called(monkeypatch, tmp_path, writable):
    real = machine_code.numba.njit
    real(_twice)(1)  # the first compilation imports the rest of Numba, which must not see the replaced function

    def njit(**options):
        if options.get("cache") and not writable:
            raise RuntimeError("no locator available")
        return real(**options)

    monkeypatch.setattr(machine_code, "LOOPS", [])
    monkeypatch.setattr(machine_code, "folder", lambda: tmp_path)
    monkeypatch.setattr(machine_code.numba, "njit", njit)
    assert machine_code.compiled()(_twice)(21) == 42
    assert not list(tmp_path.iterdir())


def _twice(x):
    return 2 * x
