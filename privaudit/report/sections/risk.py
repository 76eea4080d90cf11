"""The section on re-identification risk over the quasi-identifiers.

Question: how large are the equivalence classes, how high is the risk, and what do the numbers mean?
Method: one entry per measure with a sentence in people and, from the catalogue of measures, its caveat, formula and
source; then the charts of class sizes and the further tables.
Limits: an absent number is a dash, never 0.
"""

from __future__ import annotations

from privaudit.model import Report, Risk
from privaudit.model.wording import MISSING, SMALL_CELL, Count, Name, Number, Threshold, Wording, decimal, one_in
from privaudit.model.wording.measures import entry
from privaudit.report.charts import bars
from privaudit.report.charts import class_sizes as charts
from privaudit.report.escape import name
from privaudit.report.public import shown_k
from privaudit.report.sections import risk_tables
from privaudit.report.sections.risk_tables import measure
from privaudit.report.sections.verdict import below_k
from privaudit.report.sentences import View, sentence

_IN_TILES = frozenset({"class.k_min", "class.n_sample_unique", "class.share_below"})
"""The measures that the tiles of the first screen show: the page defines them, and does not repeat the numbers."""


def risk(report: Report, wording: Wording) -> View | None:
    """Return the section on re-identification risk, or None where risk was not measured."""
    found = report.risk
    if found is None:
        return None
    measures = (
        _published(report, found, wording)
        if wording.public
        else [*_classes(report, found, wording), *_probabilities(report, found, wording)]
    )
    return {
        "quasi": [name(column) for column in found.quasi_identifiers],
        "sensitive": [name(column) for column in found.sensitive],
        "measures": measures,
        "in_tiles": [{**row, "words": entry(row["id"]).get("plain", "")} for row in measures if row["id"] in _IN_TILES],
        "further": [row for row in measures if row["id"] not in _IN_TILES],
        "charts": [charts.class_sizes(report, wording), charts.below_k(report, wording)],
        "at_risk": _at_risk(report, found, wording),
        "tables": risk_tables.sections(report, wording),
    }


def _published(report: Report, found: Risk, wording: Wording) -> list[View]:
    """Return the measure of the public edition: the share of records below one threshold."""
    n, k = found.n_units(report.dataset.n_rows), shown_k(report.policy, public=True)
    below: int | None = found.n_below.get(str(k))
    share = MISSING if below is None or not n else wording.share(below / n, n)
    return [measure("class.share_below", share, _below(below, n, k, wording), suffix=f"k = {k}")]


def _classes(report: Report, found: Risk, wording: Wording) -> list[View]:
    n, k, below = report.n_units, report.policy.k, below_k(report)
    unique = Count(found.n_unique, of=n, unit=wording.unit)
    return [
        measure("class.k_min", wording.count(found.k_min), _smallest(found.k_min, wording)),
        measure(
            "class.n_sample_unique",
            wording.count(found.n_unique, n),
            sentence(wording, "report.sample_uniques", people=unique),
            title=sentence(wording, "report.title_unique"),
        ),
        measure(
            "class.share_below",
            wording.share(below / n) if below is not None and n else MISSING,
            _below(below, n, k, wording),
            suffix=f"k = {k}",
        ),
        measure(
            "class.n_classes",
            wording.count(found.n_classes),
            sentence(
                wording,
                "report.n_classes",
                rows=Number(report.dataset.n_rows),
                classes=Count(found.n_classes, unit="class"),
            ),
        ),
    ]


def _smallest(k: int, wording: Wording) -> str:
    if wording.hidden(k):
        return sentence(wording, "report.k_min_withheld", limit=Threshold(SMALL_CELL))
    if k == 1:
        return sentence(wording, "report.k_min_unique")
    return sentence(wording, "report.k_min_value", k=Count(k, unit=wording.unit))


def _below(below: int | None, n: int, k: int, wording: Wording) -> str:
    if below is None:
        return sentence(wording, "report.tile_not_measured")
    people = Count(below, of=n, unit=wording.unit)
    return sentence(wording, "report.share_below", people=people, k=Threshold(k))


def _probabilities(report: Report, found: Risk, wording: Wording) -> list[View]:
    n = report.n_units
    # In people: readers understand "37 of 3,000", and not an expectation of 0.0123.
    expected = Count(round(found.marketer * n), of=n, unit=wording.unit)
    rows = [
        measure(
            "risk.prosecutor_max",
            wording.probability(found.prosecutor_max),
            sentence(wording, "report.prosecutor_max", odds=Name(_odds(found.prosecutor_max, wording))),
        ),
        measure(
            "risk.prosecutor_mean",
            decimal(found.prosecutor_mean),
            sentence(wording, "report.prosecutor_mean", odds=Name(one_in(found.prosecutor_mean))),
        ),
        measure("risk.marketer", decimal(found.marketer), sentence(wording, "report.marketer", people=expected)),
    ]
    if found.journalist_max is not None:
        words = sentence(wording, "report.journalist_max")
        rows.append(measure("risk.journalist_max", wording.probability(found.journalist_max), words))
    return rows


def _at_risk(report: Report, found: Risk, wording: Wording) -> View | None:
    """Return the people at risk above each threshold as one table."""
    if not found.share_at_risk:
        return None
    n = report.n_units
    ranked = sorted(found.share_at_risk.items(), key=lambda item: float(item[0]))
    rows = [
        {
            "threshold": f"more than {name(threshold, 12)}",
            "people": wording.people(round(share * n), n, wording.unit),
            "bar": bars.bar_width(None if wording.hidden(round(share * n), n) else share),
        }
        for threshold, share in ranked
    ]
    words = sentence(wording, "report.at_risk")
    return measure("risk.share_at_risk", "", words, title=sentence(wording, "report.title_at_risk")) | {"rows": rows}


def _odds(probability: float, wording: Wording) -> str:
    return "more than 1 in 11" if wording.public and probability > 1 / SMALL_CELL else one_in(probability)
