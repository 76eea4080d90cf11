"""Answer the controls of a framework from the outcomes of the checks.

Question: what does the evidence answer to the question of a control, and what is left to a person?
Method: a check answers only the question whose subject it measures. A finding gives the answer that the pack states for
its check; one of confidence below 0.5 refers the question to a person. What the question presupposes must have been
found, or the question does not apply. Counts of people are data about people: the columns of an aggregate are judged
for its controls as those of a table of people, and what needs records is not measured. Where nothing was found, the
pack states the answer, given only if every check was measured completely. A framework with limits of its own is judged
by those, independent of the policy.
Limits: law, purpose and accountability are for a person whatever was measured. "Supported" means that the evidence
agrees.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from privaudit.base.records import dataclass
from privaudit.base.wire import assembled
from privaudit.model import Control, ControlState, PolicyInfo
from privaudit.model.judgement import Answer
from privaudit.model.wording import Columns, EntityType, Fact, Listing, Name, Number, Value, fact
from privaudit.rulebook.measurement import Context
from privaudit.rulebook.outcome import Fired, Outcome
from privaudit.rulebook.packs import Check, ControlSpec, Framework, FrameworkLimits

EXTENDED = "column.special_category"
"""The measure whose list of entity types frameworks extend."""
WEAK = 0.5
"""A finding of lower confidence answers neither yes nor no."""

Run = Callable[[Check, Context], Outcome]


@dataclass(frozen=True, slots=True)
class _Answered:
    answer: Answer
    why: Fact
    linked: Sequence[Fired] = ()


def answer(
    framework: Framework,
    checks: Sequence[Check],
    outcomes: Sequence[Outcome],
    context: Context,
    run: Run,
    preview: bool = False,
) -> tuple[Control, ...]:
    """Return the answer to every control of `framework`, with reasons.

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
    aggregate = context.unit_kind == "aggregate"
    answers: dict[str, Control] = {}
    for control in framework.control:
        selected = {code: judged[code] for code in (*control.checks, *control.if_run, *control.facts)}
        # A control asks about the people behind the counts of an aggregate; the checks of records leave them alone.
        terms = replace(context, counts_people=True) if aggregate else context
        limits = control.limits or framework.limits
        if limits is not None:
            terms = replace(terms, policy=_with_limits(context.policy, limits, framework))
        if terms is not context:
            # Under the limits of the framework a check can fire that passed under the policy, and the reverse.
            selected = {code: run(outcome.check, terms) for code, outcome in selected.items()}
        selected = {code: _concerning(control, framework, outcome) for code, outcome in selected.items()}
        found = _answered(control, selected, context, answers, preview)
        answers[control.id] = _control(framework, control, found, selected, reported)
    return tuple(answers.values())


def _concerning(control: ControlSpec, framework: Framework, outcome: Outcome) -> Outcome:
    """Remove findings about other entity types, and those that only another framework's list caused."""
    fired = outcome.fired
    if outcome.check.measure == EXTENDED:
        listed = {*outcome.check.entities, *framework.sensitive}
        fired = tuple(item for item in fired if item.entity is None or item.entity in listed)
    if control.entities:
        fired = tuple(item for item in fired if item.entity is None or item.entity in control.entities)
    return replace(outcome, fired=fired)


def _with_limits(policy: PolicyInfo, limits: FrameworkLimits, framework: Framework) -> PolicyInfo:
    chosen = {"k": limits.k, "probability": limits.probability, "date": limits.date, "geo": limits.geo}
    values = {key: value for key, value in chosen.items() if value is not None}
    return replace(policy, name=framework.id, places=limits.places, **values)  # type: ignore[arg-type]


def _answered(
    control: ControlSpec,
    outcomes: Mapping[str, Outcome],
    context: Context,
    earlier: Mapping[str, Control],
    preview: bool,
) -> _Answered:
    outside = _outside(control, context)
    if outside is not None:
        return outside
    if control.verified == "unverified" and not preview:
        return _Answered("person", fact("rulebook.control_not_verified"))
    if control.any_of:
        return _of_others([earlier[name] for name in control.any_of])
    if not control.checks:
        return _Answered("person", fact("rulebook.control_for_person"))
    # In this order: a question without its object has no answer, and a finding outweighs the silence of other checks.
    return _presupposed(control, outcomes) or _by_findings(control, outcomes) or _by_silence(control, outcomes, context)


def _outside(control: ControlSpec, context: Context) -> _Answered | None:
    """Return the answer for a table that the question is not about."""
    if control.of == "any":
        return None
    aggregate = context.unit_kind == "aggregate"
    if control.of == "aggregates":
        return None if aggregate else _Answered("not_applicable", fact("rulebook.control_of_aggregates"))
    if aggregate and control.of == "records":
        return _Answered("person", fact("rulebook.control_of_records"))
    if aggregate or context.is_about_people:
        return None
    return _Answered("not_applicable", fact("rulebook.control_of_people"))


def _of_others(others: Sequence[Control]) -> _Answered:
    names = Listing(tuple(Name(control.id) for control in others))
    answers = {control.answer for control in others}
    if "yes" in answers:
        yes = Listing(tuple(Name(c.id) for c in others if c.answer == "yes"))
        return _Answered("yes", fact("rulebook.control_of_others", controls=yes))
    if answers == {"no"}:
        return _Answered("no", fact("rulebook.control_of_others", controls=names))
    return _Answered("not_measured", fact("rulebook.control_of_open_others", controls=names))


def _presupposed(control: ControlSpec, outcomes: Mapping[str, Outcome]) -> _Answered | None:
    """Return the answer where what the question presupposes was not found."""
    needed = [outcomes[code] for code in control.presupposes]
    if not needed or any(outcome.fired for outcome in needed):
        return None
    silent = _unmeasured(needed)
    if silent:
        return _Answered("not_measured", _not_measured(silent))
    return _Answered("not_applicable", fact("rulebook.control_presupposes", checks=_codes(needed)))


def _by_findings(control: ControlSpec, outcomes: Mapping[str, Outcome]) -> _Answered | None:
    weak: list[Fired] = []
    no, yes = control.answers_no, control.answers_yes
    no, yes = ((*no, *control.if_run), yes) if control.good == "yes" else (no, (*yes, *control.if_run))
    for codes, given in ((no, "no"), (yes, "yes")):
        fired = [item for code in codes for item in outcomes[code].fired]
        # A doubtful finding must neither support nor contradict a control: it goes to a person.
        strong = [item for item in fired if item.finding.confidence >= WEAK]
        if strong:
            return _Answered("no" if given == "no" else "yes", _findings("rulebook.control_found", strong), strong)
        weak += fired
    asked = [*weak, *(item for code in control.asks for item in outcomes[code].fired)]
    return _Answered("person", _findings("rulebook.control_questioned", asked), asked) if asked else None


def _by_silence(control: ControlSpec, outcomes: Mapping[str, Outcome], context: Context) -> _Answered:
    codes = dict.fromkeys((*control.answers_yes, *control.answers_no, *control.asks))
    asked = [outcomes[code] for code in codes]
    # Attacks and populations are optional inputs: where they were not given, their silence is not a gap.
    asked += [outcomes[code] for code in control.if_run if outcomes[code].run]
    if control.silent == "person":
        return _Answered("person", fact("rulebook.control_silent_for_person", checks=_codes(asked)))
    silent = _unmeasured(asked)
    if silent:
        return _Answered("not_measured", _not_measured(silent))
    if control.silent == "not_measured":
        return _Answered("not_measured", fact("rulebook.control_silence_proves_nothing", checks=_codes(asked)))
    # Nothing found proves something only where the checks had columns of these types to look at.
    read = {column.is_.entity for column in context.columns if column.is_ is not None}
    if control.reads and not read & set(control.reads):
        return _Answered("not_measured", fact("rulebook.control_reads", types=_types(control.reads)))
    if control.entities:  # the checks may have found columns of other types
        return _Answered(
            control.silent, fact("rulebook.control_none_of_types", checks=_codes(asked), types=_types(control.entities))
        )
    return _Answered(control.silent, fact("rulebook.control_none_found", checks=_codes(asked)))


def _types(codes: Iterable[str]) -> Listing:
    return Listing(tuple(EntityType(code) for code in codes))


def _unmeasured(outcomes: Iterable[Outcome]) -> list[Outcome]:
    """Return those that were not measured completely.

    A check of cells does not concern a table of people, nor one of people a table of things.
    """
    return [outcome for outcome in outcomes if outcome.applies and (outcome.gaps or not outcome.run)]


def _control(
    framework: Framework,
    control: ControlSpec,
    found: _Answered,
    outcomes: Mapping[str, Outcome],
    reported: frozenset[str],
) -> Control:
    facts = [item for code in control.facts for item in outcomes[code].fired]
    judged = found.answer not in ("not_applicable",)
    linked = [*found.linked, *facts] if judged else []
    fingerprints = dict.fromkeys(item.finding.fingerprint for item in linked)
    why = (found.why, *_facts(facts if judged else []), *_accepted(linked), *(_for_person(control) if judged else ()))
    return assembled(
        Control,
        control,
        framework=framework.id,
        answer=found.answer,
        state=_state(control, found.answer),
        findings=tuple(mark for mark in fingerprints if mark in reported),
        why=why,
    )


def _state(control: ControlSpec, given: Answer) -> ControlState:
    if given in ("not_measured", "not_applicable"):
        return "not_measured"
    if given == "person" or control.good is None:
        return "human"
    return "supported" if given == control.good else "contradicted"


def _accepted(linked: Sequence[Fired]) -> tuple[Fact, ...]:
    """Return how many of the findings are accepted; the answer of a control does not depend on it."""
    accepted = [item.finding for item in linked if item.finding.status == "accepted"]
    if not accepted:
        return ()
    names = dict.fromkeys(f"{finding.code} {finding.name}" for finding in accepted)
    checks = Listing(tuple(Name(text) for text in names))
    n, total = Number(len(accepted)), Number(len(linked))
    return (fact("rulebook.control_accepted", n=n, total=total, checks=checks),)


def _facts(fired: Sequence[Fired]) -> tuple[Fact, ...]:
    return (_findings("rulebook.control_facts", fired),) if fired else ()


def _findings(code: str, fired: Sequence[Fired]) -> Fact:
    names = dict.fromkeys(f"{f.finding.code} {f.finding.name}" for f in fired)
    columns = dict.fromkeys(name for f in fired for name in f.finding.subject)
    values: dict[str, Value] = {"n": Number(len(fired)), "checks": Listing(tuple(Name(n) for n in names))}
    if not columns:
        return fact(code, **values)
    where = fact("rulebook.control_columns", columns=Columns(tuple(columns)))
    return fact(code, where=where, **values)


def _codes(outcomes: Iterable[Outcome]) -> Listing:
    return Listing(tuple(Name(outcome.check.code) for outcome in outcomes))


def _not_measured(silent: Sequence[Outcome]) -> Fact:
    first = silent[0]
    check = Name(f"{first.check.code} {first.check.name}")
    if len(silent) == 1:
        return fact("rulebook.control_not_measured", check=check, reason=first.gaps[0])
    more = fact("rulebook.more_checks", n=Number(len(silent) - 1))
    return fact("rulebook.control_not_measured", check=check, reason=first.gaps[0], more=more)


def _for_person(control: ControlSpec) -> tuple[Fact, ...]:
    return (fact("rulebook.control_person", question=Name(control.person)),) if control.person else ()
