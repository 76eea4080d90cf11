"""The comparison of two given tables, for people and for programs.

Question: what of the first table does the second keep?
Method: the parts of the page of a synthesis, for two tables that were given. The first line states that the comparison
holds exact counts of the first table.
Limits: no extreme and no value of fewer than 11 records of the first table is shown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from privaudit.model.synthesis import SynthesisComparison
from privaudit.model.wording import Columns, Count, Name, Number
from privaudit.model.wording.numbers import decimal
from privaudit.model.wording.render import FULL
from privaudit.report.json import plain, text_of
from privaudit.report.pages.synthesis_page import compared
from privaudit.report.sentences import View, sentence

SCHEMA = "privaudit comparison 1"
MOST_CORRELATIONS = 10
Correlations = Mapping[tuple[str, str], tuple[float, float]]


def view(found: SynthesisComparison, correlations: Correlations, omitted: Sequence[str]) -> View:
    """Return a comparison as the texts and charts that all formats show."""
    changes = sorted(correlations.items(), key=lambda item: -abs(item[1][0] - item[1][1]))[:MOST_CORRELATIONS]
    models = {"models_note": _models_note(found)} if found.models else {}
    return {
        "title": sentence(FULL, "looks.compared_title"),
        "internal": sentence(FULL, "looks.compared_internal"),
        "notes": _notes(found, omitted),
        "correlations": [
            sentence(
                FULL,
                "looks.compared_correlation",
                columns=Columns(names=pair),
                before=Number(value=before),
                after=Number(value=after),
            )
            for pair, (before, after) in changes
        ],
        "tables": [
            {**compared(found, sentence(FULL, "looks.compared_title"), "table", second="second table"), **models}
        ],
        "sides": ("the first table", "the second table"),
    }


def _notes(found: SynthesisComparison, omitted: Sequence[str]) -> list[str]:
    notes = [
        sentence(
            FULL,
            "looks.compared_rows",
            before=Count(n=found.n_before, unit="record"),
            after=Count(n=found.n_after, unit="record"),
            columns=Number(value=len(found.columns)),
        ),
        sentence(
            FULL,
            "looks.compared_distance",
            tv2=Name(text=decimal(found.tv2)),
            independent=Name(text=decimal(found.baselines["independent"][0])),
        ),
    ]
    if omitted:
        notes.append(sentence(FULL, "looks.compared_omitted", columns=Columns(names=tuple(omitted))))
    return notes


def _models_note(found: SynthesisComparison) -> str:
    first = found.models[0]
    tested = Count(n=first.n_test, unit="record")
    return sentence(FULL, "looks.compared_models", target=Columns(names=(first.target,)), n=tested)


def text(page: View) -> str:
    """Return a comparison for a terminal."""
    table = page["tables"][0]
    distances = (f"{row['what']}: {' · '.join(row['values'])}" for row in table["distances"])
    models = (f"  - {m['model']}, {m['score']}: {m['before']}; {m['after']}" for m in table["models"])
    heading = sentence(FULL, "looks.compared_distances")
    lines = [page["internal"], *page["notes"], heading, *(f"  - {each}" for each in distances)]
    lines += [*(f"  - {each}" for each in page["correlations"]), table["models_note"], *models]
    return "\n".join(lines)


def as_json(found: SynthesisComparison, correlations: Correlations, omitted: Sequence[str]) -> str:
    """Return a comparison as JSON."""
    content = {
        "schema": SCHEMA,
        "internal": True,
        "comparison": plain(found),
        "correlations": [[*pair, *values] for pair, values in correlations.items()],
        "omitted": omitted,
    }
    return text_of(content)
