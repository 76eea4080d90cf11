"""Measure what detection makes of the values of each row of docs/coverage.md, with a column name and without one.

Question: is a column of such values found as the entity type of the row, and does that need the column name?
Method: 60 values of each row in a table of one column, which is called c0 once and by a name of the entity type once.
The values follow from the cases of the detector: from one case by a walk over its digits and letters that the detector
accepts, or from its list. Rows that no detector serves, or whose values differ from those of the detector, have theirs
here. `python -m tests.helpers.coverage` writes the results into docs/coverage_measured.toml, which the page shows.
Limits: one sample of values, made for the form; a real column also contains errors. No language model.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from typing import Any

import pyarrow as pa

from privaudit.detect.catalogue import detectors, validators, wordlists
from privaudit.detect.catalogue.detector import Detector
from privaudit.model import Detection
from privaudit.model.vocabulary import entity_type
from tests.helpers.detection import judge
from tests.helpers.paths import ROOT
from tests.helpers.valid_numbers import walk

FILE = ROOT / "docs" / "coverage_measured.toml"
N = 60
HEAD = """# What detection makes of the values of each row of docs/coverage.md.
# Written by: python -m tests.helpers.coverage
# "without" and "with" a column name: "yes" for the entity type, another entity type, "no", or "not assessed";
# "accepted": whether a detector of the entity type accepts the values.
"""
Draw = Callable[[random.Random], str]


def digits(n: int) -> Draw:
    """Return a draw of numbers of `n` digits."""
    return lambda r: f"{r.randrange(10**n):0{n}d}"


def among(*values: str) -> Draw:
    """Return a draw among `values`."""
    return lambda r: r.choice(values)


def _date(first: int, last: int) -> Draw:
    return lambda r: f"{r.randint(first, last)}-{r.randint(1, 12):02d}-{r.randint(1, 28):02d}"


def _card(r: random.Random) -> str:
    payload = "4" + digits(14)(r)
    total = sum(d if i % 2 else d * 2 - 9 * (d > 4) for i, d in enumerate(map(int, reversed(payload))))
    return payload + str(-total % 10)


GIVEN = "Emily James Sofia Daniel Maria Peter Hannah Samuel Grace Thomas Laura David".split()
FAMILY = "Smith Taylor Brown Wilson Fernandez Rossi Novak Andersen Schmidt Dubois Patel Tanaka".split()
TOWNS = "London Chicago Dublin Toronto Manchester Boston Sydney Houston Nairobi Berlin Madrid Lyon".split()
NOTE = "Please call back about the invoice of {}, the customer was not at home when the courier came."

VALUES: dict[str, tuple[str, Draw]] = {
    "AGE": ("age", lambda r: str(r.randint(18, 90))),
    "BANK_ACCOUNT": ("bank_account_number", digits(10)),
    "BANK_CODE": ("swift_code", among("DEUTDEFF", "BARCGB22", "CHASUS33", "BNPAFRPP", "KCBLKENX", "UBSWCHZH")),
    "BEHAVIOUR": ("purchase_history", among("shoes", "books", "garden", "toys", "music")),
    "CARD_SECURITY": ("cvv", digits(3)),
    "CITY": ("city", among(*TOWNS)),
    "CREDIT_CARD": ("credit_card_number", _card),
    "CRIMINAL": ("criminal_record", among("none", "fine", "custody")),
    "DATE_EVENT": ("date", _date(2020, 2024)),
    "DATE_OF_BIRTH": ("date_of_birth", _date(1930, 2005)),
    "DRIVER_LICENSE": ("drivers_license", digits(8)),
    "FIRST_NAME": ("first_name", among(*GIVEN)),
    "FREE_TEXT": ("message", lambda r: NOTE.format(r.randint(1000, 9999))),
    "GENDER": ("gender", among("female", "male")),
    "HEALTH_ID": ("medical_record_number", digits(8)),
    "LAST_NAME": ("last_name", among(*FAMILY)),
    "MEDICAL": ("diagnosis", among("hypertension", "malaria", "asthma", "diabetes", "tuberculosis", "epilepsy")),
    "NATIONAL_ID": ("national_identification_number", digits(9)),
    "ORGANISATION": ("organization_name", among("Acme Ltd", "Borealis Inc", "Citrine GmbH", "Delta LLC")),
    "ORGANISATION us.ein": ("ein", lambda r: r.choice(("12", "45", "61", "91")) + digits(7)(r)),
    "PASSPORT": ("passport_number", lambda r: r.choice("ABCEGKP") + digits(7)(r)),
    "PERSON_ID": ("person_id", digits(7)),
    "PERSON_NAME": ("name", lambda r: f"{r.choice(GIVEN)} {r.choice(FAMILY)}"),
    "PHONE": ("phone_number", lambda r: f"+44 20 7946 0{digits(3)(r)}"),
    "RECORD_ID": ("claim_number", lambda r: "CL" + digits(8)(r)),
    "SSN": ("social_security_number", digits(10)),
    "TAX_ID": ("tax_identification_number", digits(10)),
    "UNION": ("union_membership", among("member", "not a member", "former member")),
    "UNRESOLVED_ID": ("generic_id", lambda r: f"{r.choice('ABCDEF')}{digits(4)(r)}{r.choice('ABCDEF')}{digits(3)(r)}"),
    "USERNAME": ("account_name", lambda r: f"{r.choice(GIVEN).lower()}_{r.choice(FAMILY).lower()}{r.randint(1, 99)}"),
    "VOTER_ID": ("voter_id", lambda r: f"{r.choice('ABCD')}{r.choice('ABCD')}{r.randint(1, 9999)}"),
}  # fmt: skip
"""A column name and values of an entity type that has no detector of its own form, or of one detail."""

DRUGS = among("metformin", "amoxicillin", "lisinopril", "atorvastatin", "ibuprofen", "omeprazole")
ROWS: dict[str, tuple[str, Draw]] = {
    "FRANCE_PHONE_NUMBER": ("phone_number", lambda r: f"06 {' '.join(digits(2)(r) for _ in range(4))}"),
    "IMMIGRATION_STATUS": ("immigration_status", among("permanent resident", "asylum seeker", "work visa", "refugee")),
    "LATITUDE_LONGITUDE": (
        "location",
        lambda r: f"{r.uniform(51, 52):.5f}, {r.uniform(-1, 1):.5f}",
    ),
    "MEDICAL_FAMILY_HISTORY": ("family_history", among("father: stroke", "none", "mother: breast cancer", "unknown")),
    "MEDICAL_MEDICATION": ("medication", DRUGS),
    "MEDICAL_THERAPEUTIC_PROCEDURE": ("procedure", among("appendectomy", "dialysis", "chemotherapy", "hip surgery")),
    "TIME": ("time", lambda r: f"{r.randrange(24):02d}:{r.randrange(60):02d}:{r.randrange(60):02d}"),
    "US_TOLLFREE_PHONE_NUMBER": ("phone", lambda r: f"(800) {r.randint(200, 999)}-{digits(4)(r)}"),
}  # fmt: skip
"""The same for rows whose values differ from those of their entity type."""


def measure(key: str, entity: str, detail: str) -> dict[str, Any]:
    """Return what detection makes of the values of `key`, as the file states it."""
    chosen = [d for d in detectors.load() if d.entity == entity and (not detail or d.detail == detail)]
    name, cells = _values(key, entity, chosen)
    column = [cells[i % len(cells)] for i in range(N)]
    return {
        "without": _outcome(judge({"c0": column})["c0"], entity),
        "with": _outcome(judge({name: column})[name], entity),
        "accepted": any(_share(detector, cells) >= 0.5 for detector in chosen),
    }


def _values(key: str, entity: str, chosen: Sequence[Detector]) -> tuple[str, list[str]]:
    given = ROWS.get(key) or VALUES.get(key)
    if given is not None:
        name, draw = given
        chance = random.Random(key)
        return name, [draw(chance) for _ in range(N)]
    for detector in chosen:
        name = next(iter(detector.headers), entity_type(entity).singular).replace(" ", "_")
        start = next((text for text in detector.match if _share(detector, [text])), None)
        if start is not None and (detector.regex or detector.validator):
            tries = 700 if detector.validator else 40
            return name, walk(_check(detector), start, N, tries=tries)
        if detector.listed:
            return name, sorted(detector.values or wordlists.value_list(str(detector.list)))[:N]
    raise LookupError(f"{key}: no values; add some to tests/helpers/coverage.py")


def _check(detector: Detector) -> Callable[[str], bool]:
    """Return whether the detector accepts a text; the validator, which rejects most, is asked first."""
    valid = validators.get(detector.validator) if detector.validator and detector.checked == "cell" else bool
    return lambda text: bool(valid(text)) and _share(detector, [text]) == 1


def _share(detector: Detector, cells: Sequence[str]) -> float:
    if not detector.recognises_cells:
        return 0.0
    return float(detector.accepts(pa.array(list(cells))).mean())


def _outcome(found: Detection, entity: str) -> str:
    if found.is_ is not None and found.is_.entity == entity:
        return "yes"
    if found.unassessed is not None:
        return "not assessed"
    return "no" if found.is_ is None else found.is_.entity


def main() -> None:
    """Measure every row and write the file."""
    lines = [HEAD]
    for key, entity, detail in measured_rows():
        states = ", ".join(f"{name} = {json.dumps(value)}" for name, value in measure(key, entity, detail).items())
        lines.append(f'"{key}" = {{ {states} }}')
    FILE.write_text("\n".join(lines) + "\n", encoding="utf-8")


def measured_rows() -> list[tuple[str, str, str]]:
    """Return key, entity type and detail of everything that the page shows, sorted."""
    from docs.make_coverage import answers

    rows = {row for listed in answers().values() for row in listed}
    return sorted({(row[0] if row[0] in ROWS else " ".join(row[1:]).strip(), *row[1:]) for row in rows})


if __name__ == "__main__":
    main()
