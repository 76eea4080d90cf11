"""The thresholds of the policy: limit, what was observed, what the best remedy would leave, and the origin.

Question: initial risk, threshold, residual risk: how do they compare?
Method: one row for each threshold; the observed number stands beside its limit, and the number measured after the
remedy that leaves fewest people in small classes beside that.
Limits: compares for reading; the rules judge. k is what is judged, the probability is printed with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from privaudit.model import Report
from privaudit.report.advised import best_remedy
from privaudit.report.escape import name
from privaudit.report.words import Numbers, decimal, percent

View = dict[str, Any]

_DATES = ("year", "month", "day", "minute", "second")
_PLACES = ("country", "region", "county", "city", "postal area", "postal", "point")


def policy(report: Report, told: Numbers) -> View:
    """Return the thresholds, where each comes from, and how the table compares before and after."""
    observed, after = _observed(report, told), _after(report, told)
    rows = [
        {
            "title": title,
            "limit": limit,
            "observed": observed.get(key, ""),
            "after": after.get(key, ""),
            "origin": name(report.policy.origins.get(key, "no origin stated"), 300),
        }
        for key, title, limit in _limits(report)
    ]
    return {
        "name": name(report.policy.name),
        "title": name(report.policy.title),
        "rows": rows,
        "remedied": bool(after),
    }


def _limits(report: Report) -> list[tuple[str, str, str]]:
    given = report.policy
    uniques = "reported only" if given.uniques is None else f"at most {given.uniques:,}"
    return [
        ("k", "Smallest class (k)", f"{given.k} or more"),
        ("probability", "Highest chance for one person, printed with k", decimal(given.probability)),
        (
            "share_below_k",
            f"Share of people in classes below {given.k}",
            f"at most {percent(given.share_below_k)}",
        ),
        ("uniques", "People who stand alone", uniques),
        (
            "l",
            "Fewest sensitive values in a class (l)",
            "no limit" if given.l is None else f"{given.l} or more",
        ),
        (
            "t",
            "Distance of a class from the whole (t)",
            "no limit" if given.t is None else f"at most {decimal(given.t)}",
        ),
        (
            "attack_advantage",
            "Advantage of an attacker over guessing",
            f"at most {percent(given.attack_advantage)}",
        ),
        ("date", "Finest date", name(given.date, 40)),
        ("geo", "Finest place", name(given.geo, 40)),
        ("fail_on", "The gate fails from severity", given.fail_on),
    ]


def _observed(report: Report, told: Numbers) -> dict[str, str]:
    found = {
        "date": _finest((column.date_precision for column in report.columns), _DATES),
        "geo": _finest((column.geo_precision for column in report.columns), _PLACES),
    }
    if report.attacks:
        worst = max(report.attacks, key=lambda attack: attack.advantage.high)
        highest = told.share(max(0.0, min(1.0, worst.advantage.high)), worst.n_targets)
        found["attack_advantage"] = f"at most {highest}"
    risk = report.risk
    if risk is None:
        return found
    found |= {
        "k": told.count(risk.k_min),
        "probability": told.probability(risk.prosecutor_max),
        "share_below_k": told.share(risk.share_below_k),
        "uniques": told.count(risk.n_unique, told.n_rows),
    }
    return found | _diversity(risk.diversity)


def _diversity(found: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    fewest = [values["l_distinct"] for values in found.values() if values.get("l_distinct") is not None]
    distances = [
        distance
        for values in found.values()
        for distance in (values.get("t_closeness") or {}).values()
        if distance is not None
    ]
    told = {"l": decimal(min(fewest))} if fewest else {}
    return told | ({"t": decimal(max(distances))} if distances else {})


def _finest(precisions: Iterable[str | None], order: tuple[str, ...]) -> str:
    known = [precision for precision in precisions if precision in order]
    return max(known, key=order.index, default="none found")


def _after(report: Report, told: Numbers) -> dict[str, str]:
    """Return what the best measured remedy would leave; empty where no remedy lowers the risk."""
    best = best_remedy(report)
    if best is None:
        return {}
    left = {}
    if "k_min" in best.after:
        k = round(best.after["k_min"])
        left = {"k": told.count(k), "probability": told.probability(1 / k if k else None)}
    if "share_below_k" in best.after:
        left["share_below_k"] = told.share(float(best.after["share_below_k"]))
    if "n_unique" in best.after:
        left["uniques"] = told.count(round(best.after["n_unique"]), told.n_rows)
    return left
