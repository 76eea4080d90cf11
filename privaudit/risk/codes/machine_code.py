"""Loops in machine code, compiled when the package is built or else at their first call.

Question: how do loops run as machine code without being compiled in the first run of an installation?
Method: the build compiles each loop for the argument types declared with it, and for every processor of its
architecture, into files of Numba's cache. These files are loaded where the versions of Numba and Python, the
architecture and the source of the loop are those of the build. Otherwise Numba compiles a loop when it is first
called, and keeps the result in the cache of the user.
Limits: loading needs Numba, too. A call with other argument types than those declared is compiled at its first call.
"""

from __future__ import annotations

import hashlib
import sys
import sysconfig
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numba
from numba.core import event

from privaudit.base import compiled_rules, resources
from privaudit.base.process import LiftedBound

Int32s, Int64s, Bytes = numba.int32[::1], numba.int64[::1], numba.uint8[::1]
MATRICES = numba.uint16[:, ::1], numba.int32[:, ::1]
"""The types of a matrix of codes, for narrow and for wide columns."""

FOLDER = "machine_code"
BUILT_WITH = f"numba-{numba.__version__}-{sys.implementation.cache_tag}-{sysconfig.get_platform()}"
"""The folder of the files that this interpreter can load."""

LOOPS: list[tuple[Any, Sequence[tuple[Any, ...]]]] = []
"""Every loop, with the types of its arguments for which the build compiles it."""


class _CompilesUnbounded(event.Listener):  # type: ignore[misc]
    """Lifts the bound of memory while the compiler works: it ends the process where it cannot allocate."""

    def __init__(self) -> None:
        self._bound = LiftedBound()

    def on_start(self, event: Any) -> None:
        """Lift the bound."""
        self._bound.lift()

    def on_end(self, event: Any) -> None:
        """Put it in force again."""
        self._bound.restore()


event.register("numba:compiler_lock", _CompilesUnbounded())


def compiled(*types: tuple[Any, ...]) -> Callable[[Callable[..., Any]], Any]:
    """Let a function run as machine code, without the interpreter lock.

    Parameters
    ----------
    *types : tuple of Numba types
        The types of all arguments for which the build compiles the function.
    """

    def decorate(function: Callable[..., Any]) -> Any:
        try:
            loop = numba.njit(cache=True, nogil=True)(function)
        except RuntimeError:  # neither the folder of the package nor that of the user is writable
            loop = numba.njit(nogil=True)(function)
        LOOPS.append((loop, types))
        # Without compilation, for example under a debugger, the functions have no cache to replace.
        if folder().is_dir() and not numba.config.DISABLE_JIT:
            loop._cache = files_of_build(function, loop._cache)
        return loop

    return decorate


def folder() -> Path:
    """Return where the files of the build are: in ``build/`` of a checkout, next to ``rules/`` in a wheel."""
    return compiled_rules.place(resources.path(), FOLDER) / BUILT_WITH


class _Locator:
    """The folder of the build; a digest of the source shows whether its files are up to date."""

    def __init__(self, file: str) -> None:
        self._py_file = file

    @classmethod
    def from_function(cls, function: Callable[..., Any], file: str) -> _Locator:
        """Return where the files of a function of the source `file` are."""
        return cls(file)

    def ensure_cache_path(self) -> None:
        """Make the folder."""
        folder().mkdir(parents=True, exist_ok=True)

    def get_cache_path(self) -> str:
        """Return the folder."""
        return str(folder())

    def get_source_stamp(self) -> str:
        """Return what the files must have been made from."""
        return hashlib.sha256(Path(self._py_file).read_bytes()).hexdigest()

    def get_disambiguator(self) -> str:
        """Return the part of the names of files that distinguishes functions with the same name."""
        return "built"


def files_of_build(function: Callable[..., Any], users: Any = None) -> Any:
    """Return the cache of Numba for `function` that reads the files of the build first, then the cache `users`.

    Without `users` it writes the files of the build.
    """
    # Numba may rename these classes: files of the build exist only for the version that made them.
    from numba.core.caching import CompileResultCacheImpl, FunctionCache

    class Format(CompileResultCacheImpl):  # type: ignore[misc]
        _locator_classes = (_Locator,)

    class FilesOfBuild(FunctionCache):  # type: ignore[misc]
        _impl_class = Format

        def load_overload(self, types: Any, target: Any) -> Any:
            code = super().load_overload(types, target)
            return code if code is not None or users is None else users.load_overload(types, target)

        def save_overload(self, types: Any, code: Any) -> None:
            if users is None:
                super().save_overload(types, code._replace(type_annotation=""))  # it names the folder of the source
            else:
                users.save_overload(types, code)

        def _index_key(self, types: Any, codegen: Any) -> Any:
            # Files of the build run on any processor of the architecture: the name and features of the one that built
            # them do not count.
            types, (architecture, *_processor), digest = super()._index_key(types, codegen)
            return types, architecture, digest

    return FilesOfBuild(function)
