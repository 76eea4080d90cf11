"""Judge evidence by packs: checks, policies, frameworks. Packs are data, and the table is never read.

Imports `settings` and the rooms below it.
"""

from privaudit.rulebook.acceptances import check_entries, entries_of
from privaudit.rulebook.attack_verdict import AttackVerdict, judge_attacks
from privaudit.rulebook.baseline import Baseline, KnownBefore, baseline_text, known_table, read_baseline
from privaudit.rulebook.ended import findings_on
from privaudit.rulebook.given_answers import book_of, check_keys
from privaudit.rulebook.judge import Judgement, findings_of, judge, measured_limits
from privaudit.rulebook.load import load_checks, load_frameworks
from privaudit.rulebook.packs import Check, Framework
from privaudit.rulebook.policy import load_policy, policy_names
