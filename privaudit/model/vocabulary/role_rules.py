"""Which entity types identify a person, and which reasons for a role are doubtful.

Question: what do detection and judgement have to know alike about roles?
Method: traits of the records of the vocabulary.
Limits: the role of a column is assigned by `privaudit.detect.roles`.
"""

from __future__ import annotations

from privaudit.model import vocabulary

DOUBTFUL = ("roles.event_date", "roles.event_date_with_place")
"""The codes of the reasons of quasi-identifiers that an attacker may not know."""
PERIODS = "periods"
"""The detail of dates that are given as periods, such as "2021-01 to 2021-09"."""


def identifying_types() -> frozenset[str]:
    """Return the direct identifiers that identify a person whatever the table is about."""
    traits = vocabulary.with_trait("implies_person") | vocabulary.with_trait("identifies_alone")
    return traits & vocabulary.with_role("direct")
