"""What is new or worse than in the baseline, with the value observed then.

Question: what did a change make worse?
Method: a sentence for each open finding that is new or worse, the worst first; a table that the baseline does not hold
is one sentence. Long lists are cut and the cut is counted.
Limits: nothing in the public edition, which lists fewer findings and no exact number.
"""

from __future__ import annotations

from privaudit.model import Finding, Report
from privaudit.model.wording import Columns, Name, Number, Wording, fact
from privaudit.model.wording.measures import entry
from privaudit.report.escape import name
from privaudit.report.sections.ranking import still_open
from privaudit.report.sentences import sentence, shown, shown_value

MOST_CHANGES = 5


def changes(report: Report, wording: Wording, most: int = MOST_CHANGES) -> tuple[str, ...]:
    """Return what is new or worse than in the baseline, as sentences; nothing without a baseline.

    Parameters
    ----------
    report : Report
    wording : Wording
    most : int
        Sentences, without the one that counts the others.
    """
    use = report.baseline
    if use is None or wording.public:
        return ()
    if use.is_new:
        return (sentence(wording, "report.table_is_new"),)
    found = [item for item in still_open(report) if item.change in ("new", "worse")]
    lines = tuple(change_of(item, wording) for item in found[:most])
    hidden = len(found) - most
    return (*lines, sentence(wording, "report.more_changes", n=Number(hidden))) if hidden > 0 else lines


def change_of(item: Finding, wording: Wording) -> str:
    """Return one change: "QI001 on "age": k was 68, is 1"."""
    code = Name(name(item.code, 20))
    if item.before is None or item.before == item.observed:
        key = "report.change_new" if item.change == "new" else "report.change_worse"
        return sentence(wording, key, code=code, message=Name(shown(wording, item.message)))
    where = Columns(item.subject) if item.subject else fact("report.whole_table")
    return sentence(
        wording,
        "report.change_of",
        code=code,
        where=where,
        measure=Name(_measure(item)),
        before=Name(shown_value(item.before)),
        now=Name(shown_value(item.observed)),
    )


def _measure(item: Finding) -> str:
    """Return what was observed, by the first term of its title: "k" of "k, smallest equivalence class"."""
    title = entry(item.measure.partition("[")[0]).get("title", "")
    return title.partition(",")[0] or str(fact("report.observed_value"))
