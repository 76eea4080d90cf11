"""The records that cross a stage border: frozen, plain, without cell values.

Question: what does one stage hand to the next?
Method: standard-library dataclasses whose field names are the keys of ``report.json`` (`base.wire` has the rule).
The report is written from these records and read back into them, and its JSON Schema is derived from them, so the
three cannot drift apart. Reasons and messages are facts: a code and typed values (`privaudit.model.wording`).
Limits: no I/O. No record may hold a cell value or anything from which one follows; column names are the only text
that comes from the table. Imports `base`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # what `__getattr__` finds
    from privaudit.model.attacks import *
    from privaudit.model.columns import *
    from privaudit.model.judgement import *
    from privaudit.model.lattice_search import *
    from privaudit.model.report import *
    from privaudit.model.risk import *
    from privaudit.model.severity import *
    from privaudit.model.stats import *
    from privaudit.model.unit import *
    from privaudit.model.vocabulary.records import *
    from privaudit.model.vocabulary.statements import *

_HOMES = (
    "vocabulary.records", "vocabulary.statements", "stats", "columns", "risk", "attacks", "lattice_search",
    "judgement", "severity", "unit", "report",
)  # fmt: skip
"""The modules that declare the records; those that import fewer of the others come first."""


def __getattr__(name: str) -> Any:
    # On first use: the command line needs the vocabulary and the wording, and no record.
    from importlib import import_module, util

    # A module of this package is asked for by the import of it, which would load all records otherwise.
    for home in _HOMES if util.find_spec(f"{__name__}.{name}") is None else ():
        found = vars(import_module(f"{__name__}.{home}"))
        if name in found:
            return globals().setdefault(name, found[name])
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
