"""What changed between two reports, as records.

Question: what does the comparison of two reports hand to its readers?
Limits: holds the two reports and no cell value.
"""

from __future__ import annotations

from typing import Literal

from privaudit.base.records import dataclass
from privaudit.model.judgement import Finding
from privaudit.model.report import Report

State = Literal["new", "worse", "better", "same", "gone", "not_measured"]


Number = float | int | str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingChange:
    """A finding of one report or of both, and its state."""

    state: State
    old: Finding | None = None
    new: Finding | None = None

    @property
    def finding(self) -> Finding:
        """The finding of the new report; of the old one where the new one has none."""
        found = self.new or self.old
        assert found is not None, "a change has a finding"
        return found

    @property
    def before(self) -> Number:
        """The value that was observed in the old report."""
        return None if self.old is None else self.old.observed

    @property
    def after(self) -> Number:
        """The value that was observed in the new report."""
        return None if self.new is None else self.new.observed


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberChange:
    """A number or a setting of the whole table before and after; None where it was not measured."""

    name: str
    before: Number
    after: Number


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnChange:
    """What changed about a column: ``what`` is "added", "removed", or the property that differs."""

    column: str
    what: str
    before: str | None = None
    after: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Differences:
    """The differences between two reports.

    ``failing`` are the new and worse findings that fail; ``exit_code`` is 0, 1 where some do, or 3 where the new report
    could not assess something that the old one could.
    """

    old: Report
    new: Report
    tolerance: float
    findings: tuple[FindingChange, ...]
    numbers: tuple[NumberChange, ...]
    columns: tuple[ColumnChange, ...]
    failing: tuple[Finding, ...]
    exit_code: int

    def in_state(self, state: State) -> tuple[FindingChange, ...]:
        """Return the findings in one state, the worst first."""
        return tuple(item for item in self.findings if item.state == state)
