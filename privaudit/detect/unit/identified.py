"""Recognise rows that named things identify, alone or with a time, where some columns have an unknown name.

Question: does something else than the names of all columns show that a row is a thing, not a person?
Method: a structure that tables of people do not have. The table names things that no person wears or drives, each row
is another thing, or the things share their times (each pair of thing and time is one row, and at least half of all
pairs occur), and a further column is an attribute that no person has.
Limits: asked only where no column identifies or describes a person, or is named as if it did. A column with an unknown
name may hold figures, words or two values, because another text or whole number of unknown meaning could be the name or
the code of a person; such columns must not outnumber those that are understood. The reason names them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product

from privaudit.detect.unit.areas import is_period
from privaudit.detect.unit.cells import tells_of_things
from privaudit.detect.unit.columns import UnitColumn, is_uninformative, may_be_about_people, names, whereabouts
from privaudit.detect.unit.figures import measures_something
from privaudit.detect.unit.identifying import identifies_person
from privaudit.detect.unit.keys import FULL, Things, n_values, rows_by
from privaudit.detect.unit.thing_words import Kind, has_word, is_attribute, kinds, words_of
from privaudit.detect.unit.things import by_stem, key_columns, unknown_figures
from privaudit.model.wording import Fact, fact
from privaudit.source.dataset import ROWS_IN_MEMORY, Dataset

_NUMBERS = frozenset({"integer", "decimal", "boolean"})


def find_identified(dataset: Dataset, table: Sequence[UnitColumn]) -> Things | None:
    """Return the things that identify the rows of `table`, alone or with a time; None where none do."""
    if not 2 <= dataset.n_rows <= ROWS_IN_MEMORY or whereabouts(table) or may_be_about_people(table):
        return None
    for kind in (kind for kind in kinds().values() if not kind.is_personal):
        for keys in _keys(dataset, table, kind):
            rest = [c for c in table if c not in keys and not is_uninformative(c)]
            if any(map(identifies_person, rest)):
                continue
            unknown = _unknown(dataset, rest)
            if unknown is not None and _describes_thing(rest, kind, is_timed=len(keys) > 1):
                return Things((keys[0].name,), (), (_reason(keys, unknown), fact("unit.no_person")))
    return None


def _reason(keys: Sequence[UnitColumn], unknown: Sequence[UnitColumn]) -> Fact:
    code = "unit.things_by_time" if len(keys) > 1 else "unit.thing_in_each_row"
    return fact(code, columns=names(keys), **unknown_figures(unknown))


def _keys(dataset: Dataset, table: Sequence[UnitColumn], kind: Kind) -> Iterator[list[UnitColumn]]:
    """Yield a column that names a different thing in each row, and columns of things and times that do so together."""
    words = kind.keys | words_of("qualifiers")
    named = [c for c in key_columns(table, kind.keys - words_of("personal")) if is_attribute(c, words)]
    n = dataset.n_rows
    if kind.is_concrete:
        yield from ([thing] for thing in named if n_values(thing) == n)
    if kind.is_observed:
        several = [c for c in named if not c.profile.constant]
        times = [c for c in table if is_period(c) and c not in several and not c.profile.constant]
        for thing, time in product(several, times):
            pairs = n_values(thing) * n_values(time)
            if pairs >= n >= FULL * pairs and rows_by(dataset, [thing, time]) == n:
                yield [thing, time]


def _unknown(dataset: Dataset, rest: Sequence[UnitColumn]) -> list[UnitColumn] | None:
    """Return the columns whose name is not understood; None where they are too many, or one may name people."""
    words = words_of("qualifiers", "times", "places", "general", "money") | _attributes()
    unread = [c for c in rest if not is_attribute(c, words) and not is_period(c)]
    known = len(rest) - len(unread)
    unknown = [c for c in unread if not measures_something(c)]
    if len(unknown) > known or not all(tells_of_things(dataset, c) for c in unknown):
        return None
    return unread


def _describes_thing(rest: Sequence[UnitColumn], kind: Kind, *, is_timed: bool) -> bool:
    """Whether a column is an attribute that no person has, or, of things by time, two are attributes of the kind."""
    shared = by_stem(c for c in rest if has_word(c, kind.shared | kind.own))
    return any(has_word(c, _attributes_no_person_has()) for c in rest) or (is_timed and len(shared) >= 2)


@cache
def _physical() -> tuple[Kind, ...]:
    return tuple(kind for kind in kinds().values() if kind.is_concrete or kind.is_observed)


@cache
def _attributes() -> frozenset[str]:
    return frozenset().union(*(kind.attributes for kind in _physical()))


@cache
def _attributes_no_person_has() -> frozenset[str]:
    return frozenset().union(*(kind.own for kind in _physical())) - words_of("body", "qualifiers")
