"""Learn ``rules/reference/fusion.toml`` and print its scores as docs/learning.md has them.

    python benchmarks/train_detection.py LABELS.json ... [--held LABELS.json ...] [-o rules/reference/fusion.toml]
        [--cases tests/reference/fusion_cases.json.gz]
    python benchmarks/train_detection.py LABELS.json ... --models

Trains on labelled tables (files of labels as `privaudit rules train` takes them), each once as it is and once with its
columns named c00, c01, ... Sources are held out one by one, with and without their names; ``sources.json``
next to a file of labels names them where `labels_meta.json` does not. ``--held`` names tables that are only judged.
Nothing of the tables is written: coefficients and scores, and with ``--cases`` the probabilities of the readings of
each column, from which a test fits the shipped numbers again. ``--models`` counts instead the verdicts that rest on a
language model alone, whose confidence is set by hand, and how many of them are right.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from privaudit.detect.detection import detect
from privaudit.detect.learning import labels, learn
from privaudit.detect.ledger import log_odds
from privaudit.detect.resolver import Reading, Weights, load_weights
from privaudit.settings.config import Settings
from privaudit.source import from_arrow
from privaudit.source.profile import profile

SETTINGS = Settings(ner=False)
CORPUS = (
    "39 public tables of 19 publishers, 57 tables of 4 generators and 46 tables of 7 kinds of exports, "
    "with and without column names"
)
# Confidence is the probability by the claims alone.
BY_HAND = Weights(prior=0.25, slope=1.0, intercept=0.0)


STATES = {"with names": False, "without names": True}

Look = Callable[[labels.LabelledTable], Iterable[labels.Case]]


def read(file: Path, is_hidden: bool, look: Look = labels.examine) -> list[labels.Case]:
    """Return the cases of a file of labels, with the sources that `sources.json` next to it names."""
    listed = file.with_name("sources.json")
    sources = json.loads(listed.read_text(encoding="utf-8")) if listed.is_file() else {}
    cases: list[labels.Case] = []
    for table in labels.tables(file, SETTINGS):
        if is_hidden:
            names = {column: f"c{number:02d}" for number, column in enumerate(table.dataset.columns)}
            rows = table.dataset.rows(table.dataset.columns).rename_columns(list(names.values()))
            wanted = {names[column]: groups for column, groups in table.accepted.items()}
            with from_arrow(rows) as hidden:
                cases += look(table._replace(dataset=hidden, accepted=wanted))
        else:
            cases += look(table)
    return [replace(case, source=sources.get(case.source, case.source)) for case in cases]


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


def left_out(cases: Sequence[labels.Case], judged: Sequence[labels.Case], now: Weights) -> learn.Scores:
    """Score `judged`, a part of `cases`, with numbers fitted on all cases of other sources."""
    fitted = {
        source: learn.fitted([case for case in cases if case.source != source], now)
        for source in {case.source for case in judged}
    }
    return learn.score([learn.judge(case, fitted[case.source]) for case in judged])


def stored(cases: Sequence[labels.Case]) -> bytes:
    """Return cases as compressed JSON: source, what is right, and entity type and probabilities of each reading."""
    sources = {source: number for number, source in enumerate(sorted({case.source for case in cases}))}
    rows = [
        (sources[c.source], sorted(c.accepted), [(r.entity, r.from_values, r.from_name) for r in c.readings])
        for c in cases
    ]
    return gzip.compress(json.dumps(rows, separators=(",", ":")).encode(), mtime=0)


def compare(
    parts: Mapping[str, Sequence[labels.Case]], held: Sequence[Path]
) -> tuple[learn.Trained, dict[str, learn.Scores]]:
    """Return the numbers fitted on all sources, and scores of each part, by numbers fitted on other sources."""
    now = load_weights()
    every = [case for cases in parts.values() for case in cases]
    scores = left_out(every, every, now)
    by_hand = learn.held_out(every, lambda _: BY_HAND)
    weights = learn.fitted(every, now)
    trained = learn.Trained(
        weights=weights, before=by_hand, fitted=scores, is_new=True, n_sources=len({case.source for case in every})
    )
    runs = {"by the claims alone": by_hand, "left-out sources": scores}
    for what, cases in parts.items():
        runs[f"left-out sources, {what}"] = left_out(every, cases, now)
    for what, is_hidden in STATES.items() if held else ():
        cases = [case for file in held for case in read(file, is_hidden)]
        runs[f"held-out tables, {what}, the file before"] = learn.held_out(cases, lambda _: now)
        runs[f"held-out tables, {what}"] = learn.held_out(cases, lambda _: weights)
    return trained, runs


def report(runs: Mapping[str, learn.Scores]) -> str:
    """Return scores and reliability as Markdown."""
    lines = ["| columns | verdicts | F1 | Brier | log-loss |", "|---|---|---|---|---|"]
    for name, one in runs.items():
        verdicts = sum(band.n for band in one.bands)
        lines.append(f"| {name} | {verdicts} | {one.f1:.3f} | {one.brier:.3f} | {one.log_loss:.3f} |")
    lines += ["", "| columns | confidence | verdicts | mean confidence | share correct |", "|---|---|---|---|---|"]
    for name, one in runs.items():
        for band in one.bands:
            label = f"{name} | {band.low:.2f} to {band.high:.2f}"
            lines.append(f"| {label} | {band.n} | {band.mean_confidence:.3f} | {band.share_right:.3f} |")
    return "\n".join(lines)


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description="Fit the numbers of the resolver to labelled tables.")
    parser.add_argument("labels", type=Path, nargs="+")
    parser.add_argument("--held", type=Path, nargs="*", default=[])
    parser.add_argument("--cases", type=Path)
    parser.add_argument("-o", "--output", type=Path)
    parser.add_argument("--models", action="store_true")
    options = parser.parse_args()
    if options.models:
        seen = [c for file in options.labels for hidden in (False, True) for c in read(file, hidden, by_model)]
        right = sum(case.right(case.readings[0].entity) for case in seen)
        print(f"{len(seen)} verdicts rest on a language model alone, {right} of them right")
        return
    parts = {
        what: [case for file in options.labels for case in read(file, is_hidden)] for what, is_hidden in STATES.items()
    }
    trained, runs = compare(parts, options.held)
    if options.cases is not None:
        options.cases.write_bytes(stored([case for cases in parts.values() for case in cases]))
    print(f"{trained.after.n_columns} columns of {trained.n_sources} sources\n\n{report(runs)}")
    print(f"\nFitted: {trained.weights}")
    if options.output is not None:
        options.output.write_text(learn.as_toml(trained, CORPUS), encoding="utf-8")


if __name__ == "__main__":
    main()
