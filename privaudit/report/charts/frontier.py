"""The risk-utility picture of a plan: its points as a chart, and as rows.

Question: what could be chosen instead of the plan, and at which price?
Method: each combination of generalisation steps that meets the requirements is a dot by its loss and its mean
re-identification risk, on a logarithmic axis, because risks differ by orders of magnitude. Numbered points are the
frontier; the point that the plan takes is filled.
Limits: full edition only: the points count classes and suppressed records.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from privaudit.model import Alternative, FrontierPoint, LatticeSearch
from privaudit.model.wording import Count, Fact, Share, Term, Threshold, Wording, fact, percent
from privaudit.report.charts.draw import Chart, Plot
from privaudit.report.escape import name
from privaudit.report.sentences import View, sentence, shown
from privaudit.report.techniques import parameters, technique

_SCAN, _SCAN_CALL = "privaudit scan ", "privaudit.scan("


def rows(search: LatticeSearch | None, wording: Wording, scan: str = "") -> list[View]:
    """Return the points of the frontier as texts; `scan` is the command of the scan that measured them."""
    return [] if search is None else [_row(point, search, wording, scan) for point in search.frontier]


def command(scan: str, number: int) -> str:
    """Return the command, or the call, that makes the table of a point; nothing where the scan has none."""
    if scan.startswith(_SCAN):
        return remedy_command(scan, f"--method full-domain --choose {number}")
    if scan.startswith(_SCAN_CALL) and scan.endswith(")"):
        stated = scan.removeprefix(_SCAN_CALL)[:-1]
        return f"privaudit.remedy({stated}, method='full-domain', choose={number})"
    return ""


def remedy_command(scan: str, options: str) -> str:
    """Return the command that remedies what the command `scan` scanned, with the same options and further ones."""
    return f"privaudit remedy {scan.removeprefix(_SCAN)} {options} -o safer.csv -o safer.html"


def _row(point: FrontierPoint, search: LatticeSearch, wording: Wording, scan: str) -> View:
    steps = "; ".join(_steps(point, wording))
    return {
        "number": str(point.number),
        "chosen": point.number == search.chosen,
        "loss": percent(point.loss),
        "risk": percent(point.risk),
        "k": f"{point.k_min:,}",
        "suppressed": f"{point.n_suppressed:,}",
        "steps": steps or sentence(wording, "remedies.point_unchanged"),
        "command": name(command(scan, point.number), 2000),
    }


def _steps(point: FrontierPoint, wording: Wording) -> list[str]:
    """Return the steps of a point, each with all columns that are recoded in the same way."""
    columns: dict[str, list[str]] = {}
    for step in point.steps:
        settings = ", ".join(parameters(step["technique"], step["parameters"], wording))
        columns.setdefault(settings or technique(step["technique"]), []).append(name(step["column"], 40))
    return [f"{', '.join(names)}: {how}" for how, names in columns.items()]


def stated(point: FrontierPoint) -> Fact:
    """Return a point as one line."""
    return fact(
        "remedies.point",
        number=Threshold(point.number),
        loss=Share(point.loss),
        risk=Share(point.risk),
        k=Threshold(point.k_min),
        suppressed=Count(point.n_suppressed, unit="record"),
    )


def method(found: Alternative) -> Fact:
    """Return what a method reaches as one line."""
    return fact(
        "remedies.method",
        method=Term(f"method.{found.method}"),
        loss=Share(found.loss),
        k=Threshold(found.k_min),
        classes=Threshold(found.n_classes),
        suppressed=Count(found.n_suppressed, unit="record"),
        cells=Count(found.n_cells, unit="cell"),
    )


def method_first(found: Alternative) -> Fact:
    """Return that a method other than one recoding of each column loses least."""
    return fact("remedies.method_first", method=Term(f"method.{found.method}"), loss=Share(found.loss))


def method_apart(found: Alternative) -> Fact:
    """Return what a method reaches where a suppressed cell matches every value, as one line."""
    return fact(
        "remedies.method_wildcard",
        method=Term(f"method.{found.method}"),
        loss=Share(found.loss),
        k=Threshold(found.k_min),
        cells=Count(found.n_cells, unit="cell"),
        by_value=Threshold(0 if found.k_by_value is None else found.k_by_value),
    )


def note(search: LatticeSearch, wording: Wording) -> str:
    """Return what was compared for the frontier."""
    states = Threshold(search.n_states)
    return sentence(wording, "remedies.picture_whole" if search.is_whole else "remedies.picture_part", states=states)


def chart(search: LatticeSearch | None, wording: Wording) -> Chart | None:
    """Return the risk-utility picture; None where there are fewer than two points."""
    if search is None or len(search.frontier) < 2:
        return None
    plot = Plot(left=78.0, right=26.0, top=14.0, base=246.0)
    place = _axes(plot, search)
    for loss, risk in zip(search.states.loss, search.states.risk, strict=True):
        plot.circle(*place(loss, risk), 2.2, "calm")
    points = [place(point.loss, point.risk) for point in search.frontier]
    plot.path(points, "accent")
    for (x, y), point in zip(points, search.frontier, strict=True):
        tip = shown(wording, stated(point))
        is_chosen = point.number == search.chosen
        plot.circle(x, y, 5, "good" if is_chosen else "accent", tip, hollow=not is_chosen, point=str(point.number))
    for x, y, point in _labelled(points, search.frontier):
        plot.text(x + 7, y - 6, str(point.number), size=11, colour="ink", bold=point.number == search.chosen)
    plot.below((plot.width + plot.left) / 2, sentence(wording, "remedies.axis_loss"), drop=36, size=12)
    plot.text(11, plot.base - 24, sentence(wording, "remedies.axis_risk"), upwards=True)
    points_named = Threshold(len(search.frontier))
    words = (
        sentence(wording, "remedies.picture_words", points=points_named, chosen=Threshold(search.chosen))
        if search.chosen
        else sentence(wording, "remedies.picture_words_other", points=points_named)
    )
    return plot.chart("chart-frontier", sentence(wording, "remedies.picture_title"), words, plot.base + 44)


def _labelled(
    points: Sequence[tuple[float, float]], frontier: Sequence[FrontierPoint]
) -> list[tuple[float, float, FrontierPoint]]:
    """Return the points whose numbers do not overlap that of the point before."""
    kept: list[tuple[float, float, FrontierPoint]] = []
    for (x, y), point in zip(points, frontier, strict=True):
        if not kept or math.hypot(x - kept[-1][0], y - kept[-1][1]) >= 14:
            kept.append((x, y, point))
    return kept


def _axes(plot: Plot, search: LatticeSearch) -> Callable[[float, float], tuple[float, float]]:
    """Draw the axes, and return where a loss and a risk are; risks on a logarithmic scale of whole decades."""
    risks = [r for r in (*search.states.risk, *(p.risk for p in search.frontier)) if r > 0]
    losses = [*search.states.loss, *(p.loss for p in search.frontier)]
    low, high = math.floor(math.log10(min(risks))), max(math.ceil(math.log10(max(risks))), -3)
    most = next(top for top in (0.1, 0.2, 0.5, 1.0) if top >= min(1.0, max(losses)))

    def up(risk: float) -> float:
        return (math.log10(max(risk, 10.0**low)) - low) / max(1, high - low)

    for risk in (10.0**decade for decade in range(low, high + 1)):
        plot.level(up(risk), f"{100 * risk:.12g} %")
    for tenth in range(0, 11, 2):
        plot.below(plot.across(tenth / 10), f"{100 * most * tenth / 10:.12g} %")
    return lambda loss, risk: (plot.across(min(1.0, loss / most)), plot.up(up(risk)))
