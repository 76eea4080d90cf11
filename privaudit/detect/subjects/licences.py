"""Driving licences of the USA, recognised by the state of each row.

Question: do the numbers in a column follow the form of driving licences of the state that another column names?
Method: each state has its own form, and most forms are those of many other numbers. The share of rows whose number fits
its own state is compared with the share that would fit if the states were shuffled. A column whose name has a word for
licences needs no such difference, because all rows may be of one state.
Limits: fewer than `_LEAST_ROWS` rows, or states with the same form and no such word, decide nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice

from privaudit.base.patterns import Expression
from privaudit.detect.catalogue import wordlists
from privaudit.detect.chance import upper_tail
from privaudit.detect.column import Column
from privaudit.detect.column_evidence import ColumnEvidence
from privaudit.detect.subjects.context import Posting, Table, suggest
from privaudit.model.wording import Columns, Share, fact
from privaudit.source.dataset import Dataset

_MOST, _LEAST_ROWS = 500, 30
_FITTING = 0.95
_SURPRISE = 1e-6  # with thousands of columns, no table meets it by chance
_CODE = r"^[A-Za-z0-9*][A-Za-z0-9* -]{3,21}$"
_FILLER = Expression(r"[ -]")
_WORDS = "license licence lic dl dln".split()


def find_licences(table: Table, dataset: Dataset) -> Iterator[Posting]:
    """Yield the claims on driving licences for codes whose form follows the state of their row."""
    states = [item for item in table if item.entity == "STATE"]
    for item in table if states else ():
        if item.entity in (None, "UNRESOLVED_ID") and _may_be_licences(item.column):
            claims = (_compare(item, other, dataset) for other in states)
            yield from islice(filter(None, claims), 1)


def _may_be_licences(column: Column) -> bool:
    if column.n_distinct < _LEAST_ROWS or not column.is_varied or column.data_type not in ("text", "integer"):
        return False
    return column.has_digits_in() and column.at_least(_CODE, _FITTING)


def _compare(item: ColumnEvidence, states: ColumnEvidence, dataset: Dataset) -> Posting | None:
    """Return the claim on licences where the numbers fit the states of their rows."""
    column = item.column
    names = [column.name, states.column.name]
    wanted = column.raw.take(column.drawn[:_MOST]).to_pylist()
    rows = dataset.rows_holding(names, column.name, wanted).drop_null()
    pairs = [
        (_FILLER.sub("", number.upper()), form)
        for number, state in zip(*(rows[n].to_pylist() for n in names), strict=True)
        if (form := _forms().get(wordlists.fold(state))) is not None
    ]
    if len(pairs) < max(_LEAST_ROWS, 0.9 * rows.num_rows):
        return None
    fitting = sum(form.fullmatch(number) is not None for number, form in pairs)
    share, expected = fitting / len(pairs), _share_if_shuffled(pairs)
    if share < _FITTING:
        return None
    differs = expected < 1 and upper_tail(len(pairs), fitting, expected) < _SURPRISE
    if not differs and not column.header.has_word(*_WORDS):
        return None
    because = fact(
        "detect.siblings_licences_of_states",
        column=Columns((states.column.name,)),
        share=Share(share, of=len(pairs)),
        shuffled=Share(expected, of=len(pairs)),
    )
    strength = 0.9 if differs else 0.75
    return suggest(item, "DRIVER_LICENSE", strength, because, detail="us", generic=False)


def _share_if_shuffled(pairs: Sequence[tuple[str, re.Pattern[str]]]) -> float:
    """Return the expected share of rows whose number fits their state if every order of the states is as likely."""
    forms, numbers = Counter(form for _, form in pairs), Counter(number for number, _ in pairs)
    fitting = sum(n * m for form, n in forms.items() for number, m in numbers.items() if form.fullmatch(number))
    return fitting / len(pairs) ** 2


@cache
def _forms() -> dict[str, re.Pattern[str]]:
    """Return the form of the licences of each state of the USA, by its folded code and name."""
    states = wordlists.toml("licences")["us"].items()
    return {name: re.compile(entry["form"]) for code, entry in states for name in (code.lower(), entry["state"])}
