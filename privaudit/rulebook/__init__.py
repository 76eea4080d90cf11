"""Judge evidence by packs: checks, policies, frameworks. Knows the law as data and never touches the table."""

from privaudit.rulebook.catalogue import RuleInfo, list_rules
from privaudit.rulebook.explain import Explanation, explain
from privaudit.rulebook.judge import Judgement, judge, measured_limits
from privaudit.rulebook.load import load_checks, load_frameworks
from privaudit.rulebook.packs import Check, Framework
from privaudit.rulebook.policy import load_policy, policy_names
from privaudit.rulebook.trial import CaseResult, test_rules

__all__ = [
    "CaseResult",
    "Check",
    "Explanation",
    "Framework",
    "Judgement",
    "RuleInfo",
    "explain",
    "judge",
    "list_rules",
    "load_checks",
    "load_frameworks",
    "load_policy",
    "measured_limits",
    "policy_names",
    "test_rules",
]
