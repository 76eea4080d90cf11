"""Statistics that several rooms share: one estimate record, one Wilson interval.

Question: how is a sampled or simulated number stated?
Method: `Estimate` holds value and interval; `wilson` computes the score interval for a proportion.
Limits: ground floor; imports nothing of privaudit but the wire base.
"""

from privaudit.model.stats.estimate import AT_MOST, PARTIAL, Estimate, exact
from privaudit.model.stats.intervals import LEVEL, at_most, share_of_rows, student, wilson, wilson_bounds

__all__ = [
    "AT_MOST", "LEVEL", "PARTIAL", "Estimate", "at_most", "exact", "share_of_rows", "student", "wilson",
    "wilson_bounds",
]  # fmt: skip
