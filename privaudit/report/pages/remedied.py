"""The comparison of a table before and after its remedies, for people and for programs.

Question: what was done, and what did it change?
Method: the two reports are reduced to the numbers that both have, in the edition that is written; the same rows appear
on the terminal, in HTML and in Markdown. JSON has the record.
Limits: the full reports of both scans are files of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from privaudit.model import SEVERITIES, Report
from privaudit.model.remedied import AppliedStep, Measured, RemedyRun, Utility
from privaudit.model.wording import Name, Threshold, fact
from privaudit.model.wording.filling import MISSING
from privaudit.model.wording.numbers import percent
from privaudit.model.wording.render import Edition, Wording
from privaudit.report import files
from privaudit.report.charts import distributions, frontier
from privaudit.report.charts.fits import fitted
from privaudit.report.escape import name
from privaudit.report.pages import remedied_dictionary, remedied_sentences
from privaudit.report.public import publish, shown_k
from privaudit.report.sections import first_steps, verdict
from privaudit.report.sections.ranking import open_by_severity
from privaudit.report.sentences import View, sentence, shown, wording_of
from privaudit.report.techniques import parameters, technique
from privaudit.report.templates import markdown_of

SUFFIXES = (".html", ".md", ".json")


def measured(report: Report) -> Measured:
    """Return the numbers of a report that are compared."""
    risk = report.risk
    counts = open_by_severity(report.findings)
    share = None if risk is None else risk.share_below_k
    people = report.n_units
    return Measured(
        passed=report.gate_.passed,
        exit_code=report.gate_.exit_code,
        n_rows=report.dataset.n_rows,
        n_columns=report.dataset.n_columns,
        quasi_identifiers=() if risk is None else tuple(risk.quasi_identifiers),
        k_min=None if risk is None else risk.k_min,
        n_unique=None if risk is None else risk.n_unique,
        n_below_k=None if share is None else round(share * people),
        share_below_k=share,
        findings={severity: counts[severity] for severity in SEVERITIES if counts[severity]},
        n_incomplete=sum(limit.incomplete for limit in report.limits),
        k_map=None if risk is None or risk.population is None else risk.population.k_map,
    )


def comparison(before: Report, after: Report, **stated: Any) -> RemedyRun:
    """Return the record of a remedy run; `stated` are its other fields."""
    return RemedyRun(
        policy=after.policy.name, k=after.policy.k, before=measured(before), after=measured(after), **stated
    )


def forms(page: View, as_json: Callable[[], str]) -> files.Forms:
    """Return how a remedied table is written; its page has pictures and tables that a `Page` has not."""
    from privaudit.report.html import page_of

    return {
        ".html": lambda: page_of("remedied.html.j2", page),
        ".md": lambda: markdown_of("remedied.md.j2", page),
        ".json": as_json,
    }


def view(run: RemedyRun, before: Report, after: Report, edition: Edition = "full", *, on_page: bool = False) -> View:
    """Return the comparison as the texts that all formats show; a page names no option of the command line."""
    public = edition == "public"
    sides = [
        _Side(publish(report) if public else report, wording_of(report, edition, on_page=on_page))
        for report in (before, after)
    ]
    wording = sides[0].wording
    table, policy = Name(text=name(before.dataset.name)), Name(text=name(run.policy))
    return {
        "title": sentence(wording, "remedies.title", table=table),
        "table": name(after.dataset.name),
        "policy": sentence(wording, "remedies.policy", policy=policy, k=Threshold(value=run.k)),
        "passed": run.after.passed,
        "verdict": remedied_sentences.verdict(run, wording),
        "remaining": first_steps.not_failing(sides[1].report, sides[1].wording) if run.after.passed else "",
        "rows": _rows(sides, _rows_of_source(before, after, wording)),
        "steps": [_step(step, wording) for step in run.steps],
        "columns": [] if public or run.utility is None else _columns(run.utility),
        "distributions": [] if public or run.utility is None else _distributions(run.utility),
        "left": [] if public else remedied_sentences.left(run, wording),
        "fits": []
        if public
        else [fitted(note, i, wording) for i, note in enumerate(run.fits, 1) if "expected" in note],
        "attacks": [] if public else [remedied_sentences.attack(found, wording) for found in run.attacks],
        "release": [] if public else remedied_sentences.release_attacks(run, wording),
        "chart": None if public else frontier.chart(run.search, wording),
        "points": [] if public else frontier.rows(run.search, wording, before.command),
        "methods_page": sentence(wording, "remedies.methods_page"),
        "methods_head": sentence(wording, "remedies.methods"),
        "methods": []
        if public
        else [shown(wording, each) for each in (*map(frontier.method, run.alternatives), *run.not_tried)],
        "apart_head": sentence(wording, "remedies.under_wildcard"),
        "apart": [] if public else [shown(wording, frontier.method_apart(each)) for each in run.under_wildcard],
        "points_use": sentence(wording, "remedies.picture_use"),
        "points_note": "" if run.search is None else frontier.note(run.search, wording),
        "order": sentence(wording, f"remedies.order_{run.order}"),
        "dictionary": [] if public else remedied_dictionary.columns(run, wording),
        "dictionary_digest": remedied_dictionary.digest(run, wording),
        "public": public,
    }


class _Side(NamedTuple):
    """The report before or after, as its edition shows it, and how it is written."""

    report: Report
    wording: Wording


def _rows(sides: Sequence[_Side], rows_of_source: str) -> list[View]:
    def row(label: str, show: Callable[[_Side], str]) -> View:
        before, after = map(show, sides)
        return {"label": label, "before": before, "after": after}

    found = [measured(side.report) for side in sides]
    wording, k = sides[0].wording, shown_k(sides[0].report.policy, public=sides[0].wording.public)
    rows = [
        row("Gate", lambda side: "passed" if side.report.gate_.passed else "not passed"),
        # The difference of two exact numbers of rows would show how few records were suppressed.
        {**row("Rows", lambda side: verdict.n_rows(side.report, side.wording)), "before": rows_of_source},
        row("Columns", lambda side: f"{side.report.dataset.n_columns:,}"),
        row("Quasi-identifiers", lambda side: f"{len(measured(side.report).quasi_identifiers):,}"),
        row("Smallest class (k)", lambda side: verdict.smallest_class(side.report, side.wording)),
        row(sentence(wording, "report.label_unique"), _unique),
        row(sentence(wording, "report.effect_below", k=Threshold(value=k)), lambda side: _below(side, k)),
    ]
    if any(side.report.risk is not None and side.report.risk.missing != "category" for side in sides):
        # Next to the k under the other semantics of missing cells, with which a reader compares it.
        rows.insert(5, row(sentence(wording, "remedies.k_of_values"), _k_of_values))
    if any(side.k_map is not None for side in found):
        rows.append(row(sentence(wording, "report.label_k_map"), _k_map))
    for severity in reversed(SEVERITIES):
        counts = [side.findings.get(severity, 0) for side in found]
        if any(counts):
            rows.append({"label": f"Open findings, {severity}", "before": str(counts[0]), "after": str(counts[1])})
    return [*rows, row("Not assessed", lambda side: str(measured(side.report).n_incomplete))]


def _rows_of_source(before: Report, after: Report, wording: Wording) -> str:
    """Return the rows of the source, rounded where they would show that 1 to 10 records were suppressed."""
    n = before.dataset.n_rows
    return wording.count(n) if wording.hidden(n - after.dataset.n_rows) else verdict.n_rows(before, wording)


def _k_of_values(side: _Side) -> str:
    """Return the smallest class where a missing cell is a value like any other, as a reader of the file counts."""
    risk = side.report.risk
    sizes = () if risk is None else risk.class_sizes.size
    return side.wording.count(min(sizes)) if len(sizes) else MISSING


def _k_map(side: _Side) -> str:
    k_map = measured(side.report).k_map
    return MISSING if k_map is None else side.wording.count(k_map)


def _unique(side: _Side) -> str:
    risk = side.report.risk
    return MISSING if risk is None else side.wording.count(risk.n_unique, side.report.n_units)


def _below(side: _Side, k: int) -> str:
    return side.wording.count(verdict.below_k(side.report, k), side.report.n_units)


def _step(step: AppliedStep, wording: Wording) -> View:
    return {
        "technique": technique(step.technique),
        "columns": [name(column) for column in step.columns],
        "parameters": ", ".join(parameters(step.technique, step.parameters, wording)),
    }


def _columns(utility: Utility) -> list[View]:
    return [
        {
            "column": name(column.column),
            "kept": percent(column.kept),
            "distinct": f"{column.n_distinct_before:,} → {column.n_distinct_after:,}",
            "distance": f"{column.distance:.3f}",
            "bar": round(100 * column.kept),
            "dropped": False,
            "mean": _signed(column.mean_change),
            "median": _signed(column.median_change),
        }
        for column in utility.columns
    ] + [_dropped(column) for column in utility.dropped]


def _dropped(column: str) -> View:
    """Return the row of a column that the remedied table does not have."""
    row = dict.fromkeys(("distinct", "distance", "mean", "median"), MISSING)
    return {"column": name(column), "kept": str(fact("remedies.is_dropped")), "bar": 0, "dropped": True, **row}


def _distributions(utility: Utility) -> list[View]:
    return [drawn for drawn in map(distributions.chart, utility.columns) if drawn is not None]


def _signed(value: float | None) -> str:
    if value is None:
        return MISSING
    return f"{value:+.3f}" if round(value, 3) else "0.000"


def text(page: View) -> str:
    """Return the comparison for a terminal."""
    lines = [page["verdict"], *filter(None, [page["remaining"]]), ""]
    wide = max(len(row["label"]) for row in page["rows"])
    middle = max(len(row["before"]) for row in page["rows"])
    lines.append(f"{'':<{wide}}  {'before':>{max(middle, 6)}}  after")
    lines += [f"{row['label']:<{wide}}  {row['before']:>{max(middle, 6)}}  {row['after']}" for row in page["rows"]]
    lines += ["", "Steps:" if page["steps"] else "No step was necessary."]
    for i, step in enumerate(page["steps"], 1):
        columns = f" {', '.join(step['columns'])}" if step["columns"] else ""
        detail = f" ({step['parameters']})" if step["parameters"] else ""
        lines.append(f"  {i}. {step['technique']}{':' if columns else ''}{columns}{detail}")
    for head, sentences in (
        (page["points_use"], [point["line"] for point in page["points"][1:] and page["points"]]),
        (page["methods_head"], page["methods"]),
        (page["apart_head"], page["apart"]),
        ("Utility after the remedies:", page["left"]),
        ("Data dictionary:", [page["dictionary_digest"]] if page["dictionary_digest"] else []),
        ("Attacks on perturbed columns:", page["attacks"]),
        ("Attacks on the release:", page["release"]),
    ):
        if sentences:
            lines += ["", head, *(f"  - {sentence}" for sentence in sentences)]
    return "\n".join(lines)
