"""What an attack is given, and what it returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from privaudit.model import Attack, ColumnReport, Limit
from privaudit.settings.config import Progress, Settings, silent

if TYPE_CHECKING:
    from privaudit.source.dataset import Dataset


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackInputs:
    """Everything that an attack may use; a field that is None was not given.

    Attributes
    ----------
    release : Dataset
        The scanned table.
    columns : tuple of ColumnReport
        Its columns as the scan describes them; may be empty.
    settings : Settings
    auxiliary : Dataset, optional
        A table that the attacker holds.
    progress : Progress
    """

    release: Dataset
    columns: tuple[ColumnReport, ...] = ()
    settings: Settings
    auxiliary: Dataset | None = None
    progress: Progress = silent


@dataclass(frozen=True, slots=True)
class AttackResults:
    """Simulated attacks, and what bounds their numbers."""

    attacks: tuple[Attack, ...] = ()
    limits: tuple[Limit, ...] = ()
