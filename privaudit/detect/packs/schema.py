"""The laws of a user's packs: what a file may hold, and what must hold between files.

Question: is this pack well made, and if not, which key of which detector is wrong?
Method: a pydantic model that refuses unknown keys and wrong types, then every expression compiled by RE2, alone and as
it is used, and every name looked up: validators, lists, countries, entities.
Limits: whether a detector finds what it should is for its own cases to show (cases.py).
"""

from __future__ import annotations

import difflib
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from privaudit.detect import wordlists
from privaudit.detect.packs import validators
from privaudit.errors import RuleError
from privaudit.headers import tokenise
from privaudit.model import ROLES, SEVERITIES, Role, Severity

if TYPE_CHECKING:
    from privaudit.detect.packs.detector import Detector

HINT = "see docs/detectors.md"
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
        raise RuleError(f"{where} is no pack of detectors.", hint=f"move it to {misplaced}")
    try:
        pack: dict[str, list[dict[str, Any]]] = _schema().model_validate(content).model_dump()
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        raise RuleError(_sentence(first["type"], first["loc"], where), hint=HINT) from None
    if not (pack["entity"] or pack["detector"]):
        raise RuleError(f"{where} holds no [[detector]] and no [[entity]].", hint=HINT)
    return pack


def _sentence(kind: str, location: Sequence[int | str], where: str) -> str:
    table = str(location[0]) if location else "detector"
    number = next((part + 1 for part in location if isinstance(part, int)), None)
    place = where if number is None else f"{where}, {table} {number}"
    keys = [part for part in location[1:] if isinstance(part, str)] if number is not None else []
    key = ".".join(keys) or table
    if kind == "missing":
        return f'{place}: "{key}" is missing.'
    if kind == "extra_forbidden":
        close = difflib.get_close_matches(key, WANTED, n=1)
        return f'{place}: "{key}" is not a known key' + (f'; is it "{close[0]}"?' if close else ".")
    return f'{place}: "{key}" must be {WANTED.get(key, "another type of value")}.'


_TEXTS = "a list of texts that are not empty"
WANTED = {
    "entity": 'a name in capitals, digits and underscores, such as "STAFF_BADGE"',
    "name": 'a name in capitals, digits and underscores, such as "STAFF_BADGE"',
    "detail": "a text",
    "title": "a text",
    "description": "a text",
    "role": f"one of {', '.join(ROLES)}",
    "severity": f"one of {', '.join(SEVERITIES)}",
    "special": "true or false",
    "laws": _TEXTS,
    "regex": _TEXTS,
    "values": _TEXTS,
    "list": "the name of a list of ours, or of a text file beside the pack",
    "requires": "a text",
    "lengths": f"two whole numbers, shortest and longest, from 1 to {LONGEST_CELL}",
    "validator": "the name of a check",
    "checked": "cell or digits",
    "vetoes": _TEXTS,
    "headers": _TEXTS,
    "locale": 'a list of countries by two letters, such as ["PT"]',
    "fold": "true or false",
    "strength": "a number from 0 to 1",
    "contains": "true or false",
    "match": _TEXTS,
    "no_match": _TEXTS,
    "detector": "a table of its own, written [[detector]]",
}
"""Every key of a pack, and what it must be."""


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

    return Detector


def with_file(item: dict[str, Any], file: Path, where: str) -> dict[str, Any]:
    """Return `item`; where its ``list`` names a text file beside the pack, with the lines of that as ``values``.

    Raises
    ------
    RuleError
        For a file that is not there, is not UTF-8 or has no line.
    """
    name = item["list"]
    if name is None or not name.endswith(".txt"):
        return item
    if Path(name).name != name:
        raise RuleError(f'{where}: "list" names a file elsewhere.', hint="it has to lie beside the pack")
    try:
        text = (file.parent / name).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        raise RuleError(f"{where}: {name} cannot be read.", hint="one value a line, in UTF-8") from None
    lines = tuple(line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#"))
    if not lines:
        raise RuleError(f"{where}: {name} has no line with a value.", hint="one value a line, in UTF-8")
    return {**item, "list": None, "values": (*item["values"], *lines)}


def check(detector: Detector, where: str) -> None:
    """Raise RuleError where an expression, a validator, a list, a header or a country of `detector` is not usable."""
    for key in ("regex", "vetoes"):
        for number, pattern in enumerate(getattr(detector, key), 1):
            _compile(pattern, f'{where}: RE2 refuses expression {number} of "{key}".')
    if detector.validator is not None and not validators.known(detector.validator):
        raise RuleError(
            f'{where}: "validator" names no known check.',
            hint=f"such as luhn, or a python-stdnum module such as es.dni; {HINT}",
        )
    if detector.validator is None and detector.checked != "cell":
        raise RuleError(f'{where}: "checked" says what a validator reads, and there is none.', hint=HINT)
    if detector.list is not None and detector.list not in wordlists.value_lists():
        raise RuleError(f'{where}: "list" names no known list.', hint=", ".join(wordlists.value_lists()))
    if detector.lengths[0] > detector.lengths[1]:
        raise RuleError(f'{where}: "lengths" must be the shortest, then the longest.')
    if any(not tokenise(header) for header in detector.headers):
        raise RuleError(f'{where}: "headers" holds something without a letter or digit.')
    if detector.by_name and not detector.headers:
        raise RuleError(f'{where}: needs "regex", "values", "list", "validator" or "headers".', hint=HINT)
    if detector.by_name and detector.contains:
        raise RuleError(
            f'{where}: "contains" counts cells, and nothing says which.', hint='add "regex" or "values"'
        )
    _countries(detector.locale, where)


def _compile(pattern: str, complaint: str) -> None:
    """Compile `pattern` alone, so that it cannot close a bracket of ours, and as it is used."""
    import pyarrow as pa
    import pyarrow.compute as pc

    try:
        for form in (pattern, f"^(?:{pattern})$"):
            pc.match_substring_regex(pa.array([""]), form)
    except pa.ArrowInvalid:
        raise RuleError(
            complaint, hint="no look-around, no back-references, brackets in pairs, fewer repetitions"
        ) from None


def _countries(locale: Sequence[str], where: str) -> None:
    if not locale:
        return
    from phonenumbers import SUPPORTED_REGIONS

    for code in locale:
        if code not in SUPPORTED_REGIONS:
            raise RuleError(
                f'{where}: "locale" holds something that is no country.',
                hint="two capital letters, such as PT or GB",
            )


def check_together(
    detectors: Sequence[tuple[str, Detector]], own: Sequence[str], shipped: Collection[str]
) -> None:
    """Raise RuleError where something is there twice, is ours already, or refers to no entity."""
    for name in own:
        if name in shipped:
            raise RuleError(
                f'[[entity]] "{name}" is an entity of privaudit already.',
                hint="leave it out: a detector may name it as it is",
            )
        if list(own).count(name) > 1:
            raise RuleError(f'[[entity]] "{name}" is there twice.', hint="declare it once for all packs")
    seen: set[tuple[str, str | None, str]] = set()
    for where, one in detectors:
        key = (one.entity, one.detail, one.title)
        if key in seen:
            raise RuleError(f'{where}: entity, "detail" and "title" are there twice.', hint="tell them apart")
        seen.add(key)
        if one.entity not in shipped and one.entity not in own:
            close = difflib.get_close_matches(one.entity, [*shipped, *own], n=3, cutoff=0.7)
            near = f"close: {', '.join(close)}; or " if close else ""
            raise RuleError(
                f"{where}: this entity is not known.",
                hint=f"{near}declare one of your own with [[entity]], {HINT}",
            )
