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
from privaudit.model.wording import Fact, Name
from privaudit.model.wording.render import Wording
from privaudit.report.charts import synthesis_charts
from privaudit.report.escape import name
from privaudit.report.json import plain, text_of
from privaudit.report.pages.synthesis_page import MOST_MARGINS, how, how_many, paid_lines, privacy
from privaudit.report.sentences import View, sentence, shown

SCHEMA = "privaudit public synthesis 1"
_FULL = Wording(has_options=False)
_TABLES = (("table",), ("parents", "children"))


def view(made: Synthesis, notes: Sequence[Fact] = ()) -> View:
    """Return what may be published about a synthesis, as the texts and charts that all formats show."""
    # Without privacy, which sets of columns were measured depends on single records.
    margins = made.margins[:MOST_MARGINS] if made.privacy is not None else ()
    return {
        "title": sentence(_FULL, "synthesis.title", method=Name(text=made.method)),
        "privacy": privacy(made),
        "lines": [*how_many(made), *(shown(_FULL, note, 900) for note in notes), *how(made, _FULL)],
        "margins": [", ".join(map(name, margin)) for margin in margins],
        "no_comparison": "" if made.paid else sentence(_FULL, "synthesis.no_paid_comparison"),
        "paid_note": sentence(_FULL, "synthesis.paid_note"),
        "tables": [_table(which, each) for which, each in zip(_TABLES[len(made.paid) > 1], made.paid, strict=False)],
    }


def _table(which: str, found: PaidComparison) -> View:
    return {
        "title": sentence(_FULL, f"synthesis.compared_{which}"),
        "id": which,
        "lines": paid_lines(found),
        "columns": [_row(name(column), each) for column, each in found.columns.items()],
        "pairs": [
            _row(" × ".join(map(name, pair)), each)
            for *pair, each in sorted(found.pairs, key=lambda found: -found[2].value)
        ],
        "chart": synthesis_charts.paid_pairs(found),
    }


def _row(what: str, each: Estimate) -> View:
    return {"what": what, "value": f"{each.value:.4f}", "interval": f"{each.low:.4f}–{each.high:.4f}"}


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
