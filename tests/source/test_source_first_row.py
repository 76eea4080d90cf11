"""A header is found where there is one, and data never becomes a header."""

from __future__ import annotations

import csv
import json
import random
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import privaudit
from privaudit.model.headers import is_personal
from privaudit.source.cells.column_names import clean_names
from privaudit.source.files.formats.first_row import is_header

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT.parent / "shared" / "data"
TABLES = (
    {k: v for k, v in json.loads((DATA / "labels_meta.json").read_text(encoding="utf-8")).items() if v["sep"]}
    if DATA.is_dir()
    else {}
)


@pytest.mark.shared
@pytest.mark.skipif(not TABLES, reason="reference tables are not there")
@pytest.mark.parametrize("size", [5, 10, 100, 1000])
@pytest.mark.parametrize("name", sorted(TABLES))
def test_real_tables_with_and_without_their_header(name, size):
    """Any row on top of others is data; the header on top of the same rows is one."""
    with (DATA / name).open(encoding="utf-8-sig", newline="") as file:
        rows = [row for row in csv.reader(file, delimiter=TABLES[name]["sep"]) if row]
    header = rows.pop(0) if TABLES[name]["header"] else None
    rng = random.Random(size)
    for _ in range(5):
        rng.shuffle(rows)
        body = rows[1 : size + 1]
        assert not is_header(rows[0], body)
        assert header is None or is_header(header, body)


@pytest.mark.parametrize(
    ("first", "body", "header"),
    [
        (["id", "name"], [], True),
        (["Ann", "Bob"], [], False),
        (["Country", "2019", "2020", "2021"], [["Kenya", "1", "2", "3"], ["Ghana", "4", "5", "6"]], True),
        (["born", "died"], [["1901", "1960"], ["1920", "1999"]], True),
        (["1901", "1960"], [["1920", "1999"], ["1930", "1980"]], False),
        (["0", "1", "2"], [["x", "y", "z"], ["u", "v", "w"]], True),
        (["1", "2", "3"], [["4", "5", "6"], ["7", "8", "9"]], False),
        (["", ""], [["1", "2"]], False),
        (["NA", "unknown", "?"], [["1", "2", "3"], ["4", "5", "6"]], False),
        (["Vorname", "Ort"], [["Anna", "Bonn"], ["Otto", "Köln"]], True),
    ],
)
def test_small_cases(first, body, header):
    assert is_header(first, body) == header


@given(
    names=st.lists(st.one_of(st.none(), st.text(max_size=12), st.sampled_from(["a", "a_2", "column_1"])), max_size=12)
)
def test_names_are_different_and_printable(names):
    cleaned, limits = clean_names(names)
    assert len(cleaned) == len(names) == len(set(cleaned))
    assert all(name and name.strip() == name and "\n" not in name and "\x00" not in name for name in cleaned)
    stated = " ".join(limit.what + limit.why for limit in limits)
    assert not any(is_personal(name) and name in stated for name in names if name)
    assert clean_names(cleaned)[0] == cleaned


@pytest.mark.parametrize(
    ("name", "personal"),
    [
        ("jane.doe@example.com", True),
        ("+254 722 123 456", True),
        ("0722-123-456", True),
        ("123-45-6789", True),
        ("4111 1111 1111 1111", True),
        ("DE89 3704 0044 0532 0130 00", True),
        ("192.168.1.17", True),
        ("A012345678Z", True),
        ("x" * 200, True),
        ("date_of_birth", False),
        ("income 2019-2020", False),
        ("2020-01-31", False),
        ("cases 2020-01", False),
        ("icd10_code", False),
        ("Q12", False),
        ("1.5", False),
    ],
)
def test_names_that_are_personal_data(name, personal):
    assert is_personal(name) == personal


@pytest.mark.slow
def test_a_command_line_scan_need_not_load_pandas(tmp_path):
    (tmp_path / "t.csv").write_text("id,age\n1,34\n2,35\n", encoding="utf-8")
    program = (
        "import sys\n"
        "from privaudit.source.files.readers.pandas_import import skip_pandas\n"
        "skip_pandas()\n"
        "from privaudit.settings.config import Settings\n"
        "from privaudit.source import open_dataset\n"
        "from privaudit.source.profile import profile\n"
        f"profile(open_dataset({str(tmp_path / 't.csv')!r}, Settings()))\n"
        "print({'pandas', 'ibis', 'duckdb'} & set(sys.modules))\n"
        "import pandas\n"
        "import pyarrow\n"
        "print(pyarrow.Table.from_pandas(pandas.DataFrame({'a': [1.0, None]}))['a'].to_pylist())\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[:2] == ["set()", "[1.0, None]"]


@pytest.mark.parametrize("stem", ["V", "gene_", "Manager", "item-", "x.", "q"])
@pytest.mark.parametrize("count", [5, 1200])
def test_names_that_count_up_are_a_header(stem: str, count: int) -> None:
    first = [f"{stem}{i}" for i in range(1, count + 1)]
    body = [[f"{(i * 7919 + row) % 997 / 97:.4f}" for i in range(count)] for row in range(10)]
    assert is_header(first, body)
    assert is_header(["id", *first], [[str(row), *cells] for row, cells in enumerate(body)])


def test_codes_that_count_up_in_every_record_are_data() -> None:
    records = [[f"{stem}{i}" for i in range(1, 9)] for stem in "ABCDEF"]
    assert not is_header(records[0], records[1:])


@pytest.mark.parametrize("name", ["shipMode", "cust_ref", "custref"])
def test_a_name_of_programs_above_a_short_column_of_words_is_a_header(name):
    words = [["Red"], ["Blue"], ["Green"], ["Teal"]]
    assert is_header([name], words)
    assert not is_header([name], [*words, [name]])
    assert not is_header(["Miller"], [["Smith"], ["Jones"], ["Brown"]])
    assert not is_header(["miller"], [["smith"], ["Jones"], ["brown"]])


def test_words_in_lower_case_are_a_header_where_all_are_and_nothing_below_is():
    rows = [["Tea", "Ben"], ["Milk", "Cara"], ["Rice", "Dan"]]
    assert is_header(["qwix", "zanty"], rows)
    assert not is_header(["other", "Anna"], rows)
    assert not is_header(["qwix", "zanty"], [*rows, ["soda", "Eve"]])


@pytest.mark.parametrize("name", ["Фамилия", "姓名", "Nachname", "Cognome", "رقم الهاتف"])
def test_the_name_of_an_identifier_in_any_language_is_a_header(name):
    assert is_header([name], [["Alpha"], ["Beta"], ["Gamma"], ["Delta"]])


@pytest.mark.parametrize("name", ["Nick", "성", "Ani"])
def test_a_name_of_people_that_also_names_columns_is_data(name):
    """One row of given names must not be printed, although "nick" names columns of user names."""
    assert not is_header([name], [["Alpha"], ["Beta"], ["Gamma"], ["Delta"]])


def test_letters_above_empty_cells_are_a_header_and_words_are_not():
    """A letter names no person; a word above empty cells may be the only row of data."""
    assert is_header(["a", "b"], [["", ""], ["", ""]])
    assert not is_header(["Ada", "Lovelace"], [["", ""], ["", ""]])
    assert not is_header(["7", "b"], [["", ""], ["", ""]])


@pytest.mark.parametrize(("names", "is_open"), [("name,city", True), ("key,name,city", False)])
def test_a_header_with_one_name_fewer_than_the_rows_have_cells_is_incomplete(tmp_path, names, is_open):
    """A name may be above the wrong column, unless the first cells are the names of the rows."""
    path = tmp_path / "t.csv"
    path.write_text(f"{names}\n" + "".join(f"{i % 5},x{i % 7},{i % 3}\n" for i in range(60)))
    made = privaudit.scan(path, quasi="none", ner=False)
    assert ("source.header_shifted" in [one.code for one in made.limits if one.incomplete]) is is_open
    assert (made.gate().exit_code == 3) is is_open
