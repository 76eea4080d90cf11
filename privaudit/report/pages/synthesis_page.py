"""The internal report of a synthesis, for people: what was made, how it compares, what an attacker gains.

Question: is the synthetic table worth using, and does it protect the people in the original?
Method: the records of the synthesis become the texts and charts that the terminal, HTML, Markdown and JSON share.
Limits: comparison and attacks are made from private rows: the first line states that the report is internal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from privaudit.model import Attack, Limit
from privaudit.model.synthesis import ColumnComparison, ModelComparison, PaidComparison, Synthesis, SynthesisComparison
from privaudit.model.wording import Count, Fact, Name, Number, Share
from privaudit.model.wording.numbers import decimal, percent
from privaudit.model.wording.render import FULL, Wording
from privaudit.report.charts import bars, synthesis_charts
from privaudit.report.escape import name
from privaudit.report.json import plain, text_of
from privaudit.report.sections import attacks as attacks_section
from privaudit.report.sentences import View, sentence, shown, shown_limit

_TABLES = (("table",), ("parents", "children"))
MOST_WORST = 5
MOST_MARGINS = 30
SCHEMA = "privaudit synthesis 1"


Attempts = tuple[Fact, Sequence[Attack], Sequence[Limit]]
"""Which table was attacked in which form, the attacks, and what could not be measured."""


def view(
    made: Synthesis,
    found: Sequence[SynthesisComparison],
    attempts: Sequence[Attempts],
    passed: bool,
    reasons: Sequence[Fact],
    notes: Sequence[Fact] = (),
    *,
    on_page: bool = False,
) -> View:
    """Return a synthesis as the texts and charts that all formats show; a page names no option of the command line."""
    wording = Wording(has_options=not on_page)
    return {
        "title": sentence(FULL, "synthesis.title", method=Name(text=made.method)),
        "internal": sentence(FULL, "synthesis.internal"),
        "privacy": privacy(made),
        "decision": sentence(FULL, "synthesis.gate_passed" if passed else "synthesis.gate_not_passed"),
        "is_private": made.privacy is not None,
        "reasons": [shown(wording, reason, 900) for reason in reasons],
        "made": how_many(made),
        "summary": [] if not found else _summary(found[0]),
        "notes": [*(shown(wording, note, 900) for note in notes), *how(made, wording)],
        "paid": _all_paid_lines(made),
        "tables": [
            compared(each, sentence(FULL, f"synthesis.compared_{which}"), which)
            for which, each in zip(_TABLES[len(found) > 1], found, strict=False)
        ],
        "attempts": [
            {
                "title": shown(FULL, title, 900),
                "attacks": [_attack(attack) for attack in attacks],
                "limits": list(dict.fromkeys(shown_limit(wording, limit)[1] for limit in limits)),
            }
            for title, attacks, limits in attempts
        ],
        "margins": [", ".join(map(name, margin)) for margin in made.margins[:MOST_MARGINS]],
        "sides": ("the original", "the synthetic table"),
    }


def compared(found: SynthesisComparison, title: str, key: str, *, second: str = "synthetic table") -> View:
    """Return the comparison of two tables as texts and charts."""
    return {
        "title": title,
        "id": key,
        "distances": _distances(found, second),
        "worst": _worst(found),
        "columns": [_column(column) for column in found.columns],
        "moments": synthesis_charts.moments(found.columns),
        "relations": synthesis_charts.relations(found),
        "models": [_model(model) for model in found.models],
        "models_note": _models_note(found.models),
    }


def _column(column: ColumnComparison) -> View:
    return {
        "name": name(column.column),
        "distance": percent(column.distance),
        "bars": synthesis_charts.bars(column),
        "cumulative": synthesis_charts.cumulative(column),
    }


def how_many(made: Synthesis) -> list[str]:
    """Return how many records of how many columns were made."""
    lines = [("made", made.n_rows, made.columns)]
    if made.children is not None:
        lines.append(("made_children", made.children.n_rows, made.children.columns))
    return [
        sentence(
            FULL,
            f"synthesis.{code}",
            rows=Count(n=rows, unit="record"),
            columns=Number(value=len(columns)),
            method=Name(text=made.method),
        )
        for code, rows, columns in lines
    ]


def privacy(made: Synthesis) -> str:
    """Return what protects the people in the original, as one sentence."""
    if made.privacy is None:
        return sentence(FULL, "synthesis.without_privacy")
    paid = made.privacy
    epsilon = Name(text=decimal(paid["epsilon"]))
    unit = Name(text="row" if paid["unit"] == "row" else "person")
    entry = Number(value=0 if made.receipt is None else made.receipt["entry"])
    if not paid["delta"]:
        return sentence(FULL, "synthesis.with_pure_privacy", epsilon=epsilon, unit=unit, entry=entry)
    delta = Name(text=f"{paid['delta']:.3g}")
    return sentence(FULL, "synthesis.with_privacy", epsilon=epsilon, delta=delta, unit=unit, entry=entry)


def _summary(found: SynthesisComparison) -> list[str]:
    """Return how far the table is from the original, numbers first."""
    independent = found.baselines.get("independent", (0.0, 0.0))
    lines = [
        sentence(
            FULL,
            "synthesis.distance",
            tv2=Name(text=decimal(found.tv2)),
            independent=Name(text=decimal(independent[0])),
        )
    ]
    if "held_out" in found.baselines:
        held_out = Name(text=decimal(found.baselines["held_out"][0]))
        lines.append(sentence(FULL, "synthesis.distance_held_out", held_out=held_out))
    return lines


def how(made: Synthesis, wording: Wording) -> list[str]:
    """Return how the table was made: bounds that cut, rejected records, invented columns."""
    notes = []
    if made.n_cut:
        notes.append(sentence(wording, "synthesis.cut", n=Number(value=made.n_cut), cells=Number(value=made.max_cells)))
    notes += _rejections("rejected", made.rejected, made.n_drawn)
    invented, derived = made.invented, made.derived
    if made.children is not None:
        notes += _rejections("rejected_children", made.children.rejected, made.children.n_drawn)
        invented, derived = (*invented, *made.children.invented), (*derived, *made.children.derived)
    for code, columns in (("invented", invented), ("derived", derived)):
        if columns:
            names = Name(text=", ".join(map(name, columns)))
            notes.append(sentence(FULL, f"synthesis.{code}", columns=names))
    return notes


def _rejections(code: str, rejected: Mapping[str, int], n_drawn: int) -> list[str]:
    return [
        sentence(
            FULL,
            f"synthesis.{code}",
            constraint=Name(text=name(constraint)),
            share=Share(value=n / max(1, n_drawn), of=n_drawn),
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
            value=Name(text=f"{each.value:.4f}"),
            low=Name(text=f"{each.low:.4f}"),
            high=Name(text=f"{each.high:.4f}"),
        )
        for code, each in (("tv1", found.tv1), ("tv2", found.tv2))
        if each is not None
    ]


def _distances(found: SynthesisComparison, second: str) -> list[View]:
    """Return the table of distances: the second table and the baselines."""
    rows = [(second, found.tv1, found.tv2, found.tv3)]
    titles = {"independent": "independent columns, exact", "held_out": "held-out records"}
    rows += [(titles[key], None, *pair) for key, pair in found.baselines.items()]  # type: ignore[misc]
    return [
        {"what": what, "values": ["–" if value is None else f"{value:.4f}" for value in values]}
        for what, *values in rows
    ]


def _worst(found: SynthesisComparison) -> list[str]:
    columns = {column.column: column.distance for column in found.columns}
    # A column without a distance is not a worst one, however few there are.
    lines = [f"{name(column)}: {columns[column]:.4f}" for column in found.worst_columns[:MOST_WORST] if columns[column]]
    return [*lines, *(f"{name(a)} × {name(b)}: {d:.4f}" for a, b, d in found.worst_pairs[:MOST_WORST])]


def _model(each: ModelComparison) -> View:
    return {
        "model": each.model,
        "score": each.score,
        "target": name(each.target),
        "before": f"{each.before.value:.3f} ({each.before.low:.3f}–{each.before.high:.3f})",
        "after": f"{each.after.value:.3f} ({each.after.low:.3f}–{each.after.high:.3f})",
    }


def _models_note(models: Sequence[ModelComparison]) -> str:
    if not models:
        return sentence(FULL, "synthesis.no_models")
    first = models[0]
    # Scores on the records that a model was trained on are too good, and the note states so.
    code = "synthesis.models" if first.held_out else "synthesis.models_in_sample"
    return sentence(FULL, code, target=Name(text=name(first.target)), n=Count(n=first.n_test, unit="record"))


def _attack(attack: Attack) -> View:
    return {
        "title": attacks_section.title(attack, FULL),
        "attacker": "" if attack.attacker is None else shown(FULL, attack.attacker, 900),
        "outcome": attacks_section.outcome(attack, FULL),
        "chart": bars.attack(attack, FULL),
    }


def text(page: View, internal: Sequence[str] = ()) -> str:
    """Return a synthesis for a terminal.

    Of a private table, nothing is shown that was measured on the original without noise: outputs of terminals are kept
    and copied.

    Parameters
    ----------
    internal : sequence of str
        The files with the internal report.
    """
    lines = [page["privacy"], *page["made"], *page["notes"], *page["paid"]]
    files = Name(text=", ".join(internal))
    where = sentence(FULL, f"synthesis.{'written_to' if internal else 'where'}", files=files)
    if page["is_private"]:
        return "\n".join([*lines, page["decision"], where])
    reasons = (f"  - {each}" for each in page["reasons"])
    return "\n".join([*lines, *page["summary"], page["decision"], *reasons, *([where] if internal else [])])


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
