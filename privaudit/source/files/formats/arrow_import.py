"""The functions of pyarrow, each made when it is first used, and without documentation.

Question: how does a command load the functions of pyarrow in a third of the time?
Method: at each start pyarrow makes 300 functions from those of its library, and writes their documentation from the
texts of its classes. While it is imported, its parser of these texts finds none, and its library lists the one function
that the module itself uses; the others are made when they are asked for.
Limits: only for a process of the command line, where nobody asks for that documentation or for a list of the functions.
A version of pyarrow that needs more is imported as it is.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

PARSER = "pyarrow.vendored.docscrape"
_KEYWORDS = {"and_": "and", "or_": "or"}


class _NoText(dict[str, Any]):
    """A documentation without sections."""

    def __init__(self, _text: str) -> None:
        super().__init__(Parameters=[])


def import_functions() -> None:
    """Import the functions of pyarrow, in parts and without documentation unless they are loaded already."""
    if "pyarrow.compute" not in sys.modules:
        parser: Any = ModuleType(PARSER)
        parser.NumpyDocString = _NoText
        sys.modules[PARSER] = parser
        try:
            _import_in_parts()
        except (AttributeError, ImportError, KeyError, TypeError):  # another version; it is imported below
            pass
        finally:
            del sys.modules[PARSER]
    import pyarrow.compute  # noqa: F401


def _import_in_parts() -> None:
    import pyarrow._compute as library

    whole: Any = library.function_registry

    class Part:
        """The functions that the module uses while it is imported."""

        def list_functions(self) -> list[str]:
            return ["utf8_zero_fill"]

        def get_function(self, name: str) -> Any:
            return whole().get_function(name)

    def __getattr__(name: str) -> Any:
        try:
            function = whole().get_function(_KEYWORDS.get(name, name))
        except KeyError:
            raise AttributeError(name) from None
        made = module._wrap_function(name, function)
        setattr(module, name, made)
        return made

    library.function_registry = Part
    try:
        import pyarrow.compute

        module: Any = pyarrow.compute
    finally:
        library.function_registry = whole
    module.function_registry, module.__getattr__ = whole, __getattr__
