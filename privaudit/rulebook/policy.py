"""Policies: the thresholds a table is judged by, each with its source.

Question: how small may an equivalence class be, and which source sets that limit?
Method: one TOML file for each policy; each threshold is a table of ``value`` and ``origin``. A user's policy may extend
a shipped one and set only what differs. k and its probability are a pair and are set together, because a probability
is never compared: 1/11 > 0.09, although 11 is the threshold that corresponds to 0.09.
Limits: thresholds only; the checks name the thresholds they read.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from dataclasses import field, fields, replace
from pathlib import Path
from typing import Any, Literal

from privaudit.base import resources
from privaudit.base.errors import RuleError
from privaudit.base.records import dataclass
from privaudit.base.typed import Strict
from privaudit.model import PolicyInfo, Severity
from privaudit.model.headers import shown_file
from privaudit.model.vocabulary.statements import DateLevel, GeoLevel
from privaudit.rulebook.packs import read_pack

_NO_LIMIT = "no limit in this policy"
_OPTIONAL = (
    "uniques", "l", "t", "l_entropy", "l_recursive", "c_recursive", "suppression", "k_map", "person_keys", "copies",
    "reconstructed", "epsilon", "places",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class _Count(Strict):
    value: int | Literal["none"]
    origin: str


@dataclass(frozen=True, kw_only=True)
class _Share(Strict):
    value: float | Literal["none"]
    origin: str


@dataclass(frozen=True, kw_only=True)
class _Date(Strict):
    value: DateLevel
    origin: str


@dataclass(frozen=True, kw_only=True)
class _Geo(Strict):
    value: GeoLevel
    origin: str


@dataclass(frozen=True, kw_only=True)
class _Places(Strict):
    value: tuple[GeoLevel, ...]
    origin: str


@dataclass(frozen=True, kw_only=True)
class _FailOn(Strict):
    value: Severity
    origin: str


@dataclass(frozen=True, kw_only=True)
class _PolicyFile(Strict):
    name: str
    title: str
    extends: str | None = None
    k: _Count | None = None
    probability: _Share | None = None
    share_below_k: _Share | None = None
    uniques: _Count | None = None
    l: _Count | None = None  # noqa: E741 - the literature's name
    t: _Share | None = None
    l_entropy: _Share | None = None
    l_recursive: _Count | None = None
    c_recursive: _Share | None = None
    suppression: _Share | None = None
    k_map: _Count | None = None
    person_keys: _Count | None = None
    attack_advantage: _Share | None = None
    copies: _Share | None = None
    reconstructed: _Count | None = None
    epsilon: _Share | None = None
    date: _Date | None = None
    geo: _Geo | None = None
    places: _Places | None = None
    fail_on: _FailOn | None = None
    severity: Mapping[str, Severity] = field(default_factory=dict)


_KEYS = tuple(item.name for item in fields(_PolicyFile) if item.name not in ("name", "title", "extends", "severity"))
"""The thresholds."""


def load_policy(name_or_path: str) -> PolicyInfo:
    """Return the policy called `name_or_path`, or the one in that TOML file.

    Parameters
    ----------
    name_or_path : str
        A shipped policy's name, for example "public", or the path of a policy file ending in ``.toml``.

    Raises
    ------
    RuleError
        For an unknown name or a file that fails validation.
    """
    file = _find(name_or_path)
    policy = _load(file, ())
    if file.parent == resources.path("rules", "policies"):
        return policy
    if policy.name in policy_names():
        raise RuleError(
            f'"{policy.name}" in {shown_file(file)} is the name of a shipped policy.', hint="give it a name of its own"
        )
    digest = hashlib.sha256(file.read_bytes()).hexdigest()[:16]
    return replace(policy, title=f"{policy.title} (custom policy {shown_file(file)}, sha256 {digest})")


def policy_names() -> tuple[str, ...]:
    """Return the names of the shipped policies, sorted."""
    return resources.names("rules", "policies")


def _find(name_or_path: str, relative_to: Path | None = None) -> Path:
    if name_or_path in policy_names():
        return resources.path("rules", "policies", f"{name_or_path}.toml")
    file = Path(name_or_path) if relative_to is None else relative_to.parent / name_or_path
    exists = os.path.isfile(file)  # unlike Path.is_file, also answers for a name that is too long
    if file.suffix == ".toml" and exists:
        return file
    if file.suffix == ".toml":
        raise RuleError(f"The policy file {shown_file(file)} does not exist.", hint="check the path")
    if exists:
        raise RuleError(f"The name of {shown_file(file)} is not that of a policy file.", hint="end it in .toml")
    raise RuleError(
        f'"{shown_file(name_or_path)}" is neither a policy nor a policy file.',
        hint="policies: " + ", ".join(policy_names()),
    )


def _load(file: Path, seen: tuple[Path, ...]) -> PolicyInfo:
    if file in seen:
        raise RuleError(f'"extends" in {shown_file(file)} refers back to itself.')
    pack = read_pack(file, _PolicyFile)
    if (pack.k is None) != (pack.probability is None):
        raise RuleError(f'"k" and "probability" in {shown_file(file)} are a pair. Set both or neither.')
    if (pack.l_recursive is None) != (pack.c_recursive is None):
        raise RuleError(f'"l_recursive" and "c_recursive" in {shown_file(file)} are a pair. Set both or neither.')
    base = _load(_find(pack.extends, file), (*seen, file)) if pack.extends else None
    values: dict[str, Any] = {}
    origins: dict[str, str] = {}
    for key in _KEYS:
        values[key], origins[key] = _threshold(getattr(pack, key), key, base, file.name)
    severity = {**(base.severity if base else {}), **pack.severity}
    policy = PolicyInfo(name=pack.name, title=pack.title, origins=origins, severity=severity, **values)
    _check_ranges(policy, file.name)
    return policy


def _threshold(item: Any, key: str, base: PolicyInfo | None, where: str) -> tuple[Any, str]:
    if item is None and base is not None:
        return getattr(base, key), base.origins[key]
    if item is None and key in _OPTIONAL:
        return (() if key == "places" else None), _NO_LIMIT
    if item is None:
        raise RuleError(f'"{key}" is missing in {where}.', hint='set it, or name the policy it "extends"')
    if not item.origin.strip():
        raise RuleError(f'"{key}.origin" in {where} is empty. Every number states its source.')
    if item.value == "none" and key not in _OPTIONAL:
        raise RuleError(f'"{key}.value" in {where} must be a number.')
    return (None if item.value == "none" else item.value), item.origin


def _check_ranges(policy: PolicyInfo, where: str) -> None:
    valid = {
        "k": policy.k >= 1,
        "probability": 0 < policy.probability <= 1,
        "share_below_k": 0 <= policy.share_below_k <= 1,
        "uniques": policy.uniques is None or policy.uniques >= 0,
        "l": policy.l is None or policy.l >= 1,
        "t": policy.t is None or 0 <= policy.t <= 1,
        "l_entropy": policy.l_entropy is None or policy.l_entropy >= 1,
        "l_recursive": policy.l_recursive is None or policy.l_recursive >= 2,
        "c_recursive": policy.c_recursive is None or policy.c_recursive > 0,
        "suppression": policy.suppression is None or 0 <= policy.suppression < 1,
        "k_map": policy.k_map is None or policy.k_map >= 1,
        "person_keys": policy.person_keys is None or policy.person_keys >= 0,
        "attack_advantage": 0 <= policy.attack_advantage <= 1,
        "copies": policy.copies is None or 0 <= policy.copies <= 1,
        "reconstructed": policy.reconstructed is None or policy.reconstructed >= 0,
        "epsilon": policy.epsilon is None or policy.epsilon > 0,
    }
    for key, holds in valid.items():
        if not holds:
            raise RuleError(f'"{key}.value" in {where} is out of range; see docs/rules.md.')
