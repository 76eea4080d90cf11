"""Which remedies come first, and which of several plans and methods is applied where nobody chose one.

Question: in which order are measured remedies listed, and which plan is the one of least loss after which the gate
passes?
Method: remedies that resolve most of the findings that fail the gate, then those that repair most records per
information lost. Of one technique on one column the best few are listed. Plans after which the gate passes come before
others, and of others those that leave fewer findings that fail it. Of these the one of least loss is first, except that
one that drops a quasi-identifier is not preferred to one that drops none and loses less than `WORTH` times as much:
what a dropped column could answer cannot be computed any more.
Limits: nothing is measured here. Losses are compared by the measure of the plans; methods by the measure ``loss``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from privaudit.advice.effect.trial_table import Effect
from privaudit.model import Alternative, Finding, Remedy

PER_TECHNIQUE = 2
WORTHWHILE = 0.99
TIE_ORDER = (
    "top_code",
    "bottom_code",
    "band",
    "drop",
    "prefix",
    "hierarchy_level",
    "round_date",
    "group_values",
    "merge_rare",
)
"""The order of recodings of one column with equal effect and cost."""


def by_gate(remedies: Sequence[Remedy], blocking: Sequence[Finding]) -> list[Remedy]:
    """Order remedies by the findings that fail the gate and that they resolve, most first."""
    fails = {finding.fingerprint for finding in blocking}
    return sorted(remedies, key=lambda r: -sum(ref.fingerprint in fails for ref in r.resolves))


def by_effect(remedies: Sequence[Remedy], before: Effect, blocking: Sequence[Finding]) -> list[Remedy]:
    """Order by gate findings resolved, then by records repaired per information lost; omit what has no effect."""
    fails = {finding.fingerprint for finding in blocking}

    def worth(remedy: Remedy) -> float:
        repaired = (before.n_below_k - remedy.after["n_below_k"]) / max(1, before.n_records)
        return float((repaired + 0.1 * len(remedy.resolves)) / (remedy.utility_cost + 0.01))

    def order(technique: str) -> int:
        return TIE_ORDER.index(technique) if technique in TIE_ORDER else len(TIE_ORDER)

    # An effect of less than a hundredth is noise to a reader, and would fill the list.
    useful = [r for r in remedies if r.resolves or r.after["n_below_k"] < WORTHWHILE * before.n_below_k]
    useful.sort(
        key=lambda r: (
            -sum(ref.fingerprint in fails for ref in r.resolves),
            -worth(r),
            r.utility_cost,
            r.columns,
            order(r.technique),
            str(r.parameters),
        )
    )
    chosen: list[Remedy] = []
    for remedy in useful:
        # Bands of 5, 10 and 20 years are one idea: a list of a single technique hides the others.
        alike = sum((r.columns, r.technique) == (remedy.columns, remedy.technique) for r in chosen)
        if alike < PER_TECHNIQUE:
            chosen.append(remedy)
    return chosen


WORTH = 2.0
"""How many times the loss of a plan without dropped columns may be that of a plan with one (product default)."""


class Choice(NamedTuple):
    """A plan, and the method that replaces its recodings; None where the plan is as it was searched."""

    remedy: Remedy
    alternative: Alternative | None
    loss: float
    passes: bool
    drops: bool

    @property
    def n_failing(self) -> int:
        """Findings that would still fail the gate."""
        return 0 if self.passes else len(self.remedy.remaining)


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
    # If none passes, one that leaves the fewest findings that fail the gate is the one to start from.
    fewest = min((choice.n_failing for choice in found), default=0)
    passing = [choice for choice in found if choice.passes] or [each for each in found if each.n_failing == fewest]
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
