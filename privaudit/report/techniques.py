"""Techniques and their parameters, in the terms of the field.

Question: what is a remedy called, and how is it set?
Method: the names of ISO/IEC 20889. The parameters fill the sentence ``technique.<code>`` of the catalogue where there
is one; elsewhere they are listed as "name: value".
Limits: a technique without a standard name keeps its code.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from privaudit.model.wording import Name, Threshold, Value, fact
from privaudit.model.wording.numbers import in_full
from privaudit.model.wording.render import Wording
from privaudit.report.escape import name

TECHNIQUES = {
    "drop": "attribute suppression",
    "suppress_records": "record suppression",
    "mask": "masking",
    "pseudonymise": "pseudonymisation",
    "band": "generalisation, rounding",
    "prefix": "generalisation, truncation",
    "hierarchy_level": "generalisation, hierarchy",
    "merge_rare": "generalisation, combining values",
    "group_values": "generalisation, combining values",
    "round_date": "generalisation, rounding",
    "partial_mask": "partial masking",
    "round_number": "rounding",
    "renumber": "pseudonymisation, new numbers",
    "microaggregate": "microaggregation (MDAV)",
    "shift_dates": "date shift per person",
    "sample_records": "sampling of records",
    "sample_shares": "sampling from category shares",
    "sample_distribution": "sampling from a fitted distribution",
    "add_noise": "noise addition",
    "pram": "post-randomisation (PRAM)",
    "rank_swap": "rank swapping",
    "pca_mask": "PCA masking",
    "suppress_cells": "cell suppression",
    "recode_locally": "generalisation, local recoding",
    "mondrian": "generalisation, ranges by region (Mondrian)",
    "rename_columns": "new column names",
    "mask_text": "masking of personal values in text",
    "encrypt_digits": "format-preserving encryption (FF1)",
    "fake_names": "pseudonymisation, invented names",
    "keep_records": "record suppression by condition",
    "suppress_incomplete": "suppression of incomplete records",
    "cut": "generalisation, bands",
    "threshold": "generalisation, above a limit",
    "fake_email": "invented e-mail addresses",
    "fake_date": "invented dates",
    "fake_city": "invented cities",
    "fake_phone": "invented telephone numbers",
    "fake_id": "invented identifiers",
    "top_code": "top coding",
    "bottom_code": "bottom coding",
    "plan": "combined remedies",
}


_SENTENCES = {
    "band": "width",
    "top_code": "at",
    "bottom_code": "at",
    "prefix": "characters_kept",
    "round_date": "precision",
    "hierarchy_level": "level",
    "merge_rare": "below",
    "group_values": "below",
    "suppress_records": "below",
    "recode_locally": "below",
    "mondrian": "below",
    "plan": "suppress_below",
}
"""The techniques whose parameters fill a sentence, each with the parameter that the sentence needs."""


def technique(code: str) -> str:
    """Return the ISO/IEC 20889 name of a technique; its code where there is none."""
    return TECHNIQUES.get(code, name(code, 60).replace("_", " "))


def parameters(code: str, given: Mapping[str, Any], wording: Wording) -> list[str]:
    """Return the simple parameters of a technique: as its sentence, else by name; numbers of records as counts."""
    plain = (str, int, float, list, tuple)
    simple = {key: _joined(value) for key, value in given.items() if isinstance(value, plain)}
    required = _SENTENCES.get(code)
    if required is not None and required in simple:
        return [name(wording.text(fact(f"technique.{code}", **_values(code, simple))), 240)]
    return [
        f"{name(key, 40).replace('_', ' ')}: {_parameter(key, simple[key], wording)}"
        for key in sorted(simple)
    ]


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
    return Name(text=name(value, 120)) if isinstance(value, str) else Threshold(value=value)


def _parameter(key: str, value: str | int | float, wording: Wording) -> str:
    if isinstance(value, str):
        return name(value, 120)
    return wording.count(round(value)) if key.startswith("n_") else in_full(value)
