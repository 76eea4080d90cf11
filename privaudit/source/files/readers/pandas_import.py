"""Keep pyarrow from importing what a scan does not need, for processes that run nothing but privaudit.

Question: why does a scan of a CSV file load pandas?
Method: the first time pyarrow is handed a Python object it imports pandas to ask whether the object is a Series,
which takes longer than reading most tables. It asks once; during that call the import of pandas fails.
Limits: afterwards pyarrow no longer recognises a Series on its own, only through ``from_pandas``. So this is called
by the command line and the reader process, never in a program of the user.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec

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


class _NoPandas:
    """An importer that finds no pandas."""

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> None:
        """Refuse pandas, leave the rest to others."""
        if fullname == "pandas":
            raise ModuleNotFoundError(name=fullname)
