"""Rows with another number of cells than the header, and lines that do not belong to the table."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from privaudit.base.errors import UnreadableSource
from privaudit.settings.config import Settings
from privaudit.source.dataset import Dataset
from privaudit.source.files.formats import delimited
from privaudit.source.files.formats.sheet import to_columns
from privaudit.source.opening import open_dataset

NAMES = ("name", "age", "town", "note", "weight")
WORD = st.sampled_from(["ash", "birch", "cedar", "elm", "fir"])
ROW = st.tuples(WORD, st.integers(18, 90).map(str), WORD, WORD, st.integers(400, 990).map(lambda n: f"{n / 10:.1f}"))
TABLE = st.lists(ROW.map(list), min_size=12, max_size=20)


def read(path: Path, text: str) -> Dataset:
    path.write_text(text, encoding="utf-8")
    return open_dataset(path, Settings(header=True, delimiter=","))


def rows_of(dataset: Dataset) -> list[list[str | None]]:
    table = dataset.rows(dataset.columns)
    return [list(row) for row in zip(*(column.to_pylist() for column in table.columns), strict=True)]


def written(rows: list[list[str]], at: int, record: str) -> str:
    lines = [",".join(row) for row in rows]
    lines[at] = record
    return "\n".join([",".join(NAMES), *lines]) + "\n"


def codes(dataset: Dataset) -> list[str]:
    return [limit.code for limit in dataset.limits]


CASES = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@CASES
@given(rows=TABLE, data=st.data())
def test_no_value_is_in_a_wrong_column_unless_a_limit_states_it(tmp_path, rows, data):
    """Neighbouring cells are lost with their separators, anywhere in a record."""
    at = data.draw(st.integers(0, len(rows) - 1))
    start = data.draw(st.integers(0, 4))
    end = data.draw(st.integers(start + 1, 5))
    kept = rows[at][:start] + rows[at][end:]
    true = [*rows[at][:start], *[None] * (end - start), *rows[at][end:]]
    try:
        with read(tmp_path / "t.csv", written(rows, at, ",".join(kept))) as dataset:
            found, limits = rows_of(dataset), codes(dataset)
    except UnreadableSource:
        return
    others = [row for i, row in enumerate(rows) if i != at]
    if len(found) == len(rows):
        assert "source.short_rows" in limits, found[at] == true
    else:
        assert found == others
        assert kept == [] or "source.lines_below" in limits


@CASES
@given(rows=TABLE, at=st.integers(0, 11))
def test_a_text_with_a_separator_and_a_separator_at_the_end_are_read(tmp_path, rows, at):
    """Both leave one placement in which every value has the type of its column."""
    quoted = [*rows[at][:3], "tall, heavy", rows[at][4]]
    for record, row in ((",".join(quoted), quoted), (",".join(rows[at]) + ",", rows[at])):
        with read(tmp_path / "t.csv", written(rows, at, record)) as dataset:
            assert rows_of(dataset)[at] == row
            assert codes(dataset) == ["source.placed_rows"]


def test_missing_cells_at_the_end_are_an_assumption_where_others_may_be_missing(tmp_path):
    rows = [["ash", "20", "elm", "fir", "61.5"] for _ in range(12)]
    with read(tmp_path / "t.csv", written(rows, 3, "ash,20,elm")) as dataset:
        assert rows_of(dataset)[3] == ["ash", "20", "elm", None, None]
        assert [(limit.code, limit.incomplete) for limit in dataset.limits] == [("source.short_rows", True)]


@pytest.mark.parametrize(
    "record", ["ash,20,elm\nfir,61.5", "ash,20,e\nlm,fir,61.5", "elm,fir,ash", "ash,elm,20,fir,x,y"]
)
def test_a_broken_line_and_a_row_without_evidence_are_errors(tmp_path, record):
    rows = [["ash", "20", "elm", "fir", "61.5"] for _ in range(12)]
    with pytest.raises(UnreadableSource, match=r"Row [56] of t\.csv \(line [56]\)"):
        read(tmp_path / "t.csv", written(rows, 3, record))


@pytest.mark.parametrize("notes", ["Source: register\n", "\nNotes\nAge, in years\n", ",,,,\nSource: register,,,,\n"])
def test_notes_below_the_table_do_not_count_as_rows(tmp_path, notes):
    rows = [["ash", "20", "elm", "fir", "61.5"] for _ in range(12)]
    with read(tmp_path / "t.csv", written(rows, 0, ",".join(rows[0])) + notes) as dataset:
        assert rows_of(dataset) == rows
        assert codes(dataset) == ["source.lines_below"]
        assert {one.place for one in dataset.outside} == {"below"}


def test_a_last_row_that_may_be_a_person_or_a_cut_one_is_not_a_note(tmp_path):
    rows = [["ash", "20", "elm", "fir", "61.5"] for _ in range(12)]
    text = written(rows, 0, ",".join(rows[0]))
    with read(tmp_path / "t.csv", text + "elm,,,,\n") as dataset:
        assert rows_of(dataset)[-1] == ["elm", None, None, None, None]
    with read(tmp_path / "t.csv", text + ",,,,\n") as dataset:
        assert rows_of(dataset)[-1] == [None] * 5 and codes(dataset) == []
    with pytest.raises(UnreadableSource):
        read(tmp_path / "cut.csv", text + "el")


@pytest.mark.parametrize(
    "above", ["Members,,,,", "Members,,,,\nexported in May,,,,\n,,,,", "List,Members,,,\nState,May,,,", "Members"]
)
def test_a_header_below_sparser_rows_names_the_columns(tmp_path, above):
    lines = [f"ash {i},{20 + i},elm,fir,6{i % 10}.5" for i in range(12)]
    path = tmp_path / "t.csv"
    path.write_text("\n".join([above, ",".join(NAMES), *lines]) + "\n", encoding="utf-8")
    with open_dataset(path, Settings()) as dataset:
        assert (dataset.columns, dataset.n_rows) == (NAMES, 12)
        assert codes(dataset) == ["source.preamble_lines"]


@pytest.mark.parametrize(
    ("names", "rows", "wrong"),
    [
        (NAMES, ["ash,20,elm,fir,61.5"] * 12, 'ash,20,"elm'),
        (NAMES, ["ash,20,elm,fir,61.5"] * 12, "ash,20elm,fir,61.5"),
        (("id", "ref", "town", "weight"), [f"{i},p{i},oslo,61.5" for i in range(1200)], "p1201,oslo,61.5"),
        (
            ("name", "mail", "phone", "city"),
            [f"eve,e{i}@x.org,01234567{i:02d},rome" for i in range(60)],
            "eve,rome,a,b,c",
        ),
    ],
)
def test_an_open_quote_and_a_lost_separator_are_errors(tmp_path, names, rows, wrong):
    lines = [",".join(names), *rows[:8], wrong, *rows[8:]]
    with pytest.raises(UnreadableSource):
        read(tmp_path / "t.csv", "\n".join(lines) + "\n")


@pytest.mark.parametrize(
    "below", ["Ann Lee,rome\n" * 3, "ann\n" * 9, "\nperson,mail,disease\nann,a@x.org,flu\n", "21,ann,rome\nfir,oak\n"]
)
def test_rows_below_the_table_that_may_be_people_are_not_notes(tmp_path, below):
    text = "\n".join([",".join(NAMES), *["ash,20,elm,fir,61.5"] * 12]) + "\n"
    with pytest.raises(UnreadableSource):
        read(tmp_path / "t.csv", text + below)


def test_a_table_of_two_columns_has_no_notes(tmp_path):
    text = "name,score\n" + "ash,20\n" * 12
    with read(tmp_path / "t.csv", text + ",\nbob,\n") as dataset:
        assert dataset.n_rows == 14 and "source.lines_below" not in codes(dataset)
    with pytest.raises(UnreadableSource):
        read(tmp_path / "u.csv", text + "bob\n")
    path = tmp_path / "v.csv"
    path.write_text("bob,\nann,Town\n" + "".join(f"n{i},{i}\n" for i in range(12)), encoding="utf-8")
    with open_dataset(path, Settings()) as dataset:
        assert dataset.n_rows == 14


def test_notes_are_found_where_the_last_block_holds_them_alone(tmp_path, monkeypatch):
    rows = [["ash", "20", "elm", "fir", "61.5"] for _ in range(60)]
    text = written(rows, 0, ",".join(rows[0]))
    for size in (len(text) // 3, len(text) // 2, len(text) + 1, len(text) - len(",".join(NAMES)) - 1):
        monkeypatch.setattr(delimited, "BLOCK_BYTES", size)
        with read(tmp_path / "t.csv", text + ",,,,\nSource: register,,,,\n") as dataset:
            assert rows_of(dataset) == rows and codes(dataset) == ["source.lines_below"]


def test_a_header_with_more_names_than_the_rows_have_cells_is_an_error(tmp_path):
    with pytest.raises(UnreadableSource, match=r"Row 1 of t\.csv \(line 1\) has 6 cells, expected 5"):
        read(tmp_path / "t.csv", ",".join([*NAMES, "more"]) + "\n" + "ash,20,elm,fir,61.5\n" * 12)


PEOPLE = [f"{20 + i},{'FM'[i % 2]},{10115 + i}" for i in range(9)]
LABELLED = ["Station,Oslo", "Height,33", "Start,2020-01-31", "Unit,mm", "Sensor,AB-12", "Owner,Office"]


@pytest.mark.parametrize(
    ("above", "is_table"),
    [
        (PEOPLE, True),
        (["age,sex,postcode", *PEOPLE], True),
        ([f"#{row}" for row in PEOPLE], True),
        (["Members", *[row.rsplit(",", 1)[0] for row in PEOPLE]], True),
        (["F,Oslo", "F,Rome"] * 3, True),
        ([row.replace(",", ", ") for row in (*PEOPLE, *PEOPLE)], True),
        ([f"{name},F,HIV" for name in "Ann Bea Cid Dan Eve Fay Gus Hal Ida Jon".split()], True),
        (["name,diagnosis,ward", "Qzanwe,asthma,north", "Yilmor,gout,south"], True),
        (["name,diagnosis", "Qzanwe,asthma", "Yilmor,gout"], True),
        (PEOPLE[:4], False),
        (LABELLED, False),
        (["Name,Oslo", "Date,2020-01-31", "Address,Main Street"], False),
        (["Report,Sales", "Date,2020-01-31", "Author,Office"], False),
        (["Name,Age", "Title,Sales"], False),
        ([f"{row},a note" for row in LABELLED], False),
        ([f"Part {i}, in words, and more" for i in range(9)], False),
    ],
)
def test_rows_of_another_table_above_make_a_scan_incomplete(tmp_path, above, is_table):
    names = (*NAMES, "price", "stock")
    rows = [f"ash {i},{20 + i},elm,fir,6{i % 10}.5,{i}.25,{i * 3}" for i in range(20)]
    path = tmp_path / "t.csv"
    padded = [row + "," * (6 - row.count(",")) for row in above]
    for lines in (above, padded):
        path.write_text("\n".join([*lines, ",".join(names), *rows]) + "\n", encoding="utf-8")
        with open_dataset(path, Settings()) as dataset:
            assert (dataset.columns, dataset.n_rows) == (names, 20)
            expected = "source.table_above" if is_table else "source.preamble_lines"
            assert [(one.code, one.incomplete) for one in dataset.limits] == [(expected, is_table)]
    sheet = to_columns([line.split(",") for line in (*padded, ",".join(names), *rows)], header=None)
    assert sheet is not None and sheet.names == names
    assert any(one.incomplete for one in sheet.limits) is is_table


@pytest.mark.parametrize(
    ("second", "names"),
    [
        (" back yard", ("name", "street", "column_3", "age")),
        ("back yard", ("column_1", "name", "street", "age")),  # as programs write the names of rows
        (" 12.5", ("column_1", "name", "street", "age")),  # a number padded with blanks
    ],
)
def test_a_text_that_a_separator_cuts_in_each_row_does_not_move_the_names(tmp_path, second, names):
    lines = [f"Person{i},Oak Street {i},{second},{20 + i}" for i in range(20)]
    (file := tmp_path / "t.csv").write_text("\n".join(["name,street,age", *lines, ""]), encoding="utf-8")
    dataset = open_dataset(file, Settings())
    assert tuple(dataset.columns) == names and dataset.n_rows == 20


def test_a_few_empty_rows_at_the_end_are_rows_and_many_are_not(tmp_path):
    rows = [f"ash {i},{20 + i},elm,fir,6{i % 10}.5" for i in range(20)]
    for n_empty, n_rows in ((1, 21), (5, 25), (6, 20), (400, 20)):
        dataset = read(tmp_path / "t.csv", "\n".join([",".join(NAMES), *rows, *[",,,,"] * n_empty, ""]))
        assert len(rows_of(dataset)) == n_rows
        assert ("source.lines_below" in codes(dataset)) == (n_rows == 20)
