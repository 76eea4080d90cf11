"""The vocabulary: one record for each entity type, asked by every room.

Question: what is an entity type called, which group and role does it have, which laws name it, which checks report it?
Method: records are read from ``rules/entities/*.toml``, one file for each group. Rooms ask for a record
(`entity_type`) or for all codes with a property (`in_group`, `with_role`, `with_trait`, `severities`); none of them
keeps a list of codes.
Limits: knows neither detectors nor checks; a code without a record gets one derived from its letters.
"""

from privaudit.model.vocabulary.declared import declared, known_types
from privaudit.model.vocabulary.records import EntityTypeRecord
from privaudit.model.vocabulary.table import (
    entity_type,
    entity_types,
    in_group,
    is_known,
    severities,
    with_role,
    with_trait,
)
