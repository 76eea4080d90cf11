"""The first screen: the worst findings, and what to do in which order.

Question: what is wrong with this table, and what should be done about it?
Method: groups of open findings, the worst first, each with a link to it. The plan that was judged comes first; what it
does not resolve follows in the order of the findings, with what the check recommends. Without a plan, the direct
identifiers and the remedy that leaves fewest people in small classes take its place. Each step links to the details.
Limits: a step per finding that the gate fails on; the others are counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from privaudit.base.records import dataclass
from privaudit.model import Finding, Limit, OpenFinding, Remedy, Report, fails
from privaudit.model.vocabulary.families import family
from privaudit.model.wording import Columns, EntityType, Fact, Listing, Name, Number, Share, Term, Value, Wording, fact
from privaudit.report.escape import name
from privaudit.report.sections.ranking import Group, grouped, still_open
from privaudit.report.sections.remedies import (
    best_remedy,
    effect_text,
    first_step_text,
    listed,
    other_method,
    remedy_anchor,
    removes_identifier,
)
from privaudit.report.sentences import sentence, shown, shown_limit

MOST_PROBLEMS = 5
MOST_STEPS = 10
MOST_RECODINGS = 6
"""Recodings of a plan up to which each is a step."""
POOR = 0.5
"""Share of the information from which on a plan loses so much that answers may serve better."""


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence of the first screen, with the anchor of the place that explains it."""

    text: str
    anchor: str
    severity: str = ""
    code: str = ""


def finding_anchor(finding: Finding) -> str:
    """Return the id of a finding in the page."""
    return f"finding-{finding.fingerprint}" if finding.fingerprint.replace("-", "").isalnum() else "findings"


def problems(report: Report, wording: Wording) -> list[Line]:
    """Return the worst groups of findings, one sentence each."""
    return [problem(group, wording) for group in _groups(report)[:MOST_PROBLEMS]]


def has_values(report: Report) -> bool:
    """Whether the table has a cell that is neither empty nor blank."""
    no_values = any(limit.code == "source.only_blanks" for limit in report.limits)
    return bool(report.columns and report.dataset.n_rows) and not no_values


def n_more(report: Report) -> int:
    """Return how many groups of findings `problems` does not list."""
    return max(0, len(_groups(report)) - MOST_PROBLEMS)


def _groups(report: Report) -> list[Group]:
    return grouped(still_open(report))


def problem(group: Group, wording: Wording) -> Line:
    """Return the worst finding of a group as a sentence, and the further columns that it applies to."""
    worst = group.worst
    text = shown(wording, worst.message)
    others = group.findings[1:]
    if others and not group.same_cause:
        named = dict.fromkeys(column for item in others for column in item.subject)
        columns = Columns(tuple(column for column in named if column not in worst.subject))
        text = f"{text} {sentence(wording, 'report.problem_also', columns=columns)}" if columns.names else text
    return Line(text, finding_anchor(worst), worst.severity, name(worst.code, 20))


def steps(report: Report, wording: Wording) -> list[Line]:
    """Return what to do, in order; empty where the gate found nothing to do."""
    blocking = [group for group in _groups(report) if fails(group.worst, report.fail_on)]
    plan = _plan(report) if blocking else None
    # What the plan resolves needs no step of its own.
    resolved = {found.fingerprint for found in plan.resolves} if plan else set()
    rest = [group for group in blocking if any(item.fingerprint not in resolved for item in group.findings)]
    made = _bounds(report, wording) if blocking else []
    # Classes of a table that is smaller than k cannot be enlarged to k.
    rest = [group for group in rest if not (made and family(group.worst.measure).larger_classes)]
    made += [] if plan is None else _steps_of(plan, report, wording)
    dropped = frozenset(_columns_by(plan, "drop")) if plan is not None else frozenset()
    # One step may be recommended for several findings.
    made += list(dict.fromkeys(_step(group, report, wording, dropped) for group in rest))
    if len(made) > MOST_STEPS:
        n = Number(len(made) - MOST_STEPS)
        made = [*made[:MOST_STEPS], Line(sentence(wording, "report.step_more", n=n), "findings")]
    missing = _to_assess(report, plan)
    if missing:
        made.append(Line(_assess(missing, report, wording), "limits"))
    if not made:
        return []
    again = "report.step_again" if blocking else "report.step_again_same"
    again = "report.step_again_passes" if plan is not None and plan.passes and not missing else again
    # Answers come last: they replace the steps before them.
    scanned = sentence(wording, again, steps=Number(len(made)))
    text = " ".join(filter(None, (scanned, _method(plan, wording), _left(report, plan, wording))))
    return [*made, Line(text, "reproduce"), *_answers(report, plan, blocking, wording)]


def _assess(missing: Sequence[Limit], report: Report, wording: Wording) -> str:
    """Return the step that completes the assessment."""
    if not has_values(report):
        return sentence(wording, "report.step_no_values")
    items = Listing(tuple(Name(shown_limit(wording, limit)[0]) for limit in missing))
    step = sentence(wording, "report.step_assess", items=items)
    return f"{step} {sentence(wording, 'report.step_unit')}" if asks_for_unit(report) else step


def asks_for_unit(report: Report) -> bool:
    """Return whether nothing shows what a row is, so that only a person can state that it is not about people."""
    unit = report.dataset.unit
    return unit is not None and unit.kind == "unknown"


def stated_in_no_step(report: Report) -> list[Limit]:
    """Return what was not assessed and no step asks for: a plan removes the column, or the table has no values."""
    missing = [limit for limit in report.limits if limit.incomplete]
    if not has_values(report):
        return missing
    plan = _plan(report) if any(fails(group.worst, report.fail_on) for group in _groups(report)) else None
    asked = _to_assess(report, plan)
    return [limit for limit in missing if limit not in asked]


def _to_assess(report: Report, plan: Remedy | None) -> list[Limit]:
    """Return what must be assessed for a decision: not the columns that the plan removes."""
    settled = _columns_by(plan, "drop", "mask", "pseudonymise") if plan is not None else ()
    return [limit for limit in report.limits if limit.incomplete and not limit.is_settled_without(settled)]


def _left(report: Report, plan: Remedy | None, wording: Wording) -> str:
    """Return the findings that do not fail the gate and stay, after a plan that leaves none that fails it."""
    if plan is None or plan.remaining:
        return ""
    gone = {found.fingerprint for found in {*plan.resolves} - {*plan.stays}}
    left = (one for one in still_open(report) if one.fingerprint not in gone)
    return _by_check(left, report, wording)


def after_plan(report: Report, wording: Wording) -> str:
    """Return the expected effect of the best plan and the findings that remain; empty without a plan."""
    plan = _plan(report)
    if plan is None:
        return ""
    decision = plan.text.values.get("decision")
    stated = shown(wording, decision) if isinstance(decision, Fact) else ""
    effect = effect_text(plan, report, wording, len(_steps_of(plan, report, wording)))
    parts = (effect, stated, _left(report, plan, wording))
    return " ".join(filter(None, parts))


def failing(report: Report, wording: Wording) -> str:
    """Return the findings that fail the gate, as one sentence; empty if there are none."""
    found = (one for one in still_open(report) if fails(one, report.fail_on))
    return _by_check(found, report, wording, "report.step_fails")


def not_failing(report: Report, wording: Wording) -> str:
    """Return the open findings that do not fail the gate, as one sentence; empty if there are none."""
    return _by_check((one for one in still_open(report) if not fails(one, report.fail_on)), report, wording)


def _by_check(findings: Iterable[Finding], report: Report, wording: Wording, code: str = "report.step_left") -> str:
    by_check: dict[str, list[Finding]] = {}
    for finding in findings:
        by_check.setdefault(finding.code, []).append(finding)
    items = tuple(_left_of_check(found, report) for found in by_check.values())
    return sentence(wording, code, items=Listing(items)) if items else ""


def _left_of_check(found: list[Finding], report: Report) -> Fact:
    code = found[0].code
    title = next((check.title for check in report.checks if check.code == code), found[0].name)
    columns = Columns(tuple(dict.fromkeys(column for finding in found for column in finding.subject)))
    values = {"title": Name(name(title, 200)), "code": Name(name(code, 20))}
    return fact("report.left", columns=columns, **values) if columns.names else fact("report.left_of_table", **values)


def _method(plan: Remedy | None, wording: Wording) -> str:
    """Return that another method keeps more than the steps, by the measure that methods have in common."""
    other = None if plan is None else other_method(plan)
    if plan is None or other is None:
        return ""
    of_steps = next(each for each in plan.alternatives if each.method == "full-domain")
    kept, kept_by_steps = (Share(1 - each.loss) for each in (other, of_steps))
    method = Term(f"method.{other.method}")
    # Two numbers that are written alike do not show which is larger.
    is_visible = wording.value(kept) != wording.value(kept_by_steps)
    code = "report.step_method" if is_visible else "report.step_method_slightly"
    return sentence(wording, code, method=method, kept=kept, kept_by_steps=kept_by_steps)


def _bounds(report: Report, wording: Wording) -> list[Line]:
    """Return why no step can reach the policy, where the table has too few records for it."""
    found = [limit for limit in report.limits if limit.code == "advice.too_few_records"]
    return [Line(shown_limit(wording, limit)[1], "limits") for limit in found]


def _answers(report: Report, plan: Remedy | None, blocking: list[Group], wording: Wording) -> list[Line]:
    """Return that questions can be answered where rows cannot be released: no plan passes, or it loses too much."""
    # An attack alone searches no plans, and a new judgement omits those of the scan: that none passes is unknown.
    omitted = any(limit.code == "pipeline.advice_for_another_k" for limit in report.limits)
    if plan is None and (report.risk is None or omitted):
        return []
    # A plan after which nothing fails, and something is not assessed, may pass once it is.
    if plan is None or plan.remaining:
        # Attacks are not simulated again for a plan: where only they fail or remain, that none passes is unknown, too.
        only_attacks = all(family(group.worst.measure).attack for group in blocking)
        unknown = only_attacks if plan is None else all(_is_unmeasured(one) for one in plan.remaining)
        return [] if unknown else [Line(sentence(wording, "report.step_answers"), "remedies")]
    # The public edition withholds the information lost, and the other methods.
    other = other_method(plan)
    lost = plan.utility_cost if other is None else other.loss
    if lost is not None and lost > POOR:
        return [Line(sentence(wording, "report.step_answers_poor"), "remedies")]
    return []


def _is_unmeasured(found: OpenFinding) -> bool:
    return found.because.code == "advice.because_not_measured_again"


def _plan(report: Report) -> Remedy | None:
    """Return the plan that is listed first, which `remedy` applies if nobody chooses another."""
    plans = (remedy for remedy in report.advice if remedy.parameters.get("steps") and remedy.resolves)
    return next(plans, None)


def _steps_of(plan: Remedy, report: Report, wording: Wording) -> list[Line]:
    """Return the steps of a plan: the columns to drop, each recoding, what is suppressed, and the effect of all."""
    anchor = remedy_anchor(report, plan, listed(report, wording))
    items = _items(plan.text.values.get("steps"))
    dropped = _columns_by(plan, "drop")
    changed = [item for item in items if item.code != "advice.drop"]
    texts = [sentence(wording, "report.step_drop", columns=Columns(dropped))] if dropped else []
    if len(changed) > MOST_RECODINGS:
        columns = tuple(column for column in plan.columns if column not in dropped)
        texts.append(sentence(wording, "report.step_generalise", columns=Columns(columns)))
    else:
        texts += [f"{shown(wording, item)}." for item in changed]
    suppressed = plan.text.values.get("suppression")
    what = suppressed.values.get("what") if isinstance(suppressed, Fact) else None
    texts += [f"{shown(wording, what)}."] if isinstance(what, Fact) else []
    lines = [Line(_sentence_case(text), anchor) for text in texts]
    effect = effect_text(plan, report, wording, len(lines))
    return [*lines[:-1], replace(lines[-1], text=f"{lines[-1].text} {effect}".rstrip())] if lines else []


def _columns_by(plan: Remedy, *techniques: str) -> tuple[str, ...]:
    """Return the columns that a plan treats by one of `techniques`, in the order of its steps."""
    listed = (step for step in plan.parameters["steps"] if isinstance(step, Mapping))
    return tuple(str(step.get("column")) for step in listed if step.get("technique") in techniques)


def _items(steps: Value | None) -> list[Fact]:
    """Return the steps that a plan chains."""
    items = []
    while isinstance(steps, Fact):
        rest = steps.values.get("rest")
        item = steps.values.get("item") if rest is not None else steps
        items += [item] if isinstance(item, Fact) else []
        steps = rest
    return items


def _step(group: Group, report: Report, wording: Wording, dropped: frozenset[str]) -> Line:
    treated = _treatments(report)
    if any(column in treated for column in group.worst.subject) and family(group.worst.measure).reveals == "identity":
        columns = Columns(tuple(treated))
        anchor = remedy_anchor(report, treated[next(iter(treated))], listed(report, wording))
        return Line(sentence(wording, "report.step_identifiers", columns=columns), anchor)
    best = None if _plan(report) else best_remedy(report)
    if best is not None and family(group.worst.measure).larger_classes:
        text = first_step_text(best, best.columns, report, wording)
        return Line(_sentence_case(text), remedy_anchor(report, best, listed(report, wording)))
    return Line(_recommendation(group, report, wording, dropped), finding_anchor(group.worst))


def _treatments(report: Report) -> dict[str, Remedy]:
    """Return the remedy for each direct identifier that has one, by column."""
    direct = {column.name for column in report.columns if column.role == "direct"}
    found: dict[str, Remedy] = {}
    for remedy in report.advice:
        if removes_identifier(remedy) and remedy.columns[0] in direct:
            found.setdefault(remedy.columns[0], remedy)
    return found


def _recommendation(group: Group, report: Report, wording: Wording, dropped: frozenset[str]) -> str:
    """Return what the check of a finding recommends, for the columns of the group that no step before drops."""
    worst = group.worst
    check = next((check for check in report.checks if check.code == worst.code), None)
    named = dict.fromkeys(column for item in group.findings for column in item.subject)
    columns = Columns(tuple(column for column in named if column not in dropped))
    advised = "" if check is None else name(wording.fill(check.remedy, worst.message.values), 400)
    if not advised:
        return sentence(wording, "report.step_finding", code=Name(name(worst.code, 20)), columns=columns)
    if not columns.names:
        return advised
    entity, text = worst.message.values.get("entity"), Name(advised)
    if isinstance(entity, EntityType) and wording.value(entity) not in advised:
        return sentence(wording, "report.step_recommended_for", columns=columns, entity=entity, advised=text)
    return sentence(wording, "report.step_recommended", columns=columns, advised=text)


def _sentence_case(text: str) -> str:
    return text if text.startswith('"') else text[:1].upper() + text[1:]
