"""Reports for the tests of this folder: the stored example, which the pipeline made, and edge cases derived from it."""

from __future__ import annotations

import dataclasses
from functools import cache
from pathlib import Path
from typing import Any

from privaudit import report as reports
from privaudit.model import (
    Attack,
    CheckOutcome,
    Clue,
    ColumnReport,
    Combination,
    Contained,
    DatasetInfo,
    Finding,
    GateResult,
    Limit,
    Remedy,
    Report,
    Risk,
    Verdict,
    limit,
)
from privaudit.model.attacks import LinkageDetail
from privaudit.model.stats import exact
from privaudit.model.wording import Columns, Count, Fact, Name, Threshold, fact

FOLDER = Path(__file__).resolve().parents[2] / "reports" / "examples"
N = 10_000
HOSTILE = (
    "<script>alert(1)</script>",
    "[red]x[/]",
    "a|b",
    "::error::gone",
    "two\nlines",
    "\u202egnp.exe",
    "=cmd()",
    "\x1b[31mred\x1b[0m",
    "`code` *bold* _em_ [link](http://x) ![i](y) @user #1",
    '" onload="alert(1)',
    "{{ 7*7 }}{% raw %}",
    "  ",
)


@cache
def _stored() -> Report:
    return reports.read(FOLDER / "example.json")


def example(**changes: Any) -> Report:
    """Return the stored example, with fields replaced by `changes`."""
    return dataclasses.replace(_stored(), **changes)


def example_risk(**changes: Any) -> Risk:
    found = _stored().risk
    assert found is not None
    return dataclasses.replace(found, **changes)


def small(**changes: Any) -> Report:
    """Return a report on `N` rows without columns, findings, attacks and remedies, with fields replaced."""
    data = dataclasses.replace(_stored().dataset, n_rows=N)
    empty: dict[str, Any] = dict.fromkeys(
        ("columns", "combinations", "attacks", "findings", "checks", "controls", "advice", "limits"), ()
    )
    gate = GateResult(passed=False, exit_code=1)
    return example(**({"dataset": data, "risk": None, "gate_": gate} | empty | changes))


def column(name: str, data_type: str = "text", role: str = "none", distinct: int = 20, **more: Any) -> ColumnReport:
    base: dict[str, Any] = {
        "name": name,
        "data_type": data_type,
        "n_rows": N,
        "n_missing": 0,
        "n_distinct": distinct,
        "n_held_once": distinct // 3,
        "uniqueness": distinct / N,
        "entropy_bits": min(13.2, distinct**0.25),
        "role": role,
    }
    return ColumnReport(**(base | more))


def contained(n_cells: int, total: int = 9_000) -> Contained:
    clue = Clue(kind="pattern", because=fact("report.share_below", people=people(n_cells), k=Threshold(value=15)))
    return Contained(entity="PHONE", n_cells=n_cells, share=exact(n_cells / total, total), evidence=(clue,))


def verdict(entity: str = "EMAIL") -> Verdict:
    clue = Clue(kind="header", because=fact("report.attacks_none"))
    return Verdict(entity=entity, share=exact(1.0, N), confidence=0.97, evidence=(clue,))


def people(n: int, of: int = N) -> Count:
    return Count(n=n, of=of, unit="person")


def combination(names: tuple[str, ...], below: int, unique: int, classes: int, k_min: int = 1) -> Combination:
    return Combination(
        columns=names,
        n_classes=classes,
        k_min=k_min,
        n_unique=unique,
        share_unique=unique / N,
        n_below={"15": below},
        share_below_k=below / N,
        mean_class_size=N / classes,
        distinction=classes / N,
        separation=1 - 1 / classes,
        minimal=False,
        minimal_to=k_min,
    )


def check(code: str = "QI001", message: str = "{people} are unique.", **more: Any) -> CheckOutcome:
    """Return the outcome of a check with the given message."""
    base: dict[str, Any] = {
        field.name: "" for field in dataclasses.fields(CheckOutcome) if field.default is dataclasses.MISSING
    }
    base |= {"code": code, "name": "check", "title": "A check", "severity": "high", "state": "fired"}
    base |= {"limit": 15, "message": message, "n_findings": 1, "gaps": ()}
    return CheckOutcome(**(base | more))


def finding(n: int, subject: str = "a", code: str = "QI001", **more: Any) -> Finding:
    base: dict[str, Any] = {
        "code": code,
        "name": "check",
        "subject": (subject,),
        "severity": "high",
        "confidence": 0.97,
        "message": Fact(code=code, values={"people": people(n), "columns": Columns(names=(subject,))}),
        "measure": "class.k_min",
        "observed": n,
        "limit": 15,
        "n_people": n,
        "n_total": N,
        "fingerprint": f"{code}-{subject}",
    }
    return Finding(**(base | more))


def remedy(technique: str, names: tuple[str, ...], after: dict[str, float | int], text: Fact) -> Remedy:
    before = {"k_min": 1, "n_unique": 500, "n_below_k": 900, "share_below_k": 0.09, "n_records": N}
    return Remedy(
        technique=technique,
        columns=names,
        parameters={},
        text=text,
        before=before,
        after=after,
        utility_cost=0.1,
        cost_measure="entropy",
        resolves=(),
    )


def attack(n: int, names: tuple[str, ...] = ("a",)) -> Attack:
    share = exact(n / 2_000, 2_000)
    reason = fact("report.share_below", people=people(n), k=Threshold(value=15))
    detail = LinkageDetail(
        mapping={name: name for name in names},
        reasons=dict.fromkeys(names, reason),
        n_auxiliary=26_000,
        n_unmatched=n,
        n_ambiguous=n,
        n_unique=n,
        n_mutual=n,
        expected_correct=float(n),
        n_correct=n,
        n_control=2_000,
        n_release=N,
        n_release_linked=n,
        n_verbatim=n,
    )
    return Attack(
        kind="linkage",
        knowledge=names,
        n_targets=2_000,
        success=share,
        baseline=n / 2_000,
        control=n / 2_000,
        advantage=share,
        assumptions=(reason,),
        detail=detail,
    )


def bare_report(n_rows: int = 1, n_columns: int = 1) -> Report:
    """Return the emptiest possible report: nothing measured but one column."""
    only = column(
        "a", "empty", n_rows=n_rows, n_missing=n_rows, n_distinct=0, n_held_once=0, uniqueness=None, entropy_bits=None
    )
    return small(
        dataset=DatasetInfo(
            name="a.csv", fingerprint="0", format="csv", engine="duckdb", n_rows=n_rows, n_columns=n_columns
        ),
        columns=(only,) * n_columns,
        gate_=GateResult(passed=True, exit_code=0),
        timings={},
        command="",
        generated_at="",
        policy=dataclasses.replace(_stored().policy, origins={}),
    )


def wide_report(n_columns: int) -> Report:
    """Return the example with its columns repeated under other names."""
    base = _stored().columns
    many = tuple(dataclasses.replace(base[i % len(base)], name=f"column_{i}") for i in range(n_columns))
    return example(columns=many)


def hostile_report() -> Report:
    """Return a report in which every free text tries to break out of a format."""
    nasty = " ".join(HOSTILE)
    named = fact("report.homogeneous", people=people(30), columns=Columns(names=HOSTILE))
    texts = tuple(Fact(code="text.free", values={"text": Name(text=name)}) for name in HOSTILE)
    roles = ("direct", "quasi", "sensitive", "none") * 3
    diversity = next(iter(example_risk().diversity.values()))
    return example(
        dataset=DatasetInfo(
            name=nasty, fingerprint=nasty, format=nasty, engine=nasty, n_rows=N, n_columns=len(HOSTILE)
        ),
        columns=tuple(
            column(name, role=role, role_because=(named, text), unassessed=text)
            for name, role, text in zip(HOSTILE, roles, texts, strict=True)
        ),
        combinations=tuple(combination((HOSTILE[0], name), 12, 3, 99) for name in HOSTILE),
        risk=example_risk(quasi_identifiers=HOSTILE, sensitive=HOSTILE, diversity=dict.fromkeys(HOSTILE, diversity)),
        checks=(
            check("QI001", "{people} {columns}"),
            check("QI002", nasty.replace("{", "").replace("}", ""), state="passed"),
        ),
        findings=tuple(finding(3, name) for name in HOSTILE),
        attacks=(attack(30, HOSTILE),),
        advice=tuple(
            remedy(name, (name,), {"k_min": 2, "share_below_k": 0.1, "n_below_k": 5}, text)
            for name, text in zip(HOSTILE, texts, strict=True)
        ),
        limits=tuple(Limit(code="text.free", values={"what": Name(text=x), "why": Name(text=x)}) for x in HOSTILE),
        command=nasty,
        gate_=GateResult(passed=False, exit_code=1, reasons=texts),
    )


def incomplete() -> Limit:
    """Return the limit of a column that could not be assessed."""
    return dataclasses.replace(
        limit("test.none"),
        code="text.free",
        incomplete=True,
        values={"what": Name(text='column "scan"'), "why": Name(text="binary cells cannot be read")},
    )
