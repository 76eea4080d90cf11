"""What a program calls: `scan`, `attack`, `judge`, `accept`, `load` and the report they return.

Question: how does a notebook or a pipeline ask privaudit?
Method: keyword arguments become `Settings`; the stages run; the wire record is wrapped in a `ScanReport` that
knows how to write, show and gate itself.
Limits: holds no measurement of its own.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from privaudit.acceptance import AcceptanceEntry, parse_entries
from privaudit.config import Progress, Settings, check, silent
from privaudit.errors import ConfigError
from privaudit.model import Severity, limit
from privaudit.result import GateDecision, ScanReport
from privaudit.wording import Threshold


def scan(
    source: Any,
    *,
    policy: str = "public",
    seed: int = 0,
    auxiliary: Any = None,
    framework: Iterable[str] | str | None = None,
    progress: Progress = silent,
    scores: str | Path | None = None,
    config: str | Path | None = None,
    **settings: Any,
) -> ScanReport:
    """Measure, judge and advise.

    Parameters
    ----------
    source : path or table
        A file, ``file.xlsx#sheet``, ``file.sqlite#table``, or a pandas, Polars, PyArrow or Ibis table, or
        anything with ``__arrow_c_stream__``.
    policy : str
        A shipped policy or the path of a policy file.
    seed : int
        Decides every sample; the same seed gives the same report.
    auxiliary : path or table, optional
        What an attacker is assumed to hold; it is linked to the table.
    framework : str or several, optional
        Frameworks whose controls are answered.
    progress : callable, optional
        Called with the stage and the share of it that is done.
    scores : path, optional
        Where to write class size and special-unique scores of every row, by row number.
    config : path, optional
        The settings file that `settings` come from: the report names it, and no output replaces it. It is not read.
    **settings
        Any other option of `privaudit.config.Settings`, by its name.

    Returns
    -------
    ScanReport

    Raises
    ------
    SourceError, ConfigError
        For a table that cannot be read as asked, or a wrong option (exit code 2).
    ScanIncomplete, EngineError
        Where nothing could be assessed (exit code 3).
    """
    from privaudit.inputs import opened
    from privaudit.pipeline import run_stages

    chosen = _settings(settings, policy=policy, seed=seed, framework=framework)
    target = None if scores is None else Path(scores)
    file = None if config is None else Path(config)
    read = opened(source, chosen, auxiliary, file)
    try:
        wire = run_stages(source, chosen, auxiliary=auxiliary, progress=progress, scores=target, config=file)
    finally:
        source = auxiliary = None  # a debugger shows the variables of the frames that an error passed
    return ScanReport(wire, read)


def attack(
    release: Any,
    *,
    auxiliary: Any,
    progress: Progress = silent,
    seed: int = 0,
    config: str | Path | None = None,
    **settings: Any,
) -> ScanReport:
    """Link `release` to `auxiliary` and count what the attacker gets, without the search over combinations.

    Parameters
    ----------
    release, auxiliary : path or table
    on : mapping of release column to auxiliary column, optional
        What to link on; found by name, kind and overlap of values where absent.
    truth : mapping of release column to auxiliary column, optional
        Columns that name the same person on both sides, used only to count the correct links.
    subject : str, optional
        Column of `release` that identifies the data subject, where a person has several rows.
    population : str, optional
        The people of whom `release` contains some: their number, or a table. Bounds the success where the true matches
        are not known.
    """
    from privaudit.inputs import opened
    from privaudit.pipeline import ATTACK_STAGES, run_stages

    chosen = _settings({"ner": False, **settings}, seed=seed)
    file = None if config is None else Path(config)
    read = opened(release, chosen, auxiliary, file)
    try:
        wire = run_stages(
            release, chosen, auxiliary=auxiliary, stages=ATTACK_STAGES, progress=progress, config=file
        )
    finally:
        release = auxiliary = None  # as above
    links = tuple(found for found in wire.findings if found.code.startswith(("LNK", "RUN")))
    checks = tuple(found for found in wire.checks if found.code.startswith(("LNK", "RUN")))
    from privaudit.gate import decide

    gate = decide(links, wire.limits, wire.policy, chosen.fail_on)
    return ScanReport(replace(wire, findings=links, checks=checks, controls=(), gate_=gate), read)


def judge(
    report: ScanReport | str | Path,
    *,
    policy: str | None = None,
    framework: Iterable[str] | str | None = None,
    rules: str | Path | None = None,
    fail_on: Severity | None = None,
    accept: Iterable[Any] | None = None,
) -> ScanReport:
    """Judge a saved report again, under another policy or framework, without the data.

    Parameters
    ----------
    report : ScanReport or path of a report.json
    policy : str, optional
        Kept as it was where absent.
    framework : str or several, optional
        Kept as they were where absent.
    rules : path, optional
        Folder with checks and frameworks of your own; name the one the scan used, or its checks do not run.
    fail_on : str, optional
        Lowest severity that fails the gate; that of the policy where absent.
    accept : several mappings, optional
        The acceptances that apply, with the keys of ``[[accept]]``; those of the report where absent.
    """
    from privaudit.gate import decide
    from privaudit.rulebook import entries_of, load_policy, measured_limits
    from privaudit.rulebook import judge as judge_evidence

    wire = report.wire if isinstance(report, ScanReport) else load(report).wire
    terms = load_policy(policy) if policy is not None else wire.policy
    frameworks = _several(framework) or tuple(dict.fromkeys(control.framework for control in wire.controls))
    folder = None if rules is None else Path(rules)
    given = None if accept is None else parse_entries(tuple(accept), "the arguments")
    entries = entries_of(wire.acceptances) if given is None else given
    judgement = judge_evidence(wire.evidence, terms, frameworks, rules=folder, accept=entries)
    limits = measured_limits(wire.limits) + judgement.limits
    # A remedy's effect is counted at one k: shown under another, its numbers would be wrong.
    advice = wire.advice if terms.k == wire.policy.k else ()
    if len(advice) < len(wire.advice):
        measured, wanted = Threshold(value=wire.policy.k), Threshold(value=terms.k)
        limits += (limit("pipeline.advice_for_another_k", measured=measured, wanted=wanted),)
    return ScanReport(
        replace(
            wire,
            policy=terms,
            combinations=judgement.combinations,
            risk=judgement.risk,
            findings=judgement.findings,
            acceptances=judgement.acceptances,
            checks=judgement.checks,
            controls=judgement.controls,
            advice=advice,
            limits=limits,
            gate_=decide(judgement.findings, limits, terms, fail_on),
        )
    )


def accept(
    code: str,
    columns: str | Iterable[str],
    *,
    reason: str,
    owner: str,
    expires: str | datetime.date,
    report: ScanReport | str | Path | None = None,
    fingerprint: str | None = None,
    config: str | Path | None = None,
    rules: str | Path | None = None,
) -> tuple[AcceptanceEntry, ...]:
    """Write an acceptance of a finding to the settings file.

    Parameters
    ----------
    code : str
        The code or the name of the check.
    columns : str or several
        The columns of the finding: a list, or a text such as "age,sex"; "*" for a finding on the whole table.
    reason, owner : str
        Why the finding is accepted, and who decided so.
    expires : str or date
        The last day of the acceptance, at most a year ahead.
    report : ScanReport or path of a report.json, optional
        The report with the finding. The finding must exist, and its observed value becomes the worst that is accepted.
    fingerprint : str, optional
        Accepts one finding, where several have the same code and columns.
    config : path, optional
        The settings file; by default the nearest one, or a new ``privaudit.toml`` in the current folder.
    rules : path, optional
        Folder with packs of your own.

    Returns
    -------
    tuple of AcceptanceEntry
        What was written: one entry, or one for each finding of the report with this code and these columns.

    Raises
    ------
    ConfigError
        For an unknown check or finding, an incomplete entry, a wrong date, or a finding that is accepted already.
    """
    from privaudit.acceptance_file import AcceptedFinding, write_entries

    wire = None
    if report is not None:
        wire = report.wire if isinstance(report, ScanReport) else load(report).wire
    wanted = AcceptedFinding(
        code=code,
        columns=columns if isinstance(columns, str) else tuple(columns),
        reason=reason,
        owner=owner,
        expires=expires,
        fingerprint=fingerprint,
    )
    folder = None if rules is None else Path(rules)
    return write_entries(wanted, report=wire, file=None if config is None else Path(config), rules=folder)


def load(path: str | Path) -> ScanReport:
    """Read a report.json."""
    from privaudit.report import read

    return ScanReport(read(path))


def load_unchanged(path: str | Path) -> ScanReport:
    """Read a report.json that is as privaudit wrote it.

    Raises
    ------
    UnreadableSource
        If its digest does not match its content. A digest is not a signature: `require_same` compares with a new scan.
    """
    from privaudit.report.json import check_digest

    check_digest(path)
    return load(path)


def decide_again(report: ScanReport, *, fail_on: Severity | None = None) -> GateDecision:
    """Return the decision of the gate on the findings of a report, whatever decision it states.

    A shipped policy counts as it is shipped; another one as the report states it.
    """
    from privaudit.gate import decide
    from privaudit.rulebook import load_policy, policy_names

    wire = report.wire
    policy = load_policy(wire.policy.name) if wire.policy.name in policy_names() else wire.policy
    return GateDecision(decide(wire.findings, wire.limits, policy, fail_on or wire.gate_.fail_on))


def require_same(saved: ScanReport, again: ScanReport, name: str) -> None:
    """Raise `ConfigError` where a new scan states another table, other findings or another decision than `saved`."""

    def stated(report: ScanReport) -> tuple[object, ...]:
        wire = report.wire
        findings = sorted((f.code, f.subject, f.severity, f.status, f.fingerprint) for f in wire.findings)
        return wire.dataset.n_rows, wire.dataset.fingerprint, findings, wire.gate_.exit_code

    if stated(saved) != stated(again):
        raise ConfigError(
            f"{Path(name).name} does not state what a new scan of the table finds.", hint="write a new report"
        )


def explain(code: str, *, rules: str | Path | None = None) -> str:
    """Return what a check, a policy, a control or an entity is, in plain words.

    Parameters
    ----------
    code : str
        Such as ``QI001``, ``smallest-class-too-small``, ``EMAIL``, ``HIPAA-b2i-A`` or ``public``.
    rules : path, optional
        Folder with packs of your own.
    """
    from privaudit.handbook import explain as explain_code

    return str(explain_code(code, rules=None if rules is None else Path(rules)))


def _several(value: Iterable[str] | str | None) -> tuple[str, ...]:
    if value is None:
        return ()
    return (value,) if isinstance(value, str) else tuple(value)


def _settings(values: Mapping[str, Any], **named: Any) -> Settings:
    chosen = dict(values)
    framework = _several(named.pop("framework", None))
    if framework:
        chosen["framework"] = framework
    return Settings(**check({**chosen, **named}, where="the arguments"))
