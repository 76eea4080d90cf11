"""One cell that is not like the others is found in a column of any kind, and counted as what it is."""

from __future__ import annotations

import json
import random

import pyarrow as pa
import pytest

from privaudit.detect.detection import detect
from privaudit.detect.roles import assign
from privaudit.settings.config import Settings
from privaudit.source import from_arrow
from privaudit.source.profile import profile

N = 600
_R = random.Random(11)
COLUMNS = {
    "uid": [f"{_R.getrandbits(32):08x}-{_R.getrandbits(16):04x}-4abc-8def-{_R.getrandbits(48):012x}" for _ in range(N)],
    "plz": [f"{_R.randint(10_000, 99_999)}" for _ in range(N)],
    "tel": [f"+49 30 {_R.randint(2_000_000, 8_999_999)}" for _ in range(N)],
    "app_version": [f"{_R.randint(0, 5)}.{_R.randint(0, 30)}.{_R.randint(0, 9)}" for _ in range(N)],
    "amount": [f"{_R.random() * 100:.2f}" for _ in range(N)],
    "count": [str(_R.randint(0, 10**6)) for _ in range(N)],
    "day": [f"20{_R.randint(10, 24)}-{_R.randint(1, 12):02d}-{_R.randint(1, 28):02d}" for _ in range(N)],
    "sku": [f"AB-{_R.randint(1000, 9999)}" for _ in range(N)],
    "gender": [_R.choice("MF") for _ in range(N)],
    "flag": [_R.choice("01") for _ in range(N)],
    "ip": [f"10.{_R.randint(0, 255)}.{_R.randint(0, 255)}.{_R.randint(1, 254)}" for _ in range(N)],
}
PLANTED = "please call mara.stone@example.com"


def _read(columns: dict[str, list[str]]):
    settings = Settings(ner=False)
    with from_arrow(pa.table(columns)) as dataset:
        profiles = profile(dataset)
        found = detect(dataset, profiles, settings)
    return dict(zip(columns, zip(found, assign(profiles, found, settings), strict=True), strict=True))


@pytest.fixture(scope="module")
def planted():
    return _read({name: [*cells[:-1], PLANTED] for name, cells in COLUMNS.items()})


@pytest.fixture(scope="module")
def plain():
    return _read(COLUMNS)


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("name", COLUMNS)
def test_one_address_among_numbers_dates_and_codes_is_found(planted, name):
    detection, _ = planted[name]
    assert [(one.entity, one.n_cells, one.share.n) for one in detection.contains] == [("EMAIL", 1, N)]


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("name", COLUMNS)
def test_the_same_columns_without_it_contain_nothing(plain, name):
    assert plain[name][0].contains == ()


@pytest.mark.parametrize("name", COLUMNS)
def test_a_stray_cell_takes_no_quasi_identifier_out_of_the_count(planted, plain, name):
    before, after = plain[name][1].role, planted[name][1].role
    assert after == ("sensitive" if before == "none" else before)


def test_an_address_far_inside_a_long_cell_is_found():
    cells = [f"{i} {'lorem ipsum ' * 3_000}" for i in range(5)]
    cells[3] += PLANTED
    detection, _ = _read({"blob": cells})["blob"]
    assert [(one.entity, one.n_cells) for one in detection.contains] == [("EMAIL", 1)]


def test_the_only_row_of_a_table_is_read_as_text_and_one_sentence_in_every_row_is_not():
    note = "The visitor asked for a copy of the letter and left a number for the desk to call back."
    alone, repeated = (_read({"note": [note] * n})["note"][0].is_ for n in (1, 40))
    assert alone is not None and alone.entity == "FREE_TEXT"
    assert repeated is None or repeated.entity != "FREE_TEXT"


def test_what_is_not_looked_for_in_structured_cells_is_reported():
    cells = [f'{{"name": "person {i}", "mail": "p{i}@example.org"}}' for i in range(30)]
    detection, _ = _read({"payload": cells})["payload"]
    assert [one.entity for one in detection.contains] == ["EMAIL"]
    assert any("fields" in str(note) for note in detection.notes)


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize("other", [{}, {"street": "12 Harbour Road", "city": "Leeds"}, {"note": "prefers the phone"}])
def test_the_limits_state_that_names_in_records_were_not_sought(other: dict[str, str]):
    """Also where addresses among the fields decide the entity type of the column."""
    cells = [json.dumps({"name": f"Mara Stone {i}", "mail": f"m{i}@example.org", **other}) for i in range(N)]
    with from_arrow(pa.table({"contact": cells, "count": COLUMNS["count"]})) as dataset:
        found = detect(dataset, profile(dataset), Settings())[0]
    assert {one.entity: one.n_cells for one in found.contains}["EMAIL"] == N
    assert "detect.text_fields_not_read" in {note.code for note in found.notes}


@pytest.mark.slow
def test_the_limits_do_not_state_so_for_html_that_a_model_reads():
    words = "the customer asked for another delivery date because of a long journey and will write again".split()
    draw = random.Random(5)
    cells = [f"<p>{' '.join(draw.choices(words, k=25))} {i}</p>" for i in range(N)]
    with from_arrow(pa.table({"notes": cells})) as dataset:
        found = detect(dataset, profile(dataset), Settings())[0]
    assert found.is_ is not None and found.is_.entity == "FREE_TEXT"
    assert "detect.text_fields_not_read" not in {note.code for note in found.notes}
