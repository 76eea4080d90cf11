"""What an adversary gets who holds another table: always beside baseline, control and interval."""

from __future__ import annotations

from privaudit.attacks.linkage import AttackResult, simulate

__all__ = ["AttackResult", "simulate"]
