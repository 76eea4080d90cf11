"""Tokens of services: keys of letters and digits mixed at random.

Question: are these long words keys that some service gave out?
Method: no blank, about one length of ten characters or more, letters and digits in nearly every cell, capital and
small letters mixed or a prefix they all share, and nearly every row another.
Limits: whose keys they are follows from the name and the table.
"""

from __future__ import annotations

import numpy as np

from privaudit.detect.column import Column
from privaudit.detect.evidence import Candidate, Findings
from privaudit.model import Clue

_TOKEN = r"^(?:[A-Za-z]{1,8}[_-])?[A-Za-z0-9]{10,64}$"
_LEAST = 50


def run(column: Column, found: Findings) -> None:
    """Add the reading of `column` as tokens that nothing else explains."""
    if column.data_type != "text" or column.n_distinct < _LEAST or column.uniqueness < 0.5:
        return
    if any(candidate.strength >= 0.3 for candidate in found.candidates):
        return
    mixed = column.matches(_TOKEN) & column.matches("[0-9]") & column.matches("[A-Za-z]")
    if np.ptp(column.lengths) > 2 or column.share(mixed) < 0.85 or column.matching(_TOKEN) < 0.98:
        return
    clue = Clue(
        kind="shape", because="letters and digits mixed at random, of one length, as services give out keys"
    )
    found.add(
        Candidate(
            entity="UNRESOLVED_ID", n_cells=column.cells(mixed), strength=0.6, clues=(clue,), generic=True
        )
    )
