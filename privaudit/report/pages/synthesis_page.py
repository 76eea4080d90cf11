"""The internal report of a synthesis, for people: what was made, how it compares, what an attacker gains.

Question: is the synthetic table worth using, and does it protect the people in the original?
Method: the records of the synthesis become the texts and charts that the terminal, HTML, Markdown and JSON share.
Limits: comparison and attacks are made from private rows: the first line states that the report is internal.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from privaudit.model import Attack, Limit
from privaudit.model.synthesis import ModelComparison, Synthesis, SynthesisComparison
from privaudit.model.wording import Count, Fact, Name, Number, Share
from privaudit.model.wording.numbers import decimal, percent
from privaudit.model.wording.render import Wording
from privaudit.report.charts import bars, synthesis_charts
from privaudit.report.escape import markdown as md
from privaudit.report.escape import name
from privaudit.report.json import plain
from privaudit.report.sections import attacks as attacks_section
from privaudit.report.sentences import sentence, shown, shown_limit

View = dict[str, Any]
SUFFIXES = (".html", ".md", ".json")
MOST_WORST = 5
MOST_MARGINS = 30
SCHEMA = "privaudit synthesis 1"
_FULL = Wording()


def view(
    made: Synthesis,
    found: SynthesisComparison,
    attacks: Sequence[Attack],
    limits: Sequence[Limit],
    passed: bool,
    reasons: Sequence[Fact],
    notes: Sequence[Fact] = (),
) -> View:
    """Return a synthesis as the texts and charts that all formats show."""
    return {
        "title": sentence(_FULL, "synthesis.title", method=Name(text=made.method)),
        "internal": sentence(_FULL, "synthesis.internal"),
        "privacy": _privacy(made),
        "decision": sentence(_FULL, "synthesis.gate_passed" if passed else "synthesis.gate_not_passed"),
        "is_private": made.privacy is not None,
        "where": sentence(_FULL, "synthesis.where"),
        "reasons": [shown(_FULL, reason, 900) for reason in reasons],
        "summary": _summary(made, found),
        "notes": [*(shown(_FULL, note, 900) for note in notes), *_how(made)],
        "columns": [
            {
                "name": name(column.column),
                "distance": percent(column.distance),
                "bars": synthesis_charts.bars(column),
                "cumulative": synthesis_charts.cumulative(column),
            }
            for column in found.columns
        ],
        "moments": synthesis_charts.moments(found.columns),
        "relations": synthesis_charts.relations(found),
        "distances": _distances(found),
        "worst": _worst(found),
        "models": [_model(each) for each in found.models],
        "models_note": _models_note(found.models),
        "attacks": [_attack(attack) for attack in attacks],
        "limits": list(dict.fromkeys(shown_limit(_FULL, limit)[1] for limit in limits)),
        "margins": [", ".join(map(name, margin)) for margin in made.margins[:MOST_MARGINS]],
    }


def _privacy(made: Synthesis) -> str:
    if made.privacy is None:
        return sentence(_FULL, "synthesis.without_privacy")
    privacy = made.privacy
    epsilon = Name(text=decimal(privacy["epsilon"]))
    unit = Name(text="row" if privacy["unit"] == "row" else "person")
    entry = Number(value=0 if made.receipt is None else made.receipt["entry"])
    if not privacy["delta"]:
        return sentence(_FULL, "synthesis.with_pure_privacy", epsilon=epsilon, unit=unit, entry=entry)
    delta = Name(text=f"{privacy['delta']:.3g}")
    return sentence(_FULL, "synthesis.with_privacy", epsilon=epsilon, delta=delta, unit=unit, entry=entry)


def _summary(made: Synthesis, found: SynthesisComparison) -> list[str]:
    """Return what was made and how far it is from the original, numbers first."""
    independent = found.baselines.get("independent", (0.0, 0.0))
    lines = [
        sentence(
            _FULL,
            "synthesis.made",
            rows=Count(n=made.n_rows, unit="record"),
            columns=Number(value=len(made.columns)),
            method=Name(text=made.method),
        ),
        sentence(
            _FULL,
            "synthesis.distance",
            tv2=Name(text=decimal(found.tv2)),
            independent=Name(text=decimal(independent[0])),
        ),
    ]
    if "held_out" in found.baselines:
        held_out = Name(text=decimal(found.baselines["held_out"][0]))
        lines.append(sentence(_FULL, "synthesis.distance_held_out", held_out=held_out))
    return lines


def _how(made: Synthesis) -> list[str]:
    """Return how the table was made: bounds that cut, rejected records, invented columns."""
    notes = []
    if made.n_cut:
        notes.append(
            sentence(_FULL, "synthesis.cut", n=Number(value=made.n_cut), cells=Number(value=made.max_cells))
        )
    for constraint, rejected in made.rejected.items():
        share = Share(value=rejected / max(1, made.n_drawn), of=made.n_drawn)
        notes.append(
            sentence(_FULL, "synthesis.rejected", constraint=Name(text=name(constraint)), share=share)
        )
    if made.invented:
        columns = Name(text=", ".join(map(name, made.invented)))
        notes.append(sentence(_FULL, "synthesis.invented", columns=columns))
    if made.derived:
        notes.append(
            sentence(_FULL, "synthesis.derived", columns=Name(text=", ".join(map(name, made.derived))))
        )
    return notes


def _distances(found: SynthesisComparison) -> list[View]:
    """Return the table of distances: this table and the baselines."""
    rows = [("synthetic table", found.tv1, found.tv2, found.tv3)]
    titles = {"independent": "independent columns, exact", "held_out": "held-out records"}
    rows += [(titles[key], None, *pair) for key, pair in found.baselines.items()]  # type: ignore[misc]
    return [
        {"what": what, "values": ["–" if value is None else f"{value:.4f}" for value in values]}
        for what, *values in rows
    ]


def _worst(found: SynthesisComparison) -> list[str]:
    columns = {column.column: column.distance for column in found.columns}
    lines = [
        f"{name(column)}: {columns[column]:.4f}"
        for column in found.worst_columns[:MOST_WORST]
        if columns[column]
    ]
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
        return sentence(_FULL, "synthesis.no_models")
    first = models[0]
    code = "synthesis.models" if first.held_out else "synthesis.models_in_sample"
    return sentence(_FULL, code, target=Name(text=name(first.target)), n=Count(n=first.n_test, unit="record"))


def _attack(attack: Attack) -> View:
    return {
        "title": attacks_section.title(attack, _FULL),
        "attacker": "" if attack.attacker is None else shown(_FULL, attack.attacker, 900),
        "outcome": attacks_section.outcome(attack, _FULL),
        "chart": bars.attack(attack, _FULL),
    }


def text(page: View) -> str:
    """Return a synthesis for a terminal.

    Of a private table, nothing is shown that was measured on the original: outputs of terminals are kept and copied.
    """
    lines = [page["privacy"], page["summary"][0], *page["notes"]]
    if page["is_private"]:
        return "\n".join([*lines, page["decision"], page["where"]])
    return "\n".join([*lines, *page["summary"][1:], page["decision"], *(f"  - {each}" for each in page["reasons"])])


def markdown(page: View) -> str:
    """Return a synthesis as Markdown."""
    lines = [f"**{md(page['internal'])}**", "", "privaudit", "", f"# {md(page['title'])}", "", md(page["privacy"]), ""]
    lines += [md(line) for line in page["summary"]]
    lines += ["", f"**{md(page['decision'])}**", "", *(f"- {md(reason)}" for reason in page["reasons"])]
    lines += ["", "## Distances", "", "| table | TV1 | TV2 | TV3 |", "| --- | ---: | ---: | ---: |"]
    lines += [f"| {row['what']} | {' | '.join(row['values'])} |" for row in page["distances"]]
    lines += ["", "Most different:", "", *(f"- {md(line)}" for line in page["worst"])]
    lines += ["", "## Models", "", md(page["models_note"]), ""]
    if page["models"]:
        lines += ["| model | score | original | synthetic |", "| --- | --- | --- | --- |"]
        lines += [f"| {m['model']} | {m['score']} | {m['before']} | {m['after']} |" for m in page["models"]]
    lines += ["", "## Attacks", ""]
    lines += [f"- {md(each['title'])}: {md(each['outcome'])}" for each in page["attacks"]]
    return "\n".join([*lines, *(f"- {md(limit)}" for limit in page["limits"])]) + "\n"


def html(page: View) -> str:
    """Return a synthesis as one HTML page."""
    from privaudit.report.html import page_of

    return page_of("synthesis.html.j2", page)


def as_json(made: Synthesis, found: SynthesisComparison, attacks: Sequence[Attack], passed: bool) -> str:
    """Return a synthesis as JSON."""
    content = {
        "schema": SCHEMA,
        "internal": True,
        "synthesis": plain(made),
        "comparison": plain(found),
        "attacks": [plain(attack) for attack in attacks],
        "passed": passed,
    }
    return json.dumps(content, ensure_ascii=False, indent=2, allow_nan=False) + "\n"
