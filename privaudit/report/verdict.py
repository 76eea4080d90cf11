"""The verdict: gate, worst risk, people exposed, first step.

Question: what must a reader know after six sentences?
Method: sentences are filled with the measured numbers, people before probabilities, worst first; what was not
assessed is part of the verdict.
Limits: a row counts as a person unless the scan was given a data-subject column; the section on limits states which.
"""

from __future__ import annotations

from privaudit.model import Attack, ColumnReport, Report
from privaudit.report.escape import name
from privaudit.report.remedies_section import first_step
from privaudit.report.sentences import sentence, shown, shown_limit, wording_of
from privaudit.wording import Columns, Count, Fact, Listing, Name, Number, Share, Term, Threshold, fact
from privaudit.wording.numbers import percent
from privaudit.wording.render import Wording

SEVERITY_RANK = {"critical": 0, "high": 1, "medium": 2, "low": 3, "info": 4}


def state(report: Report) -> str:
    """Return "passed", "failed" or "incomplete"; what could not be assessed outranks what failed."""
    if report.gate_.exit_code == 3 or any(limit.incomplete for limit in report.limits):
        return "incomplete"
    return "passed" if report.gate_.passed else "failed"


def headline(report: Report) -> str:
    """Return the decision of the gate as one line without a full stop."""
    title = Name(text=report.policy.title or report.policy.name)
    return name(wording_of(report).text(_decision(report, title)), 400)


def _decision(report: Report, policy: Name) -> Fact:
    exceeds, passed = _exceeds(report), report.gate_.passed
    if state(report) == "incomplete":
        if not report.columns or not report.dataset.n_rows:
            return fact("report.nothing_to_assess")
        if report.gate_.headline is not None and report.risk is None and not exceeds:
            return report.gate_.headline
        if exceeds:
            return fact("report.incomplete_outside", policy=policy)
        return fact("report.incomplete_within", policy=policy)
    # The gate may be set to another severity than that of the policy.
    if passed and exceeds:
        return fact("report.passed_outside", policy=policy)
    if not passed and not exceeds:
        return fact("report.failed_within", policy=policy)
    return fact("report.within", policy=policy) if passed else fact("report.outside", policy=policy)


def _exceeds(report: Report) -> bool:
    limit = SEVERITY_RANK[report.policy.fail_on]
    return any(SEVERITY_RANK[item.severity] <= limit for item in report.findings if item.status == "open")


def below_k(report: Report, k: int | None = None) -> int | None:
    """Return the records in classes smaller than `k` (that of the policy by default); None where not measured."""
    return None if report.risk is None else report.risk.n_below_k(report.policy.k if k is None else k)


def direct_columns(report: Report) -> tuple[ColumnReport, ...]:
    """Return the columns whose values identify a person by themselves."""
    return tuple(column for column in report.columns if column.role == "direct")


def summary(report: Report, wording: Wording | None = None) -> tuple[str, ...]:
    """Return the verdict as sentences, the decision of the gate first and the first step last.

    Parameters
    ----------
    report : Report
    wording : Wording, optional
        The edition; the full one by default.
    """
    chosen = wording or wording_of(report)
    return (headline(report) + ".", *lines(report, chosen), *filter(None, [first(report, chosen)]))


def lines(report: Report, wording: Wording) -> tuple[str, ...]:
    """Return the sentences between the decision of the gate and the first step."""
    sentences = (
        _direct(report, wording),
        _classes(report, wording),
        _worst_attack(report, wording),
        _homogeneous(report, wording),
        _not_assessed(report, wording),
    )
    return tuple(sentence for sentence in sentences if sentence)


def first(report: Report, wording: Wording) -> str:
    """Return what to do first; empty where there is nothing to do."""
    step = first_step(report, wording)
    if step or state(report) == "passed" or not report.findings:
        return step
    return sentence(wording, "report.no_remedy")


def _direct(report: Report, wording: Wording) -> str:
    columns = direct_columns(report)
    if not columns:
        return ""
    n = max(_n_identified(column) for column in columns)
    return sentence(
        wording,
        "report.direct",
        columns=Columns(names=tuple(column.name for column in columns)),
        records=Count(n=n, of=report.dataset.n_rows),
    )


def _n_identified(column: ColumnReport) -> int:
    """Return how many cells of a direct identifier hold one; all that are not missing where it was declared."""
    present = column.n_rows - column.n_missing
    return present if column.is_ is None else min(present, round(column.is_.share.value * present))


def _classes(report: Report, wording: Wording) -> str:
    risk, n, below = report.risk, report.dataset.n_rows, below_k(report)
    if risk is None or below is None or not risk.quasi_identifiers:
        return sentence(wording, "report.classes_not_measured")
    columns, required = Columns(names=risk.quasi_identifiers), Threshold(value=report.policy.k)
    people = Count(n=below, of=n, unit="person")
    if below == 0 and wording.hidden(risk.k_min):
        return sentence(wording, "report.classes_within_public", columns=columns, required=required)
    if below == 0:
        k = Number(value=risk.k_min)
        return sentence(wording, "report.classes_within", columns=columns, k=k, required=required)
    if not risk.n_unique:
        return sentence(wording, "report.classes_below", people=people, columns=columns, required=required)
    unique = Count(n=risk.n_unique, of=n, unit="person")
    return sentence(
        wording,
        "report.classes_below_unique",
        people=people,
        columns=columns,
        required=required,
        unique=unique,
    )


def worst_attack(report: Report) -> Attack | None:
    """Return the attack with the highest advantage over guessing, or None."""
    return max(report.attacks, key=lambda attack: (attack.advantage.high, attack.success.value), default=None)


def _worst_attack(report: Report, wording: Wording) -> str:
    attack = worst_attack(report)
    if attack is None:
        return ""
    total = attack.n_targets
    kind, columns = Term(code=attack.kind), Columns(names=attack.knowledge)
    people = Count(n=attack.n_correct, of=total, unit="person")
    baseline = Share(value=attack.baseline, of=total)
    if attack.is_counted:
        stated = fact(
            "report.attack_measured", attack=kind, columns=columns, people=people, baseline=baseline
        )
    else:
        stated = fact(
            "report.attack_expected", attack=kind, columns=columns, people=people, baseline=baseline
        )
    return shown(wording, stated)


def _homogeneous(report: Report, wording: Wording) -> str:
    if report.risk is None:
        return ""
    found = report.risk.diversity
    counts = {column: found[column].homogeneous_records or 0 for column in sorted(found)}
    column = max(counts, key=lambda key: counts[key], default=None)
    if column is None or not counts[column]:
        return ""
    people = Count(n=counts[column], of=report.dataset.n_rows, unit="person")
    return sentence(wording, "report.homogeneous", people=people, columns=Columns(names=(column,)))


def _not_assessed(report: Report, wording: Wording) -> str:
    missing = [limit for limit in report.limits if limit.incomplete]
    if not missing:
        return ""
    items = Listing(items=tuple(Name(text=shown_limit(wording, limit)[0]) for limit in missing))
    return sentence(wording, "report.not_assessed", n=Number(value=len(missing)), items=items)


def tiles(report: Report, wording: Wording) -> list[dict[str, str]]:
    """Return the four numbers at the top of the report: label, value, note and tone (bad, good, plain)."""
    return [
        _below_tile(report, wording),
        _k_tile(report, wording),
        _unique_tile(report, wording),
        _findings_tile(report, wording),
    ]


def _tile(label: str, value: str, note: str, tone: str) -> dict[str, str]:
    return {"label": label, "value": value, "note": note, "tone": tone}


def _not_measured(label: str, wording: Wording) -> dict[str, str]:
    return _tile(label, "–", sentence(wording, "report.tile_not_measured"), "plain")


def _below_tile(report: Report, wording: Wording) -> dict[str, str]:
    label, below, n = "People in small classes", below_k(report), report.dataset.n_rows
    if below is None or n == 0:
        return _not_measured(label, wording)
    tone = "bad" if below > report.policy.share_below_k * n else "good"
    total, k = Number(value=n), Threshold(value=report.policy.k)
    if wording.hidden(below, n):
        note = sentence(wording, "report.tile_below_withheld", total=total, k=k)
    else:
        note = sentence(wording, "report.tile_below", total=total, share=Name(text=percent(below / n)), k=k)
    return _tile(label, wording.count(below, n), note, tone)


def _k_tile(report: Report, wording: Wording) -> dict[str, str]:
    label = "Smallest class (k)"
    if report.risk is None:
        return _not_measured(label, wording)
    tone = "good" if report.risk.k_min >= report.policy.k else "bad"
    note = sentence(wording, "report.tile_k", k=Threshold(value=report.policy.k))
    return _tile(label, wording.count(report.risk.k_min), note, tone)


def _unique_tile(report: Report, wording: Wording) -> dict[str, str]:
    label = "Unique people"
    if report.risk is None:
        return _not_measured(label, wording)
    allowed, n = report.policy.uniques, report.risk.n_unique
    if allowed is None:
        note = sentence(wording, "report.tile_unique_open")
    else:
        note = sentence(wording, "report.tile_unique", allowed=Threshold(value=allowed))
    tone = "plain" if allowed is None else "good" if n <= allowed else "bad"
    return _tile(label, wording.count(n, report.dataset.n_rows), note, tone)


def _findings_tile(report: Report, wording: Wording) -> dict[str, str]:
    still_open = [finding for finding in report.findings if finding.status == "open"]
    n_severe = sum(finding.severity in ("critical", "high") for finding in still_open)
    n_accepted = len(report.findings) - len(still_open)
    severe = Number(value=n_severe)
    if n_accepted:
        note = sentence(
            wording, "report.tile_findings_accepted", severe=severe, accepted=Number(value=n_accepted)
        )
    else:
        note = sentence(wording, "report.tile_findings", severe=severe)
    tone = "bad" if n_severe else "plain" if still_open else "good"
    return _tile("Open findings", f"{len(still_open):,}", note, tone)
