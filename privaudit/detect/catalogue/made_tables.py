"""The tables that follow from the shipped rules, made ahead of the first scan.

Question: what does the build make, so that no scan makes it?
Method: each table is asked for, and is then kept (`compiled_tables`).
"""

from __future__ import annotations

from pathlib import Path

from privaudit.base import compiled_tables
from privaudit.detect.catalogue import possible_matches, wordlists
from privaudit.model.headers import lexicon


def make_tables() -> Path:
    """Make the tables, and return the folder with them."""
    wordlists.fold_lists()
    wordlists.common_words()
    lexicon.compile_lexicon()
    possible_matches.compile_expressions()
    return compiled_tables.folder()
