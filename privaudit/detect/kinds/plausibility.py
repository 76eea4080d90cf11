"""Whether the values of a column can be what its name suggests.

Question: the column name suggests "age" or "e-mail": can these values be that?
Method: every entity type has a condition that its values must meet (value_forms.py). A suggestion whose values do not
meet it is rejected with the reason; otherwise the suggestion becomes a candidate as strong as the column name is clear.
Limits: a condition is necessary, not sufficient: coded values (1, 2) are accepted if the column name is clear.
"""

from __future__ import annotations

from privaudit.detect.column import Column
from privaudit.detect.evidence import Evidence
from privaudit.detect.kinds import value_forms
from privaudit.detect.kinds.dates import Calendar
from privaudit.detect.verdict import Named
from privaudit.headers import PLAIN
from privaudit.model import Clue
from privaudit.wording import EntityType, Fact, Name, Term, fact


def candidates(column: Column, calendar: Calendar, evidence: Evidence) -> Named:
    """Return what the column name suggests: strength, detail and clue by entity type; rejections go to `evidence`."""
    kept: Named = {}
    ordinary = column.header.is_ordinary
    for hint in column.header.hints:
        if hint.entity == PLAIN or column.n_distinct == 0 or (ordinary and hint.strength <= 0.5):
            continue
        reason = value_forms.why_not(hint.entity, column, calendar)
        if reason is not None:
            evidence.implausible[hint.entity] = reason
            evidence.reject(hint.entity, contradicted(hint.entity, reason))
            continue
        clue = Clue(
            kind="header", because=fact("detect.column_name", language=Term(code=f"language.{hint.language}"))
        )
        kept[hint.entity] = (hint.strength, None, clue)
    if column.header.qualifier is not None:
        _reject_properties(column, evidence)
    return kept


def contradicted(entity: str, reason: Fact) -> Fact:
    """Return the rejection of an entity type that the column name suggests and the values contradict."""
    return fact("detect.name_contradicted", entity=EntityType(code=entity), reason=reason)


def _reject_properties(column: Column, evidence: Evidence) -> None:
    """Reject entity types of which the column holds a property, such as ``email_verified`` or ``phone_count``."""
    word = Name(text=str(column.header.qualifier))
    for entity in ("EMAIL", "PHONE", "PERSON_NAME", "AGE"):
        if column.header.has_word(entity.split("_")[0].lower()):
            evidence.reject(entity, fact("detect.property_of", word=word, entity=EntityType(code=entity)))
