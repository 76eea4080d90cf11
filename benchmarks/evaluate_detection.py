"""Detection on labelled tables, by the source of the tables; prints Markdown.

    python benchmarks/evaluate_detection.py FOLDER [--labels FILE] [--sources FILE] [--without-names] [--errors FILE]

FOLDER has tables and `labels.json`, as `make_generated.py` writes them; `sources.json` names the source of each table,
and without it the first folder of the path does. Every table is scanned once with its column names, and with
``--without-names`` once more under the names c0, c1, ... Precision, recall and F1 are counted over groups of personal
entity types (`GROUPS`, `PERSONAL`): a first name found as a full name is right. A role is right where the label lists
it. The interval is that of 1,000 draws of whole tables with replacement. Log-loss and the reliability diagram are those
of the stated confidence that the entity type of the column is right.
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from privaudit.detect.detection import detect
from privaudit.detect.roles import assign
from privaudit.detect.unit.decision import infer_unit
from privaudit.settings.config import Settings
from privaudit.source import open_dataset
from privaudit.source.profile import profile

GROUPS = {
    "NAME": "PERSON_NAME FIRST_NAME LAST_NAME MIDDLE_NAME MAIDEN_NAME",
    "GOV_ID": "SSN NATIONAL_ID TAX_ID DRIVER_LICENSE PASSPORT VOTER_ID",
    "DOB": "DATE_OF_BIRTH BIRTH_YEAR",
    "GEO_POINT": "LATITUDE LONGITUDE",
    "REGION": "STATE COUNTY_REGION GEO_CODE",
    "MONEY": "INCOME FINANCIAL CREDIT_SCORE",
    "ID": "PERSON_ID RECORD_ID UNRESOLVED_ID PSEUDONYM UUID",
    "SECRET": "SECRET PASSWORD",
    "HEALTH": "MEDICAL GENETIC",
    "NONE": "NONE ROW_NUMBER WEIGHT CATEGORY ORGANISATION CARD_TYPE BANK_CODE URL HASH VERSION CURRENCY TIMEZONE "
    "USER_AGENT",
}
GROUP_OF = {entity: group for group, entities in GROUPS.items() for entity in entities.split()}
PERSONAL = (
    "NAME EMAIL PHONE STREET_ADDRESS GOV_ID CREDIT_CARD IBAN IP_ADDRESS USERNAME DOB AGE GENDER POSTAL_CODE CITY "
    "MARITAL_STATUS RACE_ETHNICITY"
).split()
DRAWS = 1_000


@dataclass(frozen=True, slots=True)
class Judged:
    """One column: what it is, what was found, and whether both agree."""

    table: str
    source: str
    column: str
    label: str
    roles: tuple[str, ...]
    entity: str
    role: str
    confidence: float | None

    @property
    def want(self) -> str:
        """The group of the label."""
        return GROUP_OF.get(self.label, self.label)

    @property
    def got(self) -> str:
        """The group of the entity type that was found."""
        return GROUP_OF.get(self.entity, self.entity)

    @property
    def leaks(self) -> bool:
        """Whether a direct identifier was taken for less."""
        return self.roles[0] == "direct" and self.role in ("none", "quasi") and self.role not in self.roles


def judge(table: Any, name: str, source: str, labels: Mapping[str, Any]) -> list[Judged]:
    """Detect the columns of a table, and compare every labelled one."""
    settings = Settings(ner=False)
    with open_dataset(table, settings) as dataset:
        profiles = profile(dataset)
        found = detect(dataset, profiles, settings)
        unit = infer_unit(dataset, profiles, found, settings)
        roles = assign(profiles, found, settings, unit)
        columns = dataset.columns
    by_name = {column: i for i, column in enumerate(columns)}
    complete = len(labels) == len(columns)
    judged = []
    for position, (column, label) in enumerate(labels.items()):
        i = position if complete else by_name.get(column)
        if i is None:
            continue
        verdict = found[i].is_
        judged.append(
            Judged(
                table=name,
                source=source,
                column=column,
                label=label["entity"],
                roles=(label["role"], *(label.get("alt_roles") or ())),
                entity="NONE" if verdict is None else verdict.entity,
                role=roles[i].role,
                confidence=None if verdict is None else verdict.confidence,
            )
        )
    return judged


def read(file: Path) -> Any:
    """Return a table in memory: CSV of the generators directly, another file as privaudit reads it."""
    import pyarrow as pa

    if (file.parent / "sources.json").is_file():
        with file.open(encoding="utf-8", newline="") as lines:
            head, *rows = csv.reader(lines)
        return pa.table([pa.array(cells, pa.string()) for cells in zip(*rows, strict=True)], names=head)
    with open_dataset(file, Settings()) as dataset:
        return dataset.rows(dataset.columns)


def f1(judged: Iterable[Judged]) -> tuple[float, float, float]:
    """Return precision, recall and F1 over the personal groups."""
    right = wanted = claimed = 0
    for one in judged:
        right += one.want == one.got and one.want in PERSONAL
        wanted += one.want in PERSONAL
        claimed += one.got in PERSONAL
    precision, recall = right / max(1, claimed), right / max(1, wanted)
    return precision, recall, 2 * precision * recall / max(1e-9, precision + recall)


def interval(judged: Sequence[Judged], measure: Callable[[Sequence[Judged]], float]) -> tuple[float, float]:
    """Return the central 95 % of a measure over draws of whole tables with replacement."""
    by_table = defaultdict(list)
    for one in judged:
        by_table[one.table].append(one)
    tables, rng = sorted(by_table), random.Random(11)
    drawn = sorted(
        measure([one for name in rng.choices(tables, k=len(tables)) for one in by_table[name]]) for _ in range(DRAWS)
    )
    return drawn[int(0.025 * DRAWS)], drawn[int(0.975 * DRAWS)]


def log_loss(judged: Iterable[Judged]) -> float:
    """Return the mean log-loss of the stated confidences."""
    losses = [
        -math.log(max(1e-6, one.confidence if one.want == one.got else 1 - one.confidence))
        for one in judged
        if one.confidence is not None
    ]
    return sum(losses) / max(1, len(losses))


def reliability(judged: Iterable[Judged]) -> list[tuple[str, int, float, float]]:
    """Return, for each tenth of the confidence: columns, mean confidence, share that is right."""
    bins = defaultdict(list)
    for one in judged:
        if one.confidence is not None:
            bins[min(9, int(one.confidence * 10))].append((one.confidence, one.want == one.got))
    return [
        (f"{i / 10:.1f}-{(i + 1) / 10:.1f}", len(pairs), sum(c for c, _ in pairs) / len(pairs),
         sum(right for _, right in pairs) / len(pairs))
        for i, pairs in sorted(bins.items())
    ]  # fmt: skip


def line(title: str, judged: Sequence[Judged]) -> str:
    """Return one line of the table of results."""
    precision, recall, score = f1(judged)
    low, high = interval(judged, lambda drawn: f1(drawn)[2])
    scores = f"{precision:.3f} | {recall:.3f} | {score:.3f} ({low:.3f}-{high:.3f})"
    if not any(one.want in PERSONAL for one in judged):  # recall and F1 are not defined
        scores = f"{precision:.3f} | - | -" if any(one.got in PERSONAL for one in judged) else "- | - | -"
    roles = sum(one.role in one.roles for one in judged) / len(judged)
    direct = sum(one.roles[0] == "direct" and "none" not in one.roles for one in judged)
    leaks = sum(one.leaks for one in judged)
    plain = [one for one in judged if one.roles == ("none",)]
    alarms = sum(one.role == "direct" for one in plain)
    tables = len({one.table for one in judged})
    return (
        f"| {title} | {tables} | {len(judged)} | {scores} "
        f"| {roles:.1%} | {leaks}/{direct} | {alarms}/{len(plain)} | {log_loss(judged):.3f} |"
    )


HEAD = (
    "| source | tables | columns | precision | recall | F1 (95 %) | roles right | leaks | false alarms | log-loss |\n"
    "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
)


def report(judged: Sequence[Judged], title: str) -> str:
    """Return the results by source, the reliability diagram, and nothing of any cell."""
    parts = [f"## {title}", "", HEAD]
    for source in sorted({one.source for one in judged}):
        parts.append(line(source, [one for one in judged if one.source == source]))
    parts += [
        line("all", judged),
        "",
        "| confidence | columns | mean confidence | right |",
        "| --- | --- | --- | --- |",
    ]
    parts += [f"| {name} | {n} | {mean:.2f} | {right:.2f} |" for name, n, mean, right in reliability(judged)]
    return "\n".join(parts)


def errors(judged: Sequence[Judged]) -> str:
    """Return the wrong columns by kind of error, the most frequent kind first."""
    kinds = Counter((one.want, one.got) for one in judged if one.want != one.got)
    parts = []
    for (want, got), n in kinds.most_common():
        parts.append(f"\n### {want} taken for {got}: {n}")
        parts += [
            f"- {one.table} `{one.column}`: label {one.label} {'/'.join(one.roles)}, found {one.entity} {one.role}"
            for one in judged
            if (one.want, one.got) == (want, got)
        ]
    wrong = [one for one in judged if one.want == one.got and one.role not in one.roles]
    parts += [f"\n### Right entity type, wrong role: {len(wrong)}"]
    parts += [
        f"- {one.table} `{one.column}`: {one.entity}, {one.role} instead of {'/'.join(one.roles)}" for one in wrong
    ]
    return "\n".join(parts)


def by_entity(runs: Mapping[str, Sequence[Judged]]) -> str:
    """Return for each entity type how many of its columns were found in each run."""
    counts = {title: Counter(one.label for one in judged if one.want == one.got) for title, judged in runs.items()}
    labels = Counter(one.label for one in next(iter(runs.values())))
    head = f"| entity type | columns | {' | '.join(runs)} |\n| --- | --- |{' --- |' * len(runs)}"
    rows = [
        f"| {entity} | {labels[entity]} | {' | '.join(str(found[entity]) for found in counts.values())} |"
        for entity in sorted(labels)
    ]
    return "\n".join(["## By entity type", "", head, *rows])


def _numbered(table: Any) -> list[str]:
    return [f"c{i}" for i in range(table.num_columns)]


def main() -> None:
    """Evaluate and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--labels", type=Path)
    parser.add_argument("--sources", type=Path)
    parser.add_argument("--without-names", action="store_true")
    parser.add_argument("--errors", type=Path)
    options = parser.parse_args()
    labels = json.loads((options.labels or options.folder / "labels.json").read_text(encoding="utf-8"))
    listed = options.sources or options.folder / "sources.json"
    sources = json.loads(listed.read_text(encoding="utf-8")) if listed.is_file() else {}
    runs: dict[str, list[Judged]] = {"With column names": []}
    if options.without_names:
        runs["Without column names"] = []
    for name, columns in labels.items():
        source = sources.get(name, name.partition("/")[0])
        table = read(options.folder / name)
        for title, judged in runs.items():
            names = [*table.column_names] if title == "With column names" else _numbered(table)
            judged += judge(table.rename_columns(names), name, source, columns)
    for title, judged in runs.items():
        print(report(judged, title), end="\n\n")
    print(by_entity(runs))
    if options.errors is not None:
        listed_errors = (f"## {title}\n{errors(judged)}" for title, judged in runs.items())
        options.errors.write_text("\n\n".join(listed_errors) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
