"""Names with an e-mail address beside them in one cell.

Question: is ``Ann Lee (ann@example.org)`` a name or an address?
Method: words, then an address in brackets of whatever kind, in most cells: the column names persons and contains
addresses, where the words are known names or recur in the part before the ``@``.
Limits: an address without brackets behind the name is read as text.
"""

from __future__ import annotations

import numpy as np

from privaudit.detect import words
from privaudit.detect.column import Column
from privaudit.detect.evidence import Candidate, Findings, percent
from privaudit.detect.kinds import names
from privaudit.model import Clue, Contained

_BESIDE = (
    r"^[\"']?(?P<name>\pL[\pL\pM'’´`. ,\-]*?)[\"']? *"
    r"[(<\[] *(?:mailto:)?(?P<box>[^\s@()<>]+)@[^\s@()<>]+ *[)>\]]$"
)
_MOST = 1000
_LEAST = 0.6


def run(column: Column, found: Findings) -> None:
    """Add the reading of `column` as names that addresses stand beside."""
    if column.data_type != "text" or not column.holds("@"):
        return
    mask = column.matches(_BESIDE)
    share = column.share(mask)
    if share < _LEAST or not _of_persons(column):
        return
    found.candidates[:] = [c for c in found.candidates if c.entity != "EMAIL"]
    n_cells = column.cells(mask)
    clue = Clue(
        kind="pattern", because=f"{percent(share)} of the cells are words and an e-mail address in brackets"
    )
    found.contained.append(
        Contained(entity="EMAIL", n_cells=n_cells, share=column.exact(n_cells), evidence=(clue,))
    )
    found.add(Candidate(entity="PERSON_NAME", n_cells=n_cells, strength=0.97, clues=(clue,)))


def _of_persons(column: Column) -> bool:
    """Return whether the words are names, by lists or by the address that repeats them, in half of a sample."""
    import pyarrow as pa
    import pyarrow.compute as pc

    parts = pc.extract_regex(pa.array(column.chosen(_MOST)[0], pa.string()), _BESIDE).drop_null()
    told = np.fromiter(
        (_is_person(pair["name"], pair["box"]) for pair in parts.to_pylist()),
        dtype=np.bool_,
        count=len(parts),
    )
    return bool(len(told)) and float(told.mean()) >= 0.5


def _is_person(name: str, box: str) -> bool:
    folded = words.fold(name)
    spoken = [word.strip(".,'") for word in folded.split() if len(word.strip(".,'")) > 2]
    repeated = len(spoken) >= 2 and any(word in words.fold(box) for word in spoken[-1:])
    return repeated or names.is_known(folded)
