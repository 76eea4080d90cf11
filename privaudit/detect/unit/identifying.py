"""Decide whether the cells of a column identify people, whatever its name is.

Question: is a column that looks like names, numbers of an authority or addresses about people after all?
Method: names of things contain names of people, too: the share of full names, and how often values repeat, decide.
Limits: reads the verdict of detection; what detection does not find is not found here.
"""

from __future__ import annotations

from functools import cache

from privaudit.detect.unit.columns import NEARLY_UNIQUE, UnitColumn
from privaudit.detect.unit.thing_words import all_keys, has_word, is_attribute, words_of
from privaudit.model import vocabulary

_NAMES = 0.5
"""Share of the cells from which a column holds full names, or given or family names alone (product default)."""


@cache
def mistaken_names() -> frozenset[str]:
    """Return the entity types that the name or the code of a thing is mistaken for."""
    return vocabulary.with_trait("person_name") | {"STREET_ADDRESS"}


def identifies_person(column: UnitColumn) -> bool:
    """Whether the values identify a person, whatever the column is called.

    Names of things contain names of people, too: a column that is named after a kind of thing holds people only where
    its cells are full names, and one that is called a name, where its cells are nothing but given or family names.
    """
    if column.entity in mistaken_names():
        if (
            column.suggested & mistaken_names() - {"PERSON_NAME"}
            or column.full_names >= _NAMES
            or column.has_listed_names
        ):
            return True
        is_named = has_word(column, all_keys())
        return not is_named and (column.single_names >= _NAMES or column.uniqueness < NEARLY_UNIQUE)
    if column.entity == "UNRESOLVED_ID":
        return not is_attribute(column, words_of("qualifiers") | all_keys())
    identifying = vocabulary.with_trait("implies_person") | vocabulary.with_trait("identifies_alone")
    return column.entity in identifying & vocabulary.with_role("direct") or column.entity == "DATE_OF_BIRTH"
