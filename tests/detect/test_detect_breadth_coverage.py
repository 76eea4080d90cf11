"""What others look for is answered for: every row names what exists, every check is proven on values made for it."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import pkgutil
import tomllib
from functools import cache
from pathlib import Path

import pytest

from privaudit.detect.catalogue import detectors, validators, wordlists
from privaudit.detect.catalogue.cases import is_found, sentence_of
from privaudit.detect.catalogue.forms import specs_of
from privaudit.detect.subjects.checkdigits import change_digit
from privaudit.model import Verdict
from privaudit.model.vocabulary import entity_types
from tests.helpers import coverage
from tests.helpers.detection import judge
from tests.helpers.valid_numbers import walk

ROOT = Path(__file__).resolve().parents[2]
COVERAGE = wordlists.toml("coverage")
CHECKED = {
    (d.detail or d.entity): d
    for d in detectors.load()
    if d.validator is not None and not d.regex and d.pack in ("national", "numbers") and d.match
}
IDENTIFIERS = frozenset(
    "SSN NATIONAL_ID TAX_ID HEALTH_ID VOTER_ID PASSPORT DRIVER_LICENSE PERSON_ID BANK_ACCOUNT DEVICE_ID VEHICLE_ID "
    "UNRESOLVED_ID CREDIT_CARD PHONE PSEUDONYM HOUSEHOLD COORDINATES".split()
)
SHORT = {"sm.coe", "at.businessid"}  # up to five digits, or words: not recognisable without a column name
DATED = {"cn.ric", "fr.nir"}  # the form has a year of birth or a first digit that the check ignores
MADE = 60
TABLE = 8  # columns of a table: a column is tried against every sibling, which is no matter here
TABLES = [tuple(sorted(CHECKED))[start : start + TABLE] for start in range(0, len(CHECKED), TABLE)]


def pages() -> object:
    """Return docs/make_coverage.py as a module."""
    spec = importlib.util.spec_from_file_location("make_coverage", ROOT / "docs" / "make_coverage.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def made(detail: str) -> tuple[str, ...]:
    """Return values that pass the check of one detector."""
    check = validators.get(str(CHECKED[detail].validator))
    start = next(text for text in CHECKED[detail].match if check(text))
    return tuple(walk(check, start, MADE, tries=700))


@pytest.mark.parametrize("detail", sorted(CHECKED))
def test_valid_numbers_are_found_in_a_sentence(detail: str) -> None:
    """Numbers that are made for the check, some with an impossible date or region, after a word that names them."""
    forms = [s for s in specs_of([CHECKED[detail]]) if s.text.needs == "word"]
    if not forms:
        assert CHECKED[detail].entity in ("ORGANISATION", "PRODUCT_CODE", "RECORD_ID")
        return
    found = [any(is_found(form, sentence_of(form, text)) for form in forms) for text in made(detail)]
    assert sum(found) >= (0.9 if detail not in DATED else 0.02) * len(found)


def test_every_answer_exists() -> None:
    known = {(d.entity, d.detail) for d in detectors.load()} | {(entity, None) for entity in entity_types()}
    for peer, entry in COVERAGE.items():
        for name, answer in entry["covered"].items():
            entity, _, detail = answer.partition(" ")
            assert (entity, detail or None) in known, (peer, name)
        assert all(entry["outside"].values())
        assert not set(entry["covered"]) & set(entry["outside"])


def test_every_module_of_python_stdnum_is_used_or_excluded_with_a_reason() -> None:
    module = pages()
    asked, outside = set(module.modules()), set(COVERAGE["python-stdnum"]["outside"])  # type: ignore[attr-defined]
    assert asked | outside == set(module.checkable())  # type: ignore[attr-defined]
    assert not asked & outside


@pytest.mark.slow
def test_every_entity_of_presidio_has_a_row() -> None:
    recognizers = pytest.importorskip("presidio_analyzer.predefined_recognizers")
    found = set()
    for info in pkgutil.walk_packages(recognizers.__path__, recognizers.__name__ + "."):
        try:
            module = importlib.import_module(info.name)
        except ImportError:
            continue  # needs a service or a model that is not installed
        for name, kind in vars(module).items():
            if inspect.isclass(kind) and name.endswith("Recognizer") and kind.__module__ == info.name:
                default = inspect.signature(kind.__init__).parameters.get("supported_entity")
                if default is not None and isinstance(default.default, str):
                    found.add(default.default)
    rows = COVERAGE["presidio"]
    assert found and found <= set(rows["covered"]) | set(rows["outside"])


def test_the_page_is_what_the_program_makes_of_the_file() -> None:
    assert (ROOT / "docs" / "coverage.md").read_text(encoding="utf-8") == pages().page()  # type: ignore[attr-defined]


@pytest.mark.slow
def test_every_answer_is_explained() -> None:
    from privaudit.api.handbook import explain

    asked = {part for entry in COVERAGE.values() for a in entry["covered"].values() for part in a.split(" ", 1)}
    for name in sorted(asked | {"US_SSN", "KOREA_RRN", "Genetic data"}):
        reported = str(explain(name))
        assert "How it is recognised" in reported or "Laws that name it" in reported, name


def test_there_are_many_checks() -> None:
    assert len(CHECKED) > 200


@pytest.mark.parametrize("detail", sorted(CHECKED))
def test_every_check_has_values_to_prove_it(detail: str) -> None:
    assert len(made(detail)) >= 5


@pytest.mark.parametrize("detail", sorted(CHECKED))
def test_a_number_is_found_under_its_name_next_to_its_country(detail: str) -> None:
    detector, cells = CHECKED[detail], made(detail)
    name = detector.headers[0]
    table = {name: cells, "country": list(detector.locale[:1]) * len(cells)} if detector.locale else {name: cells}
    got = judge(table)[name].is_
    assert got is not None
    if got.detail != detector.detail:  # another number that the same name and the same rule fit
        other = next(d for d in detectors.load() if (d.entity, d.detail) == (got.entity, got.detail))
        assert detector.headers[0] in other.headers or detector.entity == other.entity
        assert sum(map(validators.get(str(other.validator)), cells)) >= 0.8 * len(cells)


FORMS = {f"{d.entity} {d.detail}": d for d in detectors.load() if d.pack == "documents"}


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("name", sorted(FORMS))
def test_a_document_is_found_by_its_form_under_its_name(name: str) -> None:
    import pyarrow as pa

    detector = FORMS[name]
    start = next(text for text in detector.match if detector.accepts(pa.array([text]))[0])
    cells = walk(lambda text: bool(detector.accepts(pa.array([text]))[0]), start, MADE, tries=40)
    assert len(cells) == MADE
    column = detector.headers[0]
    table = {column: cells, "country": list(detector.locale[:1]) * MADE} if detector.locale else {column: cells}
    got = judge(table)[column].is_
    assert got is not None and got.entity == detector.entity
    if detector.strength >= 0.85 and all(text.isascii() for text in cells):
        opaque = judge({"c00": cells})["c00"].is_
        assert opaque is not None and opaque.entity in IDENTIFIERS | {detector.entity}


def nameless(details: tuple[str, ...], *, changed: bool) -> dict[str, Verdict | None]:
    """Return the verdicts on columns without names, one for each check; or on the same with one digit changed."""
    columns = {detail: (list(made(detail)) * MADE)[:MADE] for detail in details}
    if changed:
        columns = {d: [change_digit(text, n) for n, text in enumerate(columns[d])] for d in columns}
    bare = {f"c{place:02d}": cells for place, cells in enumerate(columns.values())}
    return dict(zip(columns, (detection.is_ for detection in judge(bare).values()), strict=True))


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("details", TABLES, ids=lambda details: details[0])
def test_no_personal_number_is_missed_without_a_name(details: tuple[str, ...]) -> None:
    missed = {}
    for detail, got in nameless(details, changed=False).items():
        personal = CHECKED[detail].severity in ("critical", "high") and detail not in SHORT
        found = got is not None and got.entity in IDENTIFIERS
        if personal and not found and len(made(detail)) == MADE:
            missed[detail] = got
    assert missed == {}


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("details", TABLES, ids=lambda details: details[0])
def test_nothing_is_proven_with_one_digit_changed(details: tuple[str, ...]) -> None:
    proven = []
    for detail, got in nameless(details, changed=True).items():
        clues = () if got is None else got.evidence
        if got is not None and any(clue.kind == "check-digit" for clue in clues):
            proven.append((detail, got.detail))
    assert proven == []


MEASURED = {key: (entity, detail) for key, entity, detail in coverage.measured_rows()}


def test_the_measurement_has_every_row_of_the_page() -> None:
    recorded = tomllib.loads(coverage.FILE.read_text(encoding="utf-8"))
    assert list(recorded) == list(MEASURED)
    assert [key for key, one in recorded.items() if one["with"] != "yes"] == []


@pytest.mark.parametrize("key", sorted(MEASURED)[::3])  # each takes two scans
def test_the_page_shows_what_detection_makes_of_the_values(key: str) -> None:
    recorded = tomllib.loads(coverage.FILE.read_text(encoding="utf-8"))
    assert coverage.measure(key, *MEASURED[key]) == recorded[key], "run: python -m tests.helpers.coverage"


def test_evidence_that_suffices_is_shown_only_where_the_measurement_found_it_to() -> None:
    page = pages()
    rows = [row for listed in page.answers().values() for row in listed]  # type: ignore[attr-defined]
    alone = [row for row in rows if page.known_by(row) in ("check", "form", "list")]  # type: ignore[attr-defined]
    assert alone and {page.state(row) for row in alone} == {"yes"}  # type: ignore[attr-defined]
    assert ("IMMIGRATION_STATUS", "NATIONALITY", "") in set(rows) - set(alone)
