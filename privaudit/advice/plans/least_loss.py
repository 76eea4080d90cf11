"""Which of several plans and methods comes first: the one of least loss after which the gate passes.

Question: which plan is applied where nobody chose one?
Method: plans after which the gate passes come before others. Of these the one of least loss is first, except that one
that drops a quasi-identifier is not preferred to one that drops none and loses less than `WORTH` times as much: what a
dropped column could answer cannot be computed any more.
Limits: losses are compared by the measure of the plans; methods by the measure ``loss``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from privaudit.model import Alternative, Remedy

WORTH = 2.0
"""How many times the loss of a plan without dropped columns may be that of a plan with one (product default)."""


class Choice(NamedTuple):
    """A plan, and the method that replaces its recodings; None where the plan is as it was searched."""

    remedy: Remedy
    alternative: Alternative | None
    loss: float
    passes: bool
    drops: bool


def choices(remedies: Sequence[Remedy], quasi: Collection[str] | None = None) -> Iterator[Choice]:
    """Yield every plan with every method that was measured for it.

    Parameters
    ----------
    remedies : sequence of Remedy
        Plans.
    quasi : collection of str, optional
        The quasi-identifiers, where no method was measured.
    """
    for remedy in remedies:
        for each in remedy.alternatives:
            yield Choice(remedy, each if each.step else None, each.loss, each.passes, each.drops)
        # Without a measured method the plan is its own and only choice.
        if not remedy.alternatives:
            steps = remedy.parameters.get("steps", ())
            drops = any(s["technique"] == "drop" and s["column"] in (quasi or ()) for s in steps)
            yield Choice(remedy, None, remedy.utility_cost, bool(remedy.passes), drops)


def best(found: Sequence[Choice]) -> Choice | None:
    """Return the choice that comes first; None where there is none."""
    # Where none passes, the one that loses least is still the one to start from.
    passing = [choice for choice in found if choice.passes] or list(found)
    least = min(passing, key=lambda choice: choice.loss, default=None)
    whole = min((choice for choice in passing if not choice.drops), key=lambda choice: choice.loss, default=None)
    return whole if least is not None and whole is not None and whole.loss < WORTH * least.loss else least


def ordered(found: Sequence[Choice]) -> Iterator[Choice]:
    """Yield choices, the best of those that are left first."""
    left = list(found)
    # Not a sort: whether a dropped column is worth it depends on which choices are left.
    while (first := best(left)) is not None:
        yield first
        left.remove(first)


def in_order(remedies: Sequence[Remedy], quasi: Collection[str]) -> list[Remedy]:
    """Return plans in the order in which they are listed."""
    first = {id(choice.remedy): choice.remedy for choice in ordered(list(choices(remedies, quasi)))}
    return list(first.values())
