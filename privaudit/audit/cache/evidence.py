"""The evidence of an earlier run over the same table, and of this run for later ones.

Question: can this run judge what an earlier one measured?
Method: an entry holds the evidence before it was judged, and the measurements of pictures: records without cell
values, without findings and without a decision. Every run judges anew. An entry is written only by a run that ended
without an error and assessed everything, because what lacked memory or a package is to be tried again, and only if
reading it gives the same records, byte for byte. With a branch, only entries of runs of this branch are read, and runs
of other branches write none for it.
Limits: an entry that cannot be read counts as absent.
"""

from __future__ import annotations

import json
import os
from typing import Any

from privaudit.audit.cache.key import name_of
from privaudit.audit.cache.store import Store, folder_of
from privaudit.base.records import dataclass
from privaudit.base.typed import convert, plain
from privaudit.base.wire import Wire
from privaudit.model import Evidence
from privaudit.model.pictures import Pictures
from privaudit.settings.config import Settings


@dataclass(frozen=True, slots=True)
class Cache:
    """A cache folder, and whose entries count.

    Attributes
    ----------
    folder : path, or "user"
        "user" stands for the folder of privaudit among the caches of the user.
    branch : str
        The branch that decides about the run: only entries that runs of it wrote are read. "" where none does.
    writes : bool
        Whether the run may write entries: not if a branch decides about it that it is not a run of.
    """

    folder: str | os.PathLike[str]
    branch: str = ""
    writes: bool = True

    def check(self) -> None:
        """Raise `ConfigError` where others could write to the folder, before any work."""
        Store(folder_of(self.folder))

    def entry(
        self, source: Any, auxiliary: Any, population: Any, settings: Settings, *, in_order: bool
    ) -> Entry | None:
        """Return the place of the evidence of a run; None where no entry can stand for it.

        Raises
        ------
        ConfigError
            If others could write to the folder.
        """
        store = Store(folder_of(self.folder))
        name = name_of(
            source, auxiliary, population, settings, in_order=in_order, branch=self.branch, hasher=store.hasher
        )
        return None if name is None else Entry(store, name, self.writes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured(Wire):
    """What a run measured: its evidence before it was judged, and what its pictures show.

    ``has_advice`` states whether the search for remedies found or limited anything; None where there was none.
    """

    evidence: Evidence
    pictures: Pictures | None
    has_advice: bool | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """The place of the evidence of one run."""

    store: Store
    name: str
    writes: bool

    def read(self) -> Measured | None:
        """Return what an earlier run measured, or None if nothing valid is stored."""
        content = self.store.read(self.name)
        return None if content is None else _decoded(content)

    def write(self, measured: Measured) -> None:
        """Store what was measured completely, if the run may write and reading it would give the same again."""
        if not self.writes or any(limit.incomplete for limit in measured.evidence.limits):
            return
        content = _encoded(measured)
        again = None if content is None else _decoded(content)
        if content is not None and again is not None and _encoded(again) == content:
            self.store.write(self.name, content)


def _encoded(measured: Measured) -> bytes | None:
    """Return the records as JSON; None where JSON has no exact form of a value."""
    try:
        return json.dumps(plain(measured), allow_nan=False, separators=(",", ":")).encode()
    except (TypeError, ValueError):
        return None


def _decoded(content: bytes) -> Measured | None:
    try:
        found: Measured = convert(json.loads(content), Measured)
    except (TypeError, ValueError, RecursionError):
        return None
    return found
