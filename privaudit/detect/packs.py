"""Detectors as data: TOML packs under ``rules/detectors``, checked strictly, run vectorised.

Question: which values does a detector accept, and do its own examples hold?
Method: a detector accepts a value if its length fits, one of its RE2 expressions or its list of values matches as a
whole, none of its vetoes does and its validator agrees. Packs are parsed through a pydantic model that refuses
unknown keys; every expression is compiled by RE2 when the pack is loaded.
Limits: a detector sees one cell; whether a column is that thing is decided by the share of its cells (verdict.py).
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from privaudit import resources
from privaudit.detect import validators, words
from privaudit.errors import RuleError
from privaudit.model import SEVERITIES

if TYPE_CHECKING:
    import pyarrow as pa

Mask = npt.NDArray[np.bool_]
LEARNED = "fusion.toml"  # what `privaudit rules train` writes; no pack of detectors


@dataclass(frozen=True, slots=True, kw_only=True)
class Detector:
    """One detector.

    Attributes
    ----------
    regex : tuple of str
        RE2 expressions; each must match the whole normalised value.
    requires : str
        A text that every accepted value holds; lets most columns be skipped.
    lengths : (int, int)
        Shortest and longest accepted value in characters.
    validator : str or None
        A built-in check or the name of a python-stdnum module, such as ``es.dni``.
    fold : bool
        Whether expressions are compared with the value in lower case without accents.
    strength : float
        How far a column whose cells all match is this entity, without any other evidence.
    contains : bool
        Whether single cells are counted where the column as a whole is something else.
    """

    pack: str
    entity: str
    detail: str | None = None
    title: str
    description: str = ""
    severity: str = "high"
    laws: tuple[str, ...] = ()
    regex: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    list: str | None = None
    requires: str = ""
    lengths: tuple[int, int] = (1, 400)
    validator: str | None = None
    vetoes: tuple[str, ...] = ()
    headers: tuple[str, ...] = ()
    locale: tuple[str, ...] = ()
    fold: bool = False
    strength: float = 0.9
    contains: bool = False
    match: tuple[str, ...] = ()
    no_match: tuple[str, ...] = ()
    user: bool = False

    @property
    def label(self) -> str:
        """Entity and detail in one word."""
        return self.entity if self.detail is None else f"{self.entity} ({self.detail})"

    def accepts(self, values: pa.Array, folded: pa.Array | None = None) -> Mask:
        """Return which `values` are accepted, the validator included."""
        found = self.shaped(values, folded)
        if self.validator is not None and found.any():
            import pyarrow as pa

            found[found] = validators.passes(self.validator, values.filter(pa.array(found)))
        return found

    def shaped(self, values: pa.Array, folded: pa.Array | None = None) -> Mask:
        """Return which `values` have the shape, before the validator."""
        import pyarrow as pa
        import pyarrow.compute as pc

        found = np.ones(len(values), dtype=np.bool_)
        if self.requires:
            found &= np.asarray(pc.match_substring(values, self.requires))
        if self.lengths != (1, 400):
            length = np.asarray(pc.utf8_length(values))
            found &= (length >= self.lengths[0]) & (length <= self.lengths[1])
        if not found.any():
            return found
        whole = bool(found.all())
        text = folded if self.folds and folded is not None else values
        if self.folds and folded is None:
            text = words.fold_all(values)
        found[found] = self._matching(text if whole else text.filter(pa.array(found)))
        return found

    @property
    def folds(self) -> bool:
        """Whether values are compared in lower case without accents."""
        return self.fold or bool(self.values) or self.list is not None

    def _matching(self, text: pa.Array) -> Mask:
        import pyarrow as pa
        import pyarrow.compute as pc

        listed = frozenset(words.fold(value) for value in self.values)
        if self.list is not None:
            listed |= words.value_list(self.list)
        found = words.members(text, listed)
        if not self.regex and not listed:
            found = ~found  # nothing but a validator: every value has the shape
        for pattern in self.regex:
            left = ~found  # a later expression reads only what the earlier ones left
            if left.any():
                rest = text if left.all() else text.filter(pa.array(left))
                found[left] = np.asarray(pc.match_substring_regex(rest, f"^(?:{pattern})$"), dtype=np.bool_)
        for pattern in self.vetoes:
            found &= ~np.asarray(pc.match_substring_regex(text, pattern), dtype=np.bool_)
        return found


@dataclass(frozen=True, slots=True)
class CaseResult:
    """What a detector made of one of its own examples; ``number`` counts from 1."""

    pack: str
    detector: str
    kind: str
    number: int
    passed: bool

    @property
    def name(self) -> str:
        """Pack, detector and example in one line."""
        return f"{self.pack}, {self.detector}: {self.kind} {self.number}"

    @property
    def why(self) -> str:
        """What went wrong, without the example itself; empty where nothing did."""
        said = {"match": "is not accepted", "no_match": "is accepted"}
        return "" if self.passed else f"the example {said.get(self.kind, 'fails')}"


def load(extra_dir: str | Path | None = None) -> tuple[Detector, ...]:
    """Return every detector of the shipped packs and of the packs in `extra_dir`.

    Raises
    ------
    RuleError
        For a pack that is not TOML, an unknown key, a wrong type, an expression RE2 refuses, an unknown validator
        or list; the message names the pack, the detector and the key.
    """
    shipped = _shipped()
    if extra_dir is None:
        return shipped
    folder = Path(extra_dir)
    found = sorted([*folder.glob("*.toml"), *folder.glob("detectors/*.toml")])
    files = [file for file in found if file != folder / LEARNED]
    if not found and not any(folder.glob("*/*.toml")):  # checks and frameworks lie in folders of their own
        raise RuleError(f'No rule packs (*.toml) in "{extra_dir}".', hint="name the folder that holds them")
    return shipped + tuple(item for file in files for item in _read(file, user=True))


@cache
def _shipped() -> tuple[Detector, ...]:
    files = sorted(resources.path("rules", "detectors").glob("*.toml"))
    return tuple(item for file in files for item in _read(file, user=False))


def _read(file: Path, *, user: bool) -> tuple[Detector, ...]:
    try:
        content = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError):
        raise RuleError(f"{file.name} cannot be read as TOML.", hint="check quotes and brackets") from None
    # Ours are checked by the tests, not at every start: building the schema takes longer than reading them.
    checked = _validate(content, file.name) if user else _trusted(content)
    found = tuple(Detector(pack=file.stem, user=user, **item) for item in checked)
    for number, detector in enumerate(found, 1):
        if user:
            check(detector, f"{file.name}, detector {number} ({detector.label})")
    return found


def _trusted(content: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [
        {key: tuple(value) if isinstance(value, list) else value for key, value in item.items()}
        for item in content["detector"]
    ]


def _validate(content: Mapping[str, Any], where: str) -> list[dict[str, Any]]:
    from pydantic import ValidationError

    try:
        return [item.model_dump() for item in _schema().model_validate(content).detector]
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        path = [part for part in first["loc"] if part != "detector"]
        number = next((part + 1 for part in path if isinstance(part, int)), None)
        key = ".".join(str(part) for part in path if isinstance(part, str)) or "detector"
        kinds = {"extra_forbidden": "is not a known key", "missing": "is missing"}
        what = kinds.get(first["type"], "has the wrong type or value")
        place = where if number is None else f"{where}, detector {number}"
    raise RuleError(f'{place}: "{key}" {what}.', hint="see docs/detectors.md")


@cache
def _schema() -> Any:
    from typing import Annotated

    from pydantic import BaseModel, ConfigDict, Field

    strict = ConfigDict(extra="forbid")
    severities = f"^(?:{'|'.join(SEVERITIES)})$"
    Text = Annotated[str, Field(strict=True, min_length=1)]

    class Item(BaseModel):
        model_config = strict
        entity: Annotated[str, Field(pattern=r"^[A-Z][A-Z0-9_]*$")]
        detail: Text | None = None
        title: Text
        description: str = ""
        severity: Annotated[str, Field(pattern=severities)] = "high"
        laws: tuple[Text, ...] = ()
        regex: tuple[Text, ...] = ()
        values: tuple[Text, ...] = ()
        list: Text | None = None
        requires: str = ""
        lengths: tuple[Annotated[int, Field(ge=1)], Annotated[int, Field(le=400)]] = (1, 400)
        validator: Text | None = None
        vetoes: tuple[Text, ...] = ()
        headers: tuple[Text, ...] = ()
        locale: tuple[Text, ...] = ()
        fold: Annotated[bool, Field(strict=True)] = False
        strength: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)] = 0.9
        contains: Annotated[bool, Field(strict=True)] = False
        match: tuple[Text, ...] = ()
        no_match: tuple[Text, ...] = ()

    class Pack(BaseModel):
        model_config = strict
        detector: tuple[Item, ...]

    return Pack


def check(detector: Detector, where: str) -> None:
    """Raise RuleError where an expression, a validator or a list of `detector` is not usable."""
    import pyarrow as pa
    import pyarrow.compute as pc

    probe = pa.array([""])
    for key in ("regex", "vetoes"):
        for number, pattern in enumerate(getattr(detector, key), 1):
            try:
                pc.match_substring_regex(probe, f"^(?:{pattern})$")
            except pa.ArrowInvalid:
                raise RuleError(
                    f'{where}: RE2 refuses expression {number} of "{key}".',
                    hint="no look-around and no back-references",
                ) from None
    if detector.validator is not None and not validators.known(detector.validator):
        raise RuleError(
            f'{where}: "validator" names no known check.', hint="a python-stdnum module such as es.dni"
        )
    if detector.list is not None and detector.list not in words.value_lists():
        raise RuleError(f'{where}: "list" names no known list.', hint=", ".join(words.value_lists()))
    if not (detector.regex or detector.values or detector.list or detector.validator):
        raise RuleError(f'{where}: needs "regex", "values", "list" or "validator".')


def test_packs(extra_dir: str | Path | None = None) -> tuple[CaseResult, ...]:  # noqa: PT028 - no test
    """Run every detector's own ``match`` and ``no_match`` cases."""
    return tuple(result for detector in load(extra_dir) for result in _cases(detector))


test_packs.__test__ = False  # type: ignore[attr-defined] # a public function, not a test


def _cases(detector: Detector) -> Iterable[CaseResult]:
    import pyarrow as pa

    from privaudit.detect.normalise import normalise

    for kind, texts, wanted in (("match", detector.match, True), ("no_match", detector.no_match, False)):
        if texts:
            accepted = detector.accepts(normalise(pa.array(texts)))
            for number, got in enumerate(accepted, 1):
                yield CaseResult(detector.pack, detector.label, kind, number, bool(got) == wanted)


def describe(entity: str) -> dict[str, Any]:
    """Return what an entity is, how it is recognised and which laws name it.

    Raises
    ------
    RuleError
        For an entity that nothing describes.
    """
    known = words.toml("entities")
    name = entity.upper().replace("-", "_")
    found = [item for item in load() if item.entity == name]
    if name not in known and not found:
        close = ", ".join(sorted(e for e in known if e[:3] == name[:3]))
        raise RuleError(f'"{entity}" is not an entity.', hint=close or None)
    entry = known.get(name, {})
    laws = dict.fromkeys([*entry.get("laws", ()), *(law for item in found for law in item.laws)])
    return {
        "entity": name,
        "title": entry.get("title", found[0].title if found else name),
        "description": entry.get("description", ""),
        "role": entry.get("role", "none"),
        "laws": list(laws),
        "recognised_by": list(entry.get("recognised_by", ())),
        "detectors": [_summary(item) for item in found],
    }


def _summary(item: Detector) -> dict[str, Any]:
    return {
        "title": item.title,
        "detail": item.detail,
        "description": item.description,
        "severity": item.severity,
        "validator": item.validator,
        "locale": list(item.locale),
        "headers": list(item.headers),
    }
