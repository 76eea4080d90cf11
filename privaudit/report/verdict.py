"""The verdict: can this table be released, what is wrong with it, and what to do first.

Question: what must a reader know after the first screen?
Method: the decision in one of three headlines, what a row is and which policy decides, the worst findings whatever
their family (`privaudit.report.first_steps`), and the steps in order; what was not assessed is part of the verdict.
Limits: a row counts as a person unless the scan was given a data-subject column; the section on limits states which.
"""

from __future__ import annotations

from privaudit.model import Report
from privaudit.report import first_steps
from privaudit.report.escape import name
from privaudit.report.public import shown_k
from privaudit.report.ranking import SEVERITY_RANK
from privaudit.report.sentences import sentence, shown, shown_limit, wording_of
from privaudit.wording import Columns, Listing, Name, Number, Threshold, fact
from privaudit.wording.render import WITHHELD, Wording


def state(report: Report) -> str:
    """Return "passed", "failed" or "incomplete"; what could not be assessed outranks what failed."""
    if report.gate_.exit_code == 3 or any(limit.incomplete for limit in report.limits):
        return "incomplete"
    return "passed" if report.gate_.passed else "failed"


def headline(report: Report) -> str:
    """Return the decision as one line without a full stop: release, do not release, or not fully assessed."""
    return wording_of(report).text(fact(f"report.headline_{state(report)}"))


def about(report: Report, wording: Wording) -> tuple[str, ...]:
    """Return the sentences under the headline: how the table compares with the policy, and what a row is."""
    policy = Name(text=name(report.policy.title or report.policy.name, 400))
    k, accepted = Threshold(value=report.policy.k), Number(value=_n_exceeding(report, "accepted"))
    decision = sentence(wording, _decision(report), policy=policy, k=k, accepted=accepted)
    stated = [decision]
    if report.risk is None and report.columns and report.dataset.n_rows:
        stated.append(sentence(wording, "report.classes_not_measured"))
    return (*stated, _unit(report, wording))


def _unit(report: Report, wording: Wording) -> str:
    """Return what a row is, and what it is counted as."""
    unit = report.dataset.unit
    if unit is not None and not unit.is_about_people:
        return shown(wording, unit.statement)
    subject = None if report.risk is None else report.risk.subject
    if subject is not None:
        return sentence(wording, "report.row_of_a_person", column=Columns(names=(subject.column,)))
    if report.risk is not None and report.risk.unit == "person":
        return sentence(wording, "report.row_of_some_person")
    return sentence(wording, "report.row_is_a_person")


def _decision(report: Report) -> str:
    exceeds, passed = _exceeds(report), report.gate_.passed
    if state(report) == "incomplete":
        if not report.columns or not report.dataset.n_rows:
            return "report.nothing_to_assess"
        return "report.incomplete_outside" if exceeds else "report.incomplete_within"
    # The gate may be set to another severity than that of the policy.
    if passed and exceeds:
        return "report.passed_outside"
    if not passed and not exceeds:
        return "report.failed_within"
    if passed and _n_exceeding(report, "accepted"):
        return "report.within_accepted"
    return "report.within" if passed else "report.outside"


def _exceeds(report: Report) -> bool:
    return _n_exceeding(report, "open") > 0


def _n_exceeding(report: Report, status: str) -> int:
    """Return the number of findings with `status` whose severity fails the policy."""
    limit = SEVERITY_RANK[report.policy.fail_on]
    return sum(SEVERITY_RANK[item.severity] <= limit for item in report.findings if item.status == status)


def below_k(report: Report, k: int | None = None) -> int | None:
    """Return the records in classes smaller than `k` (that of the policy by default); None where not measured."""
    return None if report.risk is None else report.risk.n_below_k(report.policy.k if k is None else k)


def summary(report: Report, wording: Wording | None = None) -> tuple[str, ...]:
    """Return the verdict as sentences: the decision, the worst findings, and what to do, in order.

    Parameters
    ----------
    report : Report
    wording : Wording, optional
        The edition; the full one by default.
    """
    chosen = wording or wording_of(report)
    steps = [f"{i}. {step.text}" for i, step in enumerate(first_steps.steps(report, chosen), 1)]
    return (headline(report) + ".", *about(report, chosen), *lines(report, chosen), *steps)


def lines(report: Report, wording: Wording) -> tuple[str, ...]:
    """Return the worst findings as sentences, then what is within the policy and what was not assessed."""
    found = tuple(problem.text for problem in first_steps.problems(report, wording))
    return found + remarks(report, wording)


def remarks(report: Report, wording: Wording) -> tuple[str, ...]:
    """Return what follows the worst findings: how many more there are, what is within the policy, what is missing."""
    stated = (_more(report, wording), _classes_within(report, wording), _not_assessed(report, wording))
    return tuple(filter(None, stated))


def _more(report: Report, wording: Wording) -> str:
    n = first_steps.n_more(report)
    return sentence(wording, "report.more_problems", n=Number(value=n)) if n else ""


def _classes_within(report: Report, wording: Wording) -> str:
    risk = report.risk
    if risk is None or not risk.quasi_identifiers or not _reaches_k(report):
        return ""
    columns, required = Columns(names=risk.quasi_identifiers), Threshold(value=report.policy.k)
    return sentence(wording, "report.classes_within", columns=columns, required=required)


def _reaches_k(report: Report) -> bool:
    risk = report.risk
    known: int | None = None if risk is None else risk.k_min
    return known is not None and known >= report.policy.k


def _not_assessed(report: Report, wording: Wording) -> str:
    missing = [limit for limit in report.limits if limit.incomplete]
    if not missing:
        return ""
    items = Listing(items=tuple(Name(text=shown_limit(wording, limit)[0]) for limit in missing))
    return sentence(wording, "report.not_assessed", n=Number(value=len(missing)), items=items)


def tiles(report: Report, wording: Wording) -> list[dict[str, str]]:
    """Return the four numbers at the top of the report: label, value, note and tone (bad, good, plain)."""
    made = [_below_tile(report, wording), _k_tile(report, wording)]
    if not wording.public:
        made.append(_unique_tile(report, wording))
    return [*made, _findings_tile(report, wording)]


def _tile(label: str, value: str, note: str, tone: str) -> dict[str, str]:
    return {"label": label, "value": value, "note": note, "tone": tone}


def _not_measured(label: str, wording: Wording) -> dict[str, str]:
    return _tile(label, "–", sentence(wording, "report.tile_not_measured"), "plain")


def _below_tile(report: Report, wording: Wording) -> dict[str, str]:
    label, k = "People in small classes", shown_k(report.policy, public=wording.public)
    risk, n = report.risk, 0 if report.risk is None else report.risk.n_units(report.dataset.n_rows)
    below = None if risk is None else risk.n_below.get(str(k)) if wording.public else risk.n_below_k(k)
    if below is None or n == 0:
        return _not_measured(label, wording)
    tone = "bad" if below > report.policy.share_below_k * n else "good"
    total, least = Number(value=n), Threshold(value=k)
    if wording.hidden(below, n):
        note = sentence(wording, "report.tile_below_withheld", total=total, k=least)
    else:
        share = Name(text=wording.share(below / n, n))
        note = sentence(wording, "report.tile_below", total=total, share=share, k=least)
    return _tile(label, wording.count(below, n), note, tone)


def _k_tile(report: Report, wording: Wording) -> dict[str, str]:
    label, risk = "Smallest class (k)", report.risk
    if risk is None:
        return _not_measured(label, wording)
    reached = _reaches_k(report)
    note = sentence(wording, "report.tile_k", k=Threshold(value=report.policy.k))
    published = f"{risk.k_min:,} or more" if reached else WITHHELD
    value = published if wording.public else wording.count(risk.k_min)
    return _tile(label, value, note, "good" if reached else "bad" if value != WITHHELD else "plain")


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
    return _tile(label, wording.count(n, report.n_units), note, tone)


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
