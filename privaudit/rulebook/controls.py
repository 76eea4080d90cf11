"""Answer the controls of a framework from the outcomes of the checks.

Question: does the evidence support a control, contradict it, leave it open, or is it for a person to answer?
Method: a control without checks is for a person. One finding of its kind contradicts it; a finding that only raises a
question refers it to a person. Where no check fired but some check was not run or left a gap, it is not measured. The
evidence supports it only where every check ran and none fired. A framework with limits of its own is judged by those,
independent of the policy.
Limits: "supported" means that the evidence agrees, not that a duty is met.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from privaudit.model import Control, ControlState, PolicyInfo, reaches
from privaudit.model.wording import Columns, Fact, Listing, Name, Number, Value, fact
from privaudit.rulebook.measurement import Context
from privaudit.rulebook.outcome import Fired, Outcome
from privaudit.rulebook.packs import Check, ControlSpec, Framework, FrameworkLimits

EXTENDED = "column.special_category"
"""The measure whose list of entity types frameworks extend."""

Run = Callable[[Check, Context], Outcome]


def answer(
    framework: Framework,
    checks: Sequence[Check],
    outcomes: Sequence[Outcome],
    context: Context,
    run: Run,
    preview: bool = False,
) -> tuple[Control, ...]:
    """Return the state of every control of `framework`, with reasons.

    Parameters
    ----------
    framework : Framework
    checks, outcomes : sequences of one length
        Every check and its outcome under the policy.
    context : Context
        Evidence and terms.
    run : callable
        Runs one check, for limits of the framework.
    preview : bool
        Whether controls that were not verified against their source are judged.
    """
    judged = {check.code: outcome for check, outcome in zip(checks, outcomes, strict=True)}
    reported = frozenset(item.finding.fingerprint for outcome in outcomes for item in outcome.fired)
    answers: list[Control] = []
    for control in framework.control:
        limits = control.limits or framework.limits
        selected = [judged[code] for code in control.checks]
        selected += [judged[code] for code in control.if_run if judged[code].run]
        if limits is not None:
            policy = _with_limits(context.policy, limits, framework)
            terms = replace(context, policy=policy, places=frozenset(limits.places))
            selected = [run(outcome.check, terms) for outcome in selected]
        selected = [_of_framework(outcome, framework) for outcome in selected]
        answers.append(_control(framework, control, selected, preview, reported))
    return tuple(answers)


def _of_framework(outcome: Outcome, framework: Framework) -> Outcome:
    """Remove findings that only another framework's list of sensitive categories caused."""
    if outcome.check.measure != EXTENDED:
        return outcome
    listed = {*outcome.check.entities, *framework.sensitive}
    return replace(outcome, fired=tuple(f for f in outcome.fired if f.entity is None or f.entity in listed))


def _with_limits(policy: PolicyInfo, limits: FrameworkLimits, framework: Framework) -> PolicyInfo:
    chosen = {"k": limits.k, "probability": limits.probability, "date": limits.date, "geo": limits.geo}
    values = {key: value for key, value in chosen.items() if value is not None}
    return replace(policy, name=framework.id, **values)  # type: ignore[arg-type]


def _control(
    framework: Framework,
    control: ControlSpec,
    outcomes: Sequence[Outcome],
    preview: bool,
    reported: frozenset[str],
) -> Control:
    state, why, linked = _state(control, outcomes, preview)
    fingerprints = dict.fromkeys(item.finding.fingerprint for item in linked)
    return Control(
        framework=framework.id,
        id=control.id,
        title=control.title,
        requirement=control.requirement,
        state=state,
        findings=tuple(mark for mark in fingerprints if mark in reported),
        why=(why, *_accepted(linked), *_for_person(control, state)),
        source=control.source,
        verified=control.verified,
    )


def _concerning(control: ControlSpec, outcomes: Iterable[Outcome]) -> list[Fired]:
    fired = [item for outcome in outcomes for item in outcome.fired]
    if not control.entities:
        return fired
    return [item for item in fired if item.entity is None or item.entity in control.entities]


def _contradicts(control: ControlSpec, item: Fired) -> bool:
    if item.finding.code in control.asks:
        return False
    if control.contradicted_when == "any_high":
        return reaches(item.finding.severity, "high")
    return control.contradicted_when == "any_finding" or item.finding.limit is not None


def _state(
    control: ControlSpec, outcomes: Sequence[Outcome], preview: bool
) -> tuple[ControlState, Fact, Sequence[Fired]]:
    if control.verified == "unverified" and not preview:
        return "human", fact("rulebook.control_not_verified"), ()
    if control.assess == "human" or not outcomes:
        return "human", fact("rulebook.control_for_person"), ()
    fired = _concerning(control, outcomes)
    against = [item for item in fired if _contradicts(control, item)]
    if against:
        return "contradicted", _findings("rulebook.control_contradicted", against), against
    if fired:
        return "human", _findings("rulebook.control_questioned", fired), fired
    silent = [outcome for outcome in outcomes if not outcome.run or outcome.gaps]
    if silent:
        return "not_measured", _not_measured(silent), ()
    codes = Listing(items=tuple(Name(text=outcome.check.code) for outcome in outcomes))
    return "supported", fact("rulebook.control_supported", checks=codes), ()


def _accepted(linked: Sequence[Fired]) -> tuple[Fact, ...]:
    """Return how many of the findings are accepted; the state of a control does not depend on it."""
    accepted = [item.finding for item in linked if item.finding.status == "accepted"]
    if not accepted:
        return ()
    names = dict.fromkeys(f"{finding.code} {finding.name}" for finding in accepted)
    checks = Listing(items=tuple(Name(text=text) for text in names))
    n, total = Number(value=len(accepted)), Number(value=len(linked))
    return (fact("rulebook.control_accepted", n=n, total=total, checks=checks),)


def _findings(code: str, fired: Sequence[Fired]) -> Fact:
    names = dict.fromkeys(f"{f.finding.code} {f.finding.name}" for f in fired)
    columns = dict.fromkeys(name for f in fired for name in f.finding.subject)
    values: dict[str, Value] = {
        "n": Number(value=len(fired)),
        "checks": Listing(items=tuple(Name(text=n) for n in names)),
    }
    if not columns:
        return fact(code, **values)
    where = fact("rulebook.control_columns", columns=Columns(names=tuple(columns)))
    return fact(code, where=where, **values)


def _not_measured(silent: Sequence[Outcome]) -> Fact:
    first = silent[0]
    check = Name(text=f"{first.check.code} {first.check.name}")
    if len(silent) == 1:
        return fact("rulebook.control_not_measured", check=check, reason=first.gaps[0])
    more = fact("rulebook.more_checks", n=Number(value=len(silent) - 1))
    return fact("rulebook.control_not_measured", check=check, reason=first.gaps[0], more=more)


def _for_person(control: ControlSpec, state: ControlState) -> tuple[Fact, ...]:
    if control.person and control.assess != "scan":
        return (fact("rulebook.control_person", question=Name(text=control.person)),)
    if control.assess == "both" and state != "human":
        return (fact("rulebook.control_also_for_person"),)
    return ()
