"""Presidio's analyzer on the labelled tables of `evaluate_detection.py`; prints a Markdown table.

    python benchmarks/evaluate_presidio.py FOLDER [--cells 20]

Of each column a seeded sample of distinct cells is read one by one, with the column name as context. A column gets the
entity of Presidio that at least half of these cells hold with a score of 0.35 or more. Where Presidio's entity stands
for several of ours (a location, a person), the one that is right counts; dates and national, religious or political
groups are never counted as wrong. Its English model reads all languages: the recognizers of other countries take part.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections import Counter
from pathlib import Path
from typing import Any

import detection
from evaluate_detection import GROUP_OF, Judged, f1, interval, read

WIDER = {"LOCATION": {"CITY", "STREET_ADDRESS", "STATE", "COUNTRY", "POSTAL_CODE"}}


def entity_of(name: str | None, label: str) -> str:
    """Return the entity type of ours that Presidio's entity stands for, the label where it may be meant."""
    if name is None:
        return "NONE"
    ours = {*detection.FROM_PRESIDIO.get(name, ()), *WIDER.get(name, ())} or {name}
    want = GROUP_OF.get(label, label)
    right = [entity for entity in sorted(ours) if GROUP_OF.get(entity, entity) == want]
    if not right and name in detection.NEVER_FALSE:
        return "NONE"
    if not right and any(
        part in name for part in ("SSN", "PESEL", "AADHAAR", "NRIC", "NUMMER", "IDENTITY", "_ID_")
    ):
        return "NATIONAL_ID"
    return right[0] if right else min(ours)


def best_entity(analyzer: Any, name: str, cells: list[str]) -> str | None:
    """Return the entity that at least half of the cells hold."""
    counts: Counter[str] = Counter()
    for cell in cells:
        found = analyzer.analyze(cell, "en", context=[name])
        counts.update({one.entity_type for one in found if one.score >= detection.SCORE})
    entity, n = max(counts.items(), key=lambda item: (item[1], item[0]), default=(None, 0))
    return entity if cells and n >= detection.HALF * len(cells) else None


def main() -> None:
    """Read the tables and print one line for each source."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--cells", type=int, default=20)
    options = parser.parse_args()
    labels = json.loads((options.folder / "labels.json").read_text(encoding="utf-8"))
    sources = json.loads((options.folder / "sources.json").read_text(encoding="utf-8"))
    analyzer, judged, started, n_cells = detection._analyzer(), [], time.process_time(), 0
    for table, columns in labels.items():
        content, rng = read(options.folder / table), random.Random(table)
        for column, label in columns.items():
            distinct = sorted({cell for cell in content[column].to_pylist() if cell.strip()})
            cells = rng.sample(distinct, min(options.cells, len(distinct)))
            n_cells += len(cells)
            entity = entity_of(best_entity(analyzer, column, cells), label["entity"])
            roles = (label["role"], *label["alt_roles"])
            judged.append(Judged(table, sources[table], column, label["entity"], roles, entity, "none", None))
    print("| source | columns | precision | recall | F1 (95 %) |\n| --- | --- | --- | --- | --- |")
    for source in [*sorted(set(sources.values())), "all"]:
        chosen = [one for one in judged if source in (one.source, "all")]
        precision, recall, score = f1(chosen)
        low, high = interval(chosen, lambda drawn: f1(drawn)[2])
        print(
            f"| {source} | {len(chosen)} | {precision:.3f} | {recall:.3f} | {score:.3f} ({low:.3f}-{high:.3f}) |"
        )
    print(f"\n{n_cells:,} cells, {n_cells / (time.process_time() - started):,.0f} a second of processor time")


if __name__ == "__main__":
    main()
