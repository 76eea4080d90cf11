"""The techniques by name.

Method: a technique is a module of this package with a record ``TECHNIQUE``, imported on first use.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from functools import cache
from typing import Any

from privaudit.advice.technique.column import Column
from privaudit.advice.technique.recoding import Recoding
from privaudit.advice.technique.record import Technique
from privaudit.base.errors import ConfigError

_FOLDERS = {
    "": (
        "drop", "mask", "pseudonymise", "prefix", "round_date", "hierarchy_level", "merge_rare", "group_values",
        "suppress_cells", "recode_locally", "mondrian", "partial_mask", "renumber", "shift_dates", "sample_shares",
        "pram", "rename_columns", "encrypt_digits", "mask_text",
    ),
    "records": ("keep_records", "suppress_records", "suppress_incomplete", "sample_records"),
    "numbers": (
        "band", "cut", "threshold", "top_code", "bottom_code", "round_number", "microaggregate", "sample_distribution",
        "add_noise", "rank_swap", "pca_mask",
    ),
    "invented": ("fake_names", "fake_email", "fake_date", "fake_city", "fake_phone", "fake_id"),
}  # fmt: skip
"""The techniques by the folder of their module; "" is the folder of this module."""
_MODULES = {
    name: f"{folder}.{name}" if folder else name for folder, modules in _FOLDERS.items() for name in modules
}
NAMES = tuple(_MODULES)


def names() -> tuple[str, ...]:
    """Return the names of all techniques."""
    return NAMES


@cache
def technique(name: str) -> Technique:
    """Return a technique by its name.

    Raises
    ------
    ConfigError
        If there is none of this name.
    """
    if name not in NAMES:
        raise ConfigError(f'Unknown technique "{name}".', hint=f"use one of: {', '.join(NAMES)}")
    found: Technique = importlib.import_module(f"privaudit.advice.technique.{_MODULES[name]}").TECHNIQUE
    return found


def recode(name: str, column: Column, parameters: Mapping[str, Any]) -> Recoding:
    """Return what a technique that maps values makes of a column."""
    function = technique(name).recode
    assert function is not None, "a technique that maps values"
    return function(column, parameters)
