"""Keys of people by structure: what is constant for each value of a column, although the rows repeat it.

Question: does an unexplained code that repeats belong to a person, as in lists of visits, marks and votes?
Method: a key of people determines their names, birth dates and sexes: nine in ten of the rows that repeat a key must
have its most frequent attribute, because names are mistyped, and the attributes that are determined must distinguish
nearly as many people as the column has values. Dependencies of few rows or levels, which chance explains, do not count.
Limits: keys next to nothing that describes the person are found by the column name only. A key of orders, each of which
belongs to another person, identifies people, too, and cannot be distinguished.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from privaudit.base.arrow import pc
from privaudit.detect.column import NEARLY_ALL, VARIOUS
from privaudit.detect.column_evidence import ColumnEvidence
from privaudit.detect.ledger import NAME
from privaudit.detect.resolver import LEAST
from privaudit.detect.subjects.context import Posting, Table, is_near, suggest
from privaudit.model.vocabulary import with_trait
from privaudit.model.wording import Columns, fact
from privaudit.source.dataset import Dataset

_DISTINGUISHED = 0.9  # share of the values with attributes of their own; namesakes share theirs
_SURPRISE = -9 * math.log(10)  # chance would make the attributes constant in fewer than one column in 10**9


def find_person_keys(table: Table, dataset: Dataset) -> Iterator[Posting]:
    """Yield the claim on person IDs for codes that determine the attributes of people."""
    attributes = [item for item in table if item.entity in with_trait("person_name") | with_trait("demographic")]
    of_places = with_trait("place_name") | {"STREET_ADDRESS"}
    for position, item in enumerate(table if attributes else ()):
        if not _may_be_key(item) or (item.entity == "POSTAL_CODE" and is_near(table, position, of_places, within=1)):
            continue
        most = item.column.n_distinct + (1 - NEARLY_ALL) * item.column.n_present  # mistakes are values of their own
        fewer = [one for one in attributes if 1 < one.column.n_distinct <= most]
        if any(_distinguishes(one.column.n_distinct, item) for one in fewer):
            constant = [one for one in fewer if determines(item.column.name, one.column.name, dataset)]
            if any(_distinguishes(one.column.n_distinct, item) for one in constant):
                names = Columns(tuple(one.column.name for one in constant))
                yield suggest(item, "PERSON_ID", 0.95, fact("detect.siblings_determine", columns=names), generic=False)


def _may_be_key(item: ColumnEvidence) -> bool:
    """Whether a column without a clear meaning, or called the ID of a record, has codes that repeat."""
    column = item.column
    clear = any(claim.strength >= LEAST and claim.entity != "RECORD_ID" for claim in item.ledger.standing(NAME))
    provisional = item.entity in (None, "UNRESOLVED_ID", "RECORD_ID")
    provisional = provisional or (item.entity == "POSTAL_CODE" and column.header.is_opaque)
    coded = column.may_be_codes and column.has_digits_in()
    return provisional and not clear and coded and column.n_distinct >= VARIOUS and column.uniqueness < _DISTINGUISHED


def _distinguishes(n_values: int, key: ColumnEvidence) -> bool:
    return n_values >= _DISTINGUISHED * key.column.n_distinct


def determines(key: str, other: str, dataset: Dataset) -> bool:
    """Whether the rows of each value of `key` have one value of `other`, which rows drawn at random would not have.

    The rows are compared with the most frequent value of their key; a tenth of them may be mistyped or state nothing.
    """
    pairs = (
        dataset.distinct_rows([key, other]).drop_null().group_by(key).aggregate([("weight", "sum"), ("weight", "max")])
    )
    rows, most = (int(pc.sum(pairs[name]).as_py() or 0) for name in ("weight_sum", "weight_max"))
    repeated, alike = rows - pairs.num_rows, most - pairs.num_rows  # a row of its own shows nothing
    if repeated == 0 or alike < NEARLY_ALL * repeated:
        return False
    counts = dataset.frequencies(other).counts
    same = float(np.square(counts / counts.sum()).sum())  # of two rows drawn at random
    return same < 1 and -repeated * _divergence(alike / repeated, same) <= _SURPRISE


def _divergence(share: float, chance: float) -> float:
    """Return the divergence of a share from a smaller one that chance gives (Chernoff's bound); 0 otherwise."""
    if share <= chance:
        return 0.0
    rest = (1 - share) * math.log((1 - share) / (1 - chance)) if share < 1 else 0.0
    return share * math.log(share / chance) + rest
