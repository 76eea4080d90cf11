"""Detectors as data: TOML packs under ``rules/detectors`` and in a folder of the user's, run vectorised.

Question: which values does a detector accept?
Method: a detector accepts a value if its length fits, one of its RE2 expressions or its list of values matches as a
whole, none of its vetoes does and its validator agrees. The user's packs are checked strictly as they are loaded
(packform.py).
Limits: a detector sees one cell; whether a column is that thing is decided by the share of its cells (verdict.py).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from privaudit import resources
from privaudit.detect import words
from privaudit.detect.packs import form as packform
from privaudit.detect.packs import validators
from privaudit.model import SEVERITIES, Role, Severity

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
    checked : str
        What the validator reads: the ``cell``, or only its ``digits``.
    headers : tuple of str
        Words of column names that speak for it.
    locale : tuple of str
        Countries it belongs to, as ISO 3166 alpha-2 codes.
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
    severity: Severity = "high"
    laws: tuple[str, ...] = ()
    regex: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    list: str | None = None
    requires: str = ""
    lengths: tuple[int, int] = (1, 400)
    validator: str | None = None
    checked: str = "cell"
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

            found[found] = self.passes(values.filter(pa.array(found)))
        return found

    @property
    def by_name(self) -> bool:
        """Whether column names are all it goes by."""
        return not (self.regex or self.values or self.list or self.validator)

    def passes(self, values: pa.Array) -> Mask:
        """Return which `values` the validator accepts."""
        import pyarrow.compute as pc

        assert self.validator is not None
        if self.checked == "digits":
            values = pc.replace_substring_regex(values, "[^0-9]+", "")
        return validators.passes(self.validator, values)

    def shaped(
        self,
        values: pa.Array,
        folded: pa.Array | None = None,
        lengths: npt.NDArray[np.int32] | None = None,
    ) -> Mask:
        """Return which `values` have the shape, before the validator; `lengths` are theirs where they are known."""
        import pyarrow as pa
        import pyarrow.compute as pc

        found = np.ones(len(values), dtype=np.bool_)
        if self.requires:
            found &= np.asarray(pc.match_substring(values, self.requires))
        if self.lengths != (1, 400):
            length = np.asarray(pc.utf8_length(values)) if lengths is None else lengths
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

        listed = _listed(self.values, self.list)
        found = words.members(text, listed)
        if not self.regex and not listed:
            found = ~found  # nothing but a validator or a name: every value has the shape
        for pattern in self.regex:
            left = ~found  # a later expression reads only what the earlier ones left
            if left.any():
                rest = text if left.all() else text.filter(pa.array(left))
                found[left] = np.asarray(pc.match_substring_regex(rest, f"^(?:{pattern})$"), dtype=np.bool_)
        for pattern in self.vetoes:
            found &= ~np.asarray(pc.match_substring_regex(text, pattern), dtype=np.bool_)
        return found


@cache
def _listed(values: tuple[str, ...], name: str | None) -> frozenset[str]:
    """Return the folded `values` and those of a shipped list; put together once, because every column asks."""
    listed = frozenset(words.fold(value) for value in values)
    return listed if name is None else listed | words.value_list(name)


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnEntity:
    """An entity of the user's own, as ``[[entity]]`` declares it; its severity is the highest of its detectors'."""

    name: str
    title: str
    role: Role
    description: str = ""
    laws: tuple[str, ...] = ()
    special: bool = False
    severity: Severity = "high"


@dataclass(frozen=True, slots=True)
class Own:
    """What the packs in a folder of the user's hold."""

    entities: tuple[OwnEntity, ...] = ()
    detectors: tuple[Detector, ...] = ()


def load(extra_dir: str | Path | None = None) -> tuple[Detector, ...]:
    """Return every detector of the shipped packs and of the packs in `extra_dir`.

    Raises
    ------
    RuleError
        For what `own` refuses.
    """
    return (*_shipped(), *own(extra_dir).detectors)


def own(folder: str | Path | None) -> Own:
    """Return what the user's `folder` holds, laws checked; nothing where there is no folder.

    Raises
    ------
    RuleError
        For a folder without packs, a pack that is not TOML, an unknown key, a wrong type, an expression RE2 refuses,
        an unknown validator, list, country or entity, or the same thing twice; the message names pack, detector
        and key.
    """
    if folder is None:
        return Own()
    home = resources.own_folder(folder)
    files = sorted([*home.glob("*.toml"), *home.glob("detectors/*.toml")])
    entities: list[OwnEntity] = []
    found: list[tuple[str, Detector]] = []
    for file in files:
        if file == home / LEARNED:
            continue
        pack = packform.validate(resources.read_toml(file), file.name)
        entities += [OwnEntity(**item) for item in pack["entity"]]
        for number, item in enumerate(pack["detector"], 1):
            where = f"{file.name}, detector {number} ({_label(item)})"
            detector = Detector(pack=file.stem, user=True, **packform.with_file(item, file, where))
            packform.check(detector, where)
            found.append((where, detector))
    packform.check_together(found, [entity.name for entity in entities], set(words.toml("entities")))
    return _settled(entities, tuple(detector for _, detector in found))


def _settled(entities: Sequence[OwnEntity], detectors: tuple[Detector, ...]) -> Own:
    """Give each entity the highest severity of its detectors; "high" where something else finds it."""
    worst: dict[str, Severity] = {}
    for one in detectors:
        known = worst.get(one.entity, one.severity)
        worst[one.entity] = max(known, one.severity, key=SEVERITIES.index)
    return Own(tuple(replace(e, severity=worst.get(e.name, e.severity)) for e in entities), detectors)


@cache
def _shipped() -> tuple[Detector, ...]:
    # Ours are checked by the tests, not at every start: building the schema takes longer than reading them.
    files = sorted(resources.path("rules", "detectors").glob("*.toml"))
    return tuple(
        Detector(pack=file.stem, **_trusted(item))
        for file in files
        for item in resources.read_toml(file)["detector"]
    )


def _trusted(item: Mapping[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in item.items()}


def _label(item: Mapping[str, Any]) -> str:
    return item["entity"] if item["detail"] is None else f"{item['entity']} ({item['detail']})"
