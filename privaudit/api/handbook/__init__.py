"""Look up checks, policies, frameworks, entity types and detectors, for people.

Question: which rules exist, and what does a code mean?
Method: one list of everything, and an explanation of each, both read from the packs and the vocabulary.
Limits: reads packs only; judges nothing.
"""

from privaudit.api.handbook.explanation import explain
from privaudit.api.handbook.texts import Explanation, RuleInfo, list_rules

__all__ = ["Explanation", "RuleInfo", "explain", "list_rules"]
