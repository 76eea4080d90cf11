"""The internal report of a synthesis, for people: what was made, how it compares, what an attacker gains.

Question: is the synthetic table worth using, and does it protect the people in the original?
Method: the records of the synthesis become the texts and charts that the terminal, HTML, Markdown and JSON share.
Limits: comparison and attacks are made from private rows: the first line states that the report is internal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from privaudit.model import Attack, Limit
from privaudit.model.stats import Estimate
from privaudit.model.synthesis import ModelComparison, PaidComparison, Synthesis, SynthesisComparison
from privaudit.model.wording import FULL, Count, Fact, Name, Number, Share, Wording, decimal
from privaudit.report.charts import bars, synthesis_charts
from privaudit.report.charts.draw import Chart
from privaudit.report.escape import name
from privaudit.report.json import plain, text_of
from privaudit.report.pages.page import Page, Section
from privaudit.report.sections import attacks as attacks_section
from privaudit.report.sentences import sentence, shown, shown_limit

_TABLES = (("table",), ("parents", "children"))
MOST_WORST = 5
MOST_MARGINS = 30
SCHEMA = "privaudit synthesis 1"


Attempts = tuple[Fact, Sequence[Attack], Sequence[Limit]]
"""Which table was attacked in which form, the attacks, and what could not be measured."""


def page(
    made: Synthesis,
    found: Sequence[SynthesisComparison],
    attempts: Sequence[Attempts],
    passed: bool,
    reasons: Sequence[Fact],
    notes: Sequence[Fact] = (),
    *,
    wording: Wording,
) -> Page:
    """Return a synthesis as a page."""
    about = [*how_many(made), *_all_paid_lines(made), *_summary(found), *all_notes(made, notes, wording)]
    compared_sections = [
        compared(each, sentence(FULL, f"synthesis.compared_{which}"), which)
        for which, each in zip(_TABLES[len(found) > 1], found, strict=False)
    ]
    return Page(
        kicker=sentence(FULL, "synthesis.internal"),
        title=sentence(FULL, "synthesis.title", method=Name(made.method)),
        lead=privacy(made),
        sections=[
            Section(
                key="decision",
                title=decision(passed),
                sentences=[*(shown(wording, reason, 900) for reason in reasons), *about],
                parts=margins(made),
            ),
            *compared_sections,
            Section(key="attacks", title="Attacks", parts=[_attempt(each, wording) for each in attempts]),
        ],
        footer=sentence(FULL, "synthesis.internal_footer"),
    )


def decision(passed: bool) -> str:
    """Return the decision of the gate."""
    return sentence(FULL, "synthesis.gate_passed" if passed else "synthesis.gate_not_passed")


def all_notes(made: Synthesis, notes: Sequence[Fact], wording: Wording) -> list[str]:
    """Return what a reader must know about the table, and how it was made."""
    return [*(shown(wording, note, 900) for note in notes), *how(made, wording)]


def margins(made: Synthesis) -> list[Section]:
    """Return the sets of columns that were measured, folded."""
    lines = [", ".join(map(name, margin)) for margin in made.margins[:MOST_MARGINS]]
    return [Section(title="Sets of columns that were measured", sentences=lines, is_folded=True)] if lines else []


def _attempt(attempt: Attempts, wording: Wording) -> Section:
    title, attacks, limits = attempt
    return Section(
        title=shown(FULL, title, 900),
        sentences=list(dict.fromkeys(shown_limit(wording, limit)[1] for limit in limits)),
        parts=[_attack(attack) for attack in attacks],
    )


def compared(
    found: SynthesisComparison,
    title: str,
    key: str,
    *,
    second: str = "synthetic table",
    sides: tuple[str, str] = ("the original", "the synthetic table"),
    models_note: str = "",
) -> Section:
    """Return the comparison of two tables."""
    of_columns = [
        chart
        for each in found.columns
        for chart in (synthesis_charts.bars(each, sides), synthesis_charts.cumulative(each, sides))
    ]
    first, other = (Name(side) for side in sides)
    return Section(
        key=key,
        title=title,
        parts=[
            Section(
                title="Distances",
                sentences=[sentence(FULL, "synthesis.distances")],
                head=("table", "TV1", "TV2", "TV3"),
                rows=_distances(found, second),
            ),
            Section(title="Most different columns and pairs", sentences=_worst(found)),
            Section(
                title="Columns",
                caption=sentence(FULL, "synthesis.sides", first=first, other=other),
                charts=_drawn([*of_columns, synthesis_charts.moments(found.columns, sides)]),
            ),
            Section(title="Relations", charts=_drawn(synthesis_charts.relations(found, sides))),
            Section(
                title="Train on one, test on the other",
                sentences=[models_note or _models_note(found.models)],
                head=("model", "score", *(f"trained on {side}" for side in sides)),
                rows=[(each.model, each.score, scored(each.before), scored(each.after)) for each in found.models],
            ),
        ],
    )


def _drawn(charts: Sequence[Chart | None]) -> list[Chart]:
    return [chart for chart in charts if chart is not None]


def how_many(made: Synthesis) -> list[str]:
    """Return how many records of how many columns were made."""
    lines = [("made", made.n_rows, made.columns)]
    if made.children is not None:
        lines.append(("made_children", made.children.n_rows, made.children.columns))
    return [
        sentence(
            FULL,
            f"synthesis.{code}",
            rows=Count(rows, unit="record"),
            columns=Number(len(columns)),
            method=Name(made.method),
        )
        for code, rows, columns in lines
    ]


def privacy(made: Synthesis) -> str:
    """Return what protects the people in the original, as one sentence."""
    if made.privacy is None:
        return sentence(FULL, "synthesis.without_privacy")
    paid = made.privacy
    epsilon = Name(decimal(paid["epsilon"]))
    unit = Name("row" if paid["unit"] == "row" else "person")
    entry = Number(0 if made.receipt is None else made.receipt["entry"])
    if not paid["delta"]:
        return sentence(FULL, "synthesis.with_pure_privacy", epsilon=epsilon, unit=unit, entry=entry)
    delta = Name(f"{paid['delta']:.3g}")
    return sentence(FULL, "synthesis.with_privacy", epsilon=epsilon, delta=delta, unit=unit, entry=entry)


def _summary(tables: Sequence[SynthesisComparison]) -> list[str]:
    """Return how far the table is from the original, numbers first."""
    if not tables:
        return []
    found = tables[0]
    independent = found.baselines.get("independent", (0.0, 0.0))
    lines = [
        sentence(FULL, "synthesis.distance", tv2=Name(decimal(found.tv2)), independent=Name(decimal(independent[0])))
    ]
    if "independent" in found.baselines and found.tv2 > independent[0]:
        lines.append(sentence(FULL, "synthesis.distance_worse"))
    if "held_out" in found.baselines:
        held_out = Name(decimal(found.baselines["held_out"][0]))
        lines.append(sentence(FULL, "synthesis.distance_held_out", held_out=held_out))
    return lines


def how(made: Synthesis, wording: Wording) -> list[str]:
    """Return how the table was made: bounds that cut, rejected records, invented columns."""
    notes = []
    if made.n_cut:
        notes.append(sentence(wording, "synthesis.cut", n=Number(made.n_cut), cells=Number(made.max_cells)))
    notes += _rejections("rejected", made.rejected, made.n_drawn)
    invented, derived = made.invented, made.derived
    if made.children is not None:
        notes += _rejections("rejected_children", made.children.rejected, made.children.n_drawn)
        invented, derived = (*invented, *made.children.invented), (*derived, *made.children.derived)
    for code, columns in (("invented", invented), ("derived", derived)):
        if columns:
            names = Name(", ".join(map(name, columns)))
            notes.append(sentence(FULL, f"synthesis.{code}", columns=names))
    return notes


def _rejections(code: str, rejected: Mapping[str, int], n_drawn: int) -> list[str]:
    return [
        sentence(
            FULL, f"synthesis.{code}", constraint=Name(name(constraint)), share=Share(n / max(1, n_drawn), of=n_drawn)
        )
        for constraint, n in rejected.items()
    ]


def _all_paid_lines(made: Synthesis) -> list[str]:
    lines = [paid_lines(each) for each in made.paid]
    between = [sentence(FULL, "synthesis.paid_children")]
    return [*lines[0], *(line for more in lines[1:] for line in (*between, *more))] if lines else []


def paid_lines(found: PaidComparison) -> list[str]:
    """Return the mean distances that were paid for, with the intervals of their noise."""
    return [
        sentence(
            FULL,
            f"synthesis.paid_{code}",
            value=Name(f"{each.value:.4f}"),
            low=Name(f"{each.low:.4f}"),
            high=Name(f"{each.high:.4f}"),
        )
        for code, each in (("tv1", found.tv1), ("tv2", found.tv2))
        if each is not None
    ]


def _distances(found: SynthesisComparison, second: str) -> list[tuple[str, ...]]:
    """Return the distances of the second table and of the baselines from the first table."""
    rows = [(second, found.tv1, found.tv2, found.tv3)]
    titles = {"independent": "independent columns, exact", "held_out": "held-out records"}
    rows += [(titles[key], None, *pair) for key, pair in found.baselines.items()]  # type: ignore[misc]
    return [(what, *("–" if value is None else f"{value:.4f}" for value in values)) for what, *values in rows]


def _worst(found: SynthesisComparison) -> list[str]:
    columns = {column.column: column.distance for column in found.columns}
    # A column without a distance is not a worst one, however few there are.
    lines = [f"{name(column)}: {columns[column]:.4f}" for column in found.worst_columns[:MOST_WORST] if columns[column]]
    return [*lines, *(f"{name(a)} × {name(b)}: {d:.4f}" for a, b, d in found.worst_pairs[:MOST_WORST])]


def scored(score: Estimate) -> str:
    """Return the score of a model with its interval."""
    return f"{score.value:.3f} ({score.low:.3f}–{score.high:.3f})"


def _models_note(models: Sequence[ModelComparison]) -> str:
    if not models:
        return sentence(FULL, "synthesis.no_models")
    first = models[0]
    # Scores on the records that a model was trained on are too good, and the note states so.
    code = "synthesis.models" if first.held_out else "synthesis.models_in_sample"
    return sentence(FULL, code, target=Name(name(first.target)), n=Count(first.n_test, unit="record"))


def _attack(attack: Attack) -> Section:
    attacker = [] if attack.attacker is None else [shown(FULL, attack.attacker, 900)]
    return Section(
        title=attacks_section.title(attack, FULL),
        sentences=[*attacker, attacks_section.outcome(attack, FULL)],
        charts=_drawn([bars.attack(attack, FULL)]),
    )


def text(
    made: Synthesis,
    found: Sequence[SynthesisComparison],
    passed: bool,
    reasons: Sequence[Fact],
    notes: Sequence[Fact],
    internal: Sequence[str] = (),
) -> str:
    """Return a synthesis for a terminal.

    Of a private table, nothing is shown that was measured on the original without noise: outputs of terminals are kept
    and copied.

    Parameters
    ----------
    internal : sequence of str
        The files with the internal report.
    """
    lines = [privacy(made), *how_many(made), *all_notes(made, notes, FULL), *_all_paid_lines(made)]
    files = Name(", ".join(internal))
    where = sentence(FULL, f"synthesis.{'written_to' if internal else 'where'}", files=files)
    if made.privacy is not None:
        return "\n".join([*lines, decision(passed), where])
    stated = (f"  - {shown(FULL, reason, 900)}" for reason in reasons)
    return "\n".join([*lines, *_summary(found), decision(passed), *stated, *([where] if internal else [])])


def as_json(made: Synthesis, found: Sequence[SynthesisComparison], attacks: Sequence[Attack], passed: bool) -> str:
    """Return a synthesis as JSON."""
    content = {
        "schema": SCHEMA,
        "internal": True,
        "synthesis": plain(made),
        "comparison": plain(found[0]),
        "comparison_of_children": None if len(found) == 1 else plain(found[1]),
        "attacks": [plain(attack) for attack in attacks],
        "passed": passed,
    }
    return text_of(content)
