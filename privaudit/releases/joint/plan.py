"""The plan of a joint audit: what all silos agree on before the first round.

Question: which combinations are counted, by which silos, and how are the counts hidden?
Method: a TOML file that every silo has; its fingerprint is in every message, so that two plans never mix.
Limits: the values of a column must be written in the same way by every silo; the plan cannot check that.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import fields
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any, Literal

from privaudit.base import resources
from privaudit.base.errors import ConfigError, TooFewParties
from privaudit.base.records import dataclass
from privaudit.base.typed import convert, plain
from privaudit.model.headers import shown_file

Hiding = Literal["masks", "paillier"]
Matching = Literal["key", "double-masking"]
LEAST_SILOS = 3
"""With two silos, the count of the other silo is the difference of the sum and the own count."""
MOST_SETS = 5_000


@dataclass(frozen=True, kw_only=True)
class JointPlan:
    """What all silos agree on.

    Attributes
    ----------
    columns : tuple of str
        The quasi-identifiers, at least one; every silo has these columns.
    silos : tuple of str
        Names of the silos, at least three.
    max_size : int
        Largest combination; the set of all columns is counted in any case.
    k : int
        Records in classes smaller than k are counted.
    counts : {"masks", "paillier"}
        How a silo hides its counts: masks that cancel in the sum, or encryption under the key of a third party.
    matching : {"key", "double-masking"}
        How equal combinations of two silos are recognised: an HMAC key that the silos share, or X25519 by every silo
        in turn, where they do not trust each other with a key.

    Raises
    ------
    ConfigError
        For fewer than three silos, a repeated name, or numbers out of range.
    """

    columns: tuple[str, ...]
    silos: tuple[str, ...]
    max_size: int = 3
    k: int = 5
    counts: Hiding = "masks"
    matching: Matching = "key"

    def __post_init__(self) -> None:
        """Reject a plan that cannot be carried out."""
        if len(self.silos) < LEAST_SILOS:
            raise TooFewParties(
                f"A joint audit needs at least {LEAST_SILOS} silos: of two, each can subtract its own counts.",
                hint="name all silos in the plan",
            )
        for what, names in (("silo", self.silos), ("column", self.columns)):
            if len(set(names)) < len(names) or not all(names):
                raise ConfigError(f"The plan names a {what} twice, or one without a name.")
        if not self.columns or self.max_size < 1 or self.k < 2:
            raise ConfigError("The plan needs columns, max_size of 1 or more, and k of 2 or more.")
        if len(self.sets) > MOST_SETS:
            raise ConfigError(
                f"The plan has {len(self.sets):,} combinations of columns; at most {MOST_SETS:,} are counted.",
                hint="lower max_size",
            )

    @cached_property
    def sets(self) -> tuple[tuple[int, ...], ...]:
        """The combinations of column numbers, the smaller ones first, and all columns last."""
        n = len(self.columns)
        sizes = [*range(1, min(self.max_size, n) + 1), *([n] if self.max_size < n else [])]
        return tuple(chosen for size in sizes for chosen in combinations(range(n), size))

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of the plan; it contains names and limits only."""
        # Sorted keys: silos that write the plan in another order still have the same one.
        return hashlib.sha256(json.dumps(self.as_json(), sort_keys=True).encode()).hexdigest()

    def as_json(self) -> dict[str, Any]:
        """Return the plan as JSON holds it."""
        return plain(self)


def plan_of(content: Mapping[str, Any], where: str) -> JointPlan:
    """Return the plan that a mapping holds.

    Raises
    ------
    ConfigError
        For an unknown, missing or wrong key.
    """
    resources.check_keys(content, [field.name for field in fields(JointPlan)], where)
    try:
        plan: JointPlan = convert(dict(content), JointPlan)
    except (TypeError, ValueError):
        raise ConfigError(
            f"{where} is not a plan of a joint audit: a key is missing or has another type.",
            hint='columns and silos are lists of names, counts is "masks" or "paillier"',
        ) from None
    return plan


def read_plan(path: str | Path) -> JointPlan:
    """Return the plan in a TOML file.

    Raises
    ------
    ConfigError
    """
    shown = shown_file(path)
    hint = "write a TOML file with columns, silos, max_size and k, the same for all silos"
    return plan_of(resources.read_stated(Path(path), shown, "plan", hint=hint), shown)
