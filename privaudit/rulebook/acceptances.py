"""Match the acceptances of a settings file with the findings, and decide which findings they close.

Question: which findings are accepted, and which acceptances are expired, unused or exceeded?
Method: an entry matches the findings of its check on the same set of columns. A matched finding is accepted until the
last day of the entry, as long as its observed value is not worse than the accepted one; otherwise it remains open.
Limits: changes the status of findings only, never what was measured. What could not be assessed cannot be accepted: it
is a limit, and checks whose record is marked `acceptable = false` refuse acceptances.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from privaudit.base.errors import ConfigError
from privaudit.base.similar_names import similar
from privaudit.base.wire import assembled
from privaudit.model import Acceptance, AcceptanceState, CheckState, Finding
from privaudit.rulebook.comparison import is_worse, levels_of
from privaudit.rulebook.measurement import MatchedAcceptance
from privaudit.rulebook.outcome import Fired, Outcome
from privaudit.rulebook.packs import Check
from privaudit.settings.acceptance import AcceptanceEntry, check_period


def check_entries(entries: Sequence[AcceptanceEntry], checks: Iterable[Check], today: datetime.date) -> None:
    """Validate `entries` against the checks and the current day.

    Raises
    ------
    ConfigError
        For an unknown check, one that cannot be accepted, a level that does not exist, or a date too far ahead.
    """
    known = {check.code: check for check in checks}
    for entry in entries:
        check = acceptable_check(entry.code, known)
        levels = levels_of(check)
        if levels and entry.worst_accepted not in (None, *levels):
            raise ConfigError(
                f'"worst_accepted" in the acceptance of {check.code} is not a level of {check.measure}.',
                hint=f"use one of: {', '.join(levels)}",
            )
        # A date far ahead is an acceptance without end, which nobody would review again.
        check_period(entry.expires, today, f'"expires" in the acceptance of {check.code}')


def acceptable_check(code: str, checks: Mapping[str, Check]) -> Check:
    """Return the check of `code`.

    Raises
    ------
    ConfigError
        Where it does not exist, or its findings cannot be accepted.
    """
    check = checks.get(code)
    if check is None:
        close = similar(code, checks)
        raise ConfigError(
            f'An acceptance names the check "{code[:40]}", which does not exist.',
            hint=f"similar: {', '.join(close)}" if close else "privaudit rules list shows all checks",
        )
    if not check.acceptable:
        raise ConfigError(f"{check.code} {check.name} cannot be accepted.", hint="correct what it reports instead")
    return check


class Acceptances:
    """The entries that apply on one day.

    Parameters
    ----------
    entries : sequence of AcceptanceEntry
        As validated by `check_entries`.
    today : date
        An entry is expired where its last day is before this day.
    """

    def __init__(self, entries: Sequence[AcceptanceEntry], today: datetime.date) -> None:
        self._entries = tuple(entries)
        self._today = today

    def apply(self, outcome: Outcome) -> Outcome:
        """Return `outcome` with the status "accepted" for each finding that an entry accepts."""
        if not self._entries or not outcome.fired:
            return outcome
        return replace(outcome, fired=tuple(self._closed(outcome.check, item) for item in outcome.fired))

    def _closed(self, check: Check, item: Fired) -> Fired:
        entry = next((e for e in self._entries if _concerns(e, item.finding)), None)
        # Expired or exceeded, an entry accepts nothing: the finding fails the gate as if nobody had accepted it.
        if entry is None or entry.expires < self._today or _is_exceeded(entry, check, item.finding):
            return item
        return replace(item, finding=replace(item.finding, status="accepted"))

    def match(self, outcomes: Mapping[str, Outcome]) -> tuple[MatchedAcceptance, ...]:
        """Return each entry with its status and findings.

        Parameters
        ----------
        outcomes : mapping of str to Outcome
            The outcome of every check, by its code.
        """
        return tuple(self._match(entry, outcomes[entry.code]) for entry in self._entries)

    def _match(self, entry: AcceptanceEntry, outcome: Outcome) -> MatchedAcceptance:
        found = tuple(item.finding for item in outcome.fired if _concerns(entry, item.finding))
        if not found:
            return MatchedAcceptance(entry=entry, status=_without_finding(outcome.state))
        exceeded = tuple(finding for finding in found if _is_exceeded(entry, outcome.check, finding))
        status: AcceptanceState = "exceeded" if exceeded else "used"
        if entry.expires < self._today:
            status = "expired"
        return MatchedAcceptance(entry=entry, status=status, findings=found, exceeded=exceeded)


def _without_finding(state: CheckState) -> AcceptanceState:
    # Without a measurement or a limit, nothing shows that the entry is no longer needed.
    return "not_measured" if state in ("not_measured", "no_limit") else "unused"


def _concerns(entry: AcceptanceEntry, finding: Finding) -> bool:
    return entry.concerns(finding.code, finding.subject, finding.fingerprint)


def _is_exceeded(entry: AcceptanceEntry, check: Check, finding: Finding) -> bool:
    return entry.worst_accepted is not None and is_worse(check, finding.observed, entry.worst_accepted)


def record(matched: MatchedAcceptance) -> Acceptance:
    """Return the record of `matched` in the report."""
    return assembled(
        Acceptance,
        matched,
        matched.entry,
        expires=matched.entry.expires.isoformat(),
        findings=tuple(finding.fingerprint for finding in matched.findings),
    )


def entries_of(acceptances: Iterable[Acceptance]) -> tuple[AcceptanceEntry, ...]:
    """Return the entries that a report was judged with."""
    return tuple(
        assembled(AcceptanceEntry, item, expires=datetime.date.fromisoformat(item.expires)) for item in acceptances
    )
