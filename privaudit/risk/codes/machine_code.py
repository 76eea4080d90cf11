"""Loops in machine code, compiled when the package is built or else at their first call.

Question: how do loops run as machine code without being compiled, and without loading a compiler?
Method: the build compiles each loop for the argument types declared with it, and for every processor of its
architecture (`privaudit.risk.kernel.compile_loops`). A run loads this object code with llvmlite, which takes a
twentieth of the time of Numba. A loop is entered with the addresses of NumPy's array objects: the code reads data
addresses, shapes and strides from them [1]_. The name of a file contains a digest of its source, so that an outdated
file is not found. Numba compiles a loop that has no object code at its first call, and keeps the result in the cache of
the user.
Limits: a loop neither allocates nor raises; the build checks this. A call with other types of arrays than those
declared is compiled by Numba.

References
----------
.. [1] NumPy reference, C API, ``PyArrayObject``.
"""

from __future__ import annotations

import ctypes
import os
import platform
import struct
import sys
from collections.abc import Callable
from functools import cache, cached_property
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

import numpy as np

from privaudit.base import compiled_rules, resources
from privaudit.base.process import LiftedBound

Int32s, Int64s, Bytes = "i4[::1]", "i8[::1]", "u1[::1]"
"""Types as Numba writes them, with the names of NumPy."""
MATRICES = "u2[:, ::1]", "i4[:, ::1]"
"""The types of a matrix of codes, for narrow and for wide columns."""

DATA, N_AXES, SHAPE, STRIDES, TYPE, FLAGS = (object.__basicsize__ + field for field in (0, 8, 16, 24, 40, 48))
"""Where an array of NumPy has its fields."""
KIND, KIND_MASK = object.__basicsize__ + 8, 0xFFFFFF
"""Where an array's type holds three letters: kind, type and byte order."""
FOLDER = "machine_code"
BUILT_FOR = f"{EXTENSION_SUFFIXES[0].split('.')[1]}-{platform.machine()}"
"""The binary interface of this interpreter: object code reads its objects."""

_unbounded, _loading = LiftedBound(), Lock()


class _Entry(NamedTuple):
    """How a loop is entered for one combination of types."""

    block: type[ctypes.Array[ctypes.c_int64]]
    pack: Callable[..., None]
    enter: Callable[..., int]


class Loop:
    """A function that runs as machine code, without the interpreter lock.

    Parameters
    ----------
    function : function
    types : tuple of tuples of str
        The combinations of argument types for which the build compiles the loop.
    n_results : int
        Number of integers that the loop returns.
    """

    def __init__(self, function: Callable[..., Any], types: tuple[tuple[str, ...], ...], n_results: int) -> None:
        self.function, self.types, self.n_results = function, types, n_results
        self._numbers = [i for i, each in enumerate(types[0]) if "[" not in each] if types else []

    def __call__(self, *arguments: Any) -> Any:
        """Run the loop."""
        for block, pack, enter in self._entries:
            values = list(map(id, arguments))  # the addresses of the arrays
            for i in self._numbers:
                values[i] = arguments[i]
            words = block()
            pack(words, 0, *values)
            if enter(ctypes.addressof(words)):
                return words[0] if self.n_results == 1 else tuple(words[: self.n_results])
        return self.dispatcher(*arguments)

    def load(self) -> None:
        """Load the object code, or else Numba, before the first call."""
        if not self._entries:
            _ = self.dispatcher

    @cached_property
    def dispatcher(self) -> Any:
        """The loop as Numba compiles it, when it is first called with some types."""
        numba = _numba()
        try:
            return numba.njit(cache=True, nogil=True)(self.function)
        except RuntimeError:  # neither the folder of the package nor that of the user is writable
            return numba.njit(nogil=True)(self.function)

    @property
    def _numba_type_(self) -> Any:
        """What Numba compiles where one loop calls another."""
        return self.dispatcher._numba_type_

    def symbol(self, i: int) -> str:
        """Return the name of the object code for the i-th combination of types."""
        return f"{self.function.__name__}.{i}"

    @cached_property
    def _entries(self) -> list[_Entry]:
        """An entry for each combination of types, which returns 0 for other arrays; none without object code."""
        engine = _loaded(self.function.__module__) if self.types else None
        if engine is None:
            return []
        entries = []
        for i, types in enumerate(self.types):
            pack = struct.Struct("".join("d" if each == "f8" else "q" for each in types)).pack_into
            enter = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)(engine.get_function_address(self.symbol(i)))
            entries.append(_Entry(ctypes.c_int64 * max(len(types), self.n_results), pack, enter))
        return entries


LOOPS: list[Loop] = []
"""Every loop of the modules that were imported."""


def compiled(*types: tuple[str, ...], n_results: int = 0) -> Callable[[Callable[..., Any]], Loop]:
    """Let a function run as machine code; see `Loop`."""

    def decorate(function: Callable[..., Any]) -> Loop:
        LOOPS.append(Loop(function, types, n_results))
        return LOOPS[-1]

    return decorate


def folder() -> Path:
    """Return where the files of the build are: in ``build/`` of a checkout, next to ``rules/`` in a wheel."""
    return compiled_rules.place(resources.path(), FOLDER) / BUILT_FOR


def is_built() -> bool:
    """Whether the build made object code for this interpreter, from the sources as they are now."""
    return _is_current(folder())


@cache
def _is_current(made: Path) -> bool:
    files = sorted(made.glob("*.o")) if os.path.isdir(made) else []  # isdir: a folder may be unreadable
    sources = [list(Path(__file__).parents[1].glob(f"*/{file.stem.rpartition('-')[0]}.py")) for file in files]
    return bool(files) and all(
        len(found) == 1 and file.name == _name(found[0]) for file, found in zip(files, sources, strict=True)
    )


def object_file(module: str) -> Path:
    """Return the file with the object code of the loops in a module.

    Raises
    ------
    OSError
        If the source of the module cannot be read.
    """
    return folder() / _name(Path(str(sys.modules[module].__file__)))


def _name(source: Path) -> str:
    """Return the name of the object code of a module: it contains a digest of its source and of this module's."""
    from hashlib import sha256

    content = Path(__file__).read_bytes() + source.read_bytes()
    return f"{source.stem}-{sha256(content).hexdigest()[:32]}.o"


def write_code(file: Path, code: bytes) -> None:
    """Write object code after its digest, whole or not at all."""
    compiled_rules.write(file, _digest(code) + code)


def read_code(file: Path) -> bytes:
    """Return the object code of a file.

    Raises
    ------
    OSError
        The file is missing, or its content is not what was written: LLVM would end the process.
    """
    content = file.read_bytes()
    n = len(_digest(b""))
    if _digest(content[n:]) != content[:n]:
        raise OSError("damaged object code")
    return content[n:]


def _digest(code: bytes) -> bytes:
    from hashlib import sha256

    return sha256(code).digest()


def _loaded(module: str) -> Any:
    """Return the engine that holds the object code of a module; None where it cannot be used."""
    with _loading:  # an engine that a second thread made in vain would be freed, and its code with it
        return _engine(module)


@cache
def _engine(module: str) -> Any:
    _unbounded.lift()  # LLVM ends the process where it cannot allocate
    try:
        import llvmlite.binding as llvm

        code = llvm.ObjectFileRef.from_data(read_code(object_file(module)))
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        machine = llvm.Target.from_default_triple().create_target_machine(jit=True)
        engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
        engine.add_object_file(code)
        engine.finalize_object()
    except (ImportError, OSError, RuntimeError):  # not installed; no file, or an older one; not for this machine
        return None
    finally:
        _unbounded.restore()
    return engine if _arrays_have_the_fields() else None


def kind_of(dtype: np.dtype[Any]) -> int:
    """Return the letters of a type as NumPy has them in memory."""
    return int.from_bytes(f"{dtype.kind}{dtype.char}{dtype.byteorder}".encode(), "little")


def _arrays_have_the_fields() -> bool:
    """Whether NumPy lays out arrays as the object code reads them."""
    sample = np.zeros((2, 3), np.int32)

    def word(address: int) -> int:
        return ctypes.c_int64.from_address(address).value

    def axes(field: int) -> tuple[int, ...]:
        return tuple(word(word(id(sample) + field) + 8 * axis) for axis in range(sample.ndim))

    found = word(id(sample) + DATA), axes(SHAPE), axes(STRIDES)
    counts = [ctypes.c_int32.from_address(id(sample) + field).value for field in (N_AXES, FLAGS)]
    kind = word(word(id(sample) + TYPE) + KIND) & KIND_MASK
    stated = sample.ctypes.data, sample.shape, sample.strides
    return found == stated and counts == [sample.ndim, sample.flags.num] and kind == kind_of(sample.dtype)


@cache
def _numba() -> Any:
    """Return Numba, whose compiler works without a bound of memory: it ends the process where it cannot allocate."""
    import numba
    from numba.core import event

    class Unbounded(event.Listener):  # type: ignore[misc]
        def on_start(self, event: Any) -> None:
            _unbounded.lift()

        def on_end(self, event: Any) -> None:
            _unbounded.restore()

    event.register("numba:compiler_lock", Unbounded())
    return numba
