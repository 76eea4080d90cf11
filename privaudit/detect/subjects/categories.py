"""Categories of surveys: levels of education, ethnic groups, bands of income, and flags such as ``female``.

Question: do the few values of a column describe education, origin or income; what is a column of 0 and 1 named
``female`` or ``is_black``?
Method: the categories differ from survey to survey ("HS Grad", "Master's degree (M.A., M.S.)", "Any other white
background"), but their words recur: most values must contain such a word, and at least two different clear ones. Bands
of thousands of a currency are incomes, the most common meaning. The name of a column of two values may state one of
them (``rules/headers/flags.toml``): a sex shows that the table describes people; others count only in such a table.
Limits: words of languages other than English are left to the lists of values. "White" and "single" have other meanings,
also in tables that describe people.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from privaudit.base.patterns import Expression
from privaudit.detect.catalogue import wordlists
from privaudit.detect.column import Column
from privaudit.detect.ledger import Entry, claim_for
from privaudit.detect.subjects.context import Posting, Table, describes_people, name
from privaudit.model.headers import flagged_entity_type, needs_people
from privaudit.model.wording import Count, Term, fact

MOST = 40  # different values
_TOPICS = (("EDUCATION", "schooling", 0.6), ("RACE_ETHNICITY", "ethnic_group", 0.5))
_WORD = Expression(r"[^\W_]+")
_LONGEST = 14  # words; longer cells are prose
_SUM = r"[$€£]? ?(?:\d{1,3}(?:,\d{3})+|\d{1,4} ?k|\d{3,7})[$€£]?"
_MONEY = Expression(
    rf"^[<>]?=? ?(?:under |over |up to |more than |less than )?[$€£]? ?\d*[\d,]*k?(?: ?(?:-|–|to) ?)?{_SUM} ?\+?$"
)
_THOUSANDS = Expression(r"\d,\d{3}|\d ?k\b|[$€£]")
_RANGE = Expression(r"[-–<>+]|to|over|under|than")


def values_of(column: Column) -> list[str]:
    """Return the distinct values of a column of categories, folded, without those for "unknown"; [] for others."""
    if column.data_type != "text" or not 2 <= column.n_distinct <= MOST or column.is_varied:
        return []
    not_stated = wordlists.word_list("not_stated")
    return [text for text in column.folded.to_pylist() if text and text not in not_stated]


def run(column: Column) -> Iterator[Entry]:
    """Yield the claims on `column` as education, origin or income."""
    values = values_of(column)
    if len(values) < 2:
        return
    words = [frozenset(_WORD.findall(text.replace("’", "'").replace("'s", "s"))) for text in values]
    for entity, topic, least in _TOPICS:
        known, clear = wordlists.word_list(topic), wordlists.word_list(topic, "clear")
        share = float(np.mean([bool(one & known) for one in words]))
        if share < least or len(frozenset().union(*words) & clear) < 2 or max(map(len, words)) > _LONGEST:
            continue
        because = fact("detect.words_of_topic", share=column.cell_share(share), topic=Term(topic))
        yield claim_for(column, entity, 0.45 + 0.35 * share, "list", because)
    if _are_bands_of_income(values):
        because = fact("detect.income_bands", bands=Count(len(values), unit="group"))
        yield claim_for(column, "INCOME", 0.57, "shape", because, detail="band", generic=True)


def _are_bands_of_income(values: list[str]) -> bool:
    mostly = all(np.mean([bool(form.search(text)) for text in values]) >= 0.85 for form in (_MONEY, _RANGE))
    return mostly and all(map(_THOUSANDS.search, values))


_FLAGGED = 0.75
_TWO_VALUES = tuple(map(frozenset, (("0", "1"), ("1", "2"), ("y", "n"), ("t", "f"), ("yes", "no"), ("true", "false"))))


def name_flags(table: Table) -> Iterator[Posting]:
    """Yield the claims on columns of two values whose name states one of them."""
    flagged = [
        (item, entity)
        for item in table
        if (entity := flagged_entity_type(item.column.header.words)) and has_two_values(item.column)
    ]
    people = describes_people(table) or not all(needs_people(entity) for _, entity in flagged)
    for item, entity in flagged:
        named = item.ledger.named.get(entity)
        if (people or not needs_people(entity)) and (named is None or named.strength < _FLAGGED):
            yield name(item, entity, _FLAGGED, fact("detect.siblings_named_flag"))


def has_two_values(column: Column) -> bool:
    """Return whether the values of a column are yes and no, 0 and 1, or 1 and 2."""
    if not 1 <= column.n_distinct <= 2:
        return False
    values = frozenset(text.removesuffix(".0") for text in column.folded.to_pylist())
    return any(values <= pair for pair in _TWO_VALUES)
