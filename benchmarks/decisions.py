"""How many tables pass the gate before and after following the plan of the report.

usage: python benchmarks/decisions.py FOLDER [--policy controlled] [--accept SEN003,...] [-o RESULTS.json] [TABLE ...]

FOLDER holds labels_open.json (table: column: label), labels_meta.json (how each table is read) and the tables. Each
table is scanned; the plan of the report is applied with pandas by its techniques and parameters alone
(tests/helpers/apply_plan.py) and the result is scanned again twice: with the roles and the unit of a row of the first
scan, and without any declaration ("plain"), as a stranger to the table would scan it.
The default remedy ("remedied") is applied by `privaudit.remedy` itself: its loss is compared with the least loss of all
plans and methods that its report lists and after which the gate passes; a plan that drops a column comes after one that
drops none and loses less than twice as much.
What then still fails the gate and is among the codes that a person may accept gets an entry, written by
`privaudit.accept` into a settings file, and the report is judged again with the entries of that file. Where a plan
leaves no quasi-identifier, the table is scanned with ``--quasi none``.
"""

from __future__ import annotations

import argparse
import collections
import datetime
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import pandas as pd

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import privaudit
from privaudit.advice.plans.ranking import best, choices
from tests.helpers.apply_plan import apply_plan

RESULT = ("remedied", "method", "loss", "listed", "least", "k_before", "k_after", "remedied_left", "later")

ACCEPTED = ("SEN003", "SEN004", "PSN001", "PSN002", "DAT003", "GEO001", "PII002")
"""Findings that a person may accept for a release under a contract: with a reason, an owner and a last day."""
STATES = {0: "pass", 1: "fail", 3: "not assessed"}


def read_settings(meta: dict[str, Any]) -> dict[str, Any]:
    """Return how a labelled table is read."""
    found: dict[str, Any] = {}
    if meta.get("sep") and meta["sep"] != "auto":
        found["delimiter"] = meta["sep"]
    for key in ("header", "encoding"):
        if meta.get(key) is not None:
            found[key] = meta[key]
    return found


def as_text(path: Path, settings: dict[str, Any]) -> pd.DataFrame:
    """Return the cells of a table as privaudit reads them: texts, missing cells as None."""
    from privaudit.settings.config import Settings
    from privaudit.source import open_dataset

    with open_dataset(str(path), Settings(**settings)) as dataset:
        rows = dataset.rows(dataset.columns)
    return pd.DataFrame({name: rows.column(i).to_pylist() for i, name in enumerate(dataset.columns)}, dtype=object)


def measure(path: Path, settings: dict[str, Any], policy: str, accepted: tuple[str, ...]) -> dict[str, Any]:
    """Return the decisions on one table: as it is, after the plan, after plan and acceptances."""
    first = privaudit.scan(str(path), policy=policy, framework=(), **settings)
    row: dict[str, Any] = {"before": STATES[first.gate().exit_code], "unit": unit(first)}
    if row["before"] == "pass":
        return {**row, "after": "pass", "plain": "pass", "accepted": "pass", "said": "", "left": []}
    plans = [remedy for remedy in first.advice if remedy.technique == "plan"]
    if not plans:
        same = dict.fromkeys(("after", "plain", "accepted"), row["before"])
        return {**row, **same, "said": "no plan", "left": open_(first)}
    report = json.loads(first.to_json())
    plan = next(remedy for remedy in report["advice"] if remedy["technique"] == "plan")
    row["said"] = (
        "passes"
        if plan["passes"]
        else "leaves "
        + ", ".join(sorted({item["finding"]["code"] for item in plan["remaining"]}) or ["something not assessed"])
    )
    made = apply_plan(as_text(path, settings), plan)
    roles = {c.name: c.role for c in first.columns if c.name in made.columns and c.role in ("quasi", "sensitive")}
    second = rescan(made, policy, role=roles, **rows_of(first))
    plain = rescan(made, policy)
    row["plain"] = STATES[plain.gate().exit_code]
    row["plain_unit"] = unit(plain)
    row["plain_left"] = open_(plain)
    row["plain_roles"] = changed_roles(first, plain)
    row["rows"] = f"{len(made):,} of {first.dataset.n_rows:,}"
    row["after"] = STATES[second.gate().exit_code]
    row["promise"] = "" if not plan["passes"] else "kept" if row["after"] == "pass" else "broken"
    if not any(role == "quasi" for role in roles.values()):
        # Nobody is left to measure: the person who releases the table confirms that no column is known to others.
        second = rescan(made, policy, role={}, quasi=("none",), **rows_of(first))
    third = accept(second, accepted)
    row["accepted"] = STATES[third.gate().exit_code]
    row["left"] = open_(third)
    row["entries"] = len(third.wire.acceptances)
    return row


def remedied(path: Path, settings: dict[str, Any], policy: str) -> dict[str, Any]:
    """Return the decision on the default remedy, and its loss next to that of the best that is listed."""
    made = privaudit.remedy(str(path), policy=policy, framework=(), **settings)
    plans = [remedy for remedy in made.before.advice if remedy.technique == "plan"]
    listed = [choice for choice in choices(plans, quasi_of(made.before)) if choice.passes]
    whole = [choice for choice in listed if not choice.drops]
    loss = made.loss
    first = best(listed)
    found = {
        "remedied": STATES[made.after.gate().exit_code],
        "method": made.run.method,
        "loss": loss,
        "listed": None if first is None else first.loss,
        "least": min((choice.loss for choice in listed), default=None),
        "least_whole": min((choice.loss for choice in whole), default=None),
        "k_before": made.before.risk.k_min if made.before.risk else None,
        "k_after": made.after.risk.k_min if made.after.risk else None,
        "remedied_left": open_(made.after),
    }
    later = rescan(made.arrow.to_pandas(), policy)
    found["later"] = STATES[later.gate().exit_code]
    found["later_left"] = open_(later)
    return found


def quasi_of(report: Any) -> tuple[str, ...]:
    """Return the quasi-identifiers of a report."""
    return () if report.risk is None else tuple(report.risk.quasi_identifiers)


def changed_roles(first: Any, second: Any) -> dict[str, str]:
    """Return the columns whose role changed, with both roles and entity types."""
    old = {c.name: c for c in first.columns}
    kept = [c for c in second.columns if c.name in old]
    return {
        c.name: f"{old[c.name].role} {entity(old[c.name])} -> {c.role} {entity(c)}"
        for c in kept
        if c.role != old[c.name].role
    }


def entity(column: Any) -> str:
    """Return the entity type of a column."""
    return "-" if column.is_ is None else str(column.is_.entity)


def accept(report: Any, codes: tuple[str, ...]) -> Any:
    """Return the report judged with an acceptance for each finding that fails and that a person may accept."""
    wanted = {
        (f.code, f.subject)
        for f in report.findings
        if f.code in codes and f.status == "open" and f.severity in ("high", "critical")
    }
    if not wanted:
        return report
    expires = datetime.date.today() + datetime.timedelta(days=180)
    with tempfile.TemporaryDirectory() as folder:
        entries = [
            entry
            for code, columns in sorted(wanted)
            for entry in privaudit.accept(
                code,
                columns,
                reason="Needed for the purpose of the release, which the contract with the recipients states.",
                owner="Data protection officer",
                expires=expires,
                report=report,
                table="*",
                config=Path(folder) / "privaudit.toml",
            )
        ]
    return privaudit.judge(report, accept=entries)


def rescan(made: pd.DataFrame, policy: str, **settings: Any) -> Any:
    """Write the remedied table and scan the written file."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "remedied.parquet"
        made.astype("string").to_parquet(target, index=False)
        return privaudit.scan(str(target), policy=policy, framework=(), **settings)


def rows_of(report: Any) -> dict[str, str]:
    """Return the setting that declares what a row is, where the report knows it."""
    return {} if unit(report) == "unknown" else {"unit": unit(report)}


def unit(report: Any) -> str:
    """Return what a row of the table is."""
    found = report.wire.dataset.unit
    return "unknown" if found is None else str(found.kind)


def open_(report: Any) -> list[str]:
    """Return what fails the gate, each finding by code and columns, then what was not assessed."""
    found = [
        f"{f.code} {'+'.join(f.subject[:3])}"
        for f in report.findings
        if f.status == "open" and f.severity in ("high", "critical")
    ]
    return found + [f"not assessed: {limit.what}" for limit in report.limits if limit.incomplete]


def main() -> None:
    """Measure the tables and write the page."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("tables", nargs="*")
    parser.add_argument("--policy", default="controlled")
    parser.add_argument("--accept", default=",".join(ACCEPTED))
    parser.add_argument("--remedy", action="store_true", help="apply the default remedy, too")
    parser.add_argument("-o", "--output", type=Path)
    given = parser.parse_intermixed_args()
    meta = json.loads((given.folder / "labels_meta.json").read_text())
    labels = json.loads((given.folder / "labels_open.json").read_text())
    rows = {}
    for table in given.tables or labels:
        started = time.time()
        try:
            rows[table] = measure(
                given.folder / table, read_settings(meta[table]), given.policy, tuple(given.accept.split(","))
            )
        except Exception as error:  # noqa: BLE001 - one table must not hide the others
            rows[table] = dict.fromkeys(("before", "after", "plain", "accepted"), "error")
            rows[table] |= {"left": [repr(error)[:300]], "unit": "?", "said": ""}
        row = rows[table]
        if given.remedy:
            try:
                row |= remedied(given.folder / table, read_settings(meta[table]), given.policy)
            except Exception as error:  # noqa: BLE001 - one table must not hide the others
                row |= {"remedied": "error", "remedied_left": [repr(error)[:300]]}
            print(f"  remedied: { {k: row.get(k) for k in RESULT} }", flush=True)
        print(
            f"{table}: {row['unit']}; {row['before']} -> {row['after']} -> {row['accepted']}; plan {row['said']};"
            f" {row.get('rows', '')}; {row['left'][:6]}; plain {row['plain']} {row.get('plain_left', [])[:6]}"
            f" {row.get('plain_roles', {})} {time.time() - started:.1f}s",
            flush=True,
        )
    if given.output is not None:
        given.output.write_text(json.dumps(rows, indent=1), encoding="utf-8")
    people = {name: row for name, row in rows.items() if row["unit"] in ("person", "event", "household", "unknown")}
    for title, chosen in (("all tables", rows), ("tables about people", people)):
        for stage in ("before", "after", "plain", "accepted", *(("remedied", "later") if given.remedy else ())):
            print(title, stage, dict(collections.Counter(row.get(stage, "") for row in chosen.values())))
    print("promises", dict(collections.Counter(row.get("promise", "") for row in rows.values())))
    compared = [row for row in rows.values() if row.get("loss") is not None and row.get("listed") is not None]
    if compared:
        worse = [row["loss"] - row["listed"] for row in compared]
        print("loss above the first that is listed: largest", max(worse), "over", len(compared), "tables")
        print("loss above the least of all:", sum(row["loss"] > row["least"] + 1e-9 for row in compared), "tables")
    print("acceptances", sum(row.get("entries", 0) for row in rows.values()))


if __name__ == "__main__":
    main()
