"""The public report of a synthesis: how the table was made, and the comparison that was paid for.

Question: what may be published about a synthetic table next to the table itself?
Method: what the domain declares, what was drawn from the fitted distribution, and distances with noise that the ledger
paid for. The formats share the sentences of the internal report.
Limits: no attack, no exact comparison and no decision of the gate, which are made from private rows.
"""

from __future__ import annotations

from collections.abc import Sequence

from privaudit.model.stats import Estimate
from privaudit.model.synthesis import PaidComparison, Synthesis
from privaudit.model.wording import Fact, Name, Wording
from privaudit.report.charts import synthesis_charts
from privaudit.report.escape import name
from privaudit.report.json import plain, text_of
from privaudit.report.pages.page import Page, Section
from privaudit.report.pages.synthesis_page import all_notes, how_many, margins, paid_lines, privacy
from privaudit.report.sentences import sentence

SCHEMA = "privaudit public synthesis 1"
_FULL = Wording(has_options=False)
_TABLES = (("table",), ("parents", "children"))


def page(made: Synthesis, notes: Sequence[Fact] = ()) -> Page:
    """Return what may be published about a synthesis as a page."""
    tables = [_table(which, each) for which, each in zip(_TABLES[len(made.paid) > 1], made.paid, strict=False)]
    lacking = Section(key="comparison", title="Comparison", sentences=[sentence(_FULL, "synthesis.no_paid_comparison")])
    return Page(
        kicker="public report of a synthetic table",
        title=sentence(_FULL, "synthesis.title", method=Name(made.method)),
        lead=privacy(made),
        sections=[
            Section(
                key="made",
                title="How the table was made",
                sentences=[*how_many(made), *all_notes(made, notes, _FULL)],
                # Without privacy, which sets of columns were measured depends on single records.
                parts=margins(made) if made.privacy is not None else (),
            ),
            *(tables or [lacking]),
        ],
        footer=sentence(_FULL, "synthesis.public_footer"),
    )


def _table(which: str, found: PaidComparison) -> Section:
    pairs = sorted(found.pairs, key=lambda pair: -pair[2].value)
    return Section(
        key=which,
        title=sentence(_FULL, f"synthesis.compared_{which}"),
        sentences=[sentence(_FULL, "synthesis.paid_note"), *paid_lines(found)],
        head=("margin", "distance", "95 % interval"),
        rows=[
            *(_row(name(column), each) for column, each in found.columns.items()),
            *(_row(" × ".join(map(name, pair)), each) for *pair, each in pairs),
        ],
        charts=[chart for chart in [synthesis_charts.paid_pairs(found)] if chart],
    )


def _row(what: str, each: Estimate) -> tuple[str, str, str]:
    return what, f"{each.value:.4f}", f"{each.low:.4f}–{each.high:.4f}"


def as_json(made: Synthesis) -> str:
    """Return the public report as JSON."""
    content = {
        "schema": SCHEMA,
        "internal": False,
        "method": made.method,
        "privacy": plain(made.privacy),
        "n_rows": made.n_rows,
        "columns": made.columns,
        "comparison": [each.content() for each in made.paid],
    }
    return text_of(content)
