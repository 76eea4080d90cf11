"""Learn ``rules/reference/fusion.toml`` and print its scores as docs/learning.md has them.

    python benchmarks/train_detection.py LABELS.json [-o rules/reference/fusion.toml] [--tables 40] [--models]

Trains on labelled tables (a file of labels as `privaudit rules train` takes it) and on the generated ones of
detection_tables.py, each once as it is and once with its columns named c00, c01, ... Sources are held out one by one;
all generated tables are one source, with or without their names. Nothing is random beyond the generator's seed, and
nothing of the tables is written: coefficients and scores only. ``--models`` counts instead the verdicts that rest on a
language model alone, whose confidence is set by hand, and how many of them are right.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import detection_tables as generator
import pyarrow as pa

from privaudit.config import Settings
from privaudit.detect import detect
from privaudit.detect.learning import labels, learn
from privaudit.detect.ledger import log_odds
from privaudit.detect.resolver import Reading
from privaudit.detect.weights import Weights
from privaudit.profile import profile
from privaudit.source import from_arrow

SETTINGS = Settings(ner=False)
CORPUS = "39 public tables of 19 publishers and 40 generated tables, with and without column names"
# Confidence is the probability by the claims alone: what was in use before anything was fitted.
BY_HAND = Weights(prior=0.25, slope=1.0, intercept=0.0)


Look = Callable[[labels.LabelledTable], Iterable[labels.Case]]


def unnamed(path: Path, look: Look = labels.examine) -> Iterator[labels.Case]:
    """Yield the cases of a file of labels, with the columns of its tables named c00, c01, ..."""
    for dataset, accepted, source, settings in labels.tables(path, SETTINGS):
        names = {column: f"c{number:02d}" for number, column in enumerate(dataset.columns)}
        rows = dataset.rows(dataset.columns).rename_columns(list(names.values()))
        wanted = {names[column]: groups for column, groups in accepted.items()}
        with from_arrow(rows) as hidden:
            yield from look(labels.LabelledTable(hidden, wanted, source, settings))


def generated(n: int, look: Look = labels.examine) -> Iterator[labels.Case]:
    """Yield the cases of the first `n` generated tables, all of one source."""
    for number, table in enumerate(generator.tables()):
        if number >= n:
            return
        accepted = {name: _accepted(truth) for name, truth in table.truth.items() if truth.kind != "text"}
        for hidden in (False, True):
            names = {name: f"c{i:02d}" if hidden else name for i, name in enumerate(table.columns)}
            columns = {names[name]: pa.array(cells, pa.string()) for name, cells in table.columns.items()}
            wanted = {names[name]: groups for name, groups in accepted.items()}
            with from_arrow(pa.table(columns)) as dataset:
                yield from look(labels.LabelledTable(dataset, wanted, "generated", SETTINGS))


def by_model(table: labels.LabelledTable) -> Iterator[labels.Case]:
    """Yield the columns whose verdict rests on a language model alone, with that verdict as their one reading."""
    dataset, accepted, source, _ = table
    for found in detect(dataset, profile(dataset), Settings()):
        verdict = found.is_
        if verdict is None or found.column not in accepted or {c.kind for c in verdict.evidence} != {"model"}:
            continue
        odds = log_odds(verdict.confidence)
        reading = Reading(verdict.entity, odds, None, 0, verdict.share, verdict.evidence, verdict.confidence)
        yield labels.Case(source, accepted[found.column], (reading,))


def _accepted(truth: generator.Truth) -> frozenset[str]:
    if truth.kind == "decoy":
        return frozenset([labels.PLAIN, labels.ORDINARY])
    return frozenset(labels.group_of(entity) for entity in truth.entities)


def report(trained: learn.Trained) -> str:
    """Return the held-out scores as Markdown."""
    lines = ["| numbers | F1 | Brier | log-loss |", "|---|---|---|---|"]
    for name, one in (("by hand", trained.before), ("fitted", trained.fitted)):
        lines.append(f"| {name} | {one.f1:.4f} | {one.brier:.4f} | {one.log_loss:.4f} |")
    lines += ["", "| confidence label | verdicts | mean confidence | share correct |", "|---|---|---|---|"]
    for name, scores in (("by hand", trained.before), ("fitted", trained.after)):
        for band in scores.bands:
            label = f"{name}, {band.low:.2f} to {band.high:.2f}"
            lines.append(f"| {label} | {band.n} | {band.mean_confidence:.3f} | {band.share_right:.3f} |")
    return "\n".join(lines)


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description="Fit the numbers of the resolver to labelled tables.")
    parser.add_argument("labels", type=Path)
    parser.add_argument("-o", "--output", type=Path)
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument("--models", action="store_true")
    options = parser.parse_args()
    if options.models:
        seen = [case for table in labels.tables(options.labels, SETTINGS) for case in by_model(table)]
        seen += [*unnamed(options.labels, by_model), *generated(options.tables, by_model)]
        right = sum(case.right(case.readings[0].entity) for case in seen)
        print(f"{len(seen)} verdicts rest on a language model alone, {right} of them right")
        return
    named = labels.read(options.labels, SETTINGS)
    hidden = list(unnamed(options.labels))
    made = list(generated(options.tables))
    trained = learn.learn([*named, *hidden, *made], BY_HAND)
    print(f"{trained.after.n_columns} columns of {trained.n_sources} sources\n\n{report(trained)}")
    print(f"\nFitted: {trained.weights}; taken: {trained.is_new}")
    for what, cases in (("labelled, named", named), ("labelled, unnamed", hidden), ("generated", made)):
        print(f"by hand on {what}: F1 {learn.held_out(cases, lambda _: BY_HAND).f1:.4f}")
    if options.output is not None:
        options.output.write_text(learn.as_toml(trained, CORPUS), encoding="utf-8")


if __name__ == "__main__":
    main()
