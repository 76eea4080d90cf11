"""One column during detection: its values, the evidence on it, and the current verdict."""

from __future__ import annotations

from dataclasses import dataclass

from privaudit.detect.column import Column
from privaudit.detect.evidence import Evidence
from privaudit.detect.kinds.dates import Calendar
from privaudit.detect.verdict import Named
from privaudit.model import Verdict


@dataclass(slots=True)
class ColumnEvidence:
    """One column through the rounds of detection.

    Attributes
    ----------
    column : Column
    calendar : Calendar
        Its values read as dates.
    evidence : Evidence
        What the values show.
    named : dict
        What the column name suggests: strength, detail and clue by entity type.
    verdict : Verdict or None
        The current verdict; None for plain data.
    undecided_names : bool
        Whether the values have the form of person names and no detector could decide.
    """

    column: Column
    calendar: Calendar
    evidence: Evidence
    named: Named
    verdict: Verdict | None = None
    undecided_names: bool = False

    @property
    def entity(self) -> str | None:
        """Entity type of the verdict."""
        return None if self.verdict is None else self.verdict.entity
