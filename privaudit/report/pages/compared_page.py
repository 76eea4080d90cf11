"""The comparison of two given tables, for people and for programs.

Question: what of the first table does the second keep?
Method: the parts of the page of a synthesis, for two tables that were given. The first line states that the comparison
holds exact counts of the first table, the second names both.
Limits: no extreme and no value of fewer than 11 records of the first table is shown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from privaudit.model.synthesis import SynthesisComparison
from privaudit.model.wording import FULL, Columns, Count, Name, Number, decimal
from privaudit.report.json import plain, text_of
from privaudit.report.pages.page import Page, Section
from privaudit.report.pages.synthesis_page import compared
from privaudit.report.sentences import sentence

SCHEMA = "privaudit comparison 1"
MOST_CORRELATIONS = 10
Correlations = Mapping[tuple[str, str], tuple[float, float]]


def page(
    tables: tuple[str, str], found: SynthesisComparison, correlations: Correlations, omitted: Sequence[str]
) -> Page:
    """Return a comparison as a page."""
    title = sentence(FULL, "looks.compared_title")
    return Page(
        kicker=sentence(FULL, "looks.compared_internal"),
        title=title,
        lead=_rows(tables, found),
        sections=[
            Section(
                key="overview", title="Overview", sentences=[*_notes(found, omitted), *_correlations(correlations)]
            ),
            compared(
                found,
                title,
                "table",
                second="second table",
                sides=("the first table", "the second table"),
                models_note=_models_note(found) if found.models else "",
            ),
        ],
        footer=sentence(FULL, "looks.compared_footer"),
    )


def _correlations(correlations: Correlations) -> list[str]:
    changes = sorted(correlations.items(), key=lambda item: -abs(item[1][0] - item[1][1]))[:MOST_CORRELATIONS]
    return [
        sentence(FULL, "looks.compared_correlation", columns=Columns(pair), before=Number(before), after=Number(after))
        for pair, (before, after) in changes
    ]


def _rows(tables: tuple[str, str], found: SynthesisComparison) -> str:
    first, second = (Name(name) for name in tables)
    return sentence(
        FULL,
        "looks.compared_rows",
        first=first,
        second=second,
        before=Count(found.n_before, unit="record"),
        after=Count(found.n_after, unit="record"),
        columns=Number(len(found.columns)),
    )


def _notes(found: SynthesisComparison, omitted: Sequence[str]) -> list[str]:
    notes = [
        sentence(
            FULL,
            "looks.compared_distance",
            tv2=Name(decimal(found.tv2)),
            independent=Name(decimal(found.baselines["independent"][0])),
        )
    ]
    if omitted:
        notes.append(sentence(FULL, "looks.compared_omitted", columns=Columns(tuple(omitted))))
    return notes


def _models_note(found: SynthesisComparison) -> str:
    first = found.models[0]
    tested = Count(first.n_test, unit="record")
    return sentence(FULL, "looks.compared_models", target=Columns((first.target,)), n=tested)


def text(
    tables: tuple[str, str], found: SynthesisComparison, correlations: Correlations, omitted: Sequence[str]
) -> str:
    """Return a comparison for a terminal."""
    shown = page(tables, found, correlations, omitted)
    distances, *_, models = shown.sections[1].parts
    lines = [shown.kicker, str(shown.lead), *_notes(found, omitted), sentence(FULL, "looks.compared_distances")]
    lines += [f"  - {what}: {' · '.join(values)}" for what, *values in distances.rows]
    lines += [*(f"  - {each}" for each in _correlations(correlations)), *map(str, models.sentences)]
    *_, first, second = models.head
    lines += [f"  - {model}, {score}: {one} {first}, {two} {second}" for model, score, one, two in models.rows]
    return "\n".join(lines)


def as_json(
    tables: tuple[str, str], found: SynthesisComparison, correlations: Correlations, omitted: Sequence[str]
) -> str:
    """Return a comparison as JSON."""
    content = {
        "schema": SCHEMA,
        "internal": True,
        "tables": tables,
        "comparison": plain(found),
        "correlations": [[*pair, *values] for pair, values in correlations.items()],
        "omitted": omitted,
    }
    return text_of(content)
