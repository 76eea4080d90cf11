"""What an attacker gains."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from privaudit.stats import Estimate
from privaudit.wire import Wire


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack(Wire):
    """What an adversary with the named knowledge gets: success beside what guessing gets.

    ``success`` is correct re-identifications over targets where the truth is known, else expected correct
    over targets. ``baseline`` is the success of guessing, ``control`` the share of people who are not in
    the table that are linked all the same (null where none were given), ``advantage`` is ``(success - base)
    / (1 - base)``, base the success of guessing. ``over_control`` is ``(c - control) / (1 - control)``, c
    the share of targets linked to one record, rightly or not. Unmatched, ambiguous and unique add up to
    ``n_auxiliary``; ``n_targets`` are those known or assumed to be in the table. ``n_release_linked`` of
    ``n_release`` released records agree with some auxiliary row; ``n_verbatim`` of them repeat one in every
    column (null where not every column could be compared). ``precision`` is the correct share of unique
    links, ``reasons`` say for each mapped column why and how it was compared.
    """

    kind: str
    knowledge: tuple[str, ...]
    n_targets: int
    n_auxiliary: int
    n_unmatched: int
    n_ambiguous: int
    n_unique: int
    n_mutual: int
    expected_correct: float
    n_correct: int | None = None
    success: Estimate
    baseline: float
    control: float | None = None
    advantage: Estimate
    mapping: Mapping[str, str] = field(default_factory=dict)
    method: str = "exact"
    n_release: int = 0
    n_release_linked: int = 0
    n_verbatim: int | None = None
    n_control: int | None = None
    precision: Estimate | None = None
    over_control: Estimate | None = None
    reasons: Mapping[str, str] = field(default_factory=dict)
