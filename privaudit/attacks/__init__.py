"""Simulated attacks: what an attacker with auxiliary data achieves, with baseline, control and interval.

Question: how much better than guessing does an attacker do?
Method: `registry.ATTACKS` lists every attack with the inputs it needs; `simulate_all` runs those whose inputs exist.
Limits: an attack is a lower bound of the risk: another attacker may know more or do better.
"""

from __future__ import annotations

from privaudit.attacks.inputs import AttackInputs, AttackResults
from privaudit.attacks.registry import ATTACKS, RegisteredAttack, simulate_all

__all__ = ["ATTACKS", "AttackInputs", "AttackResults", "RegisteredAttack", "simulate_all"]
