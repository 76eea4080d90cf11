"""What was measured, as sections of plain text: identifiability, combinations, attacks.

Question: what are the numbers, what do they mean, and what do they not say?
Method: one entry per measure, combination and attack; each measure carries a sentence in people and, from
the catalogue of measures, what it does not say, its formula and its source.
Limits: shows what the report holds; an absent number is a dash, never 0.
"""

from __future__ import annotations

from typing import Any

from privaudit.model import Attack, Combination, Report
from privaudit.report import bars, charts, extra
from privaudit.report.catalogue import measure
from privaudit.report.columns import estimate
from privaudit.report.escape import name
from privaudit.report.verdict import below_k
from privaudit.report.words import Numbers, decimal, listing, one_in, percent

View = dict[str, Any]

MOST_COMBINATIONS = 25
MOST_ATTACKS = 40


def risk(report: Report, told: Numbers) -> View | None:
    """Return the section on identifiability, or None where risk was not measured."""
    found = report.risk
    if found is None:
        return None
    return {
        "quasi": [name(column) for column in found.quasi_identifiers],
        "sensitive": [name(column) for column in found.sensitive],
        "measures": [*_classes(report, told), *_risks(report, told)],
        "charts": [charts.class_sizes(report, told), charts.below_k(report, told)],
        "at_risk": _at_risk(report, told),
        "extra": extra.sections(report, told),
    }


def _classes(report: Report, told: Numbers) -> list[View]:
    found, n, k = report.risk, report.dataset.n_rows, report.policy.k
    assert found is not None
    exposed = below_k(report) or 0
    return [
        measure(
            "class.k_min",
            told.count(found.k_min),
            _smallest(found.k_min, told),
        ),
        measure(
            "class.n_sample_unique",
            told.count(found.n_unique, n),
            f"{told.people(found.n_unique, n)} differ from everybody else by these columns alone.",
        ),
        measure(
            "class.share_below",
            told.share(found.share_below_k if found.share_below_k is not None else exposed / max(n, 1)),
            f"{told.people(exposed, n)} are in classes smaller than {k}.",
            suffix=f"k = {k}",
        ),
        measure(
            "class.n_classes",
            told.count(found.n_classes),
            f"The {n:,} rows fall into {told.counted(found.n_classes, 'class')} of people "
            "who look the same by these columns.",
        ),
    ]


def _risks(report: Report, told: Numbers) -> list[View]:
    found, n = report.risk, report.dataset.n_rows
    assert found is not None
    rows = [
        measure(
            "risk.prosecutor_max",
            told.probability(found.prosecutor_max),
            "Whoever knows that a target is in the table finds the easiest one with this "
            f"chance: {_odds(found.prosecutor_max, told)}.",
        ),
        measure(
            "risk.prosecutor_mean",
            decimal(found.prosecutor_mean),
            f"Averaged over all records, the chance is {one_in(found.prosecutor_mean)}.",
        ),
        measure(
            "risk.marketer",
            decimal(found.marketer),
            "Matching everybody at once would re-identify an expected "
            f"{told.people(round(found.marketer * n), n)}.",
        ),
    ]
    if found.journalist_max is not None:
        rows.append(
            measure(
                "risk.journalist_max",
                told.probability(found.journalist_max),
                "The same for an attacker who does not know whether the target is in the table.",
            )
        )
    return rows


def _smallest(k: int, told: Numbers) -> str:
    if told.hidden(k):
        return "Somebody shares these columns with fewer than 10 others."
    if k == 1:
        return "Somebody differs from everybody else by these columns."
    return f"Nobody shares these columns with fewer than {told.count(k - 1)} others."


def _at_risk(report: Report, told: Numbers) -> View | None:
    """Return the records at risk above each threshold as one table."""
    found, n = report.risk, report.dataset.n_rows
    if found is None or not found.share_at_risk:
        return None
    ranked = sorted(found.share_at_risk.items(), key=lambda item: float(item[0]))
    rows = [
        {
            "threshold": f"more than {name(threshold, 12)}",
            "people": told.people(round(share * n), n),
            "bar": bars.bar_width(None if told.hidden(round(share * n), n) else share),
        }
        for threshold, share in ranked
    ]
    words = (
        "How many people an attacker who knows that they are in the table finds with more than this chance."
    )
    return measure("risk.share_at_risk", "", words, title="Records at risk") | {"rows": rows}


def _odds(probability: float, told: Numbers) -> str:
    return "more than 1 in 11" if told.public and probability > 1 / 11 else one_in(probability)


def combinations(report: Report, told: Numbers) -> View:
    """Return the section on column sets, worst first, cut to the worst."""
    shown = report.combinations[:MOST_COMBINATIONS]
    smallest = _smallest_sets(report)
    return {
        "rows": [_combination(found, report, told) for found in shown],
        "smallest": [_combination(found, report, told) for found in smallest[:MOST_COMBINATIONS]],
        "n_smallest_hidden": max(0, len(smallest) - MOST_COMBINATIONS),
        "n_total": len(report.combinations),
        "n_hidden": len(report.combinations) - len(shown),
        "k": report.policy.k,
        "chart": bars.combinations(report, told),
    }


def combination_below(found: Combination, report: Report) -> int:
    """Return the records of `found` in classes smaller than the policy's k."""
    told = found.n_below.get(str(report.policy.k))
    return round((found.share_below_k or 0) * report.dataset.n_rows) if told is None else told


def _combination(found: Combination, report: Report, told: Numbers) -> View:
    n = report.dataset.n_rows
    below = combination_below(found, report)
    return {
        "columns": [name(column) for column in found.columns],
        "below": told.count(below, n),
        "below_share": told.share(below / n) if n else "–",
        "unique": told.count(found.n_unique, n),
        "k_min": told.count(found.k_min),
        "classes": told.count(found.n_classes),
        "separation": "–" if found.separation is None else percent(found.separation),
        "minimal": bool(found.minimal),
        "minimal_for": _minimal_for(found, told),
    }


def _minimal_for(found: Combination, told: Numbers) -> str:
    """Return for which k a set is minimal; its smallest class is not told from this where it is withheld."""
    first, last = found.k_min + 1, found.minimal_to
    if last is None or last < first:
        return ""
    if told.hidden(found.k_min) or told.hidden(last):
        return f"up to {told.count(last)}"
    return told.count(last) if first == last else f"{told.count(first)} to {told.count(last)}"


def _smallest_sets(report: Report) -> list[Combination]:
    """Return the sets that are minimal for k = 2 or the policy's k, fewest columns first."""
    small = [c for c in report.combinations if c.minimal or c.k_min < 2 <= (c.minimal_to or 0)]
    return sorted(
        small, key=lambda c: (len(c.columns), -combination_below(c, report), -c.n_unique, c.columns)
    )


def attacks(report: Report, told: Numbers) -> View:
    """Return the section on attacks, the highest advantage first."""
    ranked = sorted(report.attacks, key=lambda attack: -attack.advantage.high)
    return {
        "rows": [_attack(attack, told) for attack in ranked[:MOST_ATTACKS]],
        "n_hidden": max(0, len(ranked) - MOST_ATTACKS),
        "limit": percent(report.policy.attack_advantage),
        "models": _models(report),
    }


def _models(report: Report) -> list[View]:
    """Return the attackers that were assumed, and which of them were measured."""
    risk = report.risk
    journalist = risk is not None and risk.journalist_max is not None
    rows = (
        (
            "Prosecutor",
            "knows that the target is in the table, and any of the quasi-identifiers",
            risk is not None,
        ),
        (
            "Journalist",
            "does not know whether the target is in the table, only in the population",
            journalist,
        ),
        ("Marketer", "matches everybody at once and counts the right ones", risk is not None),
        ("Linkage", "owns another table and joins it", bool(report.attacks)),
    )
    return [
        {"who": who, "knows": knows, "state": "measured" if seen else "not measured"}
        for who, knows, seen in rows
    ]


def _attack(attack: Attack, told: Numbers) -> View:
    total, correct = attack.n_targets, attack.n_correct
    knows = listing((name(known) for known in attack.knowledge), 12)
    if correct is None:
        outcome = (
            f"An expected {told.people(round(attack.expected_correct), total)} are re-identified correctly."
        )
    else:
        outcome = f"{told.people(correct, total)} are re-identified correctly (the truth was given)."
    return {
        "kind": name(f"{attack.kind}, {attack.method}", 80),
        "knows": knows or "nothing",
        "outcome": outcome,
        "success": estimate(attack.success, told),
        "baseline": told.share(attack.baseline, total),
        "control": "not given"
        if attack.control is None
        else told.share(attack.control, attack.n_control or total),
        "advantage": estimate(attack.advantage, told),
        "precision": "" if attack.precision is None else estimate(attack.precision, told),
        "counts": [{"label": label, "value": value} for label, value in _attack_counts(attack, told)],
        "mapping": [
            {"release": name(release), "auxiliary": name(auxiliary), "why": _reason(attack, release, told)}
            for release, auxiliary in sorted(attack.mapping.items())
        ],
        "chart": bars.attack(attack, told),
    }


def _attack_counts(attack: Attack, told: Numbers) -> list[tuple[str, str]]:
    everybody = attack.n_auxiliary
    rows = [
        ("people in the attacker's table", told.count(everybody)),
        ("of them expected in the release", told.count(attack.n_targets, everybody)),
        ("without a match", told.count(attack.n_unmatched, everybody)),
        ("with several matches", told.count(attack.n_ambiguous, everybody)),
        ("with exactly one match", told.count(attack.n_unique, everybody)),
        ("of these, matched by nobody else", told.count(attack.n_mutual, everybody)),
    ]
    if attack.n_release:
        rows.append(
            (
                "released records that match somebody",
                told.people(attack.n_release_linked, attack.n_release, "record"),
            )
        )
    if attack.n_verbatim is not None:
        rows.append(("released records repeated in every column", told.count(attack.n_verbatim)))
    return rows


def _reason(attack: Attack, column: str, told: Numbers) -> str:
    why = attack.reasons.get(column, "")
    return told.text(name(why, 200)) if why else ""
