"""Methods of records and regular expressions that the build compiled, so that no run compiles them.

Question: how does a process get the methods and the expressions that it uses, without compiling a text at each start?
Method: the build compiles what all modules state (`code_of_modules`). The code is kept under its text, an expression's
under its flags, too (`compiled_tables`); what is not kept is compiled.
Limits: the code of another version of Python does not count.
"""

from __future__ import annotations

import _sre  # type: ignore[import-not-found]
import importlib.util
import re
from array import array
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from types import CodeType
from typing import Any

from privaudit.base import compiled_tables

NAME = "code"
_functions: dict[str, CodeType] = {}
_KEY = (importlib.util.MAGIC_NUMBER + _sre.MAGIC.to_bytes(4, "little")).ljust(compiled_tables.KEY_SIZE, b"\0")


def function(text: str) -> CodeType:
    """Return the code of the one function that a text defines."""
    if text not in _functions:
        found = _kept().get(text)
        _functions[text] = _compiled_function(text) if found is None else compiled_tables.unpacked(found)
    return _functions[text]


def expression(text: str | bytes, flags: int = 0) -> re.Pattern[Any]:
    """Return what `re.compile` returns."""
    found = _kept().get((text, int(flags)))
    if found is None:
        return re.compile(text, flags)
    all_flags, code, *groups = compiled_tables.unpacked(found)
    made: re.Pattern[Any] = _sre.compile(text, all_flags, array("I", code).tolist(), *groups)
    return made


def keep(expressions: Iterable[tuple[str | bytes, int]]) -> Path:
    """Keep the functions that this process asked for, and expressions, and return the folder with them."""
    code: dict[Any, bytes] = {text: compiled_tables.packed(made) for text, made in _functions.items()}
    for text, flags in expressions:
        code[text, int(flags)] = compiled_tables.packed(_compiled_expression(text, flags))
    compiled_tables.keep(NAME, _KEY, code)
    return compiled_tables.folder()


@cache
def _kept() -> dict[Any, bytes]:
    return compiled_tables.kept(NAME, _KEY) or {}


def _compiled_function(text: str) -> CodeType:
    known: dict[str, Any] = {}
    exec(text, known)  # as `dataclasses` does: the text has names of fields only
    del known["__builtins__"]
    (made,) = known.values()
    code: CodeType = made.__code__
    return code


def _compiled_expression(text: str | bytes, flags: int) -> tuple[Any, ...]:
    """Return what `re` hands to the engine that it runs on, the code as bytes."""
    from re import _compiler  # type: ignore[attr-defined]

    handed: list[tuple[Any, ...]] = []

    class Engine:
        def __getattr__(self, name: str) -> Any:
            return getattr(_sre, name)

        def compile(self, *stated: Any) -> re.Pattern[Any]:
            handed.append(stated)
            made: re.Pattern[Any] = _sre.compile(*stated)
            return made

    _compiler._sre = Engine()
    try:
        _compiler.compile(text, flags)
    finally:
        _compiler._sre = _sre
    (_text, all_flags, code, *groups) = handed[0]
    return (int(all_flags), array("I", code).tobytes(), *groups)
