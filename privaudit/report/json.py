"""report.json: the complete report, written from the records and read back into them.

Question: how does a report travel to another program, and back?
Method: `plain` turns records into dicts, lists, text and numbers, keys in the order of the records and free
mappings in natural order; the same report gives the same bytes. Facts and limits also get their sentences in English
(``text``; ``what`` and ``why``), which are ignored on reading. A file whose digest does not
match is not read.
Limits: keys that a newer version added are ignored on reading; a value of the wrong type is an error.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math
from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, cast

from privaudit.base.errors import UnreadableSource
from privaudit.base.patterns import Expression
from privaudit.base.typed import Refused, validated
from privaudit.base.wire import wire_name
from privaudit.model import SCHEMA_VERSION, Limit, Report
from privaudit.model.headers import shown_file
from privaudit.model.wording import Edition, Fact
from privaudit.report.escape import json_text
from privaudit.report.sentences import wording_of

SCHEMA_ID = f"report.v{SCHEMA_VERSION}.schema.json"
MAX_BYTES = 256 * 1024 * 1024
_DIGITS = Expression(r"(\d+)")


def plain(value: object, derived: Callable[[object], dict[str, str]] | None = None) -> Any:
    """Return a record, or anything inside one, as dicts, lists, text, numbers, booleans and None.

    Parameters
    ----------
    derived : function, optional
        Returns further keys of a record.

    Raises
    ------
    TypeError
        If something has none of these forms; the message names the type, not the value.
    """
    if value is None or isinstance(value, (bool, int)):
        return value
    if isinstance(value, str):
        # A file name may contain bytes that are not text; they cannot be written as UTF-8.
        return value if value.isascii() else value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    fields = _fields(cast(Hashable, type(value)))
    if fields is not None:
        made = {key: plain(getattr(value, name), derived) for key, name in fields}
        further = None if derived is None else derived(value)
        return made | further if further else made
    if isinstance(value, (list, tuple)):
        return [plain(item, derived) for item in value]
    if isinstance(value, Mapping):
        return {plain(str(key)): plain(value[key], derived) for key in _in_order(value)}
    item = getattr(value, "item", None)
    if callable(item):
        return plain(item())
    raise TypeError(f"a report cannot contain a {type(value).__name__}")


def text_of(content: object) -> str:
    """Return what `plain` returned, or a mapping of that, as the text of a JSON file: two spaces of indent."""
    return json.dumps(content, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def _in_order(value: Mapping[Any, Any]) -> Iterable[Any]:
    return sorted(value, key=_natural) if len(value) > 1 else value


def _natural(key: object) -> list[tuple[int, int, str]]:
    # "5" before "11", so that thresholds read in ascending order.
    parts = _DIGITS.split(str(key))
    return [(0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts if part]


@cache
def _fields(kind: Hashable) -> tuple[tuple[str, str], ...] | None:
    """Return the keys and names of the fields of a record; None for another type."""
    if not dataclasses.is_dataclass(kind):
        return None
    return tuple((wire_name(field.name), field.name) for field in dataclasses.fields(kind))


def _with_sentences(report: Report) -> Any:
    """Return a report as plain values, with the sentences of its facts and limits."""
    wording = wording_of(report)

    def derived(value: object) -> dict[str, str]:
        if isinstance(value, Fact):
            return {"text": plain(wording.text(value))}
        if isinstance(value, Limit):
            return {"what": plain(wording.what(value)), "why": plain(wording.why(value))}
        return {}

    return plain(report, derived)


def render(report: Report, edition: Edition = "full") -> str:
    """Return `report` as JSON text: two spaces of indent, floats in their shortest exact form, then a line feed."""
    return json_text(text_of(_data(report)))


def digest_of(report: Report) -> str:
    """Return the digest of the JSON of a report, or of the public edition of one."""
    return str(_data(report)["digest"])


_last: tuple[Report, dict[str, Any]] | None = None
"""The report that was written last: its page, which states the digest, and its file follow each other."""


def _data(report: Report) -> dict[str, Any]:
    global _last
    last = _last
    if last is not None and last[0] is report:
        return last[1]
    data: dict[str, Any] = _with_sentences(report)
    data["digest"] = digest(data)
    _last = report, data
    return data


def digest(data: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a report as canonical JSON: sorted keys, no blanks, UTF-8.

    The digest itself and what may differ between two equal runs, the date and the timings, are not part of it.
    """
    # Sorted and without blanks: a reader in any language can write the same bytes.
    content = {key: value for key, value in data.items() if key not in ("digest", "generated_at", "timings")}
    text = json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def is_report(path: Path) -> bool:
    """Whether a file is JSON with the parts of a report, whatever their contents."""
    try:
        if path.stat().st_size > MAX_BYTES:
            return False
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(content, dict) and {"schema_version", "dataset", "findings", "gate"} <= set(content)


def read(path: str | Path) -> Report:
    """Read a report.json.

    Raises
    ------
    UnreadableSource
        If the file is missing, is not JSON, has another schema version or shape, or its digest does not match: it was
        damaged or changed by accident. Whoever edits a report can compute the digest anew; `gate --verify` finds that.
    """
    source = Path(path)
    name = shown_file(source)
    data = _load(_content(source), name)
    if not _is_untouched(data):
        raise UnreadableSource(
            f"{name} was changed after it was written: its digest does not match.", hint="scan the table again"
        )
    return _report(data, name)


def _is_untouched(data: Mapping[str, Any]) -> bool:
    try:
        return bool(data.get("digest") == digest(data))
    except (ValueError, RecursionError):
        return False


def _content(source: Path) -> bytes:
    try:
        if source.stat().st_size > MAX_BYTES:
            raise UnreadableSource(f"{shown_file(source)} is larger than a report can be (256 MiB).")
        return source.read_bytes()
    except (OSError, ValueError):
        raise UnreadableSource(f"{shown_file(source)} cannot be opened.", hint="does the file exist?") from None


def _report(data: Mapping[str, Any], name: str) -> Report:
    try:
        report: Report = validated(data, Report)
    except Refused as error:
        where = _place(error.place)
        raise UnreadableSource(
            f"{name} is not a privaudit report: {where} is missing or not of the expected type.",
            hint="it must be the report.json of a scan, unchanged",
        ) from None
    # The types fit, but a fact may still lack a value that its sentence names.
    _check_sentences(report, name)
    return report


def _check_sentences(report: Report, name: str) -> None:
    """Raise where a sentence in the file cannot be filled: the rest of the program may rely on it."""
    try:
        _with_sentences(report)
    except (ValueError, KeyError, TypeError, RecursionError):
        raise UnreadableSource(
            f"{name} is not a privaudit report: a sentence in it does not fit its values.",
            hint="it must be the report.json of a scan, unchanged",
        ) from None


def _load(content: bytes, name: str) -> dict[str, Any]:
    hint = "give the .json report of a scan"
    try:
        data = json.loads(content)
    except (ValueError, RecursionError):
        raise UnreadableSource(f"{name} is not JSON.", hint=hint) from None
    version = data.get("schema_version") if isinstance(data, dict) else None
    if version is None:
        raise UnreadableSource(f"{name} is JSON, but not a privaudit report.", hint=hint)
    # Not read halfway: a field that is missing would be taken for one that was not measured.
    if version != SCHEMA_VERSION:
        raise UnreadableSource(
            f"{name} has a schema version that this program does not read (it reads {SCHEMA_VERSION}).",
            hint="read it with the version of privaudit that wrote it, or scan again",
        )
    return dict(data)


def _place(loc: tuple[int | str, ...]) -> str:
    # Only numbers and the names of known fields: a key of the file may be anything.
    known = _field_names()
    return ".".join(str(part) if isinstance(part, int) or part in known else "…" for part in loc) or "its top level"


@cache
def _field_names() -> frozenset[str]:
    from privaudit import model

    records = (item for item in vars(model).values() if dataclasses.is_dataclass(item))
    return frozenset(wire_name(field.name) for record in records for field in dataclasses.fields(record))


def schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of report.json, derived from the records."""
    from pydantic import TypeAdapter

    generated = TypeAdapter(Report).json_schema(by_alias=True, mode="serialization")
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": SCHEMA_ID,
        "title": f"privaudit report {SCHEMA_VERSION}",
    }
    body = {key: value for key, value in generated.items() if key not in head}
    body["properties"]["schema_version"] = {"const": SCHEMA_VERSION, "title": "Schema Version"}
    _describe_sentences(body["$defs"])
    return head | body


def _describe_sentences(records: dict[str, Any]) -> None:
    """Add the derived sentences, which are written but not read."""
    derived = {"Fact": ("text",), "Limit": ("what", "why")}
    for record, keys in derived.items():
        for key in keys:
            records[record]["properties"][key] = {
                "description": "Derived: the sentence in English, full edition.",
                "readOnly": True,
                "type": "string",
            }
