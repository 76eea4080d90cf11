"""The page of a release of answers, for people: sentences, pictures with intervals, cost and limits.

Question: how does a reader see what was answered, how exact it is, and what it cost?
Method: the record of the release becomes the texts and charts that the terminal, HTML and Markdown share.
Limits: reads the noisy answers only.
"""

from __future__ import annotations

import math

from privaudit.model.answers import Answer, Answers, Cell
from privaudit.model.wording import FULL, Count, Name, Number, Threshold, Value, decimal, listing, percent
from privaudit.report import files
from privaudit.report.charts.draw import WIDTH, Canvas, Chart, short
from privaudit.report.escape import name
from privaudit.report.html import fragment_of
from privaudit.report.json import plain, text_of
from privaudit.report.pages import page as pages
from privaudit.report.sentences import sentence

MOST_BARS = 40
_HEAD = ("cell", "answer", "from", "to", "consistent")
_COUNTS = ("histogram", "margin", "classifier")
"""Kinds of answers that are many counts."""
_ROW = 22.0
_LEFT, _RIGHT = 196.0, 60.0
_LABEL = 26
"""Characters of a label that fit on its left, in wide letters too."""


def page(made: Answers) -> pages.Page:
    """Return a release as a page."""
    shown = [_section(i, answer) for i, answer in enumerate(made.answers, 1)]
    return pages.Page(
        kicker="differentially private answers",
        title=sentence(FULL, "answers.title", dataset=Name(name(made.dataset))),
        lead=_summary(made),
        sections=[*shown, pages.Section(key="notes", title="How to read the answers", sentences=_notes(made))],
        footer=sentence(FULL, "answers.footer"),
    )


def _summary(made: Answers) -> str:
    values: dict[str, Value] = {
        "n": Number(len(made.answers)),
        "epsilon": Name(decimal(made.epsilon)),
        "delta": Name(f"{made.delta:.3g}"),
        "entry": Number(made.receipt["entry"]),
    }
    return sentence(FULL, "answers.summary" if made.delta else "answers.summary_pure", **values)


def _notes(made: Answers) -> list[str]:
    """Return what a reader must know about all answers."""
    person = made.rows_per_person is not None
    unit = Name("person" if person else "row")
    # Beyond 709 a double overflows, and such a factor promises nothing.
    factor = Name(decimal(math.exp(min(made.epsilon, 700))))
    odds = "answers.odds_delta" if made.delta else "answers.odds"
    notes = [
        sentence(FULL, odds, unit=unit, factor=factor, delta=Name(f"{made.delta:.3g}")),
        sentence(
            FULL,
            f"answers.unit_{unit.text}",
            column=Name(name(made.unit)),
            most=Count(made.rows_per_person or 1, unit="row"),
        ),
        sentence(FULL, f"answers.rule_{made.rule}"),
        sentence(FULL, "answers.intervals"),
    ]
    if any(cell.consistent is not None for answer in made.answers for cell in answer.cells[:1]):
        notes.append(sentence(FULL, "answers.consistent"))
    if not person and sum(bool(answer.rows) for answer in made.answers) > 1:
        notes.append(sentence(FULL, "answers.row_sets"))
    return [*notes, sentence(FULL, "answers.groups"), sentence(FULL, "answers.time")]


def _section(number: int, answer: Answer) -> pages.Section:
    cells = answer.cells
    lines = [sentence_of(answer), _mechanism(answer)]
    if len(cells) > MOST_BARS:
        lines.append(sentence(FULL, "answers.more_cells", n=Number(len(cells) - MOST_BARS)))
    rows = [_row(cell, _digits(answer)) for cell in cells[:MOST_BARS]] if len(cells) > 1 else []
    return pages.Section(
        key=f"answer-{number}",
        title=_title(answer),
        sentences=lines,
        head=_HEAD[: len(rows[0])] if rows else (),
        rows=rows,
        charts=[each for each in [_bars(answer) if answer.kind in _COUNTS else _interval(answer)] if each],
    )


def _title(answer: Answer) -> str:
    shown = name(answer.name)
    return shown[:1].upper() + shown[1:]


def _mechanism(answer: Answer) -> str:
    cost = f"epsilon {decimal(answer.epsilon)}" if answer.epsilon is not None else f"rho {answer.rho:.3g}"
    mechanism, price = Name(answer.mechanism), Name(cost)
    if answer.sd is None:
        return sentence(FULL, "answers.mechanism_choice", mechanism=mechanism, cost=price)
    sd = Name(decimal(answer.sd))
    return sentence(FULL, "answers.mechanism", mechanism=mechanism, cost=price, sd=sd)


def _row(cell: Cell, digits: int) -> tuple[str, ...]:
    consistent = () if cell.consistent is None else (_figure(cell.consistent, 1),)
    label = ", ".join(name(label, 60) for label in cell.labels)
    return (label, *(_figure(value, digits) for value in (cell.value, cell.low, cell.high)), *consistent)


def sentence_of(answer: Answer) -> str:
    """Return what an answer states, as one sentence."""
    cell, digits = answer.cells[0], _digits(answer)
    # One sentence states the widest interval of all cells; the table has each.
    width = max(map(_width, answer.cells))
    is_count = answer.kind == "count"
    code = f"count_{answer.of}{'_where' if answer.rows else ''}" if is_count else answer.kind
    text = sentence(
        FULL,
        f"answers.{code}",
        column=Name(listing(name(column) for column in answer.columns)),
        value=Name(_figure(cell.value, digits)),
        width=Name(_figure(width, digits)),
        root=Name(decimal(math.sqrt(max(0.0, cell.value)))),
        share=Name(percent(answer.order or 0.5)),
        rank=Number(answer.rank_error or 0),
        target=Name(name(answer.target or "")),
        rows=Name(name(answer.rows)),
        n=Number(len(answer.cells) // max(1, len(answer.columns))),
    )
    if is_count or not answer.rows:
        return text
    return f"{text} {sentence(FULL, 'answers.only_rows', rows=Name(name(answer.rows)))}"


def _width(cell: Cell) -> float:
    """Return the larger distance of an answer to the ends of its interval; 0 where it has none."""
    return 0.0 if cell.low is None or cell.high is None else max(cell.high - cell.value, cell.value - cell.low)


def _digits(answer: Answer) -> int:
    """Return the decimals that are shown: two digits of the standard deviation, or those of the step."""
    if answer.kind in ("count", *_COUNTS):
        return 0
    steps = [float(declared["step"]) for declared in answer.declared.values() if "step" in declared]
    # Digits below a tenth of the noise are noise themselves.
    error = min(steps) if answer.sd is None else answer.sd / 10
    return max(0, min(8, -math.floor(math.log10(error)))) if error > 0 else 3


def _figure(value: float | None, digits: int) -> str:
    if value is None:
        return "–"
    return f"{value:,.{digits}f}" if digits else f"{round(value):,}"


def _bars(answer: Answer) -> Chart:
    """Return one horizontal bar for each count, with its interval as a line."""
    cells = answer.cells[:MOST_BARS]
    top = max((abs(cell.high or cell.value) for cell in cells), default=1.0) or 1.0
    canvas, wide = Canvas(), WIDTH - _LEFT - _RIGHT
    for i, cell in enumerate(cells):
        # A noisy count may be below 0, where a bar has no length.
        y, shown = 4 + i * _ROW, max(0.0, cell.value)
        labels = [name(each, 60) for each in cell.labels]
        label = ", ".join(labels)
        if len(label) > _LABEL:  # each column keeps the beginning of its label
            labels = [short(each, _LABEL // len(labels) - 1) for each in labels]
        low, high = max(0.0, cell.low or 0.0), max(0.0, cell.high or 0.0)
        canvas.text(_LEFT - 8, y + 14, short(", ".join(labels), _LABEL), colour="ink", anchor="end")
        canvas.rect(_LEFT, y + 4, wide, 12, "track")
        canvas.rect(_LEFT, y + 4, wide * shown / top, 12, "calm", f"{label}: {_figure(cell.value, 0)}")
        canvas.line(_LEFT + wide * low / top, y + 10, _LEFT + wide * high / top, y + 10, "ink", thick=2)
        canvas.text(WIDTH, y + 14, _figure(cell.value, 0), anchor="end")
    words = sentence(
        FULL,
        "answers.chart_cells",
        cells=Threshold(len(cells)),
        all=Threshold(len(answer.cells)),
        column=Name(listing(name(column) for column in answer.columns)),
    )
    return canvas.chart("chart-answer", sentence(FULL, "answers.chart_title_cells"), words, 8 + len(cells) * _ROW)


def _interval(answer: Answer) -> Chart | None:
    """Return a single number with its interval, on the declared bounds where it is in their units."""
    cell = answer.cells[0]
    if cell.low is None or cell.high is None:
        return None
    start, end = _axis(answer, cell.low, cell.high)
    canvas, wide, digits = Canvas(), WIDTH - 40, _digits(answer)

    def place(value: float) -> float:
        return 20 + wide * min(1.0, max(0.0, (value - start) / (end - start)))

    canvas.line(20, 30, WIDTH - 20, 30, "grid", thick=2)
    canvas.line(place(cell.low), 30, place(cell.high), 30, "accent", thick=6)
    canvas.circle(place(cell.value), 30, 5, "ink", _figure(cell.value, digits))
    canvas.text(place(cell.value), 16, _figure(cell.value, digits), anchor="middle", colour="ink", bold=True)
    canvas.text(20, 52, decimal(start))
    canvas.text(WIDTH - 20, 52, decimal(end), anchor="end")
    title, words = (sentence(FULL, f"answers.chart_{part}") for part in ("title", "value"))
    return canvas.chart("chart-answer", title, words, 58)


def _axis(answer: Answer, low: float, high: float) -> tuple[float, float]:
    # From what was declared and what is published alone: the axis may show nothing else of the values.
    bounds = [declared["bounds"] for declared in answer.declared.values() if "bounds" in declared]
    if answer.kind == "mean" and bounds:
        return float(bounds[0][0]), float(bounds[0][1])
    return (0.0, 1.2 * max(high, 1.0)) if low >= 0 else (1.2 * low, 1.2 * max(high, 0.0))


def text(made: Answers) -> str:
    """Return a release for a terminal."""
    shown = page(made)
    lines = [str(shown.title), str(shown.lead), "", *(f"  - {sentence_of(answer)}" for answer in made.answers), ""]
    return "\n".join([*lines, *_notes(made)])


def forms(made: Answers) -> files.Forms:
    """Return how a release is written."""
    return pages.forms(page(made), lambda: text_of(plain(made)))


def notebook(made: Answers) -> str:
    """Return a release as a fragment for a notebook cell."""
    return fragment_of("answers_notebook.html.j2", {"page": page(made)})
