"""Answer the controls of a framework from the outcomes of the checks.

Question: does the evidence support a control, speak against it, leave it open, or is it for a person to say?
Method: a control without checks is for a person. One finding of its kind contradicts it; a finding that only raises
a question hands it to a person. Where none fired but some check was not run or left a gap, it is not measured. Only
where every check ran and none fired does the evidence support it. A framework with limits of its own is judged by
those, whatever the policy says.
Limits: "supported" says that the evidence agrees, not that a duty is met.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from privaudit.model import SEVERITIES, Control, ControlState, PolicyInfo
from privaudit.rulebook.packs import Check, ControlSpec, Framework, OwnLimits
from privaudit.rulebook.scene import Fired, Outcome, Scene

WIDENED = "column.special_category"
"""The measure whose list of entities frameworks widen."""

Run = Callable[[Check, Scene], Outcome]


def answer(
    framework: Framework,
    checks: Sequence[Check],
    outcomes: Sequence[Outcome],
    scene: Scene,
    run: Run,
    preview: bool = False,
) -> tuple[Control, ...]:
    """Return the state of every control of `framework`, with a sentence that says why.

    Parameters
    ----------
    framework : Framework
    checks, outcomes : sequences of one length
        Every check and what became of it under the policy.
    scene : Scene
        Evidence and terms.
    run : callable
        Runs one check, for limits of the framework's own.
    preview : bool
        Whether controls that were not verified against their source are judged.
    """
    judged = {check.code: outcome for check, outcome in zip(checks, outcomes, strict=True)}
    told = frozenset(item.finding.fingerprint for outcome in outcomes for item in outcome.fired)
    answers: list[Control] = []
    for control in framework.control:
        own = control.limits or framework.limits
        found = [judged[code] for code in control.checks]
        if own is not None:
            policy = _with(scene.policy, own, framework)
            terms = replace(scene, policy=policy, places=frozenset(own.places))
            found = [run(outcome.check, terms) for outcome in found]
        found = [_of_framework(outcome, framework) for outcome in found]
        answers.append(_control(framework, control, found, preview, told))
    return tuple(answers)


def _of_framework(outcome: Outcome, framework: Framework) -> Outcome:
    """Leave out findings that another framework's list of sensitive categories brought in."""
    if outcome.check.measure != WIDENED:
        return outcome
    listed = {*outcome.check.entities, *framework.sensitive}
    return replace(outcome, fired=tuple(f for f in outcome.fired if f.entity is None or f.entity in listed))


def _with(policy: PolicyInfo, own: OwnLimits, framework: Framework) -> PolicyInfo:
    chosen = {"k": own.k, "probability": own.probability, "date": own.date, "geo": own.geo}
    values = {key: value for key, value in chosen.items() if value is not None}
    return replace(policy, name=framework.id, **values)  # type: ignore[arg-type]


def _control(
    framework: Framework,
    control: ControlSpec,
    outcomes: Sequence[Outcome],
    preview: bool,
    told: frozenset[str],
) -> Control:
    state, why, linked = _state(control, outcomes, preview)
    fingerprints = dict.fromkeys(item.finding.fingerprint for item in linked)
    return Control(
        framework=framework.id,
        id=control.id,
        title=control.title,
        requirement=control.requirement,
        state=state,
        findings=tuple(mark for mark in fingerprints if mark in told),
        why=" ".join(part for part in (why, _person(control, state)) if part),
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
        return SEVERITIES.index(item.finding.severity) >= SEVERITIES.index("high")
    return control.contradicted_when == "any_finding" or item.finding.limit is not None


def _state(
    control: ControlSpec, outcomes: Sequence[Outcome], preview: bool
) -> tuple[ControlState, str, Sequence[Fired]]:
    if control.verified == "unverified" and not preview:
        return "human", "The wording here was not verified against its source, so it is not judged.", ()
    if control.assess == "human" or not outcomes:
        return "human", "No measurement answers this; only a person can.", ()
    fired = _concerning(control, outcomes)
    against = [item for item in fired if _contradicts(control, item)]
    if against:
        return "contradicted", _told(against, "speaks against it", "speak against it"), against
    if fired:
        return "human", _told(fired, "asks for an answer", "ask for an answer"), fired
    silent = [outcome for outcome in outcomes if not outcome.run or outcome.gaps]
    if silent:
        return "not_measured", _left_open(silent), ()
    codes = ", ".join(outcome.check.code for outcome in outcomes)
    return "supported", f"Measured and nothing found against it: {codes}.", ()


def _told(fired: Sequence[Fired], one: str, several: str) -> str:
    codes = ", ".join(dict.fromkeys(f"{f.finding.code} {f.finding.name}" for f in fired))
    columns = list(dict.fromkeys(name for f in fired for name in f.finding.subject))
    more = f" and {len(columns) - 5} more" if len(columns) > 5 else ""
    where = f", in {_quoted(columns[:5])}{more}" if columns else ""
    verb = f"finding {one}" if len(fired) == 1 else f"findings {several}"
    return f"{len(fired)} {verb}: {codes}{where}."


def _left_open(silent: Sequence[Outcome]) -> str:
    first = silent[0]
    rest = len(silent) - 1
    more = f" So are {rest} more checks." if rest > 1 else " So is one more check." if rest else ""
    return f"{first.check.code} {first.check.name} is open: {first.gaps[0]}.{more}"


def _person(control: ControlSpec, state: ControlState) -> str:
    if control.person and control.assess != "scan":
        return control.person
    if control.assess == "both" and state != "human":
        return "A person still has to answer what a scan cannot see."
    return ""


def _quoted(columns: Iterable[str]) -> str:
    return ", ".join(f'"{column}"' for column in columns)
