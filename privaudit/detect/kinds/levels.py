"""Survey categories: levels of education, ethnic origin, age bands and income bands.

Question: do the few values of a column describe education, origin, age or income?
Method: the categories differ from survey to survey ("HS Grad", "Master's degree (M.A., M.S.)", "Any other white
background"), but their words recur: most values must contain such a word, and different ones. Age bands are ranges of
whole numbers that follow each other up to old age.
Limits: bands of percentages look like age bands; languages other than English are left to the lists of values.
"""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np

from privaudit.detect import wordlists
from privaudit.detect.column import Column
from privaudit.detect.evidence import Candidate, Evidence
from privaudit.model import Clue
from privaudit.wording import Count, Share, Term, fact

_MOST = 40  # different values
_NOTHING = frozenset("unknown|other|na|n/a|none|missing|not stated|prefer not to say|refused|?|".split("|"))
_BY_WORDS = (("EDUCATION", "schooling", 0.6), ("RACE_ETHNICITY", "origin", 0.5))


def run(column: Column, evidence: Evidence) -> None:
    """Add the candidates of `column` as education, origin, age or income."""
    if column.data_type != "text" or not 2 <= column.n_distinct <= _MOST or column.uniqueness > 0.5:
        return
    values = [text for text in column.folded.to_pylist() if text not in _NOTHING]
    if len(values) < 2:
        return
    for entity, table, least in _BY_WORDS:
        if all(candidate.entity != entity for candidate in evidence.candidates):
            _by_words(column, values, entity, table, least, evidence)
    _bands(column, values, evidence)
    _sums(column, values, evidence)


def _by_words(
    column: Column, values: list[str], entity: str, table: str, least: float, evidence: Evidence
) -> None:
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
    clue = Clue(kind="list", because=because)
    evidence.add(
        Candidate(entity=entity, n_cells=column.n_present, strength=0.45 + 0.35 * share, clues=(clue,))
    )


_UNIT = r"(?: ?(?:years?(?: old| of age)?|yrs?(?: old)?|y/?o))?"
_RANGE = re.compile(rf"^[\[(]?(?:ages? )?(\d{{1,3}}) ?(?:-|–|to|:) ?(\d{{1,3}})[\])]?{_UNIT}$")
_BELOW = re.compile(rf"^(?:under|below|less than|younger than|up to|<=?) ?(\d{{1,3}}){_UNIT}$")
_ABOVE = re.compile(
    rf"^(?:(?:over|above|greater than|more than|older than|>=?) ?(\d{{1,3}}){_UNIT}"
    rf"|(\d{{1,3}}){_UNIT} ?(?:\+|plus|(?:and|or|&) (?:over|older|above|more|up)))$"
)


_SUM = r"[$€£]? ?(?:\d{1,3}(?:,\d{3})+|\d{1,4} ?k|\d{3,7})[$€£]?"
_MONEY = re.compile(
    rf"^[<>]?=? ?(?:under |over |up to |more than |less than )?[$€£]? ?\d*[\d,]*(?: ?(?:-|–|to) ?)?{_SUM} ?\+?$"
)
_THOUSANDS = re.compile(r"\d,\d{3}|\d ?k\b|[$€£]")


def _sums(column: Column, values: list[str], evidence: Evidence) -> None:
    """Add bands of thousands of a currency as incomes, the most common meaning."""
    fits = [bool(_MONEY.match(text)) for text in values]
    ranged = sum(bool(re.search(r"[-–<>+]|to|over|under|than", text)) for text in values)
    if np.mean(fits) < 0.85 or ranged < 0.85 * len(values) or not all(map(_THOUSANDS.search, values)):
        return
    clue = Clue(kind="shape", because=fact("detect.income_bands", bands=Count(n=len(values), unit="group")))
    evidence.add(
        Candidate(
            entity="INCOME",
            detail="band",
            n_cells=column.n_present,
            strength=0.57,
            clues=(clue,),
            generic=True,
        )
    )


def _bands(column: Column, values: list[str], evidence: Evidence) -> None:
    ranges = sorted((int(m[1]), int(m[2])) for text in values if (m := _RANGE.match(text)))
    below = [int(m[1]) for text in values if (m := _BELOW.match(text))]
    above = [int(m[1] or m[2]) for text in values if (m := _ABOVE.match(text))]
    if not ranges or len(ranges) + len(below) + len(above) < max(3.0, 0.85 * len(values)):
        return
    starts, ends = [low for low, _ in ranges] + above, [high for _, high in ranges]
    wide = max(high - low for low, high in ranges)
    follow = all(0 <= later[0] - earlier[1] <= 2 for earlier, later in pairwise(ranges))
    if (
        max([*ends, *above]) > 120
        or min(starts) > 40
        or max(starts) < 40
        or not 1 <= wide <= 25
        or not follow
    ):
        return
    worded = any("old" in text or "under" in text or "age" in text for text in values)
    clue = Clue(kind="shape", because=fact("detect.age_bands", bands=Count(n=len(values), unit="group")))
    evidence.add(
        Candidate(
            entity="AGE",
            detail="band",
            n_cells=column.n_present,
            strength=0.85 if worded else 0.64,
            clues=(clue,),
            generic=not worded,
        )
    )
