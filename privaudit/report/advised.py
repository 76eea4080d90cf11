"""What would help: each remedy with its effect before and after, and the first step in one sentence.

Question: what should be done, and what does it buy and cost?
Method: remedies in the order in which they were ranked; effects that stay the same are left out; a plan lists its
steps. Techniques carry the names of ISO/IEC 20889.
Limits: tells what was measured on the coded table; the remedied table is scanned again to be sure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from privaudit.model import Remedy, Report
from privaudit.report import bars
from privaudit.report.escape import name
from privaudit.report.words import Numbers, decimal, listing, percent

View = dict[str, Any]

MOST_REMEDIES = 20
MOST_STEP = 200
"""Longest text of a remedy that the verdict repeats word for word."""

TECHNIQUES = {
    "drop": "attribute suppression",
    "suppress_records": "record suppression",
    "mask": "masking",
    "pseudonymise": "pseudonymisation",
    "band": "generalisation, rounding",
    "prefix": "generalisation, truncation",
    "hierarchy_level": "generalisation, hierarchy",
    "merge_rare": "generalisation, combining values",
    "round_date": "generalisation, rounding",
    "top_code": "top coding",
    "bottom_code": "bottom coding",
    "plan": "several together",
}
_IDENTIFIER_TECHNIQUES = frozenset({"drop", "mask", "pseudonymise"})


def technique(remedy_technique: str) -> str:
    """Return the ISO/IEC 20889 name of a technique; its own name where there is none."""
    return TECHNIQUES.get(remedy_technique, name(remedy_technique, 60).replace("_", " "))


def advice(report: Report, told: Numbers) -> View:
    """Return the remedies in the order they were ranked, each with its effect before and after."""
    shown = report.advice[:MOST_REMEDIES]
    return {
        "rows": [_remedy(remedy, report.policy.k, told) for remedy in shown],
        "n_hidden": len(report.advice) - len(shown),
        "k": report.policy.k,
        "chart": bars.remedies(report, told),
    }


def _remedy(remedy: Remedy, k: int, told: Numbers) -> View:
    steps = remedy.parameters.get("steps")
    return {
        "technique": technique(remedy.technique),
        "columns": [name(column) for column in remedy.columns],
        "text": told.text(name(remedy.text, 1_500)),
        "effects": _effects(remedy, k, told),
        "kept": percent(1 - remedy.utility_cost),
        "cost_measure": name(remedy.cost_measure, 120).replace("_", " "),
        "parameters": _parameters(remedy.parameters, told),
        "steps": [_step(step, told) for step in steps] if isinstance(steps, Sequence) else [],
        "resolves": [name(code, 20) for code in remedy.resolves],
    }


def _effects(remedy: Remedy, k: int, told: Numbers) -> list[View]:
    labels = (
        ("smallest class (k)", "k_min"),
        (f"people in classes below {k}", "n_below_k"),
        ("people who stand alone", "n_unique"),
        ("rows kept", "n_records"),
    )
    # Compared as they are told: that a withheld number changed would say something of it.
    rows = [
        {"label": label, "before": _count(remedy.before, key, told), "after": _count(remedy.after, key, told)}
        for label, key in labels
    ]
    return [row for row in rows if row["before"] != row["after"]]


def _count(values: Mapping[str, Any], key: str, told: Numbers) -> str:
    value = values.get(key)
    return "–" if value is None else told.count(round(value), None if key == "k_min" else told.n_rows)


def _parameters(parameters: Mapping[str, Any], told: Numbers) -> list[str]:
    plain = {key: value for key, value in parameters.items() if isinstance(value, str | int | float)}
    return [f"{name(key, 40).replace('_', ' ')}: {_value(key, plain[key], told)}" for key in sorted(plain)]


def _value(key: str, value: str | int | float, told: Numbers) -> str:
    if isinstance(value, str):
        return name(value, 120)
    return told.count(round(value)) if key.startswith("n_") else decimal(value)


def _step(step: Mapping[str, Any], told: Numbers) -> View:
    after = step.get("after") or {}
    return {
        "column": name(str(step.get("column", ""))),
        "technique": technique(str(step.get("technique", ""))),
        "parameters": ", ".join(_parameters(step.get("parameters") or {}, told)),
        "below": _count(after, "n_below_k", told),
        "k_min": _count(after, "k_min", told),
    }


def first_step(report: Report, told: Numbers) -> str:
    """Return what to do first, with what it measurably does; empty where there is nothing to say.

    Direct identifiers come first, then the remedy after which fewest people are left in small classes.
    """
    direct = [column.name for column in report.columns if column.role == "direct"]
    treated = {remedy.columns[0] for remedy in report.advice if _treats_one(remedy)}
    parts = []
    named = [column for column in direct if column in treated]
    if named:
        parts.append(f"drop or replace {listing((name(column, 60) for column in named), 5)}")
    best = best_remedy(report)
    if best is not None:
        parts.append(_sentence(best, report.policy.k, told))
    elif report.advice and not parts:
        parts.append(_sentence(report.advice[0], report.policy.k, told))
    return f"Do first: {'; then '.join(parts)}." if parts else ""


def _treats_one(remedy: Remedy) -> bool:
    return len(remedy.columns) == 1 and remedy.technique in _IDENTIFIER_TECHNIQUES


def best_remedy(report: Report) -> Remedy | None:
    """Return the remedy that leaves fewest people below k, the cheapest of equals; None if none lowers them."""
    measured = [r for r in report.advice if "n_below_k" in r.before and "n_below_k" in r.after]
    lowering = [r for r in measured if r.after["n_below_k"] < r.before["n_below_k"]]
    return min(lowering, key=lambda r: (r.after["n_below_k"], r.utility_cost), default=None)


def _sentence(remedy: Remedy, k: int, told: Numbers) -> str:
    """Return a remedy in one sentence: its own text, or columns and effect where that is long."""
    text = told.text(name(remedy.text, 2_000)).rstrip(".")
    if len(text) <= MOST_STEP:
        return text
    columns = listing((name(column, 40) for column in remedy.columns), 5) or technique(remedy.technique)
    pairs = (("smallest class", "k_min"), (f"people in classes below {k}", "n_below_k"))
    effects = [
        f"{label}: {_count(remedy.before, key, told)} → {_count(remedy.after, key, told)}"
        for label, key in pairs
        if key in remedy.before and key in remedy.after
    ]
    kept = f"information kept {percent(1 - remedy.utility_cost)}"
    return f"coarsen or drop {columns} as listed under What would help: {', '.join([*effects, kept])}"
