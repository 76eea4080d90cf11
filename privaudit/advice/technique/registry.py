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

NAMES = (
    "drop",
    "mask",
    "pseudonymise",
    "band",
    "prefix",
    "round_date",
    "hierarchy_level",
    "merge_rare",
    "group_values",
    "top_code",
    "bottom_code",
    "suppress_records",
    "suppress_cells",
    "recode_locally",
    "mondrian",
    "partial_mask",
    "round_number",
    "renumber",
    "microaggregate",
    "shift_dates",
    "sample_records",
    "sample_shares",
    "sample_distribution",
    "add_noise",
    "pram",
    "rank_swap",
    "pca_mask",
    "rename_columns",
    "encrypt_digits",
    "mask_text",
    "fake_names",
)


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
    found: Technique = importlib.import_module(f"privaudit.advice.technique.{name}").TECHNIQUE
    return found


def recode(name: str, column: Column, parameters: Mapping[str, Any]) -> Recoding:
    """Return what a technique that maps values makes of a column."""
    function = technique(name).recode
    assert function is not None, "a technique that maps values"
    return function(column, parameters)
