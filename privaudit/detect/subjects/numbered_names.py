"""Names of people with a number, as generators of test data write them: "Mary17 Smith204".

Question: are words with a number the names of people?
Method: the numbers are taken away, and the words are read as other names are. A column name that suggests names makes
up for words that no list contains.
Limits: one word with many numbers, such as "Paris12", is a place or a series.
"""

from __future__ import annotations

from collections.abc import Iterator

from privaudit.base.arrow import pa, pc
from privaudit.detect.column import SAMPLE, VARIOUS, Column
from privaudit.detect.ledger import Entry, claim_for
from privaudit.detect.resolver import LEAST
from privaudit.detect.subjects import names
from privaudit.model.vocabulary import with_trait
from privaudit.model.wording import fact

_NUMBER = "_?[0-9]{1,4}"
_NUMBERED = rf"^\p{{L}}[\p{{L}}.'’, \-]*\p{{L}}{_NUMBER}(?: [\p{{L}}.'’, \-]*\p{{L}}{_NUMBER})*$"
_NUMBERED_APART = r"^\p{L}[\p{L}.'’, \-]*\p{L} [0-9]{1,4}$"
_FEWEST, _FEWEST_WORDS = 10, 3
_LEAST_LISTED = 0.4
_LEAST_NAMED = 0.15


def run(column: Column) -> Iterator[Entry]:
    """Yield the claim that `column` holds given or family names that carry a number."""
    hint = next((one for one in column.header.hints if one.entity in with_trait("person_name")), None)
    named = hint.entity if hint else None
    # Things have a "name" as well, but not a last name; streets end with a number after a blank.
    of_people = hint is not None and (hint.entity != "PERSON_NAME" or hint.strength > LEAST)
    forms = (_NUMBERED, _NUMBERED_APART) if of_people else (_NUMBERED,)
    if column.data_type != "text" or column.n_distinct < _FEWEST or not any(map(column.at_least, forms)):
        return
    texts, counts = column.chosen(SAMPLE)
    bare = pc.replace_substring_regex(pa.array(texts, pa.string()), "[_ ]?[0-9]+", "").to_pylist()
    n_words = len(set(bare))
    if n_words < _FEWEST_WORDS or not (named or column.at_least(names.CAPITAL)):
        return
    reading = names.classify(bare, counts, 1.0)
    share = max(reading.given, reading.family)
    if share >= (_LEAST_NAMED if named else _LEAST_LISTED) or (of_people and n_words >= VARIOUS):
        part = "FIRST_NAME" if share == reading.given else "LAST_NAME"
        entity = named or ("PERSON_NAME" if reading.words > 1.5 else part)
        because = fact("detect.names_with_number", share=column.cell_share(share))
        yield claim_for(column, entity, 0.86, "list", because)
