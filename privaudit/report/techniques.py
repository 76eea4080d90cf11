"""Techniques and their parameters, in the terms of the field.

Question: what is a remedy called, and how is it set?
Method: the names of ISO/IEC 20889. The parameters fill the sentence ``technique.<code>`` of the catalogue where there
is one; elsewhere they are listed as "name: value".
Limits: a technique without a standard name keeps its code.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from privaudit.base import resources
from privaudit.model.wording import Name, Threshold, Value, Wording, fact
from privaudit.model.wording.numbers import in_full
from privaudit.report.escape import name

_COMBINED = {"standard": "combined remedies", "sentence": "suppress_below"}
"""A plan of several techniques; its sentence needs the class size below which records are suppressed."""


@cache
def _declared(code: str) -> Mapping[str, str]:
    declared = resources.read_toml(resources.path("rules", "techniques.toml"))
    return declared["technique"].get(code, _COMBINED if code == "plan" else {})


def technique(code: str) -> str:
    """Return the ISO/IEC 20889 name of a technique; its code where there is none."""
    return _declared(code).get("standard", name(code, 60).replace("_", " "))


def parameters(code: str, given: Mapping[str, Any], wording: Wording) -> list[str]:
    """Return the simple parameters of a technique: as its sentence, else by name; numbers of records as counts."""
    plain = (str, int, float, list, tuple)
    simple = {key: _joined(value) for key, value in given.items() if isinstance(value, plain)}
    required = _declared(code).get("sentence")
    if required is not None and required in simple:
        return [name(wording.text(fact(f"technique.{code}", **_values(code, simple))), 240)]
    return [f"{name(key, 40).replace('_', ' ')}: {_parameter(key, simple[key], wording)}" for key in sorted(simple)]


def _joined(value: Any) -> str | int | float:
    """Return a list of texts or numbers as one text, a flag as yes or no; other lists are counted."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str | int | float):
        return value
    is_plain = all(isinstance(each, str | int | float) for each in value)
    return ", ".join(map(str, value)) if is_plain else len(value)


def _values(code: str, simple: Mapping[str, str | int | float]) -> dict[str, Value]:
    values = {key: _value(value) for key, value in simple.items()}
    ends = {key: values[key] for key in ("under", "over") if code == "band" and key in values}
    made: dict[str, Value] = {key: fact(f"technique.band_{key}", edge=edge) for key, edge in ends.items()}
    k_map = values.get("k_map") or values.get("suppress_below_k_map")
    if k_map is not None:
        made["population"] = fact("technique.population", k_map=k_map)
    return {**values, **made}


def _value(value: str | int | float) -> Value:
    return Name(name(value, 120)) if isinstance(value, str) else Threshold(value)


def _parameter(key: str, value: str | int | float, wording: Wording) -> str:
    if isinstance(value, str):
        return name(value, 120)
    return wording.count(round(value)) if key.startswith("n_") else in_full(value)
