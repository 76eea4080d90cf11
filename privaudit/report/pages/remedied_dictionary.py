"""The data dictionary of a remedied table, as the page of its remedies shows it.

Question: which levels does each column of the released table have, and what do they stand for?
Method: levels are counted. Bounds are listed as the plan states them, and groups as the public hierarchy states them.
Limits: the full edition only. No value of the table is shown: the file next to the table lists its levels.
"""

from __future__ import annotations

from privaudit.model.remedied import AppliedStep, DescribedColumn, RemedyRun
from privaudit.model.wording import Name, Number, Threshold
from privaudit.model.wording.render import Wording
from privaudit.report.escape import name
from privaudit.report.sentences import View, sentence
from privaudit.report.techniques import parameters, technique

LONGEST = 240


def digest(run: RemedyRun, wording: Wording) -> str:
    """Return the digest and the number of levels of the data dictionary; nothing where no step made levels."""
    found = run.dictionary
    if found is None or not found.n_levels:
        return ""
    levels, columns = Number(value=found.n_levels), Threshold(value=found.n_columns)
    digest = Name(text=found.sha256)
    return sentence(wording, "remedies.dictionary", digest=digest, levels=levels, columns=columns)


def columns(run: RemedyRun, wording: Wording) -> list[View]:
    """Return the described columns, each with what the plan and a public hierarchy state about its levels."""
    return [_column(each, wording) for each in run.described]


def _column(found: DescribedColumn, wording: Wording) -> View:
    bounds = "; ".join(filter(None, (_bounds(each, wording) for each in found.bounds)))
    hierarchy = name(found.hierarchy, LONGEST) if found.hierarchy else ""
    return {
        "column": name(found.column),
        "technique": technique(found.technique),
        "n_levels": f"{found.n_levels:,}",
        "meaning": bounds or hierarchy or sentence(wording, "remedies.levels_of_table"),
        "groups": [
            {"group": name(group, 120), "members": ", ".join(name(each, 120) for each in members)}
            for group, members in found.groups.items()
        ],
    }


def _bounds(step: AppliedStep, wording: Wording) -> str:
    return ", ".join(parameters(step.technique, step.parameters, wording))
