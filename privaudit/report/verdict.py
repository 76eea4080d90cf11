"""The verdict in plain words: gate, worst risk, how many people, what to do first.

Question: what would a careful colleague say of this report in six sentences?
Method: sentences are built from the measured numbers, people before probabilities, worst first; nothing is said
that the report does not hold, and what was not measured is said with the rest.
Limits: one row is told as one person unless the scan was given an entity column; the section on limits repeats it.
"""

from __future__ import annotations

from privaudit.model import Attack, ColumnReport, Report
from privaudit.report.advised import first_step
from privaudit.report.escape import name
from privaudit.report.words import Numbers, listing, percent, plural

SEVERITY_RANK = {"critical": 0, "high": 1, "medium": 2, "low": 3, "info": 4}


def state(report: Report) -> str:
    """Return "passed", "failed" or "incomplete"; what could not be assessed outranks what failed."""
    if report.gate_.exit_code == 3 or any(limit.incomplete for limit in report.limits):
        return "incomplete"
    return "passed" if report.gate_.passed else "failed"


def headline(report: Report) -> str:
    """Return the gate's decision as one line without a full stop."""
    policy = f"the limits of the policy “{name(report.policy.title or report.policy.name)}”"
    if state(report) != "incomplete":
        return _decided(report.gate_.passed, _exceeds(report), policy)
    if not report.columns or not report.dataset.n_rows:
        return "Incomplete: there was nothing to assess"
    where = "outside" if _exceeds(report) else "within"
    return f"Incomplete, and what was assessed is {where} {policy}"


def _decided(passed: bool, exceeds: bool, policy: str) -> str:
    # The gate may be set to another severity than the policy's: then the two are told apart.
    if passed and exceeds:
        return f"Gate passed as it was set, yet outside {policy}"
    if not passed and not exceeds:
        return f"Gate failed as it was set, yet within {policy}"
    return f"Within {policy}" if passed else f"Outside {policy}"


def _exceeds(report: Report) -> bool:
    limit = SEVERITY_RANK[report.policy.fail_on]
    return any(SEVERITY_RANK[item.severity] <= limit for item in report.findings if item.status == "open")


def below_k(report: Report, k: int | None = None) -> int | None:
    """Return the number of records in classes smaller than `k` (the policy's by default); None without risk."""
    if report.risk is None:
        return None
    limit = report.policy.k if k is None else k
    told = report.risk.n_below.get(str(limit))
    if told is not None:
        return told
    sizes = report.risk.class_sizes
    return sum(size * count for size, count in zip(sizes.size, sizes.count, strict=True) if size < limit)


def direct_columns(report: Report) -> tuple[ColumnReport, ...]:
    """Return the columns that name a person alone."""
    return tuple(column for column in report.columns if column.role == "direct")


def summary(report: Report, numbers: Numbers | None = None) -> tuple[str, ...]:
    """Return the verdict as sentences, the gate's decision first.

    Parameters
    ----------
    report : Report
    numbers : Numbers, optional
        How counts are told; in full by default.
    """
    told = numbers or Numbers(report.dataset.n_rows)
    sentences = (
        headline(report) + ".",
        _direct(report, told),
        _classes(report, told),
        _worst_attack(report, told),
        _sensitive(report, told),
        _unassessed(report),
        first_step(report, told) or _nothing_measured(report),
    )
    return tuple(sentence for sentence in sentences if sentence)


def _direct(report: Report, told: Numbers) -> str:
    columns = direct_columns(report)
    if not columns:
        return ""
    verb = "points" if len(columns) == 1 else "point"
    named = max(_named(column) for column in columns)
    return (
        f"{listing((name(column.name) for column in columns), 4)} {verb} to people directly: "
        f"such a value stands beside {told.people(named, report.dataset.n_rows)}."
    )


def _named(column: ColumnReport) -> int:
    """Return how many cells of a direct identifier hold one; all that are not missing where it was declared."""
    present = column.n_rows - column.n_missing
    return present if column.is_ is None else min(present, round(column.is_.share.value * present))


def _classes(report: Report, told: Numbers) -> str:
    risk, n = report.risk, report.dataset.n_rows
    exposed = below_k(report)
    if risk is None or exposed is None or not risk.quasi_identifiers:
        return "How people stand out by columns taken together was not measured; the limits say why."
    known = f"what an outsider may know ({listing((name(c) for c in risk.quasi_identifiers), 5)})"
    k = report.policy.k
    if exposed == 0:
        others = f"{k - 1:,}" if told.hidden(risk.k_min - 1) else f"{risk.k_min - 1:,}"
        return f"By {known}, everybody looks like at least {others} others (the policy asks for {k - 1:,})."
    alone = f"; {told.people(risk.n_unique, n)} stand alone" if risk.n_unique else ""
    return (
        f"By {known}, {told.people(exposed, n)} look like fewer than {k - 1} others, "
        f"which the policy does not allow{alone}."
    )


def worst_attack(report: Report) -> Attack | None:
    """Return the attack with the highest advantage over guessing, or None."""
    return max(report.attacks, key=lambda attack: (attack.advantage.high, attack.success.value), default=None)


def _worst_attack(report: Report, told: Numbers) -> str:
    attack = worst_attack(report)
    if attack is None:
        return ""
    total = attack.n_targets
    if attack.n_correct is None:
        hits = f"an expected {told.people(round(attack.expected_correct), total)}"
    else:
        hits = told.people(attack.n_correct, total)
    knowledge = listing((name(known) for known in attack.knowledge), 5)
    return (
        f"A simulated attacker who knows {knowledge} re-identifies {hits}; "
        f"guessing gets {told.share(attack.baseline, total)}."
    )


def _sensitive(report: Report, told: Numbers) -> str:
    if report.risk is None:
        return ""
    counts = {
        column: int(measured.get("homogeneous_records") or 0)
        for column, measured in sorted(report.risk.diversity.items())
    }
    column = max(counts, key=lambda key: counts[key], default=None)
    if column is None or not counts[column]:
        return ""
    people = told.people(counts[column], report.dataset.n_rows)
    return (
        f"For {people}, knowing the class already tells {name(column)}: everybody in it has the same value."
    )


def _nothing_measured(report: Report) -> str:
    if state(report) == "passed" or not report.findings:
        return ""
    return "No remedy was measured; start with the findings below, the worst stand first."


def _unassessed(report: Report) -> str:
    missing = [limit for limit in report.limits if limit.incomplete]
    if not missing:
        return ""
    verb = "was" if len(missing) == 1 else "were"
    return (
        f"{len(missing):,} {plural(len(missing), 'thing')} that {verb} asked for could not be assessed: "
        f"{listing((name(limit.what) for limit in missing), 4)}."
    )


def tiles(report: Report, told: Numbers) -> list[dict[str, str]]:
    """Return the four numbers at the top of the report: label, value, note and tone (bad, good, plain)."""
    return [
        _people_tile(report, told),
        _k_tile(report, told),
        _unique_tile(report, told),
        _findings_tile(report),
    ]


def _tile(label: str, value: str, note: str, tone: str) -> dict[str, str]:
    return {"label": label, "value": value, "note": note, "tone": tone}


def _people_tile(report: Report, told: Numbers) -> dict[str, str]:
    exposed, n = below_k(report), report.dataset.n_rows
    if exposed is None or n == 0:
        return _tile("People at risk", "–", "not measured, see limits", "plain")
    share = "" if told.hidden(exposed, n) else f", {percent(exposed / n)}"
    tone = "bad" if exposed > report.policy.share_below_k * n else "good"
    return _tile(
        "People at risk",
        told.count(exposed, n),
        f"of {n:,}{share}, in classes smaller than {report.policy.k}",
        tone,
    )


def _k_tile(report: Report, told: Numbers) -> dict[str, str]:
    if report.risk is None:
        return _tile("Smallest class", "–", "not measured, see limits", "plain")
    tone = "good" if report.risk.k_min >= report.policy.k else "bad"
    return _tile(
        "Smallest class (k)",
        told.count(report.risk.k_min),
        f"the policy asks for {report.policy.k} or more",
        tone,
    )


def _unique_tile(report: Report, told: Numbers) -> dict[str, str]:
    if report.risk is None:
        return _tile("People who stand alone", "–", "not measured, see limits", "plain")
    allowed = report.policy.uniques
    tone = "plain" if allowed is None else "good" if report.risk.n_unique <= allowed else "bad"
    limit = "reported only" if allowed is None else f"the policy allows {allowed:,}"
    return _tile(
        "People who stand alone",
        told.count(report.risk.n_unique, report.dataset.n_rows),
        f"sample uniques; {limit}",
        tone,
    )


def _findings_tile(report: Report) -> dict[str, str]:
    open_ones = [finding for finding in report.findings if finding.status == "open"]
    grave = sum(finding.severity in ("critical", "high") for finding in open_ones)
    accepted = len(report.findings) - len(open_ones)
    note = f"{grave:,} critical or high" + (f"; {accepted:,} accepted" if accepted else "")
    return _tile(
        "Open findings", f"{len(open_ones):,}", note, "bad" if grave else "good" if not open_ones else "plain"
    )
