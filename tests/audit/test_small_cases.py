"""Small tables that were once judged wrongly (`../shared/cases`): each has one right answer."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

import privaudit
from privaudit.base.records import dataclass
from privaudit.model import Report
from tests.helpers.paths import SHARED

FOLDER = SHARED / "cases" / "t3"
PEOPLE = {"age": "AGE", "sex": "GENDER"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a scan must report of a table.

    ``entities`` are the entity types of columns, ``reported`` are codes that must be among the findings, ``absent``
    are those that must not.
    """

    exit_code: int
    entities: Mapping[str, str | None]
    unit: str = "person"
    n_rows: int | None = None
    k: int | None = None
    reported: frozenset[str] = frozenset()
    absent: frozenset[str] = frozenset()
    controls: tuple[tuple[str, str], ...] = ()
    quasi: str = ""


def codes(text: str) -> frozenset[str]:
    return frozenset(text.split())


NAMES = (("HIPAA-b2i-A", "contradicted"),)
DATES = (("HIPAA-b2i-C", "contradicted"),)
K_ONE = codes("QI001 QI003")
ANSWERS = {
    "name_nickname.csv": Answer(
        exit_code=1, entities=PEOPLE | {"name": "PERSON_NAME"}, reported=codes("PII001"), controls=NAMES
    ),
    "name_dotted.csv": Answer(
        exit_code=1, entities=PEOPLE | {"name": "PERSON_NAME"}, reported=codes("PII001"), controls=NAMES
    ),
    "date_mmddyyyy.csv": Answer(
        exit_code=1, entities=PEOPLE | {"visit_date": "DATE_EVENT"}, k=1, reported=codes("DAT001"), controls=DATES
    ),
    "date_excel_serial.csv": Answer(
        exit_code=1, entities=PEOPLE | {"visit_date": "DATE_EVENT"}, k=1, reported=codes("DAT001"), controls=DATES
    ),
    "unnamed_ddmmyyyy.csv": Answer(
        exit_code=1, entities=PEOPLE | {"c7": "DATE_EVENT"}, k=1, reported=K_ONE, controls=DATES
    ),
    "principal_dx.csv": Answer(exit_code=0, entities=PEOPLE | {"principal_dx": "MEDICAL"}, reported=codes("SEN003")),
    "json_wrapper.json": Answer(exit_code=1, entities=PEOPLE | {"zip": "POSTAL_CODE"}, n_rows=40, k=1, reported=K_ONE),
    "json_wrapper_indented.json": Answer(
        exit_code=1, entities=PEOPLE | {"zip": "POSTAL_CODE"}, n_rows=20, k=1, reported=K_ONE
    ),
    "four_readings.csv": Answer(exit_code=1, entities=PEOPLE | {"readings": None}, k=11, absent=codes("PII001 PII003")),
    "car_colour.csv": Answer(exit_code=0, entities=PEOPLE | {"car_colour": None}, absent=codes("PII001 SEN003")),
    "counties.csv": Answer(
        exit_code=0,
        entities={"fips": "GEO_CODE", "name": "COUNTY_REGION", "total_population": None},
        unit="aggregate",
        absent=codes("PII001 QI001"),
    ),
    "by_state.csv": Answer(
        exit_code=0,
        entities={"State Name": "STATE"},
        unit="aggregate",
        absent=codes("QI001 QI002 QI003 QI004 RSK001 SEN001"),
    ),
    "record_numbers.csv": Answer(exit_code=0, entities=PEOPLE | {"LOGRECNO": "RECORD_ID"}, absent=codes("PII001")),
    "phone_plans.csv": Answer(exit_code=0, entities=PEOPLE | {"plan": "CATEGORY"}, absent=codes("GEO001")),
    "rank.csv": Answer(exit_code=0, entities=PEOPLE | {"rank": None}, absent=codes("QI001 QI002 QI003")),
    "suppressed_record.csv": Answer(
        exit_code=1,
        entities={"age": "AGE", "gender": "GENDER", "zip": "POSTAL_CODE"},
        k=40,
        reported=codes("GEO001"),
        absent=codes("QI003 QI004"),
        quasi="age,gender,zip",
    ),
    "parquet_named.csv": Answer(exit_code=0, entities=PEOPLE, n_rows=60, k=30),
    "at_sign.csv": Answer(
        exit_code=3,
        entities=dict.fromkeys(("item", "qty", "price")) | {"date": "DATE_EVENT"},
        unit="unknown",
        n_rows=50,
    ),
}
ELSEWHERE = {"names_again_in_keys.csv"}
"""Tables of which a remedy is tested, in `tests/releases/remedy`."""


def scanned(name: str, quasi: str = "") -> Report:
    chosen = {"quasi": quasi.split(",")} if quasi else {}
    return privaudit.scan(FOLDER / name, ner=False, framework=["hipaa-safe-harbor"], **chosen).wire


@pytest.mark.shared
@pytest.mark.parametrize("name", sorted(ANSWERS))
def test_a_table_that_was_once_judged_wrongly_has_its_right_answer(name: str) -> None:
    if not (FOLDER / name).is_file():
        pytest.skip("the cases of ../shared are not available")
    right, report = ANSWERS[name], scanned(name, ANSWERS[name].quasi)
    found = {finding.code for finding in report.findings}
    assert report.gate_.exit_code == right.exit_code
    assert right.entities.items() <= {c.name: c.is_.entity if c.is_ else None for c in report.columns}.items()
    assert report.dataset.unit is not None and report.dataset.unit.kind == right.unit
    assert found >= right.reported and not found & right.absent
    assert right.n_rows in (None, report.dataset.n_rows)
    assert right.k is None or (report.risk is not None and report.risk.k_min == right.k)
    states = {control.id: control.state for control in report.controls}
    assert all(states[control] == state for control, state in right.controls)


@pytest.mark.shared
def test_every_case_has_an_answer() -> None:
    if not FOLDER.is_dir():
        pytest.skip("the cases of ../shared are not available")
    files = {file.name for file in FOLDER.iterdir() if file.suffix in (".csv", ".json")}
    assert files == set(ANSWERS) | ELSEWHERE
