"""The section on combinations: which sets of columns expose most people.

Question: which columns together single people out, and which small sets suffice?
Method: column sets by people in classes smaller than k, worst first; the minimal sets separately.
Limits: a k whose records were not counted is a dash, never 0.
"""

from __future__ import annotations

from privaudit.model import Combination, Report
from privaudit.model.wording import MISSING, Term, Threshold, Wording, percent
from privaudit.report.charts import bars, upset
from privaudit.report.escape import name
from privaudit.report.public import shown_k
from privaudit.report.sentences import View, sentence

MOST_COMBINATIONS = 25


def combinations(report: Report, wording: Wording) -> View:
    """Return the section on column sets, worst first, cut to the worst."""
    listed = report.combinations[:MOST_COMBINATIONS]
    smallest = [] if wording.public else [one for one in _smallest_sets(report) if one not in listed]
    k = shown_k(report.policy, public=wording.public)
    return {
        "note": sentence(wording, "report.combinations_note"),
        "smallest_note": sentence(wording, "report.smallest_note", k=Threshold(k)),
        "rows": [_combination(found, report, wording) for found in listed],
        "smallest": [_combination(found, report, wording) for found in smallest[:MOST_COMBINATIONS]],
        "n_smallest_hidden": max(0, len(smallest) - MOST_COMBINATIONS),
        "n_hidden": len(report.combinations) - len(listed),
        "k": k,
        "counted": wording.value(Term(f"{wording.unit}.plural")).capitalize(),
        "chart": upset.chart(report, wording),
    }


def _combination(found: Combination, report: Report, wording: Wording) -> View:
    n = report.n_units
    below = bars.combination_below(found, shown_k(report.policy, public=wording.public), n)
    return {
        "columns": [name(column) for column in found.columns],
        "below": wording.count(below, n),
        "below_share": wording.share(below / n) if n and below is not None else MISSING,
        "unique": wording.count(found.n_unique, n),
        "k_min": wording.count(found.k_min),
        "classes": wording.count(found.n_classes),
        "separation": MISSING if found.separation is None else percent(found.separation),
        # For which k a set is minimal shows the size of its smallest class.
        "minimal_for": "" if wording.public else _minimal_for(found, wording),
    }


def _minimal_for(found: Combination, wording: Wording) -> str:
    """Return for which k a set is minimal, without disclosing a smallest class that is withheld."""
    first, last = found.k_min + 1, found.minimal_to
    if last is None or last < first:
        return ""
    if wording.hidden(found.k_min) or wording.hidden(last):
        return f"up to {wording.count(last)}"
    return wording.count(last) if first == last else f"{wording.count(first)} to {wording.count(last)}"


def _smallest_sets(report: Report) -> list[Combination]:
    """Return the sets that are minimal for k = 2 or the k of the policy, fewest columns first."""
    k, n = report.policy.k, report.n_units
    small = [c for c in report.combinations if c.minimal or c.k_min < 2 <= (c.minimal_to or 0)]
    return sorted(
        small, key=lambda c: (len(c.columns), -(bars.combination_below(c, k, n) or 0), -c.n_unique, c.columns)
    )
