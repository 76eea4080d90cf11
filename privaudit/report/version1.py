"""Upgrade a report.json of schema version 1 to the current version.

Question: how do older reports stay readable?
Method: keys that were renamed are renamed, sentences become facts with the code ``legacy.text``, and a flat attack
becomes the part that all attacks share and its detail. Limits that a judgement added are marked, so that judging the
report again drops them.
Limits: sentences of version 1 have no typed values, so the public edition withholds them.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Mapping
from typing import Any

from privaudit.model import SCHEMA_VERSION as CURRENT
from privaudit.model.attacks import EXPECTED, LinkageDetail
from privaudit.model.wording.render import LEGACY, LEGACY_JUDGED

SCHEMA_VERSION = "1"

Json = dict[str, Any]

_HEADER_REJECTED = "its name suggests"
_JUDGED = re.compile(r"[A-Z]{3}[0-9]{3} [a-z-]+$|records below k|entity [A-Z]|advice$|Three-digit ZIP areas")
_LINKAGE = {field.name for field in dataclasses.fields(LinkageDetail)} - {"kind"}


def upgrade(report: Mapping[str, Any]) -> Json:
    """Return a report of version 1 as one of the current version; keys that are missing stay missing.

    A value of the wrong type is left as it is, for the validation of the current version to report.
    """
    upgraded = dict(report) | {"schema_version": CURRENT}
    parts: dict[str, Callable[[Any], Any]] = {
        "columns": _each(_column),
        "risk": _risk,
        "attacks": _each(_attack),
        "findings": _each(lambda item: _with_facts(item, "message")),
        "controls": _each(_control),
        "advice": _each(_remedy),
        "limits": _each(_limit),
        "gate": lambda item: _with_facts(item, "reasons"),
    }
    return upgraded | {key: part(upgraded[key]) for key, part in parts.items() if key in upgraded}


def _each(part: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda items: [part(item) for item in items] if isinstance(items, list) else items


def _fact(text: Any) -> Any:
    return {"code": LEGACY, "values": {"text": _name(text)}} if isinstance(text, str) else text


def _name(text: str) -> Json:
    return {"text": text, "type": "name"}


def _with_facts(item: Any, *keys: str) -> Any:
    """Return a record with the sentences under `keys` as facts."""
    if not isinstance(item, dict):
        return item
    made = {
        key: _each(_fact)(item[key]) if isinstance(item[key], list) else _fact(item[key])
        for key in keys
        if key in item
    }
    return item | made


def _column(item: Any) -> Any:
    column = _with_facts(item, "role_because", "unassessed")
    if not isinstance(column, dict):
        return column
    if "facts" in column:
        column["measurements"] = column.pop("facts")
    if isinstance(column.get("is"), dict):
        column["is"] = _verdict(column["is"])
    for key, part in (("contains", _verdict), ("rejected", _rejected)):
        if key in column:
            column[key] = _each(part)(column[key])
    return column


def _verdict(item: Any) -> Any:
    if not isinstance(item, dict) or "evidence" not in item:
        return item
    return item | {"evidence": _each(lambda clue: _with_facts(clue, "because"))(item["evidence"])}


def _rejected(item: Any) -> Any:
    rejected = _with_facts(item, "because")
    if isinstance(rejected, dict) and str(item.get("because")).startswith(_HEADER_REJECTED):
        rejected["because"] = {"code": "detect.header_rejected", "values": {}}
        rejected["because"]["values"] = {"entity": {"code": str(item.get("entity")), "type": "entity_type"}}
    return rejected


def _remedy(item: Any) -> Any:
    remedy = _with_facts(item, "text")
    if isinstance(remedy, dict) and isinstance(remedy.get("resolves"), list):
        codes = remedy["resolves"]
        remedy = remedy | {"resolves": [{"code": c} if isinstance(c, str) else c for c in codes]}
    return remedy


def _risk(item: Any) -> Any:
    if not isinstance(item, dict):
        return item
    risk = dict(item)
    if "entity" in risk:
        risk["subject"] = risk.pop("entity")
    if isinstance(risk.get("diversity"), dict):
        risk["diversity"] = {column: _diversity(found) for column, found in risk["diversity"].items()}
    return risk


def _diversity(item: Any) -> Any:
    """Return diversity with delta-disclosure over all values; version 1 had it over the values of each class only.

    It is unbounded where some class lacks a value of the table: where the fewest values of a class are not all.
    """
    if not isinstance(item, dict) or not isinstance(item.get("delta_disclosure"), int | float):
        return item
    least, values = item.get("l_distinct"), item.get("n_values")
    if not isinstance(least, int) or not isinstance(values, int):
        return item
    present, is_unbounded = item["delta_disclosure"], least < values
    return item | {
        "delta_disclosure": None if is_unbounded else present,
        "delta_disclosure_unbounded": is_unbounded,
        "delta_disclosure_present": present,
    }


def _attack(item: Any) -> Any:
    if not isinstance(item, dict):
        return item
    shared = {key: value for key, value in item.items() if key not in _LINKAGE}
    detail = {key: value for key, value in item.items() if key in _LINKAGE} | {"kind": "linkage"}
    if isinstance(detail.get("reasons"), dict):
        detail["reasons"] = {column: _fact(why) for column, why in detail["reasons"].items()}
    success = shared.get("success")
    if detail.get("n_correct") is None and isinstance(success, dict):
        method = str(success.get("method"))
        shared["success"] = success | {
            "method": method if method.startswith(EXPECTED) else f"{EXPECTED}-{method}"
        }
    return shared | {"detail": detail}


def _control(item: Any) -> Any:
    if not isinstance(item, dict) or not isinstance(item.get("why"), str):
        return item
    return item | {"why": [_fact(item["why"])] if item["why"] else []}


def _limit(item: Any) -> Any:
    if not isinstance(item, dict) or not all(isinstance(item.get(key), str) for key in ("what", "why")):
        return item
    values = {"what": _name(item["what"]), "why": _name(item["why"])}
    code = LEGACY_JUDGED if _JUDGED.match(item["what"]) else LEGACY
    return {"code": code, "values": values, "incomplete": item.get("incomplete", False)}
