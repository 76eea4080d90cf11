"""Answer the controls of a framework from the outcomes of the checks.

Question: does the evidence support a control, speak against it, leave it open, or is it for a person to say?
Method: a control without checks is for a person. One finding of its kind contradicts it. Where none fired but
some check was not run or left a gap, it is not measured. Only where every check ran and none fired does the
evidence support it. A framework with limits of its own is judged by those, whatever the policy says.
Limits: "supported" says that the evidence agrees, not that a duty is met.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from privaudit.model import SEVERITIES, Control, ControlState, PolicyInfo
from privaudit.rulebook.packs import Check, ControlSpec, Framework, OwnLimits
from privaudit.rulebook.scene import Fired, Outcome, Scene

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
    answers: list[Control] = []
    for control in framework.control:
        own = control.limits or framework.limits
        found = [judged[code] for code in control.checks]
        if own is not None:
            terms = replace(scene, policy=_with(scene.policy, own, framework))
            found = [run(outcome.check, terms) for outcome in found]
        answers.append(_control(framework, control, found, preview))
    return tuple(answers)


def _with(policy: PolicyInfo, own: OwnLimits, framework: Framework) -> PolicyInfo:
    chosen = {"k": own.k, "probability": own.probability, "date": own.date, "geo": own.geo}
    values = {key: value for key, value in chosen.items() if value is not None}
    return replace(policy, name=framework.id, **values)  # type: ignore[arg-type]


def _control(
    framework: Framework, control: ControlSpec, outcomes: Sequence[Outcome], preview: bool
) -> Control:
    against = _against(control, outcomes)
    state, why = _state(control, outcomes, against, preview)
    return Control(
        framework=framework.id,
        id=control.id,
        title=control.title,
        requirement=control.requirement,
        state=state,
        findings=tuple(dict.fromkeys(f.finding.fingerprint for f in against)) if state != "human" else (),
        why=" ".join(part for part in (why, _person(control, state)) if part),
        source=control.source,
        verified=control.verified,
    )


def _against(control: ControlSpec, outcomes: Iterable[Outcome]) -> tuple[Fired, ...]:
    fired = [item for outcome in outcomes for item in outcome.fired]
    if control.entities:
        fired = [item for item in fired if item.entity is None or item.entity in control.entities]
    if control.contradicted_when == "any_high":
        fired = [f for f in fired if SEVERITIES.index(f.finding.severity) >= SEVERITIES.index("high")]
    if control.contradicted_when == "threshold":
        fired = [f for f in fired if f.finding.limit is not None]
    return tuple(fired)


def _state(
    control: ControlSpec, outcomes: Sequence[Outcome], against: Sequence[Fired], preview: bool
) -> tuple[ControlState, str]:
    if control.verified == "unverified" and not preview:
        return "human", "The wording here was not verified against its source, so it is not judged."
    if control.assess == "human" or not outcomes:
        return "human", "No measurement answers this; only a person can."
    if against:
        return "contradicted", _speaks_against(against)
    silent = [outcome for outcome in outcomes if not outcome.run or outcome.gaps]
    if silent:
        return "not_measured", _left_open(silent)
    codes = _list(outcome.check.code for outcome in outcomes)
    return "supported", f"Measured and nothing found against it: {codes}."


def _speaks_against(against: Sequence[Fired]) -> str:
    codes = _list(dict.fromkeys(f"{f.finding.code} {f.finding.name}" for f in against))
    columns = list(dict.fromkeys(name for f in against for name in f.finding.subject))
    more = f" and {len(columns) - 5} more" if len(columns) > 5 else ""
    where = f", in {_quoted(columns[:5])}{more}" if columns else ""
    noun = "finding speaks" if len(against) == 1 else "findings speak"
    return f"{len(against)} {noun} against it: {codes}{where}."


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


def _list(items: Iterable[str]) -> str:
    return ", ".join(items)
