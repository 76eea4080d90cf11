"""Survey categories: levels of education, ethnic origin and income bands.

Question: do the few values of a column describe education, origin or income?
Method: the categories differ from survey to survey ("HS Grad", "Master's degree (M.A., M.S.)", "Any other white
background"), but their words recur: most values must contain such a word, and different ones.
Limits: languages other than English are left to the lists of values.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from privaudit.detect import wordlists
from privaudit.detect.column import Column
from privaudit.detect.ledger import Entry, Ledger, claim_for
from privaudit.wording import Count, Share, Term, fact

MOST = 40  # different values
NOT_STATED = frozenset("unknown|other|na|n/a|none|missing|not stated|prefer not to say|refused|?|".split("|"))
_BY_WORDS = (("EDUCATION", "schooling", 0.6), ("RACE_ETHNICITY", "origin", 0.5))


def run(column: Column, ledger: Ledger) -> Iterator[Entry]:
    """Yield the claims on `column` as education, origin or income."""
    if column.data_type != "text" or not 2 <= column.n_distinct <= MOST or column.uniqueness > 0.5:
        return
    values = [text for text in column.folded.to_pylist() if text not in NOT_STATED]
    if len(values) < 2:
        return
    for entity, table, least in _BY_WORDS:
        if not ledger.supports(entity):
            yield from _by_words(column, values, entity, table, least)
    yield from _sums(column, values)


def _by_words(column: Column, values: list[str], entity: str, table: str, least: float) -> Iterator[Entry]:
    known, clear = wordlists.word_list(table), wordlists.word_list(table, "clear")
    tokens = [frozenset(re.findall(r"[^\W_]+", text.replace("’", "'").replace("'s", "s"))) for text in values]
    share = float(np.mean([bool(one & known) for one in tokens]))
    kinds = frozenset().union(*tokens) & clear
    if share < least or len(kinds) < 2 or max(map(len, tokens)) > 14:
        return
    because = fact(
        "detect.survey_words",
        share=Share(value=share, of=len(values)),
        table=Term(code=table),
        words=Count(n=len(kinds), unit="item"),
    )
    yield claim_for(column, entity, 0.45 + 0.35 * share, "list", because)


_SUM = r"[$€£]? ?(?:\d{1,3}(?:,\d{3})+|\d{1,4} ?k|\d{3,7})[$€£]?"
_MONEY = re.compile(
    rf"^[<>]?=? ?(?:under |over |up to |more than |less than )?[$€£]? ?\d*[\d,]*(?: ?(?:-|–|to) ?)?{_SUM} ?\+?$"
)
_THOUSANDS = re.compile(r"\d,\d{3}|\d ?k\b|[$€£]")


def _sums(column: Column, values: list[str]) -> Iterator[Entry]:
    """Yield the claim on bands of thousands of a currency as incomes, the most common meaning."""
    fits = [bool(_MONEY.match(text)) for text in values]
    ranged = sum(bool(re.search(r"[-–<>+]|to|over|under|than", text)) for text in values)
    if np.mean(fits) < 0.85 or ranged < 0.85 * len(values) or not all(map(_THOUSANDS.search, values)):
        return
    yield claim_for(
        column,
        "INCOME",
        0.57,
        "shape",
        fact("detect.income_bands", bands=Count(n=len(values), unit="group")),
        detail="band",
        generic=True,
    )
