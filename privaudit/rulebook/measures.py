"""Every measure that checks refer to.

Question: which numbers can a check compare with a limit?
Method: importing this module registers the measures of its siblings, one family a module.
Limits: none of them touches data; they read the evidence.
"""

from __future__ import annotations

from privaudit.rulebook import (
    measures_classes,
    measures_columns,
    measures_identifiers,
    measures_run,
)
from privaudit.rulebook.scene import MEASURES

__all__ = ["MEASURES", "measures_classes", "measures_columns", "measures_identifiers", "measures_run"]
