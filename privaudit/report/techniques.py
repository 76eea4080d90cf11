"""Techniques and their parameters, as a reader knows them.

Question: what is a remedy called, and how is it set?
Method: the names of ISO/IEC 20889; parameters as "name: value".
Limits: a technique without a standard name keeps its code.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from privaudit.report.escape import name
from privaudit.wording.numbers import in_full
from privaudit.wording.render import Wording

TECHNIQUES = {
    "drop": "attribute suppression",
    "suppress_records": "record suppression",
    "mask": "masking",
    "pseudonymise": "pseudonymisation",
    "band": "generalisation, rounding",
    "prefix": "generalisation, truncation",
    "hierarchy_level": "generalisation, hierarchy",
    "merge_rare": "generalisation, combining values",
    "round_date": "generalisation, rounding",
    "top_code": "top coding",
    "bottom_code": "bottom coding",
    "plan": "combined remedies",
}


def technique(code: str) -> str:
    """Return the ISO/IEC 20889 name of a technique; its code where there is none."""
    return TECHNIQUES.get(code, name(code, 60).replace("_", " "))


def parameters(given: Mapping[str, Any], wording: Wording) -> list[str]:
    """Return the simple parameters of a remedy, sorted by name; numbers of records as counts."""
    simple = {key: value for key, value in given.items() if isinstance(value, str | int | float)}
    return [
        f"{name(key, 40).replace('_', ' ')}: {_parameter(key, simple[key], wording)}"
        for key in sorted(simple)
    ]


def _parameter(key: str, value: str | int | float, wording: Wording) -> str:
    if isinstance(value, str):
        return name(value, 120)
    return wording.count(round(value)) if key.startswith("n_") else in_full(value)
