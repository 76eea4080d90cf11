"""All attacks, each with the inputs it needs.

Question: which attacks can be simulated on this table?
Method: an attack declares the fields of `AttackInputs` it needs; its module is imported if all of them are given.
Limits: none of the attacks reads the result of another.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import NamedTuple

from privaudit.attacks.inputs import AttackInputs, AttackResults
from privaudit.model import Attack, Limit

Simulation = Callable[[], AttackResults]
Attempt = Callable[[str, Simulation], tuple[AttackResults | None, tuple[Limit, ...]]]


class RegisteredAttack(NamedTuple):
    """An attack, ``simulate_<kind>`` in the module ``<kind>``: its kind and the fields of `AttackInputs` it needs."""

    kind: str
    needs: frozenset[str]

    def simulate(self, inputs: AttackInputs) -> AttackResults:
        """Simulate the attack."""
        module = import_module(f"privaudit.attacks.{self.kind}")
        results: AttackResults = getattr(module, f"simulate_{self.kind}")(inputs)
        return results

    def can_run(self, inputs: AttackInputs) -> bool:
        """Whether all needed inputs are given."""
        return all(getattr(inputs, name) is not None for name in self.needs)


ATTACKS = (RegisteredAttack("linkage", frozenset({"auxiliary"})),)


def _attempt(kind: str, simulation: Simulation) -> tuple[AttackResults | None, tuple[Limit, ...]]:
    return simulation(), ()


def simulate_all(inputs: AttackInputs, *, attempt: Attempt = _attempt) -> AttackResults:
    """Simulate every attack whose inputs are given.

    Parameters
    ----------
    inputs : AttackInputs
    attempt : callable, optional
        Runs one simulation, given its kind; returns None and limits where it fails, so that the others still run.
    """
    attacks: list[Attack] = []
    limits: list[Limit] = []
    for attack in ATTACKS:
        if attack.can_run(inputs):
            results, failed = attempt(attack.kind, lambda simulate=attack.simulate: simulate(inputs))  # type: ignore[misc]
            limits += failed
            if results is not None:
                attacks += results.attacks
                limits += results.limits
    return AttackResults(tuple(attacks), tuple(limits))
