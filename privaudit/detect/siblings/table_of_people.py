"""What the columns of a table about people mean that the same columns alone do not show.

Question: is a column of two values named ``female`` a sex, are unnamed numbers dates of birth, what do letters encode?
Method: the first verdicts show whether the table describes people. There, a column of two values holds the property
that its name names; the earliest unnamed date is the birth; a single code 1/2 next to the age is the sex, with little
confidence; letters are a sex only where both letters of a pair occur.
Limits: coded origin, marital status and education without a meaningful name are not detected, because nothing
distinguishes them from other codes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from privaudit import vocabulary
from privaudit.detect.ledger import named
from privaudit.detect.resolver import GUESS
from privaudit.detect.siblings import ages
from privaudit.detect.siblings.candidates import is_generic, suggest, withdraw
from privaudit.detect.values import compound_names, identifiers, levels
from privaudit.headers import flagged_entity_type, needs_people
from privaudit.wording import fact

if TYPE_CHECKING:
    from privaudit.detect.column import Column
    from privaudit.detect.column_evidence import ColumnEvidence

_PAIRS_OF_SEXES = ("mf", "mw", "hf", "km", "ke", "lp", "мж", "vm")
_OTHER_SEXES = frozenset("uxondi")  # unknown, other, neither, divers, not stated
_MARITAL = frozenset("msdwucpxon")
_ORIGIN = frozenset("wbhaoniumplcx")
_TWO_VALUES = (
    frozenset("01"),
    frozenset("12"),
    frozenset("yn"),
    frozenset("tf"),
    frozenset({"yes", "no"}),
    frozenset({"true", "false"}),
)
_NORTH_AMERICAN = r"^[2-9][0-8][0-9][2-9][0-9]{6}$"


def revise_first_verdict(item: ColumnEvidence) -> None:
    """Correct what a column alone suggests about people."""
    if item.verdict is None or item.verdict.entity in vocabulary.with_trait("provisional"):
        item.post(levels.run(item.column, item.ledger))
        item.post(ages.claim_age_bands(item.column))
        item.post(compound_names.with_number(item.column))
        item.post(identifiers.service_tokens(item.column, item.ledger))
    _reject_sexes(item)
    _reject_names_of_places(item)
    _name_masked_streets(item)


def _letters(column: Column) -> frozenset[str]:
    """Return the letters in a column of single letters, nothing where it holds anything else."""
    if column.data_type not in ("text", "boolean") or not 2 <= column.n_distinct <= 12 or column.longest > 4:
        return frozenset()
    values = {text.strip(" .") for text in column.folded.to_pylist()} - {""}
    return frozenset(values) if values and all(len(text) == 1 for text in values) else frozenset()


def _reject_sexes(item: ColumnEvidence) -> None:
    """Reject letters as a sex unless a pair of them occurs and nothing but "unknown" besides."""
    letters = _letters(item.column)
    if not letters or not letters & frozenset("mfw"):
        return
    if not any(letters >= set(pair) and letters - set(pair) <= _OTHER_SEXES for pair in _PAIRS_OF_SEXES):
        unclear = item.column.header.strength("GENDER") < 0.6
        withdraw(item, {"GENDER"}, fact("detect.siblings_not_two_sexes"), also_named=unclear)


def _reject_names_of_places(item: ColumnEvidence) -> None:
    """Reject single words as person names where the column name suggests a place."""
    quasi = vocabulary.in_group("place") & vocabulary.with_role("quasi")
    areas = quasi - vocabulary.with_trait("coordinate") - {"POSTAL_CODE"}
    person_names = vocabulary.with_trait("person_name")
    named = item.ledger.named
    strength = max((claim.strength for entity, claim in named.items() if entity in areas), default=0.0)
    if strength >= 0.6 and not person_names & set(named):
        withdraw(item, person_names, fact("detect.siblings_named_as_place"))


def _name_masked_streets(item: ColumnEvidence) -> None:
    """``045XX N STATE ST`` is a block, not a house."""
    if item.entity != "STREET_ADDRESS":
        return
    masked = item.column.matches(r"(?i)^[0-9]*x{1,4} |^[0-9]+00 block|(?i)\bblock of\b|^[0-9]*\*{2,} ")
    if item.column.share(masked) >= 0.8:
        because = fact("detect.siblings_masked_houses")
        withdraw(item, {"STREET_ADDRESS"}, because, also_named=True)
        n_cells = item.column.cells(masked)
        suggest(
            item, "ADDRESS_PART", 0.9, because, kind="pattern", detail="block", n_cells=n_cells, generic=False
        )


def _has_two_values(column: Column) -> bool:
    """Whether a column holds yes and no, 0 and 1 or 1 and 2, and nothing else."""
    if not 1 <= column.n_distinct <= 2:
        return False
    values = frozenset(text.removesuffix(".0") for text in column.folded.to_pylist())
    return any(values <= pair for pair in _TWO_VALUES)


def _flagged_entity(column: Column) -> str | None:
    """Return the entity type that a column of two values holds by a name such as ``female`` or ``is_black``."""
    entity = flagged_entity_type(column.header.words)
    return entity if entity is not None and _has_two_values(column) else None


def name_flags(table: Sequence[ColumnEvidence], describes_people: bool) -> bool:
    """Read columns of two values by their names; return whether the table describes people, as a sex column shows."""
    flagged = {id(item): entity for item in table if (entity := _flagged_entity(item.column))}
    describes_people = describes_people or not all(needs_people(entity) for entity in flagged.values())
    for item in table:
        entity = flagged.get(id(item))
        if entity is None or (needs_people(entity) and not describes_people):
            continue
        if item.ledger.strength_of_name(entity) < 0.75:
            item.post([named(item.column, entity, 0.75, fact("detect.siblings_named_flag"), "flag")])
    return describes_people


def reject_births(table: Sequence[ColumnEvidence], describes_persons: bool) -> None:
    """Keep the earliest of several unnamed dates of birth; reject those that reach the present of the table."""
    births = [item for item in table if item.entity == "DATE_OF_BIRTH" and is_generic(item, "DATE_OF_BIRTH")]
    ends = [float(np.nanmax(item.calendar.years)) for item in table if item.calendar.share > 0.5]
    for item in births:
        years = item.calendar.years[~np.isnan(item.calendar.years)]
        recent = max(ends) - float(years.max()) < 3 and float(years.min()) > max(ends) - 56
        later = any(_median_year(other) + 8 < _median_year(item) for other in births)
        if later or (recent and _median_year(item) > max(ends) - 35):
            withdraw(item, {"DATE_OF_BIRTH"}, fact("detect.siblings_recent_dates"))
    if describes_persons:
        return
    for item in table:
        if item.entity == "BIRTH_YEAR" and is_generic(item, "BIRTH_YEAR"):
            withdraw(item, {"BIRTH_YEAR"}, fact("detect.siblings_years_without_people"))


def _median_year(item: ColumnEvidence) -> float:
    return float(np.nanmedian(item.calendar.years))


def suggest_letter_codes(table: Sequence[ColumnEvidence]) -> None:
    """Suggest marital status or origin for letters of their usual codes, in a table that describes people."""
    for item in table:
        undecided = item.verdict is None and item.column.header.is_opaque
        letters = _letters(item.column) if undecided else frozenset()
        if letters >= frozenset("ms") and letters <= _MARITAL:
            suggest(item, "MARITAL_STATUS", 0.56, fact("detect.siblings_marital_letters"))
        elif letters >= frozenset("wb") and letters <= _ORIGIN:
            suggest(item, "RACE_ETHNICITY", 0.56, fact("detect.siblings_origin_letters"))


def name_body_weights(table: Sequence[ColumnEvidence]) -> None:
    """In a table that describes people, ``weight`` means body weight."""
    for item in table:
        numbers = item.column.numbers
        by_name = item.verdict is None and set(item.column.header.words) & {"weight", "weights"}
        if by_name and np.isfinite(numbers).any() and 2 <= float(np.nanmedian(numbers)) <= 400:
            item.post([named(item.column, "BIOMETRIC", 0.7, fact("detect.siblings_body_weight"))])


def suggest_initials(table: Sequence[ColumnEvidence]) -> None:
    """Suggest initials for single letters of most of the alphabet, next to person names."""
    if not any(item.entity in vocabulary.with_trait("person_name") for item in table):
        return
    for item in table:
        column = item.column
        if (
            item.verdict is None
            and column.header.is_opaque
            and column.data_type == "text"
            and column.n_distinct >= 10
            and column.longest <= 5
            and column.matching(r"^\p{Lu}\.?(?: ?\p{Lu}\.?)?$") >= 0.95
        ):
            suggest(item, "MIDDLE_NAME", 0.58, fact("detect.siblings_initials"))


def suggest_sex(table: Sequence[ColumnEvidence]) -> None:
    """Suggest the sex for one code of two balanced values next to the age, where no other column is a sex."""
    if any(item.entity == "GENDER" for item in table):
        return
    ages = [i for i, item in enumerate(table) if item.entity in vocabulary.with_trait("gives_age")]
    codes = [
        i
        for i, item in enumerate(table)
        if item.verdict is None and item.column.header.is_opaque and _is_balanced_code(item.column)
    ]
    near = [i for i in codes if any(abs(i - j) <= 2 for j in ages)]
    chosen = codes if len(codes) == 1 and ages else near
    if chosen:
        best = min(chosen, key=lambda i: (min(abs(i - j) for j in ages), i))
        suggest(table[best], "GENDER", GUESS, fact("detect.siblings_sex_code"))


def _is_balanced_code(column: Column) -> bool:
    """Whether a column holds 1 and 2, each in at least a quarter of the cells."""
    values = frozenset(text.removesuffix(".0") for text in column.folded.to_pylist())
    if column.n_distinct != 2 or column.n_present < 30 or values != frozenset("12"):
        return False
    return bool(column.counts.min() / column.counts.sum() >= 0.25)


def suggest_phone_numbers(item: ColumnEvidence) -> None:
    """Suggest phone numbers for ten digits with North American area and exchange codes in every cell."""
    column = item.column
    if item.entity not in (None, "UNRESOLVED_ID") or not column.header.is_opaque or column.n_distinct < 40:
        return
    texts = column.sample
    areas, exchanges = ({text[a:b] for text in texts} for a, b in ((0, 3), (3, 6)))
    if column.matching(_NORTH_AMERICAN) < 0.995 or column.matching("^.11|^...[2-9]11") > 0.02:
        return
    if len(areas) >= 3 and len(exchanges) >= 0.2 * min(len(texts), 200):
        because = fact("detect.siblings_north_american_phone")
        withdraw(item, {"UNRESOLVED_ID"}, because)
        suggest(item, "PHONE", 0.64, because)
