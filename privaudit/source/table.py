"""What every reader hands over: a table as its source has it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from privaudit.model import Limit
from privaudit.source.surroundings import Outside

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, slots=True)
class Read:
    """A table as a reader found it, before names are made printable and types text.

    ``declared`` gives the kind of columns by position where the reader knows it; ``outside`` is text besides the table.
    """

    table: pa.Table
    names: tuple[str | None, ...]
    limits: tuple[Limit, ...] = ()
    declared: tuple[tuple[int, str], ...] = ()
    outside: tuple[Outside, ...] = ()
