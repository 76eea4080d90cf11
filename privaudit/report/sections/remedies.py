"""The section on remedies, and the first step.

Question: what should be done, what does it achieve and what does it cost?
Method: plans first, then one row for each column with the treatments to choose from, in the order in which they were
ranked, without those that add nothing to a plan. Columns with the same choices share a row. Effects that do not change
are omitted; a plan lists its steps. Techniques have the names of ISO/IEC 20889.
Limits: effects were measured on the coded table; only a scan of the remedied table confirms them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from privaudit.model import Alternative, FindingRef, Remedy, Report
from privaudit.model.wording import MISSING, Columns, Fact, Name, Number, Share, Term, Threshold, Wording, fact, percent
from privaudit.report.charts import bars, frontier
from privaudit.report.escape import name
from privaudit.report.sentences import View, sentence, shown
from privaudit.report.techniques import parameters, technique

MOST_REMEDIES = 20
MOST_TEXT = 1_500
MOST_STEP = 220
"""Longest text of a remedy that the verdict repeats in full."""

_EFFECTS = ("k_min", "n_below_k")
_FOR_IDENTIFIERS = frozenset({"drop", "mask", "pseudonymise"})

Choice = tuple[Remedy, ...]
"""One treatment: the remedy of each column that it applies to in the same way."""
Row = tuple[Choice, ...]
"""The treatments to choose from for the same columns, the best first; a plan is a row of its own."""


def remedies(report: Report, wording: Wording) -> View:
    """Return the rows in the order in which the remedies were ranked, each with its effect before and after."""
    rows = listed(report, wording)
    numbered = [(number, choice[0]) for number, row in enumerate(rows, 1) for choice in row]
    n_listed = sum(len(choice) for row in rows for choice in row)
    return {
        "note": sentence(wording, "report.remedies_note"),
        "cost": _cost([remedy for _, remedy in numbered], wording),
        "rows": _without_repeats([_row(row, report, wording) for row in rows]),
        "n": len(report.advice),
        "n_hidden": len(report.advice) - n_listed,
        "chart": bars.remedies(numbered, report.policy.k, wording),
        **_points(report, wording),
    }


def listed(report: Report, wording: Wording) -> list[Row]:
    """Return the rows that a page lists: plans, and what else changes something.

    A single recoding that leaves the classes as they are is listed only where no plan resolves what it resolves. The
    only step of a plan is not listed again.
    """
    plans = [remedy for remedy in report.advice if _steps(remedy)]
    resolved = {found.fingerprint for plan in plans for found in plan.resolves}
    quasi = set() if report.risk is None else {*report.risk.quasi_identifiers}

    def adds(remedy: Remedy) -> bool:
        is_recoding = bool(quasi & {*remedy.columns})
        # As displayed, because a page of the public edition must not depend on a change that it withholds.
        is_idle = is_recoding and not _effects(remedy, report, wording)
        return not is_idle or any(found.fingerprint not in resolved for found in remedy.resolves)

    others = [remedy for remedy in report.advice if not _steps(remedy)]
    kept = [remedy for remedy in others if adds(remedy) and not any(_is_all_of(remedy, plan) for plan in plans)]
    return [*(((plan,),) for plan in plans), *_grouped(kept, report, wording)][:MOST_REMEDIES]


def _grouped(remedies: Sequence[Remedy], report: Report, wording: Wording) -> list[Row]:
    """Return the treatments by column; columns whose treatments are displayed alike share a row."""
    of_columns: dict[tuple[str, ...], list[Remedy]] = {}
    for remedy in remedies:
        of_columns.setdefault(remedy.columns, []).append(remedy)
    alike: dict[tuple[Any, ...], list[list[Remedy]]] = {}
    for choices in of_columns.values():
        alike.setdefault(tuple(_shape(one, report, wording) for one in choices), []).append(choices)
    return [tuple(zip(*same, strict=True)) for same in alike.values()]


def _shape(remedy: Remedy, report: Report, wording: Wording) -> tuple[Any, ...]:
    """Return what is displayed of a remedy besides its columns."""
    choice = (remedy,)
    effects = tuple(tuple(row.items()) for row in _effects(remedy, report, wording))
    codes = tuple(found.code for found in remedy.resolves)
    return _text_without_columns(choice, report, wording), effects, codes


def _is_all_of(remedy: Remedy, plan: Remedy) -> bool:
    """Whether a single remedy is all that a plan does."""
    if plan.parameters.get("n_suppressed"):
        return False
    whole = [(made.get("technique"), (made.get("column"),), made.get("parameters")) for made in _steps(plan)]
    return whole == [(remedy.technique, remedy.columns, dict(remedy.parameters))]


def _steps(remedy: Remedy) -> Sequence[Mapping[str, Any]]:
    """Return the steps of a plan; nothing for a single remedy."""
    steps = remedy.parameters.get("steps")
    return steps if isinstance(steps, Sequence) else ()


def _without_repeats(rows: Sequence[View]) -> list[View]:
    """Return the remedies; what the methods reach is stated by the first of the remedies that it applies to."""
    stated: set[str] = set()
    made = []
    for row in rows:
        kept = {key: [line for line in row[key] if line not in stated] for key in ("notes", "methods", "apart")}
        stated.update(*kept.values())
        made.append({**row, **kept})
    return made


def _cost(listed: Sequence[Remedy], wording: Wording) -> str:
    """Return what "information kept" means; nothing in the public edition, which does not state it."""
    measured = next((remedy.cost_measure for remedy in listed if remedy.cost_measure), "")
    if wording.public or not measured:
        return ""
    return sentence(wording, "report.remedies_cost", measure=Name(name(measured, 120).replace("_", " ")))


def _points(report: Report, wording: Wording) -> View:
    """Return the recodings that a plan can choose from, each with its command; the public edition has none."""
    found = next((remedy.search for remedy in report.advice if remedy.search is not None), None)
    search = None if wording.public else found
    return {
        "frontier": frontier.chart(search, wording),
        "points": frontier.rows(search, wording, report.command),
        "points_note": "" if search is None else frontier.note(search, wording),
    }


def _row(row: Row, report: Report, wording: Wording) -> View:
    """Return a row: its best treatment, and all of them where there is a choice."""
    several = row if len(row) > 1 else ()
    return {
        **_treatment(row[0], report, wording),
        "choices": [
            {**_treatment(choice, report, wording), "text": _text_without_columns(choice, report, wording)}
            for choice in several
        ],
    }


def _treatment(choice: Choice, report: Report, wording: Wording) -> View:
    remedy, k = choice[0], report.policy.k
    steps, effects = _steps(remedy), _effects(remedy, report, wording)
    only = steps[0] if len(steps) == 1 else {}
    return {
        "anchor": _anchor(report, remedy),
        "technique": technique(only.get("technique", remedy.technique)),
        "columns": [name(column) for each in choice for column in each.columns],
        "text": _text_of(choice, report, wording),
        "effects": effects,
        "further_effects": [row for row in effects if row["key"] not in _EFFECTS],
        "steps": _alike([_step(step, k, wording) for step in steps]),
        "resolves": _resolved([found for each in choice for found in each.resolves]),
        "notes": [shown(wording, stated, 1_000) for stated in _notes(remedy)],
        "methods": _methods(remedy, wording),
        "apart_head": sentence(wording, "remedies.under_wildcard"),
        "apart": [shown(wording, frontier.method_apart(each)) for each in remedy.under_wildcard],
    }


def _text_of(choice: Choice, report: Report, wording: Wording) -> str:
    """Return what a remedy does and achieves; of a single one that leaves the smallest classes, only what it keeps."""
    remedy = choice[0]
    values = dict(remedy.text.values)
    if not _steps(remedy) and "effect" in values and not _changes_classes(remedy, report, wording):
        del values["effect"]
        if kept := _kept(remedy, report, wording):
            values["effect"] = fact("advice.effect_kept", kept=Name(kept))
    if "column" in values:
        values["column"] = _columns(choice)
    return f"{shown(wording, fact(remedy.text.code, **values), MOST_TEXT).rstrip('.')}."


def _text_without_columns(choice: Choice, report: Report, wording: Wording) -> str:
    """Return the same where the columns are named before it."""
    return _text_of(choice, report, wording).removeprefix(name(wording.value(_columns(choice)), MOST_TEXT) + ": ")


def _columns(choice: Choice) -> Columns:
    return Columns(tuple(column for each in choice for column in each.columns))


def _changes_classes(remedy: Remedy, report: Report, wording: Wording) -> bool:
    return any(row["key"] in _EFFECTS for row in _effects(remedy, report, wording))


def _kept(remedy: Remedy, report: Report, wording: Wording) -> str:
    """Return the share of information kept; nothing for columns that are in no class, and in the public edition."""
    in_classes = report.risk is not None and bool({*remedy.columns} & {*report.risk.quasi_identifiers})
    return percent(1 - remedy.utility_cost) if in_classes and not wording.public else ""


def remedy_anchor(report: Report, remedy: Remedy, on_page: Sequence[Row]) -> str:
    """Return the id of the row of a remedy in the page, or that of the section where the page does not list it."""
    for row in on_page:
        if any(each is remedy for choice in row for each in choice):
            return _anchor(report, row[0][0])
    return "remedies"


def _anchor(report: Report, remedy: Remedy) -> str:
    return f"remedy-{next(i for i, one in enumerate(report.advice, 1) if one is remedy)}"


def other_method(plan: Remedy) -> Alternative | None:
    """Return the method that a plan uses in place of one recoding of each column; None where it uses none."""
    return next((each for each in plan.alternatives if each.step and each.method == plan.method), None)


def _notes(remedy: Remedy) -> list[Fact]:
    """Return what a plan asks and states besides its steps."""
    chosen = other_method(remedy)
    named = () if chosen is None else (frontier.method_first(chosen),)
    return [*named, *(stated for stated in (remedy.excess, remedy.question) if stated is not None)]


def _methods(remedy: Remedy, wording: Wording) -> list[str]:
    """Return what the methods reach, and which were not tried."""
    return [shown(wording, each) for each in (*map(frontier.method, remedy.alternatives), *remedy.not_tried)]


def _resolved(refs: Sequence[FindingRef]) -> list[str]:
    """Return the resolved findings by code, with the column where it is one, with their number where they are more."""
    found: dict[str, list[FindingRef]] = {}
    for ref in refs:
        found.setdefault(ref.code, []).append(ref)
    return [_resolved_by_code(code, same) for code, same in found.items()]


def _resolved_by_code(code: str, refs: Sequence[FindingRef]) -> str:
    if len(refs) > 1:
        return f"{name(code, 20)} ({len(refs)} findings)"
    subject = refs[0].subject
    return name(code, 20) + (f": {name(subject[0], 40)}" if len(subject) == 1 else "")


def _units(report: Report, wording: Wording) -> Term:
    """Return what the numbers of a remedy count: records, also where a person has several."""
    return Term(f"{wording.unit if report.n_units == report.dataset.n_rows else 'record'}.plural")


def _effects(remedy: Remedy, report: Report, wording: Wording) -> list[View]:
    units = _units(report, wording)
    below = sentence(wording, "report.effect_below", k=Threshold(report.policy.k), units=units)
    labels = (
        ("smallest class (k)", "k_min"),
        (below, "n_below_k"),
        (sentence(wording, "report.effect_unique", units=units), "n_unique"),
        ("rows kept", "n_records"),
    )
    # Compared as displayed: that a withheld number changed would disclose something about it.
    rows = [
        {
            "key": key,
            "label": label,
            "before": _count(remedy.before, key, wording),
            "after": _count(remedy.after, key, wording),
        }
        for label, key in labels
    ]
    return [row for row in rows if row["before"] != row["after"]]


def _count(values: Mapping[str, Any], key: str, wording: Wording) -> str:
    value = values.get(key)
    return MISSING if value is None else wording.count(round(value), None if key == "k_min" else wording.n_rows)


def _step(step: Mapping[str, Any], k: int, wording: Wording) -> View:
    after = step.get("after") or {}
    below, k_min = (Name(_count(after, key, wording)) for key in ("n_below_k", "k_min"))
    result = "report.step_result" if "k_min" in after else "report.step_result_below"
    return {
        "columns": [name(str(step.get("column", "")))],
        "technique": technique(str(step.get("technique", ""))),
        "parameters": ", ".join(parameters(str(step.get("technique", "")), step.get("parameters") or {}, wording)),
        "result": sentence(wording, result, below=below, k=Threshold(k), k_min=k_min) if after else "",
    }


def _alike(steps: Sequence[View]) -> list[View]:
    """Return the steps with one for all successive columns that the same is done to, with the same result."""
    groups = groupby(steps, key=lambda step: {**step, "columns": ()})
    return [{**alike, "columns": [column for step in found for column in step["columns"]]} for alike, found in groups]


def removes_identifier(remedy: Remedy) -> bool:
    """Whether a remedy removes or replaces the values of one column."""
    return len(remedy.columns) == 1 and remedy.technique in _FOR_IDENTIFIERS


def best_remedy(report: Report) -> Remedy | None:
    """Return the first listed remedy after which the gate passes, else the one that leaves fewest people below k.

    The cheapest of equals; None if none lowers the number.
    """
    passing = next((remedy for remedy in report.advice if remedy.passes), None)
    if passing is not None:
        return passing
    measured = [r for r in report.advice if "n_below_k" in r.before and "n_below_k" in r.after]
    lowering = [r for r in measured if r.after["n_below_k"] < r.before["n_below_k"]]
    return min(lowering, key=lambda r: (r.after["n_below_k"], r.utility_cost or 0.0), default=None)


def first_step_text(remedy: Remedy, columns: tuple[str, ...], report: Report, wording: Wording) -> str:
    """Return a remedy as a sentence: its text, or `columns` and its effect where the text is long."""
    text = shown(wording, remedy.text, 2_000).rstrip(".")
    if len(text) <= MOST_STEP and columns == remedy.columns:
        return f"{text}."
    stated = sentence(wording, "report.step_generalise", columns=Columns(columns))
    return f"{stated} {effect_text(remedy, report, wording)}".rstrip()


def effect_text(remedy: Remedy, report: Report, wording: Wording, n_steps: int = 1) -> str:
    """Return what all steps of a remedy achieve together; nothing where classes were not measured or do not change."""
    if not all(remedy.before.get(key) is not None and remedy.after.get(key) is not None for key in _EFFECTS):
        return ""
    before, after = (
        {key: Name(_count(side, key, wording)) for key in _EFFECTS} for side in (remedy.before, remedy.after)
    )
    if before == after:
        return ""
    return sentence(
        wording,
        "report.step_effect",
        steps=Number(n_steps),
        k=Threshold(report.policy.k),
        k_before=before["k_min"],
        k_after=after["k_min"],
        below_before=before["n_below_k"],
        below_after=after["n_below_k"],
        kept=Share(1 - remedy.utility_cost, of=0),
        units=_units(report, wording),
    )
