"""Which columns of the two tables speak of the same thing?

Question: on what can an adversary who holds the auxiliary table link it to the release?
Method: pairs named by the user, or else every pair whose headers say the same (equal tokens, synonyms, one
header within the other) and whose values overlap, and pairs of text columns whose values overlap so far that
headers are not needed. Best pairs first, one-to-one, each with its reason.
Limits: two columns that hold the same codes for different things look alike without headers, so numbers are
never paired by value alone. Row numbers are left out: they agree by counting, not by being about a person.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from privaudit.attack.values import Canonical, canonical, plain
from privaudit.model import ColumnReport, Limit

if TYPE_CHECKING:
    from privaudit.source.dataset import Dataset, Frequencies

SYNONYMS: tuple[frozenset[str], ...] = tuple(
    frozenset(words.split())
    for words in (
        "sex gender geschlecht sexe sexo jinsia",
        "zip zipcode postcode postal postalcode plz cp postleitzahl",
        "dob birthdate birthday dateofbirth birthdt bday",
        "birthyear yob yearofbirth",
        "age ageyears ageinyears umri alter edad",
        "marital maritalstatus civilstatus familystatus",
        "occupation job jobtitle jobrole profession work",
        "education educationlevel qualification degree schooling",
        "race ethnicity ethnicgroup raceethnicity",
        "nationality citizenship",
        "country nativecountry countryofbirth birthcountry",
        "county region district province state",
        "city town municipality village",
        "email mail emailaddress",
        "phone telephone mobile phonenumber tel cell msisdn",
        "name fullname personname",
        "firstname givenname forename",
        "lastname surname familyname",
        "dependents dependants noofdependents numberofdependents nodependents",
        "income salary wage earnings",
        "department dept division",
        "religion faith",
        "diagnosis disease illness condition",
    )
)
FEW_VALUES = 50
COUNTERS = frozenset({"ROW_NUMBER"})


@dataclass(frozen=True, slots=True)
class Link:
    """Two columns that are compared, how and why."""

    release: str
    auxiliary: str
    because: str
    comparison: str


@dataclass(frozen=True, slots=True)
class _Candidate:
    link: Link
    score: tuple[float, float]


def named_links(release: Dataset, auxiliary: Dataset, on: Mapping[str, str]) -> tuple[Link, ...]:
    """Return the links the user named, ``{release column: auxiliary column}``.

    Raises
    ------
    ColumnNotFound
        If one of the two tables lacks a column.
    """
    links = []
    for ours, theirs in on.items():
        pair = _compare(release.frequencies(ours), auxiliary.frequencies(theirs))
        links.append(Link(ours, theirs, "named by the user", pair.comparison))
    return tuple(links)


def find_links(
    release: Dataset, auxiliary: Dataset, columns: Sequence[ColumnReport], *, skip: Mapping[str, str]
) -> tuple[tuple[Link, ...], tuple[Limit, ...]]:
    """Pair the columns of the two tables by header, kind and overlap of values.

    Parameters
    ----------
    columns : sequence of ColumnReport
        The release's columns as the scan sees them.
    skip : mapping of release column to auxiliary column
        Columns that hold the truth and are no knowledge of the attacker.

    Returns
    -------
    links : tuple of Link, in the order of the release's columns
    limits : tuple of Limit
        Columns of one name that were not linked on, and why.
    """
    reports = {report.name: report for report in columns}
    limits: list[Limit] = []
    found: list[_Candidate] = []
    for ours in (name for name in release.columns if name not in skip):
        if ours in reports and _counts_rows(reports[ours]):
            if ours in auxiliary.columns:
                limits.append(_not_linked(ours, "it numbers the rows of the release"))
            continue
        for theirs in (name for name in auxiliary.columns if name not in skip.values()):
            relation = relate(ours, theirs)
            if relation is None and not _may_match_by_value(reports.get(ours)):
                continue
            candidate = _judge(release, auxiliary, ours, theirs, relation)
            if candidate is not None:
                found.append(candidate)
            elif relation is not None and relation[0] == 1.0:
                limits.append(_not_linked(ours, "too few of its values occur in both tables"))
    return _one_to_one(found, release.columns), tuple(limits)


def relate(ours: str, theirs: str) -> tuple[float, str] | None:
    """Return how far two headers say the same, 0.6 to 1, and in which way; None if they do not."""
    left, right = tokens(ours), tokens(theirs)
    if not left or not right:
        return None
    if "".join(left) == "".join(right):
        return 1.0, "same header"
    for words in SYNONYMS:
        if _speaks_of(left, words) and _speaks_of(right, words):
            return 0.8, "headers are synonyms"
    shorter, longer = sorted((set(left), set(right)), key=len)
    if shorter < longer and any(len(token) >= 3 for token in shorter):
        return 0.6, "one header is part of the other"
    return None


def tokens(header: str) -> tuple[str, ...]:
    """Split a header at case changes, digits and signs: "maritalStatus_2" gives marital, status, 2."""
    spaced = re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", header)
    spaced = re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1 \2", spaced)
    return tuple(re.findall(r"[^\W\d_]+|\d+", spaced.lower()))


def _speaks_of(header: tuple[str, ...], words: frozenset[str]) -> bool:
    return "".join(header) in words or (len(header) > 1 and header[0] in words and header[-1] == "status")


def _counts_rows(report: ColumnReport) -> bool:
    if report.is_ is not None:
        return report.is_.entity in COUNTERS
    return report.monotonic and report.kind == "integer" and report.uniqueness == 1.0 and report.n_rows > 1


def _may_match_by_value(report: ColumnReport | None) -> bool:
    return report is not None and report.kind == "text" and 3 <= report.n_distinct <= 100_000


def _compare(left: Frequencies, right: Frequencies) -> Canonical:
    return canonical(left.values, right.values)


def _judge(
    release: Dataset, auxiliary: Dataset, ours: str, theirs: str, relation: tuple[float, str] | None
) -> _Candidate | None:
    """Return the pair as a candidate if enough of the auxiliary cells occur in the release."""
    left, right = release.frequencies(ours), auxiliary.frequencies(theirs)
    if not len(left.values) or not len(right.values):
        return None
    if relation is None and not 3 <= len(right.values) <= 100_000:
        return None
    pair = _compare(left, right)
    share, n_shared = _containment(pair, right)
    if relation is None:
        larger = max(len(plain(left.values).unique()), len(plain(right.values).unique()))
        if pair.comparison != "text" or share < 0.9 or n_shared < 3 or n_shared < 0.3 * larger:
            return None
        relation = (0.3, "values agree though headers differ")
    elif share < _least(relation[0], len(right.values)) or share == 0:
        return None
    because = f"{relation[1]}; {100 * share:.0f} % of the auxiliary cells hold a value that the release holds"
    return _Candidate(Link(ours, theirs, because, pair.comparison), (relation[0], share))


def _least(relation: float, n_values: int) -> float:
    if relation < 1.0:
        return 0.3
    return 0.1 if n_values <= FEW_VALUES else 0.0


def _containment(pair: Canonical, right: Frequencies) -> tuple[float, int]:
    """Return the share of auxiliary cells whose value the release holds, and how many values are shared."""
    import pyarrow.compute as pc

    inside = pc.fill_null(pc.is_in(pair.auxiliary, value_set=pair.release.drop_null()), False)
    hit = np.asarray(inside.to_numpy(zero_copy_only=False), dtype=bool)
    shared = pair.auxiliary.filter(inside)
    return float(right.counts[hit].sum() / right.n_present), len(shared.unique())


def _one_to_one(found: list[_Candidate], order: Sequence[str]) -> tuple[Link, ...]:
    """Take the best pairs first; ties go by name, so that the order of columns does not matter."""
    found.sort(key=lambda c: (-c.score[0], -c.score[1], c.link.release, c.link.auxiliary))
    taken: dict[str, Link] = {}
    used: set[str] = set()
    for candidate in found:
        link = candidate.link
        if link.release not in taken and link.auxiliary not in used:
            taken[link.release] = link
            used.add(link.auxiliary)
    return tuple(taken[name] for name in order if name in taken)


def _not_linked(column: str, why: str) -> Limit:
    return Limit(
        what=f'column "{column}" was not linked on',
        why=f"both tables have it, but {why}; --on names columns to link on whatever they hold",
    )
