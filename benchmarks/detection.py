# ruff: noqa: E501 - tables of words and templates are read whole
"""Detection side by side, on the forty labelled tables of detection_tables.py; prints a Markdown table.

    python benchmarks/detection.py [--rows 5000] [--cells 20] [--tables 40]

Each tool runs in a process of its own:

* ``privaudit``: `privaudit.detect` over every cell of every table; once on tables of 300 rows, where what a column
  costs once weighs most, and once on tables of ``--rows``, the size of an extract before it is released.
* ``Presidio``: the analyzer with its default recognizers, one cell at a time, column name as context; ``batched``:
  its BatchAnalyzerEngine over 256 cells; ``presidio-structured`` where it is installed. They read the tables of
  ``--rows``, of each column a seeded sample of cells, named in the table: at their rates all cells would take days;
  their rates are per value read.

A personal column is right when its entity is one of the accepted; a column tool names an entity where at least half of
the cells read hold it with a score of 0.35 or more. The precision of columns is the share of right ones among all that
were given a personal entity. A decoy is clean when no personal entity is named. Contained values: entities planted in
the cells read of a notes column, found, and how many of the entities claimed there were planted. Rates are values per
CPU second, without loading libraries and models.
"""

from __future__ import annotations

import argparse
import collections
import importlib.util
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import detection_tables as generator

PERSONAL = frozenset(
    [
        "PERSON_NAME",
        "FIRST_NAME",
        "MIDDLE_NAME",
        "LAST_NAME",
        "MAIDEN_NAME",
        "USERNAME",
        "PASSWORD",
        "EMAIL",
        "PHONE",
        "URL",
        "STREET_ADDRESS",
        "POSTAL_CODE",
        "CITY",
        "GEO_CODE",
        "LATITUDE",
        "LONGITUDE",
        "SSN",
        "NATIONAL_ID",
        "TAX_ID",
        "DRIVER_LICENSE",
        "PASSPORT",
        "VOTER_ID",
        "HEALTH_ID",
        "VEHICLE_ID",
        "CREDIT_CARD",
        "IBAN",
        "BANK_CODE",
        "BANK_ACCOUNT",
        "IP_ADDRESS",
        "MAC_ADDRESS",
        "DEVICE_ID",
        "SECRET",
        "DATE_OF_BIRTH",
        "AGE",
        "GENDER",
        "RACE_ETHNICITY",
        "NATIONALITY",
        "RELIGION",
        "MEDICAL",
    ]
)
# Presidio's names; a set means that any of ours would do. Dates are never held against it.
FROM_PRESIDIO = {
    "PERSON": {"PERSON_NAME", "FIRST_NAME", "LAST_NAME"}, "LOCATION": {"CITY", "STREET_ADDRESS"}, "EMAIL_ADDRESS": {"EMAIL"},
    "PHONE_NUMBER": {"PHONE"}, "US_SSN": {"SSN"}, "UK_NHS": {"HEALTH_ID"}, "IT_FISCAL_CODE": {"TAX_ID"}, "ES_NIE": {"NATIONAL_ID"},
    "IN_AADHAAR": {"NATIONAL_ID"}, "SE_PERSONNUMMER": {"NATIONAL_ID"}, "CREDIT_CARD": {"CREDIT_CARD"}, "IBAN_CODE": {"IBAN"},
    "IP_ADDRESS": {"IP_ADDRESS"}, "MAC_ADDRESS": {"MAC_ADDRESS"}, "URL": {"URL"}, "DATE_TIME": {"DATE_OF_BIRTH"},
    "US_DRIVER_LICENSE": {"DRIVER_LICENSE"}, "US_PASSPORT": {"PASSPORT"}, "UK_NINO": {"NATIONAL_ID"}, "DE_TAX_ID": {"TAX_ID"},
    "US_ITIN": {"TAX_ID"}, "AU_TFN": {"TAX_ID"}, "IN_PAN": {"TAX_ID"}, "US_BANK_NUMBER": {"BANK_ACCOUNT"}, "MEDICAL_LICENSE": {"HEALTH_ID"},
}  # fmt: skip
NEVER_FALSE = {"DATE_TIME", "NRP", "ORGANIZATION", "UUID"}
SCORE, HALF = 0.35, 0.5
SMALL = 300


class Score:
    """Counts of one tool."""

    def __init__(self) -> None:
        self.counts: collections.Counter[str] = collections.Counter()

    def column(self, truth: generator.Truth, entities: set[str]) -> None:
        """Count a column that was given `entities` (empty: none)."""
        if truth.kind == "personal":
            self.counts["personal"] += 1
            self.counts["right"] += bool(entities & truth.entities)
            self.counts["named"] += bool(entities & (PERSONAL | truth.entities))
        elif truth.kind == "decoy":
            self.counts["decoys"] += 1
            self.counts["clean"] += not entities & PERSONAL
            self.counts["named"] += bool(entities & PERSONAL)

    def text(self, planted: set[str], groups: list[set[str]]) -> None:
        """Count the reported groups: each is one claim, right if it meets something planted."""
        self.counts["planted"] += len(planted)
        self.counts["found"] += len(planted & set().union(*groups, set()))
        self.counts["claims"] += len(groups)
        self.counts["true_claims"] += sum(bool(group & planted) for group in groups)


def subsample(table: generator.Table, column: str, n: int) -> tuple[list[str], set[str]]:
    """Return at most `n` cells of a column, drawn by seed, and what is planted in them."""
    cells = table.columns[column]
    rows = [row for row, cell in enumerate(cells) if cell is not None]
    chosen = sorted(Random(f"{table.name}-{column}").sample(rows, min(n, len(rows))))
    planted = table.planted.get(column, [])
    return [cells[row] or "" for row in chosen], set().union(*(planted[row] for row in chosen)) if planted else set()


def ours(tables: Iterator[generator.Table], _cells: int) -> tuple[Score, int, float]:
    """Run privaudit over every cell."""
    import pyarrow as pa

    from privaudit.detect.detection import detect
    from privaudit.settings.config import Settings
    from privaudit.source import from_arrow
    from privaudit.source.profile import profile

    score, n_values, cpu = Score(), 0, 0.0
    settings = Settings()
    warm = True
    for number, table in enumerate(tables):
        print(f"{table.name}: {number} tables done", file=sys.stderr, flush=True)
        arrow = pa.table({name: pa.array(cells, type=pa.string()) for name, cells in table.columns.items()})
        for _ in range(2 if warm else 1):
            start = time.process_time()
            with from_arrow(arrow, settings=settings) as dataset:
                detections = detect(dataset, profile(dataset), settings)
            spent = time.process_time() - start
        warm = False
        cpu += spent
        n_values += sum(cell is not None for cells in table.columns.values() for cell in cells)
        for found in detections:
            truth = table.truth[found.column]
            score.column(truth, {found.is_.entity} if found.is_ is not None else set())
            if truth.kind == "text":
                score.text(
                    set(truth.entities),
                    [{entity} for entity in sorted({item.entity for item in found.contains if item.n_cells})],
                )
    return score, n_values, cpu


def _analyzer() -> Any:
    import spacy
    import tldextract
    import tldextract.tldextract
    from presidio_analyzer import AnalyzerEngine, RecognizerRegistry
    from presidio_analyzer.nlp_engine import SpacyNlpEngine

    from privaudit.detect.text.engines.registry import presidio_info

    info = presidio_info()
    if info is None:
        raise SystemExit("no spaCy model is installed")
    tldextract.tldextract.TLD_EXTRACTOR = tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None)
    engine = SpacyNlpEngine()
    engine.nlp = {"en": spacy.load(info.model)}
    registry = RecognizerRegistry(supported_languages=["en"])
    registry.load_predefined_recognizers(languages=["en"], nlp_engine=engine)
    return AnalyzerEngine(registry=registry, nlp_engine=engine, supported_languages=["en"])


def presidio(tables: Iterator[generator.Table], n_cells: int, *, batched: bool = False) -> tuple[Score, int, float]:
    """Run Presidio's analyzer over a sample of cells."""
    from presidio_analyzer import BatchAnalyzerEngine

    analyzer = _analyzer()
    batch = BatchAnalyzerEngine(analyzer)
    analyzer.analyze("Warm Up said hello from Leeds.", "en")

    def read(name: str, texts: list[str]) -> list[Any]:
        if batched:
            return batch.analyze_iterator(texts, "en", batch_size=256, context=[name])
        return [analyzer.analyze(text, "en", context=[name]) for text in texts]

    score, n_values, cpu = Score(), 0, 0.0
    for table in tables:
        for name, truth in table.truth.items():
            texts, planted = subsample(table, name, n_cells * (3 if truth.kind == "text" else 1))
            start = time.process_time()
            results = read(name, texts)
            cpu += time.process_time() - start
            n_values += len(texts)
            _judge(score, truth, planted, [{r.entity_type for r in cell if r.score >= SCORE} for cell in results])
    return score, n_values, cpu


def _judge(score: Score, truth: generator.Truth, planted: set[str], cells: list[set[str]]) -> None:
    hits = collections.Counter(entity for cell in cells for entity in cell)
    if truth.kind == "text":
        score.text(
            planted, [FROM_PRESIDIO.get(entity, {entity}) for entity in sorted(hits) if entity not in NEVER_FALSE]
        )
        return
    best = max(sorted(hits), key=lambda entity: hits[entity], default=None)
    if best is None or hits[best] < HALF * len(cells) or (truth.kind == "decoy" and best in NEVER_FALSE):
        score.column(truth, set())
    else:
        score.column(truth, FROM_PRESIDIO.get(best, {best}) | (PERSONAL if truth.kind == "decoy" else set()))


def structured(tables: Iterator[generator.Table], n_cells: int) -> tuple[Score, int, float]:
    """Run presidio-structured's column analysis over a sample of cells."""
    import pandas as pd
    from presidio_structured import PandasAnalysisBuilder

    builder = PandasAnalysisBuilder(analyzer=_analyzer())
    score, n_values, cpu = Score(), 0, 0.0
    for table in tables:
        frame = pd.DataFrame({name: pd.Series(subsample(table, name, n_cells)[0]) for name in table.columns}).fillna("")
        start = time.process_time()
        mapping = builder.generate_analysis(frame, selection_strategy="mixed").entity_mapping
        cpu += time.process_time() - start
        n_values += frame.size
        for name, truth in table.truth.items():
            entity = mapping.get(name)
            cells = [{entity}] if entity is not None else [set()]
            if truth.kind != "text":
                _judge(score, truth, set(), cells)
    return score, n_values, cpu


Tool = Callable[[Iterator[generator.Table], int], tuple[Score, int, float]]
TOOLS: dict[str, Tool] = {
    "privaudit": ours,
    f"privaudit, {SMALL} rows": ours,
    "Presidio": presidio,
    "Presidio, batched": lambda tables, n: presidio(tables, n, batched=True),
    "presidio-structured, mixed": structured,
}


def run(tool: str, options: argparse.Namespace) -> None:
    """Run one tool and print its counts as JSON."""
    n_rows = SMALL if tool.endswith(f"{SMALL} rows") else options.rows
    chosen = (table for i, table in enumerate(generator.tables(n_rows=n_rows)) if i < options.tables)
    score, n_values, cpu = TOOLS[tool](chosen, options.cells)
    print(json.dumps({**score.counts, "values": n_values, "cpu": cpu}))


HEAD = (
    "tool", "cells read a column", "personal columns right", "precision", "decoys clean", "contained found",
    "precision", "values / CPU s", "times Presidio",
)  # fmt: skip


def _line(tool: str, counts: dict[str, float], read: str, base: float) -> str:
    c = collections.defaultdict(float, counts)
    text = ("not its task", "")
    if c["planted"]:
        found = f"{c['found']:.0f} of {c['planted']:.0f} ({c['found'] / c['planted']:.3f})"
        text = (found, f"{c['true_claims'] / max(c['claims'], 1):.3f}")
    cells = (
        tool,
        read,
        f"{c['right']:.0f} of {c['personal']:.0f} ({c['right'] / max(c['personal'], 1):.3f})",
        f"{c['right'] / max(c['named'], 1):.3f}",
        f"{c['clean']:.0f} of {c['decoys']:.0f}",
        *text,
        f"{c['values'] / c['cpu']:,.0f}",
        f"{c['values'] / c['cpu'] / base:,.1f}" if base else "",
    )
    return f"| {' | '.join(cells)} |"


def _counts(tool: str) -> dict[str, float] | str:
    """Run a tool in a process of its own; return its counts, or why there are none."""
    if tool.startswith("presidio-structured") and importlib.util.find_spec("presidio_structured") is None:
        return "skipped: presidio-structured is not installed here"
    command = [sys.executable, __file__, *sys.argv[1:], "--run", tool]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        return f"failed: {done.stderr.strip().splitlines()[-1][:80]}"
    counts: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return counts


def main() -> None:
    """Run every tool in a process of its own and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rows", type=int, default=5000, help="rows of a table")
    parser.add_argument("--cells", type=int, default=20, help="cells a column that the peers read, of notes 3 x")
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument("--only", choices=tuple(TOOLS))
    parser.add_argument("--run", choices=tuple(TOOLS), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.run:
        run(options.run, options)
        return
    results = {tool: _counts(tool) for tool in ([options.only] if options.only else TOOLS)}
    default = results.get("Presidio", "")
    base = 0.0 if isinstance(default, str) else default["values"] / default["cpu"]
    print(f"| {' | '.join(HEAD)} |\n|{'---|' * len(HEAD)}")
    for tool, counts in results.items():
        if isinstance(counts, str):
            print(f"| {tool} | {counts} |{' |' * (len(HEAD) - 2)}")
        else:
            notes = "" if tool.startswith("presidio-structured") else f" (notes {3 * options.cells})"
            read = "all" if tool.startswith("privaudit") else f"{options.cells}{notes}"
            print(_line(tool, counts, read, base))


if __name__ == "__main__":
    main()
