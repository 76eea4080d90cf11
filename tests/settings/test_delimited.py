"""Rows that are written as delimited text read back, whatever line ends are in their cells."""

from __future__ import annotations

import csv
import io

from hypothesis import example, given
from hypothesis import strategies as st

from privaudit.base.delimited import delimited_writer

CELLS = st.text(st.sampled_from("a \t,;'\"\r\n"), max_size=5)
ROWS = st.lists(st.lists(CELLS, min_size=2, max_size=2), max_size=4)


@given(ROWS, st.sampled_from(["\n", "\r\n"]), st.sampled_from(",;\t"))
@example([["a\rb", "\r"]], "\n", ",")
def test_rows_read_back(rows, end, delimiter):
    file = io.StringIO(newline="")
    delimited_writer(file, end=end, delimiter=delimiter).writerows(rows)
    assert list(csv.reader(io.StringIO(file.getvalue(), newline=""), delimiter=delimiter)) == rows
    assert file.getvalue().endswith(end) or not rows


@given(st.lists(CELLS, min_size=2, max_size=2))
def test_the_last_row_of_a_file_without_an_end_of_line_reads_back(row):
    file = io.StringIO(newline="")
    delimited_writer(file, end="").writerow(row)
    assert list(csv.reader(io.StringIO(file.getvalue(), newline=""))) == [row]


@given(ROWS, st.sampled_from(["", "\n", "\r\n"]), st.sampled_from(",;\t"))
def test_rows_without_carriage_returns_are_written_alike(rows, end, delimiter):
    rows = [[cell.replace("\r", "") for cell in row] for row in rows]
    made = []
    for may_have_returns in (True, False):
        file = io.StringIO(newline="")
        writer = delimited_writer(file, end=end, may_have_returns=may_have_returns, delimiter=delimiter)
        writer.writerows(rows)
        made.append(file.getvalue())
    assert made[0] == made[1]
