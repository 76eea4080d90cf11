"""What a comparison of a table before and after its remedies states in sentences.

Question: what did the remedies leave, and what can still be known about perturbed values?
Method: the measures of a run are the typed values of the sentences ``remedies.*`` of the catalogue.
Limits: utility and attacks are stated in the full edition; the public one omits them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from privaudit.model.remedied import PerturbationAttack, RemedyRun, TaskUtility, Utility
from privaudit.model.wording import Columns, Count, EntityType, Listing, Name, Number, Share, Term, Threshold, fact
from privaudit.model.wording.render import Wording
from privaudit.report.sections import attacks as attacks_section
from privaudit.report.sentences import sentence, shown
from privaudit.report.techniques import technique

_DECISIONS = {0: "passed", 1: "failed", 3: "incomplete"}


def verdict(run: RemedyRun, wording: Wording) -> str:
    """Return the decision of the gate before and after."""
    before, after = (Term(f"gate.{_DECISIONS.get(side.exit_code, 'failed')}") for side in (run.before, run.after))
    return sentence(wording, "remedies.verdict", before=before, after=after)


def left(run: RemedyRun, wording: Wording) -> list[str]:
    """Return what is left of the table, then what the techniques noted."""
    utility = [] if run.utility is None else _utility(run.utility, wording)
    asked = [shown(wording, stated, 1_000) for stated in (run.excess, run.question) if stated is not None]
    notes = (_noted(note, wording) for note in run.fits)
    stated = (shown(wording, each, 1_000) for each in run.notes)
    return [*asked, *_lost(run, wording), *utility, *notes, *stated]


def _lost(run: RemedyRun, wording: Wording) -> list[str]:
    """Return what can no longer be computed from the table."""
    dropped = () if run.utility is None else run.utility.dropped
    tokens = {name for step in run.steps if step.technique == "pseudonymise" for name in step.columns}
    gone = tuple(name for name in dropped if name not in tokens)
    ranges = [n for step in run.steps if step.technique in ("mondrian", "recode_locally") for n in step.columns]
    # Tokens are as many as the values that they replace, so records can be counted by them.
    counted = {*ranges, *tokens, *(new for old, new in _new_names(run) if old in tokens)}
    grouped = [c.column for c in (run.utility.columns if run.utility else ()) if c.distance and c.column not in counted]
    facts = (("remedies.lost_columns", gone), ("remedies.lost_values", grouped), ("remedies.lost_counts", ranges))
    return [sentence(wording, code, columns=Columns(tuple(names))) for code, names in facts if names]


def _new_names(run: RemedyRun) -> Iterator[tuple[str, str]]:
    for step in run.steps:
        if step.technique == "rename_columns":
            yield from zip(step.columns, step.parameters.get("to", ()), strict=False)


def _utility(utility: Utility, wording: Wording) -> list[str]:
    lines = [sentence(wording, "remedies.records_kept", kept=Share(utility.records_kept))]
    if utility.pair_distance is not None:
        pairs, distance = Count(utility.n_pairs, unit="pair"), Number(utility.pair_distance)
        lines.append(sentence(wording, "remedies.pair_distance", pairs=pairs, distance=distance))
    if utility.suppression_distance is not None:
        alone = Number(utility.suppression_distance)
        lines.append(sentence(wording, "remedies.suppression_distance", distance=alone))
    if utility.correlation_change is not None:
        change = Number(utility.correlation_change)
        lines.append(sentence(wording, "remedies.correlation_change", change=change))
    return [*lines, _prediction(utility.task, wording)] if utility.task is not None else lines


def _prediction(task: TaskUtility, wording: Wording) -> str:
    return sentence(
        wording,
        "remedies.prediction",
        target=Columns((task.target,)),
        model=Name(task.model),
        score=Name(task.score),
        splits=Threshold(task.n_splits),
        without=Number(task.without or 0.0),
        before=Number(task.before),
        after=Number(task.after),
        difference=Number(task.difference.value),
        low=Number(task.difference.low),
        high=Number(task.difference.high),
    )


def _noted(note: Mapping[str, Any], wording: Wording) -> str:
    if "unused_method" in note:
        return sentence(wording, "remedies.method_unused", method=Term(f"method.{note['unused_method']}"))
    if "added" in note:
        return sentence(wording, "remedies.suppression_added", records=Count(note["added"], unit="record"))
    if note.get("unchanged"):
        column = Columns((note["column"],))
        return sentence(wording, "remedies.unchanged", column=column, technique=Name(technique(note["technique"])))
    return (_masked if note["technique"] == "mask_text" else _fit)(note, wording)


def _masked(note: Mapping[str, Any], wording: Wording) -> str:
    found = tuple(
        fact("remedies.masked_type", entity=EntityType(code), rows=Count(rows, unit="row"))
        for code, rows in note["masked"].items()
    )
    return sentence(
        wording,
        "remedies.masked",
        column=Columns((note["column"],)),
        found=Listing(found) if found else fact("remedies.masked_nothing"),
        unchanged=Count(note["not_masked"], unit="row"),
    )


def _fit(note: Mapping[str, Any], wording: Wording) -> str:
    return sentence(
        wording,
        "remedies.fit",
        column=Columns((note["column"],)),
        family=Name(note["family"]),
        likelihood=Number(note["log_likelihood"]),
        distance=Number(note["kolmogorov_smirnov"]),
    )


def release_attacks(run: RemedyRun, wording: Wording) -> list[str]:
    """Return what someone achieves who compares the release with people of the source, and which limits hold."""
    assumed = (each for found in run.release_attacks for each in found.assumptions)
    trial = next((each for each in assumed if each.code == "remedies.trial_release"), None)
    lines = [] if trial is None else [shown(wording, trial)]
    lines += [
        f"{attacks_section.title(found, wording)}: {attacks_section.outcome(found, wording)}"
        for found in run.release_attacks
    ]
    for check in run.release_checks:
        code = f"remedies.certificate_attack_{'passed' if check.state == 'passed' else 'failed'}"
        lines.append(sentence(wording, code, check=Name(f"{check.code} {check.name}")))
    return lines + [f"{wording.what(found)}: {wording.why(found)}" for found in run.release_limits]


def attack(found: PerturbationAttack, wording: Wording) -> str:
    """Return the result of an attack on perturbed columns."""
    columns = Columns(found.columns)
    if found.kind == "known_pairs":
        known = Count(found.n_known, unit="person")
        baseline = Share(found.baseline)
        return sentence(
            wording, "remedies.known_pairs", known=known, success=found.success, columns=columns, baseline=baseline
        )
    return sentence(
        wording,
        "remedies.distance_linkage",
        columns=columns,
        success=found.success,
        known=Count(found.n_known),
        baseline=Share(found.baseline),
    )
