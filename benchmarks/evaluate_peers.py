"""privaudit and other tools on the same labelled tables in one run; prints a Markdown table.

    python benchmarks/evaluate_peers.py FOLDER [--labels FILE] [--without-names]
        --tool presidio=PYTHON --tool dataprofiler=PYTHON ...

FOLDER is that of `evaluate_detection.py`. Each tool (`TOOLS`) runs in the Python environment that it is installed in,
in a process of its own, and gets the same cells and column names. presidio and datafog read texts: the entity that at
least half of `TEXTS` sampled cells hold is that of the column, and presidio gets the column name as context.
dataprofiler and colscan judge whole columns. The types of a tool are mapped to groups of ours (`MEANINGS`); where one
stands for several, the right one counts, and types that a tool gives to all dates or all numbers of a kind
(`NEVER_FALSE`) are never counted as wrong. "own" is the recall over the groups that a tool has a type for. Processor
time is without loading the tool.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

TEXTS = 10
HALF, SCORE = 0.5, 0.35
Columns = list[tuple[str, list[str]]]

_DOCUMENTS = (
    "US_SSN US_ITIN US_PASSPORT US_DRIVER_LICENSE UK_NINO ES_NIF ES_NIE IT_FISCAL_CODE IT_DRIVER_LICENSE IT_PASSPORT "
    "IT_IDENTITY_CARD PL_PESEL SG_NRIC_FIN AU_TFN IN_PAN IN_AADHAAR IN_PASSPORT IN_VOTER FI_PERSONAL_IDENTITY_CODE "
    "KR_RRN KR_PASSPORT KR_DRIVER_LICENSE TH_TNIN UK_DRIVING_LICENCE UK_PASSPORT DE_TAX_ID DE_ID_CARD DE_PASSPORT "
    "SE_PERSONNUMMER ZA_ID_NUMBER NG_NIN TR_NATIONAL_ID CA_SIN ES_PASSPORT ZA_PASSPORT PH_PASSPORT"
).split()
_PLACES = {"CITY", "STREET_ADDRESS", "POSTAL_CODE"}
MEANINGS: dict[str, dict[str, set[str]]] = {
    "presidio": {
        "PERSON": {"NAME"}, "LOCATION": _PLACES, "EMAIL_ADDRESS": {"EMAIL"}, "PHONE_NUMBER": {"PHONE"},
        "CREDIT_CARD": {"CREDIT_CARD"}, "IBAN_CODE": {"IBAN"}, "IP_ADDRESS": {"IP_ADDRESS"}, "DATE_TIME": {"DOB"},
        "UK_POSTCODE": {"POSTAL_CODE"}, "CA_POSTAL_CODE": {"POSTAL_CODE"}, **{name: {"GOV_ID"} for name in _DOCUMENTS},
    },
    "dataprofiler": {
        "PERSON": {"NAME"}, "ADDRESS": _PLACES, "EMAIL_ADDRESS": {"EMAIL"}, "PHONE_NUMBER": {"PHONE"},
        "SSN": {"GOV_ID"}, "DRIVERS_LICENSE": {"GOV_ID"}, "CREDIT_CARD": {"CREDIT_CARD"}, "IPV4": {"IP_ADDRESS"},
        "IPV6": {"IP_ADDRESS"}, "DATETIME": {"DOB"}, "DATE": {"DOB"},
    },
    "colscan": {
        "person_name_full": {"NAME"}, "person_given": {"NAME"}, "person_surname": {"NAME"}, "gender_label": {"GENDER"},
        "fiscal_code_it": {"GOV_ID"}, "national_id": {"GOV_ID"}, "email": {"EMAIL"}, "phone": {"PHONE"},
        "street_address": {"STREET_ADDRESS"}, "city": {"CITY"}, "postcode": {"POSTAL_CODE"}, "iban": {"IBAN"},
        "credit_card": {"CREDIT_CARD"}, "ip_address": {"IP_ADDRESS"}, "date": {"DOB"}, "datetime": {"DOB"},
        "year": {"DOB"}, "vat_number": {"GOV_ID"},
    },
    "datafog": {
        "PERSON": {"NAME"}, "EMAIL": {"EMAIL"}, "PHONE": {"PHONE"}, "SSN": {"GOV_ID"}, "CREDIT_CARD": {"CREDIT_CARD"},
        "IP_ADDRESS": {"IP_ADDRESS"}, "DOB": {"DOB"}, "DATE": {"DOB"}, "ZIP": {"POSTAL_CODE"},
        "ZIP_CODE": {"POSTAL_CODE"},
    },
}  # fmt: skip
NEVER_FALSE = frozenset("DATE_TIME DATETIME DATE date datetime year vat_number DOB".split())


def presidio() -> Callable[[Columns], list[str | None]]:
    """Return the verdicts of Presidio's analyzer, as it is shipped, on the columns of a table."""
    import detection

    analyzer = detection._analyzer()

    def list_types(name: str, cell: str) -> Iterable[str]:
        return {one.entity_type for one in analyzer.analyze(cell, "en", context=[name]) if one.score >= SCORE}

    return lambda columns: [_most_held(name, cells, list_types) for name, cells in columns]


def datafog() -> Callable[[Columns], list[str | None]]:
    """Return the verdicts of datafog's expressions on the columns of a table."""
    import datafog as tool

    def list_types(_: str, cell: str) -> Iterable[str]:
        return {str(one.type) for one in tool.scan(cell, engine="regex").entities}

    return lambda columns: [_most_held(name, cells, list_types) for name, cells in columns]


def colscan() -> Callable[[Columns], list[str | None]]:
    """Return the verdicts of colscan on the columns of a table."""
    import colscan as tool

    return lambda columns: [tool.scan_column(cells, name)["type"] for name, cells in columns]


def dataprofiler() -> Callable[[Columns], list[str | None]]:
    """Return the verdicts of DataProfiler's network on the columns of a table."""
    import dataprofiler as tool
    import pandas as pd

    options = tool.ProfilerOptions()
    options.set({"*.is_enabled": False, "data_labeler.is_enabled": True, "multiprocess.is_enabled": False})
    tool.set_verbosity(40)

    def verdicts(columns: Columns) -> list[str | None]:
        found: list[str | None] = []
        for name, cells in columns:
            frame = pd.DataFrame({name: cells or [""]}, dtype=str)
            report = tool.Profiler(frame, options=options, samples_per_update=len(frame)).report()
            found.append(report["data_stats"][0]["data_label"])
        return found

    return verdicts


def _most_held(name: str, cells: list[str], list_types: Callable[[str, str], Iterable[str]]) -> str | None:
    """Return the type that at least half of a sample of the cells hold."""
    distinct = sorted(set(cells))
    chosen = random.Random(name).sample(distinct, min(TEXTS, len(distinct)))
    counts: Counter[str] = Counter()
    for cell in chosen:
        counts.update(list_types(name, cell[:1000]))
    best, n = max(counts.items(), key=lambda item: (item[1], item[0]), default=(None, 0))
    return best if chosen and n >= HALF * len(chosen) else None


TOOLS = {"presidio": presidio, "datafog": datafog, "colscan": colscan, "dataprofiler": dataprofiler}


def work(name: str) -> None:
    """Answer each table on standard input with the types of its columns and the processor time."""
    answers = sys.stdout
    sys.stdout = sys.stderr  # what the tool prints itself
    judge_table = TOOLS[name]()
    for line in sys.stdin:
        columns = [(column, cells) for column, cells in json.loads(line)]
        started = time.process_time()
        types = judge_table(columns)
        print(json.dumps({"types": types, "seconds": time.process_time() - started}), file=answers, flush=True)


def group_of(tool: str, kind: str | None, want: str) -> str:
    """Return our group for the type that a tool gave a column; the wanted one where the type may stand for it."""
    kinds = str(kind).split("|")  # DataProfiler joins the types that it does not separate
    groups = set().union(*(MEANINGS[tool].get(one, set()) for one in kinds))
    if want in groups:
        return want
    return "NONE" if not groups or NEVER_FALSE.intersection(kinds) else min(groups)


def ask(tool: str, python: str, tables: Mapping[str, Any], labels: Mapping[str, Any]) -> tuple[list[Any], float]:
    """Return the judged columns of every table, and the processor time of the tool."""
    from evaluate_detection import GROUP_OF, Judged

    judged, seconds = [], 0.0
    command = [python, __file__, "--work", tool]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None and process.stdout is not None
        for name, table in tables.items():
            columns = [
                (column, [str(cell) for cell in cells.to_pylist() if cell is not None and str(cell).strip()])
                for column, cells in zip(table.column_names, table.columns, strict=True)
            ]
            process.stdin.write(json.dumps(columns) + "\n")
            process.stdin.flush()
            answer = json.loads(process.stdout.readline())
            seconds += answer["seconds"]
            places = {column: i for i, (column, _) in enumerate(columns)}
            complete = len(labels[name]) == len(columns)
            for position, (column, label) in enumerate(labels[name].items()):
                i = position if complete else places.get(column)
                if i is not None:
                    want = GROUP_OF.get(label["entity"], label["entity"])
                    got = group_of(tool, answer["types"][i], want)
                    judged.append(Judged(name, name, column, label["entity"], ("none",), got, "none", None))
        process.stdin.close()
    return judged, seconds


def main() -> None:
    """Run the tools on the tables and print one line for each."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--labels", type=Path)
    parser.add_argument("--without-names", action="store_true")
    parser.add_argument("--tool", action="append", default=[], metavar="NAME=PYTHON")
    options = parser.parse_args()
    from evaluate_detection import PERSONAL, _numbered, f1, interval, judge, read

    labels = json.loads((options.labels or options.folder / "labels.json").read_text(encoding="utf-8"))
    tables = {name: read(options.folder / name) for name in labels}
    if options.without_names:
        tables = {name: table.rename_columns(_numbered(table)) for name, table in tables.items()}
    results: dict[str, tuple[list[Any], float]] = {}
    started = time.process_time()
    judged = [one for name, table in tables.items() for one in judge(table, name, name, labels[name])]
    results["privaudit"] = judged, time.process_time() - started
    for given in options.tool:
        tool, _, python = given.partition("=")
        results[tool] = ask(tool, python, tables, labels)
    print("| tool | precision | recall | F1 (95 %) | own recall | processor s |\n|---|---|---|---|---|---|")
    for tool, (judged, seconds) in results.items():
        precision, recall, score = f1(judged)
        low, high = interval(judged, lambda drawn: f1(drawn)[2])
        own = set(PERSONAL) if tool == "privaudit" else set().union(*MEANINGS[tool].values())
        _, own_recall, _ = f1([one for one in judged if one.want in own])
        scores = f"{precision:.3f} | {recall:.3f} | {score:.3f} ({low:.3f}-{high:.3f}) | {own_recall:.3f}"
        print(f"| {tool} | {scores} | {seconds:.0f} |")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--work"]:
        work(sys.argv[2])
    else:
        main()
