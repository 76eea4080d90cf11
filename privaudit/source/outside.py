"""Text that a file holds outside of the cells of its table, as a record.

Question: what is handed on of such text, and where may it be?
Limits: it is searched like a cell and never shown.
"""

from __future__ import annotations

from privaudit.base.records import dataclass


@dataclass(frozen=True, slots=True)
class Outside:
    """Text outside of the table. ``place`` is one of `PLACES`."""

    place: str
    text: str


PLACES = (
    "above",
    "envelope",
    "metadata",
    "dictionary",
    "properties",
    "comments",
    "sheet_settings",
    "workbook_parts",
    "views",
    "definitions",
    "deleted",
    "null_cells",
)
"""Codes of places; ``outside_<place>`` is their term in ``rules/wording/terms.toml``."""
