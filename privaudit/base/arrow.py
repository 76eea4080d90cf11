"""Arrow, imported where it is first used: a command that reads no table starts without it.

Question: how does a module use Arrow without importing it at its top, or in each of its functions?
Method: `pa` and `pc` stand for `pyarrow` and `pyarrow.compute`. The first use of a name imports the library, and keeps
what it found.
Limits: other modules of Arrow, such as `pyarrow.parquet`, are imported by the few functions that need them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__all__ = ["is_text", "open_ipc", "pa", "pc", "value_type"]

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.compute as pc
else:

    class _Imported:
        """A module that is imported when something of it is asked for."""

        def __init__(self, name: str) -> None:
            self._name = name

        def __getattr__(self, name: str) -> Any:
            found = getattr(import_module(self._name), name)
            setattr(self, name, found)
            return found

    pa, pc = _Imported("pyarrow"), _Imported("pyarrow.compute")


def open_ipc(source: pa.NativeFile) -> pa.RecordBatchFileReader | pa.RecordBatchStreamReader:
    """Return the reader of an Arrow file, or of a stream where the first bytes are not those of a file."""
    source.seek(0)
    is_file = bytes(source.read(6)) == b"ARROW1"
    source.seek(0)
    return pa.ipc.open_file(source) if is_file else pa.ipc.open_stream(source)


def value_type(kind: Any) -> Any:
    """Return the type of the values of a column: of a dictionary, that of its values."""
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def is_text(kind: Any) -> bool:
    """Return whether cells of an Arrow type are text, in one of its three forms."""
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))
