"""The detectors of the shipped packs and of the user's packs, which are validated as they are loaded.

Question: which detectors and entity types are there, and which key of which detector of the user is wrong?
Method: TOML files under ``rules/detectors`` and in a folder of the user. Pydantic compares a pack of the user with the
types of the records (detector.py) and rejects unknown keys; then RE2 and Python compile every expression, and every
validator, list, country and entity type is looked up.
Limits: shipped packs are validated by the tests, not at run time. Whether a detector recognises the right values is
tested by the cases in its pack (cases.py).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from functools import cache
from pathlib import Path
from typing import Any

from privaudit.base import resources
from privaudit.base.arrow import pa, pc
from privaudit.base.errors import RuleError
from privaudit.base.records import dataclass
from privaudit.base.similar_names import similar
from privaudit.base.typed import Refused, Strict, validated
from privaudit.detect.catalogue import boundaries, validators, wordlists
from privaudit.detect.catalogue.detector import LONGEST_CELL, Detector, TextForm, Texts
from privaudit.model import Role, vocabulary
from privaudit.model.headers import tokenise

LEARNED = "fusion.toml"  # written by `privaudit rules train`; not a pack of detectors
HINT = "see docs/detectors.md"
_VALIDATORS = f"use for example luhn, or a python-stdnum module such as es.dni; {HINT}"
_ELSEWHERE = {"check": "checks/", "control": "frameworks/", "family": "checks/"}
_OURS = {"pack", "user"}  # not keys of a pack
_RANGES = {"within": (0, 60), "rank": (0, 20), "strength": (0, 1), "lengths": (1, LONGEST_CELL)}


@dataclass(frozen=True, kw_only=True)
class DeclaredEntityType(Strict):
    """An entity type declared by a user's pack with ``[[entity]]``; `privaudit.model.vocabulary` makes its record."""

    name: str
    title: str
    role: Role
    description: str = ""
    laws: Texts = ()
    special: bool = False


@dataclass(frozen=True, kw_only=True)
class Pack(Strict):
    """The content of one pack."""

    entity: tuple[DeclaredEntityType, ...] = ()
    detector: tuple[Detector, ...] = ()


def load(extra_dir: str | Path | None = None) -> tuple[Detector, ...]:
    """Return every detector of the shipped packs and of the packs in `extra_dir`; raises as `user_packs` does."""
    return (*_shipped(), *user_packs(extra_dir))


def user_packs(folder: str | Path | None) -> tuple[Detector, ...]:
    """Return the detectors of the packs in the user's `folder`, validated; none if there is no folder.

    Raises
    ------
    RuleError
        For a folder without packs, a pack that is not TOML, an unknown key, a wrong type, an expression that RE2
        rejects, an unknown validator, list, country or entity type, or a duplicate; the message names pack, detector
        and key.
    """
    if folder is None:
        return ()
    home = resources.user_folder(folder)
    files = sorted({*home.glob("*.toml"), *home.glob("detectors/*.toml")} - {home / LEARNED})
    packs = [read(resources.read_toml(file), file) for file in files]
    entities = [entity.name for pack in packs for entity in pack.entity]
    detectors = tuple(detector for pack in packs for detector in pack.detector)
    check_together(detectors, entities)
    return detectors


@cache
def _shipped() -> tuple[Detector, ...]:
    # Not validated here: building the schema takes longer than reading the packs.
    files = sorted(resources.path("rules", "detectors").glob("*.toml"))
    return tuple(record(pack=file.stem, **item) for file in files for item in resources.read_toml(file)["detector"])


def record(**item: Any) -> Detector:
    """Return the detector of a table of a pack."""
    forms = tuple(TextForm(**_with_tuples(form)) for form in item.pop("text", ()))
    return Detector(text=forms, **_with_tuples(item))


def _with_tuples(item: dict[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in item.items()}


def read(content: Mapping[str, Any], file: Path) -> Pack:
    """Return the validated content of a pack.

    Raises
    ------
    RuleError
        That names the file, the number of the table, the key, and what it should be.
    """
    pack = validate(content, file.name)
    detectors = []
    for number, detector in enumerate(pack.detector, 1):
        where = f"{file.name}, detector {number} ({detector.label})"
        detectors.append(replace(_with_file(detector, file, where), pack=file.stem, user=True))
        check(detectors[-1], where)
    return replace(pack, detector=tuple(detectors))


def validate(content: Mapping[str, Any], where: str) -> Pack:
    """Return a pack whose keys and types are valid; `where` is named in errors."""
    for key, folder in _ELSEWHERE.items():
        if key in content:
            raise RuleError(f"{where} is not a detector pack.", hint=f"move it to {folder}")
    try:
        pack: Pack = validated(content, Pack, foreign=lambda _: None)
    except Refused as error:
        raise RuleError(_error(error.kind, error.place, where), hint=HINT) from None
    if not (pack.entity or pack.detector):
        raise RuleError(f"{where} contains neither [[detector]] nor [[entity]].", hint=HINT)
    for kind in ("entity", "detector"):
        for number, (record, table) in enumerate(zip(getattr(pack, kind), content.get(kind, ()), strict=True)):
            for key in _OURS & table.keys():
                raise RuleError(_error("extra_forbidden", (kind, number, key), where), hint=HINT)
            for key in _out_of_range(record):
                raise RuleError(_error("range", (kind, number, key), where), hint=HINT)
    return pack


def _out_of_range(record: DeclaredEntityType | Detector | TextForm) -> Iterator[str]:
    """Yield the keys whose value has the right type and is not one that the key may have."""
    for key in fields(record):
        name, value = key.name, getattr(record, key.name)
        values = [*value] if isinstance(value, (tuple, Mapping)) else [value]
        least, greatest = _RANGES.get(name, (-math.inf, math.inf))
        numbers = (one for one in values if isinstance(one, (int, float)))
        empty = "" in values and key.default != "" and name != "validator"  # empty for none
        misnamed = name in ("entity", "name") and re.fullmatch("[A-Z][A-Z0-9_]{1,59}", value) is None
        unknown = name == "edges" and value not in wordlists.toml("edges")
        if empty or misnamed or unknown or not all(least <= number <= greatest for number in numbers):
            yield name
        if name == "text":
            for form in value:
                yield from _out_of_range(form)


def wanted() -> dict[str, str]:
    """Return every key of a pack and the value it requires."""
    return wordlists.toml("pack_keys")["wanted"]


def _error(kind: str, location: Sequence[int | str], where: str) -> str:
    table = str(location[0]) if location else "detector"
    number = next((part + 1 for part in location if isinstance(part, int)), None)
    place = where if number is None else f"{where}, {table} {number}"
    keys = [part for part in location[1:] if isinstance(part, str)] if number is not None else []
    key = ".".join(keys).strip() or table
    if kind == "missing":
        return f'{place}: "{key}" is missing.'
    if kind in ("extra_forbidden", "unexpected_keyword_argument"):
        close = similar(key, wanted(), n=1)
        return f'{place}: unknown key "{key}".' + (f' Did you mean "{close[0]}"?' if close else "")
    return f'{place}: "{key}" must be {wanted().get(key, "another type of value")}.'


def _with_file(detector: Detector, file: Path, where: str) -> Detector:
    """Return `detector`, with the lines of a file as values if its ``list`` names a text file next to the pack."""
    name = detector.list
    if name is None or not name.endswith(".txt"):
        return detector
    hint = "write one value per line, in UTF-8"
    if Path(name).name != name:
        raise RuleError(f'{where}: "list" names a file in another folder.', hint="move it to the folder of the pack")
    try:
        text = (file.parent / name).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        raise RuleError(f"{where}: {name} cannot be read.", hint=hint) from None
    lines = tuple(line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#"))
    if not lines:
        raise RuleError(f"{where}: {name} contains no values.", hint=hint)
    return replace(detector, list=None, values=(*detector.values, *lines))


def check(detector: Detector, where: str) -> None:
    """Raise RuleError if an expression, a validator, a list, a header or a country of `detector` is invalid."""
    from phonenumbers import SUPPORTED_REGIONS

    for key in ("regex", "vetoes"):
        for number, pattern in enumerate(getattr(detector, key), 1):
            check_expression(pattern, f'{where}: RE2 rejects expression {number} of "{key}".')
            complaint = f'expression {number} of "{key}" matches the empty text, so it matches every cell.'
            _refuse(where, (_matches_nothing(pattern), complaint, "require at least one character"))
    lists, locale = wordlists.value_lists(), "use ISO 3166 alpha-2 codes, such as PT or GB"
    _refuse(
        where,
        (_is_unknown(detector.validator), 'unknown "validator".', _VALIDATORS),
        (detector.checked != "cell" and detector.validator is None, '"checked" requires a "validator".', HINT),
        (detector.list is not None and detector.list not in lists, 'unknown "list".', ", ".join(lists)),
        (detector.lengths[0] > detector.lengths[1], '"lengths" must be the least length, then the greatest.', HINT),
        (not all(map(tokenise, detector.headers)), '"headers" contains an entry without letters or digits.', HINT),
        (detector.by_name and not detector.headers, 'add "regex", "values", "list", "validator" or "headers".', HINT),
        (detector.by_name and detector.contains, '"contains" requires "regex" or "values".', "add one of them"),
        (not SUPPORTED_REGIONS.issuperset(detector.locale), '"locale" contains an unknown country code.', locale),
    )
    for form in detector.text:
        _check_form(form, detector, where)


def _check_form(form: TextForm, detector: Detector, where: str) -> None:
    is_unnamed = form.needs == "word" and not (form.words or detector.headers)
    _refuse(
        where,
        (not (form.form or detector.regex), '"text" requires "form", or "regex" of the detector.', HINT),
        (is_unnamed, '"text" requires "words", or "headers" of the detector.', HINT),
        (_is_unknown(form.validator or None), 'unknown "validator".', _VALIDATORS),
    )
    others = (*form.doubtful, *form.vetoes, *form.details.values(), form.unless, form.requires)
    for pattern in filter(None, (*form.form, *form.words, *others)):
        check_expression(pattern, f'{where}: RE2 rejects an expression of "text".')
        try:
            boundaries.compiled(pattern)  # RE2 selects cells, Python finds the value in a cell
        except re.error:
            raise RuleError(
                f'{where}: an expression of "text" is not understood.',
                hint="write letters of a script as a range, not as a class such as a backslash and p",
            ) from None
    if any(map(_matches_nothing, (*form.form, *form.words))):
        raise RuleError(f'{where}: an expression of "text" matches the empty text.')
    loose = (boundaries.loosely(each, form.edges) for each in form.form or detector.regex)
    check_expression("|".join(loose), f'{where}: RE2 rejects the expressions of "text" together: they are too large.')


def _refuse(where: str, *wrong: tuple[bool, str, str]) -> None:
    """Raise RuleError for the first complaint that applies, with its hint."""
    for applies, complaint, hint in wrong:
        if applies:
            raise RuleError(f"{where}: {complaint}", hint=hint)


def _is_unknown(validator: str | None) -> bool:
    return validator is not None and not validators.known(validator)


def check_expression(pattern: str, complaint: str) -> None:
    """Compile `pattern` alone, so that it cannot close a surrounding group, and as it is used."""
    from privaudit.detect.catalogue.matching import compiles

    if not (compiles(pattern) and compiles(boundaries.whole(pattern))):
        raise RuleError(complaint, hint="RE2 has no look-around and no back-references; check brackets and repetitions")


def _matches_nothing(pattern: str) -> bool:
    """Whether an expression matches the empty text, and so every cell."""
    return bool(pc.match_substring_regex(pa.array([""]), boundaries.whole(pattern))[0].as_py())


def check_together(detectors: Iterable[Detector], declared: Sequence[str]) -> None:
    """Raise RuleError for duplicates, for built-in entity types that are declared again, and for unknown ones."""
    shipped, unneeded = vocabulary.entity_types(), "remove the declaration: detectors can use built-in entity types"
    for name in declared:
        if name in shipped:
            raise RuleError(f'[[entity]] "{name}" is a built-in entity type.', hint=unneeded)
        if declared.count(name) > 1:
            raise RuleError(f'[[entity]] "{name}" is declared twice.', hint="declare it once in all packs")
    seen: set[tuple[str, str | None, str]] = set()
    for one in detectors:
        where, key = f"{one.pack}.toml ({one.label})", (one.entity, one.detail, one.title)
        duplicate = 'another detector has the same "entity", "detail" and "title".'
        _refuse(where, (key in seen, duplicate, "change one of them"))
        seen.add(key)
        if one.entity not in {*shipped, *declared}:
            close = similar(one.entity, [*shipped, *declared], n=3, cutoff=0.7)
            near = f"similar: {', '.join(close)}; or " if close else ""
            raise RuleError(f"{where}: unknown entity type.", hint=f"{near}declare it with [[entity]]; {HINT}")
