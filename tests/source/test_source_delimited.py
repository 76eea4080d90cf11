"""Delimited text is read as Python's csv module reads it, cell by cell; every assumption is reported."""

from __future__ import annotations

import codecs
import csv
import gzip
import io
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from privaudit.base.errors import ConfigError, PrivauditError, ScanIncomplete, UnreadableSource
from privaudit.settings.config import Settings
from privaudit.source import Dataset, open_dataset

CELL = st.text(
    st.one_of(
        st.sampled_from("ab0 1,;\t|\"'\\\n\r"),
        st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufeff"),
    ),
    max_size=8,
)
NAMES = ("id", "name", "city", "age")


def rows_of(dataset: Dataset) -> list[list[str | None]]:
    table = dataset.rows(dataset.columns)
    return [list(row) for row in zip(*(column.to_pylist() for column in table.columns), strict=True)]


def read(path: Path, **options: object) -> Dataset:
    return open_dataset(path, Settings(**options))  # type: ignore[arg-type]


def blank_is_missing(rows: list[list[str]]) -> list[list[str | None]]:
    return [[cell if cell.strip() else None for cell in row] for row in rows]


@pytest.mark.parametrize("inner", "|;\t")
def test_separators_in_the_cells_of_one_column_are_not_the_delimiter(tmp_path, inner):
    rows = [f"{i},{inner.join(['PID', str(i), 'a', 'b', 'c', 'd', 'e', 'f'])},x{i}" for i in range(90)]
    found = read(write(tmp_path / "t.csv", "\n".join(["visit,segment,ward", *rows])))
    assert found.columns == ("visit", "segment", "ward") and found.n_rows == 90


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data(), width=st.integers(2, 4), delimiter=st.sampled_from(",;\t|"), every=st.booleans())
def test_every_cell_survives_as_it_was_written(tmp_path, data, width, delimiter, every):
    """Python writes, privaudit reads: the same cells, blank ones missing, whatever they hold."""
    rows = data.draw(st.lists(st.lists(CELL, min_size=width, max_size=width), min_size=1, max_size=6))
    quoting = csv.QUOTE_ALL if every else csv.QUOTE_MINIMAL
    path = tmp_path / "table.csv"
    with path.open("w", newline="", encoding="utf-8") as out:
        csv.writer(out, delimiter=delimiter, quoting=quoting).writerows([NAMES[:width], *rows])
    with read(path, delimiter=delimiter, header=True) as dataset:
        assert dataset.columns == NAMES[:width]
        assert rows_of(dataset) == blank_is_missing(rows)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data(), delimiter=st.sampled_from(",;\t|"), crlf=st.booleans())
def test_delimiter_and_header_of_a_plain_table_are_found(tmp_path, data, delimiter, crlf):
    word = st.sampled_from(["Nairobi", "Kisumu", "O'Brien", 'five "inch"', "line\nbreak", ""])
    row = st.tuples(st.integers(0, 10**6).map(str), word, word, st.integers(18, 90).map(str))
    rows = data.draw(st.lists(row, min_size=1, max_size=30))
    path = tmp_path / "table.csv"
    with path.open("w", newline="", encoding="utf-8") as out:
        writer = csv.writer(out, delimiter=delimiter, lineterminator="\r\n" if crlf else "\n")
        writer.writerows([NAMES, *rows])
    with read(path) as dataset:
        assert dataset.columns == NAMES
        assert rows_of(dataset) == blank_is_missing([list(r) for r in rows])
        assert dataset.limits == ()


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data(), at=st.integers(0, 9), fewer=st.booleans())
def test_a_ragged_row_is_named_by_its_number(tmp_path, data, at, fewer):
    """The number counts records from 1, header included, also after cells with line breaks in them."""
    cell = st.sampled_from(["a", "two\nlines", 'quo"te', "x,y", "00"])
    rows = data.draw(st.lists(st.lists(cell, min_size=3, max_size=3), min_size=10, max_size=10))
    rows[at] = rows[at][:-1] if fewer else [*rows[at], "more"]
    path = tmp_path / "table.csv"
    with path.open("w", newline="", encoding="utf-8") as out:
        csv.writer(out).writerows([("id", "name", "age"), *rows])
    line = 2 + sum(1 + sum(c.count("\n") for c in row) for row in rows[:at])
    with pytest.raises(UnreadableSource) as caught:
        read(path, header=True, delimiter=",")
    assert f"Row {at + 2} of table.csv (line {line}) has {2 if fewer else 4} cells, expected 3" in str(caught.value)
    with read(path, header=True, delimiter=",", bad_rows="skip") as dataset:
        assert rows_of(dataset) == [row for i, row in enumerate(rows) if i != at]
        assert [(limit.what, limit.incomplete) for limit in dataset.limits] == [("1 of 10 rows (10 %)", True)]


def write(path: Path, text: str, encoding: str = "utf-8") -> Path:
    path.write_bytes(text.encode(encoding))
    return path


def test_nothing_is_inferred(tmp_path):
    """Leading zeros, long numbers and words that others read as missing stay what they are."""
    text = "zip,big,surname,flag\n02139,123456789012345678901234567890,Null,NA\n00501,9007199254740993,nan,None\n"
    with read(write(tmp_path / "t.csv", text)) as dataset:
        assert rows_of(dataset) == [
            ["02139", "123456789012345678901234567890", "Null", "NA"],
            ["00501", "9007199254740993", "nan", "None"],
        ]


@pytest.mark.parametrize(
    "first",
    ["Ann Lee,ann@example.com,34", "Ann Lee,Nairobi,1985-03-02", "Ann Lee,0722123456,F", "dinah,north spring,red"],
)
def test_a_first_row_of_data_never_becomes_column_names(tmp_path, first):
    kind = first.split(",")
    rest = [
        [f"Bob {c}", {"a": f"b{c}@example.com", "N": "Kisumu", "0": f"073312345{i}"}.get(kind[1][0], f"south {c}"),
         {"3": str(20 + i), "1": f"1990-01-1{i}", "F": "M"}.get(kind[2][0], "blue")]
        for i, c in enumerate("abcdefgh")
    ]  # fmt: skip
    text = "\n".join([first, *(",".join(row) for row in rest)])
    with read(write(tmp_path / "t.csv", text)) as dataset:
        assert dataset.columns == ("column_1", "column_2", "column_3")
        assert dataset.n_rows == 9
        assert [limit.what for limit in dataset.limits] == ["column names"]
        assert not any(cell in limit.why for limit in dataset.limits for cell in first.split(","))


def test_a_stated_delimiter_that_does_not_occur_leaves_one_column(tmp_path):
    for suffix in ("csv", "tsv"):
        (tmp_path / f"t.{suffix}").write_text("city\nRome, Italy\nBonn, Germany\n")
        with open_dataset(tmp_path / f"t.{suffix}", Settings(delimiter=";")) as table:
            assert table.columns == ("city",) and table.rows(["city"])["city"][0].as_py() == "Rome, Italy"


def test_header_overrides(tmp_path):
    path = write(tmp_path / "t.csv", "red,blue\ngreen,white\n")
    with read(path) as dataset:
        assert (dataset.columns, dataset.n_rows) == (("column_1", "column_2"), 2)
    with read(path, header=True) as dataset:
        assert (dataset.columns, dataset.n_rows) == (("red", "blue"), 1)
    with read(write(tmp_path / "u.csv", "id,age\n1,2\n"), header=False) as dataset:
        assert (dataset.columns, dataset.n_rows) == (("column_1", "column_2"), 2)


@pytest.mark.parametrize(
    ("above", "what"),
    [
        ("Claims of 2020\n", "1 line above the table"),
        ("Claims of 2020\nmade by the, office\n\n", "2 lines above the table"),
        ("# a comment\n# another, longer\n", "2 lines above the table"),
        ("sep=,\n", "1 line above the table"),
        ("Claims of 2020,,\n,,\n", "2 lines above the table"),
    ],
)
def test_lines_above_the_table_are_a_limit_and_not_rows(tmp_path, above, what):
    with read(write(tmp_path / "t.csv", above + "id,name,age\n1,Ann,34\n2,Bob,35\n")) as dataset:
        assert dataset.columns == ("id", "name", "age")
        assert rows_of(dataset) == [["1", "Ann", "34"], ["2", "Bob", "35"]]
        assert [limit.what for limit in dataset.limits] == [what]


def test_row_names_without_a_header_of_their_own(tmp_path):
    with read(write(tmp_path / "t.csv", "name,age\nr1,Ann,34\nr2,Bob,35\n")) as dataset:
        assert dataset.columns == ("column_1", "name", "age")
        assert dataset.n_rows == 2


@pytest.mark.parametrize(
    ("rows", "incomplete"),
    [("r1,Ann,34\nr2,Bob,35\n", False), ("Ann,34,\nAnn,35,\n", False), ("Ann,34,x\nAnn,35,x\n", True)],
)
def test_a_header_whose_place_is_not_known_is_not_assessed(tmp_path, rows, incomplete):
    with read(write(tmp_path / "t.csv", "name,age\n" + rows)) as dataset:
        found = [limit for limit in dataset.limits if "fewer names" in limit.why]
        assert [limit.incomplete for limit in found] == [incomplete]


def test_names_are_data_too(tmp_path):
    text = "id,jane@example.com,+254 722 123 456,,id,33244956\n1,2,3,4,5,6\n2,3,4,5,6,7\n"
    with read(write(tmp_path / "t.csv", text)) as dataset:
        assert dataset.columns == ("id", "column_2", "column_3", "column_4", "id_2", "column_6")
        stated = " ".join(limit.what + limit.why for limit in dataset.limits)
    assert "jane" not in stated and "722" not in stated and "33244956" not in stated
    assert '"column_2", "column_3" and "column_6"' in stated and '"column_4"' in stated and '"id_2"' in stated


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_a_byte_order_mark_names_the_encoding(tmp_path, encoding):
    with read(write(tmp_path / "t.csv", "name,age\nZoë,34\nJosé,35\n", encoding)) as dataset:
        assert rows_of(dataset) == [["Zoë", "34"], ["José", "35"]]


def test_an_encoding_is_named_by_the_user_where_a_word_is_too_little_to_guess_it(tmp_path):
    path = write(tmp_path / "t.csv", "name,age\nAnn,33\nZoë,34\n", "cp1252")
    with pytest.raises(UnreadableSource, match=r"not valid UTF-8 in line 3.*--encoding"):
        read(path)
    with read(path, encoding="cp1252") as dataset:
        assert rows_of(dataset) == [["Ann", "33"], ["Zoë", "34"]]
    with pytest.raises(ConfigError, match='Unknown encoding "no-such"'):
        read(path, encoding="no-such")
    unmarked = write(tmp_path / "u.csv", "name,age\nAnn,33\n", "utf-16-le")
    with pytest.raises(UnreadableSource, match="--encoding utf-16-le"):
        read(unmarked)
    with read(unmarked, encoding="utf-16-le") as dataset:
        assert rows_of(dataset) == [["Ann", "33"]]


def test_bad_bytes_late_in_a_file_are_found(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(b"id,name\n" + b"1,Ann\n" * 300_000 + b"2,\xff\n")
    with pytest.raises(UnreadableSource, match="line 300002"):
        read(path)


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
def test_compressed_text(tmp_path, suffix):
    content = b"id,name\n" + b"".join(b"%d,Ann\n" % i for i in range(2000))
    packed = gzip.compress(content) if suffix == ".gz" else pa.compress(content, codec="zstd", asbytes=True)
    path = tmp_path / f"t.csv{suffix}"
    path.write_bytes(packed)
    with read(path) as dataset:
        assert (dataset.n_rows, dataset.columns) == (2000, ("id", "name"))
    path.write_bytes(packed[:-9])
    with pytest.raises(UnreadableSource, match="damaged or cut off"):
        read(path)


def test_a_quote_that_is_never_closed_is_an_error(tmp_path):
    with pytest.raises(UnreadableSource, match=r"row 3 of t.csv \(line 4\) is never closed"):
        read(write(tmp_path / "t.csv", 'id,note\n1,"two\nlines"\n2,"open\n3,x\n4,y\n'))
    with read(write(tmp_path / "u.csv", 'id,note\n1,x\n2,"closed\nat last\n"')) as dataset:
        assert rows_of(dataset)[-1] == ["2", "closed\nat last\n"]


@pytest.mark.parametrize("text", ["", "\n\n\n", "id,name,age\n", codecs.BOM_UTF8.decode()])
def test_a_table_without_rows_is_incomplete(tmp_path, text):
    with pytest.raises(ScanIncomplete, match="no rows"):
        read(write(tmp_path / "t.csv", text))


def test_blank_lines_are_missing_cells_only_in_a_table_of_one_column(tmp_path):
    with read(write(tmp_path / "t.csv", "name\nAnn\n\nBob\n")) as dataset:
        assert rows_of(dataset) == [["Ann"], [None], ["Bob"]]
    with read(write(tmp_path / "u.csv", "name,age\nAnn,1\n\nBob,2\n")) as dataset:
        assert rows_of(dataset) == [["Ann", "1"], ["Bob", "2"]]


def test_cells_longer_than_a_block(tmp_path):
    long = "x" * (9 << 20)
    with read(write(tmp_path / "t.csv", f'id,note\n1,"{long}"\n2,y\n'), header=True, delimiter=",") as dataset:
        assert [len(row[1] or "") for row in rows_of(dataset)] == [len(long), 1]


def test_single_quotes_and_backslashes(tmp_path):
    with read(write(tmp_path / "t.csv", "id,note\n1,'a, b'\n2,'c, d'\n3,'e, f'\n")) as dataset:
        assert rows_of(dataset) == [["1", "a, b"], ["2", "c, d"], ["3", "e, f"]]
    with read(write(tmp_path / "u.csv", 'id,note\n1,"a \\"b\\", c"\n2,"d"\n')) as dataset:
        assert rows_of(dataset) == [["1", 'a "b", c'], ["2", "d"]]


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=st.one_of(st.binary(max_size=200), st.text(max_size=200).map(lambda t: t.encode("utf-8", "ignore"))))
def test_any_bytes_are_a_table_or_an_error_of_ours(tmp_path, content):
    path = tmp_path / "t.csv"
    path.write_bytes(content)
    problem: PrivauditError | None = None
    try:
        with read(path) as dataset:
            n_cells = dataset.n_rows * len(dataset.columns)
            assert sum(len(row) for row in rows_of(dataset)) == n_cells > 0
    except PrivauditError as raised:
        problem = raised
    if problem is not None:
        assert problem.__suppress_context__ or problem.__context__ is None
        assert len(str(problem)) <= 300


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(st.sampled_from('ab,"\n\r1'), min_size=1, max_size=40))
def test_arrow_and_python_see_the_same_records(tmp_path, text):
    """The reader that counts rows for messages and the one that reads them agree on every malformed quote."""
    expected = [row for row in csv.reader(io.StringIO(text, newline="")) if row]
    path = write(tmp_path / "t.csv", text)
    try:
        with read(path, delimiter=",", header=False) as dataset:
            found = rows_of(dataset)
    except PrivauditError:
        return
    if len(dataset.columns) > 1:
        skip = len(expected) - len(found)
        assert found == blank_is_missing(expected[skip:])


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_a_cell_may_end_in_a_backslash_before_its_closing_quote(tmp_path, delimiter):
    rows = [["C:\\Temp, or\r\n\\", "a"], ["two\nlines\\", "b"], ["plain", 'five "inches"']]
    path = tmp_path / "table.csv"
    with path.open("w", newline="", encoding="utf-8") as out:
        csv.writer(out, delimiter=delimiter, quoting=csv.QUOTE_ALL).writerows([["path", "kind"], *rows])
    with read(path, delimiter=delimiter, header=True) as dataset:
        assert rows_of(dataset) == rows


def test_quotes_escaped_by_a_backslash_are_read_as_quotes(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text('stated,by\n"she stated \\"no\\", twice",Ada\n"\\"yes\\"",Ben\n', encoding="utf-8")
    with read(path, header=True) as dataset:
        assert rows_of(dataset) == [['she stated "no", twice', "Ada"], ['"yes"', "Ben"]]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32"])
def test_a_text_of_single_bytes_is_not_read_as_pairs(tmp_path, encoding):
    file = write(tmp_path / "u.csv", "a,b\n1,2\n3,4\n", "utf-8")
    with pytest.raises(UnreadableSource, match="no NUL byte") as caught:
        read(file, encoding=encoding).__enter__()
    assert caught.value.exit_code == 2
