"""Take back verdicts on names in a table about things: products and places have names that people have.

Question: which names of people and addresses that detection found are names and codes of things?
Method: the unit of the table, and whether only a model, or only the form of the cells, showed the name.
Limits: what the cells identify by their form (full names, e-mail addresses) is never taken back.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from privaudit.detect.unit.identifying import mistaken_names
from privaudit.detect.unit.thing_words import all_keys, is_word_of_thing, words_of
from privaudit.model import Contained, DatasetUnit, Detection, Rejected, vocabulary
from privaudit.model.headers.tokens import tokenise
from privaudit.model.wording import fact


def release_names_of_things(detections: Iterable[Detection], unit: DatasetUnit) -> tuple[Detection, ...]:
    """Return the detections, without the names of people and addresses that the names and codes of things look like."""
    if unit.declared or unit.is_about_people:
        return tuple(detections)
    called = _with_names_of_things if unit.kind == "object" else _explained
    return tuple(_released(called(found)) if found.column in unit.keys else _explained(found) for found in detections)


def _explained(found: Detection) -> Detection:
    """Return the detection of an attribute of a thing, which needs no other explanation of its name."""
    unproven = found.unassessed is not None and found.unassessed.code == "detect.name_unproven"
    return replace(found, unassessed=None) if unproven and is_word_of_thing(found.column) else found


def _released(found: Detection) -> Detection:
    found = _explained(found)
    if found.is_ is None or found.is_.entity not in mistaken_names():
        return found
    contains = tuple(item for item in found.contains if item.entity not in vocabulary.with_trait("person_name"))
    return replace(found, is_=None, rejected=(*found.rejected, _named(found.is_.entity)), contains=contains)


def _with_names_of_things(found: Detection) -> Detection:
    """Return the detection of a column with the names of things, without those that a model takes for people's."""
    others = [item for item in found.contains if not _may_name_a_thing(item)]
    words = tokenise(found.column)
    is_name = any(word in words_of("names") | all_keys() or word.removesuffix("s") in all_keys() for word in words)
    if not is_name:
        return found
    if found.unassessed is not None and found.unassessed.code == "detect.text_names_of_things_by_chance":
        found = replace(found, unassessed=None)
    if len(others) == len(found.contains):
        return found
    entities = sorted({item.entity for item in found.contains if item not in others})
    return replace(found, contains=tuple(others), rejected=(*found.rejected, *map(_named, entities)))


def _named(entity: str) -> Rejected:
    return Rejected(entity=entity, because=fact("detect.names_a_thing"))


def _may_name_a_thing(item: Contained) -> bool:
    """Whether only a model reads names, as things have them."""
    named = any(clue.because.code == "detect.text_names_of_things" for clue in item.evidence)
    return named and {clue.kind for clue in item.evidence} == {"model", "shape"}
