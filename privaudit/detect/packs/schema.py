"""The schema of detector packs of the user.

Question: is this pack valid, and if not, which key of which detector is wrong?
Method: a pydantic model rejects unknown keys and wrong types; then RE2 compiles every expression, alone and as it is
used, and every validator, list, country and entity type is looked up.
Limits: whether a detector recognises the right values is tested by the cases in the pack (cases.py).
"""

from __future__ import annotations

import difflib
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from privaudit.detect import wordlists
from privaudit.detect.packs import text_schema, validators
from privaudit.detect.packs.text_schema import check_expression, matches_nothing
from privaudit.errors import RuleError
from privaudit.headers import tokenise
from privaudit.model import ROLES, SEVERITIES, Role, Severity

if TYPE_CHECKING:
    from privaudit.detect.packs.detector import Detector

HINT = text_schema.HINT
_NAME = r"^[A-Z][A-Z0-9_]{1,59}$"
LONGEST_CELL = 400  # as detection cuts the cells that detectors read
_ELSEWHERE = {"check": "checks/", "control": "frameworks/", "family": "checks/"}


def validate(content: Mapping[str, Any], where: str) -> dict[str, list[dict[str, Any]]]:
    """Return the tables ``entity`` and ``detector`` of a pack with every key filled in.

    Raises
    ------
    RuleError
        That names `where`, the number of the table, the key, and what it should be.
    """
    from pydantic import ValidationError

    misplaced = next((folder for key, folder in _ELSEWHERE.items() if key in content), None)
    if misplaced is not None:
        raise RuleError(f"{where} is not a detector pack.", hint=f"move it to {misplaced}")
    try:
        pack: dict[str, list[dict[str, Any]]] = _schema().model_validate(content).model_dump()
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        raise RuleError(_error(first["type"], first["loc"], where), hint=HINT) from None
    if not (pack["entity"] or pack["detector"]):
        raise RuleError(f"{where} contains neither [[detector]] nor [[entity]].", hint=HINT)
    return pack


def _error(kind: str, location: Sequence[int | str], where: str) -> str:
    table = str(location[0]) if location else "detector"
    number = next((part + 1 for part in location if isinstance(part, int)), None)
    place = where if number is None else f"{where}, {table} {number}"
    keys = [part for part in location[1:] if isinstance(part, str)] if number is not None else []
    key = ".".join(keys) or table
    if kind == "missing":
        return f'{place}: "{key}" is missing.'
    if kind == "extra_forbidden":
        close = difflib.get_close_matches(key, WANTED, n=1)
        return f'{place}: unknown key "{key}".' + (f' Did you mean "{close[0]}"?' if close else "")
    return f'{place}: "{key}" must be {WANTED.get(key, "another type of value")}.'


_TEXTS = text_schema.TEXTS
WANTED = {
    "entity": 'a name in capitals, digits and underscores, such as "STAFF_BADGE"',
    "name": 'a name in capitals, digits and underscores, such as "STAFF_BADGE"',
    "detail": "a string",
    "title": "a string",
    "description": "a string",
    "role": f"one of {', '.join(ROLES)}",
    "severity": f"one of {', '.join(SEVERITIES)}",
    "special": "true or false",
    "laws": _TEXTS,
    "regex": _TEXTS,
    "values": _TEXTS,
    "list": "the name of a built-in list, or of a text file in the folder of the pack",
    "requires": "a string",
    "lengths": f"two integers, the least and the greatest length, from 1 to {LONGEST_CELL}",
    "validator": "the name of a validator",
    "checked": "cell or digits",
    "vetoes": _TEXTS,
    "headers": _TEXTS,
    "locale": 'a list of two-letter country codes, such as ["PT"]',
    "fold": "true or false",
    "strength": "a number from 0 to 1",
    "contains": "true or false",
    "match": _TEXTS,
    "no_match": _TEXTS,
    **text_schema.WANTED,
    "detector": "an array of tables, written [[detector]]",
}
"""Every key of a pack and the value it requires."""


@cache
def _schema() -> Any:
    from pydantic import ConfigDict, create_model

    entity, detector = _entity_schema(), _detector_schema()
    several: Any = tuple  # the records are built at run time
    fields: dict[str, Any] = {
        "entity": (several[entity, ...], ()),
        "detector": (several[detector, ...], ()),
    }
    return create_model("Pack", __config__=ConfigDict(extra="forbid"), **fields)


def _entity_schema() -> Any:
    from typing import Annotated

    from pydantic import BaseModel, ConfigDict, Field

    Text = Annotated[str, Field(strict=True, min_length=1)]

    class Entity(BaseModel):
        model_config = ConfigDict(extra="forbid")
        name: Annotated[str, Field(strict=True, pattern=_NAME)]
        title: Text
        role: Role
        description: str = ""
        laws: tuple[Text, ...] = ()
        special: Annotated[bool, Field(strict=True)] = False

    return Entity


def _detector_schema() -> Any:
    from typing import Annotated, Literal

    from pydantic import BaseModel, ConfigDict, Field

    Text = Annotated[str, Field(strict=True, min_length=1)]
    Texts = tuple[Text, ...]
    forms: Any = tuple  # the records are built at run time
    Yes = Annotated[bool, Field(strict=True)]
    Length = Annotated[int, Field(ge=1, le=LONGEST_CELL, strict=True)]

    class Detector(BaseModel):
        model_config = ConfigDict(extra="forbid")
        entity: Annotated[str, Field(strict=True, pattern=_NAME)]
        detail: Text | None = None
        title: Text
        description: str = ""
        severity: Severity = "high"
        laws: Texts = ()
        regex: Texts = ()
        values: Texts = ()
        list: Text | None = None
        requires: str = ""
        lengths: tuple[Length, Length] = (1, LONGEST_CELL)
        validator: Text | None = None
        checked: Literal["cell", "digits"] = "cell"
        vetoes: Texts = ()
        headers: Texts = ()
        locale: Texts = ()
        fold: Yes = False
        strength: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)] = 0.9
        contains: Yes = False
        match: Texts = ()
        no_match: Texts = ()
        text: forms[text_schema.schema(), ...] = ()

    return Detector


def with_file(item: dict[str, Any], file: Path, where: str) -> dict[str, Any]:
    """Return `item`, with the lines of a file as ``values`` if its ``list`` names a text file next to the pack.

    Raises
    ------
    RuleError
        For a file that does not exist, is not UTF-8 or has no values.
    """
    name = item["list"]
    if name is None or not name.endswith(".txt"):
        return item
    if Path(name).name != name:
        raise RuleError(
            f'{where}: "list" names a file in another folder.', hint="move it to the folder of the pack"
        )
    try:
        text = (file.parent / name).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        raise RuleError(
            f"{where}: {name} cannot be read.", hint="write one value per line, in UTF-8"
        ) from None
    lines = tuple(line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#"))
    if not lines:
        raise RuleError(f"{where}: {name} contains no values.", hint="write one value per line, in UTF-8")
    return {**item, "list": None, "values": (*item["values"], *lines)}


def check(detector: Detector, where: str) -> None:
    """Raise RuleError if an expression, a validator, a list, a header or a country of `detector` is invalid."""
    _check_expressions(detector, where)
    if detector.validator is not None and not validators.known(detector.validator):
        raise RuleError(
            f'{where}: unknown "validator".',
            hint=f"use for example luhn, or a python-stdnum module such as es.dni; {HINT}",
        )
    if detector.validator is None and detector.checked != "cell":
        raise RuleError(f'{where}: "checked" requires a "validator".', hint=HINT)
    if detector.list is not None and detector.list not in wordlists.value_lists():
        raise RuleError(f'{where}: unknown "list".', hint=", ".join(wordlists.value_lists()))
    if detector.lengths[0] > detector.lengths[1]:
        raise RuleError(f'{where}: "lengths" must be the least length, then the greatest.')
    if any(not tokenise(header) for header in detector.headers):
        raise RuleError(f'{where}: "headers" contains an entry without letters or digits.')
    if detector.by_name and not detector.headers:
        raise RuleError(f'{where}: add "regex", "values", "list", "validator" or "headers".', hint=HINT)
    if detector.by_name and detector.contains:
        raise RuleError(f'{where}: "contains" requires "regex" or "values".', hint="add one of them")
    _countries(detector.locale, where)
    for form in detector.text:
        text_schema.check(form, detector, where)


def _check_expressions(detector: Detector, where: str) -> None:
    for key in ("regex", "vetoes"):
        for number, pattern in enumerate(getattr(detector, key), 1):
            check_expression(pattern, f'{where}: RE2 rejects expression {number} of "{key}".')
            if matches_nothing(pattern):
                raise RuleError(
                    f'{where}: expression {number} of "{key}" matches the empty text, so it matches every cell.',
                    hint="require at least one character",
                )


def _countries(locale: Sequence[str], where: str) -> None:
    if not locale:
        return
    from phonenumbers import SUPPORTED_REGIONS

    for code in locale:
        if code not in SUPPORTED_REGIONS:
            raise RuleError(
                f'{where}: "locale" contains an unknown country code.',
                hint="use ISO 3166 alpha-2 codes, such as PT or GB",
            )


def check_together(
    detectors: Sequence[tuple[str, Detector]], declared: Sequence[str], shipped: Collection[str]
) -> None:
    """Raise RuleError for duplicates, for built-in entity types that are declared again, and for unknown ones."""
    for name in declared:
        if name in shipped:
            raise RuleError(
                f'[[entity]] "{name}" is a built-in entity type.',
                hint="remove the declaration: detectors can use built-in entity types",
            )
        if list(declared).count(name) > 1:
            raise RuleError(f'[[entity]] "{name}" is declared twice.', hint="declare it once in all packs")
    seen: set[tuple[str, str | None, str]] = set()
    for where, one in detectors:
        key = (one.entity, one.detail, one.title)
        if key in seen:
            raise RuleError(
                f'{where}: another detector has the same "entity", "detail" and "title".',
                hint="change one of them",
            )
        seen.add(key)
        if one.entity not in shipped and one.entity not in declared:
            close = difflib.get_close_matches(one.entity, [*shipped, *declared], n=3, cutoff=0.7)
            near = f"similar: {', '.join(close)}; or " if close else ""
            raise RuleError(
                f"{where}: unknown entity type.",
                hint=f"{near}declare it with [[entity]]; {HINT}",
            )
