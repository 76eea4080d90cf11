"""The thresholds of the policy: limit, what was observed, what the best remedy would leave, and the origin.

Question: how do the initial risk, the threshold and the residual risk compare?
Method: one row per threshold with its limit, the observed number, and the number measured after the remedy that
leaves fewest people in small classes.
Limits: a comparison for reading; the rules judge by k, and the probability is shown with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from privaudit.model import PolicyInfo, Report
from privaudit.model.vocabulary.statements import DATE_LEVELS, GEO_LEVELS
from privaudit.model.wording import Number, Threshold, Wording, decimal, fact, percent, term
from privaudit.report.escape import name
from privaudit.report.json import plain
from privaudit.report.sections.remedies import best_remedy
from privaudit.report.sentences import View, sentence, shown

NO_LIMIT = "no limit"


def policy(report: Report, wording: Wording) -> View:
    """Return the thresholds with their origins, and how the table compares before and after."""
    observed, after = _observed(report, wording), _after(report, wording)
    rows = [
        {
            "title": title,
            "limit": limit,
            "observed": observed.get(key, ""),
            "after": after.get(key, ""),
            "origin": name(report.policy.origins.get(key) or shown(wording, fact("report.origin_missing")), 300),
        }
        for key, title, limit in _limits(report, wording)
        if limit != NO_LIMIT or observed.get(key)
    ]
    return {"name": name(report.policy.name), "title": name(report.policy.title), "rows": rows, "remedied": bool(after)}


def _limits(report: Report, wording: Wording) -> list[tuple[str, str, str]]:
    given = report.policy
    probability, below = "report.probability_limit", "report.share_below_limit"
    uniques = NO_LIMIT if given.uniques is None else f"at most {given.uniques:,}"
    values = NO_LIMIT if given.l is None else sentence(wording, "report.limit_l", n=Number(given.l))
    return [
        ("k", "Smallest class (k)", f"{given.k} or more"),
        ("probability", sentence(wording, probability), decimal(given.probability)),
        ("share_below_k", sentence(wording, below, k=Threshold(given.k)), f"at most {percent(given.share_below_k)}"),
        ("uniques", sentence(wording, "report.label_unique"), uniques),
        ("l", "Distinct sensitive values per class (l)", values),
        ("t", "Distance of a class from the table (t)", NO_LIMIT if given.t is None else f"at most {decimal(given.t)}"),
        *_further_limits(given),
        (
            "attack_advantage",
            "Advantage of an attacker over guessing or the control",
            f"at most {percent(given.attack_advantage)}",
        ),
        ("date", "Most precise date", name(given.date, 40)),
        ("geo", "Most precise location", name(term(given.geo), 40)),
        ("fail_on", "Severity from which the gate fails", given.fail_on),
    ]


def _further_limits(given: PolicyInfo) -> list[tuple[str, str, str]]:
    """Return the limits of sensitive attributes, of the population and of suppression that few policies set."""
    rows = [
        ("k_map", "People of the population in a class (k-map)", "{} or more", given.k_map),
        ("l_entropy", "Entropy l-diversity", "{} or more", given.l_entropy),
        ("c_recursive", "Recursive l-diversity (c)", "below {}", given.c_recursive),
        ("l_recursive", "Recursive l-diversity (l)", "{}", given.l_recursive),
        ("copies", "Advantage of looking for copies", "at most {}", given.copies),
        ("reconstructed", "People in hidden cells that can be computed", "at most {}", given.reconstructed),
        ("epsilon", "Epsilon of a release under differential privacy", "at most {}", given.epsilon),
        ("suppression", "Records that a plan may suppress", "at most {}", given.suppression),
    ]
    return [(key, title, form.format(decimal(value))) for key, title, form, value in rows if value is not None]


_WITHOUT_LIMIT = frozenset({"partial_knowledge", "copies", "near_copies", "reconstruction"})
"""Attacks to which the limit of the advantage does not apply: exact ones, and those with a limit of their own."""


def _observed(report: Report, wording: Wording) -> dict[str, str]:
    found = {
        "date": _most_precise((column.date_precision for column in report.columns), DATE_LEVELS),
        "geo": _most_precise((column.geo_precision for column in report.columns), GEO_LEVELS),
    }
    judged = [attack for attack in report.attacks if not attack.is_headline and attack.kind not in _WITHOUT_LIMIT]
    if judged and not wording.public:
        worst = max(judged, key=lambda attack: attack.judged)
        highest = wording.share(max(0.0, min(1.0, worst.judged)), worst.n_targets)
        found["attack_advantage"] = f"at {'most' if worst.against == 'guessing' else 'least'} {highest}"
    risk = report.risk
    if risk is None or wording.public:
        return found
    found |= {
        "k": wording.count(risk.k_min),
        "probability": wording.probability(risk.prosecutor_max),
        "share_below_k": wording.share(risk.share_below_k),
        "uniques": wording.count(risk.n_unique, report.n_units),
    }
    if risk.population is not None and risk.population.k_map is not None:
        found["k_map"] = wording.count(risk.population.k_map)
    return found | _diversity(plain(risk.diversity))


def _diversity(found: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    fewest = [values["l_distinct"] for values in found.values() if values.get("l_distinct") is not None]
    distances = [
        distance
        for values in found.values()
        for distance in (values.get("t_closeness") or {}).values()
        if distance is not None
    ]
    worst = {"l": decimal(min(fewest))} if fewest else {}
    return worst | ({"t": decimal(max(distances))} if distances else {})


def _most_precise(precisions: Iterable[str | None], order: tuple[str, ...]) -> str:
    known = [precision for precision in precisions if precision in order]
    return term(max(known, key=order.index, default="none"))


def _after(report: Report, wording: Wording) -> dict[str, str]:
    """Return what the best measured remedy would leave; empty where no remedy lowers the risk."""
    best = best_remedy(report)
    if best is None or wording.public:
        return {}
    left = {}
    if "k_min" in best.after:
        k = round(best.after["k_min"])
        left = {"k": wording.count(k), "probability": wording.probability(1 / k if k else None)}
    if "share_below_k" in best.after:
        left["share_below_k"] = wording.share(float(best.after["share_below_k"]))
    if "n_unique" in best.after:
        left["uniques"] = wording.count(round(best.after["n_unique"]), report.n_units)
    return left
