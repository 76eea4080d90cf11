"""The comparison of a table before and after its remedies, for people and for programs.

Question: what was done, and what did it change?
Method: the two reports are reduced to the numbers that both have, in the edition that is written; the measures of the
run follow in sections. Levels of the data dictionary are counted: their bounds are listed as the plan states them, and
their groups as the public hierarchy states them. JSON has the record.
Limits: the full reports of both scans are files of their own. No value of the table is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from privaudit.model import SEVERITIES, Report
from privaudit.model.remedied import AppliedStep, DescribedColumn, Measured, RemedyRun, Utility
from privaudit.model.wording import MISSING, Edition, Name, Number, Threshold, Wording, percent
from privaudit.report.charts import distributions, frontier
from privaudit.report.charts.distributions import fitted
from privaudit.report.escape import name
from privaudit.report.pages import remedied_sentences
from privaudit.report.pages.page import Page, Section
from privaudit.report.public import publish, shown_k
from privaudit.report.sections import first_steps, verdict
from privaudit.report.sections.ranking import open_by_severity
from privaudit.report.sentences import sentence, shown, wording_of
from privaudit.report.techniques import parameters, technique

LONGEST = 240


def measured(report: Report) -> Measured:
    """Return the numbers of a report that are compared."""
    risk = report.risk
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
        findings=open_by_severity(report.findings),
        n_incomplete=sum(limit.incomplete for limit in report.limits),
        k_map=None if risk is None or risk.population is None else risk.population.k_map,
    )


def page(run: RemedyRun, before: Report, after: Report, edition: Edition = "full", *, on_page: bool = False) -> Page:
    """Return the comparison as a page; a written page names no option of the command line."""
    public = edition == "public"
    sides = [
        _Side(publish(report) if public else report, wording_of(report, edition, on_page=on_page))
        for report in (before, after)
    ]
    wording = sides[0].wording
    policy = sentence(wording, "remedies.policy", policy=Name(name(run.policy)), k=Threshold(run.k))
    remaining = (first_steps.not_failing if run.after.passed else first_steps.failing)(*sides[1])
    sections = [
        *([] if run.after.passed else [_to_do(sides[1])]),
        Section(
            key="comparison",
            title="Before and after",
            sentences=[policy],
            head=("", "before", "after"),
            rows=_rows(sides, _rows_of_source(before, after, wording)),
        ),
        _steps(run, wording),
        *([] if public else _choices(run, wording, before.command, on_page=on_page)),
        *([] if public else [_utility(run, wording)]),
        _dictionary(run, wording),
        *([] if public else _measured(run, wording)),
    ]
    return Page(
        kicker=sentence(wording, f"remedies.kicker_{edition}"),
        title=sentence(wording, "remedies.title", table=Name(name(before.dataset.name))),
        lead=f"{remedied_sentences.verdict(run, wording)} {remaining}".rstrip(),
        sections=_present(sections),
        footer=sentence(wording, "remedies.footer"),
    )


def _to_do(after: _Side) -> Section:
    """Return what to do about a remedied table that does not pass."""
    found = [line.text for line in first_steps.steps(*after)]
    return Section(key="steps", title="What to do", sentences=[*found, sentence(after.wording, "remedies.change_plan")])


def _present(sections: Iterable[Section]) -> list[Section]:
    """Return the sections, or parts of one, that state or show something."""
    return [section for section in sections if section.is_written or section.charts]


class _Side(NamedTuple):
    """The report before or after, as its edition shows it, and how it is written."""

    report: Report
    wording: Wording


def _rows(sides: Sequence[_Side], rows_of_source: str) -> list[tuple[str, str, str]]:
    def row(label: str, show: Callable[[_Side], str]) -> tuple[str, str, str]:
        before, after = map(show, sides)
        return label, before, after

    found = [measured(side.report) for side in sides]
    wording, k = sides[0].wording, shown_k(sides[0].report.policy, public=sides[0].wording.public)
    rows = [
        row("Gate", lambda side: "passed" if side.report.gate_.passed else "not passed"),
        # The difference of two exact numbers of rows would show how few records were suppressed.
        ("Rows", rows_of_source, verdict.n_rows(sides[1].report, sides[1].wording)),
        row("Columns", lambda side: f"{side.report.dataset.n_columns:,}"),
        row("Quasi-identifiers", lambda side: f"{len(measured(side.report).quasi_identifiers):,}"),
        row("Smallest class (k)", lambda side: verdict.smallest_class(side.report, side.wording)),
        row(sentence(wording, "report.label_unique"), _unique),
        row(sentence(wording, "report.effect_below", k=Threshold(k)), lambda side: _below(side, k)),
    ]
    if any(side.report.risk is not None and side.report.risk.missing != "category" for side in sides):
        # Next to the k under the other semantics of missing cells, with which a reader compares it.
        rows.insert(5, row(sentence(wording, "remedies.k_of_values"), _k_of_values))
    if any(side.k_map is not None for side in found):
        rows.append(row(sentence(wording, "report.label_k_map"), _k_map))
    for severity in reversed(SEVERITIES):
        counts = [side.findings.get(severity, 0) for side in found]
        if any(counts):
            rows.append((f"Open findings, {severity}", str(counts[0]), str(counts[1])))
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


def _steps(run: RemedyRun, wording: Wording) -> Section:
    nothing = [] if run.steps else [sentence(wording, "remedies.no_step")]
    return Section(
        key="steps",
        title="What was done",
        sentences=[*nothing, sentence(wording, f"remedies.order_{run.order}")],
        head=("technique", "columns", "settings"),
        rows=[
            (technique(step.technique), ", ".join(map(name, step.columns)), _settings(step, wording))
            for step in run.steps
        ],
    )


def _settings(step: AppliedStep, wording: Wording) -> str:
    return ", ".join(parameters(step.technique, step.parameters, wording))


def _choices(run: RemedyRun, wording: Wording, scan: str, *, on_page: bool) -> Iterator[Section]:
    """Yield what could be chosen instead: other recodings, and other methods."""
    chart = frontier.chart(run.search, wording)
    if run.search is not None and chart is not None:
        points, note = frontier.rows(run.search, wording, scan), frontier.note(run.search, wording)
        yield Section(
            key="frontier",
            title="Risk and utility",
            caption=note if on_page else f"{note} {sentence(wording, 'remedies.picture_use')}",
            charts=[chart],
            head=("point", "information lost", "mean risk", "k", "suppressed", "steps"),
            rows=[[point[key] for key in ("number", "loss", "risk", "k", "suppressed", "steps")] for point in points],
            points=points,
        )
    yield Section(
        key="methods",
        title="Methods",
        caption=sentence(wording, f"remedies.methods{'_page' if on_page else ''}"),
        sentences=[shown(wording, each) for each in (*map(frontier.method, run.alternatives), *run.not_tried)],
    )
    yield Section(
        key="wildcard",
        title="Methods with wildcards",
        caption=sentence(wording, "remedies.under_wildcard"),
        sentences=[shown(wording, frontier.method_apart(each)) for each in run.under_wildcard],
    )


def _utility(run: RemedyRun, wording: Wording) -> Section:
    """Return what is left of the table: of all columns together, then of each."""
    found = run.utility
    columns = Section(
        title="Columns",
        caption=sentence(wording, "remedies.columns_note"),
        head=("column", "cells kept", "distinct values", "distance", "change of mean", "change of median"),
        rows=[] if found is None else _columns(found, wording),
    )
    drawn = Section(
        title="Distributions before and after",
        caption=sentence(wording, "remedies.distributions_note"),
        charts=[] if found is None else [each for each in map(distributions.chart, found.columns) if each is not None],
    )
    return Section(
        key="utility",
        title="Utility after the remedies",
        sentences=remedied_sentences.left(run, wording),
        parts=_present([columns, drawn]),
    )


def _columns(utility: Utility, wording: Wording) -> list[tuple[str, ...]]:
    kept = [
        (
            name(column.column),
            percent(column.kept),
            f"{column.n_distinct_before:,} → {column.n_distinct_after:,}",
            f"{column.distance:.3f}",
            _signed(column.mean_change),
            _signed(column.median_change),
        )
        for column in utility.columns
    ]
    dropped = sentence(wording, "remedies.is_dropped")
    return [*kept, *((name(column), dropped, *[MISSING] * 4) for column in utility.dropped)]


def _signed(value: float | None) -> str:
    if value is None:
        return MISSING
    return f"{value:+.3f}" if round(value, 3) else "0.000"


def _dictionary(run: RemedyRun, wording: Wording) -> Section:
    """Return the digest of the data dictionary and, in the full edition, what its levels are."""
    found, described = run.dictionary, () if wording.public else run.described
    stated = []
    if found is not None and found.n_levels:
        levels, columns = Number(found.n_levels), Threshold(found.n_columns)
        digest = Name(found.sha256)
        stated = [sentence(wording, "remedies.dictionary", digest=digest, levels=levels, columns=columns)]
    levels_of = Section(
        title="Levels",
        head=("column", "technique", "levels", "what the levels are"),
        rows=[
            (name(each.column), technique(each.technique), f"{each.n_levels:,}", _meaning(each, wording))
            for each in described
        ],
    )
    parts = [levels_of, *(_groups(each, wording) for each in described)] if stated else []
    return Section(key="dictionary", title="Data dictionary", sentences=stated, parts=_present(parts))


def _meaning(found: DescribedColumn, wording: Wording) -> str:
    bounds = "; ".join(filter(None, (_settings(each, wording) for each in found.bounds)))
    hierarchy = name(found.hierarchy, LONGEST) if found.hierarchy else ""
    return bounds or hierarchy or sentence(wording, "remedies.levels_of_table")


def _groups(found: DescribedColumn, wording: Wording) -> Section:
    return Section(
        title=sentence(wording, "remedies.groups", n=Number(len(found.groups)), column=Name(name(found.column))),
        head=("group", "members"),
        rows=[(name(group, 120), ", ".join(name(each, 120) for each in of)) for group, of in found.groups.items()],
        is_folded=True,
    )


def _measured(run: RemedyRun, wording: Wording) -> Iterator[Section]:
    """Yield the fitted distributions, and what attacks on the remedied table achieve."""
    fits = [fitted(note, i, wording) for i, note in enumerate(run.fits, 1) if "expected" in note]
    yield Section(key="fits", title="Fitted distributions", charts=fits)
    yield Section(
        key="attacks",
        title="Attacks on perturbed columns",
        caption=sentence(wording, "remedies.perturbed_note"),
        sentences=[remedied_sentences.attack(found, wording) for found in run.attacks],
    )
    yield Section(
        key="release",
        title="Attacks on the release",
        caption=sentence(wording, "remedies.release_note"),
        sentences=remedied_sentences.release_attacks(run, wording),
    )
