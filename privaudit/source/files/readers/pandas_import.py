"""Keep pyarrow from importing what a scan does not need, for processes that run nothing but privaudit.

Question: why does a scan of a CSV file load pandas, and the masked arrays of NumPy?
Method: the first time pyarrow is handed a Python object it imports pandas to ask whether the object is a Series,
which takes longer than reading most tables. It asks once; during that call the import of pandas fails. It also asks of
each array whether it is masked: none is before `numpy.ma` is imported, which happens when anything else of it is used.
Limits: afterwards pyarrow no longer recognises a Series on its own, only through ``from_pandas``. So this is called
by the command line and the reader process, never in a program of the user.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from privaudit.base.arrow import pa


def skip_pandas() -> None:
    """Let pyarrow decide now that there is no pandas, unless pandas is loaded already."""
    if "pandas" in sys.modules:
        return
    finder = _NoPandas()
    sys.meta_path.insert(0, finder)
    try:
        pa.array([None])
    finally:
        sys.meta_path.remove(finder)
    if find_spec("dateutil") is None:
        # pyarrow would look for it on disk with every Python value that it is handed.
        sys.modules["dateutil"] = None  # type: ignore[assignment]
    vars(import_module("numpy")).setdefault("ma", _NoMaskedArrays("numpy.ma"))


class _NoPandas:
    """An importer that finds no pandas."""

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> None:
        """Refuse pandas, leave the rest to others."""
        if fullname == "pandas":
            raise ModuleNotFoundError(name=fullname)


class _NoMaskedArrays(ModuleType):
    """Stands for `numpy.ma` until it is imported, which puts it in this place."""

    class MaskedArray:
        """No array is one."""

    def is_masked(self, _array: object) -> bool:
        """Return whether an array has masked cells."""
        return False

    def __getattr__(self, name: str) -> Any:
        return getattr(import_module("numpy.ma"), name)
