"""The verdict: can this table be released, what is wrong with it, and what to do first.

Question: what must a reader know after the first screen?
Method: the decision in one of three headlines, what a row is and which policy decides, the worst findings whatever
their family (`first_steps`), and the steps in order; what was not assessed is part of the verdict.
Limits: a row counts as a person unless the scan was given a data-subject column; the section on limits states which.
"""

from __future__ import annotations

from collections.abc import Iterator

from privaudit.model import Report, Severity, fails, first_of_each_cause, reaches
from privaudit.model.vocabulary.families import family
from privaudit.model.wording import (
    MISSING,
    WITHHELD,
    Columns,
    Count,
    Listing,
    Name,
    Number,
    Threshold,
    Value,
    Wording,
    fact,
)
from privaudit.report.escape import name
from privaudit.report.public import shown_k
from privaudit.report.sections import first_steps
from privaudit.report.sections.baseline import changes
from privaudit.report.sections.ranking import still_open
from privaudit.report.sentences import sentence, shown, shown_limit, wording_of


def state(report: Report) -> str:
    """Return "passed", "failed" or "incomplete"; what failed outranks what could not be assessed."""
    if any(fails(finding, report.fail_on) for finding in report.findings):
        return "failed"
    return "incomplete" if is_incomplete(report) else "passed"


def is_incomplete(report: Report) -> bool:
    """Whether something that was requested could not be assessed, whatever else was found."""
    return report.gate_.exit_code == 3 or any(limit.incomplete for limit in report.limits)


def headline(report: Report) -> str:
    """Return the decision as one line without a full stop: release, do not release, or not fully assessed."""
    found = outcome(report)
    code = "headline_attacks_passed" if found == "passed" and covers_attacks_only(report) else f"headline_{found}"
    return wording_of(report).text(fact(f"report.{code}"))


def covers_attacks_only(report: Report) -> bool:
    """Whether attacks alone were judged, so that the report does not state that the table can be released."""
    # Checks of the run itself are part of every report.
    checks = [check for check in report.checks if not check.code.startswith("RUN")]
    return bool(checks) and all(family(check.measure).attack for check in checks)


def outcome(report: Report) -> str:
    """Return the state, and where it alone does not state why the gate decided so, the reason."""
    found = state(report)
    if found == "failed" and is_incomplete(report):
        return "failed_incomplete"
    if found != "passed":
        return found
    if _n_exceeding(report, "open", report.policy.fail_on):
        return "passed_outside"
    return "baseline" if _n_exceeding(report, "baseline", report.fail_on) else "passed"


def about(report: Report, wording: Wording) -> tuple[str, ...]:
    """Return the sentences under the headline: what a row is, and how the table compares with the policy."""
    policy = Name(name(report.policy.title or report.policy.name, 400))
    accepted = Number(_n_exceeding(report, "accepted", report.policy.fail_on))
    k = Threshold(report.policy.k)
    decision = sentence(wording, _decision(report), policy=policy, k=k, accepted=accepted)
    if not first_steps.has_values(report):
        return (decision,)
    stated = [_unit(report, wording), decision]
    if report.risk is None and is_about_people(report):
        has_reason = any(limit.code.startswith("risk.") or limit.incomplete for limit in report.limits)
        has_reason = has_reason and not covers_attacks_only(report)
        stated.append(sentence(wording, f"report.classes_not_{'measured' if has_reason else 'run'}"))
    elif state(report) == "passed":
        stated.extend(_columns_without_role(report, wording))
    return tuple(stated)


def _columns_without_role(report: Report, wording: Wording) -> Iterator[str]:
    """Yield how many records are in small classes for an attacker who also knows the columns without a role."""
    found, k = report.potential, report.policy.k
    if report.risk is None or found is None or not found.n_below.get(str(k)):
        return
    roles = {column.name: column.role for column in report.columns}
    others = tuple(name for name in found.columns if roles.get(name) == "none")
    if others:
        records = Count(found.n_below[str(k)], of=found.n_records, unit="record")
        columns, limit = Columns(others), Threshold(k)
        yield sentence(wording, "report.columns_without_role", columns=columns, records=records, k=limit)


def _unit(report: Report, wording: Wording) -> str:
    """Return what a row is, and what it is counted as."""
    unit = report.dataset.unit
    column = subject_column(report)
    if column is not None:
        return sentence(wording, "report.row_of_a_person", column=column, **_without_subject(report, wording))
    if report.risk is not None and report.risk.unit == "person":
        return sentence(wording, "report.row_of_some_person")
    if unit is None:
        return sentence(wording, "report.row_is_a_person")
    measured = next((reason for reason in unit.reasons if reason.code == "unit.measurements"), None)
    if measured is not None:
        return sentence(wording, "report.row_is_measured", statement=unit.statement, reason=measured)
    if unit.is_about_people and unit.counted == "record":
        return sentence(wording, "report.row_is_counted", statement=unit.statement)
    if not unit.declared and unit.reasons and not unit.is_about_people:
        return sentence(wording, "report.row_is_thing", statement=unit.statement, reason=unit.reasons[0])
    return shown(wording, unit.statement)


def _without_subject(report: Report, wording: Wording) -> dict[str, Value]:
    """Return how many of the people are rows without a person, because they may be far more than the others."""
    found = None if report.risk is None or wording.public else report.risk.subject
    if found is None or not found.n_without:
        return {}
    records, people = Count(found.n_without, unit="record"), Count(found.n_people, unit="person")
    return {"without": fact("report.rows_without_person", records=records, people=people)}


def subject_column(report: Report) -> Columns | None:
    """Return the column that identifies the person a row belongs to, where it was named."""
    subject = None if report.risk is None else report.risk.subject
    if subject is not None:
        return Columns((subject.column,))
    reasons = () if report.dataset.unit is None else report.dataset.unit.reasons
    named = (reason.values.get("columns") for reason in reasons if reason.code == "unit.subject")
    return next((columns for columns in named if isinstance(columns, Columns)), None)


def is_about_people(report: Report) -> bool:
    """Whether the table was judged as one about people."""
    return report.dataset.unit is None or report.dataset.unit.is_about_people


def _decision(report: Report) -> str:
    """Return how the table compares with the limits of the policy; the gate can be set to another severity."""
    exceeds = _n_exceeding(report, "open", report.policy.fail_on) > 0
    if is_incomplete(report):
        if not first_steps.has_values(report):
            return "report.nothing_to_assess"
        return "report.incomplete_outside" if exceeds else "report.incomplete_within"
    if state(report) == "failed":
        return "report.outside" if exceeds else "report.failed_within"
    if exceeds:
        return "report.passed_outside"
    if _n_exceeding(report, "baseline", report.policy.fail_on):
        return "report.within_baseline"
    if _n_exceeding(report, "accepted", report.policy.fail_on):
        return "report.within_accepted"
    return "report.attacks_within" if covers_attacks_only(report) else "report.within"


def _n_exceeding(report: Report, status: str, least: Severity) -> int:
    """Return the number of findings with `status` and the severity `least` or worse."""
    return sum(item.status == status and reaches(item.severity, least) for item in report.findings)


def below_k(report: Report, k: int | None = None) -> int | None:
    """Return the records in classes smaller than `k` (that of the policy by default); None where not measured."""
    return None if report.risk is None else report.risk.n_below_k(report.policy.k if k is None else k)


def n_rows(report: Report, wording: Wording) -> str:
    """Return the number of rows; "<11" in the public edition of a small table."""
    n = report.dataset.n_rows
    return wording.count(n) if wording.hidden(n) else f"{n:,}"


def smallest_class(report: Report, wording: Wording) -> str:
    """Return k; in the public edition only that it reaches the k of the policy, where it does."""
    if report.risk is None:
        return MISSING
    if not wording.public:
        return wording.count(report.risk.k_min)
    if not _reaches_k(report):
        return WITHHELD
    return sentence(wording, "report.at_least", k=Threshold(report.risk.k_min))


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
    stated = (*about(report, chosen), *changes(report, chosen), *lines(report, chosen))
    return (headline(report) + ".", *stated, *steps)


def lines(report: Report, wording: Wording) -> tuple[str, ...]:
    """Return the worst findings as sentences, then what is within the policy and what was not assessed."""
    found = tuple(problem.text for problem in first_steps.problems(report, wording))
    return found + remarks(report, wording)


def remarks(report: Report, wording: Wording, *, lists_all: bool = False) -> tuple[str, ...]:
    """Return what follows the worst findings: how many more there are, what is within the policy, what is missing.

    How many more there are is omitted where the caller lists them all.
    """
    parts = (_baseline, *(() if lists_all else (_more,)), _classes_within, _not_assessed)
    return tuple(filter(None, (part(report, wording) for part in parts)))


def _baseline(report: Report, wording: Wording) -> str:
    """Return how the findings compare with the baseline; nothing in the public edition, which lists fewer findings."""
    use = report.baseline
    if use is None or use.is_new or wording.public:
        return ""
    return sentence(
        wording,
        "report.baseline_compared",
        created=Name(name(use.created)),
        new=Number(use.n_new),
        worse=Number(use.n_worse),
        same=Number(use.n_same),
        gone=Number(len(use.gone)),
        tolerance=Threshold(use.tolerance),
    )


def _more(report: Report, wording: Wording) -> str:
    n = first_steps.n_more(report)
    return sentence(wording, "report.more_problems", n=Number(n)) if n else ""


def _classes_within(report: Report, wording: Wording) -> str:
    risk = report.risk
    if risk is None or not risk.quasi_identifiers or not _reaches_k(report):
        return ""
    columns, required = Columns(risk.quasi_identifiers), Threshold(report.policy.k)
    return sentence(wording, "report.classes_within", columns=columns, required=required)


def _reaches_k(report: Report) -> bool:
    risk = report.risk
    known: int | None = None if risk is None else risk.k_min
    return known is not None and known >= report.policy.k


def _not_assessed(report: Report, wording: Wording) -> str:
    missing = first_steps.stated_in_no_step(report)
    if not missing:
        return ""
    items = Listing(tuple(Name(shown_limit(wording, limit)[0]) for limit in missing))
    return sentence(wording, "report.not_assessed", items=items)


def tiles(report: Report, wording: Wording) -> list[dict[str, str]]:
    """Return the numbers at the top of the report: label, value, note and tone (bad, good, plain).

    A table that is not about people has no classes of people to show.
    """
    made = []
    if is_about_people(report):
        made = [_below_tile(report, wording), _k_tile(report, wording)]
        if not wording.public:
            made.append(_unique_tile(report, wording))
    return [*made, _findings_tile(report, wording)]


def _tile(label: str, value: str, note: str, tone: str) -> dict[str, str]:
    return {"label": label, "value": value, "note": note, "tone": tone}


def _not_measured(label: str, wording: Wording) -> dict[str, str]:
    return _tile(label, "–", sentence(wording, "report.tile_not_measured"), "plain")


def _below_tile(report: Report, wording: Wording) -> dict[str, str]:
    label, k = sentence(wording, "report.label_below"), shown_k(report.policy, public=wording.public)
    risk, n = report.risk, 0 if report.risk is None else report.risk.n_units(report.dataset.n_rows)
    # The public edition keeps the count of one threshold; sizes of classes would show the others.
    below = None if risk is None else risk.n_below.get(str(k)) if wording.public else risk.n_below_k(k)
    if below is None or n == 0:
        return _not_measured(label, wording)
    tone = "bad" if below > report.policy.share_below_k * n else "good"
    total, least = Number(n), Threshold(k)
    if wording.hidden(below, n):
        note = sentence(wording, "report.tile_below_withheld", total=total, k=least)
    else:
        share = Name(wording.share(below / n, n))
        note = sentence(wording, "report.tile_below", total=total, share=share, k=least)
    return _tile(label, wording.count(below, n), note, tone)


def _k_tile(report: Report, wording: Wording) -> dict[str, str]:
    label = "Smallest class (k)"
    if report.risk is None:
        return _not_measured(label, wording)
    reached = _reaches_k(report)
    note = sentence(wording, "report.tile_k", k=Threshold(report.policy.k))
    value = smallest_class(report, wording)
    # The colour must not show what the text withholds.
    return _tile(label, value, note, "good" if reached else "bad" if value != WITHHELD else "plain")


def _unique_tile(report: Report, wording: Wording) -> dict[str, str]:
    label = sentence(wording, "report.label_unique")
    if report.risk is None:
        return _not_measured(label, wording)
    allowed, n = report.policy.uniques, report.risk.n_unique
    people = report.n_units
    part: dict[str, Value] = {
        "total": Number(people),
        "share": Name(wording.share(n / people if people else 0.0, people)),
    }
    if allowed is None:
        note = sentence(wording, "report.tile_unique_open", **part)
    else:
        note = sentence(wording, "report.tile_unique", **part, allowed=Threshold(allowed))
    tone = "plain" if allowed is None else "good" if n <= allowed else "bad"
    return _tile(label, wording.count(n, report.n_units), note, tone)


def _findings_tile(report: Report, wording: Wording) -> dict[str, str]:
    # Several checks may find the same thing in the same columns: it is counted once.
    listed = still_open(report)
    causes = first_of_each_cause(listed)
    n_severe = sum(finding.severity in ("critical", "high") for finding in causes)
    n_accepted = sum(finding.status == "accepted" for finding in report.findings)
    notes = [sentence(wording, "report.tile_findings", severe=Number(n_severe))]
    if len(causes) < len(listed):
        notes.append(sentence(wording, "report.tile_findings_shared", listed=Number(len(listed))))
    if n_accepted:
        notes.append(sentence(wording, "report.tile_findings_accepted", accepted=Number(n_accepted)))
    tone = "bad" if n_severe else "plain" if causes else "good"
    return _tile("Open findings", f"{len(causes):,}", "; ".join(notes), tone)
