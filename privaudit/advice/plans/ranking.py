"""The order in which remedies are listed.

Question: which of many measured remedies come first?
Method: remedies that resolve most of the findings that fail the gate, then those that repair most records per
information lost. Of one technique on one column the best few are listed.
Limits: effects were measured before; nothing is measured here.
"""

from __future__ import annotations

from collections.abc import Sequence

from privaudit.advice.effect.trial_table import Effect
from privaudit.model import Finding, Remedy

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
