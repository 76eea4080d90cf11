"""Names with a number behind them, as generators of test data write them.

Question: are ``Jacinto644`` and ``Kris249`` codes or names?
Method: a capital, letters and one to four digits in nearly every cell, of which the letters are known names.
Limits: accounts are written so too, mostly in lower case.
"""

from __future__ import annotations

import numpy as np

from privaudit.detect import words
from privaudit.detect.column import Column
from privaudit.detect.evidence import Candidate, Findings, percent
from privaudit.model import Clue

_NAME = r"^(\p{Lu}[\p{L}'’ \-]*\p{L})[0-9]{1,4}$"
_LEAST = 0.4


def run(column: Column, found: Findings) -> None:
    """Add the reading of `column` as numbered names."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if column.data_type != "text" or column.n_distinct < 10 or column.matching(_NAME) < 0.9:
        return
    texts, counts = column.chosen(1000)
    bare = words.fold_all(pc.replace_substring_regex(pa.array(texts, pa.string()), "[0-9]+$", ""))
    given, family = (
        float(counts[np.asarray(words.members(bare, words.names(kind)))].sum() / counts.sum())
        for kind in ("given_names", "surnames")
    )
    if max(given, family) < _LEAST:
        return
    entity = "FIRST_NAME" if given >= family else "LAST_NAME"
    clue = Clue(
        kind="list",
        because=f"{percent(max(given, family))} of a sample of the cells are a known name and a number",
    )
    found.add(Candidate(entity=entity, n_cells=column.n_present, strength=0.86, clues=(clue,)))
