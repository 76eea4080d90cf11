"""The methods of records and the regular expressions of all modules, for the build to compile."""

from __future__ import annotations

import gc
import importlib
import pkgutil
from contextlib import suppress
from pathlib import Path

from privaudit.base import compiled_code, patterns, records


def compile_code() -> Path:
    """Compile what the modules of the package state, and return the folder with the result."""
    for module in pkgutil.walk_packages([str(Path(__file__).parents[1])], "privaudit.", onerror=lambda _: None):
        with suppress(ImportError):  # of a package that is not installed
            importlib.import_module(module.name)
    stated = gc.get_objects()
    for one in stated:
        if isinstance(one, type):
            records.compile_methods(one)
    return compiled_code.keep(one.stated for one in stated if type(one) is patterns.Stated)
