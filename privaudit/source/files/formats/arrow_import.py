"""The functions of pyarrow without their documentation.

Question: how does a command load the functions of pyarrow in half the time?
Method: pyarrow reads the texts of its classes at each start and writes the documentation of 300 functions from them.
While it is imported, its parser of these texts finds none.
Limits: only for a process of the command line, where nobody asks for that documentation. A version of pyarrow that
needs more of the parser is imported as it is.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

PARSER = "pyarrow.vendored.docscrape"


class _NoText(dict[str, Any]):
    """A documentation without sections."""

    def __init__(self, _text: str) -> None:
        super().__init__(Parameters=[])


def import_functions() -> None:
    """Import the functions of pyarrow, without documentation unless its parser is loaded already."""
    if PARSER not in sys.modules:
        parser: Any = ModuleType(PARSER)
        parser.NumpyDocString = _NoText
        sys.modules[PARSER] = parser
        try:
            import pyarrow.compute
        except (AttributeError, ImportError, KeyError, TypeError):  # another version; it is imported below
            pass
        finally:
            del sys.modules[PARSER]
    import pyarrow.compute  # noqa: F401
