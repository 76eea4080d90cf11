"""What personal data a table holds, column by column: what a column *is* and what it *contains*.

Question: is this column an e-mail, a name, a tax number; and does any cell of it hold one?
Method: the order of evidence is shape, technical negatives, check digits against a null, cards, telephones, dates,
names, places, properties of people, then the column's name, then its siblings, and last a language model on text.
All but the model work on every distinct value.
Limits: two verdicts are never averaged: one tax number among a million notes is counted, not diluted. What could
not be judged is named in ``unassessed``.
"""

from __future__ import annotations

from privaudit.detect.rounds import detect

__all__ = ["detect"]
