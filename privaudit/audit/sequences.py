"""The lists of a report as a program reads them: findings, combinations and remedies, each also as a frame.

Question: how are the parts of a report filtered, printed and tabulated?
Method: tuples of records with a short text and one frame each; a frame has its columns also where it has no rows.
Limits: a frame shows the numbers that readers ask for first; the records have the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from privaudit.base.errors import ConfigError
from privaudit.base.extras import FRAMES
from privaudit.model import SEVERITIES, Combination, Finding, Remedy, Severity, reaches

if TYPE_CHECKING:
    import pandas as pd


class Findings(tuple[Finding, ...]):
    """The findings of a report, worst first."""

    __slots__ = ()

    def __repr__(self) -> str:
        counts = [(sum(f.severity == severity for f in self), severity) for severity in reversed(SEVERITIES)]
        return f"Findings({', '.join(f'{n} {severity}' for n, severity in counts if n) or 'none'})"

    def at_least(self, severity: Severity) -> Findings:
        """Return the findings of `severity` or worse."""
        if severity not in SEVERITIES:
            raise ConfigError(f'Unknown severity "{severity}".', hint=f"use one of: {', '.join(SEVERITIES)}")
        return Findings(found for found in self if reaches(found.severity, severity))

    def with_code(self, code: str) -> Findings:
        """Return the findings of one check."""
        return Findings(found for found in self if found.code == code)

    def to_frame(self) -> pd.DataFrame:
        """Return one row per finding, with the sentence as text."""
        names = ("code", "name", "columns", "severity", "status", "observed", "limit", "n_people", "n_total", "message")
        at = {"columns": "subject"}
        rows = (
            tuple(str(f.message) if name == "message" else getattr(f, at.get(name, name)) for name in names)
            for f in self
        )
        return frame(names, list(rows))


class Combinations(tuple[Combination, ...]):
    """The combinations of quasi-identifiers of a report, worst first."""

    __slots__ = ()

    def __repr__(self) -> str:
        worst = f"; worst {' + '.join(self[0].columns)}: k = {self[0].k_min}" if self else ""
        return f"Combinations({len(self)}{worst})"

    def to_frame(self) -> pd.DataFrame:
        """Return one row per combination: columns, k, uniques, classes, share below the k of the policy."""
        names = ("columns", "k_min", "n_unique", "share_unique", "n_classes", "mean_class_size", "share_below_k")
        return frame(names, [tuple(getattr(one, name) for name in names) for one in self])


class Advice(tuple[Remedy, ...]):
    """The measured remedies of a report, best first."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"Advice({len(self)} remedies)" if self else "Advice(none)"

    def to_frame(self) -> pd.DataFrame:
        """Return one row per remedy: what to do, loss, findings resolved, k and records below it."""
        counts = ("k_min", "n_below_k")
        names = ["technique", "columns", "remedy", "utility_cost", "resolves", "passes"]
        names += [f"{name}_{when}" for when in ("before", "after") for name in counts]
        rows = [
            (
                *(one.technique, one.columns, str(one.text), one.utility_cost),
                *(tuple(found.code for found in one.resolves), one.passes),
                *(effect.get(name) for effect in (one.before, one.after) for name in counts),
            )
            for one in self
        ]
        return frame(names, rows)


def frame(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> pd.DataFrame:
    """Return rows as a frame.

    Raises
    ------
    ConfigError
        If pandas is not installed.
    """
    try:
        import pandas
    except ImportError:
        raise ConfigError("A frame needs an extra that is not installed.", hint=FRAMES.install) from None
    return pandas.DataFrame(list(rows), columns=list(names))
