"""Person names written in one cell with a number or an e-mail address.

Question: are ``Jacinto644``, ``Mr. Abe604 Frami345`` and ``Ann Lee (ann@example.org)`` names?
Method: capitalised words with one to four digits, as generators of test data write names, whose words are listed
names; words with an address in brackets, whose words are listed names or recur in the address.
Limits: user names may have the first form, too, mostly in lower case. An address without brackets is read as text.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from privaudit.detect import wordlists
from privaudit.detect.column import Column
from privaudit.detect.ledger import Entry, Ledger, claim_for
from privaudit.detect.values import names
from privaudit.model import Clue, Contained
from privaudit.vocabulary import with_trait
from privaudit.wording import fact

_MOST = 1000
_NUMBERED = r"^\p{Lu}[\p{L}.'’, \-]*\p{L}_?[0-9]{1,4}(?: [\p{L}.'’, \-]*\p{L}_?[0-9]{1,4})*$"
_FEWEST, _FEWEST_WORDS = 10, 3  # one word with many numbers, such as "Paris12", is a place or a series
_LEAST_LISTED, _LEAST_NAMED = 0.4, 0.15  # a column name that suggests names makes up for names that no list contains
_WITH_ADDRESS = (
    r"^[\"']?(?P<name>\pL[\pL\pM'’´`. ,\-]*?)[\"']? *"
    r"[(<\[] *(?:mailto:)?(?P<box>[^\s@()<>]+)@[^\s@()<>]+ *[)>\]]$"
)
_LEAST_WITH_ADDRESS = 0.6


def with_number(column: Column) -> Iterator[Entry]:
    """Yield the claim that `column` holds given or family names that carry a number."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if column.data_type != "text" or column.n_distinct < _FEWEST or column.matching(_NUMBERED) < 0.9:
        return
    texts, counts = column.chosen(_MOST)
    bare = pc.replace_substring_regex(pa.array(texts, pa.string()), "_?[0-9]+", "").to_pylist()
    if len(set(bare)) < _FEWEST_WORDS:
        return
    listed = [names.listed(wordlists.fold(text)) for text in bare]
    total = float(counts.sum())
    given, family = (
        sum(int(n) for kinds, n in zip(listed, counts, strict=True) if kind in kinds) / total
        for kind in ("given", "family")
    )
    named = next((h.entity for h in column.header.hints if h.entity in with_trait("person_name")), None)
    if max(given, family) < (_LEAST_NAMED if named else _LEAST_LISTED):
        return
    several = sum(" " in text for text in bare) > 0.5 * len(bare)
    entity = named or ("PERSON_NAME" if several else "FIRST_NAME" if given >= family else "LAST_NAME")
    share = column.cell_share(max(given, family))
    yield claim_for(column, entity, 0.86, "list", fact("detect.names_with_number", share=share))


def with_address(column: Column, ledger: Ledger) -> Iterator[Entry]:
    """Yield the claim that `column` holds person names that are followed by an e-mail address in brackets."""
    if column.data_type != "text" or not column.holds("@"):
        return
    mask = column.matches(_WITH_ADDRESS)
    share = column.share(mask)
    if share < _LEAST_WITH_ADDRESS or not _are_names(column):
        return
    n_cells = column.cells(mask)
    because = fact("detect.names_with_address", share=column.cell_share(share))
    clue = Clue(kind="pattern", because=because)
    yield from ledger.answer({"EMAIL"}, because)
    yield Contained(entity="EMAIL", n_cells=n_cells, share=column.exact(n_cells), evidence=(clue,))
    yield claim_for(column, "PERSON_NAME", 0.97, "pattern", because, n_cells=n_cells)


def _are_names(column: Column) -> bool:
    """Whether half of a sample are names, by the lists or because the address repeats them."""
    import pyarrow as pa
    import pyarrow.compute as pc

    parts = pc.extract_regex(pa.array(column.chosen(_MOST)[0], pa.string()), _WITH_ADDRESS).drop_null()
    persons = [_is_person(pair["name"], pair["box"]) for pair in parts.to_pylist()]
    return bool(persons) and float(np.mean(persons)) >= 0.5


def _is_person(name: str, box: str) -> bool:
    folded = wordlists.fold(name)
    words = [word.strip(".,'") for word in folded.split() if len(word.strip(".,'")) > 2]
    repeated = len(words) >= 2 and words[-1] in wordlists.fold(box)
    return repeated or names.is_known(folded)
