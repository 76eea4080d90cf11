"""Detection on several corpora in one table, and what its mistakes cost at the gate; prints Markdown.

    python benchmarks/detection_corpora.py TITLE=FOLDER ... [--labels TITLE=FILE ...] [--save FILE] [--before FILE]

FOLDER has tables and `labels.json`, as `make_generated.py` writes them. F1, roles, leaks and false alarms are those of
`evaluate_detection.py`. A *table of things* is one whose labels are all "none": each critical or high finding on it is
false, unless all its columns have a role that their labels allow. Intervals are those of 1,000 draws of whole tables
with replacement. ``--save`` writes the counts of each table, and ``--before`` reads such a file and prints its lines
above those of the present. Nothing of a table but these counts is printed.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from evaluate_detection import DRAWS, PERSONAL, Judged, judge, read

import privaudit

COSTLY = ("critical", "high")
COUNTS = "n_right n_wanted n_claimed n_roles n_columns n_leaks n_direct n_alarms n_plain n_findings n_things".split()
Counts = dict[str, int]


def counts(judged: Sequence[Judged], findings: int | None) -> Counts:
    """Return the counts of one table; `findings` is None where it is not a table of things."""
    plain = [one for one in judged if one.roles == ("none",)]
    found = (
        sum(one.want == one.got and one.want in PERSONAL for one in judged),
        sum(one.want in PERSONAL for one in judged),
        sum(one.got in PERSONAL for one in judged),
        sum(one.role in one.roles for one in judged),
        len(judged),
        sum(one.leaks for one in judged),
        sum(one.roles[0] == "direct" and "none" not in one.roles for one in judged),
        sum(one.role == "direct" for one in plain),
        len(plain),
        findings or 0,
        int(findings is not None),
    )
    return dict(zip(COUNTS, found, strict=True))


def false_findings(table: Any, judged: Sequence[Judged]) -> int | None:
    """Return the critical and high findings on a table of things that no label allows; None for other tables."""
    if any(one.roles[0] != "none" for one in judged):
        return None
    report = privaudit.scan(table, ner=False, advice=False).wire
    allowed = {one.column for one in judged if one.role in one.roles}
    costly = [one for one in report.findings if one.severity in COSTLY]
    return sum(not one.subject or not allowed.issuperset(one.subject) for one in costly)


def look(folder: Path, file: Path) -> Iterator[tuple[str, Counts]]:
    """Yield the counts of each table of a corpus, with its column names and without."""
    for name, labels in json.loads(file.read_text(encoding="utf-8")).items():
        table = read(folder / name)
        hidden = [f"c{place}" for place in range(table.num_columns)]
        for state, names in (("with", table.column_names), ("without", hidden)):
            renamed = table.rename_columns(names)
            judged = judge(renamed, name, name, labels)
            if state == "without" and len(labels) == len(names):
                judged = [_named(one, place) for one, place in zip(judged, hidden, strict=True)]
            yield state, counts(judged, false_findings(renamed, judged))


def _named(one: Judged, column: str) -> Judged:
    return Judged(one.table, one.source, column, one.label, one.roles, one.entity, one.role, one.confidence)


def _sum(tables: Sequence[Counts], key: str) -> int:
    return sum(one[key] for one in tables)


def f1(tables: Sequence[Counts]) -> float:
    """Return F1 over the personal groups."""
    both = _sum(tables, "n_wanted") + _sum(tables, "n_claimed")
    return 2 * _sum(tables, "n_right") / max(1, both)


def ratio(tables: Sequence[Counts], part: str, whole: str, times: int = 1) -> float:
    """Return a ratio of two counts over all tables."""
    return times * _sum(tables, part) / max(1, _sum(tables, whole))


def line(title: str, state: str, when: str, tables: Sequence[Counts]) -> str:
    """Return one line of the table."""
    measures = {
        "f1": (f1, "{:.3f}"),
        "roles": (lambda some: ratio(some, "n_roles", "n_columns", 100), "{:.1f}"),
        "leaks": (lambda some: ratio(some, "n_leaks", "n_direct", 100), "{:.1f}"),
        "findings": (lambda some: ratio(some, "n_findings", "n_things", 100), "{:.0f}"),
    }
    rng = random.Random(11)
    drawn = [rng.choices(tables, k=len(tables)) for _ in range(DRAWS)]
    cells = {}
    for key, (measure, form) in measures.items():
        spread = sorted(map(measure, drawn))
        low, high = spread[int(0.025 * DRAWS)], spread[int(0.975 * DRAWS)]
        cells[key] = f"{form.format(measure(tables))} ({form.format(low)}-{form.format(high)})"
    leaks, alarms, false = (
        f"{_sum(tables, part)}/{_sum(tables, whole)}"
        for part, whole in (("n_leaks", "n_direct"), ("n_alarms", "n_plain"), ("n_findings", "n_things"))
    )
    return (
        f"| {title} | {state} | {when} | {cells['f1']} | {cells['roles']} | {leaks} | {cells['leaks']} | {alarms} "
        f"| {false} | {cells['findings']} |"
    )


HEAD = (
    "| corpus | column names | state | F1 (95 %) | roles right, % (95 %) | leaks | leaks per 100 direct columns (95 %) "
    "| false alarms | false findings / tables of things | false findings per 100 tables of things (95 %) |\n"
    "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
)


def report(runs: Mapping[str, Mapping[str, Sequence[Counts]]]) -> str:
    """Return the table of `runs`, by state and then by corpus."""
    lines = [HEAD]
    for state in ("with", "without"):
        every: dict[str, list[Counts]] = {when: [] for when in runs}
        for key in dict.fromkeys(key for run in runs.values() for key in run if key.endswith(f"|{state}")):
            for when, run in runs.items():
                every[when] += run.get(key, [])
                lines.append(line(key.partition("|")[0], state, when, run.get(key, [])))
        lines += [line("**all**", state, when, tables) for when, tables in every.items()]
    return "\n".join(lines)


def main() -> None:
    """Evaluate and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("corpora", nargs="+", metavar="TITLE=FOLDER")
    parser.add_argument("--labels", nargs="*", default=[], metavar="TITLE=FILE")
    parser.add_argument("--save", type=Path)
    parser.add_argument("--before", type=Path)
    options = parser.parse_args()
    files = dict(one.split("=", 1) for one in options.labels)
    now: dict[str, list[Counts]] = {}
    for corpus in options.corpora:
        title, folder = corpus.split("=", 1)
        for state, counted in look(Path(folder), Path(files.get(title, f"{folder}/labels.json"))):
            now.setdefault(f"{title}|{state}", []).append(counted)
    runs = {"now": now}
    if options.before is not None:
        runs = {"before": json.loads(options.before.read_text(encoding="utf-8")), **runs}
    print(report(runs))
    if options.save is not None:
        options.save.write_text(json.dumps(now) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
