"""Judge evidence by packs: checks, policies, frameworks. Laws are data here, and the table is never read."""

from privaudit.rulebook.acceptances import check_entries, entries_of
from privaudit.rulebook.cases import CaseResult, test_rules
from privaudit.rulebook.judge import Judgement, judge, measured_limits
from privaudit.rulebook.load import load_checks, load_frameworks
from privaudit.rulebook.packs import Check, Framework
from privaudit.rulebook.policy import load_policy, policy_names

__all__ = [
    "CaseResult",
    "Check",
    "Framework",
    "Judgement",
    "check_entries",
    "entries_of",
    "judge",
    "load_checks",
    "load_frameworks",
    "load_policy",
    "measured_limits",
    "policy_names",
    "test_rules",
]
