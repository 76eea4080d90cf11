"""Whether the values of a column can be what its name suggests.

Question: the column name suggests "age" or "e-mail": can these values be that?
Method: every entity type has a condition that its values must meet (value_forms.py). A suggestion whose values do not
meet it is rejected with the reason; otherwise the suggestion becomes a claim as strong as the column name is clear.
Limits: a condition is necessary, not sufficient: coded values (1, 2) are accepted if the column name is clear.
"""

from __future__ import annotations

from collections.abc import Iterator

from privaudit.detect.calendars import Calendar
from privaudit.detect.column import Column
from privaudit.detect.ledger import Entry, against, named
from privaudit.detect.subjects import value_forms
from privaudit.headers import PLAIN
from privaudit.wording import EntityType, Fact, Term, fact


def run(column: Column, calendar: Calendar) -> Iterator[Entry]:
    """Yield the claims of the column name, each answered at once where the values cannot be of the entity type."""
    ordinary = column.header.is_ordinary
    for hint in column.header.hints:
        if hint.entity == PLAIN or column.n_distinct == 0 or (ordinary and hint.strength <= 0.5):
            continue
        language = Term(code=f"language.{hint.language}")
        claim = named(column, hint.entity, hint.strength, fact("detect.column_name", language=language))
        yield claim
        reason = value_forms.why_not(hint.entity, column, calendar)
        if reason is not None:
            yield against(hint.entity, contradicted(hint.entity, reason), [claim])


def contradicted(entity: str, reason: Fact) -> Fact:
    """Return the rejection of an entity type that the column name suggests and the values contradict."""
    return fact("detect.name_contradicted", entity=EntityType(code=entity), reason=reason)
