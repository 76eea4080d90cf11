"""Object code of the build gives the results of Numba, for the types that are declared alone."""

import hashlib
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privaudit.risk.codes import compiler, machine_code, merging, merging_loops, sorted_keys, sorting_loops
from privaudit.risk.codes.packing import Packing
from privaudit.risk.kernel import partition, region_loops
from privaudit.risk.kernel.subsets import Prepared
from privaudit.risk.search.special_uniques import _Search

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.skipif(find_spec("numba") is None, reason="Numba is not installed")
BUILD = """
import sys
from pathlib import Path
from privaudit.risk.codes import machine_code
from privaudit.risk.kernel.compile_loops import compile_loops
machine_code.folder = lambda: Path(sys.argv[1])
compile_loops()
"""


def table(widths, *, weighted):
    rng, n = np.random.default_rng(1), 3000
    codes = tuple(rng.integers(0, width, n).astype(np.int32) for width in widths)
    weights = rng.integers(1, 4, n) if weighted else np.ones(n, np.int64)
    return Prepared(tuple(range(len(widths))), codes, tuple(widths), weights)


def call_every_loop():
    """Yield the results of all loops, for every combination of types."""
    for widest in (900, 70_000):
        for weighted in (False, True):
            widths = (2, 3, 40, 800, widest)
            found = partition.count_sets(table(widths, weighted=weighted), sizes=range(1, 5), top=6, threads=1)
            yield from (found.histogram, found.squares, found.smallest)
    for columns, widest in ((3, 900), (3, 70_000), (14, 900), (14, 70_000)):  # of 14 columns, 364 sets of 3 are counted
        made = table((widest, 50, *[2] * (columns - 2)), weighted=False)
        search = _Search(made, 3, 2, lambda *_: None)
        search.run()
        yield from (search.n_minimal, repr(sorted(search.by_set.items())))
    rng = np.random.default_rng(2)
    for space in (100, 1 << 45, 1 << 62):
        keys = rng.integers(0, space, 2000) & ~6
        yield from sorted_keys.number_keys(keys.copy(), space)
        yield from sorted_keys.sum_by_key(keys.copy(), np.ones(2000, np.int64), space)
        for words in (1, 2):
            word = np.repeat(keys[:, None], words, axis=1)[:, 0]
            sorted_keys.replace_codes(word, 3, 7, np.arange(8, dtype=np.int32)[::-1].copy())
            yield word
    rows, ones, packing = np.arange(2000, dtype=np.int32), np.ones((2000, 1), np.int64), Packing([2000])
    made = merging.merged_classes(rows[:, None].astype(np.int64), ones, ones, packing, {0: rows // 100})
    yield from made
    for labels in (made[0].astype(kind) for kind in (np.uint8, np.uint16, np.uint32)):
        yield from merging.values_of_classes(labels, np.ones(20, dtype=bool), rows, rows % 2, rows, 2)
    order = np.stack([np.arange(99), np.arange(99)[::-1]]).astype(np.int32)
    points, ones, up_to = np.arange(99)[:, None] * [1, -1] + [0, 98], np.ones(99, np.int64), np.arange(200)
    whole, windows = np.array([[0, 0]]), np.array([[[1], [1]], [[90], [90]]])
    for kind in (np.uint8, np.uint16, np.uint32):
        memory = [np.empty(n, np.int64) for n in (2, 2, 99)]
        made = [np.full((2, 1), -1) for _ in range(3)]
        given = points.astype(kind), ones, order, np.array([0, 99]), up_to, np.array([0, 100]), np.array([True, False])
        yield region_loops.most_saved(*given, whole, whole + 98, *windows, 3, *memory, *made)
        yield from made
    keys, word, base = rng.integers(0, 4, (90, 1)), np.array([3]), rng.random(90)
    bound, is_open, lengths = base / 2, rng.random(90) < 0.9, rng.integers(0, 9, 90)
    yield merging_loops.raise_bounds(keys, word, word, base, 0.25, bound, 0.9, is_open)
    yield from (bound, is_open.copy())
    yield merging_loops.close_finer(keys, word, word - 1, is_open)
    yield from (is_open, merging_loops.smallest_finer(keys, word, word - 1, lengths))


def report(folder, task):
    """Print what a process finds that reads the object code of `folder`."""
    machine_code.folder = lambda: Path(folder)
    compiler.LEAST_VISITS = compiler.Visits(0, 0, 0)
    task()


def results():
    digests = [hashlib.sha256(np.asarray(each).tobytes()).hexdigest()[:8] for each in call_every_loop()]
    print("numba" in sys.modules, *digests)


def types_called():
    for _ in call_every_loop():
        pass
    for loop in machine_code.LOOPS:
        called = loop.dispatcher.signatures
        loop.dispatcher.disable_compile(False)
        for types in loop.types:
            loop.dispatcher.compile(f"({', '.join(types)},)")
        print(loop.function.__name__, not loop.types or set(called) == set(loop.dispatcher.signatures))


def others_refused():
    """Call a loop with read-only arrays, those of another layout, alignment, type and number of axes, and no array."""
    sorting_loops.sum_runs.dispatcher = lambda *_: "by Numba"
    keys, sums = np.arange(6), np.zeros(6, np.int64)
    unaligned = np.zeros(49, np.uint8)[1:].view(np.int64)
    fixed = keys.copy()
    fixed.setflags(write=False)
    others = [
        fixed,
        keys[::2],
        unaligned,
        keys[:, None],
        *map(keys.astype, (np.int32, np.float64, ">i8")),
        list(keys),
        3,
    ]
    print(*[sorting_loops.sum_runs(each, 1, sums) for each in [keys.copy(), *others]], sep=", ")


def run(folder, task):
    code = f"from {__name__} import *; report({str(folder)!r}, {task.__name__})"
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder), "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("built") / "code"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-c", BUILD, folder], check=True, cwd=ROOT, env=environment, capture_output=True)
    return folder


@pytest.mark.slow
def test_object_code_gives_the_results_of_numba_without_loading_it(built, tmp_path):
    by_code, by_numba = run(built, results).split(), run(tmp_path, results).split()
    assert (by_code[0], by_numba[0]) == ("False", "True")
    assert by_code[1:] == by_numba[1:] and len(set(by_code)) > 30


@pytest.mark.slow
def test_every_loop_is_called_with_the_types_for_which_the_build_compiles_it(tmp_path):
    found = dict(line.split() for line in run(tmp_path, types_called).splitlines())
    assert set(found.values()) == {"True"}, found


@pytest.mark.slow
def test_arrays_of_other_types_are_left_to_numba(built):
    assert run(built, others_refused) == "3, " + ", ".join(["by Numba"] * 9) + "\n"


@pytest.mark.slow
def test_the_build_refuses_loops_that_need_more_than_the_processor(monkeypatch):
    from numba.core.errors import NumbaError

    from privaudit.risk.kernel import compile_loops

    monkeypatch.setattr(machine_code, "LOOPS", [])
    for function in (_raises, _allocates):
        loop = machine_code.compiled((machine_code.Int64s, machine_code.Int64s), n_results=1)(function)
        loop.dispatcher = compile_loops.njit(function)
        with pytest.raises((ValueError, NumbaError)):
            compile_loops._object_code("refused", [loop])


def test_object_code_of_another_source_is_not_found(monkeypatch, tmp_path):
    source = tmp_path / "loops.py"
    source.write_text("a = 1")
    monkeypatch.setattr(sorting_loops, "__file__", str(source))
    before = machine_code.object_file(sorting_loops.__name__)
    source.write_text("a = 2")
    assert machine_code.object_file(sorting_loops.__name__) != before


def test_object_code_counts_as_built_only_where_every_file_is_of_the_present_sources(monkeypatch, tmp_path):
    monkeypatch.setattr(machine_code, "folder", lambda: tmp_path / "none")
    assert not machine_code.is_built()
    modules = sorting_loops.__name__, merging_loops.__name__
    for outdated in (False, True):
        made = tmp_path / str(outdated)
        made.mkdir()
        monkeypatch.setattr(machine_code, "folder", lambda made=made: made)
        for module in modules:
            machine_code.object_file(module).touch()
        if outdated:
            (made / f"partition_loops-{'0' * 32}.o").touch()
        assert machine_code.is_built() != outdated


@given(at=st.floats(0, 1), is_cut=st.booleans())
def test_damaged_object_code_is_not_given_to_llvm(tmp_path_factory, at, is_cut):
    file, code = tmp_path_factory.mktemp("code") / "loops.o", bytes(range(100))
    machine_code.write_code(file, code)
    assert machine_code.read_code(file) == code
    content = bytearray(file.read_bytes())
    place = min(int(at * len(content)), len(content) - 1)
    content[place] ^= 1
    file.write_bytes(content[:place] if is_cut else content)
    with pytest.raises(OSError, match="damaged"):
        machine_code.read_code(file)


def test_object_code_is_not_used_where_numpy_lays_out_arrays_otherwise(monkeypatch):
    assert machine_code._arrays_have_the_fields()
    for field in ("DATA", "SHAPE", "STRIDES", "TYPE", "N_AXES", "FLAGS", "KIND"):
        with monkeypatch.context() as patch:
            # The object of the array is longer than the fields that are read, and all of them hold addresses or counts.
            patch.setattr(machine_code, field, machine_code.SHAPE if field != "SHAPE" else machine_code.STRIDES)
            assert not machine_code._arrays_have_the_fields(), field


@pytest.mark.parametrize("writable", [True, False])
def test_a_loop_that_the_build_did_not_compile_is_compiled_when_it_is_called(monkeypatch, tmp_path, writable):
    numba = machine_code._numba()
    real = numba.njit
    real(_twice)(1)  # the first compilation imports the rest of Numba, which must not see the replaced function

    def njit(**options):
        if options.get("cache") and not writable:
            raise RuntimeError("no locator available")
        return real(**options)

    monkeypatch.setattr(machine_code, "LOOPS", [])
    monkeypatch.setattr(machine_code, "folder", lambda: tmp_path)
    monkeypatch.setattr(numba, "njit", njit)
    assert machine_code.compiled(("i8",), n_results=1)(_twice)(21) == 42
    assert not list(tmp_path.iterdir())


def _twice(x):
    return 2 * x


def _raises(a, b):
    a[:] = b
    return 0


def _allocates(a, b):
    return len(np.zeros(len(a))) + b[0]
